"""`dragoman matrix`: what becomes of every word of every wire, as the adapters' own rows say."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import StrEnum
from typing import Annotated

import typer
from rich.console import Console

import adapters
from app.commands.matrix_view import Row, as_lines, as_markdown, as_tables


class Verdict(StrEnum):
    """What may become of a word."""

    EXACT = "exact"
    APPROXIMATED = "approximated"
    DROPPED = "dropped"
    REJECTED = "rejected"


def matrix(
    vendor: Annotated[list[str] | None, typer.Option(help="Only this vendor; may be repeated.")] = None,
    feature: Annotated[list[str] | None, typer.Option(help='Only this feature, as "tool"; may be repeated.')] = None,
    verdict: Annotated[list[Verdict] | None, typer.Option(help="Only these verdicts; may be repeated.")] = None,
    *,
    totals: Annotated[bool, typer.Option("--totals", help="Only how many words each vendor has of each.")] = False,
    markdown: Annotated[bool, typer.Option("--markdown", help="Write Markdown.")] = False,
) -> None:
    """Print what becomes of each word: of a request on its way to a vendor, of the vendor's answer on its way back, and
    of what the vendor's own clients say on its way to any other vendor.

    Where the output is no terminal, each word is one line of fields between tabs, and the totals follow an empty line.
    """
    found = list(_rows(_known(vendor, adapters.names(), "--vendor")))
    wanted = _known(feature, sorted({row.feature for row in found}), "--feature")
    verdicts = tuple(word.value for word in verdict or Verdict)
    chosen = [row for row in found if row.feature in wanted and row.rule.verdict in verdicts]
    console = Console()
    if markdown:
        typer.echo(as_markdown(chosen, totals_only=totals))
    elif console.is_terminal:
        for table in as_tables(chosen, totals_only=totals):
            console.print(table)
    else:
        for line in as_lines(chosen, totals_only=totals):
            typer.echo(line)


def _known(asked: Sequence[str] | None, known: Sequence[str], option: str) -> Sequence[str]:
    """What is asked for, or all that is known."""
    for name in asked or ():
        if name not in known:
            raise typer.BadParameter(f"no {name!r}; there are {', '.join(known)}", param_hint=option)
    return asked or known


def _rows(vendors: Sequence[str]) -> Iterator[Row]:
    for name in vendors:
        adapter = adapters.load(name)
        ways = {"requests": adapter.coverage.requests, "answers": adapter.coverage.answers}
        if adapter.surface is not None:
            ways["clients"] = adapter.surface.requests
        for direction, features in ways.items():
            for feature, words in features.items():
                for word, rule in words.items():
                    yield Row(name, direction, feature, word, rule)
