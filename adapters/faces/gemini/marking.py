"""What a step carries for the vendor that said it, beyond the dialect's words: its `x_dragoman`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from adapters.faces.gemini.books import ItemBook, PartBook
from adapters.faces.gemini.extension import rest_of_item, rest_of_part
from adapters.faces.gemini.marks import NAME
from adapters.faces.gemini.riders import Riders
from adapters.hub.adapter import Encoding
from adapters.hub.items import FUNCTION_CALL, REFUSAL
from adapters.hub.kept import Kept
from adapters.responses.annotations import EXTENSION
from adapters.responses.tables import CLIENT_CALLS
from adapters.wire_json import Json, as_list, as_object

_KINDS_UNTOLD: Final = CLIENT_CALLS - {FUNCTION_CALL}
"""Calls that the dialect has no step for, but that of a function's."""
_NO_WORD: Final = "fields that the dialect has no word for"


class Marker:
    """Marks the steps of one answer. `vendor` is who gives it; `riders` are its items that have no step."""

    def __init__(self, encoding: Encoding) -> None:
        self.vendor = NAME
        self.rich = encoding.fidelity != "strict"
        self.riders = Riders(encoding)
        self._losses = encoding.losses

    def lose(self, path: str) -> None:
        """Report what a client is not told."""
        self._losses.note(path, f"{self.vendor} said {_NO_WORD}")

    def announce(self, book: ItemBook) -> Json:
        """The mark of the item's step from its start: whose it is, unless its id tells, and whether it goes on with
        the item of the step before it.
        """
        foreign = self.vendor != NAME
        said: Json = {"continues": True} if book.parted else {}
        if foreign and book.started.id and not book.shown:
            said["id"] = book.started.id
        if foreign and book.started.kind in _KINDS_UNTOLD:
            said["kind"] = book.started.kind
        return {"v": self.vendor, **said} if self.rich and (said or (foreign and not book.shown)) else {}

    def mark_first(self, book: ItemBook, step: Json) -> Json:
        """A step of an item that has more of them, which says only whose it is, and who rides with it."""
        said = {**book.announced, **self.riders.board()} if self.rich else {}
        return {**step, EXTENSION: {"v": self.vendor, **said}} if said else step

    def mark(self, book: ItemBook, extra: Kept | None, steps: list[Json]) -> list[Json]:
        """The steps of an item, of which the first carries what the vendor said beyond them, and who rides with it."""
        first, *others = steps
        kept = extra if extra is not None and extra.wire != NAME else None
        if not self.rich:
            if rest_of_item(kept, steps) or (kept is not None and book.started.id and not book.shown):
                self.lose(f"steps[{book.index}]")
            return steps
        if book.announced:
            first = {**first, EXTENSION: book.announced}
        rest = rest_of_item(kept, [_as_streamed(first), *others])
        said = {**book.announced, **({"rest": rest} if rest else {}), **self.riders.board()}
        return [{**first, EXTENSION: {"v": self.vendor, **said}}, *others] if said else steps

    def of_part(self, book: ItemBook, part: PartBook, extra: Kept | None) -> Json:
        """The mark of the block that a text of a message is, once that has ended; {} where it needs none."""
        if self.vendor == NAME:
            return {}
        said: Json = {"v": part.held_wire, "annotations": part.held} if part.held else {}
        if part.kind == REFUSAL:
            said |= {"v": self.vendor, "kind": REFUSAL}
        raw = as_object(extra.data.get("part")) if extra is not None else {}
        if extra is not None and (rest := rest_of_part(raw, part.kind)):
            said |= {"v": extra.wire, "rest": rest}
        if said and not self.rich:
            self.lose(f"steps[{book.index}]")
            return {}
        return said

    def of_parts(self, book: ItemBook, extra: Kept | None) -> Iterator[tuple[Json, Json]]:
        """The blocks of a message of which only the whole item tells more, each with its mark."""
        if extra is None or extra.wire == NAME or not self.rich:
            return
        texts = [part for part in book.parts if part.block is not None and part.name == "text"]
        whole = map(as_object, as_list(as_object(extra.data.get("item")).get("content")))
        for part, raw in zip(texts, whole, strict=False):
            block = part.block or {}
            said, rest = as_object(block.get(EXTENSION)), rest_of_part(raw, part.kind)
            if rest and "rest" not in said:
                yield block, {"v": extra.wire, **said, "rest": rest}


def _as_streamed(step: Json) -> Json:
    """The step as a client puts it together from a stream: no delta tells the parts of a summary apart."""
    summary = as_list(step.get("summary"))
    return step if len(summary) < 2 else {**step, "summary": [{"type": "text", "text": ""}]}
