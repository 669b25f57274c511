"""The console command: finds the commands in `app.commands` and loads only what is asked for."""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from typing import Annotated

import typer

COMMANDS = ("serve", "demo", "convert", "check", "matrix")
"""Each is a module of `app.commands` with a function of its own name."""


def main() -> None:
    """The entry point of `dragoman`."""
    build(sys.argv[1:])()


def build(arguments: list[str]) -> typer.Typer:
    """The command line as far as `arguments` need it: all commands for help, else the one that is named."""
    cli = typer.Typer(
        name="dragoman",
        help="Every client's dialect in front of every vendor.",
        no_args_is_help=True,
        add_completion=False,
        pretty_exceptions_enable=False,  # a traceback with local values could show a key
    )
    cli.callback()(_options)
    named = [argument for argument in arguments if argument in COMMANDS][:1]
    for name in named or COMMANDS:
        cli.command(name)(getattr(import_module(f"app.commands.{name}"), name))
    return cli


def _print_version(asked: bool) -> None:
    if not asked:
        return
    try:
        typer.echo(version("dragoman"))
    except PackageNotFoundError:
        typer.echo("unknown: not installed")
    raise typer.Exit


def _options(
    _version: Annotated[
        bool, typer.Option("--version", is_eager=True, callback=_print_version, help="Print the version and exit.")
    ] = False,
) -> None:
    pass
