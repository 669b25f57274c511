"""Linear: twice as much to say is twice the work, in calls of functions and not in seconds."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

import pytest

import adapters
from adapters.hub import events as ev
from adapters.hub.annotations import Span, UrlCitation
from adapters.hub.asking import Named, question
from adapters.hub.errors import BadRequest
from adapters.hub.items import ARGUMENTS, CODE, FUNCTION_CALL, MESSAGE, TEXT
from adapters.hub.kept import Kept
from adapters.hub.losses import Ledger
from adapters.wire_json import Json
from tests.laws.corpus import FACES, VENDORS, encode, surface
from tests.laws.requests_elsewhere import WHOLE

MANY = 100
SLACK = 1.15
"""Twice as much takes twice as many calls and a little; what looks at all before takes nearly four times as many."""


def calls(work: Callable[[], Any]) -> int:
    """How many functions are called, those of the interpreter too; each step of a generator is one."""
    count = 0

    def note(_: FrameType, event: str, __: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        work()
    finally:
        sys.setprofile(before)
    return count


def linear(work: Callable[[int], Any]) -> None:
    work(1)  # what is made once is made
    assert calls(lambda: work(2 * MANY)) <= 2 * SLACK * calls(lambda: work(MANY))


# -- answers -----------------------------------------------------------------------------------


def answer(*said: list[ev.Event]) -> list[ev.Event]:
    end = ev.Ended("completed", ev.Finish("stop"))
    return [ev.Started("openai", "resp_1", "m"), *(event for events in said for event in events), end]


def item(number: int, kind: str, part: str, *inside: ev.Event) -> list[ev.Event]:
    opened = [ev.ItemStarted(number, kind, f"i_{number}", f"c_{number}", "f"), ev.PartStarted(number, 0, part)]
    return [*opened, *inside, ev.PartEnded(number, 0), ev.ItemEnded(number)]


def code(number: int) -> list[ev.Event]:
    """An item that some dialects have no word for: it rides with another."""
    whole: Json = {"id": f"i_{number}", "type": CODE, "code": "1", "container_id": "c", "outputs": None}
    return [ev.ItemStarted(number, CODE, f"i_{number}"), ev.ItemEnded(number, extra=Kept("openai", {"item": whole}))]


def parts(count: int) -> list[ev.Event]:
    inside: list[list[ev.Event]] = [
        [ev.PartStarted(0, n, TEXT), ev.Delta(0, n, "ab"), ev.PartEnded(0, n)] for n in range(count)
    ]
    return answer([ev.ItemStarted(0, MESSAGE, "i_0")], *inside, [ev.ItemEnded(0)])


def cites(count: int) -> list[ev.Event]:
    cited = [
        [ev.Delta(0, 0, "ab"), ev.Annotated(0, 0, UrlCitation("u", "t", Span(2 * n, 2 * n + 2)))] for n in range(count)
    ]
    return answer(item(0, MESSAGE, TEXT, *(event for events in cited for event in events)))


def overlapping(count: int) -> list[ev.Event]:
    began: list[ev.Event] = [ev.ItemStarted(number, MESSAGE, f"i_{number}") for number in range(count)]
    return answer(began, [ev.ItemEnded(number) for number in reversed(range(count))])


ANSWERS: dict[str, Callable[[int], list[ev.Event]]] = {
    "messages": lambda count: answer(*(item(n, MESSAGE, TEXT, ev.Delta(n, 0, "ab")) for n in range(count))),
    "calls": lambda count: answer(*(item(n, FUNCTION_CALL, ARGUMENTS, ev.Delta(n, 0, "{}")) for n in range(count))),
    "riders": lambda count: answer(*map(code, range(count)), item(count, MESSAGE, TEXT)),
    "parts": parts,
    "citations": cites,
    "items at the same time": overlapping,
}


@pytest.mark.parametrize("stream", [True, False], ids=["streamed", "whole"])
@pytest.mark.parametrize("face", FACES)
@pytest.mark.parametrize("said", ANSWERS.values(), ids=ANSWERS.keys())
def test_an_answer(said: Callable[[int], list[ev.Event]], face: str, stream: bool) -> None:
    linear(lambda count: encode(said(count), face, stream=stream))


# -- requests ----------------------------------------------------------------------------------

_FOREIGN: Json = {"v": "openai", "before": [{"v": "openai", "raw": {"type": CODE, "id": "ci_1", "code": "1"}}]}
MORE: dict[str, list[Json]] = {
    "openai": [],
    "ark": [
        {
            "type": "message",
            "role": "assistant",
            "id": "msg_gw1openai_1",
            "field_of_tomorrow": "x",
            "content": [{"type": "output_text", "text": "a"}],
            "x_dragoman": _FOREIGN,
        },
    ],
    "gemini": [
        {
            "type": "model_output",
            "field_of_tomorrow": "x",
            "content": [{"type": "text", "text": text}],
            "x_dragoman": {"v": "openai", "id": "msg_1", "continues": text == "b"},
        }
        for text in "ab"
    ],
}
"""What other vendors said, and fields that nobody knows, in each dialect."""


@pytest.mark.parametrize("vendor", VENDORS)
@pytest.mark.parametrize("face", FACES)
def test_a_conversation(face: str, vendor: str) -> None:
    def ask(count: int) -> None:
        body = {"model": "m", "input": [*WHOLE[face]["input"], *MORE[face]] * count}
        try:
            request = surface(face).decode_request(body)
            question(surface(face), adapters.load(vendor), request, Ledger(), Named("m"))
        except BadRequest as refusal:
            pytest.fail(f"nothing is measured: {refusal.message}")

    linear(ask)
