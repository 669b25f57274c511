"""Names of the Interactions wire: step types, statuses, and what belongs to an interaction."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from adapters.hub.events import Reason, Status
from adapters.interactions.hosted import HOSTED
from adapters.interactions.steps import FunctionCall, ModelOutput, Private, Silent, Step, Thought
from adapters.interactions.walk import Walk
from adapters.wire_json import Json

_STEPS: dict[str, Callable[[Walk, Json], Step]] = {
    "thought": Thought,
    "model_output": ModelOutput,
    "function_call": FunctionCall,
    "processing_call": Silent,
    "processing_result": Silent,
    "user_input": Silent,
    **HOSTED,
}


def open_step(walk: Walk, step_type: str, step: Json) -> Step:
    """Begin a step; one of a type that is not known becomes a private item."""
    return _STEPS.get(step_type, Private)(walk, step)


def implied_step(delta_type: str) -> str | None:
    """The type of the step that a delta without a `step.start` belongs to; None where it tells nothing."""
    implied = _IMPLIED.get(delta_type, delta_type)
    return implied if implied in _STEPS else None


_IMPLIED: Final = {
    **dict.fromkeys(("text", "text_annotation_delta", "image", "audio", "video", "document"), "model_output"),
    "thought_summary": "thought",
    "thought_signature": "thought",
    "arguments_delta": "function_call",
}

PAUSED: Final = "requires_continuation"
"""The status of an interaction that goes on when it is asked again."""

CONTINUATION: Final = "continuation_token"
"""The field of what it is asked with: for the gateway alone."""

STATUSES: Final[dict[str, tuple[Status, Reason]]] = {
    "completed": ("completed", "stop"),
    "idle": ("completed", "stop"),
    "requires_action": ("completed", "tool_calls"),
    "incomplete": ("incomplete", "max_output_tokens"),
    "budget_exceeded": ("incomplete", "max_output_tokens"),
    PAUSED: ("incomplete", "max_output_tokens"),
    "failed": ("failed", "error"),
    "cancelled": ("cancelled", "cancelled"),
}
"""Where an interaction ends. The vendor's list is open: another word at the end counts as completed."""

UNFINISHED: Final = frozenset({"queued", "in_progress"})

SAFETY_WORDS: Final = ("safety", "content_filter", "prohibited", "blocked", "recitation")
"""What in the code of one of an incomplete interaction's errors says that a filter stopped it."""

OLD_EVENTS: Final = frozenset(
    {"interaction.start", "interaction.complete", "content.start", "content.delta", "content.stop"}
)
"""Events of the revision before steps."""
