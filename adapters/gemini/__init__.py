"""Gemini: Google's Interactions API, in the revision of steps."""

from __future__ import annotations

from functools import partial

from adapters.faces.gemini.surface import SURFACE
from adapters.gemini.codec import GeminiCodec
from adapters.gemini.coverage import COVERAGE
from adapters.gemini.endpoint import AGENTS, ENDPOINT, NAME
from adapters.gemini.scenes import SCENES
from adapters.hub.adapter import Adapter, Continuation
from adapters.interactions.continuation import continue_request, join_ends

ADAPTER = Adapter(
    name=NAME,
    codec=GeminiCodec(),
    endpoint=ENDPOINT,
    models=("gemini-*", *AGENTS),
    catalogue=("gemini-3.8-flash", "gemini-3.1-pro-preview", "gemini-3-flash-preview", "gemini-2.5-flash"),
    stops=True,
    continuation=Continuation(continue_request, partial(join_ends, NAME)),
    surface=SURFACE,
    scenes=SCENES,
    coverage=COVERAGE,
)
