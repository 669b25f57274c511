"""The ledger: each loss once, in order, at a cost that does not grow with what is in it."""

from __future__ import annotations

from typing_extensions import override

from adapters.hub.losses import Ledger, Loss


class Compared(str):
    """A path that counts how often one is compared with another."""

    __slots__ = ()
    times = 0

    @override
    def __eq__(self, other: object) -> bool:
        Compared.times += 1
        return str.__eq__(self, other)

    __hash__ = str.__hash__


def test_the_same_path_and_reason_count_once() -> None:
    ledger = Ledger()
    for path, reason in [("a", "x"), ("b", "x"), ("a", "y"), ("a", "x")]:
        ledger.note(path, reason)
    assert ledger.losses == [Loss("a", "x"), Loss("b", "x"), Loss("a", "y")]


def test_a_note_is_not_compared_with_all_that_stand_there() -> None:
    ledger = Ledger()
    for number in range(1000):
        ledger.note(Compared(f"input[{number}]"), "why")
    assert len(ledger.losses) == 1000
    assert Compared.times < 1000
