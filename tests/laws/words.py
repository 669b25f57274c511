"""Every word of the wires, read from the types of the vendors' SDKs, and from descriptions of the wires where they lie.

A vocabulary is feature to words, as the rows of a coverage are feature to word to rule.
"""

# pyright: reportMissingTypeStubs=false
# (one of the SDKs ships without stubs)

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Any, get_args, get_type_hints

import volcenginesdkarkruntime.types.responses as ark
from google.genai._gaos.types import interactions as gemini
from openai.types import beta, responses
from openai.types.beta import response_create_params as beta_create_params
from openai.types.responses import response_create_params, response_includable, tool_param
from pydantic.fields import FieldInfo
from volcenginesdkarkruntime.types.responses import response as ark_response
from volcenginesdkarkruntime.types.responses.response_output_item import ResponseOutputItem as ArkItem
from volcenginesdkarkruntime.types.responses.response_stream_event import ResponseStreamEvent as ArkEvent

from tests.conftest import SHARED

Vocabulary = Mapping[str, frozenset[str]]


# -- reading types -----------------------------------------------------------------------------


def parts_of(hint: Any) -> Iterator[Any]:
    """What a union, a list, an alias or an annotated type is made of, down to classes and the words of Literals."""
    waiting = [hint]
    while waiting:
        found = waiting.pop()
        inner = getattr(found, "__value__", None)
        parts = get_args(found) if inner is None else (inner,)
        waiting += parts
        if not parts:
            yield found


def fields_of(cls: Any) -> dict[str, Any]:
    """The fields of a model or a typed dictionary, with their types."""
    model: dict[str, FieldInfo] | None = getattr(cls, "model_fields", None)
    if model is not None:
        return {field.alias or name: field.annotation for name, field in model.items()}
    return get_type_hints(cls) if hasattr(cls, "__total__") else {}


def literals_of(hint: Any) -> frozenset[str]:
    return frozenset(part for part in parts_of(hint) if isinstance(part, str))


def types_of(*hints: Any, key: str = "type") -> frozenset[str]:
    """What tells the members of unions apart; the SDK of Gemini has a member for all that it does not know."""
    classes = [part for hint in hints for part in parts_of(hint)]
    return frozenset(word for cls in classes for word in literals_of(fields_of(cls).get(key))) - {"UNKNOWN"}


def names_of(*classes: Any) -> frozenset[str]:
    return frozenset(name for cls in classes for name in fields_of(cls))


def type_of(cls: Any, field: str) -> Any:
    return fields_of(cls)[field]


def type_of_only(cls: Any, field: str) -> Any:
    """The class of a field that may be None."""
    return next(part for part in parts_of(type_of(cls, field)) if fields_of(part))


def _item_states(items: Any) -> frozenset[str]:
    return frozenset(word for item in parts_of(items) for word in literals_of(fields_of(item).get("status")))


# -- the dialect's words in requests -----------------------------------------------------------

_HEADERS = frozenset({"betas", "openai-beta"})
"""Headers that the SDK takes among the fields."""

_Create = response_create_params.ResponseCreateParamsBase
_Reasoning = type_of(_Create, "reasoning")
_Text = responses.ResponseTextConfigParam


def _tool_fields() -> Iterator[tuple[str, frozenset[str]]]:
    for cls in parts_of(tool_param.ToolParam):
        for kind in literals_of(fields_of(cls).get("type")):
            yield f"field of {kind}", names_of(cls)


DIALECT: Vocabulary = {
    "field": names_of(
        _Create, response_create_params.ResponseCreateParamsStreaming, beta_create_params.ResponseCreateParamsBase
    )
    - _HEADERS,
    "include": literals_of(response_includable.ResponseIncludable),
    "item": types_of(responses.ResponseInputItemParam, beta.BetaResponseInputItemParam),
    "content": types_of(
        responses.ResponseInputContentParam,
        type_of(responses.ResponseOutputMessageParam, "content"),
        type_of(responses.ResponseReasoningItemParam, "content"),
        type_of(responses.ResponseReasoningItemParam, "summary"),
    ),
    "tool": types_of(tool_param.ToolParam),
    "tool_choice": types_of(type_of(_Create, "tool_choice")) | literals_of(type_of(_Create, "tool_choice")),
    "annotation": types_of(type_of(responses.ResponseOutputText, "annotations")),
}
"""What every vendor must have rows for."""

DEEPER: Vocabulary = {
    "detail": literals_of(type_of(responses.ResponseInputImageParam, "detail")),
    "reasoning": names_of(*parts_of(_Reasoning)),
    "effort": frozenset(word for cls in parts_of(_Reasoning) for word in literals_of(fields_of(cls).get("effort"))),
    "summary": frozenset(word for cls in parts_of(_Reasoning) for word in literals_of(fields_of(cls).get("summary"))),
    "service_tier": literals_of(type_of(_Create, "service_tier")),
    "text": names_of(_Text),
    "format": types_of(type_of(_Text, "format")),
    **dict(_tool_fields()),
}
"""What a vendor may have rows for, and then for all of it."""

# -- the vendors' words in answers -------------------------------------------------------------

