"""How clients of the Responses dialect call the gateway."""

from __future__ import annotations

from adapters.hub.adapter import Docs, Encoding, Offsets, StreamEncoder, Surface
from adapters.hub.credentials import bearer_key
from adapters.hub.request import Request
from adapters.openai.endpoint import NAME
from adapters.responses.emulation import emulate
from adapters.responses.encode import ResponsesEncoder
from adapters.responses.errors import encode_error
from adapters.responses.grammar import check
from adapters.responses.request import decode_request
from adapters.responses.words import responses_words
from adapters.wire_json import Json

_WORDS = responses_words(NAME)


def _decode_request(body: Json, offsets: Offsets | None = None, /) -> Request:
    return decode_request(body, NAME, offsets or "codepoint")


def _encoder(encoding: Encoding) -> StreamEncoder:
    return ResponsesEncoder(_WORDS, encoding)


SURFACE = Surface(
    dialect="responses",
    paths=("/v1/responses",),
    default_provider=NAME,
    decode_request=_decode_request,
    encoder=_encoder,
    credential=bearer_key,
    encode_error=encode_error,
    check=check,
    emulate=emulate,
    docs=Docs(
        title="OpenAI Responses",
        summary="Create a response: JSON, or server-sent events where the body says `stream`.",
        request={"model": "gpt-5.5", "input": "Plan a day in Tokyo and cite your sources.", "stream": False},
        security={"bearer": {"type": "http", "scheme": "bearer"}},
    ),
)
