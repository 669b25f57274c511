"""A request to OpenAI: what a client of its dialect sent, less what belongs to other vendors.

OpenAI answers 400 to fields, ids and blobs that are not its own, so nothing foreign may remain.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from adapters.hub.kept import kept_by
from adapters.hub.losses import Ledger
from adapters.hub.previous import previous_id_at
from adapters.hub.request import FunctionCall, FunctionOutput, Item, Message, OpaqueItem, Reasoning, Request
from adapters.hub.tags import read_id, short_id
from adapters.openai.endpoint import NAME
from adapters.responses.annotations import EXTENSION
from adapters.responses.request import own_words
from adapters.responses.tables import ANNOTATION_TYPES
from adapters.wire_json import Json


def encode_request(request: Request, losses: Ledger) -> Json:
    """The body for OpenAI. Raises `BadRequest` for a previous response of another vendor."""
    said = kept_by(NAME, request.source) or {}
    body = {key: value for key, value in said.items() if key != EXTENSION}
    body["model"] = request.model
    previous_id_at(NAME, request)
    if request.items:
        encoded = [_encode_item(item, losses, f"input[{n}]") for n, item in enumerate(request.items)]
        body["input"] = [item for item in encoded if item is not None]
    return body | own_words(request, NAME)


def _encode_item(item: Item, losses: Ledger, path: str) -> Json | None:
    raw = _without_extension(kept_by(NAME, item.source) or {})
    if item.id is not None and read_id(item.id, NAME)[0] != NAME:
        raw.pop("id", None)
    return _CLEANERS[type(item)](item, raw, losses, path)


def _without_extension(value: Any) -> Any:
    """A copy without the gateway's own key, at any depth."""
    if isinstance(value, dict):
        fields = cast(Json, value)
        return {key: _without_extension(inner) for key, inner in fields.items() if key != EXTENSION}
    if isinstance(value, list):
        return [_without_extension(inner) for inner in cast(list[Any], value)]
    return value


def _message(_: Message, raw: Json, losses: Ledger, path: str) -> Json | None:
    content = raw.get("content")
    if not isinstance(content, list):
        return raw
    for number, part in enumerate(cast(list[Json], content)):
        annotations = cast(list[Json] | None, part.get("annotations"))
        if part.get("type") != "output_text":
            continue
        # "Missing required parameter" is the answer to an output_text without the list
        part["annotations"] = [a for a in annotations or [] if a.get("type") in ANNOTATION_TYPES]
        for at, annotation in enumerate(annotations or []):
            if annotation.get("type") not in ANNOTATION_TYPES:
                where = f"{path}.content[{number}].annotations[{at}]"
                losses.note(where, f"OpenAI has no annotation type {annotation.get('type')}")
    return raw


def _reasoning(item: Reasoning, raw: Json, losses: Ledger, path: str) -> Json | None:
    foreign_id = item.id is not None and read_id(item.id, NAME)[0] != NAME
    if item.signature is not None and item.signature.wire != NAME:
        losses.note(path, f"reasoning signed by {item.signature.wire} is valid only there")
        return None
    if foreign_id:
        losses.note(path, "reasoning of another vendor")
        return None
    return raw


def _call(item: FunctionCall | FunctionOutput, raw: Json, _: Ledger, __: str) -> Json | None:
    raw["call_id"] = short_id("call_", item.call_id)
    return raw


def _opaque(item: OpaqueItem, raw: Json, losses: Ledger, path: str) -> Json | None:
    if item.id is not None and read_id(item.id, NAME)[0] != NAME:
        losses.note(path, f"{item.kind} of another vendor")
        return None
    return raw


_CLEANERS: dict[type, Callable[[Any, Json, Ledger, str], Json | None]] = {
    Message: _message,
    Reasoning: _reasoning,
    FunctionCall: _call,
    FunctionOutput: _call,
    OpaqueItem: _opaque,
}
