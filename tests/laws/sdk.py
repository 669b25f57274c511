"""What the vendors' own SDKs know: the types of what one may send, and how their client sends an answer back."""

# pyright: reportMissingTypeStubs=false
# (one of the SDKs ships without stubs)

from __future__ import annotations

import json
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from typing import Any, Protocol, cast, get_args, get_type_hints

import httpx
import httpx2
from google import genai
from google.genai._gaos.types.interactions import CreateModelInteractionParam
from google.genai.types import HttpOptions
from openai import OpenAI
from openai.types.responses import ResponseInputParam
from pydantic import BaseModel
from volcenginesdkarkruntime import Ark
from volcenginesdkarkruntime.types.responses.response_input_param import ResponseInputParam as ArkInputParam

from adapters.wire_json import Json

# The reference shows replayed answers with these; the SDK's types lack them.
_ARK_REFERENCE = {"reasoning", "summary_text", "reasoning_text", "output_text", "url_citation", "doc_citation"}


def _types(root: Any) -> set[str]:
    """Every value of a field `type` of the objects that make up an SDK's type."""
    found: set[str] = set()
    seen: set[int] = set()
    waiting: list[Any] = [root]
    while waiting:
        hint = waiting.pop()
        if id(hint) in seen:
            continue
        seen.add(id(hint))
        waiting += [part for part in get_args(hint) if not isinstance(part, str)]
        waiting.append(getattr(hint, "__value__", None))
        if isinstance(hint, type) and (hasattr(hint, "__total__") or issubclass(hint, BaseModel)):
            hints = get_type_hints(hint)
            waiting += hints.values()
            found |= set(_literals(hints.get("type")))
    return found


def _literals(hint: Any) -> Iterator[str]:
    for part in get_args(hint):
        if isinstance(part, str):
            yield part
        else:
            yield from _literals(part)


TYPES = {
    "openai": _types(ResponseInputParam),
    "gemini": _types(CreateModelInteractionParam),
    "ark": _types(ArkInputParam) | _ARK_REFERENCE,
}
"""The types of what may stand in a vendor's input."""


class Program(Protocol):
    """A program that uses a vendor's SDK: it gets an answer and sends what was said back as input."""

    def send_back(self, answer: Json) -> list[Json]:
        """The items that the SDK sends once it has parsed `answer`."""
        ...


class _OpenAIProgram:
    def __init__(self) -> None:
        self._answer: Json = {}
        self._sent: Json = {}
        self.http = httpx2.Client(transport=httpx2.MockTransport(self._serve))
        self._client = OpenAI(api_key="k", base_url="http://sdk.test/v1", http_client=self.http, max_retries=0)

    def _serve(self, request: httpx2.Request) -> httpx2.Response:
        self._sent = json.loads(request.content)
        return httpx2.Response(200, json=self._answer)

    def send_back(self, answer: Json) -> list[Json]:
        self._answer = answer
        output = self._client.responses.create(model="m", input="hi").output
        self._client.responses.create(model="m", input=cast(ResponseInputParam, output))
        return self._sent["input"]


class _GoogleProgram:
    def __init__(self) -> None:
        self._answer: Json = {}
        self._sent: Json = {}
        self.http = httpx.Client(transport=httpx.MockTransport(self._serve))
        options = HttpOptions(base_url="http://sdk.test", httpx_client=self.http)
        self._client: Any = genai.Client(api_key="k", http_options=options)

    def _serve(self, request: httpx.Request) -> httpx.Response:
        self._sent = json.loads(request.content)
        return httpx.Response(200, json=self._answer)

    def send_back(self, answer: Json) -> list[Json]:
        self._answer = answer
        steps = self._client.interactions.create(model="m", input="hi").steps
        self._client.interactions.create(model="m", input=steps)
        return self._sent["input"]


class _ArkProgram:
    """Its SDK writes no objects of its own as JSON: a program sends their dictionaries."""

    def __init__(self) -> None:
        self._answer: Json = {}
        self._sent: Json = {}
        self.http = httpx.Client(transport=httpx.MockTransport(self._serve), base_url="http://sdk.test/api/v3")
        self._client: Any = Ark(api_key="k", base_url="http://sdk.test/api/v3", http_client=self.http, max_retries=0)

    def _serve(self, request: httpx.Request) -> httpx.Response:
        self._sent = json.loads(request.content)
        return httpx.Response(200, json=self._answer)

    def send_back(self, answer: Json) -> list[Json]:
        self._answer = answer
        output = self._client.responses.create(model="m", input="hi").output
        self._client.responses.create(model="m", input=[item.model_dump() for item in output])
        return self._sent["input"]


_PROGRAMS = {"openai": _OpenAIProgram, "gemini": _GoogleProgram, "ark": _ArkProgram}


@contextmanager
def program(face: str) -> Generator[Program]:
    """A program that speaks the dialect; its connections are closed in the end."""
    found = _PROGRAMS[face]()
    with found.http:
        yield found
