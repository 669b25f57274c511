"""Silence: one timer that looks at a clock; the loop's time is the test's to set."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

from app.silence import Silence


class Clock(asyncio.SelectorEventLoop):
    """A loop whose time stands still until it is moved; it keeps its timers in a list."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 100.0
        self.timers: list[tuple[float, Callable[[], object]]] = []

    def time(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()

    def call_later(delay: float, callback: Callable[[], object], *_: object) -> asyncio.TimerHandle:
        clock.timers.append((clock.now + delay, callback))
        return asyncio.TimerHandle(clock.now + delay, callback, (), clock)

    monkeypatch.setattr(clock, "call_later", call_later)
    monkeypatch.setattr(asyncio, "get_running_loop", lambda: clock)
    clock.close()
    return clock


def ring(clock: Clock) -> float:
    """Move the time to the last timer that was set, and let it ring."""
    clock.now, callback = clock.timers[-1]
    callback()
    return clock.now


def test_it_acts_after_each_silence(clock: Clock) -> None:
    acts: list[float] = []
    Silence(10, lambda: acts.append(clock.now))
    assert [ring(clock), ring(clock)] == acts == [110, 120]


def test_a_touch_puts_it_off_without_a_new_timer(clock: Clock) -> None:
    acts: list[float] = []
    silence = Silence(10, lambda: acts.append(clock.now))
    for clock.now in (103, 107):
        silence.touch()
    assert len(clock.timers) == 1
    assert (ring(clock), acts) == (110, [])
    assert (ring(clock), acts) == (117, [117])


def test_it_can_be_stopped(clock: Clock) -> None:
    silence = Silence(10, lambda: None)
    silence.stop()
    silence.stop()
