"""Content blocks of the dialect as parts in the common words."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from adapters.faces.gemini import coverage as rows
from adapters.faces.gemini.citations import retell_citations
from adapters.faces.gemini.marks import read_mark
from adapters.faces.gemini.notes import Notes
from adapters.hub.fields import Fields, missing
from adapters.hub.media_types import ending_of
from adapters.responses.annotations import EXTENSION
from adapters.wire_json import Json

_PUBLIC: Final = ("http://", "https://")
_GOOGLES: Final = "https://generativelanguage.googleapis.com/"
"""Where Gemini's own files lie: nobody else may read them."""


def retell_spoken(block: Fields, notes: Notes) -> Json:
    """A text that the model said."""
    text, mark = block.needed_text("text"), read_mark(block.raw)
    notes.follow(rows.CONTENT_FIELDS["text"], block.raw, block.here)
    kept: Json = {EXTENSION: {"v": mark.wire, **mark.rest}} if mark.foreign and mark.rest else {}
    if mark.kind == "refusal":
        return {"type": "refusal", "refusal": text, **kept}
    cites = retell_citations(text, [cite.raw for cite in block.objects("annotations")])
    return {"type": "output_text", "text": text, "annotations": cites, **kept}


def retell_given(block: Fields, notes: Notes) -> Json:
    """A block that the client said; one of a type that is not known goes on as it is, for a vendor to refuse."""
    kind = block.needed_text("type")
    retell = _GIVEN.get(kind)
    if retell is None:
        notes.heed(rows.NO_CONTENT, block.here)
        return {"type": "input_text", "text": ""}
    told = retell(block, notes)
    notes.follow(rows.CONTENT_FIELDS[kind], block.raw, block.here)
    uri = block.text("uri") if kind != "text" else None
    if uri is not None and (not uri.startswith(_PUBLIC) or uri.startswith(_GOOGLES)):
        notes.heed(rows.UNREADABLE, block.path("uri"))
    return told


def retell_system(fields: Fields, name: str, notes: Notes) -> str | None:
    """The system instruction: a text, a block of text, or several."""
    value = fields.raw.get(name)
    if value is None or isinstance(value, str):
        return value
    blocks = fields.objects(name) if isinstance(value, list) else [fields.inner(value, name)]
    for block in blocks:
        block.choice("type", ("text",))
        notes.follow(rows.CONTENT_FIELDS["text"], block.raw, block.here)
    return "\n".join(block.needed_text("text") for block in blocks)


def paths_of(block: Fields, part: Json, path: str) -> dict[str, str]:
    """Where in the client's body stands what the part, which is at `path` of its item, calls by another name."""
    link = "data" if block.raw.get("data") is not None else "uri"
    named = {name: link if name in _LINKS else "resolution" for name in part if name in _LINKS or name == "detail"}
    return {path: block.here, **{f"{path}.{name}": block.path(own) for name, own in named.items()}}


def link_of(block: Fields) -> str:
    """Where the content of an image, a film, … is: a data URL, or its address."""
    data, uri = block.text("data"), block.text("uri")
    if data is not None:
        return f"data:{block.text('mime_type') or ''};base64,{data}"
    if uri is None:
        raise missing(block.path("data"))
    return uri


def _text(block: Fields, _: Notes) -> Json:
    return {"type": "input_text", "text": block.needed_text("text")}


def _image(block: Fields, notes: Notes) -> Json:
    told: Json = {"type": "input_image", "image_url": link_of(block)}
    if (said := block.text("resolution")) is not None:
        detail = notes.spell(rows.RESOLUTIONS, rows.NO_RESOLUTION, said, block.path("resolution"))
        told["detail"] = detail or "auto"
    return told


def _document(block: Fields, _: Notes) -> Json:
    link = link_of(block)
    if block.text("data") is None:
        return {"type": "input_file", "file_url": link}
    ending = ending_of(block.text("mime_type"))
    return {"type": "input_file", "file_data": link, "filename": f"document.{ending}" if ending else "document"}


def _audio(block: Fields, _: Notes) -> Json:
    data, mime_type = block.text("data"), block.text("mime_type") or ""
    if data is None:
        return {"type": "input_audio", "audio_url": link_of(block)}
    return {"type": "input_audio", "input_audio": {"data": data, "format": mime_type.partition("/")[2] or "wav"}}


def _video(block: Fields, _: Notes) -> Json:
    return {"type": "input_video", "video_url": link_of(block)}


_LINKS: Final = frozenset({"image_url", "file_url", "file_data", "audio_url", "video_url", "input_audio"})
_GIVEN: Final[dict[str, Callable[[Fields, Notes], Json]]] = {
    "text": _text,
    "image": _image,
    "document": _document,
    "audio": _audio,
    "video": _video,
}
