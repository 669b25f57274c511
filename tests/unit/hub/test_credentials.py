"""The key that a client gives with a request."""

from __future__ import annotations

import pytest

from adapters.hub.credentials import bearer_key


@pytest.mark.parametrize(
    ("header", "key"),
    [
        ("Bearer k-1", "k-1"),
        ("bearer  k-1 ", "k-1"),
        ("Bearer ", None),
        ("Bearer", None),
        ("Basic k-1", None),
        ("k-1", None),
        ("", None),
    ],
)
def test_the_key_is_that_of_the_bearer(header: str, key: str | None) -> None:
    assert bearer_key({"authorization": header}, {"key": "other"}) == key


def test_no_header_is_no_key() -> None:
    assert bearer_key({}, {}) is None
