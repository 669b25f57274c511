"""What the members of the family have in common: settings that ask for nothing, and what becomes of shared words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from adapters.hub.coverage import EXACT, Rule, approximated, dropped, each

IDLE: Final[tuple[tuple[str, Any], ...]] = (
    ("truncation", "disabled"), ("top_logprobs", 0), ("background", False), ("verbosity", "medium"),
    ("context", "auto"), ("mode", "standard"), ("strict", False), ("async", False), ("defer_loading", False),
    ("allowed_callers", ["direct"]), ("external_web_access", True), ("search_content_types", ["text"]),
)  # fmt: skip
"""Fields with values that ask for what a vendor does anyway."""

HINT: Final = dropped("")
"""Its absence changes no answer."""

_AS_FUNCTION: Final = approximated("told as a function, and its calls are told back in the client's terms")
_AS_CALL: Final = approximated("told as the call of a function, or as its result")

HINTS: Final[Mapping[str, Rule]] = each(
    "user safety_identifier prompt_cache_key prompt_cache_options prompt_cache_retention stream_options "
    "client_metadata",
    HINT,
)
"""Fields of the request that a vendor of another dialect can do without."""

EMULATED_TOOLS: Final[Mapping[str, Rule]] = each("custom namespace shell local_shell apply_patch", _AS_FUNCTION)
EMULATED_ITEMS: Final[Mapping[str, Rule]] = each(
    "custom_tool_call custom_tool_call_output shell_call shell_call_output local_shell_call local_shell_call_output "
    "apply_patch_call apply_patch_call_output",
    _AS_CALL,
)
"""Client's tools, and the items of their calls, for a vendor that has functions only."""

SEARCHES: Final = "web_search web_search_2025_08_26 web_search_preview web_search_preview_2025_03_11"
"""The names of the tool that searches the web."""

_FAILURE: Final = approximated("the answer ends as failed; before its beginning the HTTP answer is the error")

EVENTS: Final[Mapping[str, Rule]] = {
    "error": _FAILURE,
    **each(
        "response.created response.in_progress response.completed response.incomplete response.failed "
        "response.output_item.added response.output_item.done response.content_part.added response.content_part.done "
        "response.output_text.delta response.output_text.done response.output_text.annotation.added "
        "response.reasoning_summary_part.added response.reasoning_summary_part.done "
        "response.reasoning_summary_text.delta response.reasoning_summary_text.done "
        "response.reasoning_text.delta response.reasoning_text.done "
        "response.function_call_arguments.delta response.function_call_arguments.done "
        "response.web_search_call.in_progress response.web_search_call.searching response.web_search_call.completed "
        "response.mcp_list_tools.in_progress response.mcp_list_tools.completed response.mcp_list_tools.failed "
        "response.mcp_call_arguments.delta response.mcp_call_arguments.done "
        "response.mcp_call.in_progress response.mcp_call.completed response.mcp_call.failed",
        EXACT,
    ),
}
"""Events that all members have, which are told under the same name."""
