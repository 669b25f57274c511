"""Every event, step, delta and annotation of the vendor's SDK has its place here, or is named as having none."""

from __future__ import annotations

from typing import Any, get_args

import pytest
from google.genai._gaos.types.interactions.annotation import Annotation
from google.genai._gaos.types.interactions.interactionsseevent import InteractionSSEEvent
from google.genai._gaos.types.interactions.step import Step
from google.genai._gaos.types.interactions.stepdeltadata import StepDeltaData

from adapters.hub import events as ev
from adapters.hub.annotations import OpaqueAnnotation
from adapters.hub.spans import TextIndex
from adapters.interactions.annotations import decode_annotation
from adapters.interactions.tables import implied_step

NO_COUNTERPART = {"tool_search_call", "tool_search_result", "function_result"}
"""Kept verbatim, as items of the vendor's own."""


def types(union: Any, field: str = "type") -> list[str]:
    """What tells the members of one of the SDK's unions apart."""
    classes = get_args(get_args(union)[0])
    return [cls.model_fields[field].default for cls in classes if not cls.__name__.startswith("Unknown")]


@pytest.mark.parametrize("event_type", types(InteractionSSEEvent, "event_type"))
def test_events(event_type: str, play: Any) -> None:
    event = {"event_type": event_type, "index": 0, "step": {"type": "thought"}, "delta": {"type": "text", "text": "a"}}
    assert not [found for found in play(event) if isinstance(found, ev.Opaque)]


@pytest.mark.parametrize("step_type", types(Step))
def test_steps(step_type: str) -> None:
    assert (implied_step(step_type) is None) is (step_type in NO_COUNTERPART)


@pytest.mark.parametrize("delta_type", types(StepDeltaData))
def test_deltas(delta_type: str) -> None:
    assert (implied_step(delta_type) is None) is (delta_type in NO_COUNTERPART)


@pytest.mark.parametrize("annotation_type", types(Annotation))
def test_annotations(annotation_type: str) -> None:
    assert not isinstance(decode_annotation({"type": annotation_type}, TextIndex(), "gemini"), OpaqueAnnotation)
