"""OpenAI as a member of the Responses family."""

from __future__ import annotations

from adapters.openai.endpoint import NAME, decode_event_error
from adapters.openai.request import encode_request
from adapters.responses.annotations import decode_annotation
from adapters.responses.codec import FamilyCodec
from adapters.responses.dialect import Dialect

DIALECT = Dialect(NAME, lambda raw: decode_annotation(raw, NAME), decode_event_error)

CODEC = FamilyCodec(DIALECT, encode_request)
