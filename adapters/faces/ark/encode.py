"""Any vendor's answer, written for a client of Ark."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from adapters.faces.ark.items import retell_item
from adapters.faces.ark.request import NAME
from adapters.faces.ark.stage import ArkStage
from adapters.faces.ark.words import WORDS
from adapters.hub import events as ev
from adapters.hub.adapter import Encoding
from adapters.hub.items import MESSAGE, REASONING
from adapters.responses.annotations import EXTENSION
from adapters.responses.books import ItemBook
from adapters.responses.encode import ResponsesEncoder
from adapters.responses.extension import uncited
from adapters.wire_json import Json, as_list, as_object

_HAVE_STATUS: Final = frozenset({MESSAGE, "knowledge_search_call", "image_process"})
_SPOKEN_OF_ITEMS: Final = frozenset({"id", "status", "content", "summary", "arguments", "input", "encrypted_content"})
_SPOKEN_OF_PARTS: Final = frozenset({"text", "refusal", "annotations"})


class ArkEncoder(ResponsesEncoder):
    """The family's encoder in Ark's words, behind the stage that knows what Ark has no kinds for."""

    def __init__(self, encoding: Encoding) -> None:
        super().__init__(WORDS, encoding)
        self._stage = ArkStage(encoding)

    def feed(self, event: ev.Event, /) -> list[bytes]:
        """The frames of one event; [] for all of a non-stream answer."""
        if self._stage.idle and type(event) is ev.Delta:
            return super().feed(event)
        if type(event) is ev.Ended and (left := self._stage.left()):
            self.ride(left)
        return [frame for told in self._stage.feed(event) for frame in super(ArkEncoder, self).feed(told)]

    def _final_item(self, book: ItemBook, event: ev.ItemEnded) -> Json:
        """The item as it ends, which carries whatever does not come back from what it says in Ark's words."""
        item = super()._final_item(book, event)
        whole = as_object(event.extra.data.get("item")) if event.extra is not None else {}
        if not whole or event.extra is None or event.extra.wire == NAME:
            return item
        if "status" not in whole and book.kind not in _HAVE_STATUS:
            del item["status"]
        if book.kind == REASONING and whole.get("content") == []:
            item["content"] = []
        left = [*_left_of(item, whole)]
        if event.status is None and "status" in whole:
            left.append((item, {"status": whole["status"]}))  # one that does not end an item
        if left and not self._rich:
            self._encoding.losses.note(f"output[{book.index}]", f"what {event.extra.wire} says beyond Ark's words")
        for target, missing in left if self._rich else ():
            said = as_object(target.get(EXTENSION))
            rest = {**missing, **as_object(said.get("rest"))}
            target[EXTENSION] = {"v": event.extra.wire, **said, "rest": rest}
        return item


def _left_of(item: Json, whole: Json) -> Iterator[tuple[Json, Json]]:
    """The item and its parts, each with what does not come back of the vendor's own from what it says."""
    told = retell_item(uncited(item), NAME)
    if missing := _missing(told, whole, _SPOKEN_OF_ITEMS):
        yield item, missing
    if as_list(item.get("content")):
        item["content"] = [dict(as_object(part)) for part in item["content"]]
        lists = (as_list(said.get("content")) for said in (item, told, whole))
        for part, shown, own in zip(*lists, strict=False):
            if missing := _missing(as_object(shown), as_object(own), _SPOKEN_OF_PARTS):
                yield part, missing


def _missing(told: Json, whole: Json, spoken: frozenset[str]) -> Json:
    return {key: value for key, value in whole.items() if key not in spoken and key not in told}
