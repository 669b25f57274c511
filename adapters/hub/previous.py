"""Which vendor a previous response belongs to: only that vendor can continue it."""

from __future__ import annotations

from adapters.hub.errors import BadRequest
from adapters.hub.request import Request
from adapters.hub.tags import read_id


def previous_id_at(wire: str, request: Request) -> str | None:
    """The previous response's id in the words of `wire`; None where the request names none.

    Raises `BadRequest` where the id is another vendor's, or where the vendor gave that response no id.
    """
    if request.previous_id is None:
        return None
    owner, id_ = read_id(request.previous_id, request.wire)
    if owner != wire:
        raise _not_found(f"The previous response came from {owner}, and {wire} does not know it.")
    if not id_:
        raise _not_found(f"The previous response was not kept by {wire}.")
    return id_


def _not_found(why: str) -> BadRequest:
    return BadRequest(
        f"{why} Send the conversation so far as input instead.",
        code="previous_response_not_found",
        param="previous_response_id",
    )
