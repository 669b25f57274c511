"""An answer as batches: none of them is empty, and only what the vendor said is the vendor's fault."""

from __future__ import annotations

from typing import Any

import pytest

from adapters.hub.errors import ProtocolError
from adapters.hub.events import Event
from app.batches import batches
from tests.app.scripted import JSON, Played
from tests.app.stub import Codec, Decoder

LIMIT = 1000


class Mute(Codec):
    """Breaks its contract: an answer without a walk."""

    def decode_response(self, body: Any) -> list[Event]:
        return []


class Wrong(Codec):
    """Has a fault of its own."""

    def decoder(self) -> Decoder:
        decoder = Decoder()
        decoder.take = _fail
        return decoder


def _fail(said: Any) -> list[Event]:
    raise ValueError(f"no such place: {said['t']}")


async def test_an_answer_without_a_walk_is_an_error_of_the_vendors() -> None:
    with pytest.raises(ProtocolError, match="empty") as caught:
        await anext(batches(Played(b"{}", headers=JSON), Mute(), streamed=False, limit=LIMIT))
    assert caught.value.retryable


@pytest.mark.parametrize("said", [b"garbage", b'"\\ud83d', b'"\\ud83d" \xff', b"[" * 500 + b'"\\ud83d"' + b"]" * 500])
async def test_what_is_not_json_is_an_error_of_the_vendors(said: bytes) -> None:
    with pytest.raises(ProtocolError, match="not JSON"):
        await anext(batches(Played(said, headers=JSON), Codec(), streamed=False, limit=2 * LIMIT))


async def test_a_fault_of_our_own_is_not_called_the_vendors() -> None:
    with pytest.raises(ValueError, match="no such place: start"):
        await anext(batches(Played(b'data: {"t": "start"}\n\n'), Wrong(), streamed=True, limit=LIMIT))
