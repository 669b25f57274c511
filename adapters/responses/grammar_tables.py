"""The grammar of a Responses stream as data: its rules, and what each event, item, part and annotation must have."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

RULES: Mapping[str, str] = {
    "frame-json": "the data of an event is one JSON object",
    "frame-name": "the event line names the type that the data has",
    "frame-error": "no event but `error` has a top-level `error`: clients raise on it whatever the type",
    "unknown-event": "the dialect has this type of event: clients throw on any other",
    "field-missing": "a required field is present and not null",
    "field-type": "a field has the JSON type that clients read it as",
    "sequence-absent": "events carry sequence_number",
    "sequence-order": "sequence_number counts the events, from 0, without gaps",
    "lifecycle-order": "created comes once and first; queued, then in_progress, at most once, before any item",
    "response-id": "response.id is not empty and never changes",
    "response-status": "response.status, error and incomplete_details say what the event's type says",
    "output-early": "response.output is [] until the terminal event",
    "usage-early": "response.usage is null until the terminal event",
    "item-index": "output_index counts the items from 0 without gaps; an item is announced once",
    "item-id": "an item's id is not empty and no other item's",
    "item-identity": "an item keeps its id, type, call_id and name from its announcement to the terminal response",
    "item-shape": "an item of a type that the dialect does not have is safe only with role assistant and content []",
    "item-open": "an event of an item stands between the item's added and done",
    "item-kind": "an event belongs to an item of the right type",
    "item-status": "an item's status is a known word, agrees with its event and with the response's end",
    "phase-order": "the phases of a call do not go back",
    "part-index": "content_index, summary_index and command_index count from 0 without gaps; a part is announced once",
    "part-open": "an event of a part stands between the part's added and done",
    "part-kind": "a part stands in the right type of item, and an event belongs to the right type of part",
    "text-start": "texts and lists start empty and grow by events only",
    "text-closed": "a text is said to be done once, and nothing is added to it after that",
    "text-equal": "the deltas, the done value, the part, the item and the terminal response say the same text",
    "annotation-index": "annotation_index counts the annotations of a part from 0 without gaps",
    "annotation-early": "an annotation comes after the text that it points at",
    "annotation-late": "an annotation comes before the done event of its text",
    "annotation-span": "0 <= start <= end, and inside the text",
    "annotation-border": "an offset does not fall inside a character",
    "annotation-list": "the annotations are the same in their events, the part, the item and the terminal response",
    "snapshot-equal": "a later snapshot repeats an earlier one",
    "unclosed": "what was opened is closed before what holds it closes",
    "error-end": "after an `error` event the stream ends with response.failed",
    "terminal-missing": "a stream ends with response.completed, response.incomplete or response.failed",
    "after-terminal": "nothing follows the terminal event",
}

Fields = Mapping[str, tuple[type, ...]]
"""The required fields of an object and the JSON types each may have."""

_JSON: Mapping[str, tuple[type, ...]] = {
    "str": (str,),
    "int": (int,),
    "number": (int, float),
    "bool": (bool,),
    "list": (list,),
    "dict": (dict,),
    "any": (str, int, float, bool, list, dict),
}


def fields(text: str) -> Fields:
    """Read "name name:type": a field without a type is a string."""
    pairs = (field.partition(":") for field in text.split())
    return {name: _JSON[kind or "str"] for name, _, kind in pairs}


@dataclass(frozen=True, slots=True)
class Row:
    """What one type of event means.

    `role` names its handler, `needs` what the handler cannot do without, `also` what clients need besides.
    `items` are the types of item it may belong to, `place` the item's list of parts (and so the name of the
    index), `part` the type of part, `field` where its text stands in itself, in the part or in the item.
    """

    role: str
    needs: Fields
    also: Fields
    items: tuple[str, ...] = ()
    place: str = ""
    part: str = ""
    field: str = ""


def row(role: str, wanted: str, items: str = "", place: str = "", part: str = "", field: str = "") -> Row:
    """Read a row; in `wanted`, what stands after "|" is what clients need besides."""
    needs, _, also = wanted.partition("|")
    return Row(role, fields(needs), fields(also), tuple(items.split()), place, part, field)


_ITEM = "output_index:int item_id"

# stem of the events, item, list of parts, part, field, what else the events carry
_TEXTS = (
    ("output_text", "message", "content", "output_text", "text", "| logprobs:list"),
    ("refusal", "message", "content", "refusal", "refusal", ""),
    ("reasoning_text", "reasoning", "content", "reasoning_text", "text", ""),
    ("reasoning_summary_text", "reasoning", "summary", "summary_text", "text", ""),
)

# stem of the events, item, field; the diff events are in recordings and in no SDK
_VALUES = (
    ("function_call_arguments", "function_call", "arguments"),
    ("mcp_call_arguments", "mcp_call", "arguments"),
    ("custom_tool_call_input", "custom_tool_call", "input"),
    ("code_interpreter_call_code", "code_interpreter_call", "code"),
    ("apply_patch_call_operation_diff", "apply_patch_call", "diff"),
)

_PHASES = {
    "web_search_call": "in_progress searching completed",
    "file_search_call": "in_progress searching completed",
    "code_interpreter_call": "in_progress interpreting completed",
    "image_generation_call": "in_progress generating completed",
    "mcp_call": "in_progress completed failed",
    "mcp_list_tools": "in_progress completed failed",
    "compaction": "compacting",
}


def _texts() -> dict[str, Row]:
    rows: dict[str, Row] = {}
    for stem, item, place, part, field, also in _TEXTS:
        address = f"{_ITEM} {place}_index:int"
        rows[f"{stem}.delta"] = row("text_delta", f"{address} delta {also}", item, place, part, "delta")
        rows[f"{stem}.done"] = row("text_done", f"{address} {field} {also}", item, place, part, field)
    return rows


def _values() -> dict[str, Row]:
    rows: dict[str, Row] = {}
    for stem, item, field in _VALUES:
        rows[f"{stem}.delta"] = row("value_delta", f"{_ITEM} delta", item, field="delta")
        rows[f"{stem}.done"] = row("value_done", f"{_ITEM} {field}", item, field=field)
    return rows


def _phases() -> dict[str, Row]:
    return {
        f"{item}.{phase}": row("phase", _ITEM, item, field=phase)
        for item, phases in _PHASES.items()
        for phase in phases.split()
    }


_COMMAND = "output_index:int command_index:int"  # "shell_call_command" events have no item_id
_IMAGE = f"{_ITEM} partial_image_b64 partial_image_index:int"

EVENTS: Mapping[str, Row] = {
    "error": row("error", ""),
    **{
        f"response.{name}": row
        for name, row in {
            "created": row("lifecycle", "response:dict"),
            "queued": row("lifecycle", "response:dict"),
            "in_progress": row("lifecycle", "response:dict"),
            "completed": row("terminal", "response:dict"),
            "incomplete": row("terminal", "response:dict"),
            "failed": row("terminal", "response:dict"),
            "output_item.added": row("item_added", "output_index:int item:dict"),
            "output_item.done": row("item_done", "output_index:int item:dict"),
            "content_part.added": row("part_added", f"{_ITEM} content_index:int part:dict", "", "content"),
            "content_part.done": row("part_done", f"{_ITEM} content_index:int part:dict", "", "content"),
            "reasoning_summary_part.added": row(
                "part_added", f"{_ITEM} summary_index:int part:dict", "reasoning", "summary"
            ),
            "reasoning_summary_part.done": row(
                "part_done", f"{_ITEM} summary_index:int part:dict", "reasoning", "summary"
            ),
            "output_text.annotation.added": row(
                "annotation",
                f"{_ITEM} content_index:int annotation_index:int annotation:dict",
                "message",
                "content",
                "output_text",
            ),
            "shell_call_command.added": row(
                "command_added", f"{_COMMAND} command", "shell_call", "command", "command", field="command"
            ),
            "shell_call_command.delta": row(
                "text_delta", f"{_COMMAND} delta", "shell_call", "command", "command", field="delta"
            ),
            "shell_call_command.done": row(
                "text_done", f"{_COMMAND} command", "shell_call", "command", "command", field="command"
            ),
            "shell_call_output_content.delta": row(
                "phase", f"{_ITEM} command_index:int delta:dict", "shell_call_output"
            ),
            "shell_call_output_content.done": row(
                "phase", f"{_ITEM} command_index:int output:list", "shell_call_output"
            ),
            "image_generation_call.partial_image": row("phase", _IMAGE, "image_generation_call", field="generating"),
            "audio.delta": row("loose", "delta"),
            "audio.done": row("loose", ""),
            "audio.transcript.delta": row("loose", "delta"),
            "audio.transcript.done": row("loose", ""),
            **_texts(),
            **_values(),
            **_phases(),
        }.items()
    },
}
"""Every type of event there is, by its full name."""

PHASE_RANK = {"in_progress": 0, "searching": 1, "interpreting": 1, "generating": 1, "completed": 2, "failed": 2}

LIFECYCLE: Mapping[str, tuple[str, ...]] = {
    "response.created": ("queued", "in_progress"),
    "response.queued": ("queued",),
    "response.in_progress": ("in_progress",),
    "response.completed": ("completed",),
    "response.incomplete": ("incomplete", "cancelled"),
    "response.failed": ("failed",),
}
"""The status of the response inside each lifecycle event. No cancelled event exists: incomplete carries it."""

RESPONSE = fields(
    "id object created_at:number model status output:list parallel_tool_calls:bool tool_choice:any tools:list"
)
ERROR = fields("message")
FAILURE = fields("code message")
DETAILS = fields("reason")
USAGE = fields(
    "input_tokens:int input_tokens_details:dict output_tokens:int output_tokens_details:dict total_tokens:int"
)

ITEMS: Mapping[str, Fields] = {
    kind: fields(needed)
    for kind, needed in {
        "message": "id content:list role status",
        "reasoning": "id summary:list",
        "function_call": "arguments call_id name",
        "function_call_output": "id call_id output:any status",
        "custom_tool_call": "call_id input name",
        "custom_tool_call_output": "id call_id output:any",
        "web_search_call": "id action:dict status",
        "file_search_call": "id queries:list status",
        "code_interpreter_call": "id container_id status",
        "image_generation_call": "id status",
        "computer_call": "id call_id pending_safety_checks:list status",
        "computer_call_output": "id call_id output:dict status",
        "mcp_call": "id arguments name server_label",
        "mcp_list_tools": "id server_label tools:list",
        "mcp_approval_request": "id arguments name server_label",
        "mcp_approval_response": "id approval_request_id approve:bool",
        "local_shell_call": "id action:dict call_id status",
        "local_shell_call_output": "id output",
        "shell_call": "id action:dict call_id status",
        "shell_call_output": "id call_id output:list status",
        "apply_patch_call": "id call_id operation:dict status",
        "apply_patch_call_output": "id call_id status",
        "tool_search_call": "id arguments:any execution status",
        "tool_search_output": "id execution status tools:list",
        "additional_tools": "id role tools:list",
        "program": "id call_id code fingerprint",
        "program_output": "id call_id result status",
        "compaction": "id encrypted_content",
    }.items()
}
"""Every type of output item. OpenAI announces a web search without the `action` that its own type requires."""

LATE_FIELDS: Mapping[str, frozenset[str]] = {"web_search_call": frozenset({"action"})}

OPEN_STATUSES = frozenset({"in_progress", "searching", "interpreting", "generating", "calling"})
STATUSES = OPEN_STATUSES | {"completed", "incomplete", "failed"}

VALUES: Mapping[str, tuple[str, ...]] = {
    "function_call": ("arguments",),
    "mcp_call": ("arguments",),
    "custom_tool_call": ("input",),
    "code_interpreter_call": ("code",),
    "apply_patch_call": ("operation", "diff"),
}
"""Where an item keeps the text that deltas build."""

PLACES: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "message": {"content": ("content",)},
    "reasoning": {"summary": ("summary",), "content": ("content",)},
    "shell_call": {"command": ("action", "commands")},
}
"""Where an item keeps its lists of parts."""

UNSTREAMED = frozenset({"apply_patch_call", "shell_call"})
"""Items that may also come whole, without one delta."""

PARTS: Mapping[str, Fields] = {
    "output_text": fields("text annotations:list"),
    "refusal": fields("refusal"),
    "reasoning_text": fields("text"),
    "summary_text": fields("text"),
}
PART_HOMES: Mapping[str, tuple[str, str]] = {part: (item, place) for _, item, place, part, _, _ in _TEXTS}
PART_TEXTS: Mapping[str, str] = {part: field for _, _, _, part, field, _ in _TEXTS}

ANNOTATION = fields("type")
ANNOTATIONS: Mapping[str, Fields] = {
    "url_citation": fields("url title start_index:int end_index:int"),
    "file_citation": fields("file_id filename index:int"),
    "container_file_citation": fields("container_id file_id filename start_index:int end_index:int"),
    "file_path": fields("file_id index:int"),
}
SPANS: Mapping[str, tuple[str, str]] = {
    "url_citation": ("start_index", "end_index"),
    "container_file_citation": ("start_index", "end_index"),
    "file_citation": ("index", "index"),
}
"""Where each type points. The index of a `file_path` counts files, not characters."""

IDENTITY = ("id", "type", "call_id", "name", "role", "server_label")

VOLATILE = frozenset({"encrypted_content", "fingerprint", "logprobs", "x_dragoman"})
"""Keys that snapshots need not repeat: OpenAI encrypts anew for each."""

STREAMED = frozenset({"text", "refusal", "arguments", "input", "code", "diff", "commands"})
"""Keys under which a text stands that deltas built."""


@dataclass(frozen=True, slots=True)
class Tables:
    """What one dialect's streams are judged by.

    `early` are the fields that a response has before its end, `response` those it ends with. `late_fields` are what an
    item or a part of that type need not have yet when it is announced.
    """

    events: Mapping[str, Row]
    lifecycle: Mapping[str, tuple[str, ...]]
    early: Fields
    response: Fields
    items: Mapping[str, Fields]
    late_fields: Mapping[str, frozenset[str]]
    parts: Mapping[str, Fields]
    annotations: Mapping[str, Fields]
    spans: Mapping[str, tuple[str, str]]


RESPONSES = Tables(EVENTS, LIFECYCLE, RESPONSE, RESPONSE, ITEMS, LATE_FIELDS, PARTS, ANNOTATIONS, SPANS)
"""OpenAI's Responses."""
