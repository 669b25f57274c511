"""What the vendors' own SDKs know: the types of what one may send, and how their client sends an answer back."""

# pyright: reportMissingTypeStubs=false
# (one of the SDKs ships without stubs)

from __future__ import annotations

import json
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from typing import Any, cast, get_args, get_type_hints

import httpx2
from google.genai._gaos.types.interactions import CreateModelInteractionParam
from openai import OpenAI
from openai.types.responses import ResponseInputParam
from pydantic import BaseModel
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


class Replayer:
    """A program that uses OpenAI's SDK: it gets an answer and sends its output back as input."""

    def __init__(self) -> None:
        self._answer: Json = {}
        self._sent: Json = {}
        self.http = httpx2.Client(transport=httpx2.MockTransport(self._serve))
        self._client = OpenAI(api_key="k", base_url="http://sdk.test/v1", http_client=self.http, max_retries=0)

    def _serve(self, request: httpx2.Request) -> httpx2.Response:
        self._sent = json.loads(request.content)
        return httpx2.Response(200, json=self._answer)

    def send_back(self, answer: Json) -> list[Json]:
        """The items that the SDK sends once it has parsed `answer`."""
        self._answer = answer
        output = self._client.responses.create(model="m", input="hi").output
        self._client.responses.create(model="m", input=cast(ResponseInputParam, output))
        return self._sent["input"]


@contextmanager
def replayer() -> Generator[Replayer]:
    """A replayer whose connections are closed in the end."""
    found = Replayer()
    with found.http:
        yield found
