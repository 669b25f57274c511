"""Input items in Ark's words."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from adapters.ark import tables
from adapters.ark.annotations import encode_annotation
from adapters.ark.endpoint import NAME
from adapters.ark.retelling import ORIGIN
from adapters.hub.errors import Unsupported
from adapters.hub.items import Signature
from adapters.hub.kept import kept_by
from adapters.hub.losses import Ledger
from adapters.hub.request import (
    FunctionCall,
    FunctionOutput,
    Item,
    MediaPart,
    Message,
    OpaqueItem,
    Part,
    Reasoning,
    TextPart,
)
from adapters.hub.tags import owner, read_id
from adapters.responses.annotations import EXTENSION
from adapters.wire_json import Json, as_object, as_text


def encode_items(items: list[Item], losses: Ledger) -> list[Json]:
    """The items for Ark. Raises `Unsupported`, naming the item, for what it cannot take and must not ignore."""
    encoded = [_ITEMS[type(item)](item, losses, f"input[{number}]") for number, item in enumerate(items)]
    return [item for item in encoded if item is not None]


def _own_id(item: Item) -> Json:
    """The id where Ark gave it; other vendors' ids mean nothing there."""
    if item.id is None or item.source is None or _is_retold(item):
        return {}
    wire, id_ = read_id(item.id, item.source.wire)
    return {"id": id_} if wire == NAME and id_ else {}


def _rest(item: Item) -> Json:
    """Fields that Ark said of the item and that the client's dialect has no word for."""
    return {} if _is_retold(item) else as_object((kept_by(NAME, item.extra) or {}).get("rest"))


def _is_retold(item: Item) -> bool:
    """Whether Ark said it as another kind of item, which its input has no type for."""
    return ORIGIN in as_object((kept_by(NAME, item.extra) or {}).get("rest"))


def _message(item: Message, losses: Ledger, path: str) -> Json | None:
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
    content = [
        _part(part, losses, f"{path}.content[{number}]", item.role == "assistant")
        for number, part in enumerate(item.parts)
    ]
    return {**said, "content": content}


def _part(part: Part, losses: Ledger, path: str, spoken: bool) -> Json:
    if isinstance(part, TextPart):
        return _spoken(part, losses, path) if spoken else {"type": "input_text", "text": part.text}
    if isinstance(part, MediaPart):
        return _MEDIA[part.media](part, path)
    if part.kind in ("input_video", "input_audio"):
        return {key: value for key, value in part.payload.items() if key != "x_dragoman"}
    raise Unsupported(f"Ark has no content part '{part.kind}'.", param=path)


def _spoken(part: TextPart, losses: Ledger, path: str) -> Json:
    said: Json = {"type": "output_text", "text": part.text}
    cites: list[Json] = []
    for number, annotation in enumerate(part.annotations):
        cite = encode_annotation(annotation)
        if annotation.span is not None or getattr(annotation, "position", None) is not None:
            losses.note(f"{path}.annotations[{number}]", "Ark's citations have no place in the text")
        if cite is None:
            losses.note(f"{path}.annotations[{number}]", "Ark has no such annotation")
        else:
            cites.append(cite)
    return {**said, "annotations": cites} if cites else said


def _image(part: MediaPart, path: str) -> Json:
    url = f"data:{part.mime_type or ''};base64,{part.data}" if part.data is not None else part.url
    if url is None:
        raise Unsupported("Ark does not know files of another vendor.", param=f"{path}.file_id")
    return {"type": "input_image", "image_url": url, "detail": tables.DETAIL.get(part.detail or "auto", "auto")}


def _file(part: MediaPart, path: str) -> Json:
    if part.data is None and part.url is None:
        raise Unsupported("Ark does not know files of another vendor.", param=f"{path}.file_id")
    said: Json = {"type": "input_file"}
    if part.data is not None:
        said["file_data"] = f"data:{part.mime_type};base64,{part.data}" if part.mime_type else part.data
    else:
        said["file_url"] = part.url
    return {**said, "filename": part.name} if part.name is not None else said


_MEDIA: dict[str, Callable[[MediaPart, str], Json]] = {"image": _image, "file": _file}


def _reasoning(item: Reasoning, losses: Ledger, path: str) -> Json | None:
    own = _own_id(item)
    signature: Signature | None = item.signature
    if signature.wire != NAME if signature is not None else not own:
        losses.note(path, "reasoning of another vendor is not valid at Ark")
        return None
    source = item.source.data if item.source is not None else {}
    said: Json = {
        "type": "reasoning",
        **own,
        "status": source.get("status") or "completed",
        "summary": [{"type": "summary_text", "text": text} for text in item.summary],
    }
    if item.thoughts:
        said["content"] = [{"type": "reasoning_text", "text": text} for text in item.thoughts]
    if signature is not None:
        said["encrypted_content"] = signature.blob
    return _rest(item) | said


def _call(item: FunctionCall, _: Ledger, __: str) -> Json | None:
    said: Json = {
        "type": "function_call",
        "call_id": item.call_id,
        "name": item.name,
        "arguments": item.arguments or "{}",
    }
    return _rest(item) | said | _own_id(item)


def _call_output(item: FunctionOutput, losses: Ledger, path: str) -> Json | None:
    texts = [part.text for part in item.parts if isinstance(part, TextPart)]
    for number, part in enumerate(item.parts):
        if not isinstance(part, TextPart):
            losses.note(f"{path}.output[{number}]", "Ark takes only text as a function's output")
    return {"type": "function_call_output", "call_id": item.call_id, "output": "\n".join(texts)}


def _opaque(item: OpaqueItem, losses: Ledger, path: str) -> Json | None:
    own = _own_id(item)
    private = owner(item.id, item.source.wire) != item.source.wire  # some vendor's, and none of the client's dialect
    if item.kind == "item_reference":
        if own:
            return {"type": item.kind} | _passed(item, losses, path) | own
        raise Unsupported("Ark does not know what another vendor said.", param=f"{path}.id")
    if item.kind in tables.ITEMS_LOST or (private and not own):
        losses.note(path, f"Ark takes no {item.kind} as input")
        return None
    if item.kind in tables.ITEMS_PASSED:
        return _passed(item, losses, path) | own
    if private:
        losses.note(path, f"Ark takes no {item.kind} as input")
        return None
    raise Unsupported(f"Ark cannot take an item '{item.kind}' as input.", param=path)


def _passed(item: OpaqueItem, losses: Ledger, path: str) -> Json:
    """An item that Ark has too. Its id stays, since an approval names the request that it answers."""
    known = tables.ITEMS_PASSED[item.kind]
    said = _rest(item) | item.source.data | _approved(item, path)
    for field, value in said.items():
        if field not in known and field not in ("status", EXTENSION) and value is not None:
            losses.note(f"{path}.{field}", f"Ark's {item.kind} has no such field")
    return {field: value for field, value in said.items() if field in known and value is not None}


def _approved(item: OpaqueItem, path: str) -> Json:
    """The request for approval that an item answers, by the id that Ark gave it."""
    shown = item.source.data.get("approval_request_id")
    if shown is None:
        return {}
    wire, id_ = read_id(as_text(shown), item.source.wire)
    if wire not in (NAME, item.source.wire) or not id_:
        raise Unsupported("Ark did not ask for this approval.", param=f"{path}.approval_request_id")
    return {"approval_request_id": id_}


_ITEMS: dict[type, Callable[[Any, Ledger, str], Json | None]] = {
    Message: _message,
    Reasoning: _reasoning,
    FunctionCall: _call,
    FunctionOutput: _call_output,
    OpaqueItem: _opaque,
}
