"""Texts, images, files and sound as Gemini's content blocks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from adapters.gemini.coverage import CONTENT, RULES
from adapters.gemini.endpoint import NAME
from adapters.gemini.words import DETAILS
from adapters.hub.errors import BadRequest, Unsupported
from adapters.hub.fields import Fields, missing
from adapters.hub.losses import Ledger
from adapters.hub.media_types import type_by_name
from adapters.hub.request import MediaPart, OpaquePart, Part, TextPart
from adapters.hub.spans import TextIndex
from adapters.interactions.annotations import encode_annotation, loss_of
from adapters.responses.input import split_data_url
from adapters.wire_json import Json


def encode_part(part: Part, losses: Ledger, path: str, own: bool = False) -> Json:
    """Give the block; `own` is set where Gemini said it.

    Raises `Unsupported`, or `BadRequest` for content that cannot be read.
    """
    if isinstance(part, TextPart):
        return _text(part, losses, path, own)
    return _PARTS[type(part)](part, losses, path)


def _text(part: TextPart, losses: Ledger, path: str, own: bool) -> Json:
    if part.refusal:
        losses.note(path, CONTENT["refusal"].reason)
    said: Json = {"type": "text", "text": part.text}
    if part.annotations:
        index = TextIndex()
        index.feed(part.text)
        cites = [encode_annotation(annotation, index, NAME) for annotation in part.annotations]
        for number, annotation in enumerate(part.annotations):
            if (lost := loss_of(annotation, NAME, own)) is not None:
                losses.note(f"{path}.annotations[{number}]", f"Gemini {lost}")
        if any(cites):
            said["annotations"] = [cite for cite in cites if cite is not None]
    return said


def _media(part: MediaPart, losses: Ledger, path: str) -> Json:
    if part.data is None and part.url is None:
        raise Unsupported("Gemini does not know this file: send its data or a URL.", param=f"{path}.file_id")
    mime_type = part.mime_type or type_by_name(part.name) or type_by_name(part.url)
    if mime_type is None and part.media != "image" and not _tells_its_type(part.url):
        raise BadRequest(
            "The file's type is unknown: send a data URL that names it, or a filename with an ending.", param=path
        )
    if part.name is not None:
        losses.note(f"{path}.filename", "Gemini's documents have no names")
    block: Json = {"type": _block_type(part, mime_type)}
    block |= {"data": part.data} if part.data is not None else {"uri": part.url}
    if mime_type is not None:
        block["mime_type"] = mime_type
    resolution = RULES.spell(DETAILS, part.detail, f"{path}.detail", losses) if part.detail is not None else None
    return {**block, "resolution": resolution} if resolution is not None else block


def _tells_its_type(url: str | None) -> bool:
    """Whether Gemini learns the type when it fetches the file: a web server says it, a storage bucket does not."""
    return url is not None and url.startswith(("http://", "https://"))


def _block_type(part: MediaPart, mime_type: str | None) -> str:
    if part.media != "file":
        return part.media
    family = (mime_type or "").partition("/")[0]
    return family if family in ("image", "audio", "video") else "document"


def _opaque(part: OpaquePart, losses: Ledger, path: str) -> Json:
    """Sound and films as some clients of the dialect send them."""
    read = _OPAQUE.get(part.kind)
    if read is None:
        raise Unsupported(f"Gemini has no content of the type '{part.kind}'.", param=path)
    RULES.heed(CONTENT[part.kind], part.kind, path, losses)
    return _media(read(Fields(part.payload, part.wire, path), losses), losses, path)


def _audio(fields: Fields, _: Ledger) -> MediaPart:
    inner = fields.object("input_audio")
    if inner is None:
        return _linked(fields, MediaPart("audio"), "audio_url")
    said = fields.inner(inner, "input_audio")
    return MediaPart("audio", data=said.needed_text("data"), mime_type=f"audio/{said.needed_text('format')}")


def _video(fields: Fields, losses: Ledger) -> MediaPart:
    if fields.raw.get("fps") is not None:
        losses.note(fields.path("fps"), "Gemini chooses the frames itself")
    return _linked(fields, MediaPart("video"), "video_url")


def _linked(fields: Fields, part: MediaPart, name: str) -> MediaPart:
    url = fields.text(name)
    if url is None:
        raise missing(fields.path(name))
    if url.startswith("data:"):
        part.mime_type, part.data = split_data_url(url, fields.path(name))
    else:
        part.url = url
    return part


_OPAQUE: Final[dict[str, Callable[[Fields, Ledger], MediaPart]]] = {"input_audio": _audio, "input_video": _video}
_PARTS: Final[dict[type, Callable[[Any, Ledger, str], Json]]] = {
    MediaPart: _media,
    OpaquePart: _opaque,
}
