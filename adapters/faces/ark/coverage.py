"""What becomes of every word of Ark's requests at any other vendor. What is retold by name is looked up here."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from adapters.hub.coverage import EXACT, Rows, Rule, approximated, dropped, each, rejected

UNKNOWN: Final = rejected("Ark has no such parameter")
NO_FIELD: Final = dropped("Ark has no such field")
_ONLY_ARK: Final = dropped("only Ark has such a setting")
_NO_IMAGES: Final = rejected("only Ark works on images so")
_NO_APP: Final = rejected("only Ark has the Doubao app")
_CONTEXT: Final = dropped("only Ark edits the context of a conversation so")

FIELDS: Final[Mapping[str, Rule]] = {
    **each("model input instructions temperature top_p max_output_tokens parallel_tool_calls store stream", EXACT),
    **each("previous_response_id max_tool_calls include reasoning service_tier tools tool_choice x_dragoman", EXACT),
    "text": approximated("the form of an answer, its schema flat"),
    "thinking": approximated("an effort of none where it is disabled; enabled and auto leave it to the model"),
    **each("caching session", _ONLY_ARK),
    "expire_at": dropped("how long an answer is kept is the vendor's to say"),
    "context_management": _CONTEXT,
}

THINKING: Final[Mapping[str, Rule]] = {
    "enabled": approximated("as the model does by itself"),
    "auto": approximated("as the model does by itself"),
    "disabled": approximated("the effort none"),
}

ITEMS: Final[Mapping[str, Rule]] = {
    **each("message reasoning function_call function_call_output item_reference", EXACT),
    **each("mcp_approval_request mcp_approval_response mcp_list_tools mcp_call web_search_call", EXACT),
    "knowledge_search_call": approximated("a search of files"),
    **each("image_process doubao_app_call agent_tool_call transcription", approximated("itself, which only Ark has")),
}

CONTENT: Final[Mapping[str, Rule]] = {
    **each("input_text input_image input_file output_text reasoning_text summary_text", EXACT),
    **each("input_video input_audio", approximated("itself, for a vendor that takes it")),
}

ANNOTATIONS: Final[Mapping[str, Rule]] = {
    "url_citation": approximated("zero wide at the end of its text"),
    "doc_citation": approximated("the citation of a file, at the end of its text"),
}

TOOLS: Final[Mapping[str, Rule]] = {
    **each("function mcp", EXACT),
    "web_search": approximated("a search of the vendor's own"),
    "knowledge_search": approximated("a search of files, where the settings name the store"),
    "image_process": _NO_IMAGES,
    "doubao_app": _NO_APP,
}

TOOL_FIELDS: Final[Mapping[str, Mapping[str, Rule]]] = {
    "web_search": {
        **each("type user_location", EXACT),
        "limit": approximated("how much context the search gives"),
        **each("sources max_keyword", dropped("only Ark's search has such a setting")),
    },
    "user_location": {
        **each("type city country region", EXACT),
        "timezone": dropped("it is a name elsewhere, and a number of hours at Ark"),
    },
    "knowledge_search": {
        **each("type knowledge_resource_id limit", EXACT),
        "doc_filter": rejected("its filters have a syntax of Ark's own"),
        **each("description dense_weight ranking_options max_keyword", dropped("only Ark's search has such a setting")),
    },
}

CHOICES: Final[Mapping[str, Rule]] = {
    **each("none auto required function mcp web_search", EXACT),
    "knowledge_search": approximated("the search of files"),
    "image_process": _NO_IMAGES,
    "doubao_app": _NO_APP,
}

FORMATS: Final[Mapping[str, Rule]] = {
    **each("text json_object", EXACT),
    "json_schema": approximated("flat, with or without `json_schema` around it"),
}

REQUESTS: Final[Rows] = {
    "field": FIELDS,
    "thinking": THINKING,
    "item": ITEMS,
    "content": CONTENT,
    "annotation": ANNOTATIONS,
    "tool": TOOLS,
    **{f"field of {kind}": rows for kind, rows in TOOL_FIELDS.items()},
    "tool_choice": CHOICES,
    "format": FORMATS,
}
