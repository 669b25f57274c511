"""JSON of the wires, read and written in one place."""

from __future__ import annotations

from typing import Any

import orjson

Json = dict[str, Any]
"""One JSON object of a wire."""

loads = orjson.loads
"""Bytes or text to a value; raises `JsonError` on anything that is not strict JSON."""

dumps = orjson.dumps
"""A value to compact UTF-8 bytes."""

JsonError = orjson.JSONDecodeError
JsonEncodeError = orjson.JSONEncodeError
