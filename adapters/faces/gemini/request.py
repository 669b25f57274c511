"""A request of the Interactions dialect, read for the hub: retold in the common words, and kept as it was said."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from adapters.faces.gemini import coverage as rows
from adapters.faces.gemini.forms import Forms, retell_forms
from adapters.faces.gemini.marks import NAME
from adapters.faces.gemini.notes import Notes
from adapters.faces.gemini.nulls import without_nulls
from adapters.faces.gemini.retelling import Retold, retell, retell_system
from adapters.faces.gemini.tools import retell_choice, retell_tools
from adapters.hub.errors import BadRequest
from adapters.hub.fields import Fields, mistyped
from adapters.hub.origin import respell
from adapters.hub.request import Origin, Request
from adapters.hub.spans import Offsets
from adapters.responses import request as common
from adapters.responses.annotations import EXTENSION
from adapters.responses.offsets import recount_content
from adapters.wire_json import Json, JsonEncodeError, dumps

_MAX_STOPS: Final = 4
_MAX_LABELS: Final = 16
_ENCRYPTED: Final = "reasoning.encrypted_content"
_NOBODY: Final[Json] = {"type": "message", "role": "user", "content": []}
"""What is said by an input of which no other vendor is told anything."""

_SAME: Final = ("store", "stream", "background")
_CONFIG: Final = ("temperature", "top_p", "max_output_tokens")
_PATHS: Final[Mapping[str, str]] = {
    "instructions": "system_instruction",
    "previous_response_id": "previous_interaction_id",
    "metadata": "labels",
    "tool_choice": "generation_config.tool_choice",
    "reasoning": "generation_config",
    "reasoning.effort": "generation_config.thinking_level",
    "reasoning.summary": "generation_config.thinking_summaries",
    "x_dragoman.stop": "generation_config.stop_sequences",
    **{name: f"generation_config.{name}" for name in _CONFIG},
}
"""Where the dialect says what the common words call by these paths."""


def decode_request(body: Json, offsets: Offsets | None = None) -> Request:
    """Read a body whose citations count by `offsets`, as bytes if that is None.

    Raises `BadRequest` with the path of the field at fault.
    """
    try:
        dumps(body)
    except JsonEncodeError:
        raise BadRequest("the body is nested too deep") from None
    body = without_nulls(body)
    if "input" in body:
        body["input"] = recount_content(body["input"], offsets or "utf8", "utf8")
    fields, notes, paths = Fields(body, NAME), Notes(), dict(_PATHS)
    _check_fields(fields)
    said = _retell(fields, notes, paths)
    origin = Origin(body, notes.private, paths)
    try:
        request = common.decode_request(said, NAME)
    except BadRequest as error:
        respell(origin, error)
        raise
    request.origin = origin
    return request


def _check_fields(fields: Fields) -> None:
    for name in fields.raw:
        if name not in rows.FIELDS:
            raise BadRequest(
                f"Unknown parameter: '{name}'. The API is read in its revision of steps.",
                code="unknown_parameter",
                param=name,
            )
    if fields.raw.get("model") is not None and fields.raw.get("agent") is not None:
        raise BadRequest("Name a 'model' or an 'agent', not both.", param="agent")


def _retell(fields: Fields, notes: Notes, paths: dict[str, str]) -> Json:
    """The body in the common words; `paths` learns where they stand in the client's."""
    notes.follow(rows.FIELDS, fields.raw, "")
    config = fields.inner(fields.object("generation_config") or {}, "generation_config")
    notes.follow(rows.GENERATION, config.raw, config.here)
    if "agent" in fields.raw:
        paths["model"] = "agent"
    said: Json = {
        "model": fields.text("agent") or fields.text("model"),
        "instructions": retell_system(fields, "system_instruction", notes),
        "previous_response_id": fields.text("previous_interaction_id"),
        **{name: fields.flag(name) for name in _SAME},
        **{name: config.raw.get(name) for name in _CONFIG},
        **_input(fields, notes, paths),
        **_thinking(fields, config, notes),
        **_choices(fields, config, notes, paths),
        **_extension(fields, config, notes),
        **_labels(fields, notes),
    }
    if (tier := fields.text("service_tier")) is not None:
        said["service_tier"] = notes.spell(rows.TIERS, rows.NO_TIER, tier, "service_tier")
    return {name: value for name, value in said.items() if value is not None}


def _input(fields: Fields, notes: Notes, paths: dict[str, str]) -> Json:
    value = fields.raw.get("input")
    if value is None or isinstance(value, str):
        return {"input": value}
    steps = [fields.inner(value, "input")] if isinstance(value, dict) else fields.objects("input")
    for step in steps:
        _check_revision(step)
    told = retell(steps, notes)
    for number, retold in enumerate(told):
        _place(f"input[{number}]", retold, paths)
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


def _thinking(fields: Fields, config: Fields, notes: Notes) -> Json:
    """How much to think, and whether to tell. The dialect always tells the signatures that a client sends back."""
    told: Json = {}
    level, summaries = config.text("thinking_level"), config.text("thinking_summaries")
    if level is not None:
        told["effort"] = notes.spell(rows.LEVELS, rows.NO_LEVEL, level, config.path("thinking_level"))
    if summaries is not None:
        told["summary"] = notes.spell(rows.SUMMARIES, rows.NO_LEVEL, summaries, config.path("thinking_summaries"))
    told = {name: word for name, word in told.items() if word is not None}
    wanted = level is not None or summaries is not None or fields.raw.get("store") is False
    return {"reasoning": told or None, "include": [_ENCRYPTED] if wanted else None}


def _choices(fields: Fields, config: Fields, notes: Notes, paths: dict[str, str]) -> Json:
    """The tools, the choice among them, and the form of the answer, which may ask for a tool."""
    choice, forms = retell_choice(config, notes), retell_forms(fields, config, notes)
    words = retell_tools(fields, choice.strict, notes)
    if forms.image is not None:
        words.add(forms.image, forms.image_path)
    for number, path in enumerate(words.paths):
        paths[f"tools[{number}]"] = path
    chosen = choice.said
    if forms.only_images:
        chosen, paths["tool_choice"] = {"type": "image_generation"}, "response_modalities"
    if isinstance(chosen, dict) and not words.tools:
        chosen = None  # the functions that it names are not there
    return {"tools": words.tools or None, "tool_choice": chosen, **_text(forms, paths)}


def _text(forms: Forms, paths: dict[str, str]) -> Json:
    paths["text"] = paths["text.format"] = forms.text_path
    return {"text": {"format": forms.text}} if forms.text is not None else {}


def _extension(fields: Fields, config: Fields, notes: Notes) -> Json:
    """The gateway's own key, which says what the common words lack: sequences to stop at."""
    said: Json = dict(fields.object(EXTENSION) or {})
    stops: list[Any] = config.array("stop_sequences")
    if len(stops) > _MAX_STOPS:
        notes.private[config.path("stop_sequences")] = rows.TOO_MANY_STOPS
    elif stops:
        said["stop"] = stops
    return {EXTENSION: said or None}


def _labels(fields: Fields, notes: Notes) -> Json:
    labels = fields.object("labels")
    for name, value in (labels or {}).items():
        if type(value) is not str:
            raise mistyped(f"labels.{name}", "a string", value)
    if labels is not None and len(labels) > _MAX_LABELS:
        notes.private["labels"] = rows.TOO_MANY_LABELS
        return {}
    return {"metadata": labels}
