"""Steps of the dialect as items in the common words, and where each stood."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from adapters.faces.gemini import coverage as rows
from adapters.faces.gemini.blocks import link_of, paths_of, retell_given, retell_spoken
from adapters.faces.gemini.calls import retell_call, retell_result
from adapters.faces.gemini.hosted import RESULTS, Pair, retell_found_tools, retell_pair, retell_search_call
from adapters.faces.gemini.marks import NAME, Mark, goes_on, is_foreign, read_mark, rider_item, without_mark
from adapters.faces.gemini.notes import Notes
from adapters.hub import items as kind
from adapters.hub.fields import Fields
from adapters.responses.annotations import EXTENSION
from adapters.wire_json import Json, as_list, as_object, as_text


@dataclass(slots=True)
class Retold:
    """An item in the common words. `at` is the index of the step it stands at, `path` that step's in the client's body;
    `parts` says the same of what is inside it, by its path in the item, as ".content[0]".
    """

    item: Json
    at: int
    path: str
    parts: dict[str, str] = field(default_factory=dict[str, str])


def retell_steps(steps: Sequence[Json], path: str = "input") -> list[Retold]:
    """Retell steps whose citations count UTF-8 bytes. Raises `BadRequest` with the path of the field at fault."""
    return retell([Fields(step, NAME, f"{path}[{at}]") for at, step in enumerate(steps)], Notes())


def retell(steps: Sequence[Fields], notes: Notes) -> list[Retold]:
    """The same, and note what the items do not say."""
    return list(_Reader(steps, notes).retold())


class _Reader:
    """Goes through the steps; `_kinds` are the types of the client's calls so far, by their ids."""

    def __init__(self, steps: Sequence[Fields], notes: Notes) -> None:
        self._steps = steps
        self._notes = notes
        self._kinds: dict[str, str] = {}
        self._results: dict[tuple[str, str], deque[int]] = {}  # the places of results by their type and call
        self._told: set[int] = set()  # results that their calls told, and steps that go on with a message
        for at, step in enumerate(steps):
            type_, call_id = as_text(step.raw.get("type")), step.raw.get("call_id")
            if type_ in RESULTS.values() and isinstance(call_id, str):
                self._results.setdefault((type_, call_id), deque()).append(at)

    def retold(self) -> Iterator[Retold]:
        """The items, in the order of the steps. Blocks that stand without a step are a turn of the user's."""
        turn = _Turn(0, "", "user")
        for at, step in enumerate(self._steps):
            if step.text("type") in rows.CONTENT:
                turn = turn if turn.parts else _Turn(at, step.here, "user")
                turn.add(retell_given(step, self._notes), step)
            elif at not in self._told:
                yield from turn.flush()
                yield from self._retell(at, step)
        yield from turn.flush()

    def _retell(self, at: int, step: Fields) -> Iterator[Retold]:
        type_ = step.needed_text("type")
        step.object(EXTENSION)
        result = self._result_of(at, step, RESULTS[type_]) if type_ in RESULTS else None
        others = self._continued(at) if result is None else [result]
        mark = read_mark(step.raw, *[other.raw for other in others])
        yield from self._riders(mark.before, at, step)
        if type_ in RESULTS:
            yield self._pair(at, step, result, mark)
        else:
            self._notes.heed(rows.STEPS.get(type_, rows.EXACT), step.here)
            yield from self._handlers.get(type_, _Reader._unknown)(self, at, step, mark)
        if type_ in rows.STEP_FIELDS:
            for one in (step, *others) if result is None else (step,):
                self._notes.follow(rows.STEP_FIELDS[type_], one.raw, one.here)
        yield from self._riders(mark.after, at, step)

    def _riders(self, riders: tuple[Json, ...], at: int, step: Fields) -> Iterator[Retold]:
        for item in map(rider_item, riders):
            if item is not None:
                yield Retold(item, at, step.here)

    # -- what people and models said ---------------------------------------------------------------

    def _user(self, at: int, step: Fields, _: Mark) -> Iterator[Retold]:
        """A turn of the user's. Some clients put results of functions among its blocks."""
        content = step.raw.get("content")
        if isinstance(content, str):
            yield Retold({"type": "message", "role": "user", "content": content}, at, step.here)
            return
        turn = _Turn(at, step.here, "user")
        for block in step.objects("content"):
            if block.text("type") == "function_result":
                yield from turn.flush()
                yield from self._result(at, block, Mark())
                self._notes.follow(rows.STEP_FIELDS["function_result"], block.raw, block.here)
            else:
                turn.add(retell_given(block, self._notes), block)
        yield from turn.flush()

    def _spoken(self, at: int, step: Fields, mark: Mark) -> Iterator[Retold]:
        """What the model said: texts are a message, an image is an item of its own."""
        turn, items = _Turn(at, step.here, "assistant"), list[Retold]()
        for one in (step, *self._continued(at)):
            items += self._blocks(at, one, turn)
        items += turn.flush()
        if not items and mark.foreign:
            items = [Retold({"type": "message", "role": "assistant", "content": []}, at, step.here)]
        for number, retold in enumerate(items):
            if number == 0:
                retold.item = mark.put_on(retold.item)
            yield retold

    def _blocks(self, at: int, step: Fields, turn: _Turn) -> Iterator[Retold]:
        """Add the texts of a step to the turn; the items that stand before or between them."""
        content = step.raw.get("content")
        if isinstance(content, str):
            turn.add({"type": "output_text", "text": content, "annotations": []}, step)
            return
        for block in step.objects("content"):
            type_ = block.text("type") or "text"
            if type_ == "text":
                turn.add(retell_spoken(block, self._notes), block)
            elif type_ == "image":
                yield from turn.flush()
                yield Retold(self._image(block), at, block.here)
            else:
                self._notes.heed(rows.NOT_SPOKEN, block.here)

    def _continued(self, at: int) -> list[Fields]:
        """The steps behind that one that tell more of its message."""
        end = at + 1
        while end < len(self._steps) and goes_on(self._steps[end].raw, self._steps[end - 1].raw):
            end += 1
        self._told.update(range(at + 1, end))
        return list(self._steps[at + 1 : end])

    def _image(self, block: Fields) -> Json:
        self._notes.follow(rows.CONTENT_FIELDS["image"], {**block.raw, "resolution": None}, block.here)
        data = block.text("data")
        return {"type": kind.IMAGE, "result": data if data is not None else link_of(block), "status": "completed"}

    def _thought(self, at: int, step: Fields, mark: Mark) -> Iterator[Retold]:
        texts: list[str] = []
        for block in step.objects("summary"):
            if block.text("type") in (None, "text"):
                texts.append(block.needed_text("text"))
                self._notes.follow(rows.CONTENT_FIELDS["text"], block.raw, block.here)
            else:
                self._notes.heed(rows.NOT_SPOKEN, block.here)
        item: Json = {"type": kind.REASONING, **_thoughts(texts, mark)}
        if signature := step.text("signature"):
            item["encrypted_content"] = signature
        yield Retold(mark.put_on(item), at, step.here)

    # -- the client's tools ------------------------------------------------------------------------

    def _call(self, at: int, step: Fields, mark: Mark) -> Iterator[Retold]:
        item = retell_call(step, mark)
        self._kinds[item["call_id"]] = item["type"]
        yield Retold(item, at, step.here)

    def _result(self, at: int, step: Fields, _: Mark) -> Iterator[Retold]:
        type_ = self._kinds.get(step.needed_text("call_id"), "")
        item, parts = retell_result(step, type_, self._notes)
        yield Retold(item, at, step.here, parts)

    # -- the vendor's tools ------------------------------------------------------------------------

    def _pair(self, at: int, call: Fields, result: Fields | None, mark: Mark) -> Retold:
        if result is not None:
            self._notes.follow(rows.STEP_FIELDS[result.needed_text("type")], result.raw, result.here)
        return Retold(retell_pair(Pair(call, result, mark)), at, call.here)

    def _result_of(self, at: int, call: Fields, type_: str) -> Fields | None:
        """The first result behind the call that no other call has told."""
        places = self._results.get((type_, call.text("id") or ""), deque[int]())
        while places and places[0] < at:
            places.popleft()
        if not places:
            return None
        self._told.add(places[0])
        return self._steps[places.popleft()]

    def _search_call(self, at: int, step: Fields, mark: Mark) -> Iterator[Retold]:
        yield Retold(retell_search_call(step, mark), at, step.here)

    def _found(self, at: int, step: Fields, mark: Mark) -> Iterator[Retold]:
        yield Retold(retell_found_tools(step, mark), at, step.here)

    # -- the rest ----------------------------------------------------------------------------------

    def _lost_result(self, _: int, step: Fields, __: Mark) -> Iterator[Retold]:
        self._notes.heed(rows.NO_RESULT, step.here)
        yield from ()

    def _silent(self, _: int, __: Fields, ___: Mark) -> Iterator[Retold]:
        yield from ()

    def _unknown(self, at: int, step: Fields, mark: Mark) -> Iterator[Retold]:
        """A step of no type of the dialect: another vendor's own, or one that Gemini alone knows."""
        if is_foreign(step.raw, mark):
            yield Retold(mark.put_on(without_mark(step.raw), as_text(step.raw.get("id"))), at, step.here)
        else:
            self._notes.heed(rows.NO_STEP, step.here)

    _handlers: ClassVar[dict[str, Callable[[_Reader, int, Fields, Mark], Iterator[Retold]]]] = {
        "user_input": _user,
        "model_output": _spoken,
        "thought": _thought,
        "function_call": _call,
        "function_result": _result,
        "tool_search_call": _search_call,
        "tool_search_result": _found,
        "processing_call": _silent,
        "processing_result": _silent,
        **dict.fromkeys(RESULTS.values(), _lost_result),
    }


