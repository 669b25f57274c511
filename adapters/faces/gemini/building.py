"""The steps of the dialect that an item becomes, once it is whole."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from adapters.faces.gemini.books import ItemBook
from adapters.hub import items as kind
from adapters.hub.items import (
    ARGUMENTS,
    CODE_TEXT,
    CodeRun,
    FoundTool,
    Outcome,
    Picture,
    Search,
    ToolResult,
    ToolSearch,
)
from adapters.interactions.arguments import arguments_of
from adapters.responses.tables import ACTIONS
from adapters.wire_json import Json, as_list

Build = Callable[[ItemBook, Outcome | None, bool], list[Json]]
"""The steps of an item, of its outcome and of whether it failed; none where it says nothing yet."""


def _pair(name: str, book: ItemBook, called: Json, result: Json, failed: bool = False) -> list[Json]:
    error: Json = {"is_error": True} if failed else {}
    call: Json = {"type": f"{name}_call", "id": book.shown, **called}
    return [call, {"type": f"{name}_result", "call_id": book.shown, **result, **error}]


def _web_search(book: ItemBook, outcome: Outcome | None, failed: bool) -> list[Json]:
    search = outcome if isinstance(outcome, Search) else Search()
    if search.action == "search":
        return _pair("google_search", book, {"arguments": {"queries": search.queries}}, {"result": []}, failed)
    urls = [search.url] if search.url else []
    status = "error" if failed else "success"
    result = {"result": [{"url": url, "status": status} for url in urls]}
    return _pair("url_context", book, {"arguments": {"urls": urls}}, result, failed)


def _file_search(book: ItemBook, _: Outcome | None, __: bool) -> list[Json]:
    return _pair("file_search", book, {}, {})


def _code(book: ItemBook, outcome: Outcome | None, failed: bool) -> list[Json]:
    run = outcome if isinstance(outcome, CodeRun) else CodeRun()
    logs: list[Json] = [{"type": "text", "text": run.logs}] if run.logs is not None else []
    result = [*logs, *map(_image, run.images)] if run.images else run.logs or ""
    called = {"arguments": {"code": book.text_of(CODE_TEXT), "language": "python"}}
    return _pair("code_execution", book, called, {"result": result}, failed)


def _image(link: str) -> Json:
    head, comma, data = link.partition(";base64,")
    if comma and head.startswith("data:"):
        return {"type": "image", "data": data, "mime_type": head[5:] or "image/png"}
    return {"type": "image", "uri": link}


def _mcp(book: ItemBook, outcome: Outcome | None, _: bool) -> list[Json]:
    result = outcome if isinstance(outcome, ToolResult) else ToolResult()
    called: Json = {"name": book.started.name, "server_name": book.place}
    told = result.output if result.output is not None else result.error or ""
    arguments = {"arguments": arguments_of(book.text_of(ARGUMENTS))}
    return _pair("mcp_server_tool", book, called | arguments, called | {"result": told})


def _picture(_: ItemBook, outcome: Outcome | None, __: bool) -> list[Json]:
    picture = outcome if isinstance(outcome, Picture) else Picture()
    mime: Json = {"mime_type": picture.mime_type or "image/png"}
    if picture.data is not None:
        return [{"type": "model_output", "content": [{"type": "image", "data": picture.data, **mime}]}]
    if picture.url is not None:
        return [{"type": "model_output", "content": [{"type": "image", "uri": picture.url, **mime}]}]
    return []


def _tool_search(book: ItemBook, outcome: Outcome | None, _: bool) -> list[Json]:
    asked = outcome.arguments if isinstance(outcome, ToolSearch) else {}
    names = asked.get("function_names") or asked.get("paths")
    listed = [name for name in as_list(names) if isinstance(name, str)]
    return [{"type": "tool_search_call", "id": book.call_id, "arguments": {"function_names": listed}}]


def _found_tools(book: ItemBook, outcome: Outcome | None, _: bool) -> list[Json]:
    tools = outcome.tools if isinstance(outcome, ToolSearch) else []
    return [{"type": "tool_search_result", "call_id": book.call_id, "result": [_function(tool) for tool in tools]}]


def _function(tool: FoundTool) -> Json:
    told: Json = {"type": "function", "name": tool.name}
    if tool.description is not None:
        told["description"] = tool.description
    return told if tool.parameters is None else {**told, "parameters": tool.parameters}


def _action(book: ItemBook, _: Outcome | None, __: bool) -> list[Json]:
    """A call of one of the client's own tools: that of a function, named as the tool's type."""
    name = book.started.kind.removesuffix("_call")
    return [{"type": "function_call", "id": book.call_id, "name": name, "arguments": book.action}]


BUILD: Final[dict[str, Build]] = {
    kind.WEB_SEARCH: _web_search,
    kind.FILE_SEARCH: _file_search,
    kind.CODE: _code,
    kind.MCP_CALL: _mcp,
    kind.IMAGE: _picture,
    kind.TOOL_SEARCH: _tool_search,
    kind.FOUND_TOOLS: _found_tools,
    **dict.fromkeys(ACTIONS, _action),
}
"""By the item's kind."""
