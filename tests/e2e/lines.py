"""Both ends of the gateway as real sockets: a vendor that does what its script says, and a client that may leave."""

from __future__ import annotations

import asyncio
import json
import socket
import struct
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

from app.embedded import serving
from app.main import create_app
from app.settings import Settings

GUARD_SECONDS = 20
"""No test waits longer for what it expects; none expects that something takes a time."""


def said(t: str, **more: Any) -> bytes:
    """One event of the stub vendor's stream."""
    return b"data: %b\n\n" % json.dumps({"t": t, **more}).encode()


START = said("start", model="stub-1")
HELLO = said("text", v="hello")
END = said("end")


@dataclass
class Line:
    """The vendor's end of one request."""

    head: str
    body: bytes
    writer: asyncio.StreamWriter

    async def send(self, data: bytes) -> None:
        self.writer.write(data)
        await self.writer.drain()

    async def begin(self, status: str = "200 OK", *headers: str, kind: str = "text/event-stream") -> None:
        """The head of a chunked answer."""
        lines = [f"HTTP/1.1 {status}", f"content-type: {kind}", "transfer-encoding: chunked", *headers]
        await self.send("\r\n".join([*lines, "", ""]).encode())

    async def chunk(self, *pieces: bytes) -> None:
        for piece in pieces:
            await self.send(b"%x\r\n%b\r\n" % (len(piece), piece))

    async def end(self) -> None:
        await self.send(b"0\r\n\r\n")

    async def whole(self, body: object, status: str = "200 OK", *headers: str) -> None:
        """A JSON answer (or text, as it stands)."""
        await self.begin(status, *headers, kind="application/json")
        await self.chunk(body.encode() if isinstance(body, str) else json.dumps(body).encode())
        await self.end()

    def reset(self) -> None:
        """Break the connection off without a goodbye."""
        sock: socket.socket = self.writer.get_extra_info("socket")
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.writer.transport.abort()


Script = Callable[[Line], Awaitable[object]]


@dataclass
class Vendor:
    """A server on a free port. `asked` holds the requests, `left` is set once the gateway closed a connection."""

    script: Script
    asked: list[Line] = field(default_factory=list[Line])
    connections: int = 0
    arrived: asyncio.Event = field(default_factory=asyncio.Event)
    left: asyncio.Event = field(default_factory=asyncio.Event)
    url: str = ""

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        with suppress(ConnectionError, asyncio.IncompleteReadError):
            while True:
                await self._answer(reader, writer)
        self.left.set()
        writer.transport.abort()

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        length = next(int(line[15:]) for line in head.lower().split("\r\n") if line.startswith("content-length:"))
        line = Line(head, await reader.readexactly(length), writer)
        self.asked.append(line)
        self.arrived.set()
        played = asyncio.ensure_future(self.script(line))
        goodbye = asyncio.ensure_future(reader.read(1))
        await asyncio.wait([played, goodbye], return_when=asyncio.FIRST_COMPLETED)
        if goodbye.done():
            played.cancel()
            raise ConnectionResetError
        goodbye.cancel()
        with suppress(asyncio.CancelledError):
            await goodbye
        await played


@asynccontextmanager
async def vendor_playing(script: Script) -> AsyncGenerator[Vendor]:
    vendor = Vendor(script)
    server = await asyncio.start_server(vendor.serve, "127.0.0.1", 0)
    vendor.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v9"
    try:
        yield vendor
    finally:
        server.close()


@asynccontextmanager
async def gateway_before(vendor_url: str, **given: Any) -> AsyncGenerator[int]:
    """The gateway in front of one stub vendor; gives its port. `key` is the gateway's own, unless None."""
    upstream = {"base_url": vendor_url, "api_key": given.pop("key", "sk-own")}
    settings = Settings.model_validate({"upstreams": {"stub": upstream}, **given})
    async with asyncio.timeout(GUARD_SECONDS), serving(create_app(settings)) as port:
        yield port


async def wait_for(event: asyncio.Event) -> None:
    async with asyncio.timeout(GUARD_SECONDS):
        await event.wait()


@asynccontextmanager
async def calling(port: int, body: object) -> AsyncGenerator[asyncio.StreamReader]:
    """A client that reads when it likes, and leaves without a goodbye when the block ends."""
    content = json.dumps(body).encode()
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    lines = ["POST /stub/answers HTTP/1.1", "host: h", "connection: close", f"content-length: {len(content)}", "", ""]
    writer.write("\r\n".join(lines).encode() + content)
    try:
        yield reader
    finally:
        writer.transport.abort()
