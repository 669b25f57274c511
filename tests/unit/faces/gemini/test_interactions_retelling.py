"""Steps of the dialect in the common words, and where each stood."""

from __future__ import annotations

from typing import Any

import pytest

from adapters.faces.gemini.notes import Notes
from adapters.faces.gemini.retelling import retell, retell_steps
from adapters.hub.errors import BadRequest
from adapters.hub.fields import Fields
from adapters.wire_json import Json


def items(*steps: Json) -> list[Json]:
    return [retold.item for retold in retell_steps(steps)]


def notes(*steps: Json) -> dict[str, str]:
    noted = Notes()
    retell([Fields(step, "gemini", f"input[{at}]") for at, step in enumerate(steps)], noted)
    return {path: rule.verdict for path, rule in noted.private.items()}


def said(text: str, *cites: Json, **more: Any) -> Json:
    return {"type": "model_output", "content": [{"type": "text", "text": text, "annotations": list(cites)}], **more}


def user(*blocks: Json) -> Json:
    return {"type": "user_input", "content": list(blocks)}


def cited(step: Json) -> list[Json]:
    return items(step)[0]["content"][0]["annotations"]


def openai(**rest: Any) -> Json:
    return {"x_dragoman": {"v": "openai", **rest}}


# -- what people and models said -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("block", "part"),
    [
        ({"type": "text", "text": "t"}, {"type": "input_text", "text": "t"}),
        ({"type": "image", "uri": "https://a.test/i"}, {"type": "input_image", "image_url": "https://a.test/i"}),
        (
            {"type": "image", "data": "aa==", "mime_type": "image/png", "resolution": "ultra_high"},
            {"type": "input_image", "image_url": "data:image/png;base64,aa==", "detail": "original"},
        ),
        (
            {"type": "document", "data": "aa==", "mime_type": "application/pdf"},
            {"type": "input_file", "file_data": "data:application/pdf;base64,aa==", "filename": "document.pdf"},
        ),
        ({"type": "document", "uri": "https://a.test/d"}, {"type": "input_file", "file_url": "https://a.test/d"}),
        (
            {"type": "audio", "data": "aa==", "mime_type": "audio/mp3"},
            {"type": "input_audio", "input_audio": {"data": "aa==", "format": "mp3"}},
        ),
        ({"type": "video", "uri": "https://a.test/v"}, {"type": "input_video", "video_url": "https://a.test/v"}),
    ],
)
def test_a_block_of_the_users(block: Json, part: Json) -> None:
    assert items(user(block)) == [{"type": "message", "role": "user", "content": [part]}]
    assert notes(user(block)).keys() <= {"input[0].content[0].resolution"}


@pytest.mark.parametrize(
    ("block", "path"),
    [
        ({"type": "image", "uri": "gs://bucket/i.png"}, "input[0].content[0].uri"),
        (
            {"type": "document", "uri": "https://generativelanguage.googleapis.com/v1beta/files/x"},
            "input[0].content[0].uri",
        ),
        ({"type": "block_of_tomorrow"}, "input[0].content[0]"),
    ],
)
def test_what_only_gemini_reads_is_refused_elsewhere(block: Json, path: str) -> None:
    assert notes(user(block)) == {path: "rejected"}


def test_blocks_without_a_step_are_a_turn_of_the_users() -> None:
    text = {"type": "text", "text": "t"}
    (retold,) = retell_steps([text, text])
    assert retold.item["content"] == [{"type": "input_text", "text": "t"}] * 2
    assert retold.parts == {".content[0]": "input[0]", ".content[1]": "input[1]"}


def test_results_among_the_users_blocks_stand_in_their_place() -> None:
    result = {"type": "function_result", "call_id": "c", "name": "f", "result": "21C"}
    told = items(user({"type": "text", "text": "a"}, result, {"type": "text", "text": "b"}))
    assert [item["type"] for item in told] == ["message", "function_call_output", "message"]


def test_an_image_of_the_models_is_an_item_of_its_own() -> None:
    image = {"type": "image", "data": "aa==", "mime_type": "image/png"}
    text = {"type": "text", "text": "t"}
    told = items({"type": "model_output", "content": [text, image, text, text]})
    assert [(item["type"], len(item.get("content", ()))) for item in told] == [
        ("message", 1),
        ("image_generation_call", 0),
        ("message", 2),
    ]


