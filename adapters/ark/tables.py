"""What Ark takes of a request, field by field."""

from __future__ import annotations

from typing import Final

PASSED: Final = frozenset({"thinking", "caching", "expire_at", "session", "max_tool_calls"})
"""Fields of the request that Ark knows and the hub does not model."""

IRRELEVANT: Final = frozenset(
    {
        "user", "safety_identifier", "prompt_cache_key", "prompt_cache_options", "prompt_cache_retention",
        "client_metadata", "stream_options", "conversation_id",
    }
)  # fmt: skip
"""Hints whose absence changes no answer."""

REFUSED: Final = {
    "prompt": "Ark keeps no prompt templates",
    "conversation": "the gateway keeps no conversations; send the input items",
    "background_options": "Ark has no background responses",
    "multi_agent": "Ark has no agents of that kind",
}
"""Fields that change the request's meaning and that Ark cannot honour."""

LOST: Final = {
    "top_logprobs": "Ark reports no log probabilities",
    "truncation": "Ark does not shorten the input by itself",
    "context_management": "Ark manages its context in another way",
    "moderation": "Ark's moderation is its own",
    "access_programs": "Ark has no access programs",
    "image": "Ark has no such setting",
}
"""Fields that Ark cannot say and an answer can do without."""

EFFORT: Final = {
    # "minimal" is Ark's word for no thinking; "none" is not valid there
    "none": "minimal",
    "minimal": "minimal",
    "low": "low",
    "medium": "medium",
    "high": "high",
    "xhigh": "high",
    "max": "high",
}
"""The hub's reasoning efforts in Ark's four."""

SERVICE_TIER: Final = {"auto": "auto", "default": "default", "priority": "fast", "fast": "fast", "ultrafast": "fast"}

FORMAT_FIELDS: Final = frozenset({"type", "name", "schema", "strict", "description"})
"""Fields of `text.format`."""

INCLUDED: Final = frozenset(
    {"reasoning.encrypted_content", "message.input_image.image_url", "message.input_audio.audio_url"}
)
"""What Ark can be asked to include."""

SEARCH_LIMIT: Final = {"low": 5, "medium": 10, "high": 20}
"""`search_context_size` as a number of results; Ark's default is 10."""

FUNCTION_FIELDS: Final = frozenset({"type", "name", "description", "parameters", "strict"})

SEARCH_FIELDS: Final = frozenset(
    {"type", "limit", "sources", "max_keyword", "user_location", "search_context_size", "external_web_access"}
)
"""Fields of a tool that are sent or reported by a rule of their own."""

LOCATION_FIELDS: Final = ("type", "city", "country", "region", "timezone")

DETAIL: Final = {"low": "low", "high": "high", "auto": "auto", "original": "high"}

TOOLS_PASSED: Final = {
    "mcp": frozenset(
        {"type", "server_label", "server_url", "allowed_tools", "headers", "require_approval", "server_description"}
    ),
    "knowledge_search": frozenset(
        {
            "type", "knowledge_resource_id", "description", "limit", "dense_weight", "doc_filter", "ranking_options",
            "max_keyword",
        }
    ),
    "image_process": frozenset({"type", "point", "grounding", "zoom", "rotate"}),
    "doubao_app": frozenset({"type", "feature", "user_location"}),
}  # fmt: skip
"""Hosted tools that Ark knows under the same name, with the fields it takes."""

_CALLED = {"type", "id", "server_label", "name", "arguments"}

ITEMS_PASSED: Final = {
    "mcp_approval_request": frozenset(_CALLED),
    "mcp_approval_response": frozenset({"type", "id", "approval_request_id", "approve", "reason"}),
    "mcp_list_tools": frozenset({"type", "id", "server_label", "tools", "error"}),
    "mcp_call": frozenset({*_CALLED, "output", "error"}),
    "item_reference": frozenset({"type", "id"}),
}
"""Input items that Ark has under the same name, with the fields it takes."""

ITEMS_LOST: Final = frozenset(
    {
        "web_search_call", "file_search_call", "code_interpreter_call", "image_generation_call", "image_process",
        "knowledge_search_call", "doubao_app_call", "agent_tool_call", "tool_search_call", "tool_search_output",
        "transcription",
    }
)  # fmt: skip
"""Items that only tell what a hosted tool did; Ark's input has no type for them."""
