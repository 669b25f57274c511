"""The report of what a target wire could not say."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field


@dataclass(slots=True)
class Loss:
    """`path` names the field in the source's terms, as `tools[0].filters`; `reason` is one sentence."""

    path: str
    reason: str


@dataclass(slots=True)
class Ledger:
    """Collects losses in the order they happen; the same path and reason count once.

    A request may make as many as it has fields, so a note costs the same however many there are.
    """

    losses: list[Loss] = field(default_factory=list[Loss])
    _noted: set[tuple[str, str]] = field(default_factory=set[tuple[str, str]], init=False, repr=False)

    def note(self, path: str, reason: str) -> None:
        """Report that `path` does not arrive at the target as it was given."""
        if (path, reason) not in self._noted:
            self._noted.add((path, reason))
            self.losses.append(Loss(path, reason))

    def respell(self, spell: Callable[[str], str]) -> None:
        """Call what was noted so far by the paths that `spell` gives for theirs."""
        noted, self.losses, self._noted = self.losses, [], set()
        for loss in noted:
            self.note(spell(loss.path), loss.reason)

    def told(self) -> list[dict[str, str]]:
        """The losses as an answer tells its client of them."""
        return [{"path": loss.path, "reason": loss.reason} for loss in self.losses]

    def __bool__(self) -> bool:
        return bool(self.losses)
