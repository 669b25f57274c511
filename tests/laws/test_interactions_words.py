"""Coverage of the Interactions dialect: every word of a request has a row that says what others are told of it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from google.genai._gaos.types import interactions as gemini

from adapters.faces.gemini import coverage as rows
from tests.laws.words import (
    Vocabulary,
    described,
    fields_of,
    joined,
    literals_of,
    names_of,
    parts_of,
    type_of,
    types_of,
)

_CONFIG: Any = gemini.GenerationConfigParam


def _fields_of_each(feature: str, union: Any) -> Iterator[tuple[str, frozenset[str]]]:
    for cls in parts_of(union):
        for kind in literals_of(fields_of(cls).get("type")):
            yield feature.format(kind), names_of(cls)


WORDS: Vocabulary = {
    "field": names_of(gemini.CreateModelInteractionParam, gemini.CreateAgentInteractionParam),
    "generation_config": names_of(_CONFIG),
    "step": types_of(gemini.StepParam),
    "content": types_of(gemini.ContentParam),
    "annotation": types_of(gemini.AnnotationParam),
    "tool": types_of(gemini.ToolParam),
    "response_format": types_of(*parts_of(gemini.ResponseFormatParam)),
    "response_modality": literals_of(gemini.ResponseModality),
    "thinking_level": literals_of(gemini.ThinkingLevel),
    "thinking_summaries": literals_of(gemini.ThinkingSummaries),
    "service_tier": literals_of(gemini.ServiceTier),
    "resolution": literals_of(gemini.MediaResolution),
    "search_type": literals_of(type_of(gemini.GoogleSearchParam, "search_types")),
    "tool_choice": literals_of(gemini.ToolChoiceType) | names_of(gemini.ToolChoiceConfigParam),
    **dict(_fields_of_each("field of {}", gemini.StepParam)),
    **dict(_fields_of_each("field of {} content", gemini.ContentParam)),
    **dict(_fields_of_each("field of the tool {}", gemini.ToolParam)),
    **dict(_fields_of_each("field of {} format", gemini.ResponseFormat)),
}

_TOLD = {
    "field": ("request_fields", "request_fields_agent_variant"),
    "step": ("input_item_types",),
    "content": ("content_types.content",),
    "annotation": ("annotation_types",),
    "tool": ("tool_types",),
    "response_format": ("response_formats",),
    "tool_choice": ("tool_choice.strings",),
}
_OWN = {"x_dragoman", "signature", "error"}
"""The gateway's own word, and fields that steps have in answers."""


def test_every_word_has_a_row() -> None:
    words = joined(WORDS, described("gemini", _TOLD))
    refused = {feature for feature in words if _is_refused(feature)}
    found = {feature: words[feature] - rows.REQUESTS.get(feature, {}).keys() for feature in words.keys() - refused}
    assert {feature: sorted(names) for feature, names in found.items() if names} == {}


def _is_refused(feature: str) -> bool:
    """Whether the fields belong to a word that no other vendor is told of at all."""
    kinds = {
        **{f"field of the tool {kind}": rule for kind, rule in rows.TOOLS.items()},
        **{f"field of {kind} format": rule for kind, rule in rows.FORMATS.items()},
    }
    return feature in kinds and kinds[feature].verdict == "rejected"


@pytest.mark.parametrize("feature", sorted(rows.REQUESTS))
def test_every_row_has_a_word(feature: str) -> None:
    assert rows.REQUESTS[feature].keys() - WORDS[feature] - _OWN - {"type", "result", "is_error", "arguments"} == set()


def test_every_row_that_changes_something_says_what() -> None:
    unsaid = [
        (feature, word)
        for feature, words in rows.REQUESTS.items()
        for word, rule in words.items()
        if not rule.reason and rule.verdict in ("approximated", "rejected")
    ]
    assert unsaid == []
