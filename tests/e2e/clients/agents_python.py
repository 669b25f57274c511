"""openai-agents: an agent that answers, runs its tools and gives typed output."""

from __future__ import annotations

from typing import Any

from agents import (
    Agent,
    OpenAIResponsesModel,
    RunConfig,
    Runner,
    function_tool,  # pyright: ignore[reportUnknownVariableType]
)
from openai import AsyncOpenAI
from openai.types.responses import ResponseOutputMessage, ResponseOutputText

from tests.e2e.jobs import CITE, PLACE, WEATHER, Cited, Place, Station, Told, cut, report

QUIET = RunConfig(tracing_disabled=True)


class OpenAIAgents:
    def __init__(self, station: Station) -> None:
        self._settings = station.openai_settings
        self._streams = station.streams

    async def run(self, question: str, **more: Any) -> Any:
        async with AsyncOpenAI(**self._settings) as client:
            agent = Agent("guide", model=OpenAIResponsesModel("demo", client), **more)
            if not self._streams:
                return await Runner.run(agent, question, run_config=QUIET)
            result = Runner.run_streamed(agent, question, run_config=QUIET)
            async for _ in result.stream_events():
                pass
            return result

    async def cite(self) -> Cited:
        result = await self.run(CITE)
        message = result.new_items[-1].raw_item
        assert isinstance(message, ResponseOutputMessage)
        (part,) = message.content
        assert isinstance(part, ResponseOutputText)
        cited = [one for one in part.annotations if one.type == "url_citation"]
        return cut(result.final_output, [(one.url, one.start_index, one.end_index) for one in cited])

    async def weather(self) -> Told:
        cities: list[str] = []

        def get_weather(city: str) -> str:
            """The weather of a city"""
            cities.append(city)
            return report(city)

        return Told(cities, (await self.run(WEATHER, tools=[function_tool(get_weather)])).final_output)

    async def place(self) -> Place:
        return (await self.run(PLACE, output_type=Place)).final_output
