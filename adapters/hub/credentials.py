"""The key that a client gives with a request."""

from __future__ import annotations

from collections.abc import Mapping


def bearer_key(headers: Mapping[str, str], _query: Mapping[str, str]) -> str | None:
    """The key of `Authorization: Bearer`; None where there is none."""
    scheme, _, key = headers.get("authorization", "").partition(" ")
    return key.strip() or None if scheme.lower() == "bearer" else None
