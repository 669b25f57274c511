"""The grammar of walks: what is legal passes, and each rule is broken once."""

from __future__ import annotations

import pytest

from adapters.hub import events as ev
from adapters.hub.annotations import UrlCitation
from adapters.hub.errors import ProtocolError
from adapters.hub.grammar import WalkError, check_walk

STARTED = ev.Started("w", "r", "m")
STOP = ev.Finish("stop")
ENDED = ev.Ended("completed", STOP)
FAILED = ev.Ended("failed", ev.Finish("error"), error=ProtocolError("cut"))
OPAQUE = ev.Opaque("w", {})
CITED = ev.Annotated(0, 0, UrlCitation("u", "t"))


def item(number: int, *inside: ev.Event) -> list[ev.Event]:
    return [ev.ItemStarted(number, "message"), *inside, ev.ItemEnded(number)]


def part(number: int, part: int, *inside: ev.Event) -> list[ev.Event]:
    return [ev.PartStarted(number, part, "text"), *inside, ev.PartEnded(number, part)]


LEGAL: dict[str, list[ev.Event]] = {
    "the shortest": [STARTED, ENDED],
    "a vendor that fails before it begins": [FAILED],
    "a message": [STARTED, *item(0, *part(0, 0, ev.Delta(0, 0, "x"), CITED, ev.Delta(0, 0, "y"))), ENDED],
    "two parts, one inside the other's time": [
        STARTED,
        *item(0, ev.PartStarted(0, 0, "text"), *part(0, 1), ev.PartEnded(0, 0)),
        ENDED,
    ],
    "items that overlap": [
        STARTED,
        ev.ItemStarted(0, "reasoning"),
        *item(1, *part(1, 0)),
        ev.Progressed(0, "searching"),
        ev.ItemEnded(0),
        FAILED,
    ],
    "progress of the response": [STARTED, ev.Progressed(None, "queued"), *item(0), ENDED],
    "opaque anywhere": [OPAQUE, STARTED, *item(0, OPAQUE, *part(0, 0, OPAQUE)), OPAQUE, ENDED],
}

BROKEN: dict[str, tuple[list[ev.Event], str]] = {
    "nothing at all": ([], "no Ended"),
    "no end": ([STARTED], "no Ended"),
    "an end without a beginning": ([ENDED], "Started comes once"),
    "two beginnings": ([STARTED, STARTED, ENDED], "Started comes once"),
    "something after the end": ([STARTED, ENDED, OPAQUE], "nothing may follow"),
    "two ends": ([STARTED, ENDED, ENDED], "nothing may follow"),
    "an item before the beginning": ([*item(0), STARTED, ENDED], "Started comes once"),
    "progress before the beginning": ([ev.Progressed(None, "queued"), STARTED, ENDED], "Started comes once"),
    "an item number left out": ([STARTED, *item(1), ENDED], "next number is 0"),
    "an item number twice": ([STARTED, *item(0), *item(0), ENDED], "next number is 1"),
    "an item left open": ([STARTED, ev.ItemStarted(0, "message"), ENDED], "every item must be closed"),
    "an item left open at a failure": ([STARTED, ev.ItemStarted(0, "message"), FAILED], "every item must be closed"),
    "an item closed twice": ([STARTED, *item(0), ev.ItemEnded(0), ENDED], "item is not open"),
    "a part of no item": ([STARTED, *part(0, 0), ENDED], "item is not open"),
    "a part after its item": ([STARTED, *item(0), *part(0, 0), ENDED], "item is not open"),
    "a part number left out": ([STARTED, *item(0, *part(0, 1)), ENDED], r"next number is \(0, 0\)"),
    "a part left open": ([STARTED, *item(0, ev.PartStarted(0, 0, "text")), ENDED], "parts must be closed"),
    "a delta of no part": ([STARTED, *item(0, ev.Delta(0, 0, "x")), ENDED], "part is not open"),
    "a delta after its part": ([STARTED, *item(0, *part(0, 0), ev.Delta(0, 0, "x")), ENDED], "part is not open"),
    "B13 a citation after its part": ([STARTED, *item(0, *part(0, 0), CITED), ENDED], "part is not open"),
    "progress of a closed item": ([STARTED, *item(0), ev.Progressed(0, "x"), ENDED], "item is not open"),
    "a failure without an error": ([STARTED, ev.Ended("failed", ev.Finish("error"))], "an error goes with"),
    "an error without a failure": ([STARTED, ev.Ended("completed", STOP, error=ProtocolError("x"))], "an error goes"),
}


@pytest.mark.parametrize("walk", LEGAL.values(), ids=LEGAL.keys())
def test_a_legal_walk(walk: list[ev.Event]) -> None:
    check_walk(walk)


@pytest.mark.parametrize(("walk", "rule"), BROKEN.values(), ids=BROKEN.keys())
def test_a_broken_walk(walk: list[ev.Event], rule: str) -> None:
    with pytest.raises(WalkError, match=rule):
        check_walk(walk)
