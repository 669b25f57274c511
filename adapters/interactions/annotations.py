"""The wire's annotations to the hub's and back: UTF-8 bytes on the wire, code points in the hub.

"Index indicates the start of the segment, measured in bytes"; "End of the attributed segment,
exclusive". An absent start is 0, since proto3 leaves zeros out.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import Any, Final

from adapters.hub import annotations as hub
from adapters.hub.annotations import Annotation, Span
from adapters.hub.kept import Kept, kept_by
from adapters.hub.spans import Offsets, TextIndex
from adapters.wire_json import Json, as_object, as_text

_UNIT: Final[Offsets] = "utf8"
"""What the wire counts by."""

_MAPS_LINK = "https://www.google.com/maps/place/?q=place_id:"
_REST_TYPES = {
    "urlCitation": "url_citation",
    "fileCitation": "file_citation",
    "placeCitation": "place_citation",
    "wordInfo": "word_info",
}
_REST_KEYS = frozenset({"startIndex", "endIndex", *_REST_TYPES})
_HUMP = re.compile(r"(?<=[a-z0-9])[A-Z]")


def reach(raw: Json) -> float:
    """How many bytes of the text must be there before the annotation can be placed; inf: all of them."""
    flat = _flatten(raw)
    start, end = _offset(flat, "start_index"), _offset(flat, "end_index")
    if end is None:
        return 0 if start is None else math.inf
    return end if start is None or start < end else start


def decode_annotation(raw: Json, index: TextIndex, wire: str) -> Annotation:
    """Read an annotation of the text that `index` measures. Offsets are clamped to that text."""
    if raw.get("type") == "url_citation" and (plain := _plain_url(raw, index)) is not None:
        return plain
    flat = _flatten(raw)
    span = _span(flat, index)
    decode = _DECODERS.get(as_text(flat.get("type")))
    return decode(flat, span, Kept(wire, raw)) if decode is not None else hub.OpaqueAnnotation(wire, raw, span)


def _plain_url(raw: Json, index: TextIndex) -> Annotation | None:
    """A citation that its encoder gives back identical, and so needs no raw form; None for any other."""
    url, title = raw.get("url"), raw.get("title")
    if not (type(url) is type(title) is str and url and title):
        return None
    if len(raw) == 3:  # these two and the type
        return hub.UrlCitation(url, title)
    start, end = raw.get("start_index"), raw.get("end_index")
    if len(raw) != 5 or type(start) is not int or type(end) is not int:
        return None
    first, last = index.on_border(start), index.on_border(end)
    if first is None or last is None or first > last:
        return None
    return hub.UrlCitation(url, title, Span(first, last))


def encode_annotation(annotation: Annotation, index: TextIndex, wire: str) -> Json | None:
    """Spell an annotation for the text that `index` measures; None for another vendor's private one.

    The vendor's own words are repeated verbatim as long as they still say the same place and source. In another unit
    than bytes, which is for readers of an answer, they say it with the offsets counted anew.
    """
    if isinstance(annotation, hub.OpaqueAnnotation):
        return _recounted(annotation.payload, annotation.span, index) if annotation.wire == wire else None
    raw = kept_by(wire, annotation.extra)
    if raw is not None and index.unit != _UNIT:
        return _recounted(raw, annotation.span, index)
    if raw is not None and _says_the_same(annotation, decode_annotation(raw, index, wire)):
        return raw
    return _ENCODERS[type(annotation)](annotation, index)


def loss_of(annotation: Annotation, wire: str, own: bool) -> str | None:
    """What is lost of an annotation that another vendor made, as the vendor's deed ("has no …"); None where nothing is.

    `own` is set for a text that the vendor said itself: its places mean what they always meant.
    """
    if isinstance(annotation, hub.OpaqueAnnotation):
        return None if annotation.wire == wire else "has no such annotation"
    if own or kept_by(wire, annotation.extra) is not None or not isinstance(annotation, _CITATIONS):
        return None
    if annotation.span is not None:
        return "reads the place as the claim that the source supports; others mean the link to the source by it"
    if annotation.extra is not None and _place(annotation) == (None, None):
        return "is told of a source its address and its name, and nothing else that another vendor said"
    return None


_CITATIONS = (hub.UrlCitation, hub.DocumentCitation)

# -- wire to hub -------------------------------------------------------------------------------


def _flatten(raw: Json) -> Json:
    """The flat snake_case form: the REST reference shows `{"startIndex": …, "urlCitation": {…}}`."""
    if _REST_KEYS.isdisjoint(raw):
        return raw
    nested = next((key for key in _REST_TYPES if key in raw), None)
    flat = {_snake(key): value for key, value in raw.items() if key != nested}
    if nested is not None:
        flat |= {_snake(key): value for key, value in as_object(raw[nested]).items()}
        flat["type"] = _REST_TYPES[nested]
    return flat


def _snake(name: str) -> str:
    return _HUMP.sub(lambda hump: "_" + hump[0].lower(), name)


def _offset(flat: Json, name: str) -> int | None:
    value = flat.get(name)
    return value if type(value) is int else None


def _span(flat: Json, index: TextIndex) -> Span | None:
    """Floor the start and ceil the end of an offset inside a character; reversed ends where it starts."""
    start, end = _offset(flat, "start_index"), _offset(flat, "end_index")
    if start is None and end is None:
        return None
    return index.span(start or 0, index.size if end is None else end)


def _text(flat: Json, name: str) -> str | None:
    return as_text(flat.get(name)) or None


def _milliseconds(flat: Json, name: str) -> float | None:
    """A Duration: "seconds with up to nine fractional digits, ending with 's'"."""
    told = as_text(flat.get(name))
    if not re.fullmatch(r"\d{1,12}(\.\d{1,9})?s", told, re.ASCII):
        return None
    return round(float(told[:-1]) * 1000, 6)


def _decode_url(flat: Json, span: Span | None, kept: Kept) -> Annotation:
    url = as_text(flat.get("url"))
    return hub.UrlCitation(url, as_text(flat.get("title")) or url, span, kept)


def _decode_file(flat: Json, span: Span | None, kept: Kept) -> Annotation:
    uri, name = _text(flat, "document_uri"), _text(flat, "file_name")
    return hub.DocumentCitation(
        document_id=uri or _text(flat, "media_id") or name,
        name=name or (uri or "").rstrip("/").rpartition("/")[2] or None,
        span=span,
        position=span.end if span is not None else None,
        extra=kept,
    )


def _decode_place(flat: Json, span: Span | None, kept: Kept) -> Annotation:
    place = _text(flat, "place_id")
    link = _MAPS_LINK + place.removeprefix("places/") if place is not None else None
    return hub.PlaceCitation(place, _text(flat, "name"), _text(flat, "url") or link, span, kept)


def _decode_word(flat: Json, span: Span | None, kept: Kept) -> Annotation:
    start, end = _milliseconds(flat, "start_offset"), _milliseconds(flat, "end_offset")
    return hub.WordInfo(_text(flat, "text"), start, end, _text(flat, "speaker"), span, kept)


def _decode_speech(flat: Json, span: Span | None, kept: Kept) -> Annotation:
    return hub.SpeechMetadata(_text(flat, "speaker"), _text(flat, "style"), span, kept)


_DECODERS: dict[str, Callable[[Json, Span | None, Kept], Annotation]] = {
    "url_citation": _decode_url,
    "file_citation": _decode_file,
    "place_citation": _decode_place,
    "word_info": _decode_word,
    "speech_metadata": _decode_speech,
}

# -- hub to wire -------------------------------------------------------------------------------


def _says_the_same(annotation: Annotation, kept: Annotation) -> bool:
    """Whether what the client sends back still stands where, and cites what, the vendor's own words say.

    The type may differ: a place is shown to some clients as a web citation.
    """
    if _source(annotation) != _source(kept):
        return False
    start, end = _place(annotation)
    kept_start, kept_end = _place(kept)
    if kept_end is None:
        return start in (None, end)
    return end == kept_end and start in (None, kept_start)


def _source(annotation: Annotation) -> tuple[str, str]:
    """What is cited, and its name, as clients are shown them: one without a name goes by its address."""
    match annotation:
        case hub.UrlCitation():
            return annotation.url, annotation.title or annotation.url
        case hub.PlaceCitation():
            return annotation.url or "", annotation.name or annotation.url or ""
        case hub.DocumentCitation():
            document_id = annotation.document_id or annotation.name or ""
            return document_id, annotation.name or document_id.rstrip("/").rpartition("/")[2]
        case _:
            return "", ""


def _place(annotation: Annotation) -> tuple[int | None, int | None]:
    if annotation.span is not None:
        return annotation.span.start, annotation.span.end
    return None, getattr(annotation, "position", None)


def _offsets(span: Span | None, index: TextIndex) -> Json:
    if span is None:
        return {}
    start, end = index.offsets(span)
    return {"start_index": start, "end_index": end}


def _recounted(raw: Json, span: Span | None, index: TextIndex) -> Json:
    """The vendor's own words with those offsets that it gives, in the unit of `index`."""
    if span is None or index.unit == _UNIT:
        return raw
    places = _offsets(span, index)
    return {key: places.get(_snake(key), value) if type(value) is int else value for key, value in raw.items()}


