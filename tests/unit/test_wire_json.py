"""JSON of the wires: strict in, compact out, and no value that crashes the writer."""

from __future__ import annotations

from typing import Any

import pytest

from adapters.wire_json import (
    JsonEncodeError,
    JsonError,
    as_count,
    as_list,
    as_object,
    as_text,
    dumps,
    dumps_any,
    loads,
)

REFUSED = {
    "infinite": b"1e400",
    "NaN": b"NaN",
    "Infinity": b"Infinity",
    "trailing comma": b"[1,]",
    "two values": b"{} {}",
    "half a character": b'"\\ud83d"',
    "not UTF-8": b'"\xff"',
    "nothing": b"",
    "a control character": b'"\n"',
}


@pytest.mark.parametrize("data", REFUSED.values(), ids=REFUSED.keys())
def test_what_is_not_strict_json_is_refused(data: bytes) -> None:
    with pytest.raises(JsonError):
        loads(data)


def test_a_line_separator_is_a_character_like_any_other() -> None:
    assert loads('"a\u2028b"') == "a\u2028b"
    assert dumps("a\u2028😀") == '"a\u2028😀"'.encode()


def test_an_integer_over_64_bits_becomes_a_number_that_can_be_written() -> None:
    assert loads(dumps(loads(b"123456789012345678901234567890"))) == 1.2345678901234568e29
    assert loads(b"18446744073709551615") == 18446744073709551615


def _nested(levels: int) -> Any:
    return loads(b'{"a":' * levels + b"[1]" + b"}" * levels)


def test_what_is_nested_too_deep_is_written_without_its_depths() -> None:
    value = {"shallow": [1, "x"], "deep": _nested(600)}
    with pytest.raises(JsonEncodeError):
        dumps(value)
    written = dumps_any(value)
    assert loads(written)["shallow"] == [1, "x"]
    assert b"null" in written
    assert dumps_any({"a": _nested(20)}) == dumps({"a": _nested(20)})


KINDS: list[Any] = [None, True, 1, 1.5, "x", [1], {"a": 1}]


def test_a_field_of_the_wrong_kind_reads_as_an_empty_one() -> None:
    assert [as_object(kind) for kind in KINDS] == [{}, {}, {}, {}, {}, {}, {"a": 1}]
    assert [as_list(kind) for kind in KINDS] == [[], [], [], [], [], [1], []]
    assert [as_text(kind) for kind in KINDS] == ["", "", "", "", "x", "", ""]
    assert [as_count(kind) for kind in KINDS] == [0, 0, 1, 0, 0, 0, 0]
    assert [as_count(count) for count in (-1, 0, 2**53 - 1, 2**53, 2**64)] == [0, 0, 2**53 - 1, 0, 0]
