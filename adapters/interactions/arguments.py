"""Arguments of a call: an object on this wire, whatever text another vendor's model wrote."""

from __future__ import annotations

from typing import Final

from adapters.wire_json import Json, JsonError, as_object, loads

RAW_ARGUMENTS: Final = "_raw"
"""Where a text stands that is no JSON object."""


def arguments_of(text: str) -> Json:
    """The arguments that `text` spells."""
    try:
        value = loads(text or "{}")
    except JsonError:
        value = None
    return as_object(value) if isinstance(value, dict) else {RAW_ARGUMENTS: text}
