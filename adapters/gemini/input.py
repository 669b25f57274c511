"""Input items as Gemini's steps."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from adapters.gemini.content import encode_media
from adapters.gemini.endpoint import NAME
from adapters.hub.errors import Unsupported
from adapters.hub.kept import kept_by
from adapters.hub.losses import Ledger
from adapters.hub.request import (
    FunctionCall,
    FunctionOutput,
    Item,
    MediaPart,
    Message,
    OpaqueItem,
    Part,
    Reasoning,
    TextPart,
)
from adapters.hub.spans import TextIndex
from adapters.hub.tags import owner
from adapters.interactions.annotations import encode_annotation
from adapters.wire_json import Json, JsonError, as_list, as_object, loads

_TOLD_BY_OTHERS = frozenset(
    {
        "web_search_call", "file_search_call", "code_interpreter_call", "image_generation_call", "mcp_list_tools",
        "mcp_call", "tool_search_call", "tool_search_output",
    }
)  # fmt: skip
"""Items that only tell what another vendor's tool did; Gemini takes such steps with its own signatures only."""


def encode_items(items: list[Item], losses: Ledger) -> tuple[list[str], list[Json]]:
    """Give the leading system texts and the steps of the rest. Raises `Unsupported`, naming `input[i]`."""
    steps = _Steps(losses)
    system: list[str] = []
    for number, item in enumerate(items):
        path = f"input[{number}]"
        if isinstance(item, Message) and item.role in ("system", "developer") and len(system) == number:
            system.append(steps.plain_text(item, path))
        else:
            _ITEMS[type(item)](steps, item, path)
    return system, steps.steps


class _Steps:
    """The steps so far, and what later items need to know of earlier ones."""

    def __init__(self, losses: Ledger) -> None:
        self.steps: list[Json] = []
        self._losses = losses
        self._names: dict[str, str] = {}  # of the called functions, by call_id
        self._signed = False  # whether the turn has a thought of Gemini's own

    def message(self, item: Message, path: str) -> None:
        if item.phase is not None:
            self._losses.note(f"{path}.phase", "Gemini has no phases")
        if item.role == "assistant":
            self._spoken([self._part(part, f"{path}.content[{n}]") for n, part in enumerate(item.parts)], item)
            return
        self._signed = False
        content = [self._part(part, f"{path}.content[{n}]") for n, part in enumerate(item.parts)]
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

    def _spoken(self, content: list[Json], item: Message | OpaqueItem) -> None:
        """What the model said. Items that Gemini told as one step become that step again."""
        kept = kept_by(NAME, item.extra) or {}
        last = self.steps[-1] if self.steps else {}
        rest = {key: value for key, value in kept.items() if key not in ("continues", "block")}
        if kept.get("continues") and last.get("type") == "model_output":
            self.steps[-1] = {**last, "content": [*as_list(last.get("content")), *content], **rest}
        elif content or rest:
            self.steps.append({"type": "model_output", "content": content, **rest})

    def _part(self, part: Part, path: str) -> Json:
        if isinstance(part, TextPart):
            return self._text(part, path)
        if isinstance(part, MediaPart):
            return encode_media(part, self._losses, path)
        raise Unsupported(f"Gemini has no content of the type '{part.kind}'.", param=path)

    def _text(self, part: TextPart, path: str) -> Json:
        if part.refusal:
            self._losses.note(path, "Gemini has no refusals; it is told as text")
        said: Json = {"type": "text", "text": part.text}
        if part.annotations:
            index = TextIndex()
            index.feed(part.text)
            cites = [encode_annotation(annotation, index, NAME) for annotation in part.annotations]
            for number, cite in enumerate(cites):
                if cite is None:
                    self._losses.note(f"{path}.annotations[{number}]", "Gemini has no such annotation")
            if any(cites):
                said["annotations"] = [cite for cite in cites if cite is not None]
        kept = kept_by(NAME, part.extra) or {}
        return said | {key: value for key, value in kept.items() if key != "annotations"}

    def reasoning(self, item: Reasoning, path: str) -> None:
        kept = kept_by(NAME, item.extra)
        if item.signature is not None and item.signature.wire != NAME:
            self._losses.note(path, "reasoning of another vendor is not valid at Gemini")
            return
        if item.signature is None and kept is None:
            self._losses.note(path, "Gemini takes a thought back only with its signature")
            return
        thought: Json = {"type": "thought"}
        if item.signature is not None:
            thought["signature"] = item.signature.blob
        if item.summary:
            thought["summary"] = [{"type": "text", "text": text} for text in item.summary]
        self._signed = True
        self.steps.append(thought | (kept or {}))

    def call(self, item: FunctionCall, path: str) -> None:
        """A call stands right behind its turn's other calls: Gemini signs the first of them for all."""
        self._names[item.call_id] = item.name
        kept = kept_by(NAME, item.extra) or {}
        arguments = self._arguments(item.arguments, path)
        step = {"type": "function_call", "id": item.call_id, "name": item.name, "arguments": arguments, **kept}
        at = len(self.steps)
        while self._signed and at and self.steps[at - 1].get("type") == "function_result":
            at -= 1
        self.steps.insert(at, step)

    def _arguments(self, text: str, path: str) -> Json:
        try:
            value = loads(text or "{}")
        except JsonError:
            value = None
        if isinstance(value, dict):
            return as_object(value)
        self._losses.note(f"{path}.arguments", "Gemini takes an object only; the text goes as `_raw`")
        return {"_raw": text}

    def output(self, item: FunctionOutput, path: str) -> None:
        step: Json = {"type": "function_result", "call_id": item.call_id}
        name = self._names.get(item.call_id)
        if name is not None:
            step["name"] = name
        parts = item.parts
        if len(parts) == 1 and isinstance(parts[0], TextPart):
            step["result"] = parts[0].text
        else:
            step["result"] = [self._part(part, f"{path}.output[{n}]") for n, part in enumerate(parts)]
        self.steps.append(step)

    def opaque(self, item: OpaqueItem, path: str) -> None:
        kept = kept_by(NAME, item.extra) or {}
        if as_list(kept.get("steps")):
            self.steps += [as_object(step) for step in as_list(kept["steps"])]
        elif "block" in kept:
            self._spoken([as_object(kept["block"])], item)
        elif item.kind in _TOLD_BY_OTHERS or owner(item.id, item.source.wire) != item.source.wire:
            self._losses.note(path, f"Gemini takes no {item.kind} of another vendor")
        else:
            raise Unsupported(f"Gemini cannot take an item '{item.kind}' as input.", param=path)


_ITEMS: dict[type, Callable[[_Steps, Any, str], None]] = {
    Message: _Steps.message,
    Reasoning: _Steps.reasoning,
    FunctionCall: _Steps.call,
    FunctionOutput: _Steps.output,
    OpaqueItem: _Steps.opaque,
}
