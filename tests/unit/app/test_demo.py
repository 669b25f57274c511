"""`dragoman demo`: an answer is read from its events, and shown with its citations on the right characters."""

from __future__ import annotations

import json
from io import StringIO
from typing import Any

import pytest
from rich.console import Console

from app.commands.answer import Answer, Passage, covered, kind, source
from app.commands.demo_view import marked, render

URL = {"type": "url_citation", "url": "https://a.example", "title": "A", "start_index": 0, "end_index": 4}
FILE = {"type": "file_citation", "file_id": "f1", "filename": "園.pdf", "index": 4}
PATH = {"type": "file_path", "file_id": "f2", "index": 0}
WORD = {"type": "word_info", "text": "bc", "start_index": 5, "end_index": 7}


def feed(answer: Answer, kind: str, **fields: Any) -> None:
    answer.feed(json.dumps({"type": f"response.{kind}", **fields}).encode())


def answered() -> Answer:
    answer = Answer()
    at = {"output_index": 0, "content_index": 0}
    feed(answer, "created", response={"status": "in_progress", "x_dragoman": {"v": "w"}})
    for piece in ("東京 🗼", " bc"):
        feed(answer, "output_text.delta", delta=piece, **at)
    for annotation in (URL, FILE):
        feed(answer, "output_text.annotation.added", annotation=annotation, **at)
    beside = [{"at": 2, "raw": WORD}, {"at": 3, "raw": WORD}]
    feed(answer, "content_part.done", part={"type": "output_text", "x_dragoman": {"annotations": beside}}, **at)
    losses = [{"path": "a.b", "reason": "no word for it"}]
    feed(answer, "completed", response={"status": "completed", "error": None, "x_dragoman": {"losses": losses}})
    return answer


def shown(answer: Answer) -> str:
    page = StringIO()
    Console(width=120, file=page).print(render("vendor", "model", answer))
    return page.getvalue()


def test_an_answer_collects_what_the_events_say() -> None:
    answer = answered()
    assert answer.runs == [
        ("created", 1),
        ("output_text.delta", 2),
        ("output_text.annotation.added", 2),
        ("content_part.done", 1),
        ("completed", 1),
    ]
    assert [annotation for _, annotation in answer.citations] == [URL, FILE]
    assert (answer.status, answer.error, answer.losses) == ("completed", None, ["a.b: no word for it"])


@pytest.mark.parametrize(
    ("body", "said"),
    [(b'{"error":{"message":"slow down"}}', "slow down"), (b"<html>", "<html>"), (b"[]", "[]"), (b"\xff", "\ufffd")],
)
def test_a_refusal_is_kept_in_words(body: bytes, said: str) -> None:
    answer = Answer()
    answer.refuse(429, body)
    assert (answer.status, answer.error) == ("HTTP 429", said)
    assert said in shown(answer)


def test_a_failure_tells_why() -> None:
    answer = Answer()
    feed(answer, "failed", response={"status": "failed", "error": {"code": "server_error", "message": "it broke"}})
    assert (answer.status, answer.error) == ("failed", "it broke")


@pytest.mark.parametrize(
    ("annotation", "span", "pointed"),
    [
        (URL, (0, 4), "A · https://a.example"),
        (FILE, (4, 4), "園.pdf · f1"),
        (PATH, None, "f2"),
        (WORD, (5, 7), "bc"),
    ],
)
def test_an_annotation_in_a_line(annotation: dict[str, Any], span: tuple[int, int] | None, pointed: str) -> None:
    assert (covered(annotation), source(annotation)) == (span, pointed)


def test_a_type_tells_what_the_vendor_called_it() -> None:
    assert kind(URL) == "url_citation"
    assert kind({**URL, "x_dragoman": {"v": "w", "raw": {"type": "place_citation"}}}) == "url_citation ← place_citation"
    assert kind({**URL, "x_dragoman": {"v": "w", "raw": {"type": "url_citation"}}}) == "url_citation"


def test_the_head_tells_only_what_the_end_did_not() -> None:
    answer = answered()
    answer.note("a.b, tools[0].filters,")
    assert answer.losses == ["a.b: no word for it", "tools[0].filters"]


def test_marks_stand_where_the_citations_end() -> None:
    passage = Passage("東京 🗼 bc", [URL, FILE, PATH, WORD, {**URL, "end_index": 99}])
    text = marked(passage, 1)
    assert text.plain == "東京 🗼[1][2] bc[3][4][5]"
    lines = [text.plain[span.start : span.end] for span in text.spans if span.style == "underline"]
    assert lines[0] == "東京 🗼"
    assert "".join(lines).count("bc") == 2


def test_the_page_without_a_terminal() -> None:
    page = shown(answered())
    for words in (
        "vendor · model · completed",
        "東京 🗼[1][2] bc",
        "url_citation",
        "0–4",
        "at 4",
        "園.pdf · f1",
        "7 events: created › output_text.delta ×2 › output_text.annotation.added ×2 › content_part.done › completed",
        "in x_dragoman: 2 word_info",
        "a.b: no word for it",
    ):
        assert words in page
    assert "\x1b" not in page
