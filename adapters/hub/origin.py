"""What a client said in its own dialect, where that has words which the common ones lack."""

from __future__ import annotations

from adapters.hub.errors import Unsupported
from adapters.hub.losses import Ledger
from adapters.hub.request import Origin, Request


def heed_private(request: Request, vendor: str, losses: Ledger) -> None:
    """Report or refuse the fields that only the dialect's own vendor understands. Raises `Unsupported`."""
    for path, rule in request.origin.private.items() if request.origin is not None else ():
        if rule.verdict == "rejected":
            raise Unsupported(f"{vendor} cannot take '{path}': {rule.reason}.", param=path)
        if rule.verdict == "dropped" and rule.reason:
            losses.note(path, rule.reason)


def client_path(origin: Origin, path: str) -> str:
    """Where in the client's own body stands what the common words call `path`."""
    found = max((known for known in origin.paths if _leads_to(known, path)), key=len, default=None)
    return path if found is None else origin.paths[found] + path[len(found) :]


def _leads_to(prefix: str, path: str) -> bool:
    return path.startswith(prefix) and path[len(prefix) : len(prefix) + 1] in ("", ".", "[")
