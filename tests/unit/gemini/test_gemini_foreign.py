"""Items of other vendors' conversations, as their clients send them, and what Gemini is told of each."""

from __future__ import annotations

from typing import Any

import pytest

from adapters.hub.errors import BadRequest, Unsupported
from adapters.hub.tags import short_id

Json = dict[str, Any]
USER: Json = {"role": "user", "content": "hi"}
CODE_ID, MCP_ID, SEARCH_ID = (short_id("call_", id_, 0) for id_ in ("ci_1", "mcp_gw1ark_1", "tsc_1"))


def code(**fields: Any) -> Json:
    told = {"type": "code_interpreter_call", "id": "ci_1", "code": "print(1)", "container_id": "cntr_1"}
    return {**told, "status": "completed", **fields}


def ran(result: Any, **fields: Any) -> list[Json]:
    call = {"type": "code_execution_call", "id": CODE_ID, "arguments": {"code": "print(1)", "language": "python"}}
    return [call, {"type": "code_execution_result", "call_id": CODE_ID, "result": result, **fields}]


def mcp(**fields: Any) -> Json:
    told = {"type": "mcp_call", "id": "mcp_gw1ark_1", "server_label": "my-wiki", "name": "ask", "arguments": '{"a":1}'}
    return {**told, "approval_request_id": None, "error": None, "output": None, "status": "completed", **fields}


def asked(result: str) -> list[Json]:
    named = {"name": "ask", "server_name": "my_wiki"}
    return [
        {"type": "mcp_server_tool_call", "id": MCP_ID, **named, "arguments": {"a": 1}},
        {"type": "mcp_server_tool_result", "call_id": MCP_ID, **named, "result": result},
    ]


def image(**fields: Any) -> Json:
    return {"type": "image_generation_call", "id": "ig_1", "status": "completed", "result": "QQ==", **fields}


def shown(mime_type: str) -> list[Json]:
    return [{"type": "model_output", "content": [{"type": "image", "data": "QQ==", "mime_type": mime_type}]}]


FUNCTION: Json = {"type": "function", "name": "f", "parameters": {"type": "object"}, "strict": True}
SEARCHED: list[Json] = [
    {"type": "tool_search_call", "id": "tsc_1", "call_id": None, "execution": "server", "arguments": {"paths": ["x"]}},
    {"type": "tool_search_output", "id": "tso_1", "tools": [FUNCTION, {"type": "web_search"}]},
]
SKIPPED: Json = {"type": "thought", "signature": "skip_thought_signature_validator"}

# the items, Gemini's steps, the paths that are lost
ITEMS: dict[str, tuple[list[Json], list[Json], list[str]]] = {
    "a message that is not to go on": (
        [{"role": "assistant", "content": "a", "partial": False}],
        [{"type": "model_output", "content": [{"type": "text", "text": "a"}]}],
        ["input[1].partial"],
    ),
    "code": ([code(outputs=[{"type": "logs", "logs": "1"}, {"type": "logs", "logs": "\n"}])], ran("1\n"), []),
    "code that failed": ([code(outputs=None, status="failed")], ran("", is_error=True), []),
    "code with pictures": (
        [
            code(
                outputs=[
                    {"type": "logs", "logs": "1"},
                    {"type": "image", "url": "data:image/gif;base64,QQ=="},
                    {"type": "image", "url": "https://i"},
                ]
            )
        ],
        ran(
            [
                {"type": "text", "text": "1"},
                {"type": "image", "data": "QQ==", "mime_type": "image/gif"},
                {"type": "image", "uri": "https://i"},
            ]
        ),
        [],
    ),
    "mcp": ([mcp(output="an answer")], asked("an answer"), []),
    "mcp that failed": ([mcp(error="no")], asked("no"), []),
    "mcp that failed in detail": ([mcp(error={"code": 1})], asked('{"code":1}'), []),
    "mcp without a word": ([mcp()], asked(""), []),
    "an image": ([image(output_format="jpeg", size="1x1")], shown("image/jpeg"), ["input[1].size"]),
    "an image of no format": ([image()], shown("image/png"), []),
    "an image that failed": ([image(result=None)], [], ["input[1]"]),
    "a search for tools": (
        SEARCHED,
        [
            {"type": "tool_search_call", "id": SEARCH_ID, "arguments": {"function_names": ["f"]}},
            {
                "type": "tool_search_result",
                "call_id": SEARCH_ID,
                "result": [{"type": "function", "name": "f", "parameters": {"type": "object"}}],
            },
        ],
        ["input[1].arguments", "input[2].tools[1]"],
    ),
    "tools that nobody asked for": (SEARCHED[1:], [], ["input[1]"]),
    "tools of MCP servers": (
        [{"type": "mcp_list_tools", "id": "l", "server_label": "w", "tools": []}],
        [],
        ["input[1]"],
    ),
    "searches": (
        [{"type": "web_search_call", "id": "ws_1"}, {"type": "file_search_call", "id": "fs_1"}],
        [],
        ["input[1]", "input[2]"],
    ),
    "an item of another vendor's own": ([{"type": "image_process", "id": "item_gw1ark_1"}], [], ["input[1]"]),
    "changes of the request": (
        [
            {"type": "additional_tools", "role": "developer", "tools": []},
            {"type": "configuration_update", "reasoning": {"effort": "low"}},
        ],
        [],
        [],
    ),
    "a call in free text": (
        [
            {"type": "custom_tool_call", "call_id": "c", "name": "sql", "input": "select 1"},
            {"type": "custom_tool_call_output", "call_id": "c", "output": [{"type": "input_text", "text": "1"}]},
        ],
        [
            SKIPPED,
            {"type": "function_call", "id": "c", "name": "sql", "arguments": {"input": "select 1"}},
            {"type": "function_result", "call_id": "c", "name": "sql", "result": "1"},
        ],
        [],
    ),
    "a call of the shell": (
        [
            {
                "type": "shell_call",
                "call_id": "c",
                "action": {"commands": ["ls"]},
                "environment": None,
                "status": "completed",
            }
        ],
        [SKIPPED, {"type": "function_call", "id": "c", "name": "shell", "arguments": {"commands": ["ls"]}}],
        [],
    ),
    "sound and film": (
        [
            {
                "role": "user",
                "content": [
                    {"type": "input_audio", "input_audio": {"data": "QQ==", "format": "wav"}},
                    {"type": "input_audio", "audio_url": "data:audio/mp3;base64,QQ=="},
                    {"type": "input_video", "video_url": "https://v/a.mp4", "fps": 2},
                ],
            }
        ],
        [
            {
                "type": "user_input",
                "content": [
                    {"type": "audio", "data": "QQ==", "mime_type": "audio/wav"},
                    {"type": "audio", "data": "QQ==", "mime_type": "audio/mp3"},
                    {"type": "video", "uri": "https://v/a.mp4", "mime_type": "video/mp4"},
                ],
            }
        ],
        ["input[1].content[2].fps"],
    ),
}


