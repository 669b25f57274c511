"""Asking: what one vendor is sent for a request, whatever dialect that came in."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from adapters.hub.adapter import Adapter, Emulation, Surface
from adapters.hub.errors import BadRequest
from adapters.hub.losses import Ledger
from adapters.hub.origin import client_path, heed_private, respell
from adapters.hub.request import Request
from adapters.wire_json import Json


@dataclass(frozen=True, slots=True)
class Question:
    """The vendor's body, and what tells its answer back where tools were told with functions."""

    body: Json
    emulation: Emulation | None


def question(surface: Surface, adapter: Adapter, request: Request, losses: Ledger) -> Question:
    """`request` of a client of `surface`, in the vendor's words; its model is the vendor's own name already.

    Raises `BadRequest` for what the vendor cannot be told. Paths, in errors and in `losses`, are those of the
    client's own body.
    """
    try:
        emulation = surface.emulate(request, adapter.client_tools, losses) if surface.emulate else None
        body = adapter.codec.encode_request(request if emulation is None else emulation.request, losses)
    except BadRequest as error:
        if request.origin is not None:
            respell(request.origin, error)
        raise
    if request.origin is not None:
        losses.respell(partial(client_path, request.origin))
        if adapter.name != surface.default_provider:
            heed_private(request, adapter.name, losses)
    return Question(body, emulation)
