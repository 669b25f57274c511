"""Real traffic: what real clients send is taken to every vendor, or refused by name for a reason that stands here."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

import adapters
from adapters.hub.errors import BadRequest
from adapters.hub.losses import Ledger
from adapters.wire_json import Json, dumps
from tests.laws.corpus import FACES, VENDORS, requests_of, requests_of_clients, surface


@dataclass(frozen=True)
class Refusal:
    """Why requests are refused, by the field that the client is told."""

    param: str
    why: str


PREVIOUS = Refusal("previous_response_id", "another vendor gave that response, and this one cannot know it")
CONVERSATION = Refusal("conversation", "the gateway keeps no conversations, and only OpenAI does")
REFERENCE = Refusal(r"input\[1\](\.id)?", "another vendor said that item, and the gateway keeps none")
SEALED = Refusal(r"input\[1\]", "a compacted conversation is sealed by the vendor that made it")
BACKGROUND = Refusal("background", "a background answer is not ready, and the gateway cannot be asked for it later")
HOSTED = Refusal(r"tools\[0\](\.type)?", "the vendor has no such tool, and nobody else can run it")
FILES = Refusal(r"tools\[0\](\.type|\.vector_store_ids\[0\])?", "the settings name no store of files for that vendor")

# Refused by every vendor but OpenAI, whose ids they hold.
ELSEWHERE: dict[Refusal, str] = {
    PREVIOUS: """
        agents-node-8 agents-python-8 ai-sdk-openai-8 langchain-node-6 langchain-python-8 langchain-python-10 litellm-3
        litellm-5 llamaindex-7 openai-node-4 openai-node-9 openai-node-28 openai-python-4 openai-python-10
        openai-python-34 pydantic-ai-11 error-400-previous-response-not-found
        multiturn-stream-previous-response-id-turn2
    """,
    CONVERSATION: """
        openai-node-25 openai-node-26 openai-python-30 openai-python-31 multiturn-stream-conversation-id
    """,
    REFERENCE: "ai-sdk-openai-3 ai-sdk-openai-5 ai-sdk-openai-10 ai-sdk-openai-12 ai-sdk-openai-14",
    SEALED: "openai-python-28",
    BACKGROUND: "openai-node-15 openai-python-16 openai-python-22 background-json-queued",
    FILES: "filesearch-json-results",
}

# Refused by one vendor alone.
ALONE: dict[str, dict[Refusal, str]] = {
    "ark": {
        BACKGROUND: "openai-node-20 openai-python-24 background-stream-queued",
        HOSTED: "codeinterp-stream-no-citation",
    },
}


def requests(face: str) -> Iterator[tuple[str, Json]]:
    """All recorded requests for a route of that face."""
    for name, path, body in (*requests_of_clients(), *requests_of(face)):
        if path in surface(face).paths:
            yield name, body


def send(body: Json, face: str, vendor: str) -> Ledger:
    """Read a request and write the vendor's, as the gateway does."""
    adapter, spoken, losses = adapters.load(vendor), surface(face), Ledger()
    request = spoken.decode_request(body)
    emulation = spoken.emulate(request, adapter.client_tools, losses) if spoken.emulate else None
    dumps(adapter.codec.encode_request(emulation.request if emulation else request, losses))
    return losses


def refused(face: str, vendor: str) -> dict[str, str]:
    """The requests that a vendor cannot be sent, with the field that is named."""
    found: dict[str, str] = {}
    for name, body in requests(face):
        try:
            losses = send(body, face, vendor)
        except BadRequest as refusal:
            found[name] = refusal.param or refusal.message
        else:
            assert all(loss.path and loss.reason for loss in losses.losses), name
    return found


def expected(vendor: str) -> dict[str, str]:
    """The requests that are to be refused, with a pattern of the field."""
    tables = [] if vendor == "openai" else [ELSEWHERE, ALONE.get(vendor, {})]
    return {name: refusal.param for table in tables for refusal, names in table.items() for name in names.split()}


@pytest.mark.parametrize("vendor", VENDORS)
@pytest.mark.parametrize("face", FACES)
def test_what_clients_send_is_taken_or_refused_by_name(face: str, vendor: str, shared: Path) -> None:
    found, patterns = refused(face, vendor), expected(vendor)
    assert sorted(found) == sorted(patterns)
    assert {name: param for name, param in found.items() if not re.fullmatch(patterns[name], param)} == {}


@pytest.mark.parametrize("face", FACES)
def test_there_are_requests_of_many_clients(face: str, shared: Path) -> None:
    names = [name for name, _ in requests(face)]
    assert len(names) == len(set(names)) > 150
    assert len({name.rpartition("-")[0] for name in names}) > 10
