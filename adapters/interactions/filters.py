"""Filters of a file search in the syntax of the wire: "see https://google.aip.dev/160"."""

from __future__ import annotations

import re
from typing import Any, Final

from adapters.hub.errors import BadRequest, Unsupported
from adapters.hub.fields import Fields, mistyped
from adapters.wire_json import dumps

_COMPARISONS: Final = {"eq": "=", "ne": "!=", "gt": ">", "gte": ">=", "lt": "<", "lte": "<="}
_LISTS: Final = {"in": ("=", " OR "), "nin": ("!=", " AND ")}
_JOINTS: Final = {"and": " AND ", "or": " OR "}
_KEY = re.compile(r"[A-Za-z_][A-Za-z0-9_.]*")
_MAX_DEPTH = 20  # filters within filters


def encode_filter(fields: Fields, depth: int = 0) -> str:
    """The filter as text. Raises `BadRequest` for what is no filter, `Unsupported` for a key that cannot be written."""
    kind = fields.needed_text("type")
    joint = _JOINTS.get(kind)
    if joint is not None:
        if depth == _MAX_DEPTH:
            raise BadRequest("The filters are nested too deep.", param=fields.here)
        inner = fields.objects("filters")
        if not inner:
            raise BadRequest("There is nothing to combine.", param=fields.path("filters"))
        return f"({joint.join(encode_filter(one, depth + 1) for one in inner)})"
    key, value = fields.needed_text("key"), fields.raw.get("value")
    if not _KEY.fullmatch(key):
        raise Unsupported(f"A filter of this vendor cannot name '{key}'.", param=fields.path("key"))
    if kind in _LISTS:
        sign, joint = _LISTS[kind]
        values = fields.array("value")
        if not values:
            raise BadRequest("There is nothing to compare with.", param=fields.path("value"))
        return f"({joint.join(f'{key} {sign} {_literal(one, fields)}' for one in values)})"
    fields.choice("type", (*_COMPARISONS, *_LISTS, *_JOINTS))
    return f"{key} {_COMPARISONS[kind]} {_literal(value, fields)}"


def _literal(value: Any, fields: Fields) -> str:
    if not isinstance(value, str | int | float):
        raise mistyped(fields.path("value"), "a string, a number or a boolean", value)
    return dumps(value).decode()
