"""The hub's annotations as a Responses client reads them, and back from what it replays."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from adapters.hub.adapter import Fidelity
from adapters.hub.annotations import (
    Annotation,
    DocumentCitation,
    OpaqueAnnotation,
    PlaceCitation,
    Span,
    SpeechMetadata,
    UrlCitation,
    WordInfo,
)
from adapters.hub.kept import Kept
from adapters.responses.tables import ANNOTATION_FIELDS
from adapters.wire_json import Json, as_list, as_object, as_text

EXTENSION = "x_dragoman"
"""The key under which an answer carries what the dialect has no word for."""


def encode_annotation(annotation: Annotation, wire: str, fidelity: Fidelity, length: int) -> Json | None:
    """Spell an annotation for a client of the dialect `wire`; None where it has no type for it.

    `length` is the number of code points of the part so far: a citation without a position stands
    there, zero wide, so that a reader who slices gets nothing and one who inserts hits the place.
    """
    if type(annotation) is UrlCitation and annotation.extra is None and annotation.span is not None:
        return _url(annotation, length)  # nothing else was said of it
    kept = own_words(annotation)
    if kept is not None and kept.wire == wire:
        return _filled(kept.data, annotation, length) if isinstance(kept.data.get("type"), str) else None
    spelled = _ENCODERS[type(annotation)](annotation, length)
    if fidelity == "strict" or (kept is None and annotation.span is not None):
        return spelled
    if fidelity == "native" and kept is not None and isinstance(kept.data.get("type"), str):
        spelled = _native(spelled, kept.data, annotation.span)
    if spelled is None:
        return None
    said = _extension(annotation, kept)
    return {**spelled, EXTENSION: said} if said else spelled


def own_words(annotation: Annotation) -> Kept | None:
    """The vendor's whole annotation, verbatim, where it was kept."""
    if isinstance(annotation, OpaqueAnnotation):
        return Kept(annotation.wire, annotation.payload)
    return annotation.extra


def without_place(annotation: Annotation) -> Json:
    """An annotation in the dialect's words, for where it has no place to stand."""
    spelled = _ENCODERS[type(annotation)](annotation, 0) or {}
    return {key: value for key, value in spelled.items() if key not in ("start_index", "end_index")}


def _filled(own: Json, annotation: Annotation, length: int) -> Json:
    """The dialect's own annotation, with the fields that clients read without asking where it lacks one."""
    needed = ANNOTATION_FIELDS.get(as_text(own.get("type")), ())
    if all(own.get(key) is not None for key in needed):
        return own
    spelled = _ENCODERS[type(annotation)](annotation, length) or {}
    return {**own, **{key: spelled[key] for key in needed if own.get(key) is None and key in spelled}}


def _extension(annotation: Annotation, kept: Kept | None) -> Json:
    said: Json = {"v": kept.wire, "raw": kept.data} if kept is not None else {}
    if annotation.span is None and getattr(annotation, "position", None) is None:
        said["loc"] = "none"
    return said


def _native(spelled: Json | None, raw: Json, span: Span | None) -> Json:
    """The vendor's own annotation, its offsets counted in code points.

    Where the vendor's type name is also one of OpenAI's, OpenAI's fields are filled in as well.
    """
    offsets = {"start_index": span.start, "end_index": span.end} if span is not None else {}
    base = spelled if spelled is not None and spelled["type"] == raw.get("type") else {}
    mistyped = {key for key, value in base.items() if key in raw and type(raw[key]) is not type(value)}
    return {**base, **{key: value for key, value in raw.items() if key not in mistyped}, **offsets}


def _place(span: Span | None, length: int) -> Json:
    start, end = (span.start, span.end) if span is not None else (length, length)
    return {"start_index": start, "end_index": end}


def _url(citation: UrlCitation, length: int) -> Json:
    span, url = citation.span or Span(length, length), citation.url
    return {
        "type": "url_citation",
        "start_index": span.start,
        "end_index": span.end,
        "url": url,
        "title": citation.title or url,
    }


