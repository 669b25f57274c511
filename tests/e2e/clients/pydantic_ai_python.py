"""pydantic-ai with its OpenAI Responses model."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from openai import AsyncOpenAI
from pydantic_ai import Agent, NativeOutput
from pydantic_ai.messages import Citation, MarkerCitationAnchor, TextPart, WebCitationSource
from pydantic_ai.models.openai import OpenAIResponsesModel
from pydantic_ai.providers.openai import OpenAIProvider

from tests.e2e.jobs import CITE, PLACE, WEATHER, Cited, Place, Station, Told, cut, report


class PydanticAI:
    """`form` is how the structured answer is asked for: as the format of the text, or as a call of a tool."""

    def __init__(self, station: Station, form: Callable[..., object] = NativeOutput) -> None:
        self._form = form
        self._settings = station.openai_settings
        self._streams = station.streams

    async def run(self, question: str, **more: Any) -> tuple[Any, list[TextPart]]:
        """The output, and the texts of the last answer."""
        async with AsyncOpenAI(**self._settings) as client:
            agent: Any = Agent(OpenAIResponsesModel("demo", provider=OpenAIProvider(openai_client=client)), **more)
            if not self._streams:
                result = await agent.run(question)
                return result.output, [part for part in result.response.parts if isinstance(part, TextPart)]
            async with agent.run_stream(question) as stream:
                output = await stream.get_output()
                return output, [part for part in stream.response.parts if isinstance(part, TextPart)]

    async def cite(self) -> Cited:
        text, (part,) = await self.run(CITE)
        details = (part.provider_details or {})["citations"]
        return cut(text, [span for pair in zip(part.citations or [], details, strict=True) for span in _spans(*pair)])

    async def weather(self) -> Told:
        cities: list[str] = []

        def get_weather(city: str) -> str:
            """The weather of a city"""
            cities.append(city)
            return report(city)

        text, _ = await self.run(WEATHER, tools=[get_weather])
        return Told(cities, text)

    async def place(self) -> Place:
        return (await self.run(PLACE, output_type=self._form(Place)))[0]


def _spans(citation: Citation, detail: dict[str, Any]) -> Iterator[tuple[str, int, int]]:
    """Where a citation of the web stands: its anchor, which pydantic-ai makes only of spans that are not empty."""
    (source,) = citation.sources
    if not isinstance(source, WebCitationSource):
        return
    if isinstance(citation.anchor, MarkerCitationAnchor):
        yield source.url, citation.anchor.start, citation.anchor.end
    else:
        assert detail["start_index"] == detail["end_index"]
        yield source.url, detail["start_index"], detail["end_index"]
