"""Citations as clients of Ark read them, and as they send them back: in the common words again.

Ark's citations have no place in the text. Where a vendor gave one, it stands beside Ark's fields.
"""

from __future__ import annotations

from typing import Final

from adapters.hub.adapter import Fidelity
from adapters.hub.annotations import Annotation, PlaceCitation
from adapters.responses.annotations import EXTENSION, encode_annotation, own_words
from adapters.wire_json import Json, as_object, as_text

_URL: Final = "url_citation"
_DOCUMENT: Final = "doc_citation"
_USUAL: Final = {_URL: _URL, _DOCUMENT: "file_citation"}
"""The common type of a citation that does not say it."""

_PLACES: Final = ("start_index", "end_index", "index", "container_id")
"""What the common words have and Ark's have not."""


def encode_citation(annotation: Annotation, wire: str, fidelity: Fidelity, length: int) -> Json | None:
    """Spell a citation for a client of Ark; None where Ark has no type for it. Ark's own stands as it is."""
    kept = own_words(annotation)
    if kept is not None and kept.wire == wire:
        return kept.data if isinstance(kept.data.get("type"), str) else None
    common = encode_annotation(annotation, wire, "strict" if fidelity == "strict" else "rich", length)
    if common is None:
        return None
    said = _spelled(common)
    if isinstance(annotation, PlaceCitation):
        said["site_name"] = "Google Maps"
    if fidelity == "strict":
        return said
    extension = dict(as_object(common.get(EXTENSION)))
    if extension.pop("loc", None) is None:
        said |= {key: common[key] for key in _PLACES if key in common}
    if common["type"] != _USUAL[said["type"]]:
        extension["kind"] = common["type"]
    return {**said, EXTENSION: extension} if extension else said


def _spelled(common: Json) -> Json:
    if common["type"] == _URL:
        return {"type": _URL, "title": common["title"], "url": common["url"]}
    # "title", "url": the SDK has one class for both types, and requires them
    document: Json = {"doc_id": common["file_id"], "doc_name": common["filename"], "chunk_attachment": []}
    return {"type": _DOCUMENT, "title": common["filename"], "url": "", **document}


def retell_citation(raw: Json, wire: str, length: int) -> Json:
    """A citation that the client sends back, in the common words; `length` is that of its text in code points."""
    type_, extension = as_text(raw.get("type")), dict(as_object(raw.get(EXTENSION)))
    if type_ not in _USUAL:
        return raw
    raw = {key: value for key, value in raw.items() if value is not None}  # the SDK tells every field there could be
    kind = extension.pop("kind", None) or _USUAL[type_]
    if not extension and raw.keys() - _PLAIN[type_]:
        # Ark's own, with more than the common words say
        extension = {"v": wire, "raw": {key: value for key, value in raw.items() if key != EXTENSION}}
    if "index" not in raw and "end_index" not in raw:
        extension["loc"] = "none"
    place = {key: raw[key] for key in _PLACES if key in raw} or _nowhere(kind, length)
    told = {"type": kind, **_cited(raw), **place}
    return {**told, EXTENSION: extension} if extension else told


_PLAIN: Final = {
    _URL: frozenset({"type", "url", "title", *_PLACES}),
    _DOCUMENT: frozenset({"type", *_PLACES}),
}


def _cited(raw: Json) -> Json:
    if raw["type"] == _URL:
        url = as_text(raw.get("url"))
        return {"url": url, "title": as_text(raw.get("title")) or as_text(raw.get("site_name")) or url}
    name = as_text(raw.get("doc_name"))
    return {"file_id": as_text(raw.get("doc_id")) or name, "filename": name}


def _nowhere(kind: str, length: int) -> Json:
    """Zero wide at the end, and the extension says that it is no place."""
    return {"index": length} if kind in ("file_citation", "file_path") else {"start_index": length, "end_index": length}
