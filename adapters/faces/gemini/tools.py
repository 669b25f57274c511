"""Tools and the choice among them in the common words."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final

from adapters.faces.gemini import coverage as rows
from adapters.faces.gemini.notes import Notes
from adapters.faces.gemini.schema import is_strict
from adapters.hub.fields import Fields, mistyped
from adapters.wire_json import Json

_MODES: Final = {"auto": "auto", "any": "required", "none": "none", "validated": "auto"}
_NO_LABEL: Final = re.compile(r"[^A-Za-z0-9_-]+")


@dataclass(slots=True)
class Choice:
    """`said` is the choice in the common words, None where the body has none; `strict` holds functions to their schema
    where that allows it.
    """

    said: Any = None
    strict: bool = False


@dataclass(slots=True)
class Tools:
    """The tools in the common words, and where each was declared."""

    tools: list[Json] = field(default_factory=list[Json])
    paths: list[str] = field(default_factory=list[str])

    def add(self, tool: Json, path: str) -> None:
        """Add a tool; a vendor searches the web with one tool, whatever it does there."""
        known = next((known for known in self.tools if known["type"] == tool["type"] == "web_search"), None)
        if known is not None:
            known |= tool
            return
        self.tools.append(tool)
        self.paths.append(path)


def retell_tools(fields: Fields, strict: bool, notes: Notes) -> Tools:
    """What the body declares. A tool that no other vendor has is noted as refused, and told to nobody else."""
    words = Tools()
    for tool in fields.objects("tools"):
        kind = tool.needed_text("type")
        rule = rows.TOOLS.get(kind, rows.NO_TOOL)
        notes.heed(rule, tool.here)
        if rule.verdict != "rejected":
            notes.follow(rows.TOOL_FIELDS[kind], tool.raw, tool.here)
            words.add(_TOOLS[kind](tool, strict, notes), tool.here)
    return words


def retell_choice(config: Fields, notes: Notes) -> Choice:
    """The choice among the tools."""
    value = config.raw.get("tool_choice")
    if value is None:
        return Choice()
    if isinstance(value, str):
        return _choice(config.choice("tool_choice", tuple(_MODES)) or "", [])
    inner = config.inner(value, "tool_choice")
    allowed = inner.object("allowed_tools") or {}
    said = inner.inner(allowed, "allowed_tools")
    notes.follow({"allowed_tools": rows.CHOICES["allowed_tools"]}, inner.raw, inner.here)
    names = said.array("tools")
    for number, name in enumerate(names):
        if not isinstance(name, str):
            raise mistyped(said.path(f"tools[{number}]"), "a string", name)
    return _choice(said.choice("mode", tuple(_MODES)) or "auto", names)


def _choice(mode: str, names: list[str]) -> Choice:
    told, strict = _MODES[mode], mode == "validated"
    if not names or told == "none":
        return Choice(told, strict)
    if told == "required" and len(names) == 1:
        return Choice({"type": "function", "name": names[0]})
    functions = [{"type": "function", "name": name} for name in names]
    return Choice({"type": "allowed_tools", "mode": told, "tools": functions}, strict)


def _function(tool: Fields, strict: bool, _: Notes) -> Json:
    parameters = tool.object("parameters")
    told: Json = {"type": "function", "name": tool.text("name"), "parameters": parameters}
    told["strict"] = strict and parameters is not None and is_strict(parameters)
    for name in ("description", "defer_loading"):
        if tool.raw.get(name) is not None:
            told[name] = tool.raw[name]
    return told


def _search(tool: Fields, _: bool, notes: Notes) -> Json:
    told: list[str] = []
    for number, kind in enumerate(tool.array("search_types")):
        path = tool.path(f"search_types[{number}]")
        if not isinstance(kind, str):
            raise mistyped(path, "a string", kind)
        said = notes.spell(rows.SEARCH_TYPES, rows.NO_SEARCH, kind, path)
        if said is not None and said not in told:
            told.append(said)
    return {"type": "web_search", "search_content_types": told} if "image" in told else {"type": "web_search"}


def _page(_: Fields, __: bool, ___: Notes) -> Json:
    return {"type": "web_search"}


def _code(_: Fields, __: bool, ___: Notes) -> Json:
    return {"type": "code_interpreter", "container": {"type": "auto"}}


def _files(tool: Fields, _: bool, __: Notes) -> Json:
    told: Json = {"type": "file_search", "vector_store_ids": tool.array("file_search_store_names")}
    return {**told, "max_num_results": count} if (count := tool.integer("top_k")) is not None else told


def _mcp(tool: Fields, _: bool, __: Notes) -> Json:
    told: Json = {"type": "mcp", "server_label": _NO_LABEL.sub("_", tool.needed_text("name"))}
    told |= {"server_url": tool.needed_text("url"), "require_approval": "never"}
    if headers := tool.object("headers"):
        told["headers"] = headers
    names = [name for allowed in tool.objects("allowed_tools") for name in allowed.array("tools")]
    if names:
        told["allowed_tools"] = names
    return {**told, "defer_loading": True} if tool.flag("defer_loading") else told


def _tool_search(tool: Fields, _: bool, __: Notes) -> Json:
    said = ("execution", "description", "parameters")
    return {"type": "tool_search", **{name: tool.raw[name] for name in said if tool.raw.get(name) is not None}}


_TOOLS: Final[dict[str, Callable[[Fields, bool, Notes], Json]]] = {
    "function": _function,
    "google_search": _search,
    "url_context": _page,
    "code_execution": _code,
    "file_search": _files,
    "mcp_server": _mcp,
    "tool_search": _tool_search,
}
