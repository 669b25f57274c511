"""Every word of Ark's requests has a row, as the SDK and the digest of the wire have them."""

# pyright: reportMissingTypeStubs=false
# (the SDK ships without stubs)

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args, get_type_hints

import pytest
from volcenginesdkarkruntime.types.responses import tool_param
from volcenginesdkarkruntime.types.responses.response_create_params import ToolChoice
from volcenginesdkarkruntime.types.responses.response_input_content_param import ResponseInputContentParam
from volcenginesdkarkruntime.types.responses.response_input_param import ResponseInputItemParam
from volcenginesdkarkruntime.types.responses.response_output_item import ResponseOutputItem
from volcenginesdkarkruntime.types.responses.response_output_text_annotation import ResponseOutputTextAnnotation

from adapters.faces.ark import coverage
from adapters.faces.ark.surface import SURFACE
from adapters.faces.ark.words import ITEM_TYPES
from tests.laws.corpus import requests_of_clients
from tests.laws.words import TOLD_OF_REQUESTS, described


def words(hint: Any, field: str = "type") -> Iterator[str]:
    """The values of a field of all the objects in a type; plain words stand for themselves."""
    if isinstance(hint, str):
        yield hint
    elif isinstance(hint, type) and (hasattr(hint, "__total__") or hasattr(hint, "model_fields")):
        yield from words(get_type_hints(hint)[field])
    for part in get_args(hint):
        yield from words(part)


TOOLS: tuple[type, ...] = get_args(tool_param.ToolParam)
ROWS = {
    # the SDK sends every field there is
    "field": {word for _, path, body in requests_of_clients() if path in SURFACE.paths for word in body},
    "item": set(words(ResponseInputItemParam)) | set(words(ResponseOutputItem)),
    "content": set(words(ResponseInputContentParam)),
    "annotation": set(words(ResponseOutputTextAnnotation)),
    "tool": {word for tool in TOOLS for word in words(tool)},
    "tool_choice": set(words(ToolChoice)),
    "thinking": {"enabled", "disabled", "auto"},
    "format": {"text", "json_object", "json_schema"},
}


@pytest.mark.parametrize("feature", sorted(ROWS))
def test_every_word_has_a_row(feature: str) -> None:
    assert ROWS[feature] - coverage.REQUESTS[feature].keys() == set()


@pytest.mark.parametrize("feature", sorted(ROWS.keys() & TOLD_OF_REQUESTS.keys()))
def test_every_word_of_the_wires_description_has_a_row(feature: str) -> None:
    told = described("ark", {feature: TOLD_OF_REQUESTS[feature]})[feature]
    assert told - coverage.REQUESTS[feature].keys() == set()


def test_the_sdk_is_read(shared: Path) -> None:
    assert [feature for feature, words in ROWS.items() if not words] == []


@pytest.mark.parametrize("tool", [tool for tool in TOOLS if next(words(tool)) in coverage.TOOL_FIELDS])
def test_every_field_of_a_retold_tool_has_a_row(tool: type) -> None:
    assert set(get_type_hints(tool)) == coverage.TOOL_FIELDS[next(words(tool))].keys()


def test_every_row_that_is_not_exact_says_why() -> None:
    rules = [rule for rows in coverage.REQUESTS.values() for rule in rows.values()]
    assert all(rule.reason for rule in rules if rule.verdict != "exact")


def test_the_items_of_an_answer_are_those_of_the_sdk() -> None:
    assert set(words(ResponseOutputItem)) == ITEM_TYPES
