"""google-genai's interactions: whole, streamed, and the same asynchronously."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from typing import Any

from google import genai
from google.genai import types

from tests.e2e.jobs import CITE, PLACE, WEATHER, Citation, Cited, Place, Station, Told, report

TOOL: dict[str, Any] = {
    "type": "function",
    "name": "get_weather",
    "description": "The weather of a city",
    "parameters": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
}


class Steps:
    """The steps of an answer, put together of its events."""

    def __init__(self) -> None:
        self.steps: list[dict[str, Any]] = []

    def feed(self, event: Any) -> None:
        said: dict[str, Any] = event.model_dump(mode="json", exclude_none=True)
        if event.event_type == "step.start":
            assert said["index"] == len(self.steps)
            self.steps.append(said["step"])
        elif event.event_type == "step.delta":
            self._add(self.steps[int(said["index"])], said["delta"])
        elif event.event_type == "step.stop" and isinstance(self.steps[-1].get("arguments"), str):
            self.steps[-1]["arguments"] = json.loads(self.steps[-1]["arguments"])

    @staticmethod
    def _add(step: dict[str, Any], delta: dict[str, Any]) -> None:
        if delta["type"] == "text":
            content: list[dict[str, Any]] = step.setdefault("content", [])
            if not content:
                content.append({"type": "text", "text": "", "annotations": []})
            content[-1]["text"] += delta["text"]
        elif delta["type"] == "text_annotation_delta":
            step["content"][-1]["annotations"] += delta["annotations"]
        elif delta["type"] == "arguments_delta":
            step["arguments"] = (step.get("arguments") or "") + delta["arguments"]
        elif delta["type"] == "thought_signature":
            step["signature"] = delta["signature"]


class GoogleGenAI(ABC):
    """The jobs, whatever the way of asking; an answer is its steps as JSON, which is also what is sent back."""

    def __init__(self, station: Station) -> None:
        self._streams = station.streams
        self._options = types.HttpOptions(base_url=station.origin, api_version="v1beta", headers=station.headers)

    @abstractmethod
    async def ask(self, conversation: Any, **more: Any) -> list[dict[str, Any]]: ...

    async def cite(self) -> Cited:
        (part,) = (await self.ask(CITE))[-1]["content"]
        raw = part["text"].encode()
        cited = [one for one in part["annotations"] if one["type"] in ("url_citation", "place_citation")]
        return Cited(part["text"], [_cut(raw, **one) for one in cited])

    async def weather(self) -> Told:
        question = {"type": "user_input", "content": [{"type": "text", "text": WEATHER}]}
        steps = await self.ask([question], tools=[TOOL])
        calls = [step for step in steps if step["type"] == "function_call"]
        cities = [call["arguments"]["city"] for call in calls]
        results = [
            {"type": "function_result", "call_id": call["id"], "name": call["name"], "result": report(city)}
            for call, city in zip(calls, cities, strict=True)
        ]
        told = await self.ask([question, *steps, *results], tools=[TOOL])
        return Told(cities, told[-1]["content"][0]["text"])

    async def place(self) -> Place:
        form = {"type": "text", "mime_type": "application/json", "schema": Place.model_json_schema()}
        steps = await self.ask(PLACE, response_format=form)
        return Place.model_validate_json(steps[-1]["content"][0]["text"])


class GoogleSync(GoogleGenAI):
    async def ask(self, conversation: Any, **more: Any) -> list[dict[str, Any]]:
        with genai.Client(api_key="none", http_options=self._options) as client:
            create: Any = client.interactions.create
            if not self._streams:
                return _steps(create(model="demo", input=conversation, **more))
            steps = Steps()
            for event in create(model="demo", input=conversation, stream=True, **more):
                steps.feed(event)
            return steps.steps


class GoogleAsync(GoogleGenAI):
    async def ask(self, conversation: Any, **more: Any) -> list[dict[str, Any]]:
        async with genai.Client(api_key="none", http_options=self._options).aio as client:
            create: Any = client.interactions.create
            if not self._streams:
                return _steps(await create(model="demo", input=conversation, **more))
            steps = Steps()
            async for event in await create(model="demo", input=conversation, stream=True, **more):
                steps.feed(event)
            return steps.steps


def _steps(interaction: Any) -> list[dict[str, Any]]:
    return interaction.model_dump(mode="json", exclude_none=True)["steps"]


def _cut(raw: bytes, url: str, start_index: int = 0, end_index: int | None = None, **_: object) -> Citation:
    """Indexes count the bytes of the text, and are absent where nobody said a place."""
    if end_index is None:
        return Citation(url)
    return Citation(url, raw[:start_index].decode(), raw[start_index:end_index].decode())
