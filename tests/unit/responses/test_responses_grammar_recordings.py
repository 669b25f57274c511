"""The grammar accepts what OpenAI really sends; each recording it refuses is named, with the rule and the reason."""

from __future__ import annotations

from pathlib import Path

from adapters.hub.verdict import Verdict
from adapters.responses.grammar import check
from adapters.responses.grammar_tables import ANNOTATIONS, EVENTS, ITEMS
from adapters.responses.tables import ANNOTATION_FIELDS, ITEM_TYPES, PROGRESS_EVENTS
from adapters.sse import SseParser

RESUMED = "background-stream-resume-starting-after"

EXCEPTIONS: dict[str, tuple[set[str], str]] = {
    RESUMED: ({"lifecycle-order", "sequence-order"}, "a resumed stream goes on with number 1, without created"),
    "compat-github-copilot-id-rotation": (
        {"response-id", "item-identity"},
        "a proxy of another vendor that changes every id on every event",
    ),
    "function-stream-verbatim-turn1": ({"sequence-absent"}, "of early 2025, when events had no numbers"),
    "function-stream-verbatim-turn2": (
        {"sequence-absent", "field-missing"},
        "of early 2025, when events had no numbers and text events no logprobs",
    ),
}


def judge(path: Path, *, resumed: bool = False) -> Verdict:
    parser = SseParser()
    return check([*parser.feed(path.read_bytes()), *parser.close()], resumed=resumed)


def test_every_recording_is_well_formed_or_a_named_exception(shared: Path) -> None:
    streams = sorted((shared / "recordings" / "openai-responses").glob("*/response.sse"))
    assert streams
    broken = {path.parent.name: {violation.rule for violation in judge(path).violations} for path in streams}
    assert {name: rules for name, rules in broken.items() if rules} == {
        name: rules for name, (rules, _) in EXCEPTIONS.items()
    }


def test_the_resumed_recording_is_well_formed_as_such(shared: Path) -> None:
    path = shared / "recordings" / "openai-responses" / RESUMED / "response.sse"
    assert judge(path, resumed=True) == Verdict(events=16, items=1, violations=())


def test_the_grammar_knows_the_types_that_the_encoder_knows() -> None:
    assert set(ITEMS) == ITEM_TYPES
    assert set(ANNOTATIONS) == set(ANNOTATION_FIELDS)
    assert set(EVENTS) > PROGRESS_EVENTS
