"""The gateway's own key in what a client sends back: no vendor may see it."""

from __future__ import annotations

from typing import Any, Final, cast

from adapters.responses.annotations import EXTENSION
from adapters.wire_json import Json, as_object, as_text

MORE_WAS_SAID: Final = "what another vendor said of it beyond the dialect is read only there"
"""Why a loss is reported of something that is sent on without what rode along with it."""


_NAMES: Final = ("v", "loc", "id", "kind")
"""What the key says of whose words they are, and not in words."""


def without_extension(value: Any, said: list[str]) -> Any:
    """A copy without the key, at any depth; `said` gets the vendors whose words it kept."""
    if isinstance(value, dict):
        fields = cast(Json, value)
        extension = as_object(fields.get(EXTENSION))
        if any(value for key, value in extension.items() if key not in _NAMES):
            said.append(as_text(extension.get("v")))
        return {key: without_extension(inner, said) for key, inner in fields.items() if key != EXTENSION}
    if isinstance(value, list):
        return [without_extension(inner, said) for inner in cast(list[Any], value)]
    return value
