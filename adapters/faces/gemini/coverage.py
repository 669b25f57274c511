"""What becomes of every word of a Gemini request on its way to another vendor. The retelling looks it up here.

At Gemini itself every word is exact. Where a vendor has its own rule for the common word, that comes on top.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from adapters.hub.coverage import EXACT, Rows, Rule, approximated, dropped, each, rejected
from adapters.hub.words import Word, rules_of

NO_FIELD: Final = dropped("a field that Gemini alone knows")
NO_STEP: Final = dropped("a step of a kind that Gemini alone knows")
NO_RESULT: Final = dropped("the result of a call that is not told")
UNREADABLE: Final = rejected("only Gemini can read it")
_NO_SOUND: Final = rejected("it answers in text and images only")
_OWN = dropped("")  # it means nothing to anybody else, and its absence changes no answer
_PRIVATE: Final = rejected("it lives at Gemini")

FIELDS: Final[Mapping[str, Rule]] = {
    **each("model stream store x_dragoman", EXACT),
    "input": approximated("each step by its own row"),
    "system_instruction": approximated("the instructions"),
    "generation_config": approximated("each setting by its own row"),
    "response_format": approximated("each format by its own row"),
    "response_modalities": approximated("each modality by its own row"),
    "response_mime_type": approximated("an older name of the format's type"),
    "tools": approximated("each tool by its own row"),
    "previous_interaction_id": approximated("a response of the vendor that is asked; any other is refused"),
    "background": approximated("where the vendor has background requests"),
    "labels": approximated("metadata, up to 16 pairs"),
    "service_tier": approximated("each tier by its own row"),
    "safety_settings": dropped("another vendor's safety settings are of another kind"),
    "agent": rejected("an agent lives at Gemini; name a model"),
    "agent_config": rejected("an agent lives at Gemini"),
    "cached_content": _PRIVATE,
    "environment": _PRIVATE,
    "continuation_token": _PRIVATE,
    "webhook_config": rejected("only Gemini calls webhooks"),
}

GENERATION: Final[Mapping[str, Rule]] = {
    **each("temperature top_p max_output_tokens", EXACT),
    "stop_sequences": approximated("up to four; the gateway cuts the text where the vendor does not"),
    "thinking_level": approximated("each level by its own row"),
    "thinking_summaries": approximated("each word by its own row"),
    "tool_choice": approximated("each form by its own row"),
    "seed": dropped("no other vendor takes a seed"),
    "image_config": approximated("the settings of the tool that makes images"),
    **each("speech_config transcription_config video_config", _NO_SOUND),
}

TOO_MANY_STOPS: Final = rejected("at most four stop sequences are heeded")
TOO_MANY_LABELS: Final = dropped("at most 16 labels are told as metadata")

LEVELS: Final = {level: Word(level) for level in ("minimal", "low", "medium", "high", "xhigh")}
NO_LEVEL: Final = dropped("no other vendor has such a level of thinking")
SUMMARIES: Final = {"auto": Word("auto"), "none": Word(None)}

TIERS: Final = {
    "standard": Word("default"),
    "flex": Word("flex"),
    "priority": Word("priority"),
    "deferred": Word("flex", approximated("the nearest to deferred is flex")),
}
NO_TIER: Final = dropped("no other vendor has such a service tier")

MODALITIES: Final[Mapping[str, Rule]] = {
    "text": EXACT,
    "image": approximated("the tool that makes images"),
    **each("audio video document", _NO_SOUND),
}

FORMATS: Final[Mapping[str, Rule]] = {
    "text": approximated("JSON of a schema, any JSON object, or free text"),
    "image": approximated("the tool that makes images"),
    **each("audio video", _NO_SOUND),
}

NO_MODALITY: Final = rejected("no other vendor answers in that")

NO_MIME_TYPE: Final = rejected("text is plain or JSON there")

FORMAT_FIELDS: Final[Mapping[str, Mapping[str, Rule]]] = {
    "text": {
        **each("type schema", EXACT),
        "mime_type": approximated("application/json and text/plain; others are refused"),
    },
    "image": {
        "type": EXACT,
        "aspect_ratio": approximated("the nearest size"),
        "image_size": dropped("another vendor's images have other sizes"),
        "mime_type": approximated("its format"),
        "delivery": dropped("images come inline"),
    },
}

OTHER_RATIO: Final = dropped("another vendor's images are square, 3:2 or 2:3")

CONTENT: Final[Mapping[str, Rule]] = {
    "text": EXACT,
    "image": approximated("the resolution is the detail; a file of Gemini's is refused"),
    "document": approximated("a file; one of Gemini's is refused"),
    "audio": approximated("where the vendor takes sound"),
    "video": approximated("where the vendor takes films"),
}

NOT_SPOKEN: Final = dropped("what a model said is text and images there")
NO_CONTENT: Final = rejected("it has no content of that kind")

_PROCESSING: Final = dropped("how media are read is each vendor's own affair")
_IMAGE: Final[Mapping[str, Rule]] = each("type data uri mime_type", EXACT)
_MEDIA: Final[Mapping[str, Rule]] = {**_IMAGE, "processing": _PROCESSING}
_UNSEEN: Final = dropped("only images have a resolution there")

CONTENT_FIELDS: Final[Mapping[str, Mapping[str, Rule]]] = {
    "text": {**each("type text", EXACT), "annotations": approximated("of what a model said: each by its own row")},
    "image": {**_IMAGE, "resolution": approximated("the detail")},
    "document": {**_MEDIA, "resolution": _UNSEEN},
    "audio": {**_MEDIA, **each("channels sample_rate", dropped("the file itself says it"))},
    "video": {**_MEDIA, "resolution": _UNSEEN, "name": _OWN},
}

RESOLUTIONS: Final = {
    "low": Word("low"),
    "medium": Word("auto", approximated("the vendor chooses the detail")),
    "high": Word("high"),
    "ultra_high": Word("original", approximated("the nearest to ultra_high is the image as it is")),
}
NO_RESOLUTION: Final = dropped("no other vendor has such a resolution")

ANNOTATIONS: Final[Mapping[str, Rule]] = {
    "url_citation": EXACT,
    "file_citation": approximated("the point where it ends"),
    "place_citation": approximated("a web citation"),
    **each("word_info speech_metadata", dropped("no other vendor has such an annotation")),
}

_SEARCH: Final = approximated("a web search, which only its own vendor takes back")
_FILES: Final = approximated("a file search, which only its own vendor takes back")
_CODE: Final = approximated("a run of code, which only its own vendor takes back")
_MCP: Final = approximated("a call of that server, which only its own vendor takes back")
_UNSAID: Final = dropped("it tells a reader nothing")

STEPS: Final[Mapping[str, Rule]] = {
    "user_input": EXACT,
    "model_output": approximated(
        "text is a message, an image an item of its own; sound, films and documents are not told"
    ),
    "thought": approximated("reasoning, which only its own vendor takes back"),
    "function_call": EXACT,
    "function_result": approximated("the output; that it is an error is not told"),
    **each("google_search_call google_search_result url_context_call url_context_result", _SEARCH),
    **each("google_maps_call google_maps_result", _SEARCH),
    **each("file_search_call file_search_result retrieval_call retrieval_result", _FILES),
    **each("code_execution_call code_execution_result", _CODE),
    **each("mcp_server_tool_call mcp_server_tool_result", _MCP),
    **each("tool_search_call tool_search_result", approximated("a search for tools")),
    **each("processing_call processing_result", _UNSAID),
}

_STEP: Final[Mapping[str, Rule]] = {"type": EXACT, "signature": _OWN}
_CALL: Final[Mapping[str, Rule]] = {**_STEP, **each("id arguments", EXACT)}
_RESULT: Final[Mapping[str, Rule]] = {**_STEP, **each("call_id result is_error", EXACT)}
_SEARCHED: Final[Mapping[str, Rule]] = {**_RESULT, "result": _OWN}

STEP_FIELDS: Final[Mapping[str, Mapping[str, Rule]]] = {
    "user_input": {**_STEP, "content": EXACT},
    "model_output": {**_STEP, "content": EXACT, "error": dropped("why a step failed is not told")},
    "thought": {**_STEP, "summary": approximated("its texts")},
    "function_call": {**_CALL, "name": EXACT},
    "function_result": {**_RESULT, "name": _OWN, "is_error": dropped("another vendor is told a failure by its output")},
    "google_search_call": {**_CALL, "search_type": _OWN},
    "google_search_result": _SEARCHED,
    "url_context_call": _CALL,
    "url_context_result": _SEARCHED,
    "google_maps_call": _CALL,
    "google_maps_result": _SEARCHED,
    "file_search_call": _CALL,
    "file_search_result": _SEARCHED,
    "retrieval_call": {**_CALL, "retrieval_type": _OWN},
    "retrieval_result": _SEARCHED,
    "code_execution_call": _CALL,
    "code_execution_result": _RESULT,
    "mcp_server_tool_call": {**_CALL, **each("name server_name", EXACT)},
    "mcp_server_tool_result": {**_RESULT, **each("name server_name", _OWN)},
    "tool_search_call": _CALL,
    "tool_search_result": _RESULT,
    "processing_call": _CALL,
    "processing_result": _RESULT,
}

TOOLS: Final[Mapping[str, Rule]] = {
    "function": EXACT,
    "google_search": approximated("the vendor's own web search"),
    "url_context": approximated("the vendor's own web search, which may open pages"),
    "code_execution": approximated("the vendor's own sandbox"),
    "file_search": approximated("in stores that the settings name; else refused"),
    "mcp_server": approximated("the same server, without approval"),
    "tool_search": approximated("the vendor's own search for tools"),
    "google_maps": rejected("only Gemini searches Google's maps"),
    "retrieval": rejected("only Gemini searches there"),
    "computer_use": rejected("the gateway operates no computer"),
}
NO_TOOL: Final = rejected("a tool that Gemini alone has")

TOOL_FIELDS: Final[Mapping[str, Mapping[str, Rule]]] = {
    "function": {
        **each("type name description parameters defer_loading", EXACT),
        "short_description": dropped("a function has one description there"),
    },
    "google_search": {"type": EXACT, "search_types": approximated("each kind by its own row")},
    "url_context": {"type": EXACT},
    "code_execution": {"type": EXACT},
    "file_search": {
        "type": EXACT,
        "file_search_store_names": approximated("the stores' names at that vendor"),
        "top_k": approximated("the number of results"),
        "metadata_filter": rejected("a filter in Google's syntax is read by Gemini only"),
    },
    "mcp_server": {
        **each("type url headers defer_loading", EXACT),
        "name": approximated("the server's label"),
        "allowed_tools": approximated("by name"),
    },
    "tool_search": {**each("type execution description parameters", EXACT), "name": _OWN},
}

SEARCH_TYPES: Final = {
    "web_search": Word("text"),
    "image_search": Word("image"),
    "enterprise_web_search": Word("text", approximated("another vendor's search is of the whole web")),
}
NO_SEARCH: Final = dropped("no other vendor has such a search")

CHOICES: Final[Mapping[str, Rule]] = {
    **each("auto any none", EXACT),
    "validated": approximated("auto, with functions held to their schema where it allows"),
    "allowed_tools": EXACT,
}

REQUESTS: Final[Rows] = {
    "field": FIELDS,
    "generation_config": GENERATION,
    "step": STEPS,
    **{f"field of {kind}": rows for kind, rows in STEP_FIELDS.items()},
    "content": CONTENT,
    **{f"field of {kind} content": rows for kind, rows in CONTENT_FIELDS.items()},
    "annotation": ANNOTATIONS,
    "resolution": rules_of(RESOLUTIONS),
    "tool": TOOLS,
    **{f"field of the tool {kind}": rows for kind, rows in TOOL_FIELDS.items()},
    "search_type": rules_of(SEARCH_TYPES),
    "tool_choice": CHOICES,
    "response_format": FORMATS,
    **{f"field of {kind} format": rows for kind, rows in FORMAT_FIELDS.items()},
    "response_modality": MODALITIES,
    "thinking_level": rules_of(LEVELS),
    "thinking_summaries": rules_of(SUMMARIES),
    "service_tier": rules_of(TIERS),
}
"""The rows of the whole dialect."""
