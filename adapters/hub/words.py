"""Words of a client's that a vendor has its own words for, and what is lost with each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from adapters.hub.coverage import EXACT, Rule


@dataclass(frozen=True, slots=True)
class Word:
    """What the vendor is told instead; None where it is told nothing."""

    said: str | None
    rule: Rule = EXACT


def rules_of(words: Mapping[str, Word]) -> dict[str, Rule]:
    """The rows of such words."""
    return {name: word.rule for name, word in words.items()}
