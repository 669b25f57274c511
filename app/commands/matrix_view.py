"""How the matrix is shown: as tables of a terminal, as lines for other programs, as Markdown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import get_args

from rich import box
from rich.table import Table
from rich.text import Text

from adapters.hub.coverage import Rule, Verdict

VERDICTS: tuple[str, ...] = get_args(Verdict)

_HINT = "a hint: its absence changes no answer"
_STYLES = {"exact": "green", "approximated": "cyan", "dropped": "yellow", "rejected": "red"}


@dataclass(frozen=True, slots=True)
class Row:
    """One word of a wire and its rule. `direction` is "requests" (to the vendor), "answers" (back) or "clients" (what
    its own clients say, to any other vendor).
    """

    vendor: str
    direction: str
    feature: str
    word: str
    rule: Rule

    @property
    def reason(self) -> str:
        return self.rule.reason or (_HINT if self.rule.verdict == "dropped" else "")

    @property
    def way(self) -> tuple[str, str]:
        return self.vendor, self.direction


def as_tables(rows: Sequence[Row], *, totals_only: bool) -> Iterator[Table]:
    """One table for each vendor and direction, and the totals."""
    ways = () if totals_only else groupby(rows, lambda row: row.way)
    for way, words in ways:
        table = Table("feature", "word", "verdict", "reason", title=_title(way), title_justify="left", box=box.SIMPLE)
        for feature, members in groupby(words, lambda row: row.feature):
            _add_feature(table, feature, members)
        yield table
    table = Table("vendor", "direction", title="totals", title_justify="left", box=box.SIMPLE)
    for verdict in VERDICTS:
        table.add_column(verdict, justify="right", style=_STYLES[verdict])
    for way, counts in _totals(rows):
        table.add_row(*way, *(str(count) for count in counts))
    yield table


def _add_feature(table: Table, feature: str, rows: Iterable[Row]) -> None:
    for number, row in enumerate(rows):
        verdict = Text(row.rule.verdict, _STYLES[row.rule.verdict])
        table.add_row(Text("" if number else feature, "bold"), Text(row.word), verdict, Text(row.reason))
    table.add_section()


def as_lines(rows: Sequence[Row], *, totals_only: bool) -> Iterator[str]:
    """Fields between tabs, each kind of line after its own heading."""
    if not totals_only:
        yield "\t".join(("vendor", "direction", "feature", "word", "verdict", "reason"))
        for row in rows:
            yield "\t".join((*row.way, row.feature, row.word, row.rule.verdict, row.reason))
        yield ""
    yield "\t".join(("vendor", "direction", *VERDICTS))
    for way, counts in _totals(rows):
        yield "\t".join((*way, *(str(count) for count in counts)))


def as_markdown(rows: Sequence[Row], *, totals_only: bool) -> str:
    """A document with a section for each vendor and direction, and a table for each feature."""
    lines: list[str] = []
    for way, words in () if totals_only else groupby(rows, lambda row: row.way):
        lines += [f"## {_title(way)}", ""]
        for feature, members in groupby(words, lambda row: row.feature):
            told = ((f"`{row.word}`", row.rule.verdict, row.reason) for row in members)
            lines += [f"### {feature}", "", *_markdown_table(("word", "verdict", "reason"), told), ""]
    counted = ((*way, *(str(count) for count in counts)) for way, counts in _totals(rows))
    return "\n".join([*lines, "## totals", "", *_markdown_table(("vendor", "direction", *VERDICTS), counted)])


def _markdown_table(heading: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    for row in (heading, ["---"] * len(heading), *rows):
        yield "| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |"


def _title(way: tuple[str, str]) -> str:
    vendor, direction = way
    return f"{vendor}: {direction}"


def _totals(rows: Sequence[Row]) -> Iterator[tuple[tuple[str, str], list[int]]]:
    counts = Counter((row.way, row.rule.verdict) for row in rows)
    for way in dict.fromkeys(row.way for row in rows):
        yield way, [counts[way, verdict] for verdict in VERDICTS]
