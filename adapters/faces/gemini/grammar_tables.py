"""The grammar of an Interactions stream as data: its rules, and which deltas each step takes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

RULES: Final[Mapping[str, str]] = {
    "frame-json": "the data of an event is one JSON object",
    "frame-name": "the event line names the event_type that the data has",
    "unknown-event": "the dialect has this event_type: the SDK reads one without as an error",
    "old-revision": "the revision of steps is spoken, not that of outputs and content.*",
    "field-missing": "a required field is present and not null",
    "field-type": "a field has the JSON type that clients read it as",
    "event-id": "where events have an event_id, every event has one, and no two the same",
    "lifecycle-order": "interaction.created comes once and first; status updates before any step, or of an end",
    "interaction-id": "the interaction's id never changes, but where several answers became one",
    "interaction-status": "the status at the end is one that an interaction ends with",
    "continuation": "how a vendor is asked to go on is not shown: the SDK would ask",
    "step-index": "the index counts the steps from 0 without gaps",
    "step-order": "a step begins when the one before has stopped",
    "step-open": "an event of a step stands between its start and its stop",
    "step-unclosed": "every step has stopped when the interaction ends",
    "delta-kind": "a delta is of a type that its step takes",
    "annotation-span": "0 <= start <= end, and inside the text that has arrived",
    "annotation-border": "an offset does not fall inside a character",
    "error-end": "after an error the open steps stop, and the interaction ends as failed",
    "terminal-missing": "a stream ends with interaction.completed",
    "after-terminal": "nothing follows interaction.completed but the end mark",
}

NEEDS: Final[Mapping[str, Mapping[str, type]]] = {
    "interaction.created": {"interaction": dict},
    "interaction.status_update": {"interaction_id": str, "status": str},
    "interaction.completed": {"interaction": dict},
    "step.start": {"index": int, "step": dict},
    "step.delta": {"index": int, "delta": dict},
    "step.stop": {"index": int},
    "error": {"error": dict},
}
"""The events, each with its required fields."""

OLD: Final = frozenset({"interaction.start", "interaction.complete", "content.start", "content.delta", "content.stop"})

_OUTPUT: Final = {"text", "text_annotation_delta", "image", "audio", "video", "document", "thought_signature"}
DELTAS: Final[Mapping[str, frozenset[str]]] = {
    "model_output": frozenset(_OUTPUT),
    "thought": frozenset({"thought_summary", "thought_signature"}),
    "function_call": frozenset({"arguments_delta", "thought_signature"}),
    **{
        f"{tool}_{end}": frozenset({f"{tool}_{end}", "thought_signature"})
        for tool in (
            "google_search", "url_context", "google_maps", "retrieval", "file_search", "code_execution",
            "mcp_server_tool", "tool_search", "processing", "function",
        )
        for end in ("call", "result")
        if (tool, end) != ("function", "call")
    },
}  # fmt: skip
"""The types of deltas that a step takes, by the step's type; a step of any other type takes any."""

ENDS: Final = frozenset(
    {"completed", "requires_action", "incomplete", "budget_exceeded", "failed", "cancelled", "idle"}
)
"""The statuses that an interaction ends with."""
