"""What becomes of every word of a Responses request on its way to Gemini. The encoders look up here what they do."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from adapters.gemini.words import DETAILS, EFFORTS, SUMMARIES, TIERS
from adapters.hub.coverage import EXACT, Coverage, Rows, Rule, approximated, dropped, each, rejected
from adapters.hub.rulebook import Rulebook
from adapters.hub.words import rules_of
from adapters.interactions.coverage import ANSWERS
from adapters.responses.coverage import IDLE

NO_SETTING: Final = dropped("Gemini has no such setting")
UNKNOWN: Final = rejected("it has nothing of that kind")
_HINT = dropped("")  # its absence changes no answer
_OWN_ONLY = dropped("Gemini takes such a step with its own signature only; its own come back as they were")
_AS_FUNCTION = approximated("told as a function, and its calls are told back in the client's terms")
_AS_CALL = approximated("told as the call of a function and its result")
_NO_SOURCES = dropped("Gemini's search does not tell what it found; the citations name the sources")
_OWN_SEARCH = approximated("Gemini's own search, without filters, place or size")
_NO_COMPUTER = rejected("the gateway operates no computer with Gemini")
_NO_PROGRAMS = rejected("Gemini runs no programs that call tools")
_SEALED = rejected("a compacted conversation is sealed by the vendor that made it")
_NO_APPROVAL = rejected("Gemini asks for no approval of MCP calls")

FIELDS: Final[Mapping[str, Rule]] = {
    **each("model instructions temperature top_p store stream x_dragoman", EXACT),
    **each("user safety_identifier client_metadata stream_options prompt_cache_key prompt_cache_options", _HINT),
    "prompt_cache_retention": _HINT,
    "input": approximated("each item by its own row"),
    "include": approximated("each word by its own row"),
    "tools": approximated("each tool by its own row"),
    "tool_choice": approximated("each form by its own row"),
    "reasoning": approximated("each setting by its own row"),
    "text": approximated("each format by its own row"),
    "service_tier": approximated("each tier by its own row"),
    "max_output_tokens": approximated("whether Gemini's limit counts thoughts too is not documented"),
    "previous_response_id": approximated("a response that Gemini gave; any other is refused"),
    "background": approximated("for a stream only: a JSON answer would not be finished, and is refused"),
    "background_options": approximated("a window of hours is Gemini's deferred tier"),
    "metadata": approximated("the gateway tells it back; Gemini's labels are narrower and are not set"),
    "parallel_tool_calls": approximated("Gemini decides itself whether calls are parallel"),
    "access_programs": dropped("Gemini has no access programs"),
    "context_management": dropped("Gemini does not compact a conversation"),
    "image": dropped("Gemini does not compress images of the conversation"),
    "max_tool_calls": dropped("Gemini does not count tool calls"),
    "moderation": dropped("Gemini has safety settings of another kind"),
    "top_logprobs": dropped("Gemini reports no log probabilities"),
    "truncation": dropped("Gemini does not shorten the input by itself"),
    "conversation": rejected("the gateway keeps no conversations; send the input items"),
    "multi_agent": rejected("Gemini has no agents of that kind"),
    "prompt": rejected("prompt templates live at another vendor"),
}

INCLUDE: Final[Mapping[str, Rule]] = {
    "reasoning.encrypted_content": EXACT,
    "code_interpreter_call.outputs": EXACT,
    "message.input_image.image_url": _HINT,
    **each("web_search_call.action.sources web_search_call.results", _NO_SOURCES),
    "file_search_call.results": dropped("Gemini does not tell what its file search found"),
    "computer_call_output.output.image_url": dropped("Gemini gets no screenshots"),
    "message.output_text.logprobs": dropped("Gemini reports no log probabilities"),
}

REASONING: Final[Mapping[str, Rule]] = {
    "effort": approximated("each effort by its own row"),
    "summary": approximated("each kind of summary by its own row"),
    "generate_summary": approximated("an older name of summary"),
    "context": NO_SETTING,
    "mode": NO_SETTING,
}

TEXT: Final[Mapping[str, Rule]] = {"format": approximated("each format by its own row"), "verbosity": NO_SETTING}

FORMATS: Final[Mapping[str, Rule]] = {
    "text": EXACT,
    "json_object": EXACT,
    "json_schema": approximated("some rules of the schema are not enforced; always strict"),
}

FORMAT: Final[Mapping[str, Rule]] = {
    **each("type schema", EXACT),
    "name": _HINT,
    "strict": approximated("Gemini holds to every schema"),
    "description": dropped("Gemini's response format has no description"),
}

CONTENT: Final[Mapping[str, Rule]] = {
    "input_text": EXACT,
    "input_image": approximated("the detail is the resolution; another vendor's file is refused"),
    "input_file": approximated("without its name; another vendor's file is refused"),
    "input_audio": approximated("audio of that format"),
    "input_video": approximated("without the rate of frames"),
    "output_text": approximated("citations in Gemini's terms, without log probabilities"),
    "refusal": approximated("Gemini has no refusals; it is told as text"),
    "summary_text": approximated("with the thought that carries Gemini's signature"),
    "reasoning_text": dropped("Gemini's thoughts hold summaries only"),
}

ANNOTATIONS: Final[Mapping[str, Rule]] = {
    "url_citation": approximated("the bytes that it spans, which at Gemini are the claim and not the link"),
    "file_citation": approximated("the byte where it stands"),
    "container_file_citation": approximated("a file citation of the bytes that it spans; the container is metadata"),
    "file_path": approximated("a file citation that stands nowhere, without its number"),
}

ITEM_FIELDS: Final[Mapping[str, Rule]] = {"partial": rejected("it cannot continue a message that was begun")}
"""Fields of items that other members of the dialect's family have."""

