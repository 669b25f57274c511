"""What one vendor is asked: never for an answer to nothing."""

from __future__ import annotations

import pytest

import adapters
from adapters.hub.asking import Named, question
from adapters.hub.errors import Unsupported
from adapters.hub.losses import Ledger
from adapters.wire_json import Json

SEALED: Json = {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "c2VhbA=="}
USER: Json = {"type": "message", "role": "user", "content": "and?"}
FACE = adapters.load("openai")


def ask(vendor: str, *items: Json) -> Json:
    assert FACE.surface is not None
    request = FACE.surface.decode_request({"model": "m", "input": list(items)})
    return question(FACE.surface, adapters.load(vendor), request, Ledger(), Named("m")).body


@pytest.mark.parametrize("vendor", [name for name in adapters.names() if name != FACE.name])
def test_an_input_of_which_nothing_is_left_is_refused(vendor: str) -> None:
    with pytest.raises(Unsupported) as refused:
        ask(vendor, SEALED)
    assert refused.value.param == "input"
    assert ask(vendor, SEALED, USER)["input"]


def test_its_own_vendor_is_asked() -> None:
    assert ask(FACE.name, SEALED)["input"] == [SEALED]
