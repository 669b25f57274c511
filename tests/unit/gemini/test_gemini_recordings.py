"""Recorded answers: legal walks, the same text, twins that agree, and steps that come back as they were."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from adapters.gemini import ADAPTER
from adapters.hub import events as ev
from adapters.hub import items as kind
from adapters.hub.errors import ProtocolError
from adapters.hub.fold import PartTree, fold
from adapters.hub.grammar import check_walk
from adapters.hub.kept import Kept
from adapters.hub.losses import Ledger
from adapters.hub.request import FunctionCall, Item, Message, OpaqueItem, Reasoning, Request, TextPart
from adapters.sse import SseParser

Json = dict[str, Any]

ROOT = Path(__file__).resolve().parents[3]
SANDBOX = ROOT / "adapters" / "gemini" / "sandbox"
SHARED = ROOT.parent / "shared" / "recordings" / "gemini-interactions"

RECORDED = sorted(path for path in SHARED.glob("*/response.*") if not path.parent.name.startswith("old-"))
OLD = sorted(SHARED.glob("old-*/response.*"))
FAULTS = {"cut.sse", "error_inside.sse", "error_inside.json", "rate_limit.json"}
SYNTHETIC = sorted(path for path in SANDBOX.iterdir() if path.suffix in (".sse", ".json") and path.name not in FAULTS)
ANSWERS = [*RECORDED, *SYNTHETIC]


def _name(path: Path) -> str:
    return path.parent.name if path.stem == "response" else path.name


def decode(path: Path, size: int | None = None) -> list[ev.Event]:
    """The walk of a recording; `size` cuts a stream into reads of so many bytes."""
    data = path.read_bytes()
    if path.suffix == ".json":
        return ADAPTER.codec.decode_response(json.loads(data))
    decoder, parser = ADAPTER.codec.decoder(), SseParser()
    reads = [data[at : at + size] for at in range(0, len(data), size)] if size else [data]
    events = [event for read in reads for event in parser.feed(read)] + parser.close()
    return [*(found for event in events for found in decoder.feed(event)), *decoder.close()]


def steps_of(path: Path) -> list[Json]:
    """The steps of a recording, read without the adapter."""
    if path.suffix == ".json":
        return json.loads(path.read_bytes())["steps"]
    steps: dict[int, Json] = {}
    for line in path.read_text("utf-8").splitlines():
        event: Json = json.loads(line[6:]) if line.startswith("data: {") else {}
        if event.get("event_type") == "step.start":
            steps[event["index"]] = event["step"]
        elif event.get("event_type") == "step.delta":
            _add(steps[event["index"]], event["delta"])
    for step in steps.values():
        if "pieces" in step:
            step["arguments"] = json.loads("".join(step.pop("pieces")))
    return list(steps.values())


def _add(step: Json, delta: Json) -> None:
    kind = delta["type"]
    if kind == "text":
        blocks = step.setdefault("content", [{"type": "text", "text": ""}])
        blocks[-1]["text"] += delta["text"]
    elif kind == "text_annotation_delta":
        step["content"][-1].setdefault("annotations", []).extend(delta["annotations"])
    elif kind == "thought_summary":
        summary = step.setdefault("summary", [{"type": "text", "text": ""}])
        summary[0]["text"] += delta["content"]["text"]
    elif kind == "thought_signature":
        step["signature"] = step.get("signature", "") + delta["signature"]
    elif kind == "arguments_delta":
        step.setdefault("pieces", []).append(delta["arguments"])
    else:
        step |= {key: value for key, value in delta.items() if key != "type"}


@pytest.mark.parametrize("path", ANSWERS, ids=_name)
def test_recordings_are_legal_walks(path: Path) -> None:
    walk = decode(path)
    check_walk(walk)
    tree = fold(walk)
    spoken = [block["text"] for step in steps_of(path) for block in step.get("content", []) if "text" in block]
    assert tree.text == "".join(spoken)
    assert tree.status in ("completed", "incomplete")
    assert tree.usage is not None
    assert not [event for event in walk if isinstance(event, ev.Opaque)]


@pytest.mark.parametrize("path", [path for path in ANSWERS if path.suffix == ".sse"], ids=_name)
def test_reads_may_end_anywhere(path: Path) -> None:
    whole = decode(path)
    for size in (1, 2, 3, 7, 64):
        assert decode(path, size) == whole


@pytest.mark.parametrize("path", [path for path in SYNTHETIC if path.suffix == ".sse"], ids=_name)
def test_a_stream_folds_like_its_twin(path: Path) -> None:
    told, streamed = fold(decode(path.with_suffix(".json"))), fold(decode(path))
    assert told == streamed


@pytest.mark.parametrize("path", OLD, ids=_name)
def test_the_revision_before_steps_is_named(path: Path) -> None:
    (ended,) = decode(path)
    assert isinstance(ended, ev.Ended)
    assert isinstance(ended.error, ProtocolError)
    assert "revision" in ended.error.message


def replay(walk: list[ev.Event]) -> list[Item]:
    """What a client sends back of an answer."""
    tree, items = fold(walk), list[Item]()
    extras = {event.item: event.extra for event in walk if isinstance(event, ev.ItemEnded)}
    for number, item in enumerate(tree.items):
        extra, texts = extras[number], [part.text for part in item.parts]
        if item.kind == kind.MESSAGE:
            items.append(
                Message("assistant", [_text(part) for part in item.parts], f"msg_gw1gemini-{number}", extra=extra)
            )
        elif item.kind == kind.REASONING:
            items.append(Reasoning(texts, signature=item.signature, extra=extra))
        elif item.kind == kind.FUNCTION_CALL:
            items.append(FunctionCall(item.call_id, item.name, texts[0], id=f"fc_gw1gemini-{number}", extra=extra))
        else:
            items.append(OpaqueItem(item.kind, Kept("openai", {}), extra=extra))
    return items


def _text(part: PartTree) -> TextPart:
    return TextPart(part.text, part.annotations)


@pytest.mark.parametrize("path", ANSWERS, ids=_name)
def test_a_replayed_answer_is_the_vendors_own(path: Path) -> None:
    losses = Ledger()
    request = Request("openai", "gemini-x", replay(decode(path)))
    body = ADAPTER.codec.encode_request(request, losses)
    assert body == {"model": "gemini-x", "input": steps_of(path)}
    assert not losses


def test_the_recordings_of_others_are_there(shared: Path) -> None:
    assert (shared / "recordings" / "gemini-interactions").is_dir()
    assert len(RECORDED) == 20
    assert len(OLD) == 12
