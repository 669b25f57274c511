"""The form of the answer in the common words: text, JSON of a schema, images."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from adapters.faces.gemini import coverage as rows
from adapters.faces.gemini.notes import Notes
from adapters.faces.gemini.schema import is_strict
from adapters.hub.fields import Fields, mistyped
from adapters.wire_json import Json, as_text

_JSON: Final = "application/json"
_PLAIN: Final = "text/plain"
_NO_NAME: Final = re.compile(r"[^A-Za-z0-9_-]+")
_SIZES: Final = {"1:1": "1024x1024", "3:2": "1536x1024", "2:3": "1024x1536"}
_WIDE: Final = ("4:3", "5:4", "16:9", "21:9", "8:1", "4:1")
_TALL: Final = ("3:4", "4:5", "9:16", "1:8", "1:4")
_IMAGE_FORMATS: Final = {"image/jpeg": "jpeg", "image/png": "png", "image/webp": "webp"}


@dataclass(slots=True)
class Forms:
    """`text` is the form of the text and `text_path` where the body asks for it; `image` is the tool that makes images,
    asked for at `image_path`; `only_images` says that no text is wanted.
    """

    text: Json | None = None
    text_path: str = "response_format"
    image: Json | None = None
    image_path: str = ""
    only_images: bool = False


def retell_forms(fields: Fields, config: Fields, notes: Notes) -> Forms:
    """What the answer consists of."""
    forms = Forms()
    for said in _formats(fields):
        kind = said.text("type") or "text"
        if kind not in rows.FORMATS:
            _schema(forms, said, said.raw, said.here)
            continue
        notes.heed(rows.FORMATS[kind], said.here)
        if kind in rows.FORMAT_FIELDS:
            notes.follow(rows.FORMAT_FIELDS[kind], said.raw, said.here)
            (_image if kind == "image" else _text)(forms, said, notes)
    if forms.text is None and fields.text("response_mime_type") == _JSON:
        forms.text, forms.text_path = {"type": "json_object"}, "response_mime_type"
    if image := config.object("image_config"):
        _image(forms, config.inner(image, "image_config"), notes)
    _modalities(forms, fields, notes)
    return forms


def _formats(fields: Fields) -> list[Fields]:
    value = fields.raw.get("response_format")
    if value is None:
        return []
    return fields.objects("response_format") if isinstance(value, list) else [fields.inner(value, "response_format")]


def _text(forms: Forms, said: Fields, notes: Notes) -> None:
    mime_type, schema = said.text("mime_type"), said.object("schema")
    if mime_type not in (None, _JSON, _PLAIN):
        notes.heed(rows.NO_MIME_TYPE, said.path("mime_type"))
    if schema is not None and mime_type != _PLAIN:
        _schema(forms, said, schema, said.path("schema"))
    elif mime_type == _JSON:
        forms.text, forms.text_path = {"type": "json_object"}, said.here


def _schema(forms: Forms, said: Fields, schema: Json, path: str) -> None:
    """JSON of a schema: `said` holds it, or in the older form is it."""
    name = _NO_NAME.sub("_", as_text(schema.get("title")))[:64].strip("_") or "response"
    forms.text = {"type": "json_schema", "name": name, "schema": schema, "strict": is_strict(schema)}
    forms.text_path = said.here if path == said.here else path.removesuffix(".schema")


def _image(forms: Forms, said: Fields, notes: Notes) -> None:
    tool: Json = forms.image or {"type": "image_generation"}
    ratio, mime_type = said.text("aspect_ratio"), said.text("mime_type")
    if ratio in _SIZES:
        tool["size"] = _SIZES[ratio]
    elif ratio in (*_WIDE, *_TALL):
        tool["size"] = _SIZES["3:2" if ratio in _WIDE else "2:3"]
        notes.heed(rows.OTHER_RATIO, said.path("aspect_ratio"))
    if mime_type in _IMAGE_FORMATS:
        tool["output_format"] = _IMAGE_FORMATS[mime_type]
    forms.image, forms.image_path = tool, said.here


def _modalities(forms: Forms, fields: Fields, notes: Notes) -> None:
    wanted = fields.array("response_modalities")
    for number, modality in enumerate(wanted):
        path = f"response_modalities[{number}]"
        if not isinstance(modality, str):
            raise mistyped(path, "a string", modality)
        notes.heed(rows.MODALITIES.get(modality, rows.NO_MODALITY), path)
        if modality == "image" and forms.image is None:
            forms.image, forms.image_path = {"type": "image_generation"}, path
    forms.only_images = wanted == ["image"]
