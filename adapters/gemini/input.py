"""Input items as Gemini's steps."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from adapters.gemini.content import encode_part
from adapters.gemini.coverage import ITEM_FIELDS, ITEMS, RULES, UNKNOWN
from adapters.gemini.endpoint import NAME
from adapters.gemini.foreign import encode_arguments, encode_foreign
from adapters.hub.errors import Unsupported
from adapters.hub.kept import kept_by
from adapters.hub.losses import Ledger
from adapters.hub.request import (
    FunctionCall,
    FunctionOutput,
    Item,
    Message,
    OpaqueItem,
    Reasoning,
    TextPart,
)
from adapters.hub.tags import owner
from adapters.interactions.rest import fields_of, restored, steps_of
from adapters.interactions.signing import sign_foreign
from adapters.wire_json import Json, as_list, as_object


def encode_items(items: list[Item], losses: Ledger) -> tuple[list[str], list[Json]]:
    """Give the leading system texts and the steps of the rest. Raises `Unsupported`, naming `input[i]`."""
    steps = _Steps(losses)
    system: list[str] = []
    for number, item in enumerate(items):
        path = f"input[{number}]"
        if isinstance(item, Message) and item.source is not None:
            RULES.follow(ITEM_FIELDS, {"partial": item.source.data.get("partial")}, path, losses)
        if isinstance(item, Message) and item.role in ("system", "developer") and len(system) == number:
            system.append(steps.plain_text(item, path))
            continue
        kept = kept_by(NAME, item.extra) or {}
        steps.add_missing(steps_of(kept, "before"))
        _ITEMS[type(item)](steps, item, kept, path)
        steps.steps += steps_of(kept, "after")
    return system, steps.steps


class _Steps:
    """The steps so far, and what later items need to know of earlier ones."""

    def __init__(self, losses: Ledger) -> None:
        self.steps: list[Json] = []
        self._losses = losses
        self._names: dict[str, str] = {}  # of the called functions, by call_id
        self._signed = False  # whether the turn has a thought of Gemini's own

    def add_missing(self, steps: list[Json]) -> None:
        """Add steps that ride with the next item, unless an item of their own has just told them."""
        if steps and self.steps[-len(steps) :] != steps:
            self.steps += steps

    def message(self, item: Message, kept: Json, path: str) -> None:
        if item.phase is not None:
            self._losses.note(f"{path}.phase", "Gemini has no phases")
        own = bool(kept) or _is_own(item)
        content = [encode_part(part, self._losses, f"{path}.content[{n}]", own) for n, part in enumerate(item.parts)]
        if item.role == "assistant":
            self._spoken(restored(kept, content), kept)
            return
        self._signed = False
        if item.role != "user":
            self._losses.note(f"{path}.role", f"Gemini has no {item.role} turns; it is told as the user's words")
            content.insert(0, {"type": "text", "text": f"[{item.role}]"})
        self.steps.append({"type": "user_input", "content": content})

    def plain_text(self, item: Message, path: str) -> str:
        """The text of an instruction, which can hold nothing else."""
        for number, part in enumerate(item.parts):
            if not isinstance(part, TextPart):
                raise Unsupported("Gemini's system instruction is plain text.", param=f"{path}.content[{number}]")
        return "\n".join(part.text for part in item.parts if isinstance(part, TextPart))

    def _spoken(self, content: list[Json], kept: Json) -> None:
        """What the model said. Items that Gemini told as one step become that step again."""
        last = self.steps[-1] if self.steps else {}
        rest = fields_of(kept)
        if kept.get("continues") and last.get("type") == "model_output":
            self.steps[-1] = {**last, "content": [*as_list(last.get("content")), *content], **rest}
        elif content or rest:
            self.steps.append({"type": "model_output", "content": content, **rest})

    def reasoning(self, item: Reasoning, kept: Json, path: str) -> None:
        rest = fields_of(kept)
        if item.signature is not None and item.signature.wire != NAME:
            self._losses.note(path, "reasoning of another vendor is not valid at Gemini")
            return
        if item.signature is None and not rest:
            self._losses.note(path, "Gemini takes a thought back only with its signature")
            return
        if item.thoughts:
            self._losses.note(f"{path}.content", "Gemini's thoughts hold summaries only")
        thought: Json = {"type": "thought"}
        if item.signature is not None:
            thought["signature"] = item.signature.blob
        if item.summary:
            thought["summary"] = [{"type": "text", "text": text} for text in item.summary]
        self._signed = True
        self.steps.append(thought | rest)

    def call(self, item: FunctionCall, kept: Json, path: str) -> None:
        """A call stands right behind its turn's other calls: Gemini signs the first of them for all."""
        self._names[item.call_id] = item.name
        arguments = encode_arguments(item.arguments, self._losses, path)
        step = {
            "type": "function_call",
            "id": item.call_id,
            "name": item.name,
            "arguments": arguments,
            **fields_of(kept),
        }
        at = len(self.steps)
        while self._signed and at and self.steps[at - 1].get("type") == "function_result":
            at -= 1
        if not kept and not self._signed and not _is_own(item):
            sign_foreign(self.steps)
            at = len(self.steps)
        self.steps.insert(at, step | fields_of(kept))

    def output(self, item: FunctionOutput, kept: Json, path: str) -> None:
        step: Json = {"type": "function_result", "call_id": item.call_id}
        name = self._names.get(item.call_id)
        if name is not None:
            step["name"] = name
        parts = item.parts
        if len(parts) == 1 and isinstance(parts[0], TextPart):
            step["result"] = parts[0].text
        else:
            step["result"] = [encode_part(part, self._losses, f"{path}.output[{n}]") for n, part in enumerate(parts)]
        self.steps.append(step | fields_of(kept))

    def opaque(self, item: OpaqueItem, kept: Json, path: str) -> None:
        rule, steps, block = ITEMS.get(item.kind), steps_of(kept, "steps"), as_object(kept.get("block"))
        if steps:
            self.steps += steps
        elif block:
            self._spoken([block], kept)
        elif rule is None and owner(item.id, item.source.wire) != item.source.wire:
            self._losses.note(path, f"Gemini takes no {item.kind} of another vendor")
        else:
            RULES.heed(rule or UNKNOWN, item.kind, path, self._losses)
            if rule is not None and rule.verdict == "approximated":
                self.steps += encode_foreign(item, self.steps, self._losses, path)


def _is_own(item: Message | FunctionCall) -> bool:
    """Whether Gemini said it."""
    return owner(item.id, item.source.wire if item.source is not None else "") == NAME


_ITEMS: dict[type, Callable[[_Steps, Any, Json, str], None]] = {
    Message: _Steps.message,
    Reasoning: _Steps.reasoning,
    FunctionCall: _Steps.call,
    FunctionOutput: _Steps.output,
    OpaqueItem: _Steps.opaque,
}
