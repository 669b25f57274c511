"""One vendor of the sandbox: picks the scene a request asks for and plays its recording."""

from __future__ import annotations

import asyncio
import re
import secrets
from collections.abc import AsyncIterator, Iterator, Sequence
from pathlib import Path
from typing import cast

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.types import Receive, Scope, Send

import adapters
from adapters.hub.adapter import Adapter, Scene
from adapters.wire_json import Json, JsonError, dumps, loads

_MODEL = b"sandbox-model"  # stands in the recordings where the name of the model goes
_NOT_JSON = b'{"error":{"message":"The body is not a JSON object."}}'
_RUN = b"sandboxrun"  # stands in every id of the recordings


def pick(scenes: Sequence[Scene], body: bytes) -> Scene:
    """The first scene whose pattern is found in the request's body; the last where none is."""
    text = body.decode("utf-8", "replace")
    return next((scene for scene in scenes if re.search(scene.pattern, text)), scenes[-1])


def pieces(recording: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Cut a recorded stream into its events, and each event in two: inside its first character of
    several bytes, or else at an odd place. So no reader gets away with decoding what one read gave."""
    for block in re.findall(rb".+?(?:\n\n|\Z)", recording, re.DOTALL):
        wide = re.search(rb"[\x80-\xff]", block)
        cut = wide.start() + 1 if wide else len(block) // 3 | 1
        yield block[:cut], block[cut:]


class Player:
    """One vendor of the sandbox."""

    def __init__(self, adapter: Adapter, delay: float) -> None:
        folder = adapters.ROOT / adapter.name / "sandbox"
        self._scenes = adapter.scenes
        self._streams = _read(folder, ".sse")
        self._bodies = _read(folder, ".json")
        self._delay = delay

    async def play(self, request: Request) -> Response:
        """Answer one request with the scene it asks for."""
        body = await request.body()
        asked = _decode(body)
        if asked is None:
            return Response(
                b'{"error":{"message":"The body is not a JSON object."}}', 400, media_type="application/json"
            )
        scene = pick(self._scenes, body)
        if scene.status != 200:
            return Response(_fill(self._bodies[scene.name], asked), scene.status, scene.headers, "application/json")
        if asked.get("stream") is True:
            recording = _fill(self._streams[scene.name], asked)
            return StreamingResponse(self._stream(recording), media_type="text/event-stream")
        if scene.name not in self._bodies:
            return _BrokenOff()
        return Response(_fill(self._bodies[scene.name], asked), media_type="application/json")

    async def _stream(self, recording: bytes) -> AsyncIterator[bytes]:
        for event in pieces(recording):
            for piece in event:
                yield piece
                await asyncio.sleep(self._delay / 2)


class _BrokenOff(Response):
    """What a scene without a recorded body plays: the connection breaks inside the answer."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        del scope, receive  # a broken answer depends on neither
        headers = [(b"content-type", b"application/json")]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": b'{"', "more_body": True})


def _read(folder: Path, suffix: str) -> dict[str, bytes]:
    return {path.stem: path.read_bytes() for path in folder.glob(f"*{suffix}")}


def _decode(body: bytes) -> Json | None:
    try:
        asked = loads(body)
    except JsonError:
        return None
    return cast(Json, asked) if isinstance(asked, dict) else None


def _fill(recording: bytes, asked: Json) -> bytes:
    model = dumps(str(asked.get("model", "")))[1:-1]
    return recording.replace(_MODEL, model).replace(_RUN, secrets.token_hex(5).encode())
