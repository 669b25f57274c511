"""What is written down of a body while it is retold: what other vendors cannot be told, and where all of it stood."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from adapters.faces.gemini.coverage import NO_FIELD
from adapters.hub.coverage import Rule, dropped
from adapters.hub.words import Word
from adapters.responses.annotations import EXTENSION
from adapters.wire_json import Json

_NOTHING: Final[tuple[Any, ...]] = (None, [], {})


@dataclass(slots=True)
class Notes:
    """`private` says what becomes of a field at any other vendor, by its path in the body; `paths` says where in the
    body stands what the common words call by another path.
    """

    private: dict[str, Rule] = field(default_factory=dict[str, Rule])
    paths: dict[str, str] = field(default_factory=dict[str, str])

    def heed(self, rule: Rule, path: str) -> None:
        """Write down a word that does not arrive, or is refused."""
        if rule.verdict == "rejected" or (rule.verdict == "dropped" and rule.reason):
            self.private.setdefault(path, rule)

    def follow(self, rows: Mapping[str, Rule], said: Json, path: str) -> None:
        """Write down what does not arrive of an object's fields; one without a row is the dialect's own alone."""
        for name, value in said.items():
            if value not in _NOTHING and name != EXTENSION:
                self.heed(rows.get(name, NO_FIELD), f"{path}.{name}" if path else name)

    def spell(self, words: Mapping[str, Word], unknown: Rule, word: str, path: str) -> str | None:
        """The common word, and a note of what is lost by it."""
        known = words.get(word) or Word(None, unknown)
        self.heed(dropped(known.rule.reason) if known.rule.verdict == "approximated" else known.rule, path)
        return known.said
