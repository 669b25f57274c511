"""Characters that the wire cut in two: an emoji escaped as two halves, one in each of two deltas."""

from __future__ import annotations

from adapters.hub.surrogates import mend_all
from adapters.wire_json import Json, as_object


class Halves:
    """Joins halves between the deltas of one step; one that stays alone becomes U+FFFD.

    `held` is the half that waits for the next delta, "" almost always.
    """

    __slots__ = ("_event", "held")

    def __init__(self) -> None:
        self.held = ""
        self._event: Json = {}

    def join(self, event: Json) -> list[Json]:
        """Give the events to decode in place of `event`, which may hold halves and is no longer needed."""
        holder, field = _text_of(event)
        text = holder.get(field)
        if not isinstance(text, str):
            return [*self.release(), mend_all(event)]
        before: list[Json] = []
        if self.held and event.get("index") == self._event.get("index"):
            text = self.held + text
        else:
            before = self.release()
        self.held = text[-1:] if "\ud800" <= text[-1:] <= "\udbff" else ""
        holder[field] = text.removesuffix(self.held)
        self._event = event
        return [*before, mend_all(event)]

    def release(self) -> list[Json]:
        """Give up waiting: the held half as a delta of its own."""
        if not self.held:
            return []
        self.held = ""
        holder, field = _text_of(self._event)
        holder[field] = "\ufffd"
        return [mend_all(self._event)]


def _text_of(event: Json) -> tuple[Json, str]:
    """Where a delta holds its text: beside its type, in the content of a summary, or as arguments."""
    delta = as_object(event.get("delta"))
    holder = as_object(delta.get("content")) or delta
    return holder, "arguments" if "arguments" in holder else "text"
