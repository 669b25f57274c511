"""What Ark has words of its own for, told in the family's.

A call of the Doubao app is told as the messages, thoughts and searches that its blocks are, and a transcription as a
message. Where an item comes from rides with it as `origin`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from adapters.ark.annotations import CHUNK
from adapters.hub.coverage import Rule, approximated
from adapters.hub.finding import in_order
from adapters.responses.pieces import Pieces, piece_index
from adapters.wire_json import Json, as_list, as_object, as_text

ORIGIN: Final = "origin"
"""The field of a retold item that says what Ark calls it, and holds what is told nowhere else."""

APP: Final = "doubao_app_call"
TRANSCRIPTION: Final = "transcription"
RETOLD: Final = frozenset({APP, TRANSCRIPTION})

_SEARCH: Final = "web_search_call"
_TOLD_OF_APP = frozenset({"type", "blocks", "status"})
_TOLD_OF_TEXT = frozenset({"type", "text", "reasoning_text", "status", "queries"})
_TOLD_OF_SPEECH = frozenset({"type", "status", "transcription"})


class ArkRetelling:
    """Of one stream.

    `_cited` are the parts of transcriptions whose pieces come with their times, `_length` how many code points of each
    were told.
    """

    __slots__ = ("_apps", "_cited", "_length")

    def __init__(self) -> None:
        self._apps: dict[int, Pieces] = {}
        self._length: dict[tuple[int, int], int] = {}
        self._cited: set[tuple[int, int]] = set()

    def event(self, payload: Json, /) -> list[Json] | None:
        known = EVENTS.get(as_text(payload.get("type")))
        return known[1](self, payload) if known is not None and type(payload.get("output_index")) is int else None

    def items(self, index: int, item: Json, /) -> list[tuple[int, Json]]:
        if item.get("type") == TRANSCRIPTION:
            return [(index, _spoken(item))]
        blocks = [as_object(block) for block in as_list(item.get("blocks"))]
        pieces = [(number, _piece(item, number, block)) for number, block in enumerate(blocks)]
        return [(piece_index(index, number), piece) for number, piece in pieces] or [(index, item)]

    # -- the app ---------------------------------------------------------------------------------

    def _app(self, payload: Json) -> Pieces:
        app = self._apps.setdefault(payload["output_index"], Pieces())
        for name, value in (("id", payload.get("item_id")), ("feature", payload.get("feature"))):
            if value is not None:
                app.said[name] = value
        return app

    def begin(self, payload: Json) -> list[Json] | None:
        """The call is announced; its items come with its blocks."""
        self._app(payload)
        return []

    def complete(self, payload: Json) -> list[Json] | None:
        """The whole call; its blocks may be told already."""
        app = {**self._app(payload).said, "blocks": payload.get("blocks")}
        return [_ending(place, item) for place, item in self.items(payload["output_index"], app) if place < 0]

    def fail(self, payload: Json) -> list[Json] | None:
        """What is open of the call stays incomplete."""
        app, index, reason = self._app(payload), payload["output_index"], payload.get("error_message")
        said = {**app.said, "error_message": reason}
        pieces = [(n, _piece(said, n, {"type": block.type, "id": block.id})) for n, block in app.open()]
        return [_ending(piece_index(index, n), _unfinished(piece)) for n, piece in pieces] or (None if reason else [])

    def add_block(self, payload: Json) -> list[Json] | None:
        """A block begins; the event gives it no number."""
        app, block = self._app(payload), as_object(payload.get("block"))
        number = app.add(as_text(block.get("type")), as_text(block.get("id")))
        piece = _piece({}, number, {key: block.get(key) for key in ("type", "id")})
        begun = {key: value for key, value in piece.items() if key != ORIGIN} | {"status": "in_progress"}
        return [_on(payload, number, "output_item.added", item=begun)]

    def end_block(self, payload: Json) -> list[Json] | None:
        """A block is whole."""
        app, block = self._app(payload), as_object(payload.get("block"))
        number = app.end(as_text(block.get("type")), as_text(block.get("id")))
        return [_ending(piece_index(payload["output_index"], number), _piece(app.said, number, block))]

    # -- transcriptions --------------------------------------------------------------------------

    def hear(self, payload: Json, end: str) -> list[Json] | None:
        """A part of a transcription is `added` or `done`."""
        part = _heard(as_object(payload.get("part")) if end == "done" else {})
        return [_at(payload, f"content_part.{end}", part=part)]

    def say(self, payload: Json) -> list[Json] | None:
        """A piece of the text, with the time when it was said."""
        text = as_text(payload.get("delta"))
        told, place = [_at(payload, "output_text.delta", delta=text)], _part_of(payload)
        start = self._length.get(place, 0)
        self._length[place] = start + len(text)
        if payload.get("start_time") is not None and payload.get("end_time") is not None:
            self._cited.add(place)
            chunk = {"start_time": payload["start_time"], "end_time": payload["end_time"], "text": text}
            told.append(_cited(payload, _located(chunk, start)))
        return told

    def end_text(self, payload: Json) -> list[Json] | None:
        """The text is whole; its times, where its pieces told none."""
        placed = _placed(payload, as_text(payload.get("text"))) if _part_of(payload) not in self._cited else ()
        whole = _at(payload, "output_text.done", text=payload.get("text"))
        return [*(_cited(payload, chunk) for chunk in placed), whole]


def _on(payload: Json, number: int, told: str, **fields: Any) -> Json:
    return {"type": f"response.{told}", "output_index": piece_index(payload["output_index"], number), **fields}


def _in_block(payload: Json, told: str, **fields: Any) -> list[Json] | None:
    number = payload.get("block_index")
    return [_on(payload, number, told, **fields)] if type(number) is int and number >= 0 else None


def _ending(place: int, item: Json) -> Json:
    return {"type": "response.output_item.done", "output_index": place, "item": item}


def _unfinished(piece: Json) -> Json:
    return {key: value for key, value in piece.items() if key not in ("content", "summary")} | {"status": "incomplete"}


def _part_of(payload: Json) -> tuple[int, int]:
    number = payload.get("transcription_index")
    return payload["output_index"], number if type(number) is int else 0


def _at(payload: Json, told: str, **fields: Any) -> Json:
    index, number = _part_of(payload)
    place: Json = {"output_index": index, "item_id": payload.get("item_id"), "content_index": number}
    return {"type": f"response.{told}", **place, **fields}


def _cited(payload: Json, chunk: Json) -> Json:
    return _at(payload, "output_text.annotation.added", annotation=chunk)


# -- items -------------------------------------------------------------------------------------


def _piece(app: Json, number: int, block: Json) -> Json:
    """A block of the app as an item."""
    type_ = as_text(block.get("type"))
    tell = _BLOCKS.get(type_, _app_unknown)
    rest = {key: value for key, value in block.items() if key not in _TOLD_OF_TEXT and value is not None}
    origin = {key: value for key, value in app.items() if key not in _TOLD_OF_APP and value is not None}
    origin |= {"type": APP, "at": number, "block": {"type": type_, **rest}}
    said: Json = {"id": block.get("id"), "status": block.get("status"), **tell(block), ORIGIN: origin}
    return {key: value for key, value in said.items() if value is not None}


def _app_unknown(block: Json) -> Json:
    return {"type": f"{APP}.{as_text(block.get('type')) or 'block'}", "block": block}


def _app_text(block: Json) -> Json:
    text = as_text(block.get("text"))
    content = [{"type": "output_text", "text": text}] if text else []
    return {"type": "message", "role": "assistant", "content": content}


def _app_thoughts(block: Json) -> Json:
    text = as_text(block.get("reasoning_text"))
    content = [{"type": "reasoning_text", "text": text}] if text else []
    return {"type": "reasoning", "summary": [], "content": content}


def _app_search(block: Json) -> Json:
    queries = [query for query in as_list(block.get("queries")) if isinstance(query, str)]
    action: Json = {"type": "search", "query": queries[0] if queries else "", "queries": queries}
    cards = [as_object(as_object(result).get("text_card")) for result in as_list(block.get("results"))]
    if sources := [{"type": "url", "url": card["url"]} for card in cards if as_text(card.get("url"))]:
        action["sources"] = sources
    return {"type": _SEARCH, "action": action}


_BLOCKS: dict[str, Callable[[Json], Json]] = {
    "output_text": _app_text,
    "reasoning_text": _app_thoughts,
    "search": _app_search,
    "reasoning_search": _app_search,
}


def _spoken(item: Json) -> Json:
    rest = {key: value for key, value in item.items() if key not in _TOLD_OF_SPEECH}
    content = [_heard(as_object(part)) for part in as_list(item.get("transcription"))]
    said: Json = {"type": "message", "id": item.get("id"), "role": "assistant", "status": item.get("status")}
    return {**said, "content": content, ORIGIN: {"type": TRANSCRIPTION, **rest}}


def _heard(part: Json) -> Json:
    """A part of a transcription, its chunks as annotations of the text."""
    text = as_text(part.get("text"))
    return {"type": "output_text", "text": text, "annotations": _placed(part, text)}


def _placed(part: Json, text: str) -> list[Json]:
    """Each chunk where it is found in the text, one after the other."""
    chunks = [as_object(chunk) for chunk in as_list(part.get("chunks"))]
    spans = in_order(text, [as_text(chunk.get("text")) for chunk in chunks])
    return [
        _located(chunk, span.start) if span is not None else {"type": CHUNK, **chunk}
        for chunk, span in zip(chunks, spans, strict=True)
    ]


def _located(chunk: Json, start: int) -> Json:
    return {"type": CHUNK, **chunk, "start_index": start, "end_index": start + len(as_text(chunk.get("text")))}


_Tell = Callable[[ArkRetelling, Json], list[Json] | None]
_Row = tuple[Rule, _Tell]

_CALLED = approximated("told by the items that its blocks are")
_BLOCK = approximated("an item of its own: a message, a reasoning or a search")
_SEARCHED = approximated("a web search; both kinds of search are one, and the name of the state is not told")
_HEARD = approximated("a message, with its times beside the text")


def _text_events(told: str) -> dict[str, _Row]:
    """The events of a block's text."""

    def delta(_: ArkRetelling, payload: Json) -> list[Json] | None:
        return _in_block(payload, f"{told}.delta", content_index=0, delta=as_text(payload.get("delta")))

    def done(_: ArkRetelling, payload: Json) -> list[Json] | None:
        return _in_block(payload, f"{told}.done", content_index=0, text=payload.get("text"))

    return {f"response.{APP}_{told}.delta": (_BLOCK, delta), f"response.{APP}_{told}.done": (_BLOCK, done)}


