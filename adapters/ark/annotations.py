"""Ark's citations, which have no position in the text."""

from __future__ import annotations

from adapters.ark.endpoint import NAME
from adapters.hub.annotations import Annotation, DocumentCitation, OpaqueAnnotation, PlaceCitation, UrlCitation
from adapters.hub.kept import Kept, kept_by
from adapters.wire_json import Json, as_text

_PLAIN = {"type", "title", "url"}


def decode_annotation(raw: Json) -> Annotation:
    """Read one citation. It stands where it arrived: `span` is None."""
    match raw.get("type"):
        case "url_citation":
            url, title = as_text(raw.get("url")), as_text(raw.get("title"))
            exact = raw.keys() == _PLAIN and bool(url) and bool(title)
            return UrlCitation(url, title or as_text(raw.get("site_name")), extra=None if exact else Kept(NAME, raw))
        case "doc_citation":
            document_id, name = as_text(raw.get("doc_id")), as_text(raw.get("doc_name"))
            return DocumentCitation(document_id or None, name or None, extra=Kept(NAME, raw))
        case _:
            return OpaqueAnnotation(NAME, raw)


def encode_annotation(annotation: Annotation) -> Json | None:
    """Ark's form of a citation; None where it has none. Its own comes back as it was."""
    if isinstance(annotation, OpaqueAnnotation):
        return annotation.payload if annotation.wire == NAME else None
    own = kept_by(NAME, annotation.extra)
    if own is not None and _unchanged(own, annotation):
        return own
    match annotation:
        case UrlCitation():
            return {"type": "url_citation", "title": annotation.title or annotation.url, "url": annotation.url}
        case PlaceCitation():
            name, url = annotation.name or "", annotation.url or ""
            return {"type": "url_citation", "title": name or url, "url": url}
        case DocumentCitation():
            name = annotation.name or ""
            document_id = annotation.document_id or name
            return {"type": "doc_citation", "doc_id": document_id, "doc_name": name, "chunk_attachment": []}
        case _:
            return None


def _unchanged(own: Json, annotation: Annotation) -> bool:
    """Whether what the client holds still cites what Ark cited, as the client was shown it."""
    match annotation, decode_annotation(own):
        case UrlCitation(), UrlCitation() as cited:
            shown = cited.title or cited.url
            return cited.url == annotation.url and shown == (annotation.title or annotation.url)
        case DocumentCitation(), DocumentCitation() as cited:
            same = (cited.document_id or cited.name) == (annotation.document_id or annotation.name)
            return same and cited.name in (annotation.name, None)
        case _:
            return False