# -- citations -------------------------------------------------------------------------------------

URL: Json = {"type": "url_citation", "url": "u", "title": "t"}


def test_bytes_become_code_points() -> None:
    assert cited(said("hé 東京", {**URL, "start_index": 4, "end_index": 10})) == [
        {**URL, "start_index": 3, "end_index": 5}
    ]


def test_a_citation_without_a_place_stands_behind_the_text() -> None:
    assert cited(said("東京", URL)) == [{**URL, "start_index": 2, "end_index": 2, "x_dragoman": {"loc": "none"}}]


def test_what_the_common_words_lack_rides_along() -> None:
    place = {"type": "place_citation", "place_id": "p", "name": "n", "url": "u", "start_index": 0, "end_index": 1}
    told = cited(said("abc", place))
    assert told[0]["x_dragoman"] == {"v": "gemini", "raw": place}
    assert (told[0]["type"], told[0]["title"]) == ("url_citation", "n")
    word = {"type": "word_info", "text": "é", "start_index": 0, "end_index": 2}
    assert cited(said("é", word)) == [{**word, "end_index": 1, "x_dragoman": {"v": "gemini", "raw": word}}]


@pytest.mark.parametrize(
    ("own", "shown"),
    [
        (
            {"type": "file_citation", "file_id": "f", "filename": "n", "index": 1},
            {"type": "file_citation", "document_uri": "f", "file_name": "n", "start_index": 2, "end_index": 2},
        ),
        (
            {"type": "container_file_citation", "container_id": "c", "file_id": "f", "filename": "n", "start_index": 0,
             "end_index": 1},
            {"type": "file_citation", "document_uri": "f", "file_name": "n", "custom_metadata": {"container_id": "c"},
             "start_index": 0, "end_index": 2},
        ),
        ({"type": "file_path", "file_id": "f", "index": 0}, {"type": "file_citation", "document_uri": "f"}),
    ],
)  # fmt: skip
def test_another_vendors_citation_is_its_own_again(own: Json, shown: Json) -> None:
    mark = openai(raw=own)
    assert cited(said("éa", {**shown, **mark})) == [own | mark]


def test_a_citation_that_the_client_moved_says_the_new_place() -> None:
    own = {"type": "file_citation", "file_id": "f", "filename": "n", "index": 0}
    shown = {"type": "file_citation", "document_uri": "f", "file_name": "n", "start_index": 2, "end_index": 2}
    assert cited(said("éa", {**shown, **openai(raw=own)}))[0]["index"] == 1


# -- marks -----------------------------------------------------------------------------------------


def test_a_step_of_another_vendor_bears_its_mark() -> None:
    (message,) = items(said("t", **openai(id="msg_1", rest={"phase": "final_answer"})))
    assert message["id"] == "msg_gw1openai_msg_1"
    assert message["x_dragoman"] == {"v": "openai", "rest": {"phase": "final_answer"}}
    (nameless,) = items(said("t", **openai()))
    assert nameless["id"] == "msg_gw1openai-"


def test_riders_stand_before_and_behind() -> None:
    before: Json = {"v": "openai", "raw": {"type": "mcp_list_tools", "id": "mcpl_1", "tools": []}}
    after = {"v": "openai", "raw": {"type": "compaction", "id": "cmp_1", "encrypted_content": "blob"}}
    told = items(said("t", **openai(id="msg_1", before=[before], after=[after])))
    assert [item["type"] for item in told] == ["mcp_list_tools", "message", "compaction"]
    assert told[0]["id"] == "mcpl_gw1openai_mcpl_1"
    assert told[2]["encrypted_content"] == "blob"  # its id says whose it is, and nobody else takes it


def test_a_refusal_is_one_again() -> None:
    block = {"type": "text", "text": "no", **openai(kind="refusal")}
    assert items({"type": "model_output", "content": [block]})[0]["content"] == [{"type": "refusal", "refusal": "no"}]


def test_a_step_of_no_type_of_the_dialect() -> None:
    own = {"type": "image_process", "id": "item_gw1ark_ip_1", "action": {"type": "zoom"}}
    assert items(own) == [own]
    assert items({"type": "step_of_tomorrow", "id": "1"}) == []
    assert notes({"type": "step_of_tomorrow", "id": "1"}) == {"input[0]": "dropped"}


