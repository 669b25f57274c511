"""Citations of a text block in the common words: bytes become code points, and nothing that was said is lost."""

from __future__ import annotations

from adapters.faces.gemini.marks import NAME, without_mark
from adapters.hub.annotations import Annotation, OpaqueAnnotation
from adapters.hub.kept import Kept
from adapters.hub.spans import TextIndex
from adapters.interactions.annotations import decode_annotation, encode_annotation
from adapters.responses import annotations as common
from adapters.responses.annotations import EXTENSION
from adapters.responses.tables import ANNOTATION_FIELDS
from adapters.wire_json import Json, as_object, as_text


def retell_citations(text: str, raws: list[Json]) -> list[Json]:
    """The citations of `text`, whose offsets count UTF-8 bytes, in the words of the Responses family."""
    if not raws:
        return []
    index = TextIndex()
    index.feed(text)
    return [_retell(raw, index) for raw in raws]


def _retell(raw: Json, index: TextIndex) -> Json:
    plain, said = without_mark(raw), as_object(raw.get(EXTENSION))
    wire, own = as_text(said.get("v")) or NAME, as_object(said.get("raw"))
    if wire == NAME:
        return _spell(decode_annotation(plain, index, NAME), plain, index)
    if _is_common(own) and encode_annotation(common.decode_annotation(own, wire), index, NAME) == plain:
        return {**own, EXTENSION: {"v": wire, "raw": own}}
    citation = decode_annotation(plain, index, NAME)
    if isinstance(citation, OpaqueAnnotation) and own:
        return {**_placed(citation, plain), EXTENSION: {"v": wire, "raw": own}}
    if not isinstance(citation, OpaqueAnnotation):
        citation.extra = Kept(wire, own) if own else None
    return _spell(citation, plain, index)


def _is_common(raw: Json) -> bool:
    """Whether the vendor said it in the common words."""
    return all(raw.get(key) is not None for key in ANNOTATION_FIELDS.get(as_text(raw.get("type")), ("",)))


def _spell(citation: Annotation, plain: Json, index: TextIndex) -> Json:
    told = common.encode_annotation(citation, "", "rich", index.chars)
    if told is not None:
        return told
    return {**_placed(citation, plain), EXTENSION: {"v": NAME, "raw": plain}}


def _placed(citation: Annotation, plain: Json) -> Json:
    """A citation of a type that the common words lack, its place counted in code points."""
    span = citation.span
    place = {"start_index": span.start, "end_index": span.end} if span is not None else {}
    return {**plain, **place, "type": as_text(plain.get("type"))}
