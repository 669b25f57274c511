"""The stores of files that a tool searches, by the names that OpenAI has for them."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from adapters.hub.fields import Fields
from adapters.hub.request import OpaqueTool, Request
from adapters.openai.endpoint import NAME
from adapters.responses.request import file_stores
from adapters.wire_json import Json

_OWN: Final = "vs_"
"""How OpenAI's own names begin; a client of its dialect may use any."""


def tell_stores(tools: list[Json], request: Request) -> list[Json]:
    """The declared tools, each with the stores' names at OpenAI. Raises `Unsupported` for a store it does not know."""
    return [
        _tell(said, tool.path, request) if isinstance(tool, OpaqueTool) and tool.kind == "file_search" else said
        for said, tool in zip(tools, request.tools, strict=False)  # items of the input may declare more
    ]


def _tell(said: Json, path: str, request: Request) -> Json:
    fields = Fields(said, request.wire, path)
    ids = [id_ for id_ in fields.array("vector_store_ids") if isinstance(id_, str)]
    if not ids:
        return said
    own = {id_: id_ for id_ in ids if request.wire == NAME or id_.startswith(_OWN)}
    known = replace(request, store_ids={**own, **request.store_ids})
    return {**said, "vector_store_ids": file_stores(fields, known, "OpenAI")}
