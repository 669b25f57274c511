"""Free text inside a function's arguments: read back whole, however it is written and wherever it is cut."""

from __future__ import annotations

import json
from collections.abc import Iterable
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.responses.free_text import PARAMETERS, FreeTextReader, wrap_text
from adapters.wire_json import loads


def read(arguments: str, cuts: Iterable[int] = ()) -> tuple[str, bool]:
    """The text, and whether there was something besides."""
    reader = FreeTextReader()
    places = sorted({0, len(arguments), *(cut % (len(arguments) + 1) for cut in cuts)})
    text = "".join(reader.feed(arguments[start:end]) for start, end in pairwise(places))
    return text + reader.close(), reader.strays


TEXTS = st.one_of(
    st.text(),
    st.text(alphabet='"\\/bfnrtu0dDéß東😀\u2028\x00\n}{'),
    st.text().map(lambda text: json.dumps({"input": text})),
)
CUTS = st.lists(st.integers(0, 2**16), max_size=12)
OTHERS = st.dictionaries(
    st.text(max_size=8).filter(lambda key: key != "input"),
    st.recursive(
        st.one_of(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False), st.text(max_size=8)),
        lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=4), inner, max_size=3)),
        max_leaves=6,
    ),
    max_size=3,
)
LAYOUTS: st.SearchStrategy[dict[str, Any]] = st.fixed_dictionaries(
    {"ensure_ascii": st.booleans(), "indent": st.sampled_from([None, 0, 2, "\t"])}
)


@given(text=TEXTS, cuts=CUTS)
def test_what_is_wrapped_is_read_back_wherever_it_is_cut(text: str, cuts: list[int]) -> None:
    assert loads(wrap_text(text)) == {"input": text}
    assert read(wrap_text(text), cuts) == (text, False)


@given(text=TEXTS, cuts=CUTS, before=OTHERS, after=OTHERS, layout=LAYOUTS)
def test_other_keys_and_layouts_do_not_hide_it(
    text: str, cuts: list[int], before: dict[str, Any], after: dict[str, Any], layout: dict[str, Any]
) -> None:
    after = {key: value for key, value in after.items() if key not in before}
    arguments = json.dumps({**before, "input": text, **after}, **layout)
    assert read(arguments, cuts) == (text, bool(before or after))


@given(text=st.text(), cuts=CUTS)
def test_every_cut_tells_a_part_of_the_text(text: str, cuts: list[int]) -> None:
    arguments, reader, told = wrap_text(text), FreeTextReader(), ""
    for start, end in pairwise(sorted({0, len(arguments), *(cut % (len(arguments) + 1) for cut in cuts)})):
        told += reader.feed(arguments[start:end])
        assert text.startswith(told)


NOT_SO_ASKED = [
    "plain text", '"a string"', "[1]", "null", '{"text": "x"}', '{"input": 5}', '{"input": {"a": "b"}}', '{"input"}',
    '{"a": 1', '{"inp', '{"a": ]}', "{]", " {'input': 'x'}", '{"Input": "x"}', "# code\nprint({})",
]  # fmt: skip


@pytest.mark.parametrize("arguments", NOT_SO_ASKED)
def test_arguments_of_another_form_are_the_text(arguments: str) -> None:
    assert read(arguments) == (arguments, False)
    assert read(arguments, range(len(arguments))) == (arguments, False)


@given(arguments=st.text(alphabet='{}[]",:\\ inputu0dé1😀', max_size=40), cuts=CUTS)
def test_nothing_raises_and_cuts_do_not_matter(arguments: str, cuts: list[int]) -> None:
    assert read(arguments, cuts) == read(arguments)


# arguments that are not JSON, or not all of it, whose text begins as it should
SPOILT = {
    "": "",
    "  ": "",
    "{}": "",
    " { } ": "",
    '{"input": "cut': "cut",
    '{"input": "cut\\': "cut",
    '{"input": "cut\\u6': "cut",
    '{"input": "a\nb"}': "a\nb",
    '{"input": "\\d+"}': "\\d+",
    '{"input": "\\u12g4"}': "\\u12g4",
    '{"input": "half \\ud83d."}': "half \ufffd.",
    '{"input": "half \\ude00"}': "half \ufffd",
    '{"input": "end \\ud83d"}': "end \ufffd",
    '{"\\u0069nput": "x"}': "x",
}


@pytest.mark.parametrize("arguments", SPOILT)
def test_spoilt_arguments_give_what_they_tell(arguments: str) -> None:
    assert read(arguments)[0] == SPOILT[arguments]
    assert read(arguments, range(len(arguments)))[0] == SPOILT[arguments]


def test_a_text_is_told_while_it_arrives() -> None:
    reader = FreeTextReader()
    pieces = ['{"in', 'put": "SEL', "ECT \\u6", "771\\ud83d", '\\ude00", ', '"x": 1', "}"]
    assert [reader.feed(piece) for piece in pieces] == ["", "SEL", "ECT ", "東", "😀", "", ""]
    assert (reader.close(), reader.strays) == ("", True)


def test_the_schema_asks_for_one_text() -> None:
    assert PARAMETERS["required"] == ["input"]
    assert PARAMETERS["properties"]["input"]["type"] == "string"
