"""A request in the hub's terms, whatever dialect it came in and whatever vendor it goes to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from adapters.hub.annotations import Annotation
from adapters.hub.coverage import Rule
from adapters.hub.items import Signature
from adapters.hub.kept import Kept
from adapters.wire_json import Json

Role = Literal["user", "assistant", "system", "developer"]


@dataclass(slots=True)
class TextPart:
    """Text of a message or of a tool's output. `refusal` marks the model's own refusal."""

    text: str
    annotations: list[Annotation] = field(default_factory=list[Annotation])
    refusal: bool = False
    extra: Kept | None = None


@dataclass(slots=True)
class MediaPart:
    """An image or a file: base64 `data`, a `url` (never fetched here) or a vendor's `file_id`."""

    media: Literal["image", "file", "audio", "video"]
    data: str | None = None
    url: str | None = None
    file_id: str | None = None
    mime_type: str | None = None
    name: str | None = None
    detail: str | None = None
    extra: Kept | None = None


@dataclass(slots=True)
class OpaquePart:
    """A content part of a type that the hub does not know, verbatim."""

    wire: str
    kind: str
    payload: Json


Part = TextPart | MediaPart | OpaquePart


@dataclass(slots=True)
class Message:
    """One turn of somebody. `source` is the client's own item, `extra` what the vendor that wrote it kept."""

    role: Role
    parts: list[Part]
    id: str | None = None
    phase: str | None = None
    source: Kept | None = None
    extra: Kept | None = None


@dataclass(slots=True)
class Reasoning:
    """A turn's reasoning: summaries, the text itself where it is open, and the vendor's signature."""

    summary: list[str] = field(default_factory=list[str])
    thoughts: list[str] = field(default_factory=list[str])
    signature: Signature | None = None
    id: str | None = None
    source: Kept | None = None
    extra: Kept | None = None


@dataclass(slots=True)
class FunctionCall:
    """A call that the client executed. `arguments` is JSON text (`custom`: free text).

    `namespace` groups functions of one name; "" for a function that stands by itself.
    """

    call_id: str
    name: str
    arguments: str
    custom: bool = False
    id: str | None = None
    source: Kept | None = None
    extra: Kept | None = None
    namespace: str = ""


@dataclass(slots=True)
class FunctionOutput:
    """What the client's function gave back."""

    call_id: str
    parts: list[Part]
    custom: bool = False
    id: str | None = None
    source: Kept | None = None
    extra: Kept | None = None


@dataclass(slots=True)
class OpaqueItem:
    """Any other item, verbatim: `kind` is its type in the client's dialect `source.wire`."""

    kind: str
    source: Kept
    id: str | None = None
    extra: Kept | None = None


Item = Message | Reasoning | FunctionCall | FunctionOutput | OpaqueItem


@dataclass(slots=True)
class FunctionTool:
    """A function of the client's. `parameters` is JSON Schema; never mutated. `path`, of every tool, is where the
    client declared it, as `tools[2]`.
    """

    name: str
    description: str | None = None
    parameters: Json | None = None
    strict: bool | None = None
    source: Kept | None = None
    path: str = ""


@dataclass(slots=True)
class WebSearchTool:
    """The vendor's own web search."""

    context_size: str | None = None
    source: Kept | None = None
    path: str = ""


@dataclass(slots=True)
class OpaqueTool:
    """Any other tool, verbatim: `kind` is its type in the client's dialect `source.wire`."""

    kind: str
    source: Kept
    path: str = ""


Tool = FunctionTool | WebSearchTool | OpaqueTool


@dataclass(slots=True)
class ToolChoice:
    """`names` limits the choice to these functions; `source` is the client's own value when it was an object."""

    mode: Literal["auto", "none", "required"]
    names: list[str] | None = None
    source: Kept | None = None


@dataclass(slots=True)
class Sampling:
    """`max_output_tokens` includes reasoning. `stop` are the sequences that a message's text ends before."""

    temperature: float | None = None
    top_p: float | None = None
    max_output_tokens: int | None = None
    stop: list[str] = field(default_factory=list[str])


@dataclass(slots=True)
class ReasoningRequest:
    """How much to think (`effort`: none … max) and whether to tell (`summary`: auto, concise, detailed)."""

    effort: str | None = None
    summary: str | None = None
    source: Kept | None = None


@dataclass(slots=True)
class OutputFormat:
    """The answer's form: free text, any JSON object, or JSON of a schema (never mutated)."""

    kind: Literal["text", "json_object", "json_schema"]
    name: str | None = None
    schema: Json | None = None
    strict: bool | None = None
    description: str | None = None
    source: Kept | None = None


@dataclass(slots=True)
class Origin:
    """What a client said in a dialect whose words are not the common ones, before that was retold in them.

    `body` is the client's own, verbatim: the vendor of that dialect is told it, less what belongs to other vendors,
    and nothing else. `private` says what becomes at any other vendor of the fields that the common words lack, by
    their paths in `body`. `paths` says where in `body` stands what the common words call by another path: prefixes
    (as "input[2]" to "input[3]"), of which the longest counts.
    """

    body: Json
    private: Mapping[str, Rule] = field(default_factory=dict[str, Rule])
    paths: Mapping[str, str] = field(default_factory=dict[str, str])


@dataclass(slots=True)
class Request:
    """One request. `wire` is the client's dialect; `source` its body in the common words, which are those of the
    Responses family, but for the input, which `items` or `text` holds; `extra` are those of its top-level fields that
    the hub does not model. A dialect with other words is retold in the common ones before it comes here, `origin` is
    what the client said in its own; whatever the dialect, `wire` owns the ids and blobs that carry no mark.

    `text` is set, and `items` empty, where the client gave its input as plain text. `store_ids` are the chosen
    vendor's names of the file stores that the settings know, by the id that clients use.
    """

    wire: str
    model: str
    items: list[Item]
    text: str | None = None
    instructions: str | None = None
    tools: list[Tool] = field(default_factory=list[Tool])
    tool_choice: ToolChoice | None = None
    parallel_tools: bool | None = None
    sampling: Sampling = field(default_factory=Sampling)
    reasoning: ReasoningRequest | None = None
    output: OutputFormat | None = None
    previous_id: str | None = None
    store: bool | None = None
    stream: bool = False
    background: bool | None = None
    include: list[str] = field(default_factory=list[str])
    metadata: dict[str, str] | None = None
    unread: list[str] = field(default_factory=list[str])
    """Paths of fields inside the items that the hub does not model: lost on every wire but the client's."""
    source: Kept | None = None
    extra: Kept | None = None
    origin: Origin | None = None
    store_ids: Mapping[str, str] = field(default_factory=dict[str, str])
