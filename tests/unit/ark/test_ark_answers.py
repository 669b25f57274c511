"""Each word of Ark's answers becomes what its row says: it arrives, its counterpart does, or the ledger names it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import adapters
from adapters.hub.coverage import Rule
from adapters.hub.losses import Ledger
from adapters.wire_json import Json
from tests.laws.json_values import leaves, replaced
from tests.unit.ark.everything_said import BLOCKS, CITE, ENDS, ERROR, ITEMS, play, stream
from tests.unit.responses.stage import created, ended, final, frames, message, on, walk

ANSWERS = adapters.load("ark").coverage.answers
ALL = [*stream(), ENDS[1]]
PLAYED = {fidelity: play(ALL, fidelity) for fidelity in ("rich", "native")}


def rows(feature: str) -> Any:
    return pytest.mark.parametrize(("word", "rule"), ANSWERS[feature].items(), ids=ANSWERS[feature].keys())


def of_type(events: list[Json], word: str) -> list[Json]:
    return [event for event in events if event["type"] == word]


@rows("event")
def test_an_event(word: str, rule: Rule) -> None:
    said = of_type(ALL, word)
    if not said:
        (end,) = of_type([*ENDS, ERROR], word)
        told = play([*stream()[:9], end])[2]
        assert told[-1]["type"] == ("response.failed" if word == "error" else word)
        return
    at, lost, told = PLAYED["rich"]
    assert (word in {event["type"] for event in told}) is (rule.verdict == "exact")
    named = f"ark.{word}" in lost or ("agent_tool_call" in word and "ark.output[10]" in lost)
    assert named is (rule.verdict == "dropped")
    assert not at[word] or rule.verdict != "dropped"
    if rule.verdict == "dropped":
        assert of_type(PLAYED["native"][2], word)


@pytest.mark.parametrize("events", [[ERROR], [created(), ERROR], [*stream()[:9], ERROR]])
def test_an_error_ends_the_answer_whenever_it_comes(events: list[Json]) -> None:
    told = play(events)[2]
    assert (told[-1]["type"], told[-1]["response"]["error"]["code"]) == ("response.failed", "server_error")


def test_events_become_those_of_the_design(shared: Path) -> None:
    """b.6 as data; what is shown later, once the client can be told it whole, counts too."""
    design: dict[str, Any] = json.loads((shared / "wire" / "event_map.json").read_bytes())["ark_to_hub"]
    at, _, told = PLAYED["rich"]
    shown = {event["type"] for event in told}
    for word, row in design.items():
        wanted = {to.partition("(")[0] for to in row["to"] if not to.endswith("?") and row["policy"] == "compat"}
        ends = {"HTTP error", "response.failed", "response.completed"}
        assert wanted - ends <= shown, word
        if not row["to"] and "doubao" not in word:
            assert at[word] == set()


@rows("item")
def test_an_item(word: str, rule: Rule) -> None:
    items = [item for item in ITEMS if item["type"] == word]
    losses = Ledger()
    response = final(frames(walk("ark", created(), ended(items)), "rich", losses))
    told = [item["type"] for item in response["output"]]
    assert (told == [word] * len(items)) is (rule.verdict == "exact" or word == "reasoning")
    if rule.verdict == "dropped":
        assert told == []
        assert [loss.path for loss in losses.losses] == ["ark.output[0]"]
        assert [entry["raw"] for entry in response["x_dragoman"]["items"]] == items
        assert final(frames(walk("ark", created(), ended(items)), "native"))["output"][0]["type"] == word
    elif word != "doubao_app_call":
        assert losses.losses == []


@rows("block")
def test_a_block(word: str, rule: Rule) -> None:
    block = next(block for block in BLOCKS if block["type"] == word)
    app: Json = {"type": "doubao_app_call", "id": "d", "status": "completed", "blocks": [block]}
    losses = Ledger()
    (item,) = final(frames(walk("ark", created(), ended([app])), "rich", losses))["output"]
    assert rule.verdict == "approximated"
    assert item["x_dragoman"]["rest"]["origin"]["block"]["type"] == word
    assert losses.losses == []


CONTENT: dict[str, Json] = {
    "output_text": {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "!"}]},
    "reasoning_text": {"type": "message", "role": "assistant", "content": [{"type": "reasoning_text", "text": "!"}]},
    "summary_text": {"type": "reasoning", "summary": [{"type": "summary_text", "text": "!"}]},
    "transcription_text": {"type": "transcription", "transcription": [{"type": "transcription_text", "text": "!"}]},
}


@rows("content")
def test_a_content(word: str, rule: Rule) -> None:
    """Of a message that only thinks, the thoughts are told, and no message."""
    item = next(item for item in final(frames(walk("ark", created(), ended([CONTENT[word]]))))["output"])
    (part,) = item.get("content") or item["summary"]
    assert part["text"] == "!"
    same = (item["type"], part["type"]) == (CONTENT[word]["type"], word)
    assert same is (rule.verdict == "exact")


DOCUMENT: Json = {"type": "doc_citation", "doc_id": "d", "doc_name": "n"}


@rows("annotation")
def test_an_annotation(word: str, rule: Rule) -> None:
    raw = next(cite for cite in (CITE, DOCUMENT) if cite["type"] == word)
    content = [{"type": "output_text", "text": "Hi", "annotations": [raw]}]
    response = final(frames(walk("ark", created(), ended([message(content=content)]))))
    (told,) = response["output"][0]["content"][0]["annotations"]
    assert rule.verdict == "approximated"
    assert told["type"] == {"url_citation": "url_citation", "doc_citation": "file_citation"}[word]
    assert told["x_dragoman"]["loc"] == "none"


@rows("status")
def test_a_status(word: str, rule: Rule) -> None:
    assert rule.verdict == "exact"
    if word == "in_progress":
        assert play([created(status=word)])[2][0]["response"]["status"] == word
        return
    assert final(frames(walk("ark", created(), ended(type_=word))))["status"] == word


@rows("item status")
def test_a_status_of_an_item(word: str, rule: Rule) -> None:
    search: Json = {"type": "web_search_call", "id": "w", "status": word}
    spoken = message("Hi", status=word)
    if word in ("in_progress", "searching"):
        told = frames(walk("ark", created(), on("output_item.added", 0, item=search), ended(type_="incomplete")))
        assert next(e for e in told if e["type"] == "response.output_item.added")["item"]["status"] == "in_progress"
        return
    end = ended([search, spoken], "incomplete" if word != "completed" else word)
    told = [item["status"] for item in final(frames(walk("ark", created(), end)))["output"]]
    assert told == ([word, "incomplete"] if word == "failed" else [word, word])
    assert (rule.verdict == "exact") is (told == [word, word])


@rows("incomplete reason")
def test_a_reason(word: str, rule: Rule) -> None:
    told = final(frames(walk("ark", created(), ended(type_="incomplete", incomplete_details={"reason": word}))))
    assert (told["incomplete_details"]["reason"] == word) is (rule.verdict == "exact")
    kept = told.get("x_dragoman", {}).get("rest", {}).get("incomplete_details")
    assert kept == (None if rule.verdict == "exact" else {"reason": word})


USAGE: Json = {
    "input_tokens": 3,
    "output_tokens": 5,
    "total_tokens": 8,
    "input_tokens_details": {"cached_tokens": 2},
    "output_tokens_details": {"reasoning_tokens": 4},
    "tool_usage": {"web_search": 1},
    "tool_usage_details": {"web_search": {"toutiao": 1}},
}


@rows("usage")
def test_a_count(word: str, rule: Rule) -> None:
    told = final(frames(walk("ark", created(), ended(usage=USAGE))))
    assert told["x_dragoman"]["usage"][word] == USAGE[word]
    if rule.verdict == "exact":
        said = told["usage"][word]
        assert said.items() >= USAGE[word].items() if isinstance(said, dict) else said == USAGE[word]
    losses = Ledger()
    frames(walk("ark", created(), ended(usage=USAGE)), "strict", losses)
    assert [loss.path for loss in losses.losses] == ["response"]


OF_ITS_OWN: Json = {
    "thinking": {"type": "enabled"},
    "caching": {"type": "enabled"},
    "expire_at": 5,
    "session": {"id": "s"},
    "context_management": {"applied_edits": [{"type": "clear_thinking"}]},
    "incomplete_details": {"reason": "length"},
}


@rows("response")
def test_a_field_of_the_response(word: str, rule: Rule) -> None:
    end = ended(type_="incomplete", **{word: OF_ITS_OWN[word]} if word in OF_ITS_OWN else {})
    told = final(frames(walk("ark", created(), end)))
    assert word in told or word in told["x_dragoman"]["rest"]
    assert (word in OF_ITS_OWN) is (rule.verdict == "approximated")
    if word in OF_ITS_OWN:
        assert told["x_dragoman"]["rest"][word] == OF_ITS_OWN[word]


BARE: dict[str, tuple[Json, Json]] = {
    "mcp_list_tools": ({"server_label": "s"}, {"server_label": "s", "tools": []}),
    "mcp_approval_request": ({"server_label": "s", "name": "f"}, {"server_label": "s", "name": "f", "arguments": ""}),
    "mcp_call": ({"server_label": "s", "name": "f"}, {"server_label": "s", "name": "f", "arguments": ""}),
}


@pytest.mark.parametrize(("said", "told"), BARE.values(), ids=BARE.keys())
def test_an_announcement_that_says_little_has_what_clients_read(said: Json, told: Json) -> None:
    """The reference: "the first output_item.added may not carry" the arguments; the tools are not required either."""
    kind = next(name for name, row in BARE.items() if row[0] is said)
    events = frames(walk("ark", created(), on("output_item.added", 0, item={"type": kind, "id": "i", **said}), ended()))
    added = next(event for event in events if event["type"] == "response.output_item.added")
    assert added["item"].items() >= told.items()


def test_a_servers_tools_are_told_without_nulls() -> None:
    """A client's parser stops at `annotations: null`."""
    tool: Json = {"name": "f", "input_schema": {"type": "object"}, "annotations": None, "description": None}
    listed: Json = {"type": "mcp_list_tools", "id": "i", "server_label": "s", "tools": [tool]}
    events = [on("output_item.added", 0, item={**listed, "tools": []}), on("output_item.done", 0, item=listed)]
    told = final(frames(walk("ark", created(), *events, ended())))["output"][0]
    assert told["tools"] == [{"name": "f", "input_schema": {"type": "object"}}]
    assert told["x_dragoman"]["rest"]["tools"] == [tool]


ODD: list[Any] = [
    None,
    [],
    {},
    "x",
    -1,
    0,
    10**12,
    1.5,
    True,
    [{}],
    {"type": "search"},
    {"type": "output_text", "text": 5},
]


@given(
    st.lists(st.tuples(st.integers(0, len(ALL) - 1), st.integers(0, 99), st.sampled_from(ODD)), max_size=9),
    st.sets(st.integers(1, len(ALL) - 1), max_size=20),
)
def test_events_that_are_nearly_right_break_nothing(changes: list[tuple[int, int, Any]], missing: set[int]) -> None:
    """Each change: the event, which of its leaves, and what stands there instead."""
    events = list(ALL)
    for at, leaf, value in changes:
        found = [place for place, _ in leaves(events[at]) if place != ("type",)]
        if found:
            events[at] = replaced(events[at], found[leaf % len(found)], value)
    kept = [event for at, event in enumerate(events) if at not in missing]
    frames(walk("ark", *kept), "native")
