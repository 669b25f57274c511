"""A vendor that pauses is asked again, inside one answer: what the client sees, and what it never sees."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from adapters.hub.errors import ProtocolError, Unreachable, UpstreamError, UpstreamTimeout
from app.hops import MAX_HOPS
from app.upstream.call import Answer, Call
from tests.app.scripted import JSON, SSE, Played, Script, Told, begin, run

Json = dict[str, Any]
VENDOR = "gemini"


def output(text: str) -> Json:
    return {"type": "model_output", "content": [{"type": "text", "text": text}]}


def interaction(number: int, text: str, status: str, **fields: Any) -> Json:
    """Hop `number` as a whole."""
    usage = {"total_input_tokens": 10, "total_output_tokens": number, "total_tokens": 10 + number}
    return {"id": f"v1_{number}", "status": status, "usage": usage, "steps": [output(text)], **fields}


def events(whole: Json) -> list[Json]:
    """The stream of an interaction."""
    begun = {"id": whole["id"], "status": "in_progress"}
    steps = [
        [
            {"event_type": "step.start", "index": index, "step": {"type": step["type"]}},
            *({"event_type": "step.delta", "index": index, "delta": block} for block in step["content"]),
            {"event_type": "step.stop", "index": index},
        ]
        for index, step in enumerate(whole["steps"])
    ]
    ended = {key: value for key, value in whole.items() if key != "steps"}
    return [
        {"event_type": "interaction.created", "interaction": begun},
        *(event for step in steps for event in step),
        {"event_type": "interaction.completed", "interaction": ended},
    ]


def sse(*told: Json) -> bytes:
    return b"".join(b"data: %b\n\n" % json.dumps(event).encode() for event in told)


def played(whole: Json, *, stream: bool) -> Played:
    if not stream:
        return Played(json.dumps(whole).encode(), headers=JSON)
    return Played(*(sse(event) for event in events(whole)))


def hop(number: int, text: str, *, stream: bool, last: bool = False) -> Played:
    paused = {"continuation_token": f"TOKEN-{number}"}
    status = "completed" if last else "requires_continuation"
    return played(interaction(number, text, status, **({} if last else paused)), stream=stream)


@pytest.fixture(params=[True, False], ids=["streamed", "whole"])
def stream(request: pytest.FixtureRequest) -> bool:
    return request.param


async def told(script: Script, *, stream: bool, fidelity: str = "rich", **body: Any) -> Told:
    answer = await run(begin(script, VENDOR, {"stream": stream, **body}, fidelity))
    assert b"TOKEN" not in answer.sent
    assert b"requires_continuation" not in answer.sent
    return answer


@pytest.mark.parametrize("fidelity", ["strict", "rich", "native"])
async def test_hops_are_one_answer(stream: bool, fidelity: str) -> None:
    hops = [hop(1, "one ", stream=stream), hop(2, "two ", stream=stream), hop(3, "three", stream=stream, last=True)]
    script = Script(hops)
    answer = await told(script, stream=stream, fidelity=fidelity)
    assert (answer.response["status"], answer.texts) == ("completed", ["one ", "two ", "three"])
    assert answer.response["id"] == "resp_gw1gemini_v1_1"
    assert answer.response["usage"]["total_tokens"] == 36
    assert answer.losses == (["id", "response"] if fidelity == "strict" else ["id"])
    assert all(played.closed for played in hops)
    extension = answer.response.get("x_dragoman", {})
    assert extension.get("continuation_ids") == (None if fidelity == "strict" else ["v1_1", "v1_2", "v1_3"])


async def test_each_hop_is_asked_for_by_the_one_before(stream: bool) -> None:
    script = Script([hop(1, "a", stream=stream), hop(2, "b", stream=stream), hop(3, "c", stream=stream, last=True)])
    await told(script, stream=stream, temperature=0.5)
    first, second, third = script.bodies
    rest = {key: value for key, value in first.items() if key != "input"}
    assert second == {**rest, "continuation_token": "TOKEN-1", "previous_interaction_id": "v1_1"}
    assert third == {**rest, "continuation_token": "TOKEN-2", "previous_interaction_id": "v1_2"}
    assert len({(call.url, str(call.headers)) for call in script.calls}) == 1


async def test_the_input_is_sent_again_where_nothing_is_stored(stream: bool) -> None:
    script = Script([hop(1, "a", stream=stream), hop(2, "b", stream=stream, last=True)])
    answer = await told(script, stream=stream, store=False)
    first, second = script.bodies
    assert second == {**first, "continuation_token": "TOKEN-1"}
    assert answer.losses == []


async def test_a_pause_with_nothing_said_is_no_empty_piece() -> None:
    silent = Played(sse(events(interaction(1, "", "in_progress"))[0]), sse(END | {"interaction": PAUSED}))
    exchange = begin(Script([silent, hop(2, "b", stream=True, last=True)]), VENDOR, {"stream": True})
    await exchange.start()
    assert all([piece async for piece in exchange.frames()])


PAUSED = {"id": "v1_1", "status": "requires_continuation", "continuation_token": "TOKEN-1"}
END = {"event_type": "interaction.completed"}


async def test_an_answer_that_is_whole_is_asked_for_once(stream: bool) -> None:
    script = Script([hop(1, "a", stream=stream, last=True)])
    answer = await told(script, stream=stream)
    assert (answer.texts, answer.losses, len(script.calls)) == (["a"], [], 1)
    assert "continuation_ids" not in answer.response["x_dragoman"]


async def test_the_vendor_is_not_asked_for_ever(stream: bool) -> None:
    hops = [hop(number, str(number % 10), stream=stream) for number in range(1, MAX_HOPS + 1)]
    answer = await told(Script(hops), stream=stream)
    assert answer.response["status"] == "incomplete"
    assert answer.response["incomplete_details"] == {"reason": "max_output_tokens"}
    assert "".join(answer.texts) == "1234567890123456"
    assert answer.losses == ["id", "output"]


async def test_a_token_that_comes_back_is_not_sent_again(stream: bool) -> None:
    again = played(interaction(2, "b", "requires_continuation", continuation_token="TOKEN-1"), stream=stream)
    answer = await told(Script([hop(1, "a", stream=stream), again]), stream=stream)
    assert (answer.response["status"], answer.texts) == ("incomplete", ["a", "b"])


# -- a hop that fails

REFUSED = {
    "error": {"code": 400, "status": "INVALID_ARGUMENT", "message": "bad continuation_token TOKEN-1, key sk-own"}
}
TOLD = "bad continuation_token [token], key [key]"
BROKEN: dict[str, tuple[Played | UpstreamError, str]] = {
    "no connection": (Unreachable("no connection"), "no connection"),
    "refused": (Played(json.dumps(REFUSED).encode(), status=400, headers=JSON), TOLD),
    "the gateway's key refused": (Played(b"{}", status=401, headers=JSON), "the vendor refused the gateway's own key"),
    "an odd status": (Played(status=204), "the vendor answered with the unexpected status 204"),
    "no answer": (Played(headers=SSE), "the stream ended before interaction.completed"),
    "a page": (Played(b"<html>", headers=JSON), "the vendor's answer is not JSON"),
    "late": (Played(UpstreamTimeout("late", retryable=True)), "late"),
    "garbage": (Played(b"data: {\n\n"), "the stream holds an event that is not JSON"),
    "an error event": (Played(sse({"event_type": "error", **REFUSED})), TOLD),
}


@pytest.mark.parametrize("case", BROKEN)
async def test_a_hop_that_fails_ends_the_answer_as_failed_with_what_was_said(case: str, stream: bool) -> None:
    second, message = BROKEN[case]
    answer = await told(Script([hop(1, "one ", stream=stream), second]), stream=stream)
    assert (answer.response["status"], answer.texts) == ("failed", ["one "])
    assert answer.response["error"]["message"] == message
    assert answer.response["usage"]["total_tokens"] == 11
    assert b"sk-own" not in answer.sent


async def test_a_hop_that_breaks_off_keeps_what_it_said() -> None:
    cut = Played(*(sse(event) for event in events(interaction(2, "two", "completed"))[:3]))
    answer = await told(Script([hop(1, "one ", stream=True), cut]), stream=True)
    assert (answer.response["status"], answer.texts) == ("failed", ["one ", "two"])


# -- a stream that breaks off where the vendor said it can go on

MARK = {"event_type": "interaction.status_update", "interaction_id": "v1_1", "continuation_token": "TOKEN-1"}


async def test_a_stream_that_breaks_off_at_a_mark_goes_on() -> None:
    begun = [sse(event) for event in events(interaction(1, "one ", "completed"))[:4]]
    script = Script(
        [Played(*begun, sse(MARK), ProtocolError("cut", retryable=True)), hop(2, "two", stream=True, last=True)]
    )
    answer = await told(script, stream=True)
    assert (answer.response["status"], answer.texts) == ("completed", ["one ", "two"])
    assert script.bodies[1]["continuation_token"] == "TOKEN-1"


async def test_it_does_not_go_on_from_where_it_has_been() -> None:
    begun = [sse(event) for event in events(interaction(1, "one ", "completed"))[:1]]
    cut = [Played(*begun, sse(MARK)) for _ in range(2)]
    answer = await told(Script(cut), stream=True)
    assert answer.response["status"] == "failed"


# -- the client leaves


class Slow(Script):
    """Its second answer does not come."""

    def __init__(self, first: Answer) -> None:
        super().__init__([first])
        self.asked = asyncio.Event()

    async def open(self, call: Call, /) -> Answer:
        if self.calls:
            self.asked.set()
            await asyncio.Event().wait()
        return await super().open(call)


async def test_a_client_that_leaves_between_hops_ends_the_asking(stream: bool) -> None:
    first = hop(1, "a", stream=stream)
    script = Slow(first)
    exchange = begin(script, VENDOR, {"stream": stream})
    task = asyncio.create_task(run(exchange))
    await script.asked.wait()
    assert first.closed
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await exchange.aclose()
    assert len(script.calls) == 1


async def test_a_client_that_leaves_within_a_later_hop_closes_it() -> None:
    second = hop(2, "b", stream=True)
    exchange = begin(Script([hop(1, "a", stream=True), second]), VENDOR, {"stream": True})
    await exchange.start()
    frames = exchange.frames()
    async for _ in frames:
        if second.read == 3:
            break
    await frames.aclose()
    await exchange.aclose()
    assert (second.read, second.closed) == (3, 1)


async def test_nobody_is_asked_again_before_that_is_waited_for() -> None:
    script = Script([hop(1, "a", stream=True)])
    exchange = begin(script, VENDOR, {"stream": True})
    await exchange.start()
    frames = exchange.frames()
    async for piece in frames:
        if b"output_item.done" in piece:
            break
    await frames.aclose()
    await exchange.aclose()
    assert len(script.calls) == 1


async def test_a_stop_sequence_ends_it_without_another_hop(stream: bool) -> None:
    script = Script([hop(1, "one STOP", stream=stream)])
    answer = await told(script, stream=stream, x_dragoman={"stop": "STOP"})
    assert (answer.response["status"], answer.texts, len(script.calls)) == ("completed", ["one "], 1)
