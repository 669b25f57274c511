"""Totality of requests: any JSON is read and sent to every vendor, or refused with the field at fault."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import adapters
from adapters.hub.asking import Named, question
from adapters.hub.errors import BadRequest
from adapters.hub.losses import Ledger
from adapters.wire_json import Json, dumps
from tests.laws.corpus import FACES, VENDORS, requests_of, surface
from tests.laws.json_values import places, replaced, without
from tests.laws.requests import WHOLE
from tests.laws.strategies import JUNK, VALUES, bounded, spoilt, spoken


def asked(face: str, body: Json) -> None:
    """A request is read and sent to every vendor, or refused with the field at fault."""
    refusals: list[BadRequest] = []
    for vendor in VENDORS:
        try:
            request = surface(face).decode_request(body)
            dumps(question(surface(face), adapters.load(vendor), request, Ledger(), Named(request.model)).body)
        except BadRequest as refusal:
            refusals.append(refusal)
    assert all(refusal.param is not None and refusal.message for refusal in refusals)


@bounded(150)
@given(data=st.data())
@pytest.mark.parametrize("face", FACES)
def test_no_json_breaks_a_request(face: str, data: st.DataObject) -> None:
    asked(face, data.draw(st.one_of(st.dictionaries(st.text(max_size=6), VALUES, max_size=5), spoken(face))))


@bounded(300)
@given(data=st.data())
@pytest.mark.parametrize("face", FACES)
def test_no_spoilt_field_breaks_a_request(face: str, data: st.DataObject) -> None:
    recorded = [body for _, _, body in requests_of(face)][:20]
    asked(face, spoilt(data, data.draw(st.sampled_from([WHOLE, WHOLE, *recorded]))))


@pytest.mark.parametrize("face", FACES)
def test_every_field_of_every_kind_is_read_or_refused(face: str) -> None:
    """Each field of a request with some of everything, lost, and replaced by each kind of junk."""
    for place in places(WHOLE):
        asked(face, without(WHOLE, place))
        for junk in JUNK:
            asked(face, replaced(WHOLE, place, junk))
