"""Names of the Responses wire: how parts, items and events are spelled."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from adapters.hub import items as kind
from adapters.wire_json import Json, as_object


@dataclass(frozen=True, slots=True)
class PartWire:
    """How one kind of part is written. `field` holds its whole text in `*.done` and in the part or item.

    `index` is the name of its number within the item; parts without one (arguments, code) have no
    events of their own for opening and closing.
    """

    kind: str
    stem: str
    field: str
    index: str | None = None
    opened: str | None = None
    closed: str | None = None
    type: str = ""
    citable: bool = False
    logprobs: bool = False


_CONTENT = ("content_index", "response.content_part.added", "response.content_part.done")
_SUMMARY = ("summary_index", "response.reasoning_summary_part.added", "response.reasoning_summary_part.done")

TEXT: Final = PartWire(kind.TEXT, "response.output_text", "text", *_CONTENT, "output_text", citable=True, logprobs=True)
REFUSAL: Final = PartWire(kind.REFUSAL, "response.refusal", "refusal", *_CONTENT, "refusal")
THOUGHT: Final = PartWire(kind.THOUGHT, "response.reasoning_text", "text", *_CONTENT, "reasoning_text")
SUMMARY: Final = PartWire(kind.SUMMARY, "response.reasoning_summary_text", "text", *_SUMMARY, "summary_text")
FUNCTION_ARGUMENTS: Final = PartWire(kind.ARGUMENTS, "response.function_call_arguments", "arguments")
MCP_ARGUMENTS: Final = PartWire(kind.ARGUMENTS, "response.mcp_call_arguments", "arguments")
CUSTOM_INPUT: Final = PartWire(kind.INPUT, "response.custom_tool_call_input", "input")
CODE: Final = PartWire(kind.CODE_TEXT, "response.code_interpreter_call_code", "code")

PART_WIRES: Final = (TEXT, REFUSAL, THOUGHT, SUMMARY, FUNCTION_ARGUMENTS, MCP_ARGUMENTS, CUSTOM_INPUT, CODE)

MESSAGE_PARTS: Final = {"output_text": TEXT, "refusal": REFUSAL, "reasoning_text": THOUGHT}
"""Content parts of a message by their type."""

REASONING_PARTS: Final = {"reasoning_text": THOUGHT, "output_text": THOUGHT}
"""Content parts of a reasoning item; Ark calls some of them output_text."""

CALL_TEXT: Final = {
    kind.FUNCTION_CALL: FUNCTION_ARGUMENTS,
    kind.CUSTOM_CALL: CUSTOM_INPUT,
    kind.MCP_CALL: MCP_ARGUMENTS,
    kind.CODE: CODE,
}
"""The one text that a call item carries in a field of its own."""

ACTIONS: Final[dict[str, tuple[str, Json]]] = {
    kind.SHELL_CALL: ("action", {"commands": []}),
    kind.LOCAL_SHELL_CALL: ("action", {"command": []}),
    kind.PATCH_CALL: ("operation", {"diff": ""}),
}
"""Calls of the client's own tools: the field that says what to do, and what of it is empty in the announcement."""

CLIENT_CALLS: Final = frozenset({kind.FUNCTION_CALL, kind.CUSTOM_CALL, *ACTIONS})
"""Calls that the client answers, by their call_id."""


def is_hosted(call: Json) -> bool:
    """Whether the vendor runs the call of such a tool itself, in a container, and says what it gave."""
    return as_object(call.get("environment")).get("type") == "container_reference"


PART_OF: Final = {
    (kind.MESSAGE, kind.TEXT): TEXT,
    (kind.MESSAGE, kind.REFUSAL): REFUSAL,
    (kind.REASONING, kind.THOUGHT): THOUGHT,
    (kind.REASONING, kind.SUMMARY): SUMMARY,
    (kind.FUNCTION_CALL, kind.ARGUMENTS): FUNCTION_ARGUMENTS,
    (kind.MCP_CALL, kind.ARGUMENTS): MCP_ARGUMENTS,
    (kind.CUSTOM_CALL, kind.INPUT): CUSTOM_INPUT,
    (kind.CODE, kind.CODE_TEXT): CODE,
}
"""(item kind, part kind) to spelling."""

