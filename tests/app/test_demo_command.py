"""`dragoman demo` from end to end: sandbox, gateway and client over real sockets in one process."""

from __future__ import annotations

import socket

import pytest
import typer
from typer.testing import CliRunner, Result

import adapters
from app.commands.demo import demo

CLI = typer.Typer()
CLI.command()(demo)


def run(*arguments: str) -> Result:
    return CliRunner().invoke(CLI, ["--pace", "0", *arguments])


def sections(page: str) -> dict[str, str]:
    """What is shown of each vendor, by its name."""
    starts = sorted((page.index(f"{name} · "), name) for name in adapters.names())
    ends = [start for start, _ in starts[1:]] + [len(page)]
    return {name: page[start:end] for (start, name), end in zip(starts, ends, strict=True)}


def test_every_vendor_cites_on_the_right_characters() -> None:
    result = run()
    assert result.exit_code == 0, result.output
    shown = sections(result.stdout)
    for part in shown.values():
        assert " · completed" in part
        assert "[1]" in part
        assert "events: created › in_progress › " in part
    assert "浅草寺へ。[1][2]The teahouse 🍵 by the pond opens at nine.[3]" in shown["gemini"]
    assert "url_citation ← place_citation" in shown["gemini"]
    assert "2 word_info, 1 speech_metadata" in shown["gemini"]
    assert "file_citation ← doc_citation" in shown["ark"]
    assert "/mnt/data/budget.csv[3])" in shown["openai"]


def test_a_wish_that_a_vendor_cannot_be_told_is_shown_as_lost() -> None:
    shown = sections(run("--fidelity", "strict").stdout)
    assert "text.verbosity" in shown["gemini"]
    assert "lost in translation: nothing" in shown["openai"]
    assert "x_dragoman" not in shown["gemini"]


@pytest.mark.parametrize(
    ("prompt", "exit_code", "said"),
    [
        ("[[429]]", 1, " · HTTP 429"),
        ("[[cut]]", 1, " · failed"),
        ("[[error]]", 1, " · failed"),
        ("[[incomplete]]", 0, " · incomplete"),
        ("refuse", 0, " · completed"),
    ],
)
def test_what_goes_wrong_is_told(prompt: str, exit_code: int, said: str) -> None:
    result = run("--prompt", prompt)
    assert result.exit_code == exit_code
    assert result.stdout.count(said) == len(adapters.names())


def test_a_gateway_that_is_not_there() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    result = run("--url", f"http://127.0.0.1:{port}/v1")
    assert result.exit_code == 1
    assert "ConnectError" in result.stdout