def _document(citation: DocumentCitation, length: int) -> Json:
    name = citation.name or ""
    file_id = citation.document_id or name
    if citation.container_id is not None:
        return {
            "type": "container_file_citation",
            "container_id": citation.container_id,
            "file_id": file_id,
            "filename": name,
            **_place(citation.span, length),
        }
    end = citation.span.end if citation.span is not None else length
    return {
        "type": "file_citation",
        "file_id": file_id,
        "filename": name or file_id.rstrip("/").rpartition("/")[2],
        "index": citation.position if citation.position is not None else end,
    }


def _map_place(citation: PlaceCitation, length: int) -> Json:
    return _url(UrlCitation(citation.url or "", citation.name or "", citation.span), length)


def _no_type(_: Annotation, __: int) -> None:
    return None


_ENCODERS: dict[type, Callable[[Any, int], Json | None]] = {
    UrlCitation: _url,
    DocumentCitation: _document,
    PlaceCitation: _map_place,
    WordInfo: _no_type,
    SpeechMetadata: _no_type,
    OpaqueAnnotation: _no_type,
}


def decode_annotation(raw: Json, wire: str) -> Annotation:
    """Read a citation of one of OpenAI's types. Offsets are code points, half-open.

    "The index of the last character" says the reference of `end_index`; every recording is exclusive.
    """
    told = raw.get("type")
    decode = _DECODERS.get(told) if type(told) is str else None
    return decode(raw, wire) if decode is not None else OpaqueAnnotation(wire, raw, span_of(raw))


def span_of(raw: Json) -> Span | None:
    """The offsets an annotation gives, as they stand."""
    start, end = raw.get("start_index"), raw.get("end_index")
    return Span(start, end) if type(start) is int and type(end) is int else None


def _decode_url(raw: Json, wire: str) -> Annotation:
    url, title = as_text(raw.get("url")), as_text(raw.get("title"))
    start, end = raw.get("start_index"), raw.get("end_index")
    if len(raw) == 5 and url and title and type(start) is int and type(end) is int:
        return UrlCitation(url, title, Span(start, end))  # that and the type is all it says
    return UrlCitation(url, title, span_of(raw), Kept(wire, raw))


def _decode_file(raw: Json, wire: str) -> Annotation:
    index = raw.get("index")
    return DocumentCitation(
        document_id=as_text(raw.get("file_id")) or None,
        name=as_text(raw.get("filename")) or None,
        position=index if type(index) is int and raw["type"] == "file_citation" else None,
        extra=Kept(wire, raw),
    )


def _decode_container_file(raw: Json, wire: str) -> Annotation:
    return DocumentCitation(
        document_id=as_text(raw.get("file_id")) or None,
        name=as_text(raw.get("filename")) or None,
        span=span_of(raw),
        container_id=as_text(raw.get("container_id")),
        extra=Kept(wire, raw),
    )


_DECODERS: dict[str, Callable[[Json, str], Annotation]] = {
    "url_citation": _decode_url,
    "file_citation": _decode_file,
    "file_path": _decode_file,
    "container_file_citation": _decode_container_file,
}


def decode_replayed(part: Json, wire: str) -> list[Annotation]:
    """Read the citations of a part that a client of the dialect `wire` sends back, with what their vendor kept."""
    found = [_decode_replayed_one(as_object(raw), wire) for raw in as_list(part.get("annotations"))]
    extension = as_object(part.get(EXTENSION))
    for held in map(as_object, as_list(extension.get("annotations"))):
        at, raw = held.get("at"), as_object(held.get("raw"))
        opaque = OpaqueAnnotation(as_text(extension.get("v")), raw, None)
        found.insert(at if type(at) is int and 0 <= at <= len(found) else len(found), opaque)
    return found


def _decode_replayed_one(raw: Json, wire: str) -> Annotation:
    extension = as_object(raw.get(EXTENSION))
    plain = {key: value for key, value in raw.items() if key != EXTENSION}
    kept_raw = extension.get("raw")
    kept = Kept(as_text(extension.get("v")), as_object(kept_raw)) if kept_raw else None
    if kept is not None and plain.get("type") not in ANNOTATION_FIELDS:
        return OpaqueAnnotation(kept.wire, kept.data, span_of(plain))
    citation = decode_annotation(plain, wire)
    if isinstance(citation, OpaqueAnnotation):
        return citation
    if extension.get("loc") == "none":
        citation.span = None
        if isinstance(citation, DocumentCitation):
            citation.position = None
    if kept is not None or extension:
        citation.extra = kept
    return citation
