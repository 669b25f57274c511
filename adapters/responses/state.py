"""What a decoder of the family remembers of the items and parts it has seen."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from adapters.hub.events import Usage
from adapters.hub.items import (
    CODE,
    FILE_SEARCH,
    IMAGE,
    MCP_CALL,
    WEB_SEARCH,
    CodeRun,
    Outcome,
    Picture,
    Search,
    ToolResult,
)
from adapters.hub.kept import Kept
from adapters.responses.tables import PartWire
from adapters.wire_json import Json, as_count, as_list, as_object, as_text

_COUNTS = frozenset({"input_tokens", "output_tokens", "total_tokens", "prompt_tokens", "completion_tokens"})


@dataclass(slots=True)
class PartState:
    """One part: its number in the hub, the text so far in pieces, the citations so far as they came."""

    item: ItemState
    number: int
    wire: PartWire
    pieces: list[str] = field(default_factory=list[str])
    cites: list[Json] = field(default_factory=list[Json])
    logprobs: Any = ()
    open: bool = True

    def text(self) -> str:
        """The text so far."""
        if len(self.pieces) > 1:
            self.pieces = ["".join(self.pieces)]
        return self.pieces[0] if self.pieces else ""


@dataclass(slots=True)
class ItemState:
    """One item, at the wire's `index`. `number` is the hub's; -1 while a message is held back for its first word.

    `thoughts` is the reasoning item made of what a message thinks, `aside` the parts that stand there.
    `final` is the vendor's last word on the item, None where it contradicts what was streamed. `sealed`: its end told a
    signature.
    """

    number: int
    kind: str
    type: str
    id: str
    index: int
    announced: Json
    parts: dict[tuple[str, int], PartState] = field(default_factory=dict[tuple[str, int], PartState])
    aside: dict[tuple[str, int], PartState] = field(default_factory=dict[tuple[str, int], PartState])
    thoughts: ItemState | None = None
    open: bool = True
    consistent: bool = True
    sealed: bool = False
    final: Json | None = None

    @property
    def held(self) -> bool:
        """Whether the hub does not know the item yet."""
        return self.number < 0


def decode_usage(wire: str, raw: Any) -> Usage | None:
    """Read the family's usage; None where the vendor reports none (never zeros).

    Some compatible servers count in the words of chat completions, so those are read too.
    """
    usage = as_object(raw)
    if _COUNTS.isdisjoint(usage):
        return None
    input_tokens = as_count(usage.get("input_tokens", usage.get("prompt_tokens")))
    output_tokens = as_count(usage.get("output_tokens", usage.get("completion_tokens")))
    input_details = as_object(usage.get("input_tokens_details", usage.get("prompt_tokens_details")))
    output_details = as_object(usage.get("output_tokens_details", usage.get("completion_tokens_details")))
    return Usage(
        input=input_tokens,
        input_cached=as_count(input_details.get("cached_tokens")),
        output=output_tokens,
        output_reasoning=as_count(output_details.get("reasoning_tokens")),
        total=as_count(usage.get("total_tokens")) or input_tokens + output_tokens,
        raw=Kept(wire, usage),
    )


def decode_outcome(kind: str, item: Json) -> Outcome | None:
    """What a hosted call gave, read from its finished item."""
    decode = _OUTCOMES.get(kind)
    return decode(item) if decode is not None else None


def _search(item: Json) -> Outcome:
    action = as_object(item.get("action"))
    queries = [query for query in as_list(action.get("queries")) if isinstance(query, str)]
    query = as_text(action.get("query"))
    url = as_text(action.get("url"))
    sources = [as_text(as_object(source).get("url")) for source in as_list(action.get("sources"))]
    return Search(
        as_text(action.get("type")) or "search",
        queries or ([query] if query else []),
        url or None,
        [source for source in sources if source],
    )


def _file_search(item: Json) -> Outcome:
    return Search("search", [query for query in as_list(item.get("queries")) if isinstance(query, str)])


def _code_run(item: Json) -> Outcome:
    outputs = [as_object(output) for output in as_list(item.get("outputs"))]
    logs = [as_text(output.get("logs")) for output in outputs if output.get("type") == "logs"]
    images = [as_text(output.get("url")) for output in outputs if output.get("type") == "image"]
    return CodeRun("".join(logs) if logs else None, images)


def _tool_result(item: Json) -> Outcome:
    error = item.get("error")
    message = as_text(as_object(error).get("message")) or as_text(error) or ("failed" if error else None)
    return ToolResult(as_text(item.get("output")) or None, message)


def _picture(item: Json) -> Outcome:
    format = as_text(item.get("output_format"))
    return Picture(data=as_text(item.get("result")) or None, mime_type=f"image/{format}" if format else None)


_OUTCOMES = {
    WEB_SEARCH: _search,
    FILE_SEARCH: _file_search,
    CODE: _code_run,
    MCP_CALL: _tool_result,
    IMAGE: _picture,
}
