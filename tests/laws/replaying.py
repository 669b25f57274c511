"""Answers that clients send back as input, and how they do it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, cast

import adapters
from adapters.hub.events import Event
from adapters.hub.losses import Ledger
from adapters.wire_json import Json
from tests.laws.corpus import ANSWERS, Told, surface
from tests.laws.everything import EVERYTHING
from tests.laws.sdk import Replayer
from tests.laws.twins import WHOLE

FACE = "openai"
"""The dialect whose items are sent back."""


@dataclass(frozen=True)
class Answer:
    """One answer: the items in the vendor's words, and the walk."""

    vendor: str
    name: str
    body: Json
    walk: Callable[[], list[Event]]

    def __str__(self) -> str:
        return f"{self.vendor}-{self.name}"

    @property
    def items(self) -> list[Json]:
        return self.body.get("output") or self.body.get("steps") or []


def _answers() -> Iterator[Answer]:
    for recording, body in (*((answer, answer.body()) for answer in ANSWERS), *WHOLE):
        yield Answer(recording.vendor, f"{recording.name}{recording.path.suffix}", body, recording.walk)
    for vendor, body in EVERYTHING.items():
        codec = adapters.load(vendor).codec
        yield Answer(vendor, "everything", body, lambda codec=codec, body=body: codec.decode_response(body))


REPLAYED = [answer for answer in _answers() if answer.items]


def ways(told: Told, sdk: Replayer) -> dict[str, list[Json]]:
    """How clients send an answer's items back: as they are, and through the SDK's types."""
    body = told.body()
    return {"verbatim": body["output"], "sdk": sdk.send_back(body)}


def sent(items: list[Json], vendor: str) -> tuple[list[Json], set[str]]:
    """The items in the vendor's words, and what was reported as lost; the user speaks before and after them."""
    user = {"type": "message", "role": "user", "content": "and?"}
    request = surface(FACE).decode_request({"model": "m", "input": [user, *items, user]})
    losses = Ledger()
    body = adapters.load(vendor).codec.encode_request(request, losses)
    return body["input"][1:-1], {loss.path for loss in losses.losses}


def present(value: Any) -> Any:
    """The value without nulls: the SDK leaves some out and adds others, and null means absent."""
    if isinstance(value, dict):
        return {key: present(inner) for key, inner in cast(Json, value).items() if inner is not None}
    return [present(inner) for inner in cast(list[Any], value)] if isinstance(value, list) else value
