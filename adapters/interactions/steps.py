"""Steps of an interaction as items of the walk: thoughts, function calls, and those that have no kind."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar

from adapters.hub import events as ev
from adapters.hub import items as kind
from adapters.hub.items import Signature
from adapters.interactions.walk import OpenItem, Walk
from adapters.wire_json import Json, as_list, as_object, as_text, dumps_any


def json_text(value: Any) -> str:
    """A JSON value as text."""
    return dumps_any(value).decode()


Take = Callable[[Any, Json], None]


class Step:
    """One step of the vendor's. It is born of `step.start`, whose step may already hold everything.

    `stop` closes the parts at the vendor's word, `cut` because nothing more will come; `end` closes the
    item, later, once it is known whether the interaction broke off here.
    """

    deltas: ClassVar[Mapping[str, Take]] = {}
    known: ClassVar[frozenset[str]] = frozenset({"type"})
    untyped: ClassVar[Mapping[str, str]] = {}
    """Where a delta lacks its type, the field that gives it away and the type it then has."""
    waits = False
    """Whether the item stays open until another step completes it."""
    divisible = True
    """Whether a piece of the item is of use by itself."""

    def __init__(self, walk: Walk, step: Json) -> None:
        self.walk = walk
        self.type = as_text(step.get("type"))
        self.kept: Json = {key: value for key, value in step.items() if key not in self.known}
        self.item: OpenItem | None = None
        self.stopped = False

    def feed(self, delta: Json) -> bool:
        """Take a delta that is not in the step's table by its own name; False where the step has no word for it."""
        untold = next((self.untyped[field] for field in self.untyped if field in delta), self.type)
        take = self.deltas.get(untold) if type(delta.get("type")) is not str else None
        if take is None:
            return False
        take(self, delta)
        return True

    def stop(self) -> None:
        """Close the parts."""
        self.stopped = True
        if self.item is not None:
            self.item.close_part()

    def cut(self) -> None:
        """Close the parts of a step that the vendor did not finish."""
        self.stop()

    def end(self, status: ev.ItemStatus) -> None:
        """Close the item."""
        if self.item is not None and not self.item.closed:
            self.item.close(status, kept=self.kept)

    def settle(self, final: Json) -> None:
        """Take the vendor's final word on this step, where the terminal event has one."""

    def spend(self, usage: Json) -> None:
        """Keep what the step cost."""
        if self.item is not None and not self.item.closed:
            self.item.aside["usage"] = usage

    def sign(self, delta: Json) -> None:
        """Keep a signature that came on a step which has no place for one in the hub."""
        self.kept["signature"] = as_text(self.kept.get("signature")) + as_text(delta.get("signature"))


class Thought(Step):
    """Reasoning: its summary as parts, its signature at the end."""

    known = frozenset({"type", "summary", "signature"})
    untyped: ClassVar[Mapping[str, str]] = {"content": "thought_summary", "signature": "thought_signature"}

    def __init__(self, walk: Walk, step: Json) -> None:
        super().__init__(walk, step)
        self._signature = as_text(step.get("signature"))
        self._empty = {key: step[key] for key in ("signature", "summary") if key in step and not step[key]}
        self._blocks: list[tuple[Json, list[str]]] = []  # of the summary, each with the pieces of its text
        self._plain = True  # whether the summary is text and nothing else
        self._reasoning = self.item = walk.open(kind.REASONING)
        self._add_blocks(step)

    def _add_blocks(self, step: Json) -> None:
        for block in as_list(step.get("summary")):
            self._reasoning.close_part()
            self._summarise({"content": block})

    def _summarise(self, delta: Json) -> None:
        """Text continues the open part: recorded summaries go on in the middle of a sentence."""
        content = as_object(delta.get("content"))
        if as_text(content.get("type")) not in ("", "text"):
            self._reasoning.close_part()
            self._blocks.append((content, []))
            self._plain = False
            return
        if self._reasoning.part < 0:
            self._reasoning.open_part(kind.SUMMARY)
            self._blocks.append(({"type": "text"}, []))
        block, pieces = self._blocks[-1]
        pieces.append(as_text(content.get("text")))
        self._reasoning.write(pieces[-1])
        if rest := {key: value for key, value in content.items() if key not in ("type", "text")}:
            block.update(rest)
            self._plain = False

    def sign(self, delta: Json) -> None:
        self._signature += as_text(delta.get("signature"))

    def settle(self, final: Json) -> None:
        """Take the signature and the summary where the stream left them out."""
        if self._reasoning.closed:
            return
        self._signature = self._signature or as_text(final.get("signature"))
        if not self._blocks:
            self._add_blocks(final)

    def end(self, status: ev.ItemStatus) -> None:
        if self._reasoning.closed:
            return
        if not self._signature and "signature" in self._empty:
            self.kept["signature"] = self._empty["signature"]
        if not self._blocks and "summary" in self._empty:
            self.kept["summary"] = self._empty["summary"]
        elif not self._plain:
            self.kept["summary"] = [{**block, "text": "".join(text)} if text else block for block, text in self._blocks]
        signature = Signature(self.walk.wire, self._signature) if self._signature else None
        self._reasoning.close(status, signature, kept=self.kept)

    deltas: ClassVar[Mapping[str, Take]] = {"thought_summary": _summarise, "thought_signature": sign}