ITEMS: Final[Mapping[str, Rule]] = {
    "message": approximated("a system message inside the conversation is told as the user's words"),
    "reasoning": approximated("Gemini's own, with its signature; reasoning of another vendor is not valid at Gemini"),
    "function_call": approximated("arguments that are no object go as `_raw`"),
    "function_call_output": EXACT,
    **each("custom_tool_call custom_tool_call_output apply_patch_call apply_patch_call_output", _AS_CALL),
    **each("shell_call shell_call_output local_shell_call local_shell_call_output", _AS_CALL),
    **each("web_search_call file_search_call", _OWN_ONLY),
    "code_interpreter_call": approximated("a run of code without a signature"),
    "mcp_call": approximated("a call of that server's tool, with its output as text"),
    "image_generation_call": approximated("an image that the model said"),
    "tool_search_call": approximated("a search for the tools that were found"),
    "tool_search_output": approximated("the functions that were found, and no other tools"),
    "additional_tools": approximated("the tools are there from the start"),
    "configuration_update": approximated("the last one counts, from the start"),
    "mcp_list_tools": dropped("Gemini asks MCP servers for their tools itself"),
    **each("mcp_approval_request mcp_approval_response", _NO_APPROVAL),
    **each("computer_call computer_call_output", _NO_COMPUTER),
    **each("program program_output", _NO_PROGRAMS),
    **each("compaction compaction_trigger", _SEALED),
    "item_reference": rejected("the gateway keeps no items; send the item itself"),
    **each("agent_message multi_agent_call multi_agent_call_output", FIELDS["multi_agent"]),
}

TOOLS: Final[Mapping[str, Rule]] = {
    "function": approximated("`strict` holds calls to their schema where the choice is left to the model"),
    **each("custom namespace shell local_shell apply_patch", _AS_FUNCTION),
    **each("web_search web_search_2025_08_26 web_search_preview web_search_preview_2025_03_11", _OWN_SEARCH),
    "code_interpreter": approximated("Gemini's own sandbox, without files"),
    "file_search": approximated("in stores that the settings name, or that are Gemini's own; else refused"),
    "image_generation": approximated("by the model itself where it makes images; else refused"),
    "mcp": approximated("without approval, which must be `never`; else refused"),
    "tool_search": approximated("where the server searches; a search by the client is refused"),
    **each("computer computer_use_preview", _NO_COMPUTER),
    "programmatic_tool_calling": _NO_PROGRAMS,
}

_ALONE = approximated("Gemini is given that tool and no other, and may still do without")

