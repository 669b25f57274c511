"""Items of the input that change the request: tools that are added, and another effort or form of the answer."""

from __future__ import annotations

from typing import Any

import pytest

from adapters.hub.errors import BadRequest
from adapters.responses.request import decode_request

Json = dict[str, Any]
USER: Json = {"role": "user", "content": "hi"}
SCHEMA: Json = {"type": "json_schema", "name": "n", "schema": {"type": "object"}}


def body(*items: Json, **fields: Any) -> Json:
    return {"model": "m", "input": [USER, *items], **fields}


def test_tools_that_are_added_later_are_tools() -> None:
    added = {"type": "additional_tools", "role": "developer", "tools": [{"type": "web_search"}]}
    request = decode_request(body(added, tools=[{"type": "function", "name": "f", "parameters": None}]), "openai")
    assert [tool.path for tool in request.tools] == ["tools[0]", "input[1].tools[0]"]
    assert len(request.items) == 2


def test_the_last_update_counts() -> None:
    def update(**fields: Any) -> Json:
        return {"type": "configuration_update", **fields}

    updates = [
        update(reasoning={"effort": "low"}),
        update(text={"format": SCHEMA}),
        update(reasoning={"effort": "max"}),
    ]
    request = decode_request(body(*updates, reasoning={"effort": "high", "summary": "auto"}), "openai")
    assert request.reasoning is not None
    assert (request.reasoning.effort, request.reasoning.summary) == ("max", "auto")
    assert request.output is not None
    assert request.output.schema == {"type": "object"}
    plain = decode_request(body(*updates[:1]), "openai")
    assert plain.reasoning is not None
    assert plain.reasoning.effort == "low"
    assert plain.output is None


@pytest.mark.parametrize(
    ("item", "param"),
    [
        ({"type": "additional_tools", "tools": [{"name": "f"}]}, "input[1].tools[0].type"),
        ({"type": "configuration_update", "reasoning": {"effort": 1}}, "input[1].reasoning.effort"),
        ({"type": "configuration_update", "text": {"format": {"type": "x"}}}, "input[1].text.format.type"),
    ],
)
def test_what_is_malformed_is_named(item: Json, param: str) -> None:
    with pytest.raises(BadRequest) as caught:
        decode_request(body(item), "openai")
    assert caught.value.param == param
