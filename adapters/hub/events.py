"""The ten events of a stream: a walk of the response's tree of items and parts.

    stream = Started { Progressed | item } Ended        items may interleave
    item   = ItemStarted { Progressed | part } ItemEnded
    part   = PartStarted { Delta | Annotated } PartEnded
    Opaque may stand between any two events; after Ended nothing.

`item` counts the items of the response from 0 in the order they start; `part` counts the parts of
one item from 0 in the order they start, whatever their kind. `grammar.py` holds the rules as a
table. `extra` is what the source wire said beyond these fields, verbatim; None almost always.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar, Final, Literal

from adapters.hub.annotations import Annotation
from adapters.hub.errors import UpstreamError
from adapters.hub.items import Outcome, Signature
from adapters.hub.kept import Kept
from adapters.wire_json import Json

Status = Literal["completed", "incomplete", "failed", "cancelled"]
ItemStatus = Literal["completed", "incomplete", "failed"]
Reason = Literal["stop", "tool_calls", "max_output_tokens", "content_filter", "cancelled", "error"]

UNFINISHED: Final = frozenset({"queued", "in_progress"})
"""Every wire's words for an answer that is still being made."""


@dataclass(slots=True)
class Usage:
    """Tokens. `input` includes `input_cached`; `output` includes `output_reasoning`. `raw` is the vendor's own."""

    input: int
    input_cached: int
    output: int
    output_reasoning: int
    total: int
    raw: Kept | None = None


@dataclass(slots=True)
class Finish:
    """Why the answer ended: `unified` in the hub's words, `raw` in the vendor's."""

    unified: Reason
    raw: str | None = None


@dataclass(slots=True)
class Resume:
    """A vendor paused, and goes on when it is asked again with `token`; `id` is its own id of what paused.

    `items` is how many items the walk had. All this is between the vendor and the gateway: no encoder shows it.
    """

    token: str = field(repr=False)
    id: str
    items: int


@dataclass(slots=True)
class Started:
    """The vendor accepted the request. `created_at` is Unix seconds; None when the vendor gives none."""

    wire: str
    id: str
    model: str | None
    created_at: float | None = None
    extra: Kept | None = None


@dataclass(slots=True)
class Progressed:
    """The response (`item` None) or one item moved on: queued, in_progress, searching, completed …"""

    item: int | None
    phase: str
    extra: Kept | None = None


@dataclass(slots=True)
class ItemStarted:
    """An item opens. `id` and `call_id` are the vendor's, verbatim; "" where it gives none.

    `namespace` groups functions of one name; `action` is what a call of the client's own kind asks for, in the words
    of the client's dialect. `place` is where a call runs that the vendor executes: an MCP server, a container.
    """

    item: int
    kind: str
    id: str = ""
    call_id: str = ""
    name: str = ""
    extra: Kept | None = None
    namespace: str = ""
    action: Json | None = None
    place: str = ""


@dataclass(slots=True)
class PartStarted:
    """A part opens; `kind` says what its deltas are deltas of. `media` is the MIME type of a media part."""

    item: int
    part: int
    kind: str
    media: str | None = None
    extra: Kept | None = None


@dataclass(slots=True)
class Delta:
    """A piece of the part's text; the pieces in order are the whole text."""

    item: int
    part: int
    text: str
    extra: Kept | None = None


@dataclass(slots=True)
class Annotated:
    """The part cites something. Spans count code points of this part's text."""

    item: int
    part: int
    annotation: Annotation


@dataclass(slots=True)
class PartEnded:
    """A part closes. `text` only where the wire's final word differs from its deltas."""

    item: int
    part: int
    text: str | None = None
    extra: Kept | None = None


@dataclass(slots=True)
class ItemEnded:
    """An item closes, with what only its end tells: the status, the signature, the tool's outcome."""

    item: int
    status: ItemStatus | None = "completed"
    signature: Signature | None = None
    outcome: Outcome | None = None
    extra: Kept | None = None


@dataclass(slots=True)
class Ended:
    """The one terminal event. `error` is set exactly when `status` is failed; `resume` where the vendor only paused.

    `signatures` are those that items got after their own end, by the item.
    """

    status: Status
    finish: Finish
    usage: Usage | None = None
    error: UpstreamError | None = None
    extra: Kept | None = None
    resume: Resume | None = None
    signatures: dict[int, Signature] | None = None

    @property
    def unfinished(self) -> str | None:
        """The vendor's word for a whole answer that it still makes, in the background; None for every other."""
        return self.finish.raw if self.status == "completed" and self.finish.raw in UNFINISHED else None


@dataclass(slots=True)
class Opaque:
    """An event of the wire that the hub has no word for, verbatim. `item` where it belongs to one."""

    wire: str
    payload: Json
    item: int | None = None


@dataclass(slots=True)
class Told:
    """One event of the wire as it came (`name` is its `event:` line), right before what it says in the hub's words.

    A whole answer is told once, as `body`. Only who repeats the wire to a client that speaks it asks for these.
    """

    name: bytes = b""
    data: bytes = b""
    body: Json | None = None
    item: ClassVar[None] = None


Event = (
    Started | Progressed | ItemStarted | PartStarted | Delta | Annotated | PartEnded | ItemEnded | Ended | Opaque | Told
)