def _search_event(phase: str) -> _Row:
    return _SEARCHED, lambda _, payload: _in_block(payload, f"{_SEARCH}.{phase}")


def _approval(_: ArkRetelling, payload: Json) -> list[Json] | None:
    """A request for approval, which comes whole, unless its item came already."""
    item = as_object(payload.get("function_mcp_approval_request"))
    if not item:
        return None
    said = {"output_index": payload["output_index"], "item": {**item, "type": "mcp_approval_request"}}
    return [{"type": f"response.output_item.{end}", **said} for end in ("added", "done")]


EVENTS: Final[dict[str, _Row]] = {
    f"response.{APP}.in_progress": (_CALLED, ArkRetelling.begin),
    f"response.{APP}.completed": (_CALLED, ArkRetelling.complete),
    f"response.{APP}.failed": (approximated("what is open stays incomplete"), ArkRetelling.fail),
    f"response.{APP}_block.added": (_BLOCK, ArkRetelling.add_block),
    f"response.{APP}_block.done": (_BLOCK, ArkRetelling.end_block),
    **_text_events("output_text"),
    **_text_events("reasoning_text"),
    # the SDK's classes of these two have their names exchanged; the type counts, and both are searches
    **{
        f"response.{APP}_{stem}.{phase}": _search_event(phase)
        for stem in ("search", "reasoning_search")
        for phase in ("in_progress", "searching", "completed")
    },
    "response.transcription_part.added": (_HEARD, lambda self, payload: self.hear(payload, "added")),
    "response.transcription_part.done": (_HEARD, lambda self, payload: self.hear(payload, "done")),
    "response.transcription_text.delta": (_HEARD, ArkRetelling.say),
    "response.transcription_text.done": (_HEARD, ArkRetelling.end_text),
    "response.mcp_approval_request": (approximated("the item itself, announced and done"), _approval),
}
"""Ark's own events: what becomes of each, and the family's events instead of it."""
