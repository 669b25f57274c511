"""Stop sequences at every vendor: the answer ends before the first of them, and the vendor is let go."""

from __future__ import annotations

from typing import Any

import pytest

import adapters
from adapters.hub.errors import BadRequest
from adapters.sse import SseParser, frame
from tests.app.scripted import JSON, Played, Script, Told, begin, run

SCENES = ("text", "cite", "reasoning")


def played(vendor: str, scene: str, *, stream: bool) -> Played:
    """A recording of the vendor's sandbox, an event a read."""
    recorded = (adapters.ROOT / vendor / "sandbox" / f"{scene}.{'sse' if stream else 'json'}").read_bytes()
    if not stream:
        return Played(recorded, headers=JSON)
    return Played(*(frame(event.name, event.data) for event in SseParser().feed(recorded)))


async def told(answer: Played, vendor: str, *, stream: bool, stop: Any = None, fidelity: str = "rich") -> Told:
    body = {"stream": stream, "x_dragoman": {"stop": stop}}
    return await run(begin(Script([answer]), vendor, body, fidelity))


def parts(answer: Told) -> list[dict[str, Any]]:
    return [part for item in answer.response["output"] if item["type"] == "message" for part in item["content"]]


def cited(answer: Told) -> set[tuple[str, str]]:
    return {(cite["type"], cite.get("url", cite.get("file_id"))) for cite in parts(answer)[0]["annotations"]}


@pytest.mark.parametrize("stream", [True, False], ids=["streamed", "whole"])
@pytest.mark.parametrize("scene", SCENES)
@pytest.mark.parametrize("vendor", adapters.names())
@pytest.mark.parametrize("fidelity", ["strict", "rich", "native"])
async def test_the_text_ends_before_the_sequence(vendor: str, scene: str, stream: bool, fidelity: str) -> None:
    whole = await told(played(vendor, scene, stream=stream), vendor, stream=stream, fidelity=fidelity)
    (text,) = whole.texts
    stop = text[len(text) // 2 :][:5]
    kept = text[: text.index(stop)]
    answer = played(vendor, scene, stream=stream)
    cut = await told(answer, vendor, stream=stream, fidelity=fidelity, stop=["never said", stop])
    assert (cut.response["status"], cut.texts) == ("completed", [kept])
    assert cut.response["incomplete_details"] is None
    assert cut.response["error"] is None
    assert cut.response["usage"] == (None if stream else whole.response["usage"])
    assert answer.closed
    assert stop not in cut.sent.decode()
    for annotation in parts(cut)[0]["annotations"]:
        assert annotation.get("end_index", annotation.get("index")) <= len(kept)


@pytest.mark.parametrize("stream", [True, False], ids=["streamed", "whole"])
@pytest.mark.parametrize("scene", SCENES)
@pytest.mark.parametrize("vendor", adapters.names())
async def test_a_sequence_that_is_not_said_changes_nothing(vendor: str, scene: str, stream: bool) -> None:
    whole = await told(played(vendor, scene, stream=stream), vendor, stream=stream)
    same = await told(played(vendor, scene, stream=stream), vendor, stream=stream, stop="\x00 never said")
    assert (same.texts, parts(same)) == (whole.texts, parts(whole))
    assert (same.losses, same.response["usage"]) == (whole.losses, whole.response["usage"])


@pytest.mark.parametrize("scene", ["text", "cite", "search"])
@pytest.mark.parametrize("vendor", adapters.names())
async def test_a_stream_cites_what_a_whole_answer_does_or_says_that_it_may_not(vendor: str, scene: str) -> None:
    (text,) = (await told(played(vendor, scene, stream=False), vendor, stream=False)).texts
    for end in range(1, len(text)):
        stop = text[end:][:4]
        whole = await told(played(vendor, scene, stream=False), vendor, stream=False, stop=stop)
        streamed = await told(played(vendor, scene, stream=True), vendor, stream=True, stop=stop)
        assert streamed.texts == whole.texts
        for answer, other in ((streamed, whole), (whole, streamed)):
            told_of_loss = any(path.endswith(".content[0].annotations") for path in answer.losses)
            assert told_of_loss or cited(answer) >= cited(other)


@pytest.mark.parametrize("vendor", adapters.names())
async def test_one_event_at_most_is_read_after_the_sequence(vendor: str) -> None:
    whole = played(vendor, "text", stream=True)
    (text,) = (await told(whole, vendor, stream=True)).texts
    cut = played(vendor, "text", stream=True)
    await told(cut, vendor, stream=True, stop=text[:1])
    assert cut.read < whole.read / 2


@pytest.mark.parametrize("vendor", adapters.names())
@pytest.mark.parametrize("stop", ["", [""], ["a", 1], 7, {}, list("abcde"), [["a"]], True])
def test_what_is_no_sequence_is_refused(vendor: str, stop: Any) -> None:
    with pytest.raises(BadRequest, match="up to 4") as caught:
        begin(Script([]), vendor, {"x_dragoman": {"stop": stop}})
    assert caught.value.param == "x_dragoman.stop"


@pytest.mark.parametrize("vendor", adapters.names())
@pytest.mark.parametrize("stop", [None, [], "a", list("abcd")])
async def test_a_sequence_is_no_loss_for_any_vendor(vendor: str, stop: Any) -> None:
    script = Script([played(vendor, "text", stream=False)])
    answer = await run(begin(script, vendor, {"x_dragoman": {"stop": stop}}))
    assert answer.losses == []
    assert "x_dragoman" not in script.bodies[0]