CHOICES: Final[Mapping[str, Rule]] = {
    **each("none auto required function", EXACT),
    **each("custom namespace shell local_shell apply_patch", _AS_FUNCTION),
    "allowed_tools": approximated("functions by name; hosted tools that are not allowed are left out"),
    **each("web_search web_search_2025_08_26 web_search_preview web_search_preview_2025_03_11", _ALONE),
    **each("file_search code_interpreter mcp tool_search", _ALONE),
    "image_generation": approximated("the answer is an image and nothing else"),
    **each("computer computer_use_preview computer_use", _NO_COMPUTER),
    "programmatic_tool_calling": _NO_PROGRAMS,
}

_ANY_CALLER = dropped("Gemini calls every tool directly")
_NO_IMAGE_SETTING = dropped("Gemini's images have no such setting")
_NO_SEARCH_SETTING = dropped("Gemini's search has no such setting")

TOOL_FIELDS: Final[Mapping[str, Mapping[str, Rule]]] = {
    "function": {
        **each("type name description parameters defer_loading", EXACT),
        "strict": approximated("the choice `validated`"),
        "allowed_callers": _ANY_CALLER,
        "async": dropped("Gemini waits for every result"),
        "output_schema": dropped("Gemini's functions do not describe their results"),
    },
    "web_search": {
        "type": EXACT,
        "search_content_types": approximated("the kinds of search"),
        "external_web_access": dropped("Gemini's search is always live"),
        **each("filters search_context_size user_location", _NO_SEARCH_SETTING),
    },
    "code_interpreter": {"type": EXACT, "container": approximated("a new one"), "allowed_callers": _ANY_CALLER},
    "container": {
        "type": EXACT,
        "file_ids": rejected("Gemini's sandbox cannot be given files"),
        "memory_limit": dropped("Gemini's sandbox has one size"),
        "network_policy": dropped("Gemini's sandbox has no network"),
    },
    "file_search": {
        "type": EXACT,
        "vector_store_ids": approximated("the stores' names at Gemini"),
        "max_num_results": approximated("the number of pieces"),
        "filters": approximated("a filter in Google's syntax"),
        "ranking_options": dropped("Gemini's file search ranks in its own way"),
    },
    "image_generation": {
        "type": EXACT,
        "size": approximated("the nearest form and size"),
        "output_format": approximated("jpeg, or what the model makes"),
        "input_image_mask": rejected("Gemini takes no mask; say in words what to change"),
        "partial_images": dropped("Gemini shows no unfinished images"),
        **each("action background complexity frame_count frame_duration_ms input_fidelity", _NO_IMAGE_SETTING),
        **each("moderation output_compression quality svg", _NO_IMAGE_SETTING),
        "model": dropped("the model itself makes the image"),
    },
    "mcp": {
        **each("type server_url headers defer_loading require_approval", EXACT),
        "server_label": approximated("without hyphens"),
        "authorization": approximated("a header"),
        "allowed_tools": approximated("by name"),
        "connector_id": rejected("connectors live at another vendor"),
        "tunnel_id": rejected("tunnels live at another vendor"),
        "server_description": dropped("Gemini's MCP servers have no description"),
        "allowed_callers": _ANY_CALLER,
    },
    "tool_search": {
        **each("type execution", EXACT),
        **each("description parameters", dropped("Gemini describes its own search for tools")),
    },
}
"""Fields of the tools by their type; `container` is the code interpreter's."""

REQUESTS: Final[Rows] = {
    "field": FIELDS,
    "include": INCLUDE,
    "item": ITEMS,
    "item field": ITEM_FIELDS,
    "content": CONTENT,
    "annotation": ANNOTATIONS,
    "detail": rules_of(DETAILS),
    "tool": TOOLS,
    **{f"field of {kind}": rows for kind, rows in TOOL_FIELDS.items()},
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

_IDLE: Final[tuple[tuple[str, Any], ...]] = (
    *IDLE, ("network_policy", {"type": "disabled"}), ("caller", {"type": "direct"}), ("action", "auto"),
    ("background", "auto"), ("moderation", "auto"), ("quality", "auto"), ("partial_images", 0),
    ("environment", {"type": "local"}), ("partial", False),
)  # fmt: skip
"""Fields with values that ask for what Gemini does anyway."""

RULES: Final = Rulebook("Gemini", NO_SETTING, _IDLE)