# -- thoughts --------------------------------------------------------------------------------------

THOUGHT: Json = {"type": "thought", "summary": [{"type": "text", "text": "hm"}]}


def test_a_thought_is_reasoning() -> None:
    summary = [{"type": "summary_text", "text": "hm"}]
    assert items({**THOUGHT, "signature": "s"}) == [{"type": "reasoning", "summary": summary, "encrypted_content": "s"}]
    assert items({"type": "thought"}) == [{"type": "reasoning", "summary": []}]


def test_open_thoughts_are_open_again_unless_the_client_changed_them() -> None:
    kept = {"summary": [], "content": [{"type": "reasoning_text", "text": "hm"}]}
    (same,) = items({**THOUGHT, **openai(rest=kept)})
    assert (same["summary"], same["content"]) == ([], kept["content"])
    (other,) = items({**THOUGHT, "summary": [{"type": "text", "text": "ha"}], **openai(rest=kept)})
    assert other["summary"] == [{"type": "summary_text", "text": "ha"}]


# -- calls -----------------------------------------------------------------------------------------


def call(arguments: Json, **more: Any) -> Json:
    return {"type": "function_call", "id": "c", "name": "f", "arguments": arguments, **more}


@pytest.mark.parametrize(
    ("step", "arguments"),
    [
        (call({"a": 1}), '{"a":1}'),
        (call({"a": 1}, **openai(rest={"arguments": '{ "a": 1 }'})), '{ "a": 1 }'),
        (call({"a": 2}, **openai(rest={"arguments": '{ "a": 1 }'})), '{"a":2}'),
        (call({"a": 2}, **openai(rest={"arguments": "not JSON"})), '{"a":2}'),
        (call({"_raw": "not JSON"}, **openai()), "not JSON"),
        (call({"_raw": "a"}, **openai(rest={"arguments": '{"_raw":"a"}'})), '{"_raw":"a"}'),
        (call({"_raw": "Gemini's own"}), '{"_raw":"Gemini\'s own"}'),
    ],
)
def test_arguments_are_text(step: Json, arguments: str) -> None:
    assert items(step)[0]["arguments"] == arguments


@pytest.mark.parametrize(
    ("kind", "arguments", "told", "answer"),
    [
        ("custom_tool_call", {"input": "x"}, {"name": "f", "input": "x"}, {"output": "done"}),
        ("local_shell_call", {"command": ["ls"]}, {"action": {"command": ["ls"]}}, {"output": "done"}),
        ("apply_patch_call", {"type": "d"}, {"operation": {"type": "d"}}, {"output": "done", "status": "completed"}),
        (
            "shell_call",
            {"commands": ["ls"]},
            {"action": {"commands": ["ls"]}},
            {"output": [{"stdout": "done", "stderr": "", "outcome": {"type": "exit", "exit_code": 0}}]},
        ),
    ],
)
def test_a_clients_call_of_another_kind(kind: str, arguments: Json, told: Json, answer: Json) -> None:
    result = {"type": "function_result", "call_id": "c", "result": "done"}
    first, second = items(call(arguments, **openai(id="x_1", kind=kind)), result)
    assert told.items() <= first.items()
    assert (first["type"], first["call_id"]) == (kind, "c")
    assert second == {"type": f"{kind}_output", "call_id": "c", **answer}


@pytest.mark.parametrize(
    ("result", "output"),
    [
        ("o", "o"),
        ({"a": 1}, '{"a":1}'),
        ([{"type": "text", "text": "o"}], [{"type": "input_text", "text": "o"}]),
    ],
)
def test_a_result_is_an_output(result: Any, output: Any) -> None:
    step = {"type": "function_result", "call_id": "c", "result": result, "is_error": True}
    assert items(step) == [{"type": "function_call_output", "call_id": "c", "output": output}]
    assert notes(step) == {"input[0].is_error": "dropped"}