PLACES: Final = {kind.MCP_CALL: "server_label", kind.CODE: "container_id"}
"""Where a call that the vendor executes says where it runs."""

ID_PREFIX: Final = {
    kind.MESSAGE: "msg_",
    kind.REASONING: "rs_",
    kind.FUNCTION_CALL: "fc_",
    kind.CUSTOM_CALL: "ctc_",
    kind.SHELL_CALL: "sh_",
    kind.LOCAL_SHELL_CALL: "lsh_",
    kind.PATCH_CALL: "apc_",
    kind.WEB_SEARCH: "ws_",
    kind.FILE_SEARCH: "fs_",
    kind.CODE: "ci_",
    kind.MCP_CALL: "mcp_",
    kind.IMAGE: "ig_",
    kind.TOOL_SEARCH: "tsc_",
    kind.FOUND_TOOLS: "tso_",
    "mcp_list_tools": "mcpl_",
    "mcp_approval_request": "mcpr_",
}

ITEM_TYPES: Final = frozenset(
    {
        "message", "file_search_call", "function_call", "function_call_output", "web_search_call", "computer_call",
        "computer_call_output", "reasoning", "program", "program_output", "tool_search_call", "tool_search_output",
        "additional_tools", "compaction", "image_generation_call", "code_interpreter_call", "local_shell_call",
        "local_shell_call_output", "shell_call", "shell_call_output", "apply_patch_call", "apply_patch_call_output",
        "mcp_call", "mcp_list_tools", "mcp_approval_request", "mcp_approval_response", "custom_tool_call",
        "custom_tool_call_output",
    }
)  # fmt: skip
"""The item types of OpenAI's SDK; a client of the dialect knows no other."""

ANNOTATION_FIELDS: Final = {
    "url_citation": ("type", "url", "title", "start_index", "end_index"),
    "file_citation": ("type", "file_id", "filename", "index"),
    "container_file_citation": ("type", "container_id", "file_id", "filename", "start_index", "end_index"),
    "file_path": ("type", "file_id", "index"),
}
"""The annotations of OpenAI's SDK, each with its fields, which are all required."""

PHASES: Final = {
    kind.WEB_SEARCH: ("in_progress", "searching", "completed"),
    kind.FILE_SEARCH: ("in_progress", "searching", "completed"),
    kind.CODE: ("in_progress", "interpreting", "completed"),
    kind.IMAGE: ("in_progress", "generating", "partial_image", "completed"),
    kind.MCP_CALL: ("in_progress", "completed", "failed"),
    "mcp_list_tools": ("in_progress", "completed", "failed"),
}
"""What an item says of its progress, in order."""

PROGRESS_EVENTS: Final = frozenset(f"response.{item}.{phase}" for item, phases in PHASES.items() for phase in phases)
"""Events that say an item moved on, and nothing else."""

BOOKED_EVENTS: Final = (
    PROGRESS_EVENTS
    | {f"response.{word}" for word in ["created", "queued", "in_progress", "completed", "incomplete", "failed"]}
    | {"error", "response.output_item.added", "response.output_item.done", "response.output_text.annotation.added"}
    | {f"{wire.stem}.{end}" for wire in PART_WIRES for end in ("delta", "done")}
    | {event for wire in PART_WIRES for event in (wire.opened, wire.closed) if event is not None}
)
"""Events that speak of a response, item or part by its place, and so are true only where it was announced."""

ERROR_CODES: Final = frozenset(
    {
        "server_error", "rate_limit_exceeded", "invalid_prompt", "data_residency_mismatch", "bio_policy",
        "misalignment_policy_violation", "vector_store_timeout", "invalid_image", "invalid_image_format",
        "invalid_base64_image", "invalid_image_url", "image_too_large", "image_too_small", "image_parse_error",
        "image_content_policy_violation", "invalid_image_mode", "image_file_too_large",
        "unsupported_image_media_type", "empty_image_file", "failed_to_download_image", "image_file_not_found",
    }
)  # fmt: skip
"""The codes of `response.error`, which clients type as an enumeration."""
