"""Half characters: JSON may escape one emoji as two halves and cut a delta between them."""

from __future__ import annotations

from typing import Any, cast

from adapters.wire_json import loads_lenient


class SurrogateJoiner:
    """Holds a high half back until its low half arrives; a half that stays alone becomes U+FFFD."""

    __slots__ = ("_held",)

    def __init__(self) -> None:
        self._held = ""

    def feed(self, text: str) -> str:
        """Give `text` with halves joined, without a high half at its very end."""
        text = self._held + text
        self._held = ""
        if text and "\ud800" <= text[-1] <= "\udbff":
            text, self._held = text[:-1], text[-1]
        return mend(text)

    def close(self) -> str:
        """Give what is still held."""
        held, self._held = self._held, ""
        return mend(held)


def mend(text: str) -> str:
    """Join halves that stand side by side; replace those that stand alone."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def mend_all(value: Any) -> Any:
    """Mend every string of a JSON value."""
    if isinstance(value, str):
        return value if value.isascii() else mend(value)
    if isinstance(value, list):
        return [mend_all(entry) for entry in cast(list[Any], value)]
    if isinstance(value, dict):
        return {mend_all(key): mend_all(entry) for key, entry in cast(dict[str, Any], value).items()}
    return value


def loads_mended(data: bytes) -> Any:
    """Read JSON that is refused only for its halves, and mend it; raises `JsonError` otherwise."""
    return mend_all(loads_lenient(data))
