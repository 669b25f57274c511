"""Words that items, parts and calls are described with, shared by requests and responses."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final

from adapters.wire_json import Json

# Item kinds. They are the field's common names; a wire that has a kind of its own uses its own
# word, and an encoder that does not know the word treats the item as the vendor's private one.
MESSAGE: Final = "message"
REASONING: Final = "reasoning"
FUNCTION_CALL: Final = "function_call"
CUSTOM_CALL: Final = "custom_tool_call"
SHELL_CALL: Final = "shell_call"
LOCAL_SHELL_CALL: Final = "local_shell_call"
PATCH_CALL: Final = "apply_patch_call"
WEB_SEARCH: Final = "web_search_call"
FILE_SEARCH: Final = "file_search_call"
CODE: Final = "code_interpreter_call"
MCP_CALL: Final = "mcp_call"
IMAGE: Final = "image_generation_call"
TOOL_SEARCH: Final = "tool_search_call"
FOUND_TOOLS: Final = "tool_search_output"

# Part kinds: what a Delta is a delta of.
TEXT: Final = "text"  # of a message
REFUSAL: Final = "refusal"  # of a message
THOUGHT: Final = "thought"  # the reasoning itself
SUMMARY: Final = "summary"  # a summary of the reasoning
ARGUMENTS: Final = "arguments"  # JSON text of a function or MCP call
INPUT: Final = "input"  # free text of a custom tool call
CODE_TEXT: Final = "code"  # source text of a code run
MEDIA: Final = "media"  # bytes of an image, audio or video, as base64 text


@dataclass(slots=True)
class Signature:
    """A vendor's opaque proof of its reasoning. Valid at `wire` only, and never sent elsewhere."""

    wire: str
    blob: str


@dataclass(slots=True)
class Search:
    """What a search call did: `action` is search, open_page or find_in_page. `sources` are the pages it found."""

    action: str = "search"
    queries: list[str] = field(default_factory=list[str])
    url: str | None = None
    sources: list[str] = field(default_factory=list[str])


@dataclass(slots=True)
class CodeRun:
    """What a code call gave: the text it printed and the images (URLs or data URLs) it made."""

    logs: str | None = None
    images: list[str] = field(default_factory=list[str])


@dataclass(slots=True)
class ToolResult:
    """What a call that the vendor executed gave back, as text; `error` where it failed."""

    output: str | None = None
    error: str | None = None


@dataclass(slots=True)
class Picture:
    """An image the model made: base64 `data`, or a `url` of the vendor's."""

    data: str | None = None
    url: str | None = None
    mime_type: str | None = None


@dataclass(slots=True)
class FoundTool:
    """A function that a search for tools found."""

    name: str
    description: str | None = None
    parameters: Json | None = None


@dataclass(slots=True)
class ToolSearch:
    """A search for tools that the vendor ran: what it was asked, or the functions that it found."""

    arguments: Json = field(default_factory=dict[str, Any])
    tools: list[FoundTool] = field(default_factory=list[FoundTool])


Outcome = Search | CodeRun | ToolResult | Picture | ToolSearch
