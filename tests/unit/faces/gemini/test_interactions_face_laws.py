"""Laws of the Gemini face: the stream of every answer agrees with the grammar, the SDK and the JSON of the answer."""

# pyright: reportMissingTypeStubs=false

from __future__ import annotations

import re
from typing import Any

import pytest
from google.genai._gaos.types import interactions as gemini
from pydantic import BaseModel, TypeAdapter

import adapters
from adapters.faces.gemini.grammar import check
from adapters.faces.gemini.repeat import InteractionsRepeater
from adapters.hub.adapter import Fidelity
from adapters.hub.events import Event
from adapters.hub.telling import TellingCodec
from adapters.sse import SseEvent
from adapters.wire_json import Json, as_list
from tests.laws.corpus import FIDELITIES, FINISHED, STREAMS, VENDORS, Recording, Told
from tests.laws.everything import EVERYTHING
from tests.laws.json_values import same
from tests.unit.faces.gemini.written import EXTENSION, encoding, run, steps_of, write

EVENT: TypeAdapter[Any] = TypeAdapter(gemini.InteractionSSEEvent)
ODD = "sandbox-cite_odd"
"""Its offsets fall into characters and beyond the text, as the vendor's sometimes do: they are the vendor's words."""

RECORDED = [pytest.param(recording, id=str(recording) + recording.path.suffix) for recording in (*STREAMS, *FINISHED)]


def everything(vendor: str) -> list[Event]:
    return adapters.load(vendor).codec.decode_response(EVERYTHING[vendor])


def rules(told: Told) -> set[str]:
    return {violation.rule for violation in check(told.events()).violations}


def models(value: object) -> list[BaseModel]:
    """A model and every model inside it."""
    if isinstance(value, BaseModel):
        inner = [getattr(value, name, None) for name in type(value).model_fields]
        return [value, *(found for one in inner for found in models(one))]
    return [found for one in as_list(value) for found in models(one)]


def read(told: Told) -> list[BaseModel]:
    """The events as the SDK types them."""
    return [found for payload in told.payloads() for found in models(EVENT.validate_python(payload))]


def joined(steps: list[Json]) -> list[Json]:
    """The steps with the summaries in one block, as a stream tells them."""
    for step in steps:
        if texts := [block["text"] for block in step.get("summary", []) if "text" in block]:
            step["summary"] = [{"type": "text", "text": "\n\n".join(text for text in texts if text)}]
    return steps


def agree(walk: list[Event], fidelity: Fidelity) -> None:
    streamed, whole = write(walk, fidelity), write(walk, fidelity, stream=False)
    assert rules(streamed) == set()
    found = read(streamed)
    assert fidelity == "native" or not [one for one in found if type(one).__name__.startswith("Unknown")]
    gemini.Interaction.model_validate(whole.body())
    body, last = whole.body(), streamed.payloads()[-1]["interaction"]
    assert same(joined(steps_of(streamed.payloads()))) == same(joined(body.pop("steps")))
    last.pop("steps", None)
    assert same(last) == same(body)
    if fidelity == "strict":
        assert f'"{EXTENSION}"'.encode() not in streamed.data + whole.data


@pytest.mark.parametrize("fidelity", FIDELITIES)
@pytest.mark.parametrize("recording", [param for param in RECORDED if ODD not in str(param.values[0])])
def test_stream_json_grammar_and_sdk_agree(recording: Recording, fidelity: Fidelity) -> None:
    agree(recording.walk(), fidelity)


@pytest.mark.parametrize("fidelity", FIDELITIES)
@pytest.mark.parametrize("vendor", [vendor for vendor in VENDORS if vendor != "gemini"])
def test_all_that_a_vendor_can_say_agrees(vendor: str, fidelity: Fidelity) -> None:
    agree(everything(vendor), fidelity)


# -- Gemini's own streams ------------------------------------------------------------------------

OWN = [recording for recording in STREAMS if recording.vendor == "gemini"]
BROKEN = {
    "sandbox-cut": {"terminal-missing"},
    "sandbox-error_inside": {"terminal-missing"},
    ODD: {"annotation-border", "annotation-span"},
}
OLD = {"old-revision", "lifecycle-order", "terminal-missing"}
"""The streams that the index of the recordings marks as of the revision before steps."""


@pytest.mark.parametrize("recording", OWN, ids=str)
def test_the_grammar_takes_recorded_streams(recording: Recording) -> None:
    found = {violation.rule for violation in check(recording.events()).violations}
    assert found == (OLD if recording.name.startswith("old-") else BROKEN.get(recording.name, set()))


def repeated(recording: Recording) -> Told:
    decoder = TellingCodec(adapters.load("gemini").codec).decoder()
    walk = [step for event in recording.events() for step in decoder.feed(event)] + decoder.close()
    given = encoding()
    return run(InteractionsRepeater(given), given, walk)


def unmarked(events: list[SseEvent]) -> list[tuple[bytes, bytes]]:
    """The events without the ids that these recordings lack, and without the end mark."""
    pairs = [(event.name, re.sub(rb',"event_id":"[^"]*"}$', b"}", event.data)) for event in events]
    return [pair for pair in pairs if pair[1] != b"[DONE]"]


@pytest.mark.parametrize("recording", [r for r in OWN if not r.name.startswith("old-")], ids=str)
def test_gemini_to_gemini_is_identity(recording: Recording) -> None:
    told = repeated(recording)
    events, came = unmarked(told.events()), unmarked(recording.events())
    cut = "terminal-missing" in BROKEN.get(recording.name, set())
    assert events[: len(came)] == came
    assert (len(events) > len(came)) == cut  # what broke off is brought to an end
    assert rules(told) == BROKEN.get(recording.name, set()) - {"terminal-missing"}
    assert told.events()[-1] == SseEvent(b"done", b"[DONE]")


@pytest.mark.parametrize("recording", [r for r in OWN if r.name.startswith("old-")], ids=str)
def test_the_older_revision_ends_with_an_error(recording: Recording) -> None:
    told = repeated(recording)
    assert rules(told) == set()
    assert [payload["event_type"] for payload in told.payloads()] == [
        "interaction.created",
        "error",
        "interaction.completed",
    ]
