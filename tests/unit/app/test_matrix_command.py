"""`dragoman matrix`: which rows it prints, in which form, and what it refuses."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest
from typer.testing import CliRunner, Result

import adapters
from adapters.hub.coverage import EXACT, Coverage, Rows, approximated, dropped, rejected
from app.cli import build

COVERAGE = Coverage(
    requests={
        "field": {"model": EXACT, "user": dropped(""), "truncation": dropped("nothing is shortened")},
        "tool": {"web_search": approximated("its own | search"), "computer": rejected("no [screens] here")},
    },
    answers={"event": {"response.created": EXACT}},
)


TWO = Coverage(answers={"step": {"thought": EXACT}})


@dataclass
class FakeSurface:
    """A dialect with rows."""

    requests: Rows


@dataclass
class FakeAdapter:
    """A vendor with rows."""

    coverage: Coverage = field(default_factory=Coverage)
    surface: FakeSurface | None = None


@pytest.fixture(autouse=True)
def vendors(monkeypatch: pytest.MonkeyPatch) -> None:
    known = {
        "one": FakeAdapter(COVERAGE),
        "two": FakeAdapter(TWO, FakeSurface({"step": {"oath": rejected("nobody else swears")}})),
    }
    monkeypatch.setattr(adapters, "names", lambda: tuple(known))
    monkeypatch.setattr(adapters, "load", known.__getitem__)


def run(*options: str, terminal: bool = False) -> Result:
    environment = {"TTY_COMPATIBLE": "1" if terminal else "0", "COLUMNS": "120", "NO_COLOR": "1"}
    return CliRunner().invoke(build(["matrix"]), ["matrix", *options], env=environment)


def words(result: Result) -> list[str]:
    """The words of the rows that were printed as lines."""
    assert result.exit_code == 0, result.output
    return [line.split("\t")[3] for line in result.output.partition("\n\n")[0].splitlines()[1:]]


def test_every_row_is_a_line_with_its_reason() -> None:
    printed = run().output.splitlines()
    assert printed[0] == "vendor\tdirection\tfeature\tword\tverdict\treason"
    assert printed[1:7] == [
        "one\trequests\tfield\tmodel\texact\t",
        "one\trequests\tfield\tuser\tdropped\ta hint: its absence changes no answer",
        "one\trequests\tfield\ttruncation\tdropped\tnothing is shortened",
        "one\trequests\ttool\tweb_search\tapproximated\tits own | search",
        "one\trequests\ttool\tcomputer\trejected\tno [screens] here",
        "one\tanswers\tevent\tresponse.created\texact\t",
    ]


def test_the_totals_are_counted_for_each_vendor_and_direction() -> None:
    assert run("--totals").output.splitlines() == [
        "vendor\tdirection\texact\tapproximated\tdropped\trejected",
        "one\trequests\t1\t1\t2\t1",
        "one\tanswers\t1\t0\t0\t0",
        "two\tanswers\t1\t0\t0\t0",
        "two\tclients\t0\t0\t0\t1",
    ]
    assert run().output.endswith(run("--totals").output)


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (["--vendor", "two"], ["thought", "oath"]),
        (["--vendor", "two", "--vendor", "one", "--feature", "event", "--feature", "step"],
         ["thought", "oath", "response.created"]),
        (["--feature", "tool"], ["web_search", "computer"]),
        (["--verdict", "dropped", "--verdict", "rejected"], ["user", "truncation", "computer", "oath"]),
        (["--feature", "tool", "--verdict", "exact"], []),
    ],
)  # fmt: skip
def test_rows_are_chosen(options: list[str], expected: list[str]) -> None:
    assert words(run(*options)) == expected


@pytest.mark.parametrize(
    ("options", "known"),
    [
        (["--vendor", "three"], "one, two"),
        (["--feature", "colour"], "event, field, step, tool"),
        (["--verdict", "fine"], "approximated"),
    ],
)
def test_an_unknown_name_is_refused_with_those_that_are_known(options: list[str], known: str) -> None:
    result = run(*options)
    assert result.exit_code == 2
    assert known in result.output


def test_a_terminal_sees_tables() -> None:
    printed = run(terminal=True).output
    assert "\t" not in printed
    assert all(word in printed for word in ("one: requests", "two: answers", "no [screens] here", "totals"))
    assert "truncation" not in run("--totals", terminal=True).output


def test_markdown_has_a_table_for_each_feature() -> None:
    printed = run("--markdown", "--vendor", "one").output
    assert "## one: requests\n\n### field\n\n| word | verdict | reason |\n" in printed
    assert "| `web_search` | approximated | its own \\| search |\n" in printed
    assert printed.endswith("| one | answers | 1 | 0 | 0 | 0 |\n")
    assert run("--markdown", "--totals").output.startswith("## totals\n")
