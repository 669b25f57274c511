"""The headers of requests and answers: names, request ids, the list of losses."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.hub.losses import Loss
from app.http.headers import losses_header, read_headers, request_id


def test_names_are_lower_case_and_the_first_of_a_name_counts() -> None:
    scope = {"headers": [(b"x-a", b"1"), (b"x-a", b"2"), (b"x-b", "é".encode("latin-1"))]}
    assert read_headers(scope) == {"x-a": "1", "x-b": "é"}


@pytest.mark.parametrize("sane", ["abc", "0b9e-42", "req_1.2:3/4+5=", "x" * 128])
def test_a_sane_request_id_is_kept(sane: str) -> None:
    assert request_id({"headers": [(b"x-request-id", sane.encode())]}) == sane


@pytest.mark.parametrize("odd", ["", "a b", "a\tb", "é", "a\r\nb", "x" * 129, '"', "<a>"])
def test_an_odd_request_id_is_not(odd: str) -> None:
    assert request_id({"headers": [(b"x-request-id", odd.encode())]}) is None


def header(*paths: str) -> str | None:
    return losses_header([Loss(path, "why") for path in paths]).get("x-dragoman-losses")


def test_losses_are_listed_once_in_order() -> None:
    assert header() is None
    assert header("tools[0].filters", "seed", "seed") == "tools[0].filters,seed"


def test_what_a_header_may_not_hold_is_encoded() -> None:
    assert header("metadata.a, b\n京") == "metadata.a%2C%20b%0A%E4%BA%AC"


@given(st.lists(st.text(max_size=60), max_size=200))
def test_any_losses_make_a_safe_header_of_bounded_length(paths: list[str]) -> None:
    value = header(*[path.encode("utf-8", "replace").decode() for path in paths]) or ""
    assert value.isascii()
    assert value.isprintable()
    assert " " not in value
    assert len(value) <= 4096 + 10


def test_a_list_too_long_says_how_many_it_left_out() -> None:
    value = header(*[f"{number:0100}" for number in range(50)]) or ""
    assert value.split(",")[-1] == f"+{50 - value.count(',')}"
