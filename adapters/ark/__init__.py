"""Volcengine Ark: a member of the Responses family."""

from __future__ import annotations

from adapters.ark.codec import CODEC
from adapters.ark.coverage import COVERAGE
from adapters.ark.endpoint import ENDPOINT, NAME
from adapters.ark.scenes import SCENES
from adapters.faces.ark.surface import SURFACE
from adapters.hub.adapter import Adapter

ADAPTER = Adapter(
    name=NAME,
    codec=CODEC,
    endpoint=ENDPOINT,
    models=(
        "doubao-*", "seed-*", "ep-*", "bot-*", "deepseek-*", "kimi-*", "glm-*", "skylark-*",
    ),
    catalogue=("doubao-seed-1-8-251228", "doubao-seed-1-6-251015", "deepseek-v3-2-251201"),
    surface=SURFACE,
    scenes=SCENES,
    coverage=COVERAGE,
)  # fmt: skip
