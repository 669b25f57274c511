"""Volcengine Ark as a member of the Responses family."""

from __future__ import annotations

from adapters.ark.annotations import decode_annotation
from adapters.ark.endpoint import NAME, decode_event_error
from adapters.ark.input import encode_item
from adapters.ark.request import encode_request
from adapters.ark.retelling import RETOLD, ArkRetelling
from adapters.faces.ark.own import own_or
from adapters.responses.codec import FamilyCodec
from adapters.responses.dialect import Dialect

DIALECT = Dialect(
    NAME,
    decode_annotation,
    decode_event_error,
    items={"knowledge_search_call": "file_search_call"},
    thinks_in_messages=True,
    retelling=ArkRetelling,
    retold=RETOLD,
)

CODEC = FamilyCodec(DIALECT, own_or(encode_request, encode_item))
