"""How the demonstration shows an answer: the text with its citations marked, sources, events, losses."""

from __future__ import annotations

from collections.abc import Iterator

from rich import box
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from app.commands.answer import Answer, Passage, covered, kind, source

_EXCERPT = 34  # code points of a cited text that are shown
_STYLES = {"completed": "green", "incomplete": "yellow", "in_progress": "cyan"}


def render(provider: str, model: str, answer: Answer) -> RenderableType:
    """The whole answer so far; every number in it counts Unicode code points."""
    title = Text.assemble((provider, "bold cyan"), f" · {model} · ", (answer.status, _STYLES.get(answer.status, "red")))
    parts: list[RenderableType] = [*_passages(answer), *_sources(answer), *_aside(answer)]
    if answer.runs:
        parts += [_events(answer), _losses(answer)]
    if answer.error:
        parts.insert(0, Text(answer.error, "red"))
    return Group(Rule(title, align="left", style="dim"), *(Padding(part, (0, 2, 1, 2), expand=False) for part in parts))


def marked(passage: Passage, first: int) -> Text:
    """The passage with what is cited underlined and a number, from `first` on, where each citation ends."""
    text = Text(passage.text)
    marks: list[tuple[int, int]] = []
    for number, annotation in enumerate(passage.annotations, first):
        span = covered(annotation)
        if span is not None:
            text.stylize("underline", *span)
        marks.append((span[1] if span else len(passage.text), number))
    marks.sort()
    pieces = text.divide([min(end, len(passage.text)) for end, _ in marks])
    whole = Text()
    for piece, mark in zip(pieces, [*marks, None], strict=True):
        whole.append_text(piece)
        if mark is not None:
            whole.append(f"[{mark[1]}]", "bold magenta")
    return whole


def _passages(answer: Answer) -> Iterator[Text]:
    number = 1
    for passage in answer.passages.values():
        yield marked(passage, number)
        number += len(passage.annotations)


def _sources(answer: Answer) -> Iterator[Table]:
    table = Table("", "type", "code points", "covers", "source", box=box.SIMPLE, pad_edge=False, header_style="dim")
    for number, (passage, annotation) in enumerate(answer.citations, 1):
        span = covered(annotation)
        table.add_row(
            Text(f"[{number}]", "bold magenta"),
            kind(annotation),
            _place(span),
            Text(_excerpt(passage.text[slice(*span)]) if span else ""),
            Text(source(annotation), overflow="fold"),
        )
    if table.row_count:
        yield table


def _aside(answer: Answer) -> Iterator[Text]:
    if answer.aside:
        counts = ", ".join(f"{count} {kind}" for kind, count in answer.aside.items())
        yield Text(f"beside the text, in x_dragoman: {counts}", "cyan")


def _place(span: tuple[int, int] | None) -> str:
    if span is None:
        return "–"
    return f"at {span[0]}" if span[0] == span[1] else f"{span[0]}–{span[1]}"


def _excerpt(text: str) -> str:
    return text if len(text) <= _EXCERPT else text[: _EXCERPT - 1] + "…"


def _events(answer: Answer) -> Text:
    text = Text(f"{sum(count for _, count in answer.runs)} events: ", "dim")
    for place, (name, count) in enumerate(answer.runs):
        text.append(" › " if place else "", "dim")
        text.append(name)
        text.append(f" ×{count}" if count > 1 else "", "cyan")
    return text


def _losses(answer: Answer) -> Text:
    if not answer.losses:
        return Text("lost in translation: nothing", "green")
    return Text("\n  ".join(["lost in translation:", *answer.losses]), "yellow")
