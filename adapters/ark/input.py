"""Input items in Ark's words."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from adapters.ark.content import encode_part, encode_thought
from adapters.ark.coverage import ITEM_FIELDS, ITEMS, PART, RULES, UNKNOWN
from adapters.ark.endpoint import NAME
from adapters.ark.retelling import ORIGIN
from adapters.hub import request as hub
from adapters.hub.coverage import EXACT, dropped
from adapters.hub.errors import Unsupported
from adapters.hub.kept import kept_by
from adapters.hub.losses import Ledger
from adapters.hub.tags import owner, read_id
from adapters.responses.annotations import EXTENSION
from adapters.wire_json import Json, as_list, as_object, as_text


def encode_items(items: list[hub.Item], losses: Ledger) -> list[Json]:
    """The items for Ark. Raises `Unsupported`, naming the item, for what it cannot take and must not ignore."""
    told = (encode_item(item, losses, f"input[{number}]") for number, item in enumerate(items))
    return [item for item in told if item is not None]


def encode_item(item: hub.Item, losses: Ledger, path: str) -> Json | None:
    """One item; None where Ark is told nothing."""
    told = _ITEMS[type(item)](item, losses, path)
    if told is not None and item.extra is not None and item.extra.wire != NAME:
        losses.note(f"{path}.{EXTENSION}", "what another vendor said of it beyond the dialect is read only there")
    return told


def _own_id(item: hub.Item) -> Json:
    """The id where Ark gave it; other vendors' ids mean nothing there."""
    if item.id is None or item.source is None or _is_retold(item):
        return {}
    wire, id_ = read_id(item.id, item.source.wire)
    return {"id": id_} if wire == NAME and id_ else {}


def _rest(item: hub.Item) -> Json:
    """Fields that Ark said of the item and that the client's dialect has no word for."""
    return {} if _is_retold(item) else as_object((kept_by(NAME, item.extra) or {}).get("rest"))


def _is_retold(item: hub.Item) -> bool:
    """Whether Ark said it as another kind of item, which its input has no type for."""
    return ORIGIN in as_object((kept_by(NAME, item.extra) or {}).get("rest"))


def _message(item: hub.Message, losses: Ledger, path: str) -> Json | None:
    said: Json = {"type": "message", "role": item.role}
    source = item.source.data if item.source is not None else {}
    if item.role == "assistant":
        own = _own_id(item)
        said = _rest(item) | said | own | ({"status": source.get("status") or "completed"} if own else {})
    if item.phase is not None:
        said["phase"] = item.phase
    if source.get("partial") is not None:
        said["partial"] = source["partial"]
    if isinstance(source.get("content"), str):
        return {**said, "content": source["content"]}
    content: list[Json] = []
    for number, (part, raw) in enumerate(zip(item.parts, map(as_object, as_list(source.get("content"))), strict=False)):
        told = encode_part(part, losses, f"{path}.content[{number}]", item.role == "assistant")
        content.append(told | {field: raw[field] for field in PART if raw.get(field) is not None})
    return {**said, "content": content}


def _reasoning(item: hub.Reasoning, losses: Ledger, path: str) -> Json | None:
    own = _own_id(item)
    signature = item.signature
    if signature.wire != NAME if signature is not None else not own:
        losses.note(path, "Ark takes reasoning back only with its own seal or id")
        return None
    source = item.source.data if item.source is not None else {}
    said: Json = {
        "type": "reasoning",
        **own,
        "status": source.get("status") or "completed",
        "summary": [{"type": "summary_text", "text": text} for text in item.summary],
    }
    if item.thoughts:
        raws = map(as_object, as_list(source.get("content")))
        said["content"] = [encode_thought(text, raw) for text, raw in zip(item.thoughts, raws, strict=False)]
    if signature is not None:
        said["encrypted_content"] = signature.blob
    return _rest(item) | said


def _call(item: hub.FunctionCall, _: Ledger, __: str) -> Json | None:
    said: Json = {
        "type": "function_call",
        "call_id": item.call_id,
        "name": item.name,
        "arguments": item.arguments or "{}",
    }
    return _rest(item) | said | _own_id(item)


def _call_output(item: hub.FunctionOutput, losses: Ledger, path: str) -> Json | None:
    texts = [part.text for part in item.parts if isinstance(part, hub.TextPart)]
    for number, part in enumerate(item.parts):
        if not isinstance(part, hub.TextPart):
            losses.note(f"{path}.output[{number}]", _ONLY_TEXT)
    return {"type": "function_call_output", "call_id": item.call_id, "output": "\n".join(texts)}


_ONLY_TEXT = "Ark takes only text as a function's output"


def _opaque(item: hub.OpaqueItem, losses: Ledger, path: str) -> Json | None:
    own = _own_id(item)
    if item.kind == "item_reference" and not own:
        raise Unsupported("Ark does not know what another vendor said.", param=f"{path}.id")
    private = owner(item.id, item.source.wire) != item.source.wire  # some vendor's, and none of the client's dialect
    rule = ITEMS.get(item.kind, _PRIVATE if private else UNKNOWN)
    if private and not own and rule is EXACT:
        rule = _PRIVATE
    RULES.heed(rule, item.kind, path, losses)
    if item.kind in ITEM_FIELDS:
        return _passed(item, losses, path) | own if rule is not _PRIVATE else None
    if rule.verdict == "approximated" and item.kind not in _TOLD_ELSEWHERE:
        raise Unsupported(f"Ark has only functions: '{item.kind}' must be told as one.", param=path)
    return None


_TOLD_ELSEWHERE = ("additional_tools", "configuration_update", "tool_search_output")
_PRIVATE = dropped("Ark takes no such item of another vendor as input")


def _passed(item: hub.OpaqueItem, losses: Ledger, path: str) -> Json:
    """An item that Ark has too. Its id stays, since an approval names the request that it answers."""
    rows = ITEM_FIELDS[item.kind]
    said = _rest(item) | item.source.data | _approved(item, path)
    RULES.follow(rows, said, path, losses)
    return {field: value for field, value in said.items() if rows.get(field) is EXACT and value is not None}


def _approved(item: hub.OpaqueItem, path: str) -> Json:
    """The request for approval that an item answers, by the id that Ark gave it."""
    shown = item.source.data.get("approval_request_id")
    if shown is None:
        return {}
    wire, id_ = read_id(as_text(shown), item.source.wire)
    if wire not in (NAME, item.source.wire) or not id_:
        raise Unsupported("Ark did not ask for this approval.", param=f"{path}.approval_request_id")
    return {"approval_request_id": id_}


_ITEMS: dict[type, Callable[[Any, Ledger, str], Json | None]] = {
    hub.Message: _message,
    hub.Reasoning: _reasoning,
    hub.FunctionCall: _call,
    hub.FunctionOutput: _call_output,
    hub.OpaqueItem: _opaque,
}
