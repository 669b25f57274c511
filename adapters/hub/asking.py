"""Asking: what one vendor is sent for a request, whatever dialect that came in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import partial

from adapters.hub.adapter import Adapter, Emulation, Surface
from adapters.hub.errors import BadRequest, Unsupported
from adapters.hub.losses import Ledger
from adapters.hub.origin import INPUT, client_path, heed_private, respell, without_input
from adapters.hub.request import Request
from adapters.wire_json import Json


@dataclass(frozen=True, slots=True)
class Named:
    """What clients may call by other names than the vendor: the model, and the file stores by the clients' ids."""

    model: str
    store_ids: Mapping[str, str] = field(default_factory=dict[str, str])


@dataclass(frozen=True, slots=True)
class Question:
    """The vendor's body, and what tells its answer back where tools were told with functions.

    `echo` is what an answer may repeat of the client's request.
    """

    body: Json
    emulation: Emulation | None
    echo: Request


def question(surface: Surface, adapter: Adapter, request: Request, losses: Ledger, named: Named) -> Question:
    """`request` of a client of `surface`, in the vendor's words.

    Raises `BadRequest` for what the vendor cannot be told. Paths, in errors and in `losses`, are those of the
    client's own body.
    """
    told = replace(request, model=named.model, store_ids=named.store_ids)
    try:
        emulation = surface.emulate(told, adapter.client_tools, losses) if surface.emulate else None
        body = adapter.codec.encode_request(told if emulation is None else emulation.request, losses)
        if request.items and request.previous_id is None and not body.get(INPUT):
            raise Unsupported(f"Nothing of this input can be told to {adapter.name}.", param=INPUT)
    except BadRequest as error:
        if request.origin is not None:
            respell(request.origin, error)
        raise
    if request.origin is not None:
        losses.respell(partial(client_path, request.origin))
        if adapter.name != surface.default_provider:
            heed_private(request, adapter.name, losses)
    return Question(body, emulation, without_input(request))
