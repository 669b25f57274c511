"""`dragoman check`: what it prints, and the exit code, for good input, broken input and no input at all."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

import adapters
from adapters.hub.adapter import Surface
from adapters.hub.verdict import Verdict, Violation
from adapters.responses import grammar
from adapters.sse import SseEvent
from app.commands import wires
from app.commands.check import check

RESPONSE = b'{"id":"r","object":"response","created_at":1,"model":"m","status":"%b","output":[],' + (
    b'"parallel_tool_calls":true,"tool_choice":"auto","tools":[]}'
)
CREATED = b'event: response.created\ndata: {"type":"response.created","sequence_number":0,"response":%b}\n\n' % (
    RESPONSE % b"in_progress"
)
COMPLETED = b'event: response.completed\ndata: {"type":"response.completed","sequence_number":%b,"response":%b}\n\n'
GOOD = CREATED + COMPLETED % (b"1", RESPONSE % b"completed")
GAP = CREATED + COMPLETED % (b"7", RESPONSE % b"completed")


class FakeAdapter:
    """A vendor that has a face of its own and the face in question."""

    def __init__(self, surface: Surface | None) -> None:
        self.surface = surface


@pytest.fixture(autouse=True)
def vendors(monkeypatch: pytest.MonkeyPatch) -> None:
    unused: Any = None
    surface = Surface("other", (), "", unused, unused, unused, unused)
    faces = {"none": None, "other": surface, "right": replace(surface, dialect="responses", check=grammar.check)}
    monkeypatch.setattr(adapters, "names", lambda: tuple(faces))
    monkeypatch.setattr(adapters, "load", lambda name: FakeAdapter(faces[name]))  # pyright: ignore[reportUnknownLambdaType, reportUnknownArgumentType]


@pytest.fixture
def cli() -> typer.Typer:
    app = typer.Typer()
    app.command()(check)
    return app


@pytest.mark.parametrize(
    ("recording", "code", "output"),
    [
        (GOOD, 0, "well formed: 2 events, 0 items\n"),
        (GOOD.replace(b"\n", b"\r\n"), 0, "well formed: 2 events, 0 items\n"),
        (GAP, 1, "event 2 (response.completed, sequence_number 7): sequence-order: "),
        (CREATED, 1, "event 2 (end of input): terminal-missing: "),
        (b"data: {}\n\n" + GOOD, 1, "event 1 (without a type): "),
    ],
)
def test_a_stream(cli: typer.Typer, recording: bytes, code: int, output: str) -> None:
    result = CliRunner().invoke(cli, input=recording)
    assert (result.exit_code, result.stdout[: len(output)]) == (code, output)


@pytest.mark.parametrize("recording", [b"", b"hello\n", b'{"object":"response"}\n', b": ping\n\n", b"\xff\x00"])
def test_what_is_no_stream(cli: typer.Typer, recording: bytes) -> None:
    result = CliRunner().invoke(cli, input=recording)
    assert (result.exit_code, result.stdout, result.stderr) == (2, "", "the input is no event stream\n")


def test_a_file(cli: typer.Typer, tmp_path: Path) -> None:
    path = tmp_path / "stream.sse"
    path.write_bytes(GOOD)
    assert CliRunner().invoke(cli, [str(path)]).stdout == "well formed: 2 events, 0 items\n"
    assert CliRunner().invoke(cli, [str(tmp_path / "absent.sse")]).exit_code == 2
    assert CliRunner().invoke(cli, [str(tmp_path)]).exit_code == 2


@pytest.mark.parametrize("name", ["responses", "right"])
def test_the_dialect_by_either_name(cli: typer.Typer, name: str) -> None:
    assert CliRunner().invoke(cli, ["--dialect", name], input=GOOD).exit_code == 0


@pytest.mark.parametrize("name", ["other", "none", "nobody"])
def test_a_dialect_that_nobody_checks(cli: typer.Typer, name: str) -> None:
    result = CliRunner().invoke(cli, ["--dialect", name], input=GOOD)
    assert (result.exit_code, result.stdout) == (2, "")


def test_a_resumed_stream(cli: typer.Typer) -> None:
    rest = COMPLETED % (b"7", RESPONSE % b"completed")
    assert CliRunner().invoke(cli, input=rest).exit_code == 1
    assert CliRunner().invoke(cli, ["--resumed"], input=rest).stdout == "well formed: 1 event, 0 items\n"


@pytest.mark.parametrize("offsets", [None, "utf16"])
def test_what_places_count(cli: typer.Typer, monkeypatch: pytest.MonkeyPatch, offsets: str | None) -> None:
    def judge(events: Iterable[SseEvent], **given: Any) -> Verdict:
        return Verdict(len(list(events)), 0, (Violation(1, "t", None, "rule", str(given["offsets"])),))

    surface = adapters.load("right").surface
    assert surface is not None
    judged = replace(surface, check=judge)
    monkeypatch.setattr(wires, "surfaces", lambda: {"responses": ("right", judged)})
    arguments = [] if offsets is None else ["--offsets", offsets]
    assert CliRunner().invoke(cli, arguments, input=GOOD).stdout == f"event 1 (t): rule: {offsets}\n"
