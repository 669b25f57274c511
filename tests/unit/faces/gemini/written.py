"""What the tests of the Gemini face share: a walk written for a client, and a stream of steps put together again."""

from __future__ import annotations

import json
from collections.abc import Iterable
from copy import deepcopy
from typing import Any

from adapters.faces.gemini.encode import InteractionsEncoder
from adapters.hub.adapter import Encoding, Fidelity, Offsets, StreamEncoder
from adapters.hub.events import Event
from adapters.hub.request import Request
from adapters.wire_json import Json, as_object
from tests.laws.corpus import CountingMint, Told

EXTENSION = "x_dragoman"


def encoding(fidelity: Fidelity = "rich", *, stream: bool = True, offsets: Offsets | None = None) -> Encoding:
    return Encoding(Request("gemini", "m", [], stream=stream), CountingMint(), fidelity, offsets=offsets)


def run(encoder: StreamEncoder, given: Encoding, walk: Iterable[Event]) -> Told:
    """Feed a whole walk."""
    frames = [frame for event in walk for frame in encoder.feed(event)] + encoder.close()
    return Told(b"".join(frames) if given.request.stream else encoder.body(), given.losses)


def write(
    walk: Iterable[Event], fidelity: Fidelity = "rich", *, stream: bool = True, offsets: Offsets | None = None
) -> Told:
    """A walk as the client reads it."""
    given = encoding(fidelity, stream=stream, offsets=offsets)
    return run(InteractionsEncoder(given), given, walk)


def steps_of(payloads: list[Json]) -> list[Json]:
    """The steps that a stream tells; those of its end, where it has them."""
    last = payloads[-1].get("interaction", {})
    if "steps" in last:
        return last["steps"]
    steps = list[Json]()
    texts: dict[int, str] = {}
    for event in payloads:
        match event["event_type"]:
            case "step.start":
                step: Json = deepcopy(event["step"])
                steps.append(step)
            case "step.delta":
                _grow(steps, event["index"], event["delta"], texts)
            case "step.stop":
                if EXTENSION in event:
                    steps[event["index"]][EXTENSION] = event[EXTENSION]
            case _:
                pass
    for index, text in texts.items():
        steps[index]["arguments"] = _arguments(text)
    return steps


def _arguments(text: str) -> Json:
    try:
        value = json.loads(text)
    except ValueError:
        value = None
    return as_object(value) if isinstance(value, dict) else {"_raw": text}


def _grow(steps: list[Json], index: int, delta: Json, texts: dict[int, str]) -> None:
    step = steps[index]
    said = {key: value for key, value in delta.items() if key != "type"}
    match delta["type"]:
        case "text":
            _write(step.setdefault("content", []), said["text"])
        case "thought_summary":
            _write(step.setdefault("summary", []), said["content"]["text"])
        case "text_annotation_delta":
            _cite(step["content"][-1], said)
        case "arguments_delta":
            texts[index] = texts.get(index, "") + said["arguments"]
        case "image" | "audio" | "video" | "document":
            _add_media(step.setdefault("content", []), delta)
        case "thought_signature" | _:
            step |= said


def _cite(block: Json, said: Json) -> None:
    if said["annotations"]:
        block.setdefault("annotations", []).extend(said["annotations"])
    if EXTENSION in said:
        block[EXTENSION] = said[EXTENSION]


def _write(blocks: list[Any], text: str) -> None:
    if not blocks or blocks[-1]["type"] != "text":
        blocks.append({"type": "text", "text": ""})
    blocks[-1]["text"] += text


def _add_media(blocks: list[Any], delta: Json) -> None:
    last: Json = blocks[-1] if blocks else {}
    if delta["type"] == last.get("type") == "audio" and "data" in last:
        last["data"] += delta["data"]
    else:
        blocks.append(dict(delta))
