"""What is no text, and what a part says beyond the dialect: heard, kept beside it, or reported."""

from __future__ import annotations

from typing import Any

import pytest

import adapters
from adapters.hub import events as ev
from adapters.hub.adapter import Encoding, Fidelity
from adapters.hub.items import MEDIA, MESSAGE, TEXT
from adapters.hub.losses import Ledger
from adapters.wire_json import Json, loads
from tests.unit.responses.stage import CountingMint, body, created, ended, final, frames, message, names, on, walk


def said(media: str | None) -> list[ev.Event]:
    """A message of a text and of something else, in two pieces."""
    return [
        ev.Started("w", "id", "m"),
        ev.ItemStarted(0, MESSAGE, "msg"),
        ev.PartStarted(0, 0, TEXT),
        ev.Delta(0, 0, "Hear:"),
        ev.PartEnded(0, 0),
        ev.PartStarted(0, 1, MEDIA, media),
        ev.Delta(0, 1, "QUJD"),
        ev.Delta(0, 1, "REVG"),
        ev.PartEnded(0, 1),
        ev.ItemEnded(0),
        ev.Ended("completed", ev.Finish("stop")),
    ]


@pytest.mark.parametrize("fidelity", ["strict", "rich"])
def test_sound_is_heard_as_it_comes(fidelity: Fidelity) -> None:
    """b.5: "response.audio.delta" and "response.audio.done" have no item fields"""
    losses = Ledger()
    told = frames(said("audio/wav"), fidelity, losses)
    heard = [event for event in told if "audio" in event["type"]]
    assert [{k: v for k, v in event.items() if k != "sequence_number"} for event in heard] == [
        {"type": "response.audio.delta", "delta": "QUJD"},
        {"type": "response.audio.delta", "delta": "REVG"},
        {"type": "response.audio.done"},
    ]
    assert [part["type"] for part in final(told)["output"][0]["content"]] == ["output_text"]
    assert losses.losses == []


@pytest.mark.parametrize("media", ["video/mp4", "application/pdf", None])
def test_what_has_no_place_in_an_item_is_reported(media: str | None) -> None:
    losses = Ledger()
    told = frames(said(media), "rich", losses)
    assert [name for name in names(told) if "audio" in name] == []
    assert [(loss.path, loss.reason) for loss in losses.losses] == [
        ("output[0].content[1]", f"no content part for {media or 'media'}")
    ]


def test_sound_of_an_answer_that_does_not_stream_is_reported() -> None:
    surface = adapters.load("openai").surface
    assert surface is not None
    losses = Ledger()
    encoder = surface.encoder(
        Encoding(surface.decode_request({"model": "m", "input": "x"}), CountingMint(), "rich", losses)
    )
    assert [frame for event in said("audio/wav") for frame in encoder.feed(event)] == []
    assert loads(encoder.body())["output"][0]["content"][0]["text"] == "Hear:"
    assert [loss.path for loss in losses.losses] == ["output[0].content[1]"]


MORE: Json = {"type": "output_text", "text": "Hi", "mood": {"a": 1}, "nothing": None}
TOLD: Json = {"v": "ark", "rest": {"mood": {"a": 1}}}


@pytest.mark.parametrize("streamed", [True, False])
def test_what_a_part_says_beyond_the_dialect_stands_beside_it(streamed: bool) -> None:
    whole = message("Hi", content=[MORE])
    events: list[Any] = [created(), on("output_item.added", 0, item=message())] if streamed else [created()]
    told = final(frames(walk("ark", *events, ended([whole]))))
    assert told["output"][0]["content"][0]["x_dragoman"] == TOLD
    losses = Ledger()
    final(frames(walk("ark", *events, ended([whole])), "strict", losses))
    assert "output[0].content[0]" in [loss.path for loss in losses.losses]


def test_what_a_part_said_goes_back_with_it() -> None:
    surface = adapters.load("openai").surface
    assert surface is not None
    output = body(walk("ark", created(), ended([message("Hi", content=[MORE])])))["output"]
    request = surface.decode_request({"model": "m", "input": output})
    sent = adapters.load("ark").codec.encode_request(request, Ledger())
    assert sent["input"][0]["content"] == [{"type": "output_text", "text": "Hi", "mood": {"a": 1}}]