def _told(**fields: object) -> Json:
    return {name: value for name, value in fields.items() if value is not None}


def _encode_url(annotation: hub.UrlCitation, index: TextIndex) -> Json:
    source = {"type": "url_citation", "url": annotation.url, "title": annotation.title}
    return source | _offsets(annotation.span, index)


def _encode_file(annotation: hub.DocumentCitation, index: TextIndex) -> Json:
    point = annotation.position
    span = annotation.span or (Span(point, point) if point is not None else None)
    container = {"container_id": annotation.container_id} if annotation.container_id is not None else None
    source = _told(document_uri=annotation.document_id, file_name=annotation.name, custom_metadata=container)
    return {"type": "file_citation"} | source | _offsets(span, index)


def _encode_place(annotation: hub.PlaceCitation, index: TextIndex) -> Json:
    source = _told(place_id=annotation.place_id, name=annotation.name, url=annotation.url)
    return {"type": "place_citation"} | source | _offsets(annotation.span, index)


def _seconds(milliseconds: float | None) -> str | None:
    if milliseconds is None:
        return None
    return f"{milliseconds / 1000:.9f}".rstrip("0").rstrip(".") + "s"


def _encode_word(annotation: hub.WordInfo, index: TextIndex) -> Json:
    start, end = _seconds(annotation.start_ms), _seconds(annotation.end_ms)
    word = _told(text=annotation.text, start_offset=start, end_offset=end, speaker=annotation.speaker)
    return {"type": "word_info"} | word | _offsets(annotation.span, index)


def _encode_speech(annotation: hub.SpeechMetadata, index: TextIndex) -> Json:
    speech = _told(speaker=annotation.speaker, style=annotation.style)
    return {"type": "speech_metadata"} | speech | _offsets(annotation.span, index)


_ENCODERS: dict[type, Callable[[Any, TextIndex], Json]] = {
    hub.UrlCitation: _encode_url,
    hub.DocumentCitation: _encode_file,
    hub.PlaceCitation: _encode_place,
    hub.WordInfo: _encode_word,
    hub.SpeechMetadata: _encode_speech,
}
