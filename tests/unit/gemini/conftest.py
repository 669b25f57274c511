"""Sends a Responses request to Gemini as the gateway does."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import pytest

from adapters.gemini import ADAPTER
from adapters.hub.losses import Ledger
from adapters.responses.emulation import emulate
from adapters.responses.request import decode_request

Send = Callable[..., tuple[dict[str, Any], dict[str, str]]]


def _send(body: dict[str, Any], stores: Mapping[str, str] | None = None) -> tuple[dict[str, Any], dict[str, str]]:
    """What is sent for a body of the dialect, and what is lost: path to reason."""
    losses = Ledger()
    request = replace(decode_request(body, "openai"), store_ids=stores or {})
    emulation = emulate(request, ADAPTER.client_tools, losses)
    sent = ADAPTER.codec.encode_request(emulation.request if emulation is not None else request, losses)
    return sent, {loss.path: loss.reason for loss in losses.losses}


@pytest.fixture(scope="session")
def send() -> Send:
    return _send
