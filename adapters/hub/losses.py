"""The report of what a target wire could not say."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(slots=True)
class Loss:
    """`path` names the field in the source's terms, as `tools[0].filters`; `reason` is one sentence."""

    path: str
    reason: str


@dataclass(slots=True)
class Ledger:
    """Collects losses in the order they happen; the same path and reason count once."""

    losses: list[Loss] = field(default_factory=list[Loss])

    def note(self, path: str, reason: str) -> None:
        """Report that `path` does not arrive at the target as it was given."""
        loss = Loss(path, reason)
        if loss not in self.losses:
            self.losses.append(loss)

    def __bool__(self) -> bool:
        return bool(self.losses)
