"""Real clients do their users' jobs through the gateway, whoever answers: clients by vendors by jobs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import NamedTuple

import pytest
from pydantic_ai import ToolOutput

from tests.e2e.clients.agents_python import OpenAIAgents
from tests.e2e.clients.ark_python import ArkAsync, ArkSync
from tests.e2e.clients.google_python import GoogleAsync, GoogleSync
from tests.e2e.clients.langchain_python import LangChain
from tests.e2e.clients.node import Codex, script
from tests.e2e.clients.openai_python import AsyncEvents, AsyncWhole, Events, Helper, Whole
from tests.e2e.clients.pydantic_ai_python import PydanticAI
from tests.e2e.gateway import hurried
from tests.e2e.jobs import JOBS, VENDORS, Cites, Client, Station


class Row(NamedTuple):
    """A client of the table; `streams` and `cites` as of a `Station`."""

    make: Callable[[Station], Client]
    streams: bool = False
    cites: Cites = "places"


CLIENTS = {
    "openai-create": Row(Whole),
    "openai-events": Row(Events, streams=True),
    "openai-stream": Row(Helper, streams=True),
    "openai-async": Row(AsyncWhole),
    "openai-async-stream": Row(AsyncEvents, streams=True),
    "agents": Row(OpenAIAgents),
    "agents-stream": Row(OpenAIAgents, streams=True),
    "pydantic-ai": Row(PydanticAI),
    "pydantic-ai-stream": Row(PydanticAI, streams=True),
    "pydantic-ai-tool-output": Row(partial(PydanticAI, form=ToolOutput)),
    "langchain": Row(LangChain),
    "langchain-stream": Row(LangChain, streams=True),
    "google-genai": Row(GoogleSync, cites="given places"),
    "google-genai-stream": Row(GoogleSync, streams=True, cites="given places"),
    "google-genai-async": Row(GoogleAsync, cites="given places"),
    "google-genai-async-stream": Row(GoogleAsync, streams=True, cites="given places"),
    "ark": Row(ArkSync, cites="sources"),
    "ark-stream": Row(ArkSync, streams=True, cites="sources"),
    "ark-async": Row(ArkAsync, cites="sources"),
    "ark-async-stream": Row(ArkAsync, streams=True, cites="sources"),
}

NODE_CLIENTS = {
    "openai-node-7": Row(script("openai_node.mjs", "openai")),
    "openai-node-7-stream": Row(script("openai_node.mjs", "openai"), streams=True),
    "openai-node-6": Row(script("openai_node.mjs", "openai-6")),
    "openai-node-6-stream": Row(script("openai_node.mjs", "openai-6"), streams=True),
    "google-node": Row(script("google_node.mjs"), cites="given places"),
    "google-node-stream": Row(script("google_node.mjs"), streams=True, cites="given places"),
    "ai-sdk-openai": Row(script("ai_sdk.mjs", "openai")),
    "ai-sdk-openai-stream": Row(script("ai_sdk.mjs", "openai"), streams=True),
    "ai-sdk-google": Row(script("ai_sdk.mjs", "google"), cites="sources"),
    "ai-sdk-google-stream": Row(script("ai_sdk.mjs", "google"), streams=True, cites="sources"),
    "codex": Row(Codex, streams=True, cites="nothing"),
}
"""Those that `make e2e-all` sets up: Node is no part of the development environment."""


@pytest.fixture(scope="module")
def origin() -> Iterator[str]:
    with hurried() as address:
        yield f"http://{address}"


@pytest.mark.parametrize("job", JOBS)
@pytest.mark.parametrize("vendor", VENDORS)
@pytest.mark.parametrize("client", CLIENTS)
async def test_a_client_does_its_job(origin: str, client: str, vendor: str, job: str) -> None:
    await do(job, CLIENTS[client], origin, vendor)


@pytest.mark.node
@pytest.mark.parametrize("job", JOBS)
@pytest.mark.parametrize("vendor", VENDORS)
@pytest.mark.parametrize("client", NODE_CLIENTS)
async def test_a_client_on_node_does_its_job(origin: str, client: str, vendor: str, job: str) -> None:
    await do(job, NODE_CLIENTS[client], origin, vendor)


async def do(job: str, row: Row, origin: str, vendor: str) -> None:
    station = Station(origin, vendor, row.streams, row.cites)
    await JOBS[job](row.make(station), station)
