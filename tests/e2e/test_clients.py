"""Real clients do their users' jobs through the gateway, whoever answers: clients by vendors by jobs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

import pytest

from tests.e2e.clients.agents_python import OpenAIAgents
from tests.e2e.clients.langchain_python import LangChain
from tests.e2e.clients.openai_python import AsyncEvents, AsyncWhole, Events, Helper, Whole
from tests.e2e.clients.pydantic_ai_python import PydanticAI
from tests.e2e.gateway import hurried
from tests.e2e.jobs import JOBS, VENDORS, Client, Station


class Row(NamedTuple):
    """A client of the table; `streams` says whether it reads events or one body."""

    make: Callable[[Station], Client]
    streams: bool = False


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
    "langchain": Row(LangChain),
    "langchain-stream": Row(LangChain, streams=True),
}


@pytest.fixture(scope="module")
def origin() -> Iterator[str]:
    with hurried() as address:
        yield f"http://{address}"


@pytest.mark.parametrize("job", JOBS)
@pytest.mark.parametrize("vendor", VENDORS)
@pytest.mark.parametrize("client", CLIENTS)
async def test_a_client_does_its_job(origin: str, client: str, vendor: str, job: str) -> None:
    row = CLIENTS[client]
    station = Station(origin, vendor, row.streams)
    await JOBS[job](row.make(station), station)
