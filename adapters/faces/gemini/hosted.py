"""Calls that a vendor executed: a call step and its result step as one item in the common words."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from adapters.faces.gemini.blocks import link_of
from adapters.faces.gemini.marks import Mark
from adapters.hub import items as kind
from adapters.hub.fields import Fields
from adapters.wire_json import Json, as_list, as_object, as_text, dumps

RESULTS: Final = {
    f"{tool}_call": f"{tool}_result"
    for tool in (
        "google_search", "url_context", "google_maps", "file_search", "retrieval", "code_execution", "mcp_server_tool",
    )
}  # fmt: skip
"""Call steps whose result step is told with them."""


@dataclass(frozen=True, slots=True)
class Pair:
    """A call and its result; `result` is None where none came."""

    call: Fields
    result: Fields | None
    mark: Mark

    @property
    def arguments(self) -> Json:
        """What was asked."""
        return self.call.object("arguments") or {}

    @property
    def failed(self) -> bool:
        """Whether the vendor says so."""
        return self.result is not None and self.result.flag("is_error") is True


def retell_pair(pair: Pair) -> Json:
    """The item, with its id where the dialect shows one."""
    told = _ITEMS[pair.call.needed_text("type")](pair)
    status = "failed" if pair.failed else "completed" if pair.result is not None else "incomplete"
    return pair.mark.put_on({**told, "status": status}, pair.call.text("id") or "")


def retell_search_call(call: Fields, mark: Mark) -> Json:
    """A search for tools, whose result is an item of its own."""
    call_id = call.text("id")
    asked = as_object(as_object(mark.rest.get("rest")).get("arguments")) or call.object("arguments") or {}
    item: Json = {"type": kind.TOOL_SEARCH, "arguments": asked, "call_id": call_id}
    return mark.put_on({**item, "execution": "server", "status": "completed"}, call_id or "")


def retell_found_tools(result: Fields, mark: Mark) -> Json:
    """The functions that a search found."""
    tools = [{"type": "function", **tool.raw} for tool in result.objects("result")]
    item: Json = {"type": kind.FOUND_TOOLS, "tools": tools, "call_id": result.text("call_id")}
    return mark.put_on({**item, "execution": "server", "status": "completed"})


def _strings(value: Any) -> list[str]:
    return [entry for entry in as_list(value) if isinstance(entry, str)]


def _search(pair: Pair) -> Json:
    queries = _strings(pair.arguments.get("queries"))
    action = {"type": "search", "query": (queries or [""])[0], "queries": queries}
    return {"type": kind.WEB_SEARCH, "action": action}


def _page(pair: Pair) -> Json:
    urls = _strings(pair.arguments.get("urls"))
    return {"type": kind.WEB_SEARCH, "action": {"type": "open_page", "url": (urls or [""])[0]}}


def _files(pair: Pair) -> Json:
    return {"type": kind.FILE_SEARCH, "queries": _strings(pair.arguments.get("queries")), "results": None}


def _code(pair: Pair) -> Json:
    code = as_text(pair.arguments.get("code"))
    return {"type": kind.CODE, "code": code, "container_id": "", "outputs": _outputs(pair.result)}


def _outputs(result: Fields | None) -> list[Json]:
    """What a run of code printed and drew."""
    told = result.raw.get("result") if result is not None else None
    if result is None or not isinstance(told, list):
        return [{"type": "logs", "logs": text_of(told)}] if told is not None else []
    return [_output(block) for block in result.objects("result")]


def _output(block: Fields) -> Json:
    if block.text("type") == "image":
        return {"type": "image", "url": link_of(block)}
    return {"type": "logs", "logs": block.text("text") or ""}


def _mcp(pair: Pair) -> Json:
    arguments = pair.arguments
    text = text_of(pair.result.raw.get("result")) if pair.result is not None else None
    failure: Json = {"type": "mcp_tool_execution_error", "content": [], "message": text or "the tool failed"}
    return {
        "type": kind.MCP_CALL,
        "server_label": pair.call.needed_text("server_name"),
        "name": pair.call.needed_text("name"),
        "arguments": pair.mark.text_of("arguments", arguments) or dumps(arguments).decode(),
        "output": None if pair.failed else text,
        "error": failure if pair.failed else None,
    }


def text_of(value: Any) -> str | None:
    """The text of a result: a string, a list of content blocks, or any other JSON."""
    if value is None or isinstance(value, str):
        return value
    blocks = [as_object(block) for block in as_list(value)]
    if blocks and all(block.get("type") == "text" for block in blocks):
        return "".join(as_text(block.get("text")) for block in blocks)
    return dumps(value).decode()


_ITEMS: Final[dict[str, Callable[[Pair], Json]]] = {
    "google_search_call": _search,
    "google_maps_call": _search,
    "url_context_call": _page,
    "file_search_call": _files,
    "retrieval_call": _files,
    "code_execution_call": _code,
    "mcp_server_tool_call": _mcp,
}