class FunctionCall(Step):
    """A call for the client. It opens once its name is known; its arguments are sent once."""

    divisible = False
    known = frozenset({"type", "id", "name", "arguments"})
    untyped: ClassVar[Mapping[str, str]] = {"arguments": "arguments_delta"}

    def __init__(self, walk: Walk, step: Json) -> None:
        super().__init__(walk, step)
        self._id, self._name = as_text(step.get("id")), as_text(step.get("name"))
        self._given = step.get("arguments")
        self._said = False
        if self._name:
            self._open()

    def _open(self) -> OpenItem:
        if self.item is None:
            self.item = self.walk.open(kind.FUNCTION_CALL, call_id=self._id, name=self._name)
            self.item.open_part(kind.ARGUMENTS)
        return self.item

    def _continue(self, delta: Json) -> None:
        """A piece of the arguments' JSON text; some senders give the whole object."""
        piece = delta.get("arguments")
        self._write(piece if isinstance(piece, str) else json_text(piece) if piece else "")

    def _give(self, delta: Json) -> None:
        self._id, self._name = self._id or as_text(delta.get("id")), self._name or as_text(delta.get("name"))
        self._given = delta.get("arguments") or self._given

    def _write(self, text: str) -> None:
        if text:
            self._said = True
            self._open().write(text)

    def stop(self) -> None:
        self._settle_arguments()
        if not self._said:
            self._write("{}")
        super().stop()

    def cut(self) -> None:
        self._settle_arguments()
        super().stop()

    def _settle_arguments(self) -> None:
        """Send what `step.start` held, unless the deltas told it."""
        self._open()
        if not self._said and self._given:
            self._continue({"arguments": self._given})

    deltas: ClassVar[Mapping[str, Take]] = {
        "arguments_delta": _continue,
        "function_call": _give,
        "thought_signature": Step.sign,
    }


class Private(Step):
    """A step that the hub has no kind for: an item of the vendor's own, verbatim.

    A client that is not shown it gets the step with the next item.
    """

    def __init__(self, walk: Walk, step: Json) -> None:
        super().__init__(walk, step)
        self.raw = dict(step)
        self.kept = {"steps": [self.raw]}
        self.item = walk.open_private(f"{walk.wire}.{self.type or 'step'}", as_text(step.get("id")), self.raw)

    def feed(self, delta: Json) -> bool:
        if not self.type or delta.get("type", self.type) != self.type:
            return False
        grow(self.raw, delta)
        return True


class Silent(Step):
    """A step that tells a reader nothing: no item. It rides with the next one, for the vendor alone."""

    rides: ClassVar[bool] = True

    def __init__(self, walk: Walk, step: Json) -> None:
        super().__init__(walk, step)
        self.raw = dict(step)
        walk.note({"event_type": "step.start", "step": step})
        if self.rides:
            walk.riders.append(self.raw)

    def feed(self, delta: Json) -> bool:
        if delta.get("type", self.type) not in (self.type, "thought_signature"):
            return False
        grow(self.raw, delta)
        return True


class OwnInput(Silent):
    """What the client said itself: it will say it again."""

    rides = False


def grow(raw: Json, delta: Json) -> None:
    """Add a delta to the step as it stands: results and signatures grow, everything else is said anew."""
    for key, value in delta.items():
        if value is None or key == "type":
            continue
        old = raw.get(key)
        if key in ("result", "signature") and type(old) is type(value) and isinstance(old, str | list):
            raw[key] = old + value
        elif value != "":
            raw[key] = value
