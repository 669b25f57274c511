"""The walks of several pieces are one legal walk, and lose nothing but what only marked the seams."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.hub import events as ev
from adapters.hub.adapter import Continuation
from adapters.hub.errors import ProtocolError
from adapters.hub.fold import fold
from adapters.hub.grammar import check_walk
from adapters.hub.joining import Joiner


def join(ids: Sequence[str], ends: Sequence[ev.Ended]) -> ev.Ended:
    """The last end; its raw finish tells what was joined."""
    return ev.Ended(
        ends[-1].status, ev.Finish(ends[-1].finish.unified, f"{'+'.join(ids)}:{len(ends)}"), error=ends[-1].error
    )


CONTINUATION = Continuation(lambda _, __, ___: None, join)
PAUSED = ev.Ended("incomplete", ev.Finish("max_output_tokens"))
DONE = ev.Ended("completed", ev.Finish("stop"))


def message(item: int, text: str) -> list[ev.Event]:
    return [
        ev.ItemStarted(item, "message"),
        ev.PartStarted(item, 0, "text"),
        ev.Delta(item, 0, text),
        ev.Opaque("w", {}, item),
        ev.PartEnded(item, 0),
        ev.ItemEnded(item),
    ]


def piece(id: str, *texts: str) -> list[ev.Event]:
    """One piece without its end."""
    said = [event for item, text in enumerate(texts) for event in message(item, text)]
    return [ev.Started("w", id, "m"), ev.Progressed(None, "in_progress"), *said]


def resume_of(events: list[ev.Event]) -> ev.Resume:
    ids = [event.id for event in events if isinstance(event, ev.Started)]
    return ev.Resume("token", ids[0], sum(isinstance(event, ev.ItemStarted) for event in events))


def joined(pieces: Sequence[list[ev.Event]], end: ev.Ended = DONE, size: int = 1) -> list[ev.Event]:
    """The whole walk; every piece but the last pauses, and is read in batches of `size` events."""
    joiner, walk = Joiner(CONTINUATION), list[ev.Event]()
    for number, events in enumerate(pieces, 1):
        last = number == len(pieces)
        whole = [*events, end if last else PAUSED]
        batches = [whole[at : at + size] for at in range(0, len(whole), size)]
        for batch in batches[:-1]:
            walk += joiner.feed(batch)
        walk += joiner.feed(batches[-1]) if last else joiner.pause(batches[-1], PAUSED, resume_of(events))
    check_walk(walk)
    return walk


def test_one_piece_is_left_alone() -> None:
    events = [*piece("a", "x"), DONE]
    joiner = Joiner(CONTINUATION)
    assert joiner.feed(events) is events


@pytest.mark.parametrize("size", [1, 3, 100])
def test_pieces_become_one_answer(size: int) -> None:
    walk = joined([piece("a", "x", "y"), piece("b"), piece("c", "z")], size=size)
    assert [event for event in walk if isinstance(event, ev.Started)] == [ev.Started("w", "a", "m")]
    assert [event.phase for event in walk if isinstance(event, ev.Progressed)] == ["in_progress"]
    assert [event.item for event in walk if isinstance(event, ev.Opaque)] == [0, 1, 2]
    assert [item.parts[0].text for item in fold(walk).items] == ["x", "y", "z"]
    assert walk[-1] == ev.Ended("completed", ev.Finish("stop", "a+b+c:3"))


def test_what_belongs_to_no_item_stays_so() -> None:
    loose = ev.Opaque("w", {"a": 1})
    assert loose in joined([piece("a", "x"), [*piece("b"), loose]])


def test_a_piece_that_fails_before_it_begins_ends_the_answer() -> None:
    failed = ev.Ended("failed", ev.Finish("error"), error=ProtocolError("cut"))
    tree = fold(joined([piece("a", "x"), []], failed))
    assert (tree.status, tree.text, tree.error) == ("failed", "x", failed.error)


@given(st.lists(st.lists(st.text(max_size=3), max_size=4), min_size=1, max_size=5), st.integers(1, 12))
def test_any_pieces_in_any_batches_are_a_legal_walk(texts: list[list[str]], size: int) -> None:
    tree = fold(joined([piece(str(number), *said) for number, said in enumerate(texts)], size=size))
    assert [item.parts[0].text for item in tree.items] == [text for said in texts for text in said]
    assert tree.id == "0"
