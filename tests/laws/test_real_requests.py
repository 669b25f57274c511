"""Real traffic: what real clients send is taken to every vendor, or refused by name for a reason that stands here."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

import adapters
from adapters.hub.asking import Named, question
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

OLD_TURNS = Refusal(r"input\[0\]", "the revision of the API before steps is not spoken here")

# Refused by every vendor but the one of the dialect, whose ids they hold.
ELSEWHERE: dict[str, dict[Refusal, str]] = {
    "openai": {
        PREVIOUS: """
            agents-node-8 agents-python-8 ai-sdk-openai-8 langchain-node-6 langchain-python-8 langchain-python-10
            litellm-3 litellm-5 llamaindex-7 openai-node-4 openai-node-9 openai-node-28 openai-python-4 openai-python-10
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
    },
    "gemini": {
        replace(PREVIOUS, param="previous_interaction_id"): """
            ai-sdk-google-8 genai-node-3 genai-node-6 genai-python-3 genai-python-7 genai-python-14
            function-json-requires-action-turn2 multiturn-json-previous-interaction-turn2
        """,
    },
    "ark": {
        PREVIOUS: "ark-python-3 ark-python-6 ark-python-12 doc-caching-turn2-json doc-caching-turn3-json",
    },
}

# Refused by one vendor alone: by the dialect and the vendor.
ALONE: dict[tuple[str, str], dict[Refusal, str]] = {
    ("openai", "ark"): {
        BACKGROUND: "openai-node-20 openai-python-24 background-stream-queued",
        HOSTED: "codeinterp-stream-no-citation",
    },
}

# Refused whatever the vendor.
NOWHERE: dict[str, dict[Refusal, str]] = {
    "gemini": {
        OLD_TURNS: """
            old-rig-function-json-turn1 old-rig-function-json-turn2 old-rig-search-json-url-citations-nonascii
            old-rig-stream-verbatim
        """,
    },
}


def requests(face: str) -> Iterator[tuple[str, Json]]:
    """All recorded requests for a route of that face."""
    for name, path, body in (*requests_of_clients(), *requests_of(face)):
        if path in surface(face).paths:
            yield name, body


def send(body: Json, face: str, vendor: str) -> Ledger:
    """Read a request and write the vendor's, as the gateway does."""
    losses = Ledger()
    request = surface(face).decode_request(body)
    dumps(question(surface(face), adapters.load(vendor), request, losses, Named(request.model)).body)
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


def expected(face: str, vendor: str) -> dict[str, str]:
    """The requests that are to be refused, with a pattern of the field."""
    tables = [NOWHERE.get(face, {}), ALONE.get((face, vendor), {}), ELSEWHERE[face] if vendor != face else {}]
    return {name: refusal.param for table in tables for refusal, names in table.items() for name in names.split()}


@pytest.mark.parametrize("vendor", VENDORS)
@pytest.mark.parametrize("face", FACES)
def test_what_clients_send_is_taken_or_refused_by_name(face: str, vendor: str, shared: Path) -> None:
    found, patterns = refused(face, vendor), expected(face, vendor)
    assert sorted(found) == sorted(patterns)
    assert {name: param for name, param in found.items() if not re.fullmatch(patterns[name], param)} == {}


# How many requests of how many clients, at least.
RECORDED = {"openai": (150, 10), "gemini": (40, 8), "ark": (15, 4)}


@pytest.mark.parametrize("face", FACES)
def test_there_are_requests_of_many_clients(face: str, shared: Path) -> None:
    names = [name for name, _ in requests(face)]
    least, clients = RECORDED[face]
    assert len(names) == len(set(names)) >= least
    assert len({name.rpartition("-")[0] for name in names}) >= clients
