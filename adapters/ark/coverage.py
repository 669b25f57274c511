"""What becomes of every word of a Responses request on its way to Ark. The encoders look up here what they do."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from adapters.ark.answers import ANSWERS
from adapters.faces.ark.coverage import NO_FIELD
from adapters.hub.coverage import EXACT, Coverage, Rows, Rule, approximated, dropped, each, rejected
from adapters.hub.rulebook import Rulebook
from adapters.hub.words import Word, rules_of
from adapters.responses.coverage import EMULATED_ITEMS, EMULATED_TOOLS, HINT, HINTS, IDLE, SEARCHES

UNKNOWN: Final = rejected("it has nothing of that kind")
_BY_ROW = approximated("each word of it by its own row")
_NOT_AS_INPUT = dropped("Ark takes no such item as input; it only tells what a hosted tool did")
_NO_COMPUTER = rejected("Ark operates no computer")
_NO_PROGRAMS = rejected("Ark runs no programs that call tools")
_SEALED = rejected("a compacted conversation is sealed by the vendor that made it")
_NO_AGENTS = rejected("Ark has no agents of that kind")
_NO_SOURCES = dropped("Ark's search does not tell what it found; the citations name the sources")
_OWN_SEARCH = approximated("Ark's own search: a number of results and a place, no filters")
_FILE = approximated("by its data or its address; a file that another vendor keeps is refused")

FIELDS: Final[Mapping[str, Rule]] = {
    **each("model instructions temperature top_p max_output_tokens parallel_tool_calls store stream", EXACT),
    **each("x_dragoman thinking caching expire_at session", EXACT),
    **HINTS,
    **each("input include tools tool_choice reasoning text service_tier", _BY_ROW),
    "max_tool_calls": approximated("Ark takes 1 to 10"),
    "metadata": approximated("the gateway tells it back"),
    "previous_response_id": approximated("a response that Ark gave; any other is refused"),
    "context_management": dropped("Ark does not compact a conversation; its own edits are sent"),
    "top_logprobs": dropped("Ark reports no log probabilities"),
    **each("truncation moderation access_programs image", dropped("Ark has no such setting")),
    **each("prompt conversation", rejected("it is kept at another vendor; send what it says")),
    **each("background background_options", rejected("Ark has no background responses")),
    "multi_agent": _NO_AGENTS,
}

INCLUDE: Final[Mapping[str, Rule]] = {
    **each("reasoning.encrypted_content message.input_image.image_url message.input_audio.audio_url", EXACT),
    **each("web_search_call.action.sources web_search_call.results", _NO_SOURCES),
    "file_search_call.results": dropped("Ark does not tell what its search of documents found"),
    "code_interpreter_call.outputs": dropped("Ark runs no code"),
    "computer_call_output.output.image_url": dropped("Ark gets no screenshots"),
    "message.output_text.logprobs": dropped("Ark reports no log probabilities"),
}

REASONING: Final[Mapping[str, Rule]] = {
    "effort": _BY_ROW,
    "summary": approximated("Ark always tells a summary, of its own length"),
    "generate_summary": approximated("an older name of summary"),
    **each("context mode", dropped("Ark's reasoning has no such setting")),
}

# "minimal" is Ark's word for no thinking; "none" is not valid there
_HIGHEST = approximated("Ark's highest effort is high")
EFFORTS: Final = {
    "none": Word("minimal"),
    **{effort: Word(effort) for effort in ("minimal", "low", "medium", "high")},
    **dict.fromkeys(("xhigh", "max"), Word("high", _HIGHEST)),
}

_OF_ITS_OWN_LENGTH = approximated("Ark decides itself how long a summary is")
SUMMARIES: Final = {"auto": Word(None), **dict.fromkeys(("concise", "detailed"), Word(None, _OF_ITS_OWN_LENGTH))}

TIERS: Final = {
    "auto": Word("auto"),
    "default": Word("default"),
    **dict.fromkeys(("fast", "priority"), Word("fast")),
    "ultrafast": Word("fast", approximated("Ark's fastest tier is fast")),
    **dict.fromkeys(("flex", "scale"), Word(None, dropped("Ark has no such service tier"))),
}

DETAILS: Final = {
    **{detail: Word(detail) for detail in ("auto", "low", "high", "xhigh")},
    "original": Word("high", approximated("Ark does not take an image as it is; high is told")),
}

TEXT: Final[Mapping[str, Rule]] = {"format": _BY_ROW, "verbosity": dropped("Ark has no such setting")}
FORMATS: Final[Mapping[str, Rule]] = each("text json_object json_schema", EXACT)
FORMAT: Final[Mapping[str, Rule]] = each("type name schema strict description", EXACT)

CONTENT: Final[Mapping[str, Rule]] = {
    **each("input_text input_video summary_text reasoning_text", EXACT),
    **each("input_image input_file", _FILE),
    "input_audio": approximated("by its address, or its data as one"),
    "output_text": approximated("without the places of its citations and log probabilities"),
    "refusal": approximated("Ark has no refusals; it is told as text"),
}

ANNOTATIONS: Final[Mapping[str, Rule]] = {
    "url_citation": approximated("without its place in the text"),
    "file_citation": approximated("the citation of a document, without its place in the text"),
    "container_file_citation": approximated("the citation of a document, without its container and its place"),
    "file_path": approximated("the citation of a document"),
}

PART: Final = ("image_pixel_limit", "translation_options")
"""Fields of Ark's own on an image or a text, which pass."""

