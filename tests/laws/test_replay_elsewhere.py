"""Replay elsewhere: what another vendor said reaches a vendor in its own terms, with nothing foreign in it."""

from __future__ import annotations

import pytest

from adapters.hub.adapter import Fidelity
from adapters.hub.errors import BadRequest
from tests.laws.corpus import FIDELITIES, VENDORS
from tests.laws.json_values import texts
from tests.laws.replaying import REPLAYED, Answer, of_the_vendor, sent, ways
from tests.laws.sdk import TYPES, Program
from tests.laws.wire_types import wire_types

pytestmark = pytest.mark.filterwarnings("ignore:Pydantic serializer warnings")  # of types that the SDK does not know


@pytest.mark.parametrize("fidelity", FIDELITIES)
@pytest.mark.parametrize("answer", REPLAYED, ids=str)
def test_other_vendors_get_nothing_foreign(answer: Answer, fidelity: Fidelity, face: str, sdk: Program) -> None:
    """Or the request is refused, with the item that the other vendor cannot be told."""
    told = answer.told(face, fidelity)
    for items in ways(told, sdk).values():
        for vendor in (name for name in VENDORS if name != answer.vendor):
            try:
                back, _ = sent(items, vendor, face)
            except BadRequest as refusal:
                refused = refusal
            else:
                said = set(texts(back))
                assert not {text for text in said if text == "x_dragoman" or "gw1" in text}
                assert not {text for text in said for mark in of_the_vendor(answer) if mark in text}
                assert set(wire_types(back)) <= TYPES[vendor]
                continue
            assert (refused.param or "").startswith("input[")
            assert answer.vendor in (face, "openai")  # whose own items other dialects carry along
