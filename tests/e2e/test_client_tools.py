"""OpenAI's own tools that the client runs, through every vendor, as the openai SDK sees them: a turn and the next."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from openai import BadRequestError, OpenAI
from openai.types.responses import Response, ResponseCustomToolCall, ResponseFunctionToolCall

from tests.e2e.gateway import served

VENDORS = ["openai", "gemini", "ark"]
SQL = 'SELECT count(*) FROM orders\nWHERE shop = "東京商店"; -- 📦'
QUESTION: Any = {"role": "user", "content": "How many orders has 東京商店?"}
FIND = {
    "type": "function",
    "name": "find_customer",
    "description": "Finds a customer",
    "parameters": {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]},
    "strict": False,
}
TOOLS: Any = [
    {"type": "custom", "name": "run_sql", "description": "Runs SQL on the orders"},
    {"type": "namespace", "name": "crm", "description": "Customers", "tools": [FIND]},
]


@pytest.fixture(scope="module")
def client() -> Iterator[OpenAI]:
    with served("--sandbox") as address, OpenAI(base_url=f"http://{address}/v1", api_key="sk-any") as client:
        yield client


def ask(client: OpenAI, vendor: str, conversation: list[Any], *, stream: bool, **more: Any) -> Response:
    """The answer; of a stream, what the SDK puts together of its events."""
    request: Any = {"model": f"{vendor}/m", "input": conversation, "tools": TOOLS, **more}
    if not stream:
        create: Any = client.responses.create  # the types of its overloads say nothing of a request put together
        return create(**request)
    with client.responses.stream(**request) as events:
        deltas = [event.delta for event in events if event.type == "response.custom_tool_call_input.delta"]
        response = events.get_final_response()
    inputs = [item.input for item in response.output if item.type == "custom_tool_call"]
    assert "".join(deltas) == "".join(inputs)
    assert len(deltas) > 3 or not inputs
    return response


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("vendor", VENDORS)
def test_the_client_is_called_in_its_own_terms_and_answers_in_them(client: OpenAI, vendor: str, stream: bool) -> None:
    response = ask(client, vendor, [QUESTION], stream=stream)
    sql, find = [item for item in response.output if item.type != "reasoning"]
    assert isinstance(sql, ResponseCustomToolCall)
    assert (sql.name, sql.input, sql.namespace) == ("run_sql", SQL, None)
    assert isinstance(find, ResponseFunctionToolCall)
    assert (find.name, find.namespace, find.arguments.replace(" ", "")) == (
        "find_customer", "crm", '{"name":"東京商店"}',
    )  # fmt: skip
    assert [tool.type for tool in response.tools] == ["custom", "namespace"]
    assert getattr(response, "x_dragoman", {}).get("losses") is None

    answers: list[Any] = [
        {"type": "custom_tool_call_output", "call_id": sql.call_id, "output": "42"},
        {"type": "function_call_output", "call_id": find.call_id, "output": "{}"},
    ]
    replayed: list[Any] = [item.model_dump(mode="json", exclude_none=True) for item in response.output]
    followed = ask(client, vendor, [QUESTION, *replayed, *answers], stream=stream)
    assert followed.status == "completed"
    assert followed.output_text


@pytest.mark.parametrize("vendor", VENDORS)
def test_a_conversation_goes_on_at_any_vendor(client: OpenAI, vendor: str) -> None:
    for first in VENDORS:
        output = ask(client, first, [QUESTION], stream=False).output
        replayed: list[Any] = [item.model_dump(mode="json", exclude_none=True) for item in output]
        answers: list[Any] = [
            {"type": f"{item.type}_output", "call_id": item.call_id, "output": "42"}
            for item in output
            if isinstance(item, ResponseCustomToolCall | ResponseFunctionToolCall)
        ]
        assert ask(client, vendor, [QUESTION, *replayed, *answers], stream=False).output_text


@pytest.mark.parametrize("vendor", ["gemini", "ark"])
def test_a_tool_is_chosen_by_the_clients_own_name(client: OpenAI, vendor: str) -> None:
    choice: Any = {"type": "custom", "name": "run_sql"}
    response = ask(client, vendor, [QUESTION], stream=False, tool_choice=choice)
    assert response.tool_choice.model_dump() == choice  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType]


@pytest.mark.parametrize("vendor", ["gemini", "ark"])
def test_what_cannot_be_a_function_is_refused_by_name(client: OpenAI, vendor: str) -> None:
    shell: Any = {"type": "shell", "environment": {"type": "container_auto"}}
    with pytest.raises(BadRequestError, match="no shell in a container") as caught:
        ask(client, vendor, [QUESTION], stream=False, tools=[*TOOLS, shell])
    assert caught.value.param == "tools[2].environment.type"
