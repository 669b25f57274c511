"""The gateway's tests run with vendors of their own: nothing in `app` may depend on a real one."""

from __future__ import annotations

import os

import pytest

import adapters
from tests.app.stub import VENDORS


@pytest.fixture
def stub_vendors(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make `VENDORS` all the vendors there are, and the environment say nothing of any."""
    monkeypatch.setattr(adapters, "names", lambda: tuple(VENDORS))
    monkeypatch.setattr(adapters, "load", VENDORS.__getitem__)
    for name in list(os.environ):
        if name.startswith("DRAGOMAN_") or name.endswith("_KEY"):
            monkeypatch.delenv(name)
