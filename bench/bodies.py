"""Canned vendor answers, written out for the mock: each as a stream and as JSON, in three vendors' wires."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import accumulate
from pathlib import Path
from typing import Any

Json = dict[str, Any]

STAMP = "#0000000000000000"
"""In a paced stream the mock puts its clock here, in microseconds, so that the reader can take each event's delay."""

CREATED_AT = 1_790_000_000

_ENGLISH_TEXT = (
    "Keepers of the old harbour light wrote down the wind, the tide and every passing sail, "
    "and when the lamp was moved to the north pier they carried the ledgers up by hand. "
)
_ENGLISH = _ENGLISH_TEXT.split()
_CJK = (
    "港の灯台は百年前に建てられ、毎晩同じ時刻に光を送る🌊。记录显示，风暴那一年灯塔守护者没有离开过一天。"
    "등대지기는 파도 소리를 들으며 일기를 썼다。観光客は展望台から島々を眺めることができる🗼。"
)


@dataclass(frozen=True, slots=True)
class Citation:
    """A source of one stretch of the text, in code points, half-open."""

    start: int
    end: int
    title: str
    url: str


@dataclass(frozen=True, slots=True)
class Answer:
    """What every vendor says in its own wire: the pieces of a text, and the citation that follows a piece."""

    name: str
    pieces: tuple[str, ...]
    citations: dict[int, Citation]

    @property
    def text(self) -> str:
        return "".join(self.pieces)


def _cited(pieces: tuple[str, ...], every: int) -> dict[int, Citation]:
    """After each `every` pieces, one citation of the last two of them."""
    ends = list(accumulate(map(len, pieces)))
    return {
        last: Citation(
            ends[last - 2],
            ends[last],
            f"灯台日誌 第{number}巻",
            f"https://lighthouse.example/ledger/{number}?q=%E7%81%AF%E5%8F%B0",
        )
        for number, last in enumerate(range(every - 1, len(pieces), every), 1)
    }


def _english(count: int) -> tuple[str, ...]:
    return tuple(_ENGLISH[at % len(_ENGLISH)] + " " for at in range(count))


