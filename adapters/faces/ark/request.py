"""A request of Ark's dialect, retold in the common words. What only Ark understands is kept for it."""

from __future__ import annotations

from typing import Final

from adapters.faces.ark.coverage import FIELDS, UNKNOWN
from adapters.faces.ark.items import retell_items
from adapters.faces.ark.settings import Retold, retell_format, retell_thinking
from adapters.faces.ark.tools import Tools, retell_choice
from adapters.hub.adapter import Offsets
from adapters.hub.fields import Fields
from adapters.hub.request import Origin, Request
from adapters.responses.offsets import recount_content
from adapters.responses.retold import decode_retold
from adapters.wire_json import Json

NAME: Final = "ark"


def decode_request(body: Json, offsets: Offsets | None = None, /) -> Request:
    """Read a body of Ark's. Its SDK sends every field: null is absent. Raises `BadRequest` with the path at fault."""
    said = {key: value for key, value in Fields(body, NAME).raw.items() if value is not None}
    if offsets is not None and "input" in said:
        said["input"] = recount_content(said["input"], offsets, "codepoint")
    retold = _retell(Fields(said, NAME))
    return decode_retold(retold.body, NAME, Origin(said, retold.private, retold.paths))


def _retell(fields: Fields) -> Retold:
    retold = Retold({key: value for key, value in fields.raw.items() if FIELDS.get(key, UNKNOWN).verdict == "exact"})
    for key in fields.raw:
        rule = FIELDS.get(key, UNKNOWN)
        if rule.verdict in ("dropped", "rejected"):
            retold.private[key] = rule
    _retell_input(fields, retold)
    _retell_tools(fields, retold)
    retell_thinking(fields, retold)
    retell_format(fields, retold)
    return retold


def _retell_input(fields: Fields, retold: Retold) -> None:
    if isinstance(fields.raw.get("input"), list):
        history = retell_items(fields.objects("input"), NAME)
        retold.body["input"] = history.items
        retold.paths |= history.paths


def _retell_tools(fields: Fields, retold: Retold) -> None:
    tools = Tools()
    if isinstance(fields.raw.get("tools"), list):
        retold.body["tools"] = [tools.retell(tool) for tool in fields.objects("tools")]
    retold.private |= tools.private
    retold.paths |= tools.paths
    if "tool_choice" in fields.raw:
        retold.body["tool_choice"] = retell_choice(fields, retold.private)
