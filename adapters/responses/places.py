"""Which item an event of the family speaks of: the one at its output_index, or of its id where an index is shared.

No member of the family gives two open items one index, but servers that imitate it do.
"""

from __future__ import annotations

from typing import Any

from adapters.responses.state import ItemState
from adapters.wire_json import Json, as_text


class Places:
    """The items of a response, in the order they were announced."""

    __slots__ = ("_last", "_shared", "items")

    def __init__(self) -> None:
        self.items: list[ItemState] = []
        self._last: dict[int, ItemState] = {}
        self._shared: set[int] = set()

    def add(self, state: ItemState) -> None:
        """Put a new item at its index, beside one that is still open there."""
        known = self._last.get(state.index)
        if known is not None and known.open:
            self._shared.add(state.index)
        self._last[state.index] = state
        self.items.append(state)

    def is_shared(self, index: int) -> bool:
        """Whether the index alone does not say which item is meant."""
        return index in self._shared

    def at(self, index: Any, id: Any, kind: str | None = None) -> ItemState | None:
        """The item at `index`; by `id` where there is no index, and by `id` or else `kind` where it is shared."""
        if type(index) is not int:
            return self._named(self.items, id)
        if index not in self._shared:
            return self._last.get(index)
        here = [state for state in self.items if state.index == index]
        alike = [state for state in here if state.kind == kind and state.open]
        return self._named(alike, id) or self._named(here, id) or (alike or here)[-1]

    def ranked(self, output: list[tuple[int, Json]]) -> list[tuple[ItemState | None, int, Json]]:
        """Each item of the terminal response, its index, and what is known of it: by its id, or else by its place."""
        items = sorted((state for state in self.items if state.index >= 0), key=lambda state: state.index)
        listed = [(index, item) for index, item in output if index >= 0]
        placed, trusted = self._last, False
        if len(items) == len(listed):
            placed = {index: state for state, (index, _) in zip(items, listed, strict=True)}
            trusted = all(_is_named(state, item) for state, (_, item) in zip(items, listed, strict=True))

        def known(index: int, item: Json) -> ItemState | None:
            if index < 0:
                return self._last.get(index)
            return placed[index] if trusted else self._named(self.items, item.get("id")) or placed.get(index)

        return [(known(index, item), index, item) for index, item in output]

    def next_index(self) -> int:
        """An index beyond all that were given."""
        return max(-1, *self._last) + 1 if self._last else 0

    @staticmethod
    def _named(items: list[ItemState], id: Any) -> ItemState | None:
        name = as_text(id)
        return next((state for state in items if name and state.id == name), None)


def _is_named(state: ItemState, item: Json) -> bool:
    return state.id == item.get("id")


def is_other(known: ItemState, item: Json) -> bool:
    """Whether `item` is surely not the known one: of another type, or with an id of its own."""
    type_, id_ = as_text(item.get("type")), as_text(item.get("id"))
    return (type_ not in ("", known.type)) or bool(id_ and known.id and id_ != known.id)
