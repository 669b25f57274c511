"""An error forgets a secret wherever the vendor repeated it."""

from __future__ import annotations

from typing import Any

import pytest

from adapters.hub.errors import UpstreamError
from adapters.hub.kept import Kept
from adapters.wire_json import Json

SECRET = "sk-'\\\"é"  # its repr, and its JSON text, hold none of it


def inside(value: Any, levels: int) -> Any:
    for _ in range(levels):
        value = [value]
    return value


RAW: dict[str, Json] = {
    "a value": {"message": f"no key {SECRET} here"},
    "a key": {f"key {SECRET}": 1},
    "deep inside": {"a": [{"b": [1, None, SECRET]}]},
    "deeper than anybody recurses": {"a": inside(SECRET, 2_000)},
}


@pytest.mark.parametrize("raw", RAW.values(), ids=RAW)
def test_a_secret_is_found_in_the_vendors_own_object(raw: Json) -> None:
    error = UpstreamError("no", raw=Kept("w", raw))
    error.forget(SECRET, "[key]")
    assert error.raw is None


def test_a_secret_is_taken_out_of_each_word_and_the_rest_stays() -> None:
    raw = Kept("w", {"message": "no", "status": 1, "more": [None, True, 1.5, {}]})
    error = UpstreamError(f"m {SECRET}", code=f"c {SECRET}", type=f"t {SECRET}", param=f"p {SECRET}", raw=raw)
    error.forget(SECRET, "[key]")
    assert (error.message, str(error), error.code, error.type, error.param) == (
        "m [key]",
        "m [key]",
        "c [key]",
        "t [key]",
        "p [key]",
    )
    assert error.raw is raw
