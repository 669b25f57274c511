"""What all tests share: where the recordings of others lie, and what happens where they do not."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# No test may fail because the machine is busy.
settings.register_profile("untimed", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("untimed")

ROOT = Path(__file__).resolve().parent.parent
SHARED = ROOT.parent / "shared"


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of recorded exchanges beside the checkout; skips where it is absent, fails under CI."""
    if not SHARED.is_dir():
        if os.environ.get("CI") == "true":
            pytest.fail(f"{SHARED} is absent, and CI must have it")
        pytest.skip(f"{SHARED} is absent: no recordings of real vendors to read")
    return SHARED
