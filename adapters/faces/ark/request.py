"""A request of Ark's dialect, retold in the common words. What only Ark understands is kept for it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final

from adapters.faces.ark.coverage import FIELDS, THINKING, UNKNOWN
from adapters.faces.ark.items import retell_items
from adapters.faces.ark.tools import Tools, retell_choice
from adapters.hub.adapter import Offsets
from adapters.hub.coverage import Rule
from adapters.hub.errors import BadRequest
from adapters.hub.fields import Fields
from adapters.hub.origin import respell
from adapters.hub.request import Origin, Request
from adapters.responses import request as common
from adapters.responses.offsets import recount_content
from adapters.wire_json import Json, as_object

NAME: Final = "ark"


@dataclass(slots=True)
class _Retold:
    body: Json
    private: dict[str, Rule] = field(default_factory=dict[str, Rule])
    paths: dict[str, str] = field(default_factory=dict[str, str])


def decode_request(body: Json, offsets: Offsets | None = None, /) -> Request:
    """Read a body of Ark's. Its SDK sends every field: null is absent. Raises `BadRequest` with the path at fault."""
    said = {key: value for key, value in Fields(body, NAME).raw.items() if value is not None}
    if offsets is not None and "input" in said:
        said["input"] = recount_content(said["input"], offsets, "codepoint")
    retold = _retell(Fields(said, NAME))
    origin = Origin(said, retold.private, retold.paths)
    try:
        request = common.decode_request(retold.body, NAME)
    except BadRequest as error:
        respell(origin, error)
        raise
    request.origin = origin
    return request


def _retell(fields: Fields) -> _Retold:
    retold = _Retold({key: value for key, value in fields.raw.items() if FIELDS.get(key, UNKNOWN).verdict == "exact"})
    for key in fields.raw:
        rule = FIELDS.get(key, UNKNOWN)
        if rule.verdict in ("dropped", "rejected"):
            retold.private[key] = rule
    _retell_input(fields, retold)
    _retell_tools(fields, retold)
    _retell_thinking(fields, retold)
    _retell_format(fields, retold)
    return retold


def _retell_input(fields: Fields, retold: _Retold) -> None:
    if isinstance(fields.raw.get("input"), list):
        history = retell_items(fields.objects("input"), NAME)
        retold.body["input"] = history.items
        retold.paths |= history.paths


def _retell_tools(fields: Fields, retold: _Retold) -> None:
    tools = Tools()
    if isinstance(fields.raw.get("tools"), list):
        retold.body["tools"] = [tools.retell(tool) for tool in fields.objects("tools")]
    retold.private |= tools.private
    retold.paths |= tools.paths
    if "tool_choice" in fields.raw:
        retold.body["tool_choice"] = retell_choice(fields, retold.private)


def _retell_thinking(fields: Fields, retold: _Retold) -> None:
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


def _retell_format(fields: Fields, retold: _Retold) -> None:
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
