"""The hub's annotations: what a text cites, and where, in Unicode code points."""

from __future__ import annotations

from dataclasses import dataclass

from adapters.hub.kept import Kept
from adapters.wire_json import Json


@dataclass(slots=True)
class Span:
    """Half-open range `[start, end)` of one text part, in Unicode code points."""

    start: int
    end: int


@dataclass(slots=True)
class UrlCitation:
    """A web source. `span` is None when the vendor gives no position."""

    url: str
    title: str
    span: Span | None = None
    extra: Kept | None = None


@dataclass(slots=True)
class DocumentCitation:
    """A file, a stored document or a file in a container.

    `position` is a point in the text (code points), for wires that cite a point and not a range.
    """

    document_id: str | None = None
    name: str | None = None
    span: Span | None = None
    position: int | None = None
    container_id: str | None = None
    extra: Kept | None = None


@dataclass(slots=True)
class PlaceCitation:
    """A place on a map."""

    place_id: str | None = None
    name: str | None = None
    url: str | None = None
    span: Span | None = None
    extra: Kept | None = None


@dataclass(slots=True)
class WordInfo:
    """One spoken word of a transcription; `start_ms` and `end_ms` are milliseconds of audio."""

    text: str | None = None
    start_ms: float | None = None
    end_ms: float | None = None
    speaker: str | None = None
    span: Span | None = None
    extra: Kept | None = None


@dataclass(slots=True)
class SpeechMetadata:
    """Who speaks a stretch of text, and how."""

    speaker: str | None = None
    style: str | None = None
    span: Span | None = None
    extra: Kept | None = None


@dataclass(slots=True)
class OpaqueAnnotation:
    """An annotation whose type the hub does not know, verbatim; `span` where it gave one."""

    wire: str
    payload: Json
    span: Span | None = None


Annotation = UrlCitation | DocumentCitation | PlaceCitation | WordInfo | SpeechMetadata | OpaqueAnnotation
"""`extra`, where present, is the vendor's whole annotation, verbatim. On a `UrlCitation` it is None
exactly when the vendor's own encoder gives the annotation back JSON-identical from the other fields;
every other type always carries it, since only the vendor's own words say it all."""
