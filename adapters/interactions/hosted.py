"""Calls that the vendor executes: a call step and its result step become one item of the walk."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from adapters.hub import events as ev
from adapters.hub import items as kind
from adapters.hub.coverage import EXACT, Rule, approximated
from adapters.hub.items import CodeRun, Outcome, Search, ToolResult
from adapters.interactions.steps import Private, Step, grow, json_text
from adapters.interactions.walk import Walk
from adapters.wire_json import Json, as_list, as_object, as_text


@dataclass(frozen=True, slots=True)
class Tool:
    """How one pair of steps becomes an item.

    `part` is the kind of the part that says what is asked, `asked` its text; `phase` the item's
    progress once that is known; `outcome` reads the call and its result, {} where none came.
    """

    name: str
    kind: str
    outcome: Callable[[Json, Json], Outcome]
    rule: Rule
    phase: str = "searching"
    failed: str = ""
    part: str = ""
    asked: Callable[[Json], str] = json_text


class HostedCall(Step):
    """The call. It stays open until its result comes, or until the interaction ends without one."""

    waits = True

    def __init__(self, walk: Walk, step: Json, tool: Tool) -> None:
        super().__init__(walk, step)
        self.tool = tool
        self.raw = dict(step)
        self.result: Json = {}
        self.asked = False
        place = as_text(step.get("server_name")) or (walk.wire if tool.kind == kind.CODE else "")
        self._call = self.item = walk.open(
            tool.kind, as_text(step.get("id")), name=as_text(step.get("name")), place=place
        )
        self._call.progress("in_progress")
        if tool.part:
            self._call.open_part(tool.part)
        self._ask()

    def feed(self, delta: Json) -> bool:
        told = delta.get("type", self.type)
        if self._call.closed or told not in (self.type, "thought_signature"):
            return False
        grow(self.raw, delta)
        self._ask()
        return True

    def _ask(self) -> None:
        """Say what is asked, once it is known."""
        arguments = as_object(self.raw.get("arguments"))
        if self.asked or not arguments:
            return
        self.asked = True
        if self.tool.part:
            self._call.write(self.tool.asked(arguments))
            self._call.close_part()
        if self.tool.phase:
            self._call.progress(self.tool.phase)

    def stop(self) -> None:
        if self._call.part >= 0 and not self.asked:
            self._call.write(self.tool.asked({}))
        super().stop()

    def answer(self, result: Json) -> None:
        """Close the item with its result."""
        self.result = result
        self.end("failed" if result.get("is_error") is True else "completed")

    def end(self, status: ev.ItemStatus) -> None:
        if self._call.closed:
            return
        self._call.close_part()
        phase = {"completed": "completed", "failed": self.tool.failed}.get(status, "")
        if phase:
            self._call.progress(phase)
        steps = [self.raw, self.result] if self.result else [self.raw]
        outcome = self.tool.outcome(self.raw, self.result)
        self._call.close(status, outcome=outcome, kept={"steps": steps})


class HostedResult(Step):
    """The result step of `call`."""

    def __init__(self, walk: Walk, step: Json, call: HostedCall) -> None:
        super().__init__(walk, step)
        self.raw = dict(step)
        self._call = call

    def feed(self, delta: Json) -> bool:
        if delta.get("type", self.type) not in (self.type, "thought_signature"):
            return False
        grow(self.raw, delta)
        return True

    def stop(self) -> None:
        super().stop()
        self._call.answer(self.raw)

    def spend(self, usage: Json) -> None:
        self._call.spend(usage)

    def cut(self) -> None:
        """Half a result is none: the call ends unanswered."""
        super().stop()


def open_result(walk: Walk, step: Json, tool: Tool) -> Step:
    """The result of the first open call of that tool and id; without one, a private item."""
    call_id = as_text(step.get("call_id"))
    for call in walk.calls:
        if isinstance(call, HostedCall) and call.tool is tool and as_text(call.raw.get("id")) == call_id:
            walk.calls.remove(call)
            return HostedResult(walk, step, call)
    return Private(walk, step)


def open_call(walk: Walk, step: Json, tool: Tool) -> Step:
    """A call that waits for its result."""
    call = HostedCall(walk, step, tool)
    walk.calls.append(call)
    return call


# -- what each tool did ------------------------------------------------------------------------


def _strings(value: object) -> list[str]:
    return [entry for entry in as_list(value) if isinstance(entry, str)]


def _search(call: Json, _: Json) -> Outcome:
    return Search("search", _strings(as_object(call.get("arguments")).get("queries")))


def _open_page(call: Json, _: Json) -> Outcome:
    urls = _strings(as_object(call.get("arguments")).get("urls"))
    return Search("open_page", url=urls[0] if urls else None)


def _texts(result: object) -> str | None:
    """The text of a result: a string, a list of content blocks, or any other JSON."""
    if result is None or isinstance(result, str):
        return result
    if not isinstance(result, list):
        return json_text(result)
    return "".join(as_text(as_object(block).get("text")) for block in as_list(result))


def _image_link(block: Json) -> str:
    data, uri = as_text(block.get("data")), as_text(block.get("uri"))
    return f"data:{as_text(block.get('mime_type')) or 'image/png'};base64,{data}" if data else uri


def _code_run(_: Json, result: Json) -> Outcome:
    blocks = [as_object(block) for block in as_list(result.get("result"))]
    images = [_image_link(block) for block in blocks if block.get("type") == "image"]
    return CodeRun(_texts(result.get("result")), [link for link in images if link])


def _tool_result(_: Json, result: Json) -> Outcome:
    text = _texts(result.get("result"))
    if result.get("is_error") is True:
        return ToolResult(error=text or "the tool failed")
    return ToolResult(text)


def _code(arguments: Json) -> str:
    return as_text(arguments.get("code"))


_SEARCH = approximated("a web search; suggestions and signatures ride along")
_PAGES = approximated("the first of the pages that were opened; the others ride along")
_MAPS = approximated("a web search; places ride along")
_RETRIEVAL = approximated("a file search; where it searched rides along")
_FILES = approximated("a file search without queries and results, which the vendor does not tell")

TOOLS = (
    Tool("google_search", kind.WEB_SEARCH, _search, _SEARCH),
    Tool("url_context", kind.WEB_SEARCH, _open_page, _PAGES),
    Tool("google_maps", kind.WEB_SEARCH, _search, _MAPS),
    Tool("retrieval", kind.FILE_SEARCH, _search, _RETRIEVAL),
    Tool("file_search", kind.FILE_SEARCH, _search, _FILES),
    Tool("code_execution", kind.CODE, _code_run, EXACT, "interpreting", part=kind.CODE_TEXT, asked=_code),
    Tool("mcp_server_tool", kind.MCP_CALL, _tool_result, EXACT, "", "failed", part=kind.ARGUMENTS),
)

HOSTED: dict[str, tuple[Callable[[Walk, Json], Step], Rule]] = {
    f"{tool.name}_{end}": (partial(opener, tool=tool), tool.rule)
    for tool in TOOLS
    for end, opener in (("call", open_call), ("result", open_result))
}
"""Step type to what opens it, and what becomes of it."""
