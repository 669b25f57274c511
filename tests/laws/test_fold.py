"""Fold: a stream and the whole answer are one answer, from the vendor and for the client."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import pytest

import adapters
from adapters.hub.adapter import Fidelity
from adapters.hub.events import Event
from adapters.hub.fold import ItemTree, ResponseTree, fold
from adapters.hub.items import Signature
from adapters.wire_json import Json
from tests.laws.corpus import ANSWERS, FACES, FIDELITIES, OWN, STREAMS, Recording, encode, label
from tests.laws.json_values import same
from tests.laws.twins import WHOLE

PAIRS = [
    (stream, whole)
    for stream in OWN
    for whole in ANSWERS
    if stream.streamed and (stream.vendor, stream.name) == (whole.vendor, whole.name)
]
ROTATING = "compat-github-copilot-id-rotation"


def told(walk: Iterable[Event]) -> tuple[ResponseTree, object]:
    """The tree, and its error in words: errors compare by identity."""
    tree = fold(walk)
    if tree.error is None:
        return tree, None
    # the last event of a stream may call an error what the whole answer has only as a status
    return replace(tree, error=None, finish=None), (tree.error.status, tree.error.code, tree.error.message)


def unsealed(tree: ResponseTree) -> ResponseTree:
    """The tree with its signatures reduced to whose they are: a vendor may seal anew what it tells twice."""
    return replace(tree, items=[_unsealed(item) for item in tree.items])


def _unsealed(item: ItemTree) -> ItemTree:
    return replace(item, signature=Signature(item.signature.wire, "sealed") if item.signature is not None else None)


@pytest.mark.parametrize(("stream", "whole"), PAIRS, ids=label)
def test_the_synthetic_pairs_are_one_answer(stream: Recording, whole: Recording) -> None:
    assert told(stream.walk()) == told(whole.walk())


@pytest.mark.parametrize(("stream", "body"), [pair for pair in WHOLE if pair[0].name != ROTATING], ids=label)
def test_a_stream_is_the_answer_that_its_end_tells(stream: Recording, body: Json) -> None:
    streamed, error = told(stream.walk())
    whole, same_error = told(adapters.load(stream.vendor).codec.decode_response(body))
    assert unsealed(streamed) == unsealed(whole)
    assert error == same_error


@pytest.mark.parametrize(("stream", "body"), [pair for pair in WHOLE if pair[0].name == ROTATING], ids=label)
def test_ids_that_change_are_held_to_their_first_value(stream: Recording, body: Json) -> None:
    """A proxy that gives every event a new id: the answer's last ones are not those it began with."""
    streamed, whole = fold(stream.walk()), fold(adapters.load(stream.vendor).codec.decode_response(body))
    assert streamed != whole
    assert _unnamed(streamed) == _unnamed(whole)


def _unnamed(tree: ResponseTree) -> ResponseTree:
    return replace(tree, id="", items=[replace(item, id="") for item in tree.items])


@pytest.mark.parametrize("fidelity", FIDELITIES)
@pytest.mark.parametrize("face", [face for face in FACES if face != "gemini"])  # whose end does not repeat its steps
@pytest.mark.parametrize("recording", [*STREAMS, *ANSWERS], ids=str)
def test_a_client_is_told_one_answer(recording: Recording, face: str, fidelity: Fidelity) -> None:
    walk = recording.walk()
    streamed, whole = (encode(walk, face, fidelity, stream=stream) for stream in (True, False))
    assert same(streamed.body()) == same(whole.body())
    assert streamed.losses == whole.losses
