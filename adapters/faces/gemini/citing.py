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


class Citing:
    """Tells the citations of every part as soon as the text is there that they cite."""

    def __init__(self, encoding: Encoding) -> None:
        self._fidelity = encoding.fidelity
        self._losses = encoding.losses
        self._unit: Offsets = encoding.offsets or "utf8"

    def due(self, part: PartBook, step: int, block: int, *, whole: bool) -> list[Json]:
        """The citations of the part whose text has arrived; all that wait, where it is `whole`.

        `block` is that of the step in which the part stands.
        """
        due = part.due(self._unit, whole=whole)
        return [told for one in due if (told := self._encode(part, one, step, block)) is not None]

    def _encode(self, part: PartBook, annotation: Annotation, step: int, block: int) -> Json | None:
        """A citation; None where the dialect has no type for it, and then the part carries it.

        One without a place has no offsets: the dialect lets both be absent.
        """
        at, part.heard = part.heard, part.heard + 1
        index = part.measure(self._unit)
        said = encode_annotation(annotation, index, NAME)
        kept = own_words(annotation)
        if kept is None or kept.wire == NAME:
            return said
        if self._fidelity == "strict":
            reason = f"{kept.data.get('type')} of {kept.wire} has more than the dialect can say"
            self._losses.note(f"steps[{step}].content[{block}].annotations[{at}]", reason)
            return said
        if said is None and self._fidelity == "native":
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
