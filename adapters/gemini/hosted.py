"""Tools that Gemini runs itself, asked for in the words of the Responses dialect."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fnmatch import fnmatchcase
from typing import Any, Final

from adapters.gemini.coverage import RULES, TOOL_FIELDS
from adapters.hub.coverage import rejected
from adapters.hub.errors import Unsupported
from adapters.hub.fields import Fields
from adapters.hub.losses import Ledger
from adapters.hub.request import OpaqueTool, Request, WebSearchTool
from adapters.interactions.filters import encode_filter
from adapters.responses.request import file_stores
from adapters.wire_json import Json, as_list

IMAGE_MODELS: Final = ("*-image*", "nano-banana-*")
"""Models that make images themselves."""

_STORE: Final = "fileSearchStores/"
_IMAGE_SIZES: Final = {"1024x1024": "1:1", "1536x1024": "3:2", "1024x1536": "2:3"}
_SEARCH_TYPES: Final = {"text": "web_search", "image": "image_search"}


def encode_web_search(tool: WebSearchTool, losses: Ledger) -> Json:
    """Google's search."""
    said = tool.source.data if tool.source is not None else {}
    RULES.follow(TOOL_FIELDS["web_search"], said, tool.path, losses)
    kinds = [_SEARCH_TYPES[kind] for kind in as_list(said.get("search_content_types")) if kind in _SEARCH_TYPES]
    return {"type": "google_search", "search_types": kinds} if "image_search" in kinds else {"type": "google_search"}


def _read(tool: OpaqueTool, losses: Ledger) -> Fields:
    RULES.follow(TOOL_FIELDS[tool.kind], tool.source.data, tool.path, losses)
    return Fields(tool.source.data, tool.source.wire, tool.path)


def _code_interpreter(tool: OpaqueTool, _: Request, losses: Ledger) -> Json:
    fields = _read(tool, losses)
    container = fields.raw.get("container")
    if isinstance(container, str):
        raise Unsupported("Gemini does not know this container: ask for a new one.", param=fields.path("container"))
    if container is not None:
        RULES.follow(
            TOOL_FIELDS["container"], fields.inner(container, "container").raw, fields.path("container"), losses
        )
    return {"type": "code_execution"}


def _file_search(tool: OpaqueTool, request: Request, losses: Ledger) -> Json:
    fields = _read(tool, losses)
    own = {id_: id_ for id_ in fields.array("vector_store_ids") if isinstance(id_, str) and id_.startswith(_STORE)}
    known = replace(request, store_ids={**own, **request.store_ids})
    told: Json = {"type": "file_search", "file_search_store_names": file_stores(fields, known, "Gemini")}
    count, wanted = fields.integer("max_num_results"), fields.object("filters")
    if count is not None:
        told["top_k"] = count
    if wanted is not None:
        told["metadata_filter"] = encode_filter(fields.inner(wanted, "filters"))
    return told


def _image_generation(tool: OpaqueTool, request: Request, losses: Ledger) -> Json:
    """The form of the images, which the model itself makes."""
    if not any(fnmatchcase(request.model, pattern) for pattern in IMAGE_MODELS):
        raise Unsupported(f"'{request.model}' makes no images; ask a model that does.", param=tool.path)
    fields = _read(tool, losses)
    told: Json = {"type": "image"}
    size, format_ = fields.text("size"), fields.text("output_format")
    if size in _IMAGE_SIZES:
        told |= {"aspect_ratio": _IMAGE_SIZES[size], "image_size": "1K"}
    elif size not in (None, "auto"):
        losses.note(fields.path("size"), "Gemini's images have other sizes")
    if format_ == "jpeg":
        told["mime_type"] = "image/jpeg"
    elif format_ not in (None, "png"):
        losses.note(fields.path("output_format"), f"Gemini makes no {format_} images")
    return told


def _mcp(tool: OpaqueTool, _: Request, losses: Ledger) -> Json:
    """A server that Gemini itself calls."""
    fields = _read(tool, losses)
    if fields.raw.get("require_approval") != "never":
        never = rejected("it asks for no approval, so it must be 'never'")
        RULES.heed(never, "require_approval", fields.path("require_approval"), losses)
    label = fields.needed_text("server_label")
    name = server_name(label)
    if name != label:
        losses.note(fields.path("server_label"), f"Gemini's server names have no hyphens; it comes back as {name}")
    told: Json = {"type": "mcp_server", "name": name, "url": fields.needed_text("server_url"), **_headers(fields)}
    allowed = _allowed(fields)
    if allowed is not None:
        told["allowed_tools"] = [{"tools": allowed}]
    return {**told, "defer_loading": True} if fields.flag("defer_loading") else told


def server_name(label: str) -> str:
    """ "MCP server names shouldn't include '-'"."""
    return label.replace("-", "_")


def _headers(fields: Fields) -> Json:
    headers: Json = dict(fields.object("headers") or {})
    token = fields.text("authorization")
    if token is not None:
        headers = {name: value for name, value in headers.items() if name.lower() != "authorization"}
        headers["Authorization"] = f"Bearer {token}"
    return {"headers": headers} if headers else {}


def _allowed(fields: Fields) -> list[Any] | None:
    """The names of the server's tools that may be called; None for all."""
    value = fields.raw.get("allowed_tools")
    if not isinstance(value, dict):
        return fields.array("allowed_tools") or None
    inner = fields.inner(value, "allowed_tools")
    if inner.flag("read_only"):
        raise Unsupported("Gemini does not tell tools that only read: name them.", param=inner.path("read_only"))
    return inner.array("tool_names") or None


def _tool_search(tool: OpaqueTool, _: Request, losses: Ledger) -> Json:
    fields = _read(tool, losses)
    if fields.text("execution") == "client":
        raise Unsupported("Gemini's answer to a search by the client is not known.", param=fields.path("execution"))
    return {"type": "tool_search", "execution": "server"}


HOSTED: Final[dict[str, Callable[[OpaqueTool, Request, Ledger], Json]]] = {
    "code_interpreter": _code_interpreter,
    "file_search": _file_search,
    "image_generation": _image_generation,
    "mcp": _mcp,
    "tool_search": _tool_search,
}
"""By the type that declares them."""
