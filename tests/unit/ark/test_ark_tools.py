"""Tools, choices and leftovers that Ark takes in words of its own, and those that it is never sent."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

import adapters
from adapters.ark.coverage import CHOICES, EFFORTS, SUMMARIES, TIERS
from adapters.hub.coverage import Rule
from adapters.hub.errors import BadRequest, Unsupported
from adapters.hub.losses import Ledger
from adapters.wire_json import Json
from tests.unit.responses.stage import body, created, ended, message, walk

ADAPTER = adapters.load("ark")
STORES = {"vs_1": "kb-1", "vs_2": "kb-2"}
FUNCTION: Json = {"type": "function", "name": "f", "parameters": {"type": "object"}}
SEARCHED: Json = {"type": "file_search", "vector_store_ids": ["vs_1", "vs_2"], "max_num_results": 4}


def send(**fields: Any) -> tuple[Json, list[str]]:
    """The body for Ark of a request as the gateway makes it, and the paths of what is lost."""
    surface = adapters.load("openai").surface
    assert surface is not None
    assert surface.emulate is not None
    losses = Ledger()
    request = surface.decode_request({"model": "m", "input": "x", **fields})
    emulation = surface.emulate(request, ADAPTER.client_tools, losses)
    request = replace(emulation.request if emulation is not None else request, store_ids=STORES)
    return ADAPTER.codec.encode_request(request, losses), [loss.path for loss in losses.losses]


# -- file search -------------------------------------------------------------------------------


def test_each_store_is_a_search_of_its_own() -> None:
    """c.4: "one knowledge_search per id if mapped" """
    sent, lost = send(tools=[SEARCHED])
    assert sent["tools"] == [
        {"type": "knowledge_search", "knowledge_resource_id": "kb-1", "limit": 4},
        {"type": "knowledge_search", "knowledge_resource_id": "kb-2", "limit": 4},
    ]
    assert lost == []


def test_how_results_are_ranked_is_reported() -> None:
    assert send(tools=[{**SEARCHED, "ranking_options": {"ranker": "auto"}}])[1] == ["tools[0].ranking_options"]


FILES: dict[str, tuple[Json, str, str]] = {
    "a store that the settings do not name": (
        {"vector_store_ids": ["vs_1", "vs_3"]},
        "tools[0].vector_store_ids[1]",
        "file_stores",
    ),
    "no store": ({"vector_store_ids": []}, "tools[0].vector_store_ids", "Missing"),
    "no text": ({"vector_store_ids": [5]}, "tools[0].vector_store_ids[0]", "string"),
    # a filter keeps documents from being found, so it is not left out
    "a filter": ({"filters": {"type": "eq", "key": "k", "value": 1}}, "tools[0].filters", "knowledge_search"),
}


@pytest.mark.parametrize(("fields", "param", "told"), FILES.values(), ids=FILES.keys())
def test_a_search_of_files_that_cannot_be_made(fields: Json, param: str, told: str) -> None:
    with pytest.raises(BadRequest, match=told) as caught:
        send(tools=[{**SEARCHED, **fields}])
    assert caught.value.param == param


# -- tools that are found --------------------------------------------------------------------


FOUND: list[Json] = [
    {"type": "tool_search_call", "id": "t_1", "call_id": None, "arguments": {"q": 1}, "execution": "server"},
    {
        "type": "tool_search_output",
        "call_id": None,
        "execution": "server",
        "tools": [{**FUNCTION, "name": "g"}, {**FUNCTION, "name": "g"}, FUNCTION, {"type": "custom", "name": "c"}],
    },
]


def test_all_tools_are_there_from_the_start() -> None:
    """c.2, c.4: Ark searches for no tools"""
    deferred = {**FUNCTION, "defer_loading": True}
    sent, lost = send(tools=[deferred, {"type": "tool_search"}], input=[{"role": "user", "content": "x"}, *FOUND])
    assert [tool["name"] for tool in sent["tools"]] == ["f", "g"]
    assert [item["type"] for item in sent["input"]] == ["message"]
    assert sorted(lost) == ["input[1]", "input[2].tools[3]", "tools[0].defer_loading", "tools[1].type"]


def test_what_items_say_of_the_request_counts_from_the_start() -> None:
    items: list[Json] = [
        {"role": "user", "content": "x"},
        {"type": "additional_tools", "role": "developer", "tools": [FUNCTION, {"type": "custom", "name": "c"}]},
        {"type": "configuration_update", "reasoning": {"effort": "low"}},
    ]
    sent, lost = send(input=items)
    assert [tool["name"] for tool in sent["tools"]] == ["f", "c"]
    assert (sent["reasoning"], len(sent["input"]), lost) == ({"effort": "low"}, 1, [])


# -- MCP servers -----------------------------------------------------------------------------

SERVER: Json = {"type": "mcp", "server_label": "s", "server_url": "u"}
SERVERS: dict[str, tuple[Json, Json, list[str]]] = {
    "by name": ({"allowed_tools": {"tool_names": ["a"]}}, {"allowed_tools": {"tool_names": ["a"]}}, []),
    "those that only read": (
        {"allowed_tools": {"tool_names": ["a"], "read_only": True}},
        {"allowed_tools": {"tool_names": ["a"]}},
        ["tools[0].allowed_tools.read_only"],
    ),
    "approval by name": (
        {"require_approval": {"never": {"tool_names": ["a"]}}},
        {"require_approval": {"never": {"tool_names": ["a"]}}},
        [],
    ),
    "approval by what they do": (
        {"require_approval": {"never": {"read_only": True}}},
        {"require_approval": "always"},
        ["tools[0].require_approval.never.read_only"],
    ),
}


@pytest.mark.parametrize(("fields", "told", "lost"), SERVERS.values(), ids=SERVERS.keys())
def test_tools_of_a_server_are_told_apart_by_name(fields: Json, told: Json, lost: list[str]) -> None:
    """Where nobody can say which tools are meant, Ark asks for each: that is the safe side."""
    assert send(tools=[{**SERVER, **fields}]) == (
        {"model": "m", "input": "x", "stream": False, "tools": [{**SERVER, **told}]},
        lost,
    )


# -- the choice ------------------------------------------------------------------------------

DECLARED: list[Json] = [
    FUNCTION,
    {"type": "custom", "name": "c"},
    {"type": "namespace", "name": "n", "description": "d", "tools": [{**FUNCTION, "name": "g"}]},
    *({"type": kind} for kind in ("shell", "local_shell", "apply_patch", "web_search")),
    SEARCHED,
    SERVER,
]
NAMED: Json = {
    "function": {"name": "f"},
    "custom": {"name": "c"},
    "mcp": {"server_label": "s"},
    "namespace": {"name": "n"},
}


@pytest.mark.parametrize(("word", "rule"), CHOICES.items(), ids=CHOICES.keys())
def test_a_choice(word: str, rule: Rule) -> None:
    """c.5"""
    choice: Any = word if word in ("none", "auto", "required") else {"type": word, **NAMED.get(word, {})}
    if word == "allowed_tools":
        choice = {"type": word, "mode": "required", "tools": [{"type": "file_search"}, {"type": "custom", "name": "c"}]}
    if rule.verdict == "rejected":
        with pytest.raises(Unsupported) as caught:
            send(tools=DECLARED, tool_choice=choice)
        assert caught.value.param == "tool_choice.type"
        return
    sent, _ = send(tools=DECLARED, tool_choice=choice)
    told = sent["tool_choice"]
    if word == "allowed_tools":
        assert (told, [tool["type"] for tool in sent["tools"]]) == ("required", ["function", *["knowledge_search"] * 2])
    elif word == "file_search":
        assert told == {"type": "knowledge_search"}
    elif word.startswith("web_search"):
        assert told == {"type": "web_search"}
    elif rule.verdict == "exact":
        assert told == choice
    else:
        assert told["type"] == "function"


def test_a_choice_among_tools_that_are_not_there() -> None:
    allowed = {"type": "allowed_tools", "mode": "required", "tools": [{"type": "mcp", "server_label": "other"}]}
    with pytest.raises(BadRequest) as caught:
        send(tools=[SERVER], tool_choice=allowed)
    assert caught.value.param == "tool_choice"


# -- words ----------------------------------------------------------------------------------


@pytest.mark.parametrize("word", EFFORTS)
def test_an_effort(word: str) -> None:
    """M08"""
    sent, lost = send(reasoning={"effort": word})
    assert sent["reasoning"] == {"effort": EFFORTS[word].said}
    assert sent.get("thinking") == ({"type": "disabled"} if word == "none" else None)
    assert lost == (["reasoning.effort"] if EFFORTS[word].rule.reason else [])


@pytest.mark.parametrize("word", SUMMARIES)
def test_a_summary(word: str) -> None:
    sent, lost = send(reasoning={"summary": word})
    assert "reasoning" not in sent
    assert lost == (["reasoning.summary"] if SUMMARIES[word].rule.reason else [])


@pytest.mark.parametrize("word", TIERS)
def test_a_tier(word: str) -> None:
    sent, lost = send(service_tier=word)
    assert sent.get("service_tier") == TIERS[word].said
    assert lost == (["service_tier"] if TIERS[word].rule.reason else [])


# -- content ----------------------------------------------------------------------------------


def part(**raw: Any) -> tuple[Json, list[str]]:
    sent, lost = send(input=[{"role": "user", "content": [raw]}])
    return sent["input"][0]["content"][0], lost


PARTS: dict[str, tuple[Json, Json, list[str]]] = {
    "an image of a size": (
        {"type": "input_image", "image_url": "u", "image_pixel_limit": {"max_pixels": 9}},
        {"type": "input_image", "image_url": "u", "detail": "auto", "image_pixel_limit": {"max_pixels": 9}},
        [],
    ),
    "a finer detail of its own": (
        {"type": "input_image", "image_url": "u", "detail": "xhigh"},
        {"type": "input_image", "image_url": "u", "detail": "xhigh"},
        [],
    ),
    "a detail of tomorrow": (
        {"type": "input_image", "image_url": "u", "detail": "all"},
        {"type": "input_image", "image_url": "u", "detail": "auto"},
        ["input[0].content[0].detail"],
    ),
    "a text to translate": (
        {"type": "input_text", "text": "x", "translation_options": {"target_language": "en"}},
        {"type": "input_text", "text": "x", "translation_options": {"target_language": "en"}},
        [],
    ),
    "a hint about cost": (
        {"type": "input_text", "text": "x", "prompt_cache_breakpoint": {"mode": "explicit"}},
        {"type": "input_text", "text": "x"},
        [],
    ),
    "sound at an address": (
        {"type": "input_audio", "audio_url": "u", "x_dragoman": {"v": "w"}},
        {"type": "input_audio", "audio_url": "u"},
        [],
    ),
    "sound as data": (
        {"type": "input_audio", "input_audio": {"data": "QQ==", "format": "wav"}},
        {"type": "input_audio", "audio_url": "data:audio/wav;base64,QQ=="},
        [],
    ),
}


@pytest.mark.parametrize(("raw", "told", "lost"), PARTS.values(), ids=PARTS.keys())
def test_a_part(raw: Json, told: Json, lost: list[str]) -> None:
    assert part(**raw) == (told, lost)


def test_its_own_edits_of_the_conversation_are_sent() -> None:
    edits = {"edits": [{"type": "clear_thinking", "keep": "all"}]}
    assert send(context_management=edits) == (
        {"model": "m", "input": "x", "stream": False, "context_management": edits},
        [],
    )


# -- what another vendor said, and what Ark itself cited ---------------------------------------


def test_what_rides_with_another_vendors_items_is_reported() -> None:
    cite: Json = {"type": "url_citation", "url": "u", "title": "t", "start_index": 0, "end_index": 1}
    cited = {**cite, "x_dragoman": {"v": "gemini", "raw": {"type": "place_citation", "name": "t"}}}
    content = [{"type": "output_text", "text": "x", "annotations": [cited]}]
    item = {**message(content=content), "id": "msg_gw1gemini_1", "x_dragoman": {"v": "gemini", "block": {"a": 1}}}
    sent, lost = send(input=[item])
    assert sent["input"] == [
        {
            "type": "message",
            "role": "assistant",
            "content": [
                {
                    "type": "output_text",
                    "text": "x",
                    "annotations": [{"type": "url_citation", "title": "t", "url": "u"}],
                }
            ],
        }
    ]
    assert set(lost) == {"input[0].content[0].annotations[0]", "input[0].x_dragoman"}


def test_what_thoughts_cite_goes_back_with_them() -> None:
    cite: Json = {"type": "url_citation", "url": "u", "title": "t", "site_name": "s"}
    thought: Json = {"type": "reasoning_text", "text": "r", "annotations": [cite]}
    reasoning: Json = {"type": "reasoning", "id": "rs_1", "status": "completed", "summary": [], "content": [thought]}
    output = body(walk("ark", created(), ended([reasoning])))["output"]
    assert send(input=output) == ({"model": "m", "input": [reasoning], "stream": False}, [])
