"""What a client said in its own dialect, where that has words which the common ones lack."""

from __future__ import annotations

from dataclasses import replace

from adapters.hub.coverage import EXACT
from adapters.hub.errors import BadRequest
from adapters.hub.losses import Ledger
from adapters.hub.request import Origin, Request
from adapters.hub.rulebook import Rulebook

INPUT = "input"
"""What every wire calls the conversation."""


def heed_private(request: Request, vendor: str, losses: Ledger) -> None:
    """Report or refuse the fields that only the dialect's own vendor understands. Raises `Unsupported`."""
    rules = Rulebook(vendor, EXACT)
    for path, rule in request.origin.private.items() if request.origin is not None else ():
        rules.heed(rule, path, path, losses)


def client_path(origin: Origin, path: str) -> str:
    """Where in the client's own body stands what the common words call `path`."""
    known = path
    while known:
        if known in origin.paths:
            return origin.paths[known] + path[len(known) :]
        known = known[: max(known.rfind("."), known.rfind("["), 0)]
    return path


def respell(origin: Origin, error: BadRequest) -> None:
    """Let the error name the path of the client's own body, also where its message says it."""
    if error.param is not None and (own := client_path(origin, error.param)) != error.param:
        error.message = error.message.replace(f"'{error.param}'", f"'{own}'")
        error.args = (error.message,)
        error.param = own


def without_input(request: Request) -> Request:
    """What an answer may repeat of its request: not the conversation, which may be many megabytes."""
    origin = request.origin
    if origin is not None:
        origin = Origin({name: value for name, value in origin.body.items() if name != INPUT})
    return replace(request, items=[], text=None, origin=origin)
