"""The openai SDK for Python: whole answers, events, the stream helper, and the same asynchronously."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from functools import reduce
from typing import Any, NamedTuple

from openai import AsyncOpenAI, OpenAI
from openai.types.responses import Response, ResponseOutputText, ResponseStreamEvent

from tests.e2e.jobs import CITE, PLACE, WEATHER, Cited, Place, Station, Told, cut, report

TOOL: dict[str, Any] = {
    "type": "function",
    "name": "get_weather",
    "description": "The weather of a city",
    "parameters": {
        "type": "object",
        "properties": {"city": {"type": "string"}},
        "required": ["city"],
        "additionalProperties": False,
    },
    "strict": True,
}


class Turn(NamedTuple):
    """What a program keeps of one answer."""

    text: str = ""
    annotations: tuple[Any, ...] = ()
    output: tuple[Any, ...] = ()


def read(response: Response) -> Turn:
    """A whole answer."""
    parts = [part for item in response.output if item.type == "message" for part in item.content]
    annotations = [one for part in parts if isinstance(part, ResponseOutputText) for one in part.annotations]
    return Turn(response.output_text, tuple(annotations), tuple(response.output))


def follow(turn: Turn, event: ResponseStreamEvent) -> Turn:
    """The turn after one more event."""
    if event.type == "response.output_text.delta":
        return turn._replace(text=turn.text + event.delta)
    if event.type == "response.output_text.annotation.added":
        return turn._replace(annotations=(*turn.annotations, event.annotation))
    if event.type == "response.output_item.done":
        return turn._replace(output=(*turn.output, event.item))
    return turn


class OpenAIPython(ABC):
    """The jobs, whatever the way of asking."""

    def __init__(self, station: Station) -> None:
        self._settings = station.openai_settings

    @abstractmethod
    async def ask(self, conversation: Any, **more: Any) -> Turn: ...

    async def cite(self) -> Cited:
        turn = await self.ask(CITE)
        cited = [one for one in turn.annotations if one.type == "url_citation"]
        return cut(turn.text, [(one.url, one.start_index, one.end_index) for one in cited])

    async def weather(self) -> Told:
        conversation: list[Any] = [{"role": "user", "content": WEATHER}]
        turn = await self.ask(conversation, tools=[TOOL])
        conversation += turn.output
        calls = [item for item in turn.output if item.type == "function_call"]
        cities = [json.loads(call.arguments)["city"] for call in calls]
        conversation += [
            {"type": "function_call_output", "call_id": call.call_id, "output": report(city)}
            for call, city in zip(calls, cities, strict=True)
        ]
        return Told(cities, (await self.ask(conversation, tools=[TOOL])).text)

    async def place(self) -> Place:
        schema = {**Place.model_json_schema(), "additionalProperties": False}
        form = {"type": "json_schema", "name": "place", "schema": schema, "strict": True}
        return Place.model_validate_json((await self.ask(PLACE, text={"format": form})).text)


class Whole(OpenAIPython):
    """`create` and `parse`."""

    async def ask(self, conversation: Any, **more: Any) -> Turn:
        with OpenAI(**self._settings) as client:
            create: Any = client.responses.create  # the types of its overloads say nothing of arguments put together
            return read(create(model="demo", input=conversation, **more))

    async def place(self) -> Place:
        with OpenAI(**self._settings) as client:
            parsed = client.responses.parse(model="demo", input=PLACE, text_format=Place).output_parsed
        assert parsed is not None
        return parsed


class Events(OpenAIPython):
    """`create(stream=True)`: the answer is what the events said."""

    async def ask(self, conversation: Any, **more: Any) -> Turn:
        with OpenAI(**self._settings) as client:
            create: Any = client.responses.create
            return reduce(follow, create(model="demo", input=conversation, stream=True, **more), Turn())


class Helper(OpenAIPython):
    """`stream` and its `get_final_response`."""

    async def ask(self, conversation: Any, **more: Any) -> Turn:
        with (
            OpenAI(**self._settings) as client,
            client.responses.stream(model="demo", input=conversation, **more) as events,
        ):
            return read(events.get_final_response())

    async def place(self) -> Place:
        with (
            OpenAI(**self._settings) as client,
            client.responses.stream(model="demo", input=PLACE, text_format=Place) as events,
        ):
            parsed = events.get_final_response().output_parsed
        assert parsed is not None
        return parsed


class AsyncWhole(OpenAIPython):
    """`create` and `parse` of the asynchronous client."""

    async def ask(self, conversation: Any, **more: Any) -> Turn:
        async with AsyncOpenAI(**self._settings) as client:
            create: Any = client.responses.create
            return read(await create(model="demo", input=conversation, **more))

    async def place(self) -> Place:
        async with AsyncOpenAI(**self._settings) as client:
            parsed = (await client.responses.parse(model="demo", input=PLACE, text_format=Place)).output_parsed
        assert parsed is not None
        return parsed


class AsyncEvents(OpenAIPython):
    """`stream` of the asynchronous client, read event by event."""

    async def ask(self, conversation: Any, **more: Any) -> Turn:
        turn = Turn()
        async with (
            AsyncOpenAI(**self._settings) as client,
            client.responses.stream(model="demo", input=conversation, **more) as events,
        ):
            async for event in events:
                turn = follow(turn, event)  # pyright: ignore[reportArgumentType] - the helper's events are the SDK's and more
        return turn
