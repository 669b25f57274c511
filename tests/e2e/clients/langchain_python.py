"""LangChain's ChatOpenAI over the Responses API."""

from __future__ import annotations

import operator
from functools import reduce
from typing import Any

from langchain_core.tools import tool
from langchain_openai import ChatOpenAI
from pydantic import SecretStr

from tests.e2e.jobs import CITE, PLACE, WEATHER, Cited, Place, Station, Told, cut, report


class LangChain:
    def __init__(self, station: Station) -> None:
        self._model: Any = ChatOpenAI(
            model="demo",
            base_url=f"{station.origin}/v1",
            api_key=SecretStr("none"),
            default_headers=station.headers,
            use_responses_api=True,
            output_version="v1",
        )
        self._streams = station.streams

    def ask(self, model: Any, conversation: Any) -> Any:
        """The message; of a stream, the sum of its chunks."""
        return reduce(operator.add, model.stream(conversation)) if self._streams else model.invoke(conversation)

    async def cite(self) -> Cited:
        message = self.ask(self._model, CITE)
        (block,) = [block for block in message.content_blocks if block["type"] == "text"]
        cited = [one for one in block["annotations"] if one["type"] == "citation" and "url" in one]
        return cut(block["text"], [(one["url"], one["start_index"], one["end_index"]) for one in cited])

    async def weather(self) -> Told:
        @tool
        def get_weather(city: str) -> str:
            """The weather of a city"""
            return report(city)

        model = self._model.bind_tools([get_weather])
        message = self.ask(model, WEATHER)
        results = [get_weather.invoke(call) for call in message.tool_calls]
        told = self.ask(model, [("user", WEATHER), message, *results])
        return Told([call["args"]["city"] for call in message.tool_calls], told.text)

    async def place(self) -> Place:
        return self.ask(self._model.with_structured_output(Place, method="json_schema"), PLACE)
