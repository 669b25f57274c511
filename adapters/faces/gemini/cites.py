"""The hub's annotations as a client of the dialect reads them."""

from __future__ import annotations

from adapters.faces.gemini.books import PartBook
from adapters.faces.gemini.marks import NAME
from adapters.hub.adapter import Encoding, Offsets
from adapters.hub.annotations import Annotation, OpaqueAnnotation
from adapters.hub.kept import Kept
from adapters.hub.spans import TextIndex
from adapters.interactions.annotations import encode_annotation
from adapters.responses.annotations import EXTENSION, own_words
from adapters.wire_json import Json, as_text


def encode(encoding: Encoding, part: PartBook, annotation: Annotation, unit: Offsets, path: str) -> Json | None:
    """The citation of a part's text; None where the dialect has no type for it, and then the part carries it.

    One without a place has no offsets: the dialect lets both be absent.
    """
    at, part.heard = part.heard, part.heard + 1
    index = part.measure(unit)
    said = encode_annotation(annotation, index, NAME)
    kept = own_words(annotation)
    if kept is None or kept.wire == NAME:
        return said
    if encoding.fidelity == "strict":
        encoding.losses.note(
            f"{path}.annotations[{at}]", f"{kept.data.get('type')} of {kept.wire} has more than the dialect can say"
        )
        return said
    if said is None and encoding.fidelity == "native":
        said = _native(annotation, kept, index)
    if said is None:
        part.held.append({"at": at, "raw": kept.data})
        part.held_wire = kept.wire
        return None
    return {**said, EXTENSION: {"v": kept.wire, "raw": kept.data}}


def _native(annotation: Annotation, kept: Kept, index: TextIndex) -> Json | None:
    """The vendor's own annotation under its own name, its offsets counted as the client counts."""
    if not as_text(kept.data.get("type")):
        return None
    span = annotation.span if isinstance(annotation, OpaqueAnnotation) else None
    start, end = index.offsets(span) if span is not None else (None, None)
    offsets = {"start_index": start, "end_index": end} if span is not None else {}
    return {**kept.data, **offsets}