def _cjk(count: int, size: int = 6) -> tuple[str, ...]:
    text = _CJK * (1 + count * size // len(_CJK))
    return tuple(text[at * size : (at + 1) * size] for at in range(count))


_ANNOTATED = _cjk(200)
ANSWERS = {
    answer.name: answer
    for answer in (
        Answer("short", _english(20), {}),
        Answer("long", _english(1000), {}),
        Answer("annot", _ANNOTATED, _cited(_ANNOTATED, 4)),
        Answer("paced", (STAMP + " ",) * 200, {}),
        Answer("slow", (STAMP + " ",) * 8, {}),
        Answer("brief", (STAMP + " ",) * 20, {}),
    )
}


def dumps(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _frames(events: Iterator[Json], name_key: str) -> Iterator[str]:
    for event in events:
        yield f"event: {event[name_key]}\ndata: {dumps(event)}\n\n"


# OpenAI and Ark speak the same family of events; the tables below hold where they differ.

_COMMON: Json = {
    "object": "response",
    "created_at": CREATED_AT,
    "error": None,
    "incomplete_details": None,
    "instructions": "Answer briefly.",
    "max_output_tokens": 2048,
    "parallel_tool_calls": True,
    "previous_response_id": None,
    "service_tier": "default",
    "store": False,
    "temperature": 1.0,
    "tool_choice": "auto",
    "top_p": 1.0,
}
_OPENAI: Json = {
    "id": "resp_" + "5e0f" * 12,
    "model": "gpt-5-mini-2025-08-07",
    "background": False,
    "max_tool_calls": None,
    "prompt_cache_key": None,
    "reasoning": {"effort": "none", "summary": None},
    "safety_identifier": None,
    "text": {"format": {"type": "text"}, "verbosity": "medium"},
    "tools": [{"type": "web_search", "filters": None, "search_context_size": "medium", "user_location": None}],
    "top_logprobs": 0,
    "truncation": "disabled",
    "user": None,
    "metadata": {},
}
_ARK: Json = {
    "id": "resp_" + "02a7" * 12,
    "model": "doubao-seed-1-6-250615",
    "caching": {"type": "disabled"},
    "expire_at": CREATED_AT + 259_200,
    "text": {"format": {"type": "text"}},
    "thinking": {"type": "disabled"},
    "tools": [{"type": "web_search", "limit": 10, "max_keyword": 3}],
}
_ENVELOPE: Json = {"id": "msg_" + "b81c" * 12, "type": "message", "role": "assistant"}


def _openai_citation(citation: Citation) -> Json:
    return {
        "type": "url_citation",
        "start_index": citation.start,
        "end_index": citation.end,
        "title": citation.title,
        "url": citation.url,
    }


def _ark_citation(citation: Citation) -> Json:
    """Ark gives no offsets: a citation belongs where it arrives."""
    return {
        "type": "url_citation",
        "title": citation.title,
        "url": citation.url,
        "site_name": "灯台新聞",
        "publish_time": "2026年11月01日 09:00:00(CST) 星期日",
        "summary": _CJK[:60],
    }


@dataclass(frozen=True, slots=True)
class Member:
    """A member of the Responses family, by its differences."""

    constants: Json
    delta_extra: Json
    part_extra: Json
    input_extra: Json
    cite: Callable[[Citation], Json]
    epilogue: str


OPENAI = Member(
    constants=_COMMON | _OPENAI,
    delta_extra={"logprobs": [], "obfuscation": "q7Zr1v"},
    part_extra={"logprobs": []},
    input_extra={"cache_write_tokens": 0},
    cite=_openai_citation,
    epilogue="",
)
ARK = Member(
    constants=_COMMON | _ARK,
    delta_extra={},
    part_extra={},
    input_extra={},
    cite=_ark_citation,
    epilogue="data: [DONE]\n\n",
)


def _responses_usage(member: Member, answer: Answer) -> Json:
    count = len(answer.pieces)
    return {
        "input_tokens": 90,
        "input_tokens_details": {"cached_tokens": 0} | member.input_extra,
        "output_tokens": count,
        "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": 90 + count,
    }


def _message(member: Member, answer: Answer) -> Json:
    annotations = [member.cite(citation) for citation in answer.citations.values()]
    part = {"type": "output_text", "annotations": annotations, "text": answer.text} | member.part_extra
    return _ENVELOPE | {"status": "completed", "content": [part]}


def responses_json(member: Member, answer: Answer) -> Json:
    usage = _responses_usage(member, answer)
    return member.constants | {"status": "completed", "output": [_message(member, answer)], "usage": usage}


def _responses_deltas(member: Member, answer: Answer, at: Json) -> Iterator[Json]:
    cited = 0
    for index, piece in enumerate(answer.pieces):
        yield {"type": "response.output_text.delta", **at, "delta": piece, **member.delta_extra}
        if citation := answer.citations.get(index):
            annotation = {"annotation_index": cited, "annotation": member.cite(citation)}
            yield {"type": "response.output_text.annotation.added", **at, **annotation}
            cited += 1


def _responses_walk(member: Member, answer: Answer) -> Iterator[Json]:
    response = responses_json(member, answer)
    item: Json = response["output"][0]
    part: Json = item["content"][0]
    started: Json = response | {"status": "in_progress", "output": [], "usage": None}
    at: Json = {"item_id": item["id"], "output_index": 0, "content_index": 0}
    yield {"type": "response.created", "response": started}
    yield {"type": "response.in_progress", "response": started}
    opening: Json = item | {"status": "in_progress", "content": []}
    yield {"type": "response.output_item.added", "output_index": 0, "item": opening}
    yield {"type": "response.content_part.added", **at, "part": part | {"annotations": [], "text": ""}}
    yield from _responses_deltas(member, answer, at)
    yield {"type": "response.output_text.done", **at, "text": answer.text, **member.part_extra}
    yield {"type": "response.content_part.done", **at, "part": part}
    yield {"type": "response.output_item.done", "output_index": 0, "item": item}
    yield {"type": "response.completed", "response": response}


def responses_stream(member: Member, answer: Answer) -> str:
    numbered = (event | {"sequence_number": number} for number, event in enumerate(_responses_walk(member, answer)))
    return "".join(_frames(numbered, "type")) + member.epilogue


# Gemini Interactions: offsets count UTF-8 bytes.

_INTERACTION: Json = {
    "id": "v1_" + "Q2hvbGlnaHQ" * 4,
    "object": "interaction",
    "model": "gemini-3-flash-preview",
    "created": "2026-11-01T09:00:00Z",
    "updated": "2026-11-01T09:00:01Z",
}


def _gemini_citation(text: str, citation: Citation) -> Json:
    start, end = (len(text[:at].encode()) for at in (citation.start, citation.end))
    return _openai_citation(citation) | {"start_index": start, "end_index": end}


def _gemini_usage(answer: Answer) -> Json:
    count = len(answer.pieces)
    return {
        "total_tokens": 90 + count,
        "total_input_tokens": 90,
        "input_tokens_by_modality": [{"modality": "text", "tokens": 90}],
        "total_cached_tokens": 0,
        "total_output_tokens": count,
        "total_tool_use_tokens": 0,
        "total_thought_tokens": 0,
    }


def gemini_json(answer: Answer) -> Json:
    text = answer.text
    annotations = [_gemini_citation(text, citation) for citation in answer.citations.values()]
    step = {"type": "model_output", "content": [{"type": "text", "text": text, "annotations": annotations}]}
    return _INTERACTION | {"status": "completed", "steps": [step], "usage": _gemini_usage(answer)}


def _gemini_walk(answer: Answer) -> Iterator[Json]:
    text = answer.text
    status: Json = {"event_type": "interaction.status_update", "interaction_id": _INTERACTION["id"]}
    yield {"interaction": _INTERACTION | {"status": "in_progress"}, "event_type": "interaction.created"}
    yield status | {"status": "in_progress"}
    yield {"index": 0, "step": {"type": "model_output"}, "event_type": "step.start"}
    for index, piece in enumerate(answer.pieces):
        yield {"index": 0, "delta": {"text": piece, "type": "text"}, "event_type": "step.delta"}
        if citation := answer.citations.get(index):
            delta: Json = {"annotations": [_gemini_citation(text, citation)], "type": "text_annotation_delta"}
            yield {"index": 0, "delta": delta, "event_type": "step.delta"}
    yield {"index": 0, "event_type": "step.stop"}
    done = _INTERACTION | {"status": "completed", "usage": _gemini_usage(answer)}
    yield {"interaction": done, "event_type": "interaction.completed"}


def gemini_stream(answer: Answer) -> str:
    return "".join(_frames(_gemini_walk(answer), "event_type")) + "event: done\ndata: [DONE]\n\n"


@dataclass(frozen=True, slots=True)
class Wire:
    """How one vendor says an answer: as a stream, and as JSON."""

    stream: Callable[[Answer], str]
    json: Callable[[Answer], Json]


WIRES = {
    "openai": Wire(lambda a: responses_stream(OPENAI, a), lambda a: responses_json(OPENAI, a)),
    "ark": Wire(lambda a: responses_stream(ARK, a), lambda a: responses_json(ARK, a)),
    "gemini": Wire(gemini_stream, gemini_json),
}


@cache
def event_count(vendor: str, name: str) -> int:
    """Upstream events of one streamed answer, the closing sentinel included."""
    return WIRES[vendor].stream(ANSWERS[name]).count("\n\n")


def write(folder: Path) -> list[Path]:
    """Write every body as `VENDOR.NAME.sse` and `VENDOR.NAME.json`; give the paths."""
    folder.mkdir(parents=True, exist_ok=True)
    paths: list[Path] = []
    for vendor, wire in WIRES.items():
        for name, answer in ANSWERS.items():
            for text, form in ((wire.stream(answer), "sse"), (dumps(wire.json(answer)), "json")):
                path = folder / f"{vendor}.{name}.{form}"
                path.write_text(text, encoding="utf-8")
                paths.append(path)
    return paths
