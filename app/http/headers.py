"""Headers in and out: names lower-cased, values that are safe to send."""

from __future__ import annotations

import re
from collections.abc import Iterable
from urllib.parse import parse_qsl, quote

from starlette.types import Scope

from adapters.hub.losses import Loss

LOSSES_HEADER = "x-dragoman-losses"

_LOSSES_BYTES = 4096
_SANE_ID = re.compile(r"[A-Za-z0-9._:+/=-]{1,128}")


def read_headers(scope: Scope) -> dict[str, str]:
    """The request's headers; of a repeated one, the first counts."""
    headers: dict[str, str] = {}
    for name, value in scope["headers"]:
        headers.setdefault(name.decode("latin-1"), value.decode("latin-1"))
    return headers


def read_query(raw: bytes) -> dict[str, str]:
    """The query of a URL, as it was sent; of a repeated key, the first counts."""
    query: dict[str, str] = {}
    for name, value in parse_qsl(raw.decode("latin-1"), keep_blank_values=True):
        query.setdefault(name, value)
    return query


def request_id(scope: Scope) -> str | None:
    """The client's own id for its request, where it is safe to repeat in logs and answers."""
    return _id(scope, b"x-request-id")


def client_request_id(scope: Scope) -> str | None:
    """What some SDKs show in their errors in place of the answer's id, where it is safe to repeat in logs."""
    return _id(scope, b"x-client-request-id")


def _id(scope: Scope, header: bytes) -> str | None:
    given = next((value.decode("latin-1") for name, value in scope["headers"] if name == header), "")
    return given if _SANE_ID.fullmatch(given) else None


def losses_header(losses: Iterable[Loss]) -> dict[str, str]:
    """The paths of what was lost, comma-separated, each once; no header where nothing was.

    Whatever is not printable ASCII in a path, and its commas and blanks, is percent-encoded. A list
    too long for a header ends in `+` and the number of those left out.
    """
    paths = list(dict.fromkeys(quote(loss.path, safe="[]._-/*:$@") for loss in losses))
    if not paths:
        return {}
    kept: list[str] = []
    size = 0
    for path in paths:
        size += len(path) + 1
        if size > _LOSSES_BYTES:
            kept.append(f"+{len(paths) - len(kept)}")
            break
        kept.append(path)
    return {LOSSES_HEADER: ",".join(kept)}
