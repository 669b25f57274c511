"""What a client of Ark is told of a walk."""

from __future__ import annotations

import json
from typing import Any

from adapters.faces.ark.encode import ArkEncoder
from adapters.faces.ark.request import decode_request
from adapters.hub import events as ev
from adapters.hub.adapter import Encoding, Fidelity
from adapters.wire_json import Json
from tests.laws.corpus import FINISHED, STREAMS, CountingMint, Told

FOREIGN = [recording for recording in (*STREAMS, *FINISHED) if recording.vendor != "ark"]
"""Answers of the other vendors."""


def tell(walk: list[ev.Event], fidelity: Fidelity = "rich", *, stream: bool = True, **said: Any) -> Told:
    """What a client of Ark is told of a walk."""
    request = decode_request({"model": "m", "input": "x", "stream": stream, **said})
    encoding = Encoding(request, CountingMint(), fidelity)
    encoder = ArkEncoder(encoding)
    frames = [frame for step in walk for frame in encoder.feed(step)] + encoder.close()
    return Told(b"".join(frames) if stream else encoder.body(), encoding.losses)


def payloads(told: Told) -> list[Json]:
    return [json.loads(event.data) for event in told.events() if event.data != b"[DONE]"]
