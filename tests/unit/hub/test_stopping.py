"""A text ends right before the first stop sequence, whatever pieces it comes in, and nothing else is touched."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.hub import events as ev
from adapters.hub.annotations import DocumentCitation, Span, UrlCitation
from adapters.hub.errors import ProtocolError
from adapters.hub.fold import fold
from adapters.hub.grammar import check_walk
from adapters.hub.kept import Kept
from adapters.hub.losses import Ledger
from adapters.hub.stopping import Stopper

USAGE = ev.Usage(1, 0, 2, 0, 3)
BEGIN: list[ev.Event] = [ev.Started("w", "r", "m"), ev.ItemStarted(0, "message"), ev.PartStarted(0, 0, "text")]
END: list[ev.Event] = [
    ev.PartEnded(0, 0, extra=Kept("w", {"part": 1})),
    ev.ItemEnded(0, extra=Kept("w", {"item": 1})),
    ev.Ended("completed", ev.Finish("stop"), USAGE, extra=Kept("w", {"response": 1})),
]

CITES = "output[0].content[0].annotations"
BEYOND = "what is cited lies beyond the stop sequence"
CITES_LOST = (CITES, "the vendor was let go at the stop sequence: what it cites later is lost")
USAGE_LOST = ("usage", "the vendor was let go at the stop sequence: what the answer cost is unknown")


def deltas(*pieces: str) -> list[ev.Event]:
    return [ev.Delta(0, 0, piece) for piece in pieces]


def cite(start: int, end: int) -> ev.Annotated:
    return ev.Annotated(0, 0, UrlCitation("u", f"{start}..{end}", Span(start, end)))


def run(stops: Sequence[str], events: Sequence[ev.Event], ledger: Ledger | None = None) -> list[ev.Event]:
    """The walk of `events`, fed one by one."""
    stopper = Stopper(stops, ledger if ledger is not None else Ledger())
    walk = [told for event in events for told in stopper.feed([event])]
    check_walk(walk)
    return walk


def pieces_of(walk: Sequence[ev.Event]) -> list[str]:
    return [event.text for event in walk if isinstance(event, ev.Delta)]


def titles_of(walk: Sequence[ev.Event]) -> list[str]:
    return [getattr(event.annotation, "title", "") for event in walk if isinstance(event, ev.Annotated)]


def losses_of(ledger: Ledger) -> list[tuple[str, str]]:
    return [(loss.path, loss.reason) for loss in ledger.losses]


# stops, pieces -> the pieces told
TEXTS: dict[str, tuple[list[str], list[str], list[str]]] = {
    "none": (["X"], ["abc", "def"], ["abc", "def"]),
    "inside a piece": (["X"], ["abXcd"], ["ab"]),
    "at the very start": (["X"], ["Xab"], []),
    "at the end of a piece": (["X"], ["ab", "cX", "d"], ["ab", "c"]),
    "over two pieces": (["STOP"], ["abST", "OPcd"], ["ab"]),
    "a letter at a time": (["STOP"], [*"abSTOPcd"], ["a", "b"]),
    "begun and broken off": (["STOP"], ["abST", "ART"], ["ab", "START"]),
    "begun twice": (["aab"], ["a", "a", "a", "b", "c"], ["a"]),
    "begun anew within itself": (["abac"], ["aba", "bac"], ["ab"]),
    "begun at the end": (["STOP"], ["abcSTO"], ["abc", "STO"]),
    "the first of two": (["cd", "b"], ["abcd"], ["a"]),
    "the longer of two that end together": (["b", "ab"], ["xab"], ["x"]),
    "one within another": (["abcd", "bc"], ["xab", "cd"], ["x", "a"]),
    "an emoji of two": (["👍🏽"], ["a👍", "🏿b👍", "🏽c"], ["a", "👍🏿b"]),
    "a line": (["\n\n"], ["a\n", "b\n", "\nc"], ["a", "\nb"]),
}


@pytest.mark.parametrize(("stops", "given_", "told"), TEXTS.values(), ids=TEXTS)
def test_what_is_told(stops: list[str], given_: list[str], told: list[str]) -> None:
    assert pieces_of(run(stops, BEGIN + deltas(*given_) + END)) == told


def test_the_answer_ends_as_if_the_vendor_had_stopped() -> None:
    walk = run(["X"], [*BEGIN, *deltas("aXb"), *END])
    assert walk[len(BEGIN) :] == [
        ev.Delta(0, 0, "a"),
        ev.PartEnded(0, 0),
        ev.ItemEnded(0),
        ev.Ended("completed", ev.Finish("stop")),
    ]


def test_the_usage_is_known_where_it_came_with_the_text() -> None:
    ledger = Ledger()
    walk = Stopper(["X"], ledger).feed([*BEGIN, *deltas("aXb"), *END])
    check_walk(walk)
    assert losses_of(ledger) == []
    assert walk[-1] == ev.Ended("completed", ev.Finish("stop"), USAGE)


def test_without_a_match_the_walk_is_untouched() -> None:
    events = [*BEGIN, *deltas("ab"), cite(0, 1), *END]
    assert run(["X"], events) == events


def test_only_the_texts_of_messages_are_searched() -> None:
    other: list[ev.Event] = [
        ev.Started("w", "r", "m"),
        ev.ItemStarted(0, "reasoning"),
        ev.PartStarted(0, 0, "summary"),
        ev.Delta(0, 0, "aXb"),
        ev.Annotated(0, 0, UrlCitation("u", "t")),
        ev.PartEnded(0, 0),
        ev.ItemEnded(0),
        ev.Ended("failed", ev.Finish("error"), error=ProtocolError("cut")),
    ]
    assert run(["X"], other) == other


def test_each_text_is_searched_by_itself() -> None:
    second: list[ev.Event] = [ev.PartEnded(0, 0), ev.PartStarted(0, 1, "text"), ev.Delta(0, 1, "Xc")]
    tree = fold(run(["XX"], [*BEGIN, *deltas("aX"), *second, ev.PartEnded(0, 1), *END[1:]]))
    assert [part.text for part in tree.items[0].parts] == ["aX", "Xc"]


def test_what_else_is_open_is_closed_as_unfinished() -> None:
    search: list[ev.Event] = [ev.ItemStarted(1, "web_search_call"), ev.Progressed(1, "searching")]
    message: list[ev.Event] = [ev.ItemStarted(2, "message"), ev.PartStarted(2, 0, "text"), ev.Delta(2, 0, "xyS")]
    tree = fold(run(["STOP"], [*BEGIN, *search, *message, *deltas("aSTOP", "b")]))
    assert [(item.status, [part.text for part in item.parts]) for item in tree.items] == [
        ("completed", ["a"]),
        ("incomplete", []),
        ("incomplete", ["xyS"]),
    ]


def test_what_was_said_of_a_piece_stays_with_a_whole_piece_only() -> None:
    ledger = Ledger()
    said = Kept("w", {"logprobs": []})
    walk = run(["XY"], [*BEGIN, ev.Delta(0, 0, "ab", said), ev.Delta(0, 0, "cX", said), *END], ledger)
    assert [event.extra for event in walk if isinstance(event, ev.Delta)] == [said, None, None]
    assert [loss.path for loss in ledger.losses] == ["output[0].content[0]"]


# -- annotations


def test_annotations_inside_stay_and_those_beyond_go() -> None:
    ledger = Ledger()
    walk = run(["X"], [*BEGIN, cite(0, 2), cite(1, 9), *deltas("ab", "cX"), *END], ledger)
    assert titles_of(walk) == ["0..2"]
    assert losses_of(ledger) == [(CITES, BEYOND), USAGE_LOST]


# what the vendor says, event by event, after the cut of "abcX" -> the citations told, what is lost
AFTER: dict[str, tuple[list[ev.Event], list[str], list[tuple[str, str]]]] = {
    "citations right behind it": (
        [cite(2, 3), cite(3, 4), cite(0, 1), *END],
        ["2..3", "0..1"],
        [(CITES, BEYOND), USAGE_LOST],
    ),
    "a citation after more text": ([cite(2, 3), *deltas("d"), cite(0, 1)], ["2..3"], [CITES_LOST, USAGE_LOST]),
    "more text": (deltas("d"), [], [CITES_LOST, USAGE_LOST]),
    "another item": ([ev.ItemStarted(1, "reasoning"), cite(2, 3)], [], [CITES_LOST, USAGE_LOST]),
    "the end of the text": (END, [], [USAGE_LOST]),
}


@pytest.mark.parametrize(("after", "told", "lost"), AFTER.values(), ids=AFTER)
def test_the_vendor_is_heard_until_it_says_something_else_than_a_citation(
    after: list[ev.Event], told: list[str], lost: list[tuple[str, str]]
) -> None:
    ledger = Ledger()
    walk = run(["X"], [*BEGIN, *deltas("abcX"), *after], ledger)
    assert (titles_of(walk), losses_of(ledger)) == (told, lost)


def test_annotations_that_come_with_the_text_are_judged_too() -> None:
    ledger = Ledger()
    point = ev.Annotated(0, 0, DocumentCitation("d", position=3))
    nowhere = ev.Annotated(0, 0, UrlCitation("u", "nowhere"))
    events = [*BEGIN, *deltas("abcXd"), cite(2, 3), cite(3, 4), point, nowhere, *END]
    walk = Stopper(["X"], ledger).feed(events)
    check_walk(walk)
    assert [event for event in walk if isinstance(event, ev.Annotated)] == [cite(2, 3), point]
    assert len(ledger.losses) == 1


def test_an_annotation_waits_for_the_text_it_cites() -> None:
    walk = run(["STOP"], [*BEGIN, *deltas("abST"), cite(0, 4), cite(0, 1), *deltas("AR"), *END])
    assert [type(event).__name__ for event in walk[3:8]] == ["Delta", "Delta", "Annotated", "Annotated", "PartEnded"]
    assert titles_of(walk) == ["0..4", "0..1"]


def test_an_annotation_without_a_place_stands_where_it_came() -> None:
    nowhere = ev.Annotated(0, 0, UrlCitation("u", "nowhere"))
    events = [*BEGIN, *deltas("abST"), nowhere, *deltas("AR")]
    assert run(["STOP"], [*events, *END])[3:6] == [*deltas("ab"), *deltas("STAR"), nowhere]
    assert titles_of(run(["STOP"], [*events, *deltas("STOP"), *END])) == ["nowhere"]
    assert titles_of(run(["STOP"], [*BEGIN, *deltas("abST"), nowhere, *deltas("OP"), *END])) == []


def test_an_annotation_beyond_the_whole_text_is_the_vendors_affair() -> None:
    assert titles_of(run(["X"], [*BEGIN, *deltas("ab"), cite(0, 99), *END])) == ["0..99"]


# -- any cut of the text gives the same answer

ALPHABET = "ab🙂"
WORDS = st.text(ALPHABET, min_size=1, max_size=4)


def expected(text: str, stops: list[str]) -> str:
    """The law, spelled slowly: the first character that completes a sequence ends the text before the longest."""
    for end in range(1, len(text) + 1):
        found = [len(stop) for stop in stops if text[:end].endswith(stop)]
        if found:
            return text[: end - max(found)]
    return text


@given(st.lists(WORDS, max_size=12), st.lists(WORDS, min_size=1, max_size=4), st.data())
def test_any_cut_of_the_text_gives_the_same_answer(pieces: list[str], stops: list[str], data: st.DataObject) -> None:
    text = "".join(pieces)
    kept = expected(text, stops)
    places = data.draw(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 20)), max_size=3))
    spans = [(start, start + length) for start, length in places]
    cites = [cite(*span) for span in spans]
    stopper = Stopper(stops, Ledger())
    walk = stopper.feed([*BEGIN, *cites])
    for number, delta in enumerate(deltas(*pieces), 1):
        walk += stopper.feed([delta])
        so_far = "".join(pieces[:number])
        held = len(so_far) - len("".join(pieces_of(walk)))
        assert held < max(map(len, stops)) or expected(so_far, stops) != so_far
    walk += stopper.feed(END)
    check_walk(walk)
    assert "".join(pieces_of(walk)) == kept
    if kept != text:
        assert set(titles_of(walk)) == {f"{start}..{end}" for start, end in spans if end <= len(kept)}
    else:
        assert titles_of(walk) == titles_of(cites)
    if kept != text:
        assert stopper.feed(END) == []


def test_a_long_beginning_costs_no_more_than_its_length() -> None:
    size = 200_000
    walk = run(["a" * size + "b"], [*BEGIN, *deltas(*["a" * 100] * (size // 100), "c"), *END])
    assert len("".join(pieces_of(walk))) == size + 1
