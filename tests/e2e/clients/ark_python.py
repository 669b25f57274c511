"""volcengine-ark-runtime: whole, streamed, and the same asynchronously. Ark's citations tell no place."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from typing import Any

from volcenginesdkarkruntime import Ark, AsyncArk  # pyright: ignore[reportMissingTypeStubs]

from tests.e2e.clients.openai_python import TOOL
from tests.e2e.jobs import CITE, PLACE, WEATHER, Citation, Cited, Place, Station, Told, report


class Turn:
    """What a program keeps of one answer: its text, its citations, its items."""

    def __init__(self) -> None:
        self.text = ""
        self.cited: list[Citation] = []
        self.output: list[Any] = []

    def read(self, response: Any) -> None:
        self.output = response.output
        for part in [part for item in self.output if item.type == "message" for part in item.content]:
            self.text += part.text
            annotations: list[Any] = part.annotations or []
            for one in annotations:
                self._cite(one)

    def follow(self, event: Any) -> None:
        if event.type == "response.output_text.delta":
            self.text += event.delta
        elif event.type == "response.output_text.annotation.added":
            self._cite(event.annotation)
        elif event.type == "response.output_item.done":
            self.output.append(event.item)

    def _cite(self, annotation: Any) -> None:
        if annotation.type == "url_citation":
            self.cited.append(Citation(annotation.url))


class ArkPython(ABC):
    def __init__(self, station: Station) -> None:
        self._streams = station.streams
        self._settings: Any = {"base_url": f"{station.origin}/api/v3", "api_key": "none"}
        self._common: Any = {"model": "demo", "stream": station.streams, "extra_headers": station.headers}

    @abstractmethod
    async def ask(self, conversation: Any, **more: Any) -> Turn: ...

    async def cite(self) -> Cited:
        turn = await self.ask(CITE)
        return Cited(turn.text, turn.cited)

    async def weather(self) -> Told:
        conversation: list[Any] = [{"role": "user", "content": WEATHER}]
        turn = await self.ask(conversation, tools=[TOOL])
        conversation += [item.model_dump(mode="json", exclude_none=True) for item in turn.output]
        calls = [item for item in turn.output if item.type == "function_call"]
        cities = [json.loads(call.arguments)["city"] for call in calls]
        conversation += [
            {"type": "function_call_output", "call_id": call.call_id, "output": report(city)}
            for call, city in zip(calls, cities, strict=True)
        ]
        return Told(cities, (await self.ask(conversation, tools=[TOOL])).text)

    async def place(self) -> Place:
        form = {"type": "json_schema", "name": "place", "schema": Place.model_json_schema(), "strict": True}
        return Place.model_validate_json((await self.ask(PLACE, text={"format": form})).text)


class ArkSync(ArkPython):
    async def ask(self, conversation: Any, **more: Any) -> Turn:
        turn = Turn()
        with Ark(**self._settings) as client:
            responses: Any = client.responses
            answer = responses.create(input=conversation, **self._common, **more)
            if self._streams:
                for event in answer:
                    turn.follow(event)
            else:
                turn.read(answer)
        return turn


class ArkAsync(ArkPython):
    async def ask(self, conversation: Any, **more: Any) -> Turn:
        turn = Turn()
        async with AsyncArk(**self._settings) as client:
            responses: Any = client.responses
            answer = await responses.create(input=conversation, **self._common, **more)
            if self._streams:
                async for event in answer:
                    turn.follow(event)
            else:
                turn.read(answer)
        return turn
