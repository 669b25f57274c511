"""Content parts in Ark's words."""

from __future__ import annotations

from adapters.ark.annotations import encode_annotation
from adapters.ark.coverage import CONTENT, DETAILS, RULES, UNKNOWN
from adapters.ark.endpoint import NAME
from adapters.hub import request as hub
from adapters.hub.annotations import Annotation, OpaqueAnnotation
from adapters.hub.errors import Unsupported
from adapters.hub.kept import kept_by
from adapters.hub.losses import Ledger
from adapters.responses.annotations import EXTENSION
from adapters.responses.spelling import encode_media
from adapters.wire_json import Json, as_list, as_object, as_text


def encode_part(part: hub.Part, losses: Ledger, path: str, spoken: bool) -> Json:
    """A part of a message, which an assistant has `spoken`. Raises `Unsupported` for a part that Ark has not."""
    if isinstance(part, hub.TextPart):
        return _spoken(part, losses, path) if spoken else {"type": "input_text", "text": part.text}
    if isinstance(part, hub.MediaPart):
        return _media(part, losses, path)
    RULES.heed(CONTENT.get(part.kind, UNKNOWN), part.kind, path, losses)
    said = {key: value for key, value in part.payload.items() if key != EXTENSION}
    return _audio(said) if "input_audio" in said else said


def _audio(said: Json) -> Json:
    """Audio as base64 of a format, told as an address."""
    audio = as_object(said["input_audio"])
    url = f"data:audio/{as_text(audio.get('format')) or 'mpeg'};base64,{as_text(audio.get('data'))}"
    return {"type": "input_audio", "audio_url": url}


def _spoken(part: hub.TextPart, losses: Ledger, path: str) -> Json:
    if part.refusal:
        losses.note(path, CONTENT["refusal"].reason)
    rest = as_object((kept_by(NAME, part.extra) or {}).get("rest"))
    said: Json = {**rest, "type": "output_text", "text": part.text}
    told = [_cite(annotation, losses, f"{path}.annotations[{n}]") for n, annotation in enumerate(part.annotations)]
    cites = [cite for cite in told if cite is not None]
    return {**said, "annotations": cites} if cites else said


def _cite(annotation: Annotation, losses: Ledger, path: str) -> Json | None:
    cite = encode_annotation(annotation)
    if cite is None:
        losses.note(path, "Ark has no such annotation")
        return None
    if annotation.span is not None or getattr(annotation, "position", None) is not None:
        losses.note(path, "Ark's citations have no place in the text")
    extra = None if isinstance(annotation, OpaqueAnnotation) else annotation.extra
    if extra is not None and extra.wire != NAME:
        losses.note(path, "Ark's citations have no other fields")
    return cite


def _media(part: hub.MediaPart, losses: Ledger, path: str) -> Json:
    said = encode_media(part)
    if said is None:
        raise Unsupported("Ark does not know files of another vendor.", param=f"{path}.file_id")
    if part.media == "image":
        said["detail"] = RULES.spell(DETAILS, part.detail or "auto", f"{path}.detail", losses) or "auto"
    return said


def encode_thought(text: str, raw: Json) -> Json:
    """A thought, with what it cites: the dialect's thoughts cite nothing, so that stands beside it."""
    beside = as_object(raw.get(EXTENSION))
    held = as_list(beside.get("annotations")) if beside.get("v") == NAME else []
    cites = {"annotations": [as_object(entry).get("raw") for entry in map(as_object, held)]} if held else {}
    return {"type": "reasoning_text", "text": text, **cites}