@pytest.mark.parametrize("name", ITEMS)
def test_items(name: str, send: Any) -> None:
    items, steps, lost = ITEMS[name]
    body, losses = send({"model": "gemini-x", "input": [USER, *items]})
    assert body["input"][1:] == steps
    assert list(losses) == lost


@pytest.mark.parametrize("name", ITEMS)
def test_the_vendors_own_models_take_the_steps(name: str, send: Any) -> None:
    from google.genai._gaos.types.interactions.createmodelinteraction import CreateModelInteraction

    body, _ = send({"model": "gemini-x", "input": [USER, *ITEMS[name][0]]})
    taken = CreateModelInteraction.model_validate(body).model_dump(mode="json", by_alias=True, exclude_none=True)
    assert taken["input"] == body["input"]


REFUSED: list[tuple[Json, type[BadRequest], str]] = [
    *(({"type": kind, "id": "x"}, Unsupported, "input[1]") for kind in (
        "computer_call", "computer_call_output", "mcp_approval_request", "mcp_approval_response", "compaction",
        "compaction_trigger", "item_reference", "program", "program_output", "agent_message", "item_of_tomorrow",
    )),
    (code(outputs=[{"type": "image"}]), BadRequest, "input[1].outputs[0].url"),
    (code(outputs=[{"type": "logs"}]), BadRequest, "input[1].outputs[0].logs"),
    (mcp(arguments=None), BadRequest, "input[1].arguments"),
    *(({"role": role, "content": said, "partial": True}, Unsupported, "input[1].partial") for role, said in (
        ("assistant", "a"), ("assistant", [{"type": "output_text", "text": "a"}]), ("user", "a"), ("system", "a"),
    )),
    ({"role": "user", "content": [{"type": "input_video"}]}, BadRequest, "input[1].content[0].video_url"),
]  # fmt: skip


@pytest.mark.parametrize(("item", "error", "param"), REFUSED)
def test_items_that_are_refused(item: Json, error: type[BadRequest], param: str, send: Any) -> None:
    with pytest.raises(error) as caught:
        send({"model": "gemini-x", "input": [USER, item]})
    assert caught.value.param == param


def test_open_reasoning_does_not_ride_with_a_signature(send: Any) -> None:
    item = {
        "type": "reasoning",
        "id": "rs_gw1gemini-1",
        "summary": [{"type": "summary_text", "text": "s"}],
        "content": [{"type": "reasoning_text", "text": "t"}],
        "encrypted_content": "gw1.gemini.sig",
    }
    body, losses = send({"model": "gemini-x", "input": [USER, item]})
    assert body["input"][1] == {"type": "thought", "signature": "sig", "summary": [{"type": "text", "text": "s"}]}
    assert list(losses) == ["input[1].content"]
