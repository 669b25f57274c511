"""How clients of Gemini Interactions call the gateway."""

from __future__ import annotations

from collections.abc import Mapping

from adapters.faces.gemini.coverage import REQUESTS
from adapters.faces.gemini.encode import InteractionsEncoder
from adapters.faces.gemini.errors import encode_error
from adapters.faces.gemini.grammar import check
from adapters.faces.gemini.marks import NAME
from adapters.faces.gemini.repeat import InteractionsRepeater
from adapters.faces.gemini.request import decode_request
from adapters.hub.adapter import Docs, Surface
from adapters.hub.credentials import bearer_key
from adapters.responses.emulation import emulate


def _credential(headers: Mapping[str, str], query: Mapping[str, str]) -> str | None:
    """The client's key: `x-goog-api-key`, else `Authorization: Bearer`, else `?key=`."""
    named, asked = headers.get("x-goog-api-key", "").strip(), query.get("key", "").strip()
    return named or bearer_key(headers, query) or asked or None


SURFACE = Surface(
    dialect="interactions",
    paths=(
        "/v1/interactions",
        "/v1beta/interactions",
        "/{version}/projects/{project}/locations/{location}/interactions",
    ),
    default_provider=NAME,
    decode_request=decode_request,
    encoder=InteractionsEncoder,
    credential=_credential,
    encode_error=encode_error,
    offsets="utf8",
    repeater=InteractionsRepeater,
    check=check,
    emulate=emulate,
    docs=Docs(
        title="Gemini Interactions",
        summary="Create an interaction: JSON, or server-sent events where the body says `stream`.",
        request={"model": "gemini-3-flash-preview", "input": "Plan a day in Tokyo and cite your sources."},
        security={
            "key": {"type": "apiKey", "in": "header", "name": "x-goog-api-key"},
            "bearer": {"type": "http", "scheme": "bearer"},
            "query": {"type": "apiKey", "in": "query", "name": "key"},
        },
    ),
    requests=REQUESTS,
)
