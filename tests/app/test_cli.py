"""The command line: what it loads, what it says, how it refuses."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from app.cli import COMMANDS, build


def run(*arguments: str) -> Result:
    return CliRunner().invoke(build(list(arguments)), list(arguments))


def test_help_lists_every_command() -> None:
    text = run("--help").output
    assert all(command in text for command in COMMANDS)


@pytest.mark.parametrize("command", COMMANDS)
def test_a_named_command_is_the_only_one_loaded(command: str) -> None:
    assert [info.name for info in build([command, "--help"]).registered_commands] == [command]
    assert run(command, "--help").exit_code == 0


def test_the_version_is_printed() -> None:
    result = run("--version")
    assert (result.exit_code, result.output.strip()) != (0, "")
    assert result.exit_code == 0


def test_an_unknown_command_is_refused() -> None:
    assert run("srve").exit_code == 2


@pytest.mark.parametrize("port", ["-1", "65536", "high"])
def test_a_port_that_there_is_not_is_refused(port: str) -> None:
    assert run("serve", "--port", port).exit_code == 2


def test_settings_that_cannot_be_used_are_explained(tmp_path: Path) -> None:
    config = tmp_path / "config.yaml"
    config.write_text("prot: 1\n")
    result = run("serve", "--config", str(config))
    assert result.exit_code == 2
    assert "prot" in result.output
