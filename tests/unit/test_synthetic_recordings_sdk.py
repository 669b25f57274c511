"""The synthetic recordings against the vendors' own SDKs: every object is of a type that the SDK has."""

# pyright: reportMissingTypeStubs=false
# (the SDK of the third vendor ships without stubs)

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast, get_args

import pytest
from google.genai._gaos.types import interactions as gemini
from openai.types.responses import Response as OpenAIResponse
from openai.types.responses import ResponseStreamEvent as OpenAIEvent
from pydantic import BaseModel, TypeAdapter, ValidationError
from volcenginesdkarkruntime._models import construct_type
from volcenginesdkarkruntime.types.responses.response import Response as ArkResponse
from volcenginesdkarkruntime.types.responses.response_output_item import ResponseOutputItem as ArkItem
from volcenginesdkarkruntime.types.responses.response_stream_event import ResponseStreamEvent as ArkEvent

import adapters
from adapters.sse import SseParser

# What the real wires do against their own SDKs, seen in recorded traffic.
NESTED_ERROR = "OpenAI nests the error of an `error` event, where the SDK has it flat"
OPENAI_BARE = "web_search_call"  # added without its action, which the SDK requires
GEMINI_BARE = {"google_search_call", "google_search_result"}  # start without arguments or result: the delta brings them
ARK_EXTRAS = {"sequence_number", "encrypted_content", "name", "schema", "strict"}  # the last three: a flat text.format


def files(vendor: str) -> list[Path]:
    folder = adapters.ROOT / vendor / "sandbox"
    return sorted(path for path in folder.iterdir() if path.suffix != ".md" and path.stem != "rate_limit")


def objects(path: Path) -> Iterator[tuple[bool, dict[str, Any]]]:
    """Every JSON object of a recording, and whether it is an event."""
    if path.suffix == ".json":
        yield False, json.loads(path.read_bytes())
        return
    parser = SseParser()
    for event in (*parser.feed(path.read_bytes()), *parser.close()):
        if event.data != b"[DONE]":
            yield True, json.loads(event.data)


def models(value: object) -> Iterator[BaseModel]:
    """A model and every model inside it."""
    if isinstance(value, BaseModel):
        yield value
        for name in value.model_fields_set:
            yield from models(getattr(value, name, None))
    elif isinstance(value, list):
        for inner in cast(list[object], value):
            yield from models(inner)


@pytest.mark.parametrize("path", files("openai"), ids=lambda path: path.name)
def test_openai(path: Path) -> None:
    event_type: TypeAdapter[Any] = TypeAdapter(OpenAIEvent)
    for is_event, value in objects(path):
        if value.get("type") == "error":
            assert value["error"].keys() == {"type", "code", "message", "param"}, NESTED_ERROR
        elif value.get("item", {}).get("status") == "in_progress" and value["item"]["type"] == OPENAI_BARE:
            assert value["item"].keys() == {"id", "type", "status"}
        elif is_event:
            event_type.validate_python(value)
        else:
            OpenAIResponse.model_validate(value)


@pytest.mark.parametrize("path", files("gemini"), ids=lambda path: path.name)
def test_gemini(path: Path) -> None:
    event_type: TypeAdapter[Any] = TypeAdapter(gemini.InteractionSSEEvent)
    for is_event, value in objects(path):
        if value.get("step", {}).get("type") in GEMINI_BARE:
            with pytest.raises(ValidationError, match="Field required"):
                event_type.validate_python(value)
            continue
        model = event_type.validate_python(value) if is_event else gemini.Interaction.model_validate(value)
        assert not [inner for inner in models(model) if type(inner).__name__.startswith("Unknown")]


@pytest.fixture(scope="module")
def ark_classes() -> None:
    """As the field of an event, an item loses the note that `type` tells its class; the SDK remembers it once told."""
    construct_type(value={"type": "function_call"}, type_=ArkItem)


@pytest.mark.usefixtures("ark_classes")
@pytest.mark.parametrize("path", files("ark"), ids=lambda path: path.name)
def test_ark(path: Path) -> None:
    """Skeletons lack required fields, so the SDK's own loose reading is used: right classes, no unknown field."""
    for is_event, value in objects(path):
        model = construct_type(value=value, type_=ArkEvent if is_event else ArkResponse)
        assert isinstance(model, BaseModel)
        if is_event:
            assert value["type"] in get_args(type(model).model_fields["type"].annotation)
        for inner in models(model):
            assert (inner.model_extra or {}).keys() <= ARK_EXTRAS