ANSWERS: Mapping[str, Vocabulary] = {
    "openai": {
        "event": types_of(responses.ResponseStreamEvent),
        "item": types_of(responses.ResponseOutputItem, beta.BetaResponseOutputItem),
        "content": types_of(
            type_of(responses.ResponseOutputMessage, "content"),
            type_of(responses.ResponseContentPartAddedEvent, "part"),
            type_of(responses.ResponseReasoningItem, "summary"),
        ),
        "annotation": DIALECT["annotation"],
        "status": literals_of(responses.ResponseStatus),
        "usage": names_of(responses.ResponseUsage),
    },
    "gemini": {
        "event": types_of(gemini.InteractionSSEEvent, key="event_type"),
        "step": types_of(gemini.Step),
        "delta": types_of(gemini.StepDeltaData),
        "content": types_of(gemini.Content),
        "annotation": types_of(gemini.Annotation),
        "status": literals_of(type_of(gemini.Interaction, "status")),
        "usage": names_of(gemini.Usage),
    },
    "ark": {
        "event": types_of(ArkEvent),
        "item": types_of(ArkItem),
        "content": types_of(
            type_of(ark.ResponseOutputMessage, "content"), type_of(ark.ResponseReasoningItem, "summary")
        ),
        "annotation": types_of(type_of(ark.ResponseOutputText, "annotations")),
        "status": literals_of(type_of(ark_response.Response, "status")),
        "usage": names_of(ark.ResponseUsage),
    },
}

DEEPER_ANSWERS: Mapping[str, Vocabulary] = {
    "openai": {
        "response": names_of(responses.Response),
        "item status": _item_states(responses.ResponseOutputItem),
        "incomplete reason": literals_of(type_of(type_of_only(responses.Response, "incomplete_details"), "reason")),
    },
    "ark": {"response": names_of(ark_response.Response), "item status": _item_states(ArkItem)},
    "gemini": {},
}
"""What a vendor may have rows for, and then for all of it."""

# -- the descriptions of the wires -------------------------------------------------------------

TOLD_OF_REQUESTS = {
    "field": ("request_fields", "request_fields_beta_only"),
    "include": ("includable",),
    "item": ("input_item_types", "input_item_types_beta_only"),
    "content": ("content_types.input", "content_types.output_message", "content_types.reasoning"),
    "tool": ("tool_types",),
    "tool_choice": ("tool_choice.strings", "tool_choice.objects"),
    "annotation": ("annotation_types",),
}
_TOLD_OF_ANSWERS = {
    "event": ("stream_event_types",),
    "item": ("output_item_types", "output_item_types_beta_only"),
    "content": ("content_types.output_message", "content_types.content_part_events", "content_types.reasoning"),
    "annotation": ("annotation_types",),
    "status": ("status_values",),
    "usage": ("usage_fields",),
}
_TOLD = {
    "openai": _TOLD_OF_ANSWERS,
    "ark": {**_TOLD_OF_ANSWERS, "content": ("content_types.output",)},
    "gemini": {
        **{feature: _TOLD_OF_ANSWERS[feature] for feature in ("event", "annotation", "status", "usage")},
        "step": ("output_item_types",),
        "delta": ("step_delta_types",),
        "content": ("content_types.content", "content_types.thought_summary"),
    },
}


@cache
def _wire(vendor: str) -> Any:
    """The description of a vendor's wire; empty where it is absent."""
    path = SHARED / "wire" / f"{vendor}.json"
    return json.loads(path.read_bytes()) if path.exists() else {}


def _told(vendor: str, places: Iterable[str], feature: str) -> Iterator[str]:
    key = "name" if feature in ("field", "usage") else "type"
    for place in places:
        entries = _wire(vendor)
        for step in place.split("."):
            entries = entries.get(step, {})
        for entry in entries:
            named: str | list[str] = entry if isinstance(entry, str) else entry[key]
            yield from [named] if isinstance(named, str) else named


def described(vendor: str, places: Mapping[str, Iterable[str]]) -> Vocabulary:
    """The words of a wire's description by feature."""
    return {feature: frozenset(_told(vendor, where, feature)) - _HEADERS for feature, where in places.items()}


def joined(*vocabularies: Vocabulary) -> Vocabulary:
    """All words of several vocabularies."""
    found: dict[str, frozenset[str]] = {}
    for vocabulary in vocabularies:
        for feature, words in vocabulary.items():
            found[feature] = found.get(feature, frozenset()) | words
    return found


def of_requests(face: str) -> Vocabulary:
    """What clients of a face can say, and every vendor must have rows for.

    The dialects that are retold in the common words have rows of their own for what they say.
    """
    return joined(DIALECT, described(face, TOLD_OF_REQUESTS)) if face == "openai" else DIALECT


def of_answers(vendor: str) -> Vocabulary:
    """What a vendor can say, and must have rows for."""
    return joined(ANSWERS[vendor], described(vendor, _TOLD[vendor]))


def spelled() -> frozenset[str]:
    """Every word that any SDK's type or any description of a wire has, whatever it names."""
    vocabularies = [DIALECT, DEEPER, *ANSWERS.values(), *DEEPER_ANSWERS.values()]
    words = {word for vocabulary in vocabularies for words in vocabulary.values() for word in words}
    described = (json.dumps(_wire(vendor)) for vendor in ANSWERS)
    return frozenset(words.union(*(re.findall(r"[\w.]*\w", text) for text in described)))
