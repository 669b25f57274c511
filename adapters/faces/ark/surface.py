"""How clients of Ark's dialect call the gateway."""

from __future__ import annotations

from typing import Final

from adapters.faces.ark.coverage import REQUESTS
from adapters.faces.ark.encode import ArkEncoder
from adapters.faces.ark.errors import encode_error
from adapters.faces.ark.grammar import check
from adapters.faces.ark.repeat import ArkRepeater
from adapters.faces.ark.request import NAME, decode_request
from adapters.hub.adapter import Docs, Surface
from adapters.hub.credentials import bearer_key
from adapters.responses.emulation import emulate

SURFACE: Final = Surface(
    dialect="ark",
    paths=("/api/v3/responses", "/api/plan/v3/responses", "/api/coding/v3/responses"),
    default_provider=NAME,
    decode_request=decode_request,
    encoder=ArkEncoder,
    credential=bearer_key,
    encode_error=encode_error,
    repeater=ArkRepeater,
    check=check,
    emulate=emulate,
    docs=Docs(
        title="Ark Responses",
        summary="Create a response: JSON, or server-sent events where the body says `stream`.",
        request={"model": "doubao-seed-1-8-251228", "input": "Plan a day in Tokyo and cite your sources."},
        security={"bearer": {"type": "http", "scheme": "bearer"}},
    ),
    requests=REQUESTS,
)
