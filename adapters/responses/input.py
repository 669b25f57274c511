"""The input items of a Responses request, read for the hub."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, cast

from adapters.hub.errors import BadRequest
from adapters.hub.fields import Fields, missing, mistyped
from adapters.hub.items import REASONING, Signature
from adapters.hub.kept import Kept
from adapters.hub.request import (
    FunctionCall,
    FunctionOutput,
    Item,
    MediaPart,
    Message,
    OpaqueItem,
    OpaquePart,
    Part,
    Reasoning,
    Role,
    TextPart,
)
from adapters.hub.tags import read_id, read_signature
from adapters.responses.annotations import EXTENSION, decode_replayed
from adapters.responses.tables import ID_PREFIX

_ROLES = ("user", "assistant", "system", "developer")


def decode_items(items: list[Fields]) -> list[Item]:
    """Read the items, each with its own raw form and with what the vendor that wrote it kept."""
    return [_decode_item(fields) for fields in items]


def _decode_item(fields: Fields) -> Item:
    kind = fields.text("type")
    if kind is None and "role" in fields.raw:
        kind = "message"
    if kind is None and fields.raw.keys() <= {"id", "type"} and fields.text("id"):
        kind = "item_reference"  # the one item whose type is optional
    if kind is None:
        raise missing(fields.path("type"))
    decode = _ITEMS.get(kind)
    if kind == "item_reference" and _means_nothing(fields.text("id") or "", fields.wire):
        return Reasoning(id=fields.text("id"), source=fields.source())
    if decode is None:
        return OpaqueItem(kind, fields.source(), fields.text("id"), _extra(fields))
    item = decode(fields)
    fields.leave(_KNOWN[kind])
    return item


def _means_nothing(id: str, wire: str) -> bool:
    """Whether an id is of reasoning that its vendor gave none: nobody keeps it, and no answer needs it."""
    return id.startswith(ID_PREFIX[REASONING]) and not read_id(id, wire)[1]


def _extra(fields: Fields) -> Kept | None:
    said = fields.object(EXTENSION)
    if said is None:
        return None
    wire = fields.inner(said, EXTENSION).text("v")
    return Kept(wire, {key: value for key, value in said.items() if key != "v"}) if wire is not None else None


def _message(fields: Fields) -> Item:
    fields.needed_text("role")
    role = cast(Role, fields.choice("role", _ROLES))
    if fields.raw.get("content") is None:
        raise missing(fields.path("content"))
    parts = decode_content(fields, "content")
    return Message(role, parts, fields.text("id"), fields.text("phase"), fields.source(), _extra(fields))


def decode_content(fields: Fields, name: str) -> list[Part]:
    """Read a content field: plain text, or a list of parts."""
    value = fields.raw.get(name)
    if isinstance(value, str):
        return [TextPart(value)]
    if not isinstance(value, list):
        raise mistyped(fields.path(name), "a string or an array", value)
    return [_part(part) for part in fields.objects(name)]


def _part(fields: Fields) -> Part:
    kind = fields.needed_text("type")
    decode = _PARTS.get(kind)
    if decode is None:
        return OpaquePart(fields.wire, kind, fields.raw)
    part = decode(fields)
    fields.leave(_KNOWN[kind])
    return part


def _text(fields: Fields) -> Part:
    text = fields.needed_text("text")
    for annotation in fields.objects("annotations"):
        known = _CITED.get(annotation.needed_text("type"))
        if known is not None and EXTENSION not in annotation.raw:
            annotation.leave(known)
    return TextPart(text, decode_replayed(fields.raw, fields.wire), extra=_extra(fields))


def _refusal(fields: Fields) -> Part:
    return TextPart(fields.needed_text("refusal"), refusal=True, extra=_extra(fields))


def _image(fields: Fields) -> Part:
    part = _media(fields, "image", fields.text("image_url"))
    part.detail = fields.text("detail")
    return part


def _file(fields: Fields) -> Part:
    data = fields.text("file_data")
    part = _media(fields, "file", fields.text("file_url"))
    if data is not None:
        part.mime_type, part.data = split_data_url(data, fields.path("file_data"))
    part.name = fields.text("filename")
    return part


def _media(fields: Fields, media: Literal["image", "file"], url: str | None) -> MediaPart:
    file_id = fields.text("file_id")
    part = MediaPart(media, file_id=file_id)
    if url is not None and url.startswith("data:"):
        part.mime_type, part.data = split_data_url(url, fields.path(f"{media}_url"))
    else:
        part.url = url
    if url is None and file_id is None and fields.raw.get("file_data") is None:
        raise missing(fields.path(f"{media}_url"))
    return part


def split_data_url(value: str, path: str) -> tuple[str | None, str]:
    """MIME type and base64 text of a data URL; bare base64 has no type. Raises `BadRequest` on other data URLs."""
    if not value.startswith("data:"):
        return None, value
    head, comma, data = value[5:].partition(",")
    mime, _, encoding = head.rpartition(";")
    if not comma or encoding != "base64":
        raise BadRequest(f"'{path}' must be a data URL of base64 data.", param=path)
    return mime.partition(";")[0] or None, data


def _reasoning(fields: Fields) -> Item:
    blob = fields.text("encrypted_content")
    signature: Signature | None = read_signature(blob, fields.wire) if blob else None
    return Reasoning(
        summary=[part.needed_text("text") for part in fields.objects("summary")],
        thoughts=[part.needed_text("text") for part in fields.objects("content")],
        signature=signature,
        id=fields.text("id"),
        source=fields.source(),
        extra=_extra(fields),
    )


def _call(fields: Fields, text: str, custom: bool) -> Item:
    return FunctionCall(
        call_id=fields.needed_text("call_id"),
        name=fields.needed_text("name"),
        arguments=fields.needed_text(text),
        custom=custom,
        id=fields.text("id"),
        source=fields.source(),
        extra=_extra(fields),
        namespace=fields.text("namespace") or "",
    )


def _call_output(fields: Fields, custom: bool) -> Item:
    call_id = fields.needed_text("call_id")
    if fields.raw.get("output") is None:
        raise missing(fields.path("output"))
    parts = decode_content(fields, "output")
    return FunctionOutput(call_id, parts, custom, fields.text("id"), fields.source(), _extra(fields))


_PARTS: dict[str, Callable[[Fields], Part]] = {
    "input_text": _text,
    "output_text": _text,
    "text": _text,
    "refusal": _refusal,
    "input_image": _image,
    "input_file": _file,
}

_ITEMS: dict[str, Callable[[Fields], Item]] = {
    "message": _message,
    "reasoning": _reasoning,
    "function_call": lambda fields: _call(fields, "arguments", custom=False),
    "function_call_output": lambda fields: _call_output(fields, custom=False),
    "custom_tool_call": lambda fields: _call(fields, "input", custom=True),
    "custom_tool_call_output": lambda fields: _call_output(fields, custom=True),
}

_CITED = {
    "url_citation": frozenset({"type", "url", "title", "start_index", "end_index"}),
    "file_citation": frozenset({"type", "file_id", "filename", "index"}),
    "container_file_citation": frozenset({"type", "container_id", "file_id", "filename", "start_index", "end_index"}),
    "file_path": frozenset({"type", "file_id", "index"}),
}
_SAID = "type id status " + EXTENSION
_KNOWN = {
    kind: frozenset(f"{_SAID} {fields}".split())
    for kind, fields in {
        "message": "role content phase",
        "reasoning": "summary content encrypted_content",
        "function_call": "call_id name namespace arguments parsed_arguments",
        "function_call_output": "call_id output",
        "custom_tool_call": "call_id name namespace input",
        "custom_tool_call_output": "call_id output",
        "input_text": "text",
        "output_text": "text annotations logprobs parsed",
        "text": "text",
        "refusal": "refusal",
        "input_image": "image_url file_id detail",
        "input_file": "file_data file_url file_id filename",
    }.items()
}
"""What the hub has a place for, and what was said of an answer that is sent back: its state, its log
probabilities, and what an SDK parsed of it. The rest is a loss wherever the dialect is another."""
