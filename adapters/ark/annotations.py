"""Ark's citations, which have no position in the text."""

from __future__ import annotations

from typing import Any, Final

from adapters.ark.endpoint import NAME
from adapters.hub import annotations as hub
from adapters.hub.kept import Kept, kept_by
from adapters.wire_json import Json, as_text

_PLAIN = {"type", "title", "url"}

CHUNK: Final = "transcription_chunk"
"""What a chunk of a transcription is called here; Ark gives it no type. `start_index` and `end_index` are added too."""

_ADDED = frozenset({"type", "start_index", "end_index"})


def decode_annotation(raw: Json) -> hub.Annotation:
    """Read one citation. It stands where it arrived: `span` is None."""
    match raw.get("type"):
        case "url_citation":
            url, title = as_text(raw.get("url")), as_text(raw.get("title"))
            exact = raw.keys() == _PLAIN and bool(url) and bool(title)
            return hub.UrlCitation(
                url, title or as_text(raw.get("site_name")), extra=None if exact else Kept(NAME, raw)
            )
        case "doc_citation":
            document_id, name = as_text(raw.get("doc_id")), as_text(raw.get("doc_name"))
            return hub.DocumentCitation(document_id or None, name or None, extra=Kept(NAME, raw))
        case "transcription_chunk":
            return _decode_chunk(raw)
        case _:
            return hub.OpaqueAnnotation(NAME, raw)


def _decode_chunk(raw: Json) -> hub.WordInfo:
    """A stretch of speech. "start_time", "end_time": milliseconds."""
    start, end = raw.get("start_index"), raw.get("end_index")
    return hub.WordInfo(
        text=as_text(raw.get("text")) or None,
        start_ms=_milliseconds(raw.get("start_time")),
        end_ms=_milliseconds(raw.get("end_time")),
        span=hub.Span(start, end) if type(start) is int and type(end) is int else None,
        extra=Kept(NAME, {key: value for key, value in raw.items() if key not in _ADDED}),
    )


def _milliseconds(value: Any) -> float | None:
    return value if type(value) in (int, float) else None


def encode_annotation(annotation: hub.Annotation) -> Json | None:
    """Ark's form of a citation; None where it has none. Its own comes back as it was."""
    if isinstance(annotation, hub.OpaqueAnnotation):
        # a chunk of a transcription has no type, and no place in an input
        return annotation.payload if annotation.wire == NAME and "type" in annotation.payload else None
    own = kept_by(NAME, annotation.extra)
    if own is not None and _unchanged(own, annotation):
        return own
    match annotation:
        case hub.UrlCitation():
            return {"type": "url_citation", "title": annotation.title or annotation.url, "url": annotation.url}
        case hub.PlaceCitation():
            name, url = annotation.name or "", annotation.url or ""
            return {"type": "url_citation", "title": name or url, "url": url}
        case hub.DocumentCitation():
            name = annotation.name or ""
            document_id = annotation.document_id or name
            return {"type": "doc_citation", "doc_id": document_id, "doc_name": name, "chunk_attachment": []}
        case _:
            return None


def _unchanged(own: Json, annotation: hub.Annotation) -> bool:
    """Whether what the client holds still cites what Ark cited, as the client was shown it."""
    match annotation, decode_annotation(own):
        case hub.UrlCitation(), hub.UrlCitation() as cited:
            shown = cited.title or cited.url
            return cited.url == annotation.url and shown == (annotation.title or annotation.url)
        case hub.DocumentCitation(), hub.DocumentCitation() as cited:
            same = (cited.document_id or cited.name) == (annotation.document_id or annotation.name)
            return same and cited.name in (annotation.name, None)
        case _:
            return False
