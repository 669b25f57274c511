"""Pure ASGI middleware: the request's id, the headers of every answer, the one line in the log."""

from __future__ import annotations

import logging
import time
from dataclasses import dataclass

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.http.client import ClientLeft
from app.http.errors import CLOSED_BY_CLIENT, Faces, error_response, internal_error
from app.http.headers import client_request_id, request_id
from app.mint import RandomMint

logger = logging.getLogger("dragoman")

_RECORD = "dragoman.record"


@dataclass(slots=True)
class Record:
    """What is known of a request: the log's line and the answer's headers come from it. No body, no key."""

    request_id: str
    provider: str = ""
    model: str = ""
    status: int = 0
    sent: int = 0
    """Bytes of the answer's body."""


class Recorder:
    """Opens a request's record, answers for what nobody else caught, and writes the line in the end."""

    def __init__(self, app: ASGIApp, faces: Faces) -> None:
        self._app = app
        self._faces = faces
        self._mint = RandomMint()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        record = Record(request_id(scope) or self._mint.id("req_"))
        scope[_RECORD] = record
        began = time.perf_counter()

        async def recorded(message: Message) -> None:
            if message["type"] == "http.response.start":
                record.status = message["status"]
                message["headers"] = [*message.get("headers", ()), *_headers(record)]
            else:
                record.sent += len(message.get("body", b""))
            await send(message)

        try:
            await self._app(scope, receive, recorded)
        except ClientLeft:
            record.status = CLOSED_BY_CLIENT
        except Exception:
            logger.exception("%s failed", record.request_id)
            if record.status:
                raise  # the answer has begun: the server cuts the line, and writes the fault once more without the id
            await error_response(self._faces.at(scope["path"]), internal_error())(scope, receive, recorded)
        finally:
            _write(scope, record, time.perf_counter() - began)


def record_of(scope: Scope) -> Record:
    """The record that `Recorder` opened for this request."""
    return scope[_RECORD]


def _headers(record: Record) -> list[tuple[bytes, bytes]]:
    headers = [(b"x-request-id", record.request_id.encode())]
    if record.provider:
        headers.append((b"x-provider", record.provider.encode()))
    return headers


def _write(scope: Scope, record: Record, seconds: float) -> None:
    """The path as it was sent and the model quoted: neither can write a line of its own."""
    theirs = client_request_id(scope)
    logger.info(
        "%s %.200s %s %.100r %d %.0f ms %d bytes %s%s",
        scope["method"],
        scope["raw_path"].decode("latin-1"),
        record.provider or "-",
        record.model,
        record.status,
        seconds * 1000,
        record.sent,
        record.request_id,
        f" client {theirs}" if theirs else "",
    )
