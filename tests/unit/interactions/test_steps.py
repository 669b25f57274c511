"""What each kind of step becomes: one row, one stream, the whole walk."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from adapters.hub.fold import fold
from adapters.hub.items import CodeRun, FoundTool, Picture, Search, ToolResult, ToolSearch
from adapters.interactions.decode import Decoder

Json = dict[str, Any]


def start(index: int, **step: Any) -> Json:
    return {"event_type": "step.start", "index": index, "step": step}


def delta(index: int, **fields: Any) -> Json:
    return {"event_type": "step.delta", "index": index, "delta": fields}


def stop(index: int) -> Json:
    return {"event_type": "step.stop", "index": index}


def block(text: str) -> Json:
    return {"type": "text", "text": text}


BEGIN: Json = {"event_type": "interaction.created", "interaction": {"id": "v1_a", "model": "m"}}


def end(status: str = "completed", **fields: Any) -> Json:
    return {"event_type": "interaction.completed", "interaction": {"id": "v1_a", "status": status, **fields}}


def search_pair(call: str, **result: Any) -> list[Json]:
    return [
        start(1, type="google_search_call", id=call, signature=""),
        delta(1, type="google_search_call", arguments={"queries": ["a", "b"]}),
        stop(1),
        start(2, type="google_search_result", call_id=call, signature=""),
        delta(2, type="google_search_result", **result),
        stop(2),
    ]


ROWS: dict[str, tuple[list[Json], list[str]]] = {
    "text": (
        [start(0, type="model_output"), delta(0, type="text", text="a"), delta(0, type="text", text="b"), stop(0)],
        ["0 message", "0.0 text", "0.0 + a", "0.0 + b", "0.0 ends", "0 ends completed"],
    ),
    "text in step.start goes on in deltas": (
        [start(0, type="model_output", content=[block("a")]), delta(0, type="text", text="b"), stop(0)],
        ["0 message", "0.0 text", "0.0 + a", "0.0 + b", "0.0 ends", "0 ends completed"],
    ),
    "text blocks are parts": (
        [start(0, type="model_output", content=[block("a"), block("b")]), stop(0)],
        ["0 message", "0.0 text", "0.0 + a", "0.0 ends", "0.1 text", "0.1 + b", "0.1 ends", "0 ends completed"],
    ),
    "a delta without type": (
        [start(0, type="model_output"), delta(0, text="a"), stop(0)],
        ["0 message", "0.0 text", "0.0 + a", "0.0 ends", "0 ends completed"],
    ),
    "an image parts two messages of one step": (
        [
            start(0, type="model_output"),
            delta(0, type="text", text="a"),
            delta(0, type="image", data="QQ==", mime_type="image/png"),
            delta(0, type="text", text="b"),
            stop(0),
        ],
        [
            "0 message", "0.0 text", "0.0 + a", "0.0 ends", "0 ends completed",
            "1 image_generation_call", "1 is in_progress", "1 is generating", "1 is completed",
            f"1 ends completed {Picture('QQ==', None, 'image/png')} keeps "
            "{'block': {'type': 'image', 'data': 'QQ==', 'mime_type': 'image/png'}, 'continues': True}",
            "2 message", "2.0 text", "2.0 + b", "2.0 ends", "2 ends completed keeps {'continues': True}",
        ],
    ),
    "sound in pieces between texts": (
        [
            start(0, type="model_output"),
            delta(0, type="text", text="a"),
            delta(0, type="audio", data="QUI=", mime_type="audio/wav"),
            delta(0, type="audio", data="Qw==", mime_type="audio/wav"),
            delta(0, type="text", text="b"),
            stop(0),
        ],
        [
            "0 message", "0.0 text", "0.0 + a", "0.0 ends",
            "0.1 media audio/wav", "0.1 + QUI=", "0.1 + Qw==", "0.1 ends", "0.2 text", "0.2 + b", "0.2 ends",
            "0 ends completed keeps "
            "{'blocks': [{'at': 1, 'block': {'type': 'audio', 'data': 'QUJD', 'mime_type': 'audio/wav'}}]}",
        ],
    ),
    "media that are elsewhere": (
        [start(0, type="model_output", content=[{"type": "video", "uri": "u"}, {"type": "hologram", "z": 1}]), stop(0)],
        [
            "0 message", "0.0 media video", "0.0 ends", "0.1 media hologram", "0.1 ends",
            "0 ends completed keeps {'blocks': [{'at': 0, 'block': {'type': 'video', 'uri': 'u'}}, "
            "{'at': 1, 'block': {'type': 'hologram', 'z': 1}}]}",
        ],
    ),
    "a document that the model made": (
        [start(0, type="model_output"), delta(0, type="document", data="QQ==", mime_type="application/pdf"), stop(0)],
        [
            "0 message", "0.0 media application/pdf", "0.0 + QQ==", "0.0 ends",
            "0 ends completed keeps "
            "{'blocks': [{'at': 0, 'block': {'type': 'document', 'data': 'QQ==', 'mime_type': 'application/pdf'}}]}",
        ],
    ),
    "what a text block says besides": (
        [start(0, type="model_output", content=[{**block("a"), "x": 1}, {**block("b"), "y": 2}]), stop(0)],
        [
            "0 message", "0.0 text", "0.0 + a", "0.0 ends", "0.1 text", "0.1 + b", "0.1 ends",
            "0 ends completed keeps {'blocks': [{'at': 0, 'rest': {'x': 1}}, {'at': 1, 'rest': {'y': 2}}]}",
        ],
    ),
    "an error behind an image": (
        [
            start(0, type="model_output", error={"code": 3}, content=[block("a")]),
            delta(0, type="image", uri="u"),
            delta(0, type="thought_signature", signature="s"),
            stop(0),
        ],
        [
            "0 message", "0.0 text", "0.0 + a", "0.0 ends", "0 ends completed",
            "1 image_generation_call", "1 is in_progress", "1 is generating", "1 is completed",
            f"1 ends incomplete {Picture(None, 'u')} keeps {{'error': {{'code': 3}}, 'signature': 's', "
            "'block': {'type': 'image', 'uri': 'u'}, 'continues': True}",
        ],
    ),
    "an error of the step": (
        [start(0, type="model_output", error={"code": 3}), delta(0, type="text", text="a"), stop(0)],
        ["0 message", "0.0 text", "0.0 + a", "0.0 ends", "0 ends incomplete keeps {'error': {'code': 3}}"],
    ),
    "nothing but empty output": (
        [start(0, type="model_output"), delta(0, type="text", text=""), stop(0)],
        ["0 message", "0 ends completed"],
    ),
    "empty output beside a call": (
        [start(0, type="model_output"), stop(0), start(1, type="thought", signature="s"), stop(1)],
        ["0 reasoning", "0 ends completed signed s"],
    ),
    "a thought": (
        [
            start(0, type="thought", signature=""),
            delta(0, type="thought_summary", content={"type": "text", "text": "One"}),
            delta(0, type="thought_summary", content={"text": " and two"}),
            delta(0, type="thought_signature", signature="s1"),
            delta(0, type="thought_signature", signature="s2"),
            stop(0),
        ],
        ["0 reasoning", "0.0 summary", "0.0 + One", "0.0 +  and two", "0.0 ends", "0 ends completed signed s1s2"],
    ),
    "a thought all at once": (
        [start(0, type="thought", summary=[block("a"), block("b")], signature="s"), stop(0)],
        [
            "0 reasoning", "0.0 summary", "0.0 + a", "0.0 ends", "0.1 summary", "0.1 + b", "0.1 ends",
            "0 ends completed signed s",
        ],
    ),
    "a thought without anything keeps its shape": (
        [start(0, type="thought", signature="", summary=[]), stop(0)],
        ["0 reasoning", "0 ends completed keeps {'signature': '', 'summary': []}"],
    ),
    "an image in a summary": (
        [
            start(0, type="thought", summary=[block("a"), {"type": "image", "uri": "u"}, block("b")]),
            delta(0, type="thought_summary", content={"type": "text", "text": "c", "annotations": []}),
            stop(0),
        ],
        [
            "0 reasoning", "0.0 summary", "0.0 + a", "0.0 ends", "0.1 summary", "0.1 + b", "0.1 + c", "0.1 ends",
            "0 ends completed keeps {'summary': [{'type': 'text', 'text': 'a'}, {'type': 'image', 'uri': 'u'}, "
            "{'type': 'text', 'annotations': [], 'text': 'bc'}]}",
        ],
    ),
    "a call": (
        [
            start(0, type="function_call", id="c", name="f", arguments={}, signature=""),
            delta(0, type="arguments_delta", arguments='{"a":'),
            delta(0, type="arguments_delta", arguments="1}"),
            stop(0),
        ],
        [
            "0 function_call c f", "0.0 arguments", '0.0 + {"a":', "0.0 + 1}", "0.0 ends",
            "0 ends completed keeps {'signature': ''}",
        ],
    ),
    "a call all at once": (
        [start(0, type="function_call", id="c", name="f", arguments={"a": 1}), stop(0)],
        ["0 function_call c f", "0.0 arguments", '0.0 + {"a":1}', "0.0 ends", "0 ends completed"],
    ),
    "arguments told twice are sent once": (
        [
            start(0, type="function_call", id="c", name="f", arguments={"a": 1}),
            delta(0, type="arguments_delta", arguments='{"a":1}'),
            stop(0),
        ],
        ["0 function_call c f", "0.0 arguments", '0.0 + {"a":1}', "0.0 ends", "0 ends completed"],
    ),
    "a call without arguments": (
        [start(0, type="function_call", id="c", name="f"), stop(0)],
        ["0 function_call c f", "0.0 arguments", "0.0 + {}", "0.0 ends", "0 ends completed"],
    ),
    "a call that a delta completes": (
        [
            start(0, type="function_call", id="c"),
            delta(0, type="function_call", name="f", arguments={"a": 1}),
            stop(0),
        ],
        ["0 function_call c f", "0.0 arguments", '0.0 + {"a":1}', "0.0 ends", "0 ends completed"],
    ),
    "a call without id or name": (
        [start(0, type="function_call"), stop(0)],
        ["0 function_call", "0.0 arguments", "0.0 + {}", "0.0 ends", "0 ends completed"],
    ),
    "a signed call": (
        [start(0, type="function_call", id="c", name="f"), delta(0, type="thought_signature", signature="s"), stop(0)],
        ["0 function_call c f", "0.0 arguments", "0.0 + {}", "0.0 ends", "0 ends completed keeps {'signature': 's'}"],
    ),
    "parallel calls, interleaved": (
        [
            start(0, type="function_call", id="c", name="f"),
            start(1, type="function_call", id="d", name="f"),
            delta(0, type="arguments_delta", arguments="{}"),
            delta(1, type="arguments_delta", arguments="[]"),
            stop(1),
            stop(0),
        ],
        [
            "0 function_call c f", "0.0 arguments", "1 function_call d f", "1.0 arguments", "0.0 + {}", "1.0 + []",
            "1.0 ends", "0.0 ends", "0 ends completed", "1 ends completed",
        ],
    ),
    "a search": (
        search_pair("c", result=[{"search_suggestions": "x"}], is_error=False),
        [
            "0 web_search_call c", "0 is in_progress", "0 is searching", "0 is completed",
            f"0 ends completed {Search('search', ['a', 'b'])} keeps "
            "{'steps': [{'type': 'google_search_call', 'id': 'c', 'signature': '', "
            "'arguments': {'queries': ['a', 'b']}}, {'type': 'google_search_result', 'call_id': 'c', 'signature': '', "
            "'result': [{'search_suggestions': 'x'}], 'is_error': False}]}",
        ],
    ),
    "a search that failed": (
        search_pair("c", is_error=True),
        [
            "0 web_search_call c", "0 is in_progress", "0 is searching",
            f"0 ends failed {Search('search', ['a', 'b'])} keeps "
            "{'steps': [{'type': 'google_search_call', 'id': 'c', 'signature': '', "
            "'arguments': {'queries': ['a', 'b']}}, {'type': 'google_search_result', 'call_id': 'c', 'signature': '', "
            "'is_error': True}]}",
        ],
    ),
    "a search without a result": (
        [start(0, type="google_search_call", id="c"), stop(0)],
        [
            "0 web_search_call c", "0 is in_progress", "0 is completed",
            f"0 ends completed {Search()} keeps {{'steps': [{{'type': 'google_search_call', 'id': 'c'}}]}}",
        ],
    ),
    "a result without a call": (
        [start(0, type="google_search_result", call_id="c"), stop(0)],
        ["0 gemini.google_search_result",
         "0 ends completed keeps {'steps': [{'type': 'google_search_result', 'call_id': 'c'}]}"],
    ),
    "a step of an unknown type": (
        [start(0, type="dance", id="d"), delta(0, type="dance", turns=2), delta(0, type="jump"), stop(0)],
        ["0 gemini.dance d", "opaque step.delta",
         "0 ends completed keeps {'steps': [{'type': 'dance', 'id': 'd', 'turns': 2}]}"],
    ),
    "processing rides with what follows, or with what it follows": (
        [
            start(0, type="processing_call", id="p"), delta(0, type="processing_call", signature="s"), stop(0),
            start(1, type="thought", signature="t"), stop(1),
            start(2, type="processing_result", call_id="p"), delta(2, type="jump"), stop(2),
        ],
        [
            "opaque step.start", "0 reasoning", "opaque step.start", "opaque step.delta",
            "0 ends completed signed t keeps {'before': [{'type': 'processing_call', 'id': 'p', 'signature': 's'}], "
            "'after': [{'type': 'processing_result', 'call_id': 'p'}]}",
        ],
    ),
    "an unknown step rides too": (
        [start(0, type="dance", id="d"), stop(0), start(1, type="thought", signature="t"), stop(1)],
        [
            "0 gemini.dance d", "0 ends completed keeps {'steps': [{'type': 'dance', 'id': 'd'}]}", "1 reasoning",
            "1 ends completed signed t keeps {'before': [{'type': 'dance', 'id': 'd'}]}",
        ],
    ),
    "the client's own input is its own": (
        [start(0, type="user_input", content=[block("a")]), stop(0), start(1, type="thought"), stop(1)],
        ["opaque step.start", "0 reasoning", "0 ends completed"],
    ),
    "a search for tools": (
        [
            start(0, type="tool_search_call", id="t"),
            delta(0, type="tool_search_call", arguments={"function_names": ["f"]}, signature="s"), stop(0),
            start(1, type="tool_search_result", call_id="t"),
            delta(1, type="tool_search_result", result=[{"type": "function", "name": "f", "parameters": {}}]), stop(1),
        ],
        [
            "0 tool_search_call t t",
            f"0 ends completed {ToolSearch({'function_names': ['f']})} keeps {{'steps': [{{'type': 'tool_search_call', "
            "'id': 't', 'arguments': {'function_names': ['f']}, 'signature': 's'}]}",
            "1 tool_search_output t",
            f"1 ends completed {ToolSearch(tools=[FoundTool('f', None, {})])} keeps "
            "{'steps': [{'type': 'tool_search_result', 'call_id': 't', "
            "'result': [{'type': 'function', 'name': 'f', 'parameters': {}}]}]}",
        ],
    ),
    "a function's result is the client's to say": (
        [start(0, type="function_result", call_id="c", result="r"), stop(0)],
        ["0 gemini.function_result",
         "0 ends completed keeps {'steps': [{'type': 'function_result', 'call_id': 'c', 'result': 'r'}]}"],
    ),
    "a delta before its step": (
        [delta(0, type="text", text="a")],
        ["0 message", "0.0 text", "0.0 + a", "0.0 ends", "0 ends completed"],
    ),
    "a delta of nothing known": ([delta(0, type="jump")], ["opaque step.delta"]),
    "two starts of one index": (
        [start(0, type="thought"), start(0, type="thought"), stop(0)],
        ["0 reasoning", "0 ends completed", "1 reasoning", "1 ends completed"],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", ROWS)
def test_a_step_becomes(name: str, play: Any, tell: Any) -> None:
    events, walk = ROWS[name]
    assert tell(play(BEGIN, *events, end()))[1:-1] == walk


TOOLS: dict[str, tuple[Json, Json, str, Any]] = {
    "url_context": (
        {"arguments": {"urls": ["https://a", "https://b"]}},
        {"result": [{"url": "https://a", "status": "success"}]},
        "web_search_call",
        Search("open_page", url="https://a"),
    ),
    "google_maps": ({"arguments": {"queries": ["tea"]}}, {}, "web_search_call", Search("search", ["tea"])),
    "retrieval": ({"arguments": {"queries": ["tea"]}}, {}, "file_search_call", Search("search", ["tea"])),
    "file_search": ({}, {"result": []}, "file_search_call", Search()),
    "code_execution": (
        {"arguments": {"code": "print(1)", "language": "python"}},
        {"result": "1\n"},
        "code_interpreter_call",
        CodeRun("1\n"),
    ),
    "mcp_server_tool": (
        {"arguments": {"a": 1}, "name": "t", "server_name": "s"},
        {"result": [{"type": "text", "text": "x"}]},
        "mcp_call",
        ToolResult("x"),
    ),
}


@pytest.mark.parametrize("tool", TOOLS)
@pytest.mark.parametrize("streamed", [False, True])
def test_a_hosted_pair_becomes_one_item(tool: str, streamed: bool, play: Any) -> None:
    call, result, kind, outcome = TOOLS[tool]
    if streamed:
        named = {key: call[key] for key in ("name", "server_name") if key in call}
        steps = [
            start(0, type=f"{tool}_call", id="c", **named), delta(0, type=f"{tool}_call", **call), stop(0),
            start(1, type=f"{tool}_result", call_id="c"), delta(1, type=f"{tool}_result", **result), stop(1),
        ]  # fmt: skip
    else:
        steps = [
            start(0, type=f"{tool}_call", id="c", **call), stop(0),
            start(1, type=f"{tool}_result", call_id="c", **result), stop(1),
        ]  # fmt: skip
    walk = play(BEGIN, *steps, end())
    (item,) = fold(walk).items
    assert (item.kind, item.status, item.outcome) == (kind, "completed", outcome)
    kept = next(event.extra for event in walk if type(event).__name__ == "ItemEnded")
    assert kept.data == {
        "steps": [{"type": f"{tool}_call", "id": "c", **call}, {"type": f"{tool}_result", "call_id": "c", **result}]
    }


def test_code_and_arguments_are_text_parts(play: Any) -> None:
    code, mcp = TOOLS["code_execution"][0], TOOLS["mcp_server_tool"][0]
    walk = play(
        BEGIN, start(0, type="code_execution_call", **code), start(1, type="mcp_server_tool_call", **mcp), end()
    )
    tree = fold(walk)
    assert [(part.kind, part.text) for item in tree.items for part in item.parts] == [
        ("code", "print(1)"),
        ("arguments", '{"a":1}'),
    ]


def test_code_output_has_images(play: Any) -> None:
    result = [{"type": "text", "text": "x"}, {"type": "image", "data": "QQ==", "mime_type": "image/png"}]
    steps = [
        start(0, type="code_execution_call", id="c"),
        start(1, type="code_execution_result", call_id="c", result=result),
    ]
    (item,) = fold(play(BEGIN, *steps, end())).items
    assert item.outcome == CodeRun("x", ["data:image/png;base64,QQ=="])


def test_an_mcp_call_that_failed(play: Any, tell: Any) -> None:
    steps = [
        start(0, type="mcp_server_tool_call", id="c", name="t", server_name="s", arguments={}), stop(0),
        start(1, type="mcp_server_tool_result", call_id="c", result="boom", is_error=True), stop(1),
    ]  # fmt: skip
    walk = play(BEGIN, *steps, end())
    assert "0 is failed" in tell(walk)
    (item,) = fold(walk).items
    assert (item.status, item.outcome, item.parts[0].text) == ("failed", ToolResult(error="boom"), "{}")


def test_results_in_odd_shapes(play: Any) -> None:
    call = start(0, type="mcp_server_tool_call", id="c", name="t")
    pieces = [delta(1, type="mcp_server_tool_result", result=piece) for piece in ("a", "b")]
    walks: list[tuple[list[Json], ToolResult]] = [
        ([start(1, type="mcp_server_tool_result", call_id="c", result={"n": 1}), stop(1)], ToolResult('{"n":1}')),
        ([start(1, type="mcp_server_tool_result", call_id="c"), *pieces, stop(1)], ToolResult("ab")),
        ([start(1, type="mcp_server_tool_result", call_id="c"), delta(1, type="jump"), stop(1)], ToolResult()),
    ]
    for steps, outcome in walks:
        (item,) = fold(play(BEGIN, call, *steps, delta(0, type="mcp_server_tool_call", name="late"), end())).items
        assert item.outcome == outcome


def test_half_a_result_is_none(play: Any) -> None:
    steps = [*search_pair("c")[:3], start(2, type="google_search_result", call_id="c", result=[])]
    (item,) = fold(play(BEGIN, *steps)).items
    assert item.status == "incomplete"


def test_crossed_results_find_their_calls(play: Any) -> None:
    calls = [
        start(n, type="google_search_call", id=str(n), arguments={"queries": [f"q{n}"]}) for n in range(2)
    ]  # fmt: skip
    results = [start(3 - n, type="google_search_result", call_id=str(n), result=[n]) for n in (1, 0)]
    walk = play(BEGIN, *calls, stop(0), stop(1), *results, stop(2), stop(3), end())
    kept = [event.extra.data["steps"] for event in walk if type(event).__name__ == "ItemEnded"]
    assert [[step.get("id", step.get("call_id")) for step in steps] for steps in kept] == [["1", "1"], ["0", "0"]]


def test_a_result_may_come_after_the_message(play: Any, tell: Any) -> None:
    call, result = search_pair("c")[:3], search_pair("c", result=[])[3:]
    text = [start(0, type="model_output"), delta(0, type="text", text="a"), stop(0)]
    lines = tell(play(BEGIN, *call, *text, *result, end()))
    assert lines.index("1.0 ends") < lines.index("0 is completed")


def _finished(events: list[Json]) -> list[Json] | None:
    """The steps of the interaction that such a stream leaves; None where none looks like this."""
    steps: dict[int, Json] = {}
    for event in copy.deepcopy(events):
        index = event["index"]
        if event["event_type"] == "step.start" and index not in steps:
            steps[index] = event["step"]
        elif event["event_type"] != "step.stop" and not (
            index in steps and "delta" in event and _settle(steps[index], event["delta"])
        ):
            return None
    return list(steps.values())


def _settle(step: Json, fields: Json) -> bool:
    """Add a delta to its step; False for deltas that leave no trace there."""
    kind = fields.get("type", "text")
    content: list[Json] = step.setdefault("content", []) if step["type"] == "model_output" else []
    if kind == "text":
        if content and content[-1]["type"] == "text":
            content[-1]["text"] += fields["text"]
        else:
            content.append({"type": "text", "text": fields["text"]})
    elif kind == "audio" and content[-1]["type"] == "audio":
        return False  # pieces of sound are one block, which is not cut as they are
    elif kind in ("image", "audio", "document"):
        content.append(fields)
    elif kind == "thought_summary":
        summary: list[Json] = step.setdefault("summary", [{"type": "text", "text": ""}])
        summary[-1]["text"] += fields["content"]["text"]
    elif kind == "thought_signature":
        step["signature"] = step.get("signature", "") + fields["signature"]
    elif kind == step["type"]:
        step.update({key: value for key, value in fields.items() if key != "type"})
    else:
        return False
    return True


TWINS = {name: steps for name, (events, _) in ROWS.items() if (steps := _finished(events)) is not None}


@pytest.mark.parametrize("name", TWINS)
def test_a_finished_interaction_folds_like_its_stream(name: str, play: Any) -> None:
    body = {"id": "v1_a", "model": "m", "status": "completed", "steps": TWINS[name]}
    assert fold(Decoder("gemini").answer(body)) == fold(play(BEGIN, *ROWS[name][0], end()))
