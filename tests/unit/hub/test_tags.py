"""Marks on ids and blobs: what a vendor gave comes back to the last character, and to that vendor only."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.hub.errors import BadRequest
from adapters.hub.items import Signature
from adapters.hub.previous import previous_id_at
from adapters.hub.request import Request
from adapters.hub.tags import read_id, read_signature, short_id, tag_id, tag_new_id, tag_signature

IDS = {
    # shown id: (wire, the vendor's own id)
    "msg_gw1ark_msg_0217": ("ark", "msg_0217"),
    "msg_gw1ark_0217": ("ark", "0217"),
    "resp_gw1gemini_v1_abc": ("gemini", "v1_abc"),
    "gw1ark_x": ("ark", "x"),
    "fc_gw1ark-0000": ("ark", ""),
    "msg_0217": ("openai", "msg_0217"),
    "msg_gw1_x": ("openai", "msg_gw1_x"),
    "gw2ark_x": ("openai", "gw2ark_x"),
    "": ("openai", ""),
}


@pytest.mark.parametrize(("shown", "owner"), IDS.items())
def test_an_id_says_whose_it_is(shown: str, owner: tuple[str, str]) -> None:
    assert read_id(shown, "openai") == owner


@given(st.text(), st.sampled_from(["", "msg_", "resp_", "item_"]))
def test_a_vendors_id_comes_back_to_the_last_character(id_: str, prefix: str) -> None:
    """C03, I07: also where the vendor's id begins with the prefix it is shown with, or with a mark."""
    assert read_id(tag_id(prefix, "ark", id_), "openai") == ("ark", id_)


def test_an_id_made_here_is_nobodys() -> None:
    assert read_id(tag_new_id("fc_", "ark", "00ff"), "openai") == ("ark", "")


@given(st.text())
def test_a_signature_comes_back_and_a_plain_blob_is_the_dialects_own(blob: str) -> None:
    """I04: the mark says whose key the blob was locked with."""
    assert read_signature(tag_signature(Signature("gemini", blob), "openai"), "openai") == Signature("gemini", blob)
    assert tag_signature(Signature("openai", blob), "openai") == blob
    if not blob.startswith("gw1."):
        assert read_signature(blob, "openai") == Signature("openai", blob)


def test_a_long_id_becomes_a_short_one_that_is_always_the_same() -> None:
    """G03, G04: OpenAI takes call ids of 64 characters."""
    assert short_id("call_", "c" * 64) == "c" * 64
    short = short_id("call_", "c" * 65)
    assert short == short_id("call_", "c" * 65)
    assert short != short_id("call_", "c" * 66)
    assert short.startswith("call_")
    assert len(short) == 37


def _after(previous: str | None) -> Request:
    return Request("openai", "m", [], previous_id=previous)


def test_a_previous_response_goes_to_the_vendor_that_gave_it() -> None:
    assert previous_id_at("ark", _after(None)) is None
    assert previous_id_at("ark", _after("resp_gw1ark_resp_02")) == "resp_02"
    assert previous_id_at("openai", _after("resp_02")) == "resp_02"


@pytest.mark.parametrize("previous", ["resp_02", "resp_gw1gemini_v1_a", "resp_gw1ark-0000"])
def test_a_previous_response_that_the_vendor_cannot_know_is_refused(previous: str) -> None:
    """I08: another vendor's, or one that the vendor gave no id; never ignored."""
    with pytest.raises(BadRequest) as caught:
        previous_id_at("ark", _after(previous))
    assert (caught.value.code, caught.value.param) == ("previous_response_not_found", "previous_response_id")
