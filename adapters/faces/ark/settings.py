"""How much Ark is to think, and what form its answer has, retold in the common words."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from adapters.faces.ark.coverage import THINKING, UNKNOWN
from adapters.hub.coverage import Rule
from adapters.hub.fields import Fields
from adapters.wire_json import Json, as_object


@dataclass(slots=True)
class Retold:
    """A request in the common words, with what becomes of the rest elsewhere and where the client said it."""

    body: Json
    private: dict[str, Rule] = field(default_factory=dict[str, Rule])
    paths: dict[str, str] = field(default_factory=dict[str, str])


def retell_thinking(fields: Fields, retold: Retold) -> None:
    """ "disabled goes only with effort minimal": elsewhere that is no effort at all."""
    thinking = fields.object("thinking")
    if thinking is None:
        return
    inner = fields.inner(thinking, "thinking")
    inner.needed_text("type")
    retold.private |= {inner.path(key): UNKNOWN for key, value in thinking.items() if key != "type" and value}
    if inner.choice("type", tuple(THINKING)) == "disabled":
        retold.body["reasoning"] = {**(fields.object("reasoning") or {}), "effort": "none"}
        retold.paths["reasoning.effort"] = "thinking.type"


def retell_format(fields: Fields, retold: Retold) -> None:
    text: Any = fields.raw.get("text")
    if text is None:
        return
    retold.body["text"] = text
    said = as_object(as_object(text).get("format"))
    if said.get("type") == "json_schema" and isinstance(said.get("json_schema"), dict):
        nested = {key: value for key, value in as_object(said["json_schema"]).items() if value is not None}
        rest = {key: value for key, value in said.items() if key != "json_schema"}
        retold.body["text"] = {**as_object(text), "format": {"name": "answer", **rest, **nested}}
        retold.paths |= {f"text.format.{key}": f"text.format.json_schema.{key}" for key in ("schema", "name", "strict")}
