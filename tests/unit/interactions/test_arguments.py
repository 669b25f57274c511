"""Arguments of a call on the Interactions wire."""

from __future__ import annotations

import pytest

from adapters.interactions.arguments import arguments_of
from adapters.wire_json import Json


@pytest.mark.parametrize(
    ("text", "arguments"),
    [
        ('{"a": [1, null]}', {"a": [1, None]}),
        ("", {}),
        ("{}", {}),
        ('{"a": ', {"_raw": '{"a": '}),
        ("[1]", {"_raw": "[1]"}),
        ("null", {"_raw": "null"}),
        ("free text", {"_raw": "free text"}),
    ],
)
def test_they_are_an_object_whatever_the_text(text: str, arguments: Json) -> None:
    assert arguments_of(text) == arguments
