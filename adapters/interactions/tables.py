"""Names of the Interactions wire, what opens or reads each, and what becomes of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

from adapters.hub.coverage import EXACT, Rule, approximated, dropped
from adapters.hub.events import Reason, Status
from adapters.interactions.hosted import HOSTED
from adapters.interactions.output import ModelOutput
from adapters.interactions.steps import FunctionCall, OwnInput, Private, Silent, Step, Thought
from adapters.interactions.toolsearch import FoundTools, ToolSearchCall
from adapters.interactions.walk import Walk
from adapters.wire_json import Json


class StepRow(NamedTuple):
    """What opens a step of one type, and what becomes of it."""

    open: Callable[[Walk, Json], Step]
    rule: Rule


_UNSAID = dropped("it tells a reader nothing; it rides with the next item, for the vendor alone")
_TOOLS_FOUND = approximated("a search for tools; signatures ride along")

STEPS: Final[dict[str, StepRow]] = {
    "thought": StepRow(Thought, approximated("reasoning with a summary; images in it ride along")),
    "model_output": StepRow(ModelOutput, approximated("text is a message, an image an item of its own")),
    "function_call": StepRow(FunctionCall, EXACT),
    "function_result": StepRow(Private, dropped("a function's result is for the client to say")),
    "processing_call": StepRow(Silent, _UNSAID),
    "processing_result": StepRow(Silent, _UNSAID),
    "user_input": StepRow(OwnInput, dropped("the client knows its own input")),
    "tool_search_call": StepRow(ToolSearchCall, _TOOLS_FOUND),
    "tool_search_result": StepRow(FoundTools, _TOOLS_FOUND),
    **{name: StepRow(open_, rule) for name, (open_, rule) in HOSTED.items()},
}

_OF_OUTPUT = dict.fromkeys(("text", "text_annotation_delta", "image", "audio", "video", "document"), "model_output")
_IMPLIED: Final = {
    **_OF_OUTPUT,
    "thought_summary": "thought",
    "thought_signature": "thought",
    "arguments_delta": "function_call",
}


def open_step(walk: Walk, step_type: str, step: Json) -> Step:
    """Begin a step; one of a type that is not known becomes a private item."""
    row = STEPS.get(step_type)
    return row.open(walk, step) if row is not None else Private(walk, step)


def is_silent(step_type: str) -> bool:
    """Whether such a step tells a reader nothing."""
    return step_type in STEPS and STEPS[step_type].open in (Silent, OwnInput)


def implied_step(delta_type: str) -> str | None:
    """The type of the step that a delta without a `step.start` belongs to; None where it tells nothing."""
    implied = _IMPLIED.get(delta_type, delta_type)
    return implied if implied in STEPS else None


PAUSED: Final = "requires_continuation"
"""The status of an interaction that goes on when it is asked again."""

CONTINUATION: Final = "continuation_token"
"""The field of what it is asked with: for the gateway alone."""


class EndRow(NamedTuple):
    """Where an interaction of one status ends."""

    status: Status
    reason: Reason
    rule: Rule


_CUT_SHORT = approximated("incomplete for its length; the word itself rides along")

STATUSES: Final[dict[str, EndRow]] = {
    "completed": EndRow("completed", "stop", EXACT),
    "idle": EndRow("completed", "stop", approximated("completed; the word itself rides along")),
    "requires_action": EndRow(
        "completed", "tool_calls", approximated("completed, with calls to answer; the word itself rides along")
    ),
    "incomplete": EndRow("incomplete", "max_output_tokens", EXACT),
    "budget_exceeded": EndRow("incomplete", "max_output_tokens", _CUT_SHORT),
    PAUSED: EndRow("incomplete", "max_output_tokens", approximated("the gateway asks again; at last incomplete")),
    "failed": EndRow("failed", "error", EXACT),
    "cancelled": EndRow("cancelled", "cancelled", EXACT),
}

ANY_END: Final = EndRow("completed", "stop", approximated("completed; the word itself rides along"))
"""The vendor's list is open: another word at the end counts as completed."""

SAFETY_WORDS: Final = ("safety", "content_filter", "prohibited", "blocked", "recitation")
"""What in the code of one of an incomplete interaction's errors says that a filter stopped it."""

OLD_EVENTS: Final = frozenset(
    {"interaction.start", "interaction.complete", "content.start", "content.delta", "content.stop"}
)
"""Events of the revision before steps."""
