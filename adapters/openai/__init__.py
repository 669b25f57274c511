"""OpenAI Responses: the vendor, and the dialect that clients of the gateway speak."""

from __future__ import annotations

from adapters.hub.adapter import Adapter
from adapters.openai.codec import CODEC
from adapters.openai.coverage import COVERAGE
from adapters.openai.endpoint import ENDPOINT, NAME
from adapters.openai.scenes import SCENES
from adapters.openai.surface import SURFACE
from adapters.responses.emulation import CLIENT_TOOLS

ADAPTER = Adapter(
    name=NAME,
    codec=CODEC,
    endpoint=ENDPOINT,
    models=("gpt-*", "o[0-9]*", "codex-*", "chatgpt-*", "computer-use-*"),
    catalogue=("gpt-5.5", "gpt-5-mini", "gpt-4.1"),
    client_tools=CLIENT_TOOLS,
    surface=SURFACE,
    scenes=SCENES,
    coverage=COVERAGE,
)
