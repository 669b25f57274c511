"""What Ark itself is sent for a request of its own dialect: what the client said, less what is other vendors'."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from adapters.faces.ark.coverage import NO_FIELD
from adapters.faces.ark.items import riders_of
from adapters.faces.ark.request import NAME
from adapters.hub.losses import Ledger
from adapters.hub.previous import previous_id_at
from adapters.hub.request import Item, Request
from adapters.hub.tags import owner, read_signature
from adapters.responses.annotations import EXTENSION
from adapters.responses.extension import without_extension, words_for
from adapters.wire_json import Json, as_list, as_object, as_text

EncodeItem = Callable[[Item, Ledger, str], Json | None]
"""How Ark is told an item of the common words; None where it is told nothing, which is reported."""


def own_or(encode_request: Callable[[Request, Ledger], Json], encode_item: EncodeItem) -> Callable[..., Json]:
    """How Ark is told a request: its own dialect as it came, and any other as `encode_request` tells it."""

    def encode(request: Request, losses: Ledger) -> Json:
        own = request.origin is not None and request.wire == NAME
        return _own_body(request, losses, encode_item) if own else encode_request(request, losses)

    return encode


def _own_body(request: Request, losses: Ledger, encode_item: EncodeItem) -> Json:
    """The client's own body. Raises `BadRequest` for a previous response of another vendor."""
    said = request.origin.body if request.origin is not None else {}
    body = {key: value for key, value in said.items() if key != EXTENSION} | {"model": request.model}
    if (previous := previous_id_at(NAME, request)) is not None:
        body["previous_response_id"] = previous
    if isinstance(said.get("input"), list):
        body["input"] = _items(as_list(said["input"]), request, losses, encode_item)
    return body | words_for(NAME, request)


def _items(said: list[Any], request: Request, losses: Ledger, encode_item: EncodeItem) -> list[Json]:
    unread: dict[str, list[str]] = {}
    for path in request.unread:
        unread.setdefault(path.partition(".")[0], []).append(path)

    def retold(place: int) -> Json | None:
        """What another vendor said, in Ark's words, which have no place for all of its fields."""
        here = f"input[{place}]"
        for path in unread.get(here, ()):
            losses.note(path, NO_FIELD.reason)
        return encode_item(request.items[place], losses, here)

    told: list[Json | None] = []
    at = 0
    for item in map(as_object, said):
        before, after = riders_of(item)
        for place in range(at, at + before + 1 + after):
            own = place == at + before and _is_own(item)
            told.append(without_extension(item, "", {}) if own else retold(place))
        at += before + 1 + after
    return [item for item in told if item is not None]


def _is_own(item: Json) -> bool:
    """Whether Ark, or the client itself, said the item."""
    blob = as_text(item.get("encrypted_content"))
    ids = (as_text(item.get(field)) for field in ("id", "approval_request_id"))
    if any(owner(id_, NAME) != NAME for id_ in ids) or (blob and read_signature(blob, NAME).wire != NAME):
        return False
    parts = [as_object(part) for part in as_list(item.get("content"))]
    cites = [as_object(cite) for part in parts for cite in as_list(part.get("annotations"))]
    said = [as_object(object_.get(EXTENSION)) for object_ in (item, *parts, *cites)]
    return all(extension.get("v", NAME) == NAME or extension.keys() <= _CARRIED for extension in said)


_CARRIED = frozenset({"v", "before", "after"})
