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
from tests.laws.json_values import objects
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


TURNS: dict[str, Json] = {
    "openai": {"type": "message", "role": "user", "content": "and?"},
    "ark": {"type": "message", "role": "user", "content": "and?"},
    "gemini": {"type": "user_input", "content": [{"type": "text", "text": "and?"}]},
}


def sent(items: list[Json], vendor: str, face: str) -> tuple[list[Json], set[str]]:
    """The items in the vendor's words, and what was reported as lost; the user speaks before and after them."""
    user = TURNS[face]
    request = surface(face).decode_request({"model": "m", "input": [user, *items, user]})
    losses = Ledger()
    body = adapters.load(vendor).codec.encode_request(request, losses)
    return body["input"][1:-1], {loss.path for loss in losses.losses}


def present(value: Any) -> Any:
    """The value without nulls: the SDK leaves some out and adds others, and null means absent."""
    if isinstance(value, dict):
        return {key: present(inner) for key, inner in cast(Json, value).items() if inner is not None}
    return [present(inner) for inner in cast(list[Any], value)] if isinstance(value, list) else value


# -- what comes back ---------------------------------------------------------------------------

ROTATING = "compat-github-copilot-id-rotation.sse"

# Items of the vendor's that OpenAI's dialect has no type for. Under native they are items and come back; under
# rich they come back where another item carries them, or are reported.
PRIVATE = {"image_process", "agent_tool_call", "item_of_tomorrow", "step_of_tomorrow"}

# Items that only tell what a hosted tool did, or that are unknown: Ark's input has no type for them.
ARK_TAKES_NOT = {"web_search_call", "knowledge_search_call", *PRIVATE}


def _as_message(app: Json) -> Json:
    (block,) = app["blocks"]
    content = [{"type": "output_text", "text": block["text"]}]
    return {"type": "message", "role": "assistant", "content": content}


def returnable(answer: Answer, face: str, *, private: bool) -> list[Json]:
    """The items that should come back."""
    if answer.vendor == face == "ark":
        return answer.items  # Ark's own, as its client sends them back
    spoken = [item for item in answer.items if private or item["type"] not in PRIVATE]
    if answer.vendor != "ark":
        return spoken
    # what is told as a message goes back as one: the app's call is no item of Ark's input
    told = [_as_message(item) if item["type"] == "doubao_app_call" else item for item in spoken]
    # "input" of Ark: a function_call there has no status
    calls = [{k: v for k, v in i.items() if i["type"] != "function_call" or k != "status"} for i in told]
    return [item for item in calls if item["type"] not in ARK_TAKES_NOT]


def form_of(way: str, answer: Answer, face: str) -> Callable[[list[Json]], list[Json]]:
    """How what comes back is compared: without nulls, which mean absent in all dialects but OpenAI's.

    OpenAI seals an item anew at the end of a stream, and takes either seal back.
    """
    form = present if way == "sdk" or face != "openai" else list[Json]
    return (lambda items: [_unsealed(item) for item in form(items)]) if is_resealed(answer, face) else form


def is_resealed(answer: Answer, face: str) -> bool:
    return face != answer.vendor and answer.name.endswith(".sse")


def _unsealed(item: Json) -> Json:
    return {key: "a seal" if key in ("encrypted_content", "fingerprint") else value for key, value in item.items()}


IDS_THAT_STAY = {"mcp_list_tools", "mcp_call", "mcp_approval_request", "mcp_server_tool_call"}
"""Items whose id the other vendor requires, as an approval names the request that it answers."""


def of_the_vendor(answer: Answer) -> set[str]:
    """The ids and seals that only the vendor itself can read; call_ids belong to the client as well."""
    found = {answer.body.get("id")}
    items = [item for item in answer.items if item["type"] not in IDS_THAT_STAY]
    found |= {item.get("id") for item in items if item["type"] != "function_call" or "call_id" in item}
    found |= {value.get(key) for value in objects(answer.items) for key in ("signature", "encrypted_content")}
    return {text for text in found if isinstance(text, str) and len(text) > 6}
