"""The gateway's own key in what a client sends: words for a vendor, and what came from one. No vendor may see it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, cast

from adapters.hub.fields import Fields
from adapters.hub.losses import Ledger
from adapters.hub.request import Request
from adapters.responses.annotations import EXTENSION
from adapters.wire_json import Json, as_object, as_text

_MORE_WAS_SAID: Final = "what another vendor said of it beyond the dialect is read only there"
"""Why a loss is reported of something that is sent on without what rode along with it."""


_NAMES: Final = ("v", "loc", "id", "kind", "continues")
"""What the key says of whose words they are, and not in words."""


def without_extension(value: Any, path: str, said: dict[str, str]) -> Any:
    """A copy without the key, at any depth; `said` gets the vendors whose words it kept, by where the key stood.

    `path` is where the value stands.
    """
    if isinstance(value, dict):
        fields = cast(Json, value)
        extension = as_object(fields.get(EXTENSION))
        if any(value for key, value in extension.items() if key not in _NAMES):
            said[f"{path}.{EXTENSION}"] = as_text(extension.get("v"))
        inner = fields.items()
        return {key: without_extension(field, f"{path}.{key}", said) for key, field in inner if key != EXTENSION}
    if isinstance(value, list):
        entries = enumerate(cast(list[Any], value))
        return [without_extension(entry, f"{path}[{number}]", said) for number, entry in entries]
    return value


def note_losses(said: Mapping[str, str], vendor: str, losses: Ledger) -> None:
    """Report what rode along for other vendors than `vendor`."""
    for path, wire in said.items():
        if wire != vendor:
            losses.note(path, _MORE_WAS_SAID)


def words_for(wire: str, request: Request) -> Json:
    """What the client says to the vendor `wire` in its own words; raises `BadRequest` unless that is an object.

    Nothing but the body's own `stream` decides whether the answer streams.
    """
    extension = Fields(request.extra.data if request.extra is not None else {}, request.wire).object(EXTENSION) or {}
    said = Fields(extension, request.wire, EXTENSION).object(wire) or {}
    return {key: value for key, value in said.items() if key != "stream"}


def uncited(said: Json) -> Json:
    """An item, or a step, without the citations of its content: each of them carries itself what is its vendor's."""
    content = said.get("content")
    if not isinstance(content, list):
        return said
    parts = map(as_object, cast(list[Any], content))
    return {**said, "content": [{key: value for key, value in part.items() if key != "annotations"} for part in parts]}
