"""The synthetic recordings: what each says it is, and that stream and JSON are one answer."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest

import adapters
from adapters.hub.fold import ResponseTree, fold
from adapters.hub.grammar import check_walk
from app.commands.recording import decode_stream

VENDORS = adapters.names()
SCENES = [(vendor, scene) for vendor in VENDORS for scene in adapters.load(vendor).scenes]
STREAMS = [(vendor, scene.name) for vendor, scene in SCENES if scene.status == 200]
TWINS = [(vendor, name) for vendor, name in STREAMS if name != "cut"]


def folder(vendor: str) -> Path:
    return adapters.ROOT / vendor / "sandbox"


def recorded(vendor: str, file: str) -> bytes:
    return (folder(vendor) / file).read_bytes()


def streamed(vendor: str, name: str) -> ResponseTree:
    return fold(decode_stream(adapters.load(vendor).codec.decoder(), recorded(vendor, f"{name}.sse")))


def whole(vendor: str, name: str) -> ResponseTree:
    return fold(adapters.load(vendor).codec.decode_response(json.loads(recorded(vendor, f"{name}.json"))))


def told(tree: ResponseTree) -> tuple[ResponseTree, object]:
    """The tree and its error in words: exceptions compare by identity, and what a stream calls an error
    in its last event the other form has only as a status."""
    error = tree.error
    if error is None:
        return tree, None
    return replace(tree, error=None, finish=None), (error.status, error.code, error.message)


@pytest.mark.parametrize("vendor", VENDORS)
def test_the_folder_holds_the_scenes_and_nothing_else(vendor: str) -> None:
    expected = {"README.md"}
    for scene in adapters.load(vendor).scenes:
        expected |= {f"{scene.name}.sse"} if scene.status == 200 else set[str]()
        expected |= {f"{scene.name}.json"} if scene.name != "cut" else set[str]()
    assert {path.name for path in folder(vendor).iterdir()} == expected


@pytest.mark.parametrize(("vendor", "name"), STREAMS)
def test_a_stream_is_marked_synthetic_and_lets_its_characters_stand(vendor: str, name: str) -> None:
    recording = recorded(vendor, f"{name}.sse")
    assert recording.startswith(b": synthetic, ")
    assert b"\r" not in recording
    assert b"\\u" not in recording
    assert re.search(rb"[\x80-\xff]", recording), "no character of several bytes"


@pytest.mark.parametrize(("vendor", "name"), STREAMS)
def test_a_stream_decodes_to_a_legal_walk(vendor: str, name: str) -> None:
    events = list(decode_stream(adapters.load(vendor).codec.decoder(), recorded(vendor, f"{name}.sse")))
    check_walk(events)
    ended = {"incomplete": "incomplete", "error_inside": "failed", "cut": "failed"}
    assert fold(events).status == ended.get(name, "completed")


@pytest.mark.parametrize(("vendor", "name"), TWINS)
def test_the_json_is_the_same_answer_as_the_stream(vendor: str, name: str) -> None:
    assert told(streamed(vendor, name)) == told(whole(vendor, name))


@pytest.mark.parametrize(("vendor", "name"), STREAMS)
def test_what_breaks_keeps_its_text(vendor: str, name: str) -> None:
    tree = streamed(vendor, name)
    assert tree.text or tree.items


@pytest.mark.parametrize("vendor", VENDORS)
def test_citations_come_after_wide_characters(vendor: str) -> None:
    message = next(item for item in streamed(vendor, "cite").items if item.kind == "message")
    annotations = message.parts[0].annotations
    assert len(annotations) >= 3
    assert re.match(r"[\u3040-\u9fff]+ \U0001f5fc", message.parts[0].text)


def nested(value: Any) -> Iterator[dict[str, Any]]:
    """Every object inside a JSON value."""
    if isinstance(value, dict):
        yield (found := cast(dict[str, Any], value))
        value = list(found.values())
    if isinstance(value, list):
        for inner in cast(list[Any], value):
            yield from nested(inner)


def offsets(vendor: str, name: str) -> list[tuple[str, dict[str, Any]]]:
    """Every annotation of a JSON body with the text it stands in, in the vendor's own words."""
    objects = nested(json.loads(recorded(vendor, f"{name}.json")))
    found = [(value["text"], annotation) for value in objects for annotation in value.get("annotations", ())]
    assert found
    return found


@pytest.mark.parametrize("name", ["cite", "search"])
def test_gemini_spans_are_whole_characters_in_bytes(name: str) -> None:
    for text, annotation in offsets("gemini", name):
        cited = text.encode()[annotation["start_index"] : annotation["end_index"]].decode()
        assert cited.strip()
        assert cited == annotation.get("text", cited)


def test_gemini_has_a_scene_of_wrong_offsets() -> None:
    text, first = offsets("gemini", "cite_odd")[0]
    with pytest.raises(UnicodeDecodeError):
        text.encode()[first["start_index"] : first["end_index"]].decode()


@pytest.mark.parametrize("name", ["cite", "search"])
def test_openai_spans_cover_the_link_the_model_wrote(name: str) -> None:
    spans = [(t, a) for t, a in offsets("openai", name) if "end_index" in a]
    for text, annotation in spans:
        assert re.fullmatch(
            r"\(\[.+\]\(http.+\)\)|sandbox:/.+", text[annotation["start_index"] : annotation["end_index"]]
        )


def test_ark_citations_stand_amid_the_text() -> None:
    recording = recorded("ark", "cite.sse")
    last_delta = recording.rindex(b"output_text.delta")
    assert recording.index(b"annotation.added") < last_delta
