"""All that a request says but its input, retold in the common words: who is asked, how, with which tools."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from adapters.faces.gemini import coverage as rows
from adapters.faces.gemini.blocks import retell_system
from adapters.faces.gemini.forms import Forms, retell_forms
from adapters.faces.gemini.notes import Notes
from adapters.faces.gemini.tools import retell_choice, retell_tools
from adapters.hub.errors import BadRequest
from adapters.hub.fields import Fields, mistyped
from adapters.responses.annotations import EXTENSION
from adapters.wire_json import Json

_MAX_STOPS: Final = 4
_MAX_LABELS: Final = 16
_ENCRYPTED: Final = "reasoning.encrypted_content"

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


def retell_settings(fields: Fields, notes: Notes) -> Json:
    """The fields in the common words. Raises `BadRequest` for one that the dialect has not."""
    _check_fields(fields)
    notes.paths |= _PATHS
    notes.follow(rows.FIELDS, fields.raw, "")
    config = fields.inner(fields.object("generation_config") or {}, "generation_config")
    notes.follow(rows.GENERATION, config.raw, config.here)
    if "agent" in fields.raw:
        notes.paths["model"] = "agent"
    said: Json = {
        "model": fields.text("agent") or fields.text("model"),
        "instructions": retell_system(fields, "system_instruction", notes),
        "previous_response_id": fields.text("previous_interaction_id"),
        **{name: fields.flag(name) for name in _SAME},
        **{name: config.raw.get(name) for name in _CONFIG},
        **_thinking(fields, config, notes),
        **_choices(fields, config, notes),
        **_extension(fields, config, notes),
        **_labels(fields, notes),
    }
    if (tier := fields.text("service_tier")) is not None:
        said["service_tier"] = notes.spell(rows.TIERS, rows.NO_TIER, tier, "service_tier")
    return {name: value for name, value in said.items() if value is not None}


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


def _choices(fields: Fields, config: Fields, notes: Notes) -> Json:
    """The tools, the choice among them, and the form of the answer, which may ask for a tool."""
    choice, forms = retell_choice(config, notes), retell_forms(fields, config, notes)
    words = retell_tools(fields, choice.strict, notes)
    if forms.image is not None:
        words.add(forms.image, forms.image_path)
    for number, path in enumerate(words.paths):
        notes.paths[f"tools[{number}]"] = path
    chosen = choice.said
    if forms.only_images:
        chosen, notes.paths["tool_choice"] = {"type": "image_generation"}, "response_modalities"
    if isinstance(chosen, dict) and not words.tools:
        chosen = None  # the functions that it names are not there
    return {"tools": words.tools or None, "tool_choice": chosen, **_text(forms, notes)}


def _text(forms: Forms, notes: Notes) -> Json:
    notes.paths["text"] = notes.paths["text.format"] = forms.text_path
    return {"text": {"format": forms.text}} if forms.text is not None else {}


def _extension(fields: Fields, config: Fields, notes: Notes) -> Json:
    """The gateway's own key, which says what the common words lack: sequences to stop at."""
    said: Json = dict(fields.object(EXTENSION) or {})
    stops: list[Any] = config.array("stop_sequences")
    if len(stops) > _MAX_STOPS:
        notes.private[config.path("stop_sequences")] = rows.TOO_MANY_STOPS
    elif "stop" in said:
        if stops:
            raise BadRequest(
                f"'{EXTENSION}.stop' says again what 'generation_config.stop_sequences' says.",
                param=f"{EXTENSION}.stop",
            )
        del notes.paths[f"{EXTENSION}.stop"]
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