# -- the vendor's tools ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("tool", "arguments", "result", "told"),
    [
        (
            "google_search",
            {"queries": ["a", "b"]},
            [],
            {"type": "web_search_call", "action": {"type": "search", "query": "a", "queries": ["a", "b"]}},
        ),
        ("google_maps", {}, [], {"action": {"type": "search", "query": "", "queries": []}}),
        ("url_context", {"urls": ["u"]}, [], {"action": {"type": "open_page", "url": "u"}}),
        ("file_search", {}, [], {"type": "file_search_call", "queries": []}),
        ("retrieval", {"queries": ["q"]}, None, {"type": "file_search_call", "queries": ["q"]}),
        (
            "code_execution",
            {"code": "1", "language": "python"},
            "1\n",
            {"type": "code_interpreter_call", "code": "1", "outputs": [{"type": "logs", "logs": "1\n"}]},
        ),
        (
            "code_execution",
            {"code": "1"},
            [{"type": "text", "text": "x"}, {"type": "image", "data": "aa==", "mime_type": "image/png"}],
            {"outputs": [{"type": "logs", "logs": "x"}, {"type": "image", "url": "data:image/png;base64,aa=="}]},
        ),
        (
            "mcp_server_tool",
            {"q": 1},
            [{"type": "text", "text": "x"}],
            {"type": "mcp_call", "server_label": "s", "name": "n", "arguments": '{"q":1}', "output": "x"},
        ),
    ],
)
def test_a_call_and_its_result_are_one_item(tool: str, arguments: Json, result: Any, told: Json) -> None:
    first = {"type": f"{tool}_call", "id": "1", "arguments": arguments, "name": "n", "server_name": "s"}
    second = {"type": f"{tool}_result", "call_id": "1", "result": result}
    (item,) = items(first, second)
    assert {**told, "id": "1", "status": "completed"}.items() <= item.items()
    assert items(first, {**second, "is_error": True})[0]["status"] == "failed"
    assert items(first)[0]["status"] == "incomplete"


def test_the_mark_may_stand_on_the_result() -> None:
    call_, result = {"type": "google_search_call", "id": "ws_gw1openai_ws_1"}, {"type": "google_search_result"}
    (item,) = items(call_, {**result, "call_id": "ws_gw1openai_ws_1", **openai(rest={"a": 1})})
    assert (item["id"], item["x_dragoman"]) == ("ws_gw1openai_ws_1", {"v": "openai", "rest": {"a": 1}})


def test_results_find_their_calls_in_order() -> None:
    call_, result = {"type": "google_search_call", "id": "1"}, {"type": "google_search_result", "call_id": "1"}
    told = items(call_, call_, result, {**result, "is_error": True})
    assert [item["status"] for item in told] == ["completed", "failed"]
    assert notes(result) == {"input[0]": "dropped"}


def test_a_search_for_tools_is_two_items() -> None:
    function = {"name": "f", "description": "d", "parameters": {"type": "object"}}
    call_ = {"type": "tool_search_call", "id": "1", "arguments": {"function_names": ["f"]}}
    told = items(call_, {"type": "tool_search_result", "call_id": "1", "result": [function]})
    assert [(item["type"], item["call_id"]) for item in told] == [
        ("tool_search_call", "1"),
        ("tool_search_output", "1"),
    ]
    assert told[1]["tools"] == [{"type": "function", **function}]


def test_steps_that_say_nothing_are_told_to_nobody() -> None:
    step = {"type": "processing_call", "id": "1", "signature": "s"}
    assert items(step) == []
    assert notes(step) == {"input[0]": "dropped"}


# -- what is wrong ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("step", "param"),
    [
        ({}, "input[0].type"),
        ({"type": 1}, "input[0].type"),
        (user({"text": "t"}), "input[0].content[0].type"),
        ({"type": "user_input", "content": 1}, "input[0].content"),
        (user({"type": "image"}), "input[0].content[0].data"),
        ({"type": "function_call", "name": "f"}, "input[0].id"),
        (call(1), "input[0].arguments"),  # pyright: ignore[reportArgumentType]
        ({"type": "function_result", "call_id": "c"}, "input[0].result"),
        ({"type": "thought", "signature": 1}, "input[0].signature"),
        ({"type": "thought", "x_dragoman": 1}, "input[0].x_dragoman"),
        (said("t", 1), "input[0].content[0].annotations[0]"),  # pyright: ignore[reportArgumentType]
    ],
)
def test_what_is_wrong_is_named(step: Json, param: str) -> None:
    with pytest.raises(BadRequest) as refusal:
        items(step)
    assert refusal.value.param == param
