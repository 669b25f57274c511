"""What a client says to a vendor of the wire in its own words, on top of what is told anyway."""

from __future__ import annotations

from adapters.hub.request import Request
from adapters.responses.extension import words_for
from adapters.wire_json import Json, as_list, as_object


def with_own_words(body: Json, wire: str, request: Request) -> Json:
    """The body with the client's words for the vendor `wire`; its tools come to those that are there."""
    told = words_for(wire, request)
    if config := as_object(body.get("generation_config")) | as_object(told.get("generation_config")):
        told["generation_config"] = config
    if tools := [*as_list(body.get("tools")), *as_list(told.get("tools"))]:
        told["tools"] = tools
    return body | told
