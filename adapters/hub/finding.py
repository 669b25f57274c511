"""Where words stand in a text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from adapters.hub.annotations import Span


def in_order(text: str, words: Iterable[str]) -> Iterator[Span | None]:
    """The place of each word, looked for behind the one before; None where it is not found."""
    at = 0
    for word in words:
        start = text.find(word, at) if word else -1
        at = start + len(word) if start >= 0 else at
        yield Span(start, at) if start >= 0 else None
