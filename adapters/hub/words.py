"""Words of a client's that have a vendor's own word, and what is lost with it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from adapters.hub.coverage import EXACT, Rule, dropped
from adapters.hub.losses import Ledger


@dataclass(frozen=True, slots=True)
class Word:
    """What the vendor is told instead; None where it is told nothing."""

    said: str | None
    rule: Rule = EXACT


_UNKNOWN = Word(None, dropped("the vendor has no such word"))


def spell(words: Mapping[str, Word], word: str, path: str, losses: Ledger) -> str | None:
    """The vendor's word, and a report of what is lost by it."""
    known = words.get(word, _UNKNOWN)
    if known.rule.reason:
        losses.note(path, known.rule.reason)
    return known.said


def rules_of(words: Mapping[str, Word]) -> dict[str, Rule]:
    """The rows of such words."""
    return {name: word.rule for name, word in words.items()}
