"""Marks on ids and opaque blobs that say whose they are, so that they find their way back.

A vendor's id or signature passes through clients that know only their own dialect. The mark rides
inside the value: Ark's `msg_0217` is shown to an OpenAI client as `msg_gw1ark_msg_0217`, a Gemini
signature as `gw1.gemini.<signature>`. What stands after the mark is the vendor's own value to the last
character, so no store is needed to undo it, and a value without a mark belongs to the client's own dialect.
"""

from __future__ import annotations

import re
from hashlib import sha256

from adapters.hub.items import Signature

_ID = re.compile(r"(?:[a-z]{1,8}_)?gw1(?P<wire>[a-z]+)(?P<whose>[_-])(?P<id>.*)", re.DOTALL)
_BLOB = re.compile(r"gw1\.(?P<wire>[a-z]+)\.(?P<blob>.*)", re.DOTALL)


def tag_id(prefix: str, wire: str, id: str) -> str:
    """Show a vendor's `id` as one that begins with `prefix` (as "msg_")."""
    return f"{prefix}gw1{wire}_{id}"


def tag_new_id(prefix: str, wire: str, id: str) -> str:
    """Show an `id` that was made here for something of the vendor's that had none."""
    return f"{prefix}gw1{wire}-{id}"


def read_id(id: str, own: str) -> tuple[str, str]:
    """Give `(wire, id)` of a shown id, the id "" where the vendor gave none; one without a mark is `own`'s as it is."""
    found = _ID.fullmatch(id)
    if found is None:
        return own, id
    return found["wire"], found["id"] if found["whose"] == "_" else ""


def owner(id: str | None, own: str) -> str:
    """The wire that gave a shown id; `own` where there is none or it has no mark."""
    return own if id is None else read_id(id, own)[0]


def tag_signature(signature: Signature, own: str) -> str:
    """Show a signature to a client of the dialect `own`, whose own blobs carry no mark."""
    return signature.blob if signature.wire == own else f"gw1.{signature.wire}.{signature.blob}"


def read_signature(blob: str, own: str) -> Signature:
    """Give the signature of a shown blob; one without a mark is `own`'s."""
    found = _BLOB.fullmatch(blob)
    return Signature(own, blob) if found is None else Signature(found["wire"], found["blob"])


def short_id(prefix: str, id: str, limit: int = 64) -> str:
    """`id` where the wire takes ids of that length; else a short one that is always the same for it."""
    return id if len(id) <= limit else prefix + sha256(id.encode("utf-8", "surrogatepass")).hexdigest()[:32]
