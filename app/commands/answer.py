"""One answer as a client of the Responses API reads it: its passages, their citations, the events, the losses."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncGenerator, Callable, Iterator
from dataclasses import dataclass, field
from itertools import chain

import httpx

from adapters.sse import SseParser
from adapters.wire_json import Json, loads

_EXTENSION = "x_dragoman"


@dataclass(slots=True)
class Passage:
    """One part of a message: its text so far and what it cites."""

    text: str = ""
    annotations: list[Json] = field(default_factory=list[Json])


@dataclass(slots=True)
class Answer:
    """Grows with every event that is fed. `runs` are the events' names in order, repeats counted.

    `aside` counts, by their own type, the annotations that the dialect has no type for: they ride in
    the extension key.
    """

    passages: dict[tuple[int, int], Passage] = field(default_factory=dict[tuple[int, int], Passage])
    runs: list[tuple[str, int]] = field(default_factory=list[tuple[str, int]])
    losses: list[str] = field(default_factory=list[str])
    aside: Counter[str] = field(default_factory=Counter[str])
    status: str = "no answer"
    error: str | None = None

    def feed(self, data: bytes) -> None:
        """Take the data of the next event."""
        event: Json = loads(data)
        name: str = event["type"].removeprefix("response.")
        if self.runs and self.runs[-1][0] == name:
            self.runs[-1] = (name, self.runs[-1][1] + 1)
        else:
            self.runs.append((name, 1))
        if (step := _STEPS.get(name)) is not None:
            step(self, event)
        if "response" in event:
            self._look(event["response"])

    def refuse(self, status: int, body: bytes) -> None:
        """Take an HTTP error in place of a stream."""
        self.status = f"HTTP {status}"
        try:
            self.error = loads(body)["error"]["message"]
        except (ValueError, KeyError, TypeError):
            self.error = body.decode("utf-8", "replace")

    @property
    def citations(self) -> Iterator[tuple[Passage, Json]]:
        """Every annotation with the passage it stands in, in order."""
        return chain.from_iterable(((p, a) for a in p.annotations) for p in self.passages.values())

    def _look(self, response: Json) -> None:
        self.status = response.get("status") or self.status
        if response.get("error"):
            self.error = response["error"].get("message")
        extension: Json = response.get(_EXTENSION) or {}
        for loss in extension.get("losses") or ():
            self._lose(f"{loss['path']}: {loss['reason']}")

    def note(self, header: str) -> None:
        """Take the losses that the answer's head names; the answer's end may have told them in full."""
        for token in filter(None, map(str.strip, header.split(","))):
            if not any(loss.startswith(f"{token}: ") for loss in self.losses):
                self._lose(token)

    def _lose(self, loss: str) -> None:
        if loss not in self.losses:
            self.losses.append(loss)


async def ask(client: httpx.AsyncClient, body: Json, headers: dict[str, str], answer: Answer) -> AsyncGenerator[None]:
    """Fill `answer` from one streamed exchange, pausing after each piece that arrives so that it can be shown."""
    try:
        async with client.stream("POST", "/v1/responses", json=body, headers=headers) as response:
            if response.status_code != 200:
                answer.refuse(response.status_code, await response.aread())
                return
            parser = SseParser()
            async for piece in response.aiter_bytes():
                for event in parser.feed(piece):
                    answer.feed(event.data)
                yield
            answer.note(response.headers.get("x-dragoman-losses", ""))
    except httpx.HTTPError as error:
        answer.error = f"{type(error).__name__}: {error}"


def covered(annotation: Json) -> tuple[int, int] | None:
    """The code points an annotation covers, or the point where it stands; None where it names no place."""
    if "end_index" in annotation:
        return annotation.get("start_index", 0), annotation["end_index"]
    if annotation.get("type") == "file_citation" and "index" in annotation:
        return annotation["index"], annotation["index"]
    return None


def kind(annotation: Json) -> str:
    """An annotation's type, and what the vendor called it where that is another word."""
    shown = str(annotation.get("type"))
    own = annotation.get(_EXTENSION, {}).get("raw", {}).get("type", shown)
    return shown if own == shown else f"{shown} ← {own}"


def source(annotation: Json) -> str:
    """What an annotation points to, in a line: its title or name, and its address or id."""
    title = annotation.get("title") or annotation.get("filename") or annotation.get("name") or annotation.get("text")
    place = annotation.get("url") or annotation.get("file_id") or annotation.get("place_id") or annotation.get("doc_id")
    return " · ".join(str(word) for word in (title, place) if word)


def _passage(answer: Answer, event: Json) -> Passage:
    return answer.passages.setdefault((event["output_index"], event["content_index"]), Passage())


def _grow(answer: Answer, event: Json) -> None:
    _passage(answer, event).text += event["delta"]


def _cite(answer: Answer, event: Json) -> None:
    _passage(answer, event).annotations.append(event["annotation"])


def _set_aside(answer: Answer, event: Json) -> None:
    beside: list[Json] = event["part"].get(_EXTENSION, {}).get("annotations", [])
    answer.aside.update(str(kept["raw"].get("type")) for kept in beside)


_STEPS: dict[str, Callable[[Answer, Json], None]] = {
    "output_text.delta": _grow,
    "refusal.delta": _grow,
    "output_text.annotation.added": _cite,
    "content_part.done": _set_aside,
}
