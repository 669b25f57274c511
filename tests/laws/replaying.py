"""Answers that clients send back as input, and how they do it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, cast

import adapters
from adapters.hub.adapter import Codec, Fidelity
from adapters.hub.events import Event
from adapters.hub.losses import Ledger
from adapters.wire_json import Json
from tests.laws.corpus import ANSWERS, Told, surface, tell
from tests.laws.everything import EVERYTHING
from tests.laws.sdk import Program
from tests.laws.twins import WHOLE


@dataclass(frozen=True)
class Answer:
    """One answer: the items in the vendor's words, and how a codec reads it."""

    vendor: str
    name: str
    body: Json
    walk: Callable[[Codec], list[Event]]

    def __str__(self) -> str:
        return f"{self.vendor}-{self.name}"

    @property
    def items(self) -> list[Json]:
        return said_in(self.body)

    def told(self, face: str, fidelity: Fidelity) -> Told:
        """The answer as one body for a client of that dialect."""
        said = self._whole if self.vendor == face else self.walk
        return tell(said, self.vendor, face, fidelity, stream=False)

    def _whole(self, codec: Codec) -> list[Event]:
        return codec.decode_response(self.body)


def said_in(body: Json) -> list[Json]:
    """The items, or steps, of an answer."""
    return body.get("output") or body.get("steps") or []


def _answers() -> Iterator[Answer]:
    for recording, body in (*((answer, answer.body()) for answer in ANSWERS), *WHOLE):
        yield Answer(recording.vendor, f"{recording.name}{recording.path.suffix}", body, recording.walk)
    for vendor, body in EVERYTHING.items():
        yield Answer(vendor, "everything", body, lambda codec, body=body: codec.decode_response(body))


REPLAYED = [answer for answer in _answers() if answer.items]


def ways(told: Told, sdk: Program) -> dict[str, list[Json]]:
    """How clients send an answer's items back: as they are, and through the SDK's types."""
    body = told.body()
    return {"verbatim": said_in(body), "sdk": sdk.send_back(body)}


_TURNS: dict[str, Json] = {
    "openai": {"type": "message", "role": "user", "content": "and?"},
    "ark": {"type": "message", "role": "user", "content": "and?"},
    "gemini": {"type": "user_input", "content": [{"type": "text", "text": "and?"}]},
}


def sent(items: list[Json], vendor: str, face: str) -> tuple[list[Json], set[str]]:
    """The items in the vendor's words, and what was reported as lost; the user speaks before and after them."""
    user = _TURNS[face]
    request = surface(face).decode_request({"model": "m", "input": [user, *items, user]})
    losses = Ledger()
    body = adapters.load(vendor).codec.encode_request(request, losses)
    return body["input"][1:-1], {loss.path for loss in losses.losses}


def present(value: Any) -> Any:
    """The value without nulls: the SDK leaves some out and adds others, and null means absent."""
    if isinstance(value, dict):
        return {key: present(inner) for key, inner in cast(Json, value).items() if inner is not None}
    return [present(inner) for inner in cast(list[Any], value)] if isinstance(value, list) else value
