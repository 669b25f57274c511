"""A request to OpenAI: what a client said in the common words, which are OpenAI's, less what belongs to other vendors.

OpenAI answers 400 to fields, ids and blobs that are not its own, so nothing foreign may remain.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from adapters.hub.losses import Ledger
from adapters.hub.previous import previous_id_at
from adapters.hub.request import FunctionCall, FunctionOutput, Item, Message, OpaqueItem, Reasoning, Request
from adapters.hub.tags import owner, read_id, short_id
from adapters.openai.coverage import CONTENT, FOREIGN, ITEM_FIELDS, NEEDS_ID, NO_ADDRESS, PRIVATE, RULES
from adapters.openai.endpoint import NAME
from adapters.openai.returning import client_of, restored
from adapters.openai.stores import tell_stores
from adapters.responses.annotations import EXTENSION
from adapters.responses.extension import note_losses, without_extension, words_for
from adapters.responses.tables import ANNOTATION_FIELDS
from adapters.wire_json import Json, as_text


def encode_request(request: Request, losses: Ledger) -> Json:
    """The body for OpenAI. Raises `BadRequest` for a previous response of another vendor."""
    said = request.source.data if request.source is not None else {}
    body = {key: value for key, value in said.items() if key != EXTENSION}
    body["model"] = request.model
    if (previous := previous_id_at(NAME, request)) is not None:
        body["previous_response_id"] = previous
    if "tools" in body:
        body["tools"] = tell_stores(body["tools"], request)
    if request.text is not None:
        body["input"] = request.text
    if request.items:
        encoded = [_encode_item(item, losses, f"input[{n}]") for n, item in enumerate(request.items)]
        body["input"] = [item for item in encoded if item is not None]
    return body | words_for(NAME, request)


def _encode_item(item: Item, losses: Ledger, path: str) -> Json | None:
    said: dict[str, str] = {}
    source = item.source.data if item.source is not None else {}
    raw = without_extension(source if client_of(item) == NAME else restored(item, source), path, said)
    if _is_foreign(item):
        raw.pop("id", None)
    told = _CLEANERS[type(item)](item, raw, losses, path)
    if told is not None:
        note_losses(said, NAME, losses)
    return told


def _is_foreign(item: Item) -> bool:
    return owner(item.id, client_of(item)) != NAME


def _message(item: Message, raw: Json, losses: Ledger, path: str) -> Json | None:
    if raw.get("partial") is not None:
        RULES.heed(ITEM_FIELDS["partial"], "partial", f"{path}.partial", losses)
    if not isinstance(raw.get("content"), list):
        return raw
    foreign = _is_foreign(item)
    for number, part in enumerate(cast(list[Json], raw["content"])):
        _check_part(part, losses, f"{path}.content[{number}]")
        if part.get("type") == "output_text":
            # "Missing required parameter" is the answer to an output_text without the list
            given = cast(list[Json], part.get("annotations") or [])
            part["annotations"] = _annotations(given, foreign, losses, f"{path}.content[{number}]")
    return raw


def _check_part(part: Json, losses: Ledger, path: str) -> None:
    """Other members of the family take more than OpenAI does."""
    kind = as_text(part.get("type"))
    if kind in CONTENT:
        RULES.heed(CONTENT[kind], kind, path, losses)
    if kind == "input_audio" and "audio_url" in part:
        RULES.heed(NO_ADDRESS, kind, f"{path}.audio_url", losses)


def _annotations(given: list[Json], foreign: bool, losses: Ledger, path: str) -> list[Json]:
    """The citations that OpenAI knows; of another vendor's, only the fields that OpenAI knows."""
    known: list[Json] = []
    for at, annotation in enumerate(given):
        fields = ANNOTATION_FIELDS.get(as_text(annotation.get("type")))
        if fields is None:
            losses.note(f"{path}.annotations[{at}]", f"OpenAI has no annotation type {annotation.get('type')}")
        else:
            known.append({key: value for key, value in annotation.items() if not foreign or key in fields})
    return known


def _reasoning(item: Reasoning, raw: Json, losses: Ledger, path: str) -> Json | None:
    if _is_foreign(item) or (item.signature is not None and item.signature.wire != NAME):
        RULES.heed(FOREIGN["reasoning"], "reasoning", path, losses)
        return None
    return raw


def _call(item: FunctionCall | FunctionOutput, raw: Json, _: Ledger, __: str) -> Json | None:
    raw["call_id"] = short_id("call_", item.call_id)
    return raw


def _opaque(item: OpaqueItem, raw: Json, losses: Ledger, path: str) -> Json | None:
    if isinstance(call_id := raw.get("call_id"), str):
        raw["call_id"] = short_id("call_", call_id)
    asked = raw.get("approval_request_id")
    if isinstance(asked, str):
        wire, raw["approval_request_id"] = read_id(asked, client_of(item))
        if wire == NAME:
            return raw
    elif not _is_foreign(item):
        return raw
    rule = FOREIGN.get(item.kind, PRIVATE)
    RULES.heed(rule, item.kind, f"{path}.id" if rule.verdict == "rejected" else path, losses)
    if item.kind == NEEDS_ID and item.id:
        # whoever made the call, the client answers it by its call_id; only this type must have an id besides
        raw["id"] = short_id("lsh_", item.id, 0)
    return raw if rule.verdict == "approximated" else None


_CLEANERS: dict[type, Callable[[Any, Json, Ledger, str], Json | None]] = {
    Message: _message,
    Reasoning: _reasoning,
    FunctionCall: _call,
    FunctionOutput: _call,
    OpaqueItem: _opaque,
}
