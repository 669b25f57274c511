"""What a call to a vendor is, whoever carries it out: the protocol of `Upstream` and its layers."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Call:
    """One POST. `headers` may hold a key, so they are never shown."""

    url: str
    headers: Mapping[str, str] = field(repr=False)
    body: bytes = field(repr=False)


class Answer(Protocol):
    """A vendor's answer whose body is still on its way."""

    @property
    def status(self) -> int: ...

    @property
    def headers(self) -> Mapping[str, str]:
        """Lower-cased names."""
        ...

    def chunks(self) -> AsyncIterator[bytes]:
        """The body as it arrives; raises `UpstreamError` when it breaks off or pauses for too long."""
        ...

    async def aclose(self) -> None:
        """Give the connection up, or back to the pool where the body has ended. Idempotent."""
        ...


class Upstream(Protocol):
    """Carries a call out."""

    async def open(self, call: Call, /) -> Answer:
        """Send the call and give the answer once its headers are there; raises `UpstreamError`."""
        ...

    async def aclose(self) -> None: ...
