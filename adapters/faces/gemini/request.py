"""A request of the Interactions dialect, read for the hub: retold in the common words, and kept as it was said."""

from __future__ import annotations

from typing import Final

from adapters.faces.gemini.marks import NAME
from adapters.faces.gemini.notes import Notes
from adapters.faces.gemini.nulls import without_nulls
from adapters.faces.gemini.retelling import Retold, retell
from adapters.faces.gemini.settings import retell_settings
from adapters.hub.errors import BadRequest
from adapters.hub.fields import Fields, check_depth, mistyped
from adapters.hub.request import Origin, Request
from adapters.hub.spans import Offsets
from adapters.responses.offsets import recount_content
from adapters.responses.retold import decode_retold
from adapters.wire_json import Json

_NOBODY: Final[Json] = {"type": "message", "role": "user", "content": []}
"""What is said by an input of which no other vendor is told anything."""


def decode_request(body: Json, offsets: Offsets | None = None) -> Request:
    """Read a body whose citations count by `offsets`, as bytes if that is None.

    Raises `BadRequest` with the path of the field at fault.
    """
    check_depth(body)
    body = without_nulls(body)
    if "input" in body:
        body["input"] = recount_content(body["input"], offsets or "utf8", "utf8")
    fields, notes = Fields(body, NAME), Notes()
    said = retell_settings(fields, notes) | _retell_input(fields, notes)
    return decode_retold(said, NAME, Origin(body, notes.private, notes.paths))


def _retell_input(fields: Fields, notes: Notes) -> Json:
    value = fields.raw.get("input")
    if value is None or isinstance(value, str):
        return {"input": value} if value is not None else {}
    if not isinstance(value, dict | list):
        raise mistyped("input", "a string, a step or an array of steps", value)
    steps = [fields.inner(value, "input")] if isinstance(value, dict) else fields.objects("input")
    for step in steps:
        _check_revision(step)
    told = retell(steps, notes)
    for number, retold in enumerate(told):
        _place(f"input[{number}]", retold, notes.paths)
    return {"input": [retold.item for retold in told] or ([_NOBODY] if steps else [])}


def _check_revision(step: Fields) -> None:
    if "role" in step.raw and "type" not in step.raw:
        raise BadRequest(
            f"'{step.here}' is a turn of the API's older revision. Send steps: a 'user_input' for the role 'user', "
            "a 'model_output' for the role 'model'.",
            param=step.here,
        )


def _place(path: str, retold: Retold, paths: dict[str, str]) -> None:
    paths[path] = retold.path
    for inner, own in retold.parts.items():
        paths[path + inner] = own
