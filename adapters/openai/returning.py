"""What OpenAI said, as a client of another dialect sends it back: in OpenAI's own words again."""

from __future__ import annotations

from collections.abc import Iterator

from adapters.hub.annotations import Annotation, DocumentCitation, OpaqueAnnotation, UrlCitation
from adapters.hub.kept import kept_by
from adapters.hub.request import FunctionOutput, Item, Message, Part, Reasoning, TextPart
from adapters.hub.tags import read_id
from adapters.openai.endpoint import NAME
from adapters.responses.annotations import decode_annotation
from adapters.responses.tables import ANNOTATION_FIELDS
from adapters.wire_json import Json, as_list, as_object

_SPOKEN = frozenset({"content", "summary", "arguments", "input", "code"})
_SPOKEN_IN_PARTS = frozenset({"type", "text", "refusal", "annotations"})
"""Fields that a client may have edited: they stay as it sent them."""


def client_of(item: Item) -> str:
    """The dialect of the client that sent the item."""
    return item.source.wire if item.source is not None else NAME


def restored(item: Item, raw: Json) -> Json:
    """The item `raw`, told in the common words, with OpenAI's id and all that rode along with it for OpenAI."""
    rest = as_object((kept_by(NAME, item.extra) or {}).get("rest"))
    told = raw | {key: value for key, value in rest.items() if key not in _SPOKEN}
    told.pop("id", None)
    wire, id_ = read_id(item.id or "", client_of(item))
    if wire == NAME and id_:
        told["id"] = id_
    if isinstance(item, Reasoning) and item.signature is not None and item.signature.wire == NAME:
        told["encrypted_content"] = item.signature.blob
    if isinstance(item, Message | FunctionOutput):
        field = "content" if isinstance(item, Message) else "output"
        if isinstance(raw.get(field), list):
            parts = zip(item.parts, map(as_object, as_list(raw[field])), strict=True)
            told[field] = [_part(part, said) for part, said in parts]
    return told


def _part(part: Part, said: Json) -> Json:
    if not isinstance(part, TextPart):
        return said
    rest = as_object((kept_by(NAME, part.extra) or {}).get("rest"))
    told = said | {key: value for key, value in rest.items() if key not in _SPOKEN_IN_PARTS}
    return told | {"annotations": list(_cites(part.annotations, said))} if part.annotations else told


def _cites(annotations: list[Annotation], said: Json) -> Iterator[Json]:
    """The citations in OpenAI's own words, as long as those say what the client sends back."""
    given = [cite for cite in map(as_object, as_list(said.get("annotations"))) if cite.get("type") in ANNOTATION_FIELDS]
    told = iter(given)
    for annotation in annotations:
        if isinstance(annotation, OpaqueAnnotation):
            yield annotation.payload
            continue
        shown = next(told, _NOTHING)
        own = kept_by(NAME, annotation.extra)
        yield own if own is not None and _same(decode_annotation(own, NAME), annotation) else shown


_NOTHING: Json = {}


def _same(kept: Annotation, told: Annotation) -> bool:
    """Whether the client still cites what OpenAI cited, where it did: as far as its dialect can say that."""
    if type(kept) is not type(told) or told.span not in (kept.span, None):
        return False
    if isinstance(kept, UrlCitation) and isinstance(told, UrlCitation):
        return kept.url == told.url and told.title in (kept.title, kept.title or kept.url)
    if isinstance(kept, DocumentCitation) and isinstance(told, DocumentCitation):
        named = told.name in (kept.name, None) or kept.name is None
        return named and kept.document_id == told.document_id and told.position in (kept.position, None)
    return False
