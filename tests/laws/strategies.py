"""How hypothesis searches for what breaks a law."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

_SCALE = int(os.environ.get("LAWS_SCALE", "1"))


def bounded(examples: int) -> settings:
    """The same examples on every run, or LAWS_SCALE times as many that differ from run to run."""
    return settings(
        max_examples=examples * _SCALE,
        deadline=None,
        derandomize=_SCALE == 1,
        database=None,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much],
    )
