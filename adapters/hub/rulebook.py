"""Does with the words of a request what their rows say."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from adapters.hub.coverage import Rule
from adapters.hub.errors import Unsupported
from adapters.hub.losses import Ledger
from adapters.hub.words import Word
from adapters.wire_json import Json

_NOTHING: tuple[Any, ...] = (None, [], {})


@dataclass(frozen=True, slots=True)
class Rulebook:
    """`vendor` is its name in prose. `unknown` is the rule of a word without a row; `idle` are fields with values
    that ask for what the vendor does anyway.
    """

    vendor: str
    unknown: Rule
    idle: tuple[tuple[str, Any], ...] = ()

    def follow(self, rows: Mapping[str, Rule], said: Json, path: str, losses: Ledger) -> None:
        """Report what is dropped of an object's fields, and refuse what is rejected."""
        for field, value in said.items():
            if value not in _NOTHING and (field, value) not in self.idle:
                self.heed(rows.get(field, self.unknown), field, f"{path}.{field}" if path else field, losses)

    def heed(self, rule: Rule, what: str, path: str, losses: Ledger) -> None:
        """Report or refuse `what`, which stands at `path`, as its row says. Raises `Unsupported`."""
        if rule.verdict == "rejected":
            raise Unsupported(f"{self.vendor} cannot take '{what}': {rule.reason}.", param=path)
        if rule.verdict == "dropped" and rule.reason:
            losses.note(path, rule.reason)

    def spell(self, words: Mapping[str, Word], word: str, path: str, losses: Ledger) -> str | None:
        """The vendor's word, and a report of what is lost by it; None where it is told nothing."""
        known = words.get(word) or Word(None, self.unknown)
        if known.rule.reason:
            losses.note(path, known.rule.reason)
        return known.said