ITEMS: Final[Mapping[str, Rule]] = {
    **each("message function_call mcp_list_tools mcp_call mcp_approval_request mcp_approval_response", EXACT),
    "reasoning": approximated("Ark's own, with its seal; reasoning of another vendor is not valid at Ark"),
    "function_call_output": approximated("its texts; Ark takes only text as a function's output"),
    **EMULATED_ITEMS,
    "item_reference": approximated("to what Ark said; any other is refused"),
    "additional_tools": approximated("the tools are there from the start"),
    "configuration_update": approximated("the last one counts, from the start"),
    "tool_search_output": approximated("the functions that were found are there from the start"),
    **each(
        "web_search_call file_search_call code_interpreter_call image_generation_call tool_search_call", _NOT_AS_INPUT
    ),
    **each("image_process knowledge_search_call doubao_app_call agent_tool_call transcription", _NOT_AS_INPUT),
    **each("computer_call computer_call_output", _NO_COMPUTER),
    **each("program program_output", _NO_PROGRAMS),
    **each("compaction compaction_trigger", _SEALED),
    **each("agent_message multi_agent_call multi_agent_call_output", _NO_AGENTS),
}

_STATE = each("status x_dragoman", HINT)
_CALLED = each("type id server_label name arguments", EXACT) | _STATE
ITEM_FIELDS: Final[Mapping[str, Mapping[str, Rule]]] = {
    "mcp_approval_request": _CALLED,
    "mcp_approval_response": each("type id approval_request_id approve reason", EXACT) | _STATE,
    "mcp_list_tools": each("type id server_label tools error", EXACT) | _STATE,
    "mcp_call": _CALLED | each("output error", EXACT),
    "item_reference": each("type id", EXACT),
}
"""Fields of the items that Ark has under the same name."""

TOOLS: Final[Mapping[str, Rule]] = {
    "function": approximated("Ark does not hold a function's arguments to its schema"),
    **EMULATED_TOOLS,
    **each(SEARCHES, _OWN_SEARCH),
    "file_search": approximated("a search of each knowledge base, by the name that the settings give; else refused"),
    **each("mcp knowledge_search image_process doubao_app", EXACT),
    "tool_search": dropped("all tools are there from the start"),
    "code_interpreter": rejected("Ark runs no code"),
    "image_generation": rejected("Ark makes images elsewhere"),
    **each("computer computer_use_preview", _NO_COMPUTER),
    "programmatic_tool_calling": _NO_PROGRAMS,
}

CHOICES: Final[Mapping[str, Rule]] = {
    **each("none auto required function mcp knowledge_search image_process doubao_app", EXACT),
    **each(SEARCHES, EXACT),
    **EMULATED_TOOLS,
    "allowed_tools": approximated("Ark is given the tools that are allowed, and no others"),
    "file_search": approximated("the search of knowledge bases"),
    **each("code_interpreter image_generation tool_search", rejected("it has no such tool")),
    **each("computer computer_use computer_use_preview", _NO_COMPUTER),
    "programmatic_tool_calling": _NO_PROGRAMS,
}

TOOL_FIELDS: Final[Mapping[str, Mapping[str, Rule]]] = {
    "function": {
        **each("type name description parameters", EXACT),
        "strict": dropped("Ark does not hold a function's arguments to its schema"),
        **each("defer_loading async output_schema allowed_callers", NO_FIELD),
    },
    "web_search": {
        **each("type limit sources max_keyword user_location", EXACT),
        "search_context_size": approximated("a number of results; a size of another name is reported"),
        "external_web_access": dropped("Ark's search is always live"),
        **each("filters search_content_types", dropped("Ark's search has no such setting")),
    },
    "user_location": {
        **each("type city country region", EXACT),
        "timezone": dropped("Ark wants an offset in hours, not a name"),
    },
    "file_search": {
        "type": EXACT,
        "vector_store_ids": approximated("the knowledge bases' names at Ark"),
        "max_num_results": approximated("the limit of each"),
        "filters": rejected("Ark's filters have a syntax of their own; use its tool `knowledge_search`"),
        "ranking_options": dropped("Ark's search of documents ranks in its own way"),
    },
    "mcp": {
        **each("type server_label server_url headers server_description", EXACT),
        "authorization": approximated("a header"),
        **each("allowed_tools require_approval", approximated("by the names of tools")),
        **each("connector_id tunnel_id", rejected("it lives at another vendor")),
        **each("defer_loading allowed_callers", NO_FIELD),
    },
    "knowledge_search": each(
        "type knowledge_resource_id description limit max_keyword dense_weight doc_filter ranking_options", EXACT
    ),
    "image_process": each("type point grounding zoom rotate", EXACT),
    "doubao_app": each("type feature user_location", EXACT),
    "tool_search": each("type execution description parameters", HINT),
}

RULES: Final = Rulebook("Ark", NO_FIELD, IDLE)

REQUESTS: Final[Rows] = {
    "field": FIELDS,
    "include": INCLUDE,
    "item": ITEMS,
    **{f"field of {kind}": rows for kind, rows in (ITEM_FIELDS | TOOL_FIELDS).items()},
    "content": CONTENT,
    "annotation": ANNOTATIONS,
    "detail": rules_of(DETAILS),
    "tool": TOOLS,
    "tool_choice": CHOICES,
    "reasoning": REASONING,
    "effort": rules_of(EFFORTS),
    "summary": rules_of(SUMMARIES),
    "service_tier": rules_of(TIERS),
    "text": TEXT,
    "format": FORMATS,
    "field of format": FORMAT,
}

COVERAGE: Final = Coverage(requests=REQUESTS, answers=ANSWERS)
