"""The wires that a command names: each vendor, and the dialect that its clients speak, by either's name."""

from __future__ import annotations

import typer

import adapters
from adapters.hub.adapter import Adapter, Surface


def surfaces() -> dict[str, tuple[str, Surface]]:
    """The dialects that clients speak: each vendor that has a surface, by its own name and by its dialect's."""
    found: dict[str, tuple[str, Surface]] = {}
    for name in adapters.names():
        surface = adapters.load(name).surface
        if surface is not None:
            found[surface.dialect] = found[name] = (name, surface)
    return found


def vendor(name: str, option: str) -> Adapter:
    """The vendor that `option` names. Raises `BadParameter`."""
    vendors = {known: known for known in adapters.names()} | {known: own for known, (own, _) in surfaces().items()}
    if name not in vendors:
        raise typer.BadParameter(f"no vendor {name!r}; there are {', '.join(sorted(vendors))}", param_hint=option)
    return adapters.load(vendors[name])


def surface(name: str, option: str) -> tuple[str, Surface]:
    """The dialect that `option` names, and its vendor's name. Raises `BadParameter`."""
    found = surfaces()
    if name not in found:
        raise typer.BadParameter(f"no dialect {name!r}; there are {', '.join(sorted(found))}", param_hint=option)
    return found[name]
