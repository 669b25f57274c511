"""Pure translators: bytes and JSON in, values out. Vendor folders are found here, never listed."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pathlib import Path

from adapters.hub.adapter import Adapter

ROOT = Path(__file__).parent


@cache
def names() -> tuple[str, ...]:
    """The vendors there are: every folder here that has an `endpoint.py`."""
    return tuple(sorted(path.parent.name for path in ROOT.glob("*/endpoint.py")))


@cache
def load(name: str) -> Adapter:
    """The adapter of the vendor `name`; KeyError when there is none."""
    if name not in names():
        raise KeyError(name)
    adapter = import_module(f"adapters.{name}").ADAPTER
    assert isinstance(adapter, Adapter)
    return adapter