class _Turn:
    """The parts of a message that is being gathered."""

    def __init__(self, at: int, path: str, role: str) -> None:
        self._at, self._path, self._role = at, path, role
        self.parts: list[Json] = []
        self._paths: dict[str, str] = {}

    def add(self, part: Json, block: Fields) -> None:
        self._paths |= paths_of(block, part, f".content[{len(self.parts)}]")
        self.parts.append(part)

    def flush(self) -> Iterator[Retold]:
        """The message so far, if there is one."""
        if self.parts:
            item: Json = {"type": "message", "role": self._role, "content": self.parts}
            yield Retold(item, self._at, self._path, self._paths)
            self.parts, self._paths = [], {}


def _thoughts(texts: list[str], mark: Mark) -> Json:
    """Summary and open thoughts as the vendor told them, as long as the client did not change them."""
    rest = as_object(mark.rest.get("rest"))
    kept: Json = {name: as_list(rest.get(name)) for name in ("summary", "content") if isinstance(rest.get(name), list)}
    if "summary" in kept and _words(texts) in [_words(_texts(parts)) for parts in kept.values()]:
        return kept
    kept.pop("summary", None)
    return {"summary": [{"type": "summary_text", "text": text} for text in texts], **kept}


def _texts(parts: list[Json]) -> list[str]:
    return [as_text(as_object(part).get("text")) for part in parts]


def _words(texts: list[str]) -> str:
    """What was said, however it was cut into parts."""
    return "".join("".join(texts).split())
