"""The floor: the least that a gateway under FastAPI can do, the bytes of an aiohttp answer passed on as they come."""

from __future__ import annotations

import json
import os
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager

from aiohttp import ClientResponse, ClientSession, ClientTimeout, TCPConnector
from fastapi import FastAPI, Request
from fastapi.responses import StreamingResponse

VARIABLE = "BENCH_FLOOR_UPSTREAMS"
"""The environment variable that names each vendor's URL, as a JSON object."""

PATH = "/v1/responses"

_UPSTREAMS: dict[str, str] = json.loads(os.environ.get(VARIABLE, "{}"))


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncGenerator[None]:
    connector = TCPConnector(limit=0)
    timeout = ClientTimeout(total=None, sock_read=60)
    async with ClientSession(connector=connector, timeout=timeout, auto_decompress=False) as session:
        app.state.session = session
        yield


app = FastAPI(lifespan=_lifespan)


async def _pass_on(answer: ClientResponse) -> AsyncIterator[bytes]:
    async with answer:
        async for chunk in answer.content.iter_any():
            yield chunk


@app.post(PATH)
async def forward(request: Request) -> StreamingResponse:
    session: ClientSession = request.app.state.session
    url = _UPSTREAMS[request.headers["x-provider"]]
    answer = await session.post(url, data=await request.body(), headers={"content-type": "application/json"})
    return StreamingResponse(_pass_on(answer), answer.status, media_type=answer.headers.get("content-type"))
