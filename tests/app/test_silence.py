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

    def ring(self) -> float:
        """Move the time to the last timer that was set, and let it ring."""
        self.now, ring = self.timers[-1]
        ring()
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()

    def call_later(delay: float, callback: Callable[..., object], *given: object) -> asyncio.TimerHandle:
        clock.timers.append((clock.now + delay, lambda: callback(*given)))
        return asyncio.TimerHandle(clock.now + delay, callback, given, clock)

    monkeypatch.setattr(clock, "call_later", call_later)
    monkeypatch.setattr(asyncio, "get_running_loop", lambda: clock)
    clock.close()
    return clock


def test_it_acts_after_each_silence(clock: Clock) -> None:
    acts: list[float] = []
    Silence(8).watch(lambda: acts.append(clock.now))
    while clock.ring() < 120:
        pass
    assert acts == [108, 116]


def test_a_touch_puts_it_off_without_a_new_timer(clock: Clock) -> None:
    acts: list[float] = []
    sign = Silence(8).watch(lambda: acts.append(clock.now))
    for clock.now in (103, 107.5):
        sign.touch()
    assert len(clock.timers) == 1
    while clock.ring() < 116:
        pass
    assert acts == [116]


def test_one_timer_looks_at_all(clock: Clock) -> None:
    acts: list[str] = []
    silence = Silence(8)
    silence.watch(lambda: acts.append("first"))
    clock.now += 4
    second = silence.watch(lambda: acts.append("second"))
    assert len(clock.timers) == 1
    while clock.ring() < 110:
        second.touch()
    assert acts == ["first"]


def test_it_rests_while_there_is_nobody_to_watch(clock: Clock) -> None:
    silence = Silence(8)
    sign = silence.watch(lambda: pytest.fail("it has left"))
    silence.leave(sign)
    silence.leave(sign)
    assert (clock.ring(), len(clock.timers)) == (101, 1)
    silence.watch(lambda: None)
    assert len(clock.timers) == 2


def test_an_act_that_fails_does_not_end_the_watch(clock: Clock) -> None:
    def fail() -> None:
        raise RuntimeError("a fault of the act")

    Silence(8).watch(fail)
    while clock.ring() < 107:
        pass
    with pytest.raises(RuntimeError):
        clock.ring()
    assert clock.timers[-1][0] > clock.now
