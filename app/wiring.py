"""The one place where the layers are stacked."""

from __future__ import annotations

from dataclasses import dataclass

import adapters
from adapters.hub.adapter import Surface
from app.exchange import Gateway
from app.mint import RandomMint
from app.routing import build_router
from app.settings import Settings
from app.upstream.call import Upstream
from app.upstream.http import HttpUpstream, Limits

FIRST_DIALECT = "responses"
"""Speaks where a path says nothing of the dialect: the one whose clients list models and probe other paths, too."""


@dataclass(frozen=True, slots=True)
class Wiring:
    """The gateway's parts, made once for a process."""

    gateway: Gateway
    surfaces: tuple[Surface, ...]


def wire(settings: Settings) -> Wiring:
    """Make the parts that `settings` ask for. Nothing is opened yet."""
    gateway = Gateway(
        router=build_router(settings),
        upstream=_upstream(settings),
        mint=RandomMint(),
        max_event_bytes=settings.max_event_bytes,
    )
    return Wiring(gateway, surfaces())


def surfaces() -> tuple[Surface, ...]:
    """All dialects that clients may speak, `FIRST_DIALECT` first."""
    found = (adapters.load(name).surface for name in adapters.names())
    return tuple(sorted(filter(None, found), key=lambda surface: surface.dialect != FIRST_DIALECT))


def _upstream(settings: Settings) -> Upstream:
    return HttpUpstream(
        Limits(connect=settings.connect_seconds, read=settings.read_seconds, connections=settings.max_connections)
    )
