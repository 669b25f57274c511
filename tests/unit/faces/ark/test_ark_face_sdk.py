"""Ark's SDK takes every answer for what it is."""

# pyright: reportMissingTypeStubs=false
# (the SDK ships without stubs)

from __future__ import annotations

from typing import Any, cast, get_args

import pytest
from volcenginesdkarkruntime._models import construct_type
from volcenginesdkarkruntime.types.responses.response_stream_event import ResponseStreamEvent

import adapters
from adapters.faces.ark.grammar import check
from adapters.faces.ark.words import EVENTS
from adapters.hub.adapter import Fidelity
from adapters.wire_json import Json
from tests.laws.corpus import FIDELITIES, Recording, parse
from tests.unit.faces.ark.ark_reader import FOREIGN, payloads, tell

NAME = "ark"
CLASSES: dict[str, Any] = {
    get_args(class_.model_fields["type"].annotation)[0]: class_ for class_ in get_args(get_args(ResponseStreamEvent)[0])
}


def test_the_events_are_those_of_the_sdk() -> None:
    assert CLASSES.keys() == EVENTS


@pytest.mark.parametrize("fidelity", FIDELITIES)
@pytest.mark.parametrize("recording", FOREIGN, ids=str)
def test_any_vendors_answer_is_one_of_arks(recording: Recording, fidelity: Fidelity) -> None:
    """Well formed, and every event of the class that its type says, with all that the class requires."""
    told = tell(recording.walk(), fidelity)
    assert check(parse(told.data)).violations == ()
    for event in payloads(told):
        class_ = CLASSES[event["type"]]
        assert type(construct_type(type_=ResponseStreamEvent, value=event)) is class_
        class_.model_validate(filled(event))


def filled(value: Any) -> Any:
    """The event with the `chunk_attachment` that the class requires, and Ark itself leaves out of a url_citation."""
    if isinstance(value, list):
        return [filled(inner) for inner in cast(list[Any], value)]
    if not isinstance(value, dict):
        return value
    fields = {key: filled(inner) for key, inner in cast(Json, value).items()}
    return {"chunk_attachment": [], **fields} if fields.get("type") == "url_citation" else fields


def test_arks_surface_is_found() -> None:
    surface = adapters.load(NAME).surface
    assert surface is not None
    assert (surface.dialect, surface.default_provider) == ("ark", NAME)
    assert surface.credential({"authorization": "Bearer k"}, {}) == "k"
