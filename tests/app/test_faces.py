"""A dialect with words of its own: how it is read, how it is told to others, and when its own vendor is repeated."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import pytest

import adapters
from adapters.hub import events as ev
from adapters.hub.adapter import Surface
from adapters.hub.errors import BadRequest, Unsupported
from app.exchange import Exchange, Gateway
from app.mint import RandomMint
from app.routing import build_router
from app.settings import Settings
from tests.app import retold, stub
from tests.app.scripted import JSON, Played, Script

OTHER = {"x-provider": "other"}
START: dict[str, Any] = {"t": "start", "model": "m"}
END = {"t": "end"}


def text(words: str) -> dict[str, Any]:
    return {"t": "text", "v": words}


def pause(token: str) -> dict[str, Any]:
    return {"t": "pause", "token": token}


def wire(*events: dict[str, Any]) -> bytes:
    return b"".join(b"data: %b\n\n" % json.dumps(event).encode() for event in events)


def whole(*events: dict[str, Any]) -> Played:
    return Played(json.dumps({"events": events}).encode(), headers=JSON)


@pytest.fixture
def with_vendor(stub_vendors: None, monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Puts a vendor of the dialect, with changes, beside those there are."""

    def put(**changes: Any) -> None:
        vendors = {**stub.VENDORS, "retold": retold.vendor(**changes)}
        monkeypatch.setattr(adapters, "names", lambda: tuple(vendors))
        monkeypatch.setattr(adapters, "load", vendors.__getitem__)

    put()
    return put


pytestmark = pytest.mark.usefixtures("with_vendor")


def begin(
    script: Script,
    headers: Mapping[str, str] | None = None,
    query: bytes = b"",
    surface: Surface = retold.SURFACE,
    **body: Any,
) -> Exchange:
    settings = Settings.model_validate({"upstreams": {"retold": {"api_key": "sk-own"}}})
    gateway = Gateway(build_router(settings), script, RandomMint(), max_event_bytes=1000)
    asked = {"engine": "m", "ask": "hi", **body}
    return gateway.begin(surface, headers or {}, json.dumps(asked).encode(), query)


async def run(exchange: Exchange) -> bytes:
    await exchange.start()
    if exchange.streamed:
        sent = b"".join([piece async for piece in exchange.frames()])
    else:
        sent = await exchange.body()
    await exchange.aclose()
    return sent


# --- reading


@pytest.mark.parametrize(
    ("headers", "expected"),
    [({}, None), ({"x-dragoman-offsets": "utf16"}, "utf16"), ({"x-dragoman-offsets": " CodePoint"}, "codepoint")],
)
def test_the_clients_offsets_reach_reader_and_encoder(headers: dict[str, str], expected: str | None) -> None:
    exchange = begin(Script([]), headers)
    assert (retold.OFFSETS[-1], exchange.encoding.offsets) == (expected, expected)


def test_unknown_offsets_are_refused() -> None:
    with pytest.raises(BadRequest, match="codepoint, utf16, utf8") as caught:
        begin(Script([]), {"x-dragoman-offsets": "bytes"})
    assert caught.value.param == "x-dragoman-offsets"


def test_the_conversation_is_let_go_and_the_rest_may_be_echoed() -> None:
    request = begin(Script([]), input=["long"], mood="good").encoding.request
    assert (request.text, request.model) == (None, "m")
    assert request.origin is not None
    assert request.origin.body == {"engine": "m", "ask": "hi", "mood": "good"}


# --- at another vendor


def test_words_that_only_the_own_vendor_knows() -> None:
    assert [loss.path for loss in begin(Script([]), OTHER, mood="good").losses] == ["mood"]
    assert begin(Script([]), mood="good", oath="odd").losses == []
    with pytest.raises(Unsupported, match="other cannot take 'oath': nobody else swears") as caught:
        begin(Script([]), OTHER, oath="odd")
    assert caught.value.param == "oath"


def test_losses_and_errors_name_what_the_client_wrote() -> None:
    assert [loss.path for loss in begin(Script([]), OTHER, engine="lossy", heat=1).losses] == ["heat"]
    with pytest.raises(Unsupported, match=r"^'heat' cannot be told$") as caught:
        begin(Script([]), OTHER, engine="cold", heat=1)
    assert caught.value.param == "heat"
    with pytest.raises(BadRequest, match="of this request: heat: has no word for it") as caught:
        begin(Script([]), {**OTHER, "x-dragoman-on-loss": "reject"}, engine="lossy", heat=1)
    assert caught.value.param == "heat"


def test_the_key_may_stand_in_the_query() -> None:
    assert begin(Script([]), OTHER, b"alt=sse&key=k%2D1&key=k2").route.credential.key == "k-1"
    assert begin(Script([]), {**OTHER, "x-provider-key": "k3"}, b"key=k1").route.credential.key == "k3"
    assert begin(Script([]), query=b"key=k1").route.credential.key == "sk-own"


# --- the own vendor, repeated


@pytest.mark.parametrize(
    ("headers", "changes", "body", "expected"),
    [
        ({}, {}, {}, True),
        ({"x-dragoman-offsets": "utf8"}, {}, {}, True),
        ({"x-dragoman-fidelity": "strict"}, {}, {}, True),
        ({}, {"stops": True}, {"stop": ["x"]}, True),
        ({}, {}, {"stop": ["x"]}, False),
        ({"x-dragoman-offsets": "codepoint"}, {}, {}, False),
        ({"x-provider": "other"}, {}, {}, False),
    ],
)
async def test_when_the_vendors_own_words_are_repeated(
    with_vendor: Callable[..., None],
    headers: dict[str, str],
    changes: dict[str, Any],
    body: dict[str, Any],
    expected: bool,
) -> None:
    with_vendor(**changes)
    odd = {"t": "odd", "of": [1, None]}
    played = Played(wire(START, odd, text("hello")), wire(END))
    sent = await run(begin(Script([played]), headers, stream=True, **body))
    assert (b'event: told\ndata: {"t": "odd", "of": [1, null]}\n\n' in sent) == expected
    assert sent.endswith(b"event: done\ndata: [DONE]\n\n" if expected else b"event: bye\ndata: {}\n\n")


async def test_a_whole_answer_is_repeated_whole() -> None:
    sent = await run(begin(Script([whole(START, text("a"), END)])))
    assert json.loads(sent) == [{"events": [START, text("a"), END]}]


async def test_tools_that_are_told_with_functions_need_an_encoder() -> None:
    emulating = replace(retold.SURFACE, emulate=retold.emulate)
    sent = await run(begin(Script([Played(wire(START, END))]), surface=emulating, stream=True))
    assert b"told" not in sent


@pytest.mark.parametrize("stream", [True, False])
async def test_an_answer_in_another_form_than_was_asked_for_is_encoded(stream: bool) -> None:
    said = [START, text("hello"), END]
    sent = await run(begin(Script([whole(*said) if stream else Played(wire(*said))]), stream=stream))
    assert sent.count(b"hello") == 1
    assert b"told" not in sent
    assert b'"t":' not in sent


# --- a pause


async def test_a_repeater_hears_all_pieces_as_they_came_and_one_walk() -> None:
    script = Script([Played(wire(START, text("a"), pause("T1"))), Played(wire(START, text("b")), wire(END))])
    await run(begin(script, stream=True))
    repeater = retold.REPEATERS[-1]
    told = [json.loads(event.data) for event in repeater.seen if type(event) is ev.Told]
    assert told == [START, text("a"), pause("T1"), START, text("b"), END]
    walk = [event for event in repeater.seen if type(event) is not ev.Told]
    assert [type(event).__name__ for event in walk if not isinstance(event, ev.Delta)] == [
        "Started",
        *("ItemStarted", "PartStarted", "PartEnded", "ItemEnded") * 2,
        "Ended",
    ]
    assert [event.item for event in walk if isinstance(event, ev.ItemStarted)] == [0, 1]
    assert script.bodies[1]["token"] == "T1"


async def test_each_whole_piece_is_told() -> None:
    first, last = (START, text("a"), pause("T1")), (START, text("b"), END)
    sent = await run(begin(Script([whole(*first), whole(*last)])))
    assert json.loads(sent) == [{"events": [*first]}, {"events": [*last]}]


# --- what nobody may read


async def failed(*answers: Played, headers: Mapping[str, str] | None = None) -> bytes:
    sent = await run(begin(Script(answers), headers, stream=True))
    assert sent.endswith(b"event: done\ndata: [DONE]\n\n")
    return sent


def error(status: int, words: str) -> dict[str, Any]:
    return {"t": "error", "status": status, "v": words}


async def test_an_error_without_secrets_is_told_as_it_came() -> None:
    sent = await failed(Played(wire(START, text("a"), error(500, "boom"))))
    assert b'event: told\ndata: {"t": "error", "status": 500, "v": "boom"}\n\n' in sent


async def test_an_error_that_holds_the_key_is_told_without_it() -> None:
    sent = await failed(Played(wire(START, text("a"), error(500, "bad sk-own"))))
    assert b'{"t": "text", "v": "a"}' in sent
    assert b'event: failed\ndata: "bad [key]"' in sent


async def test_an_error_that_holds_the_token_of_a_pause_is_told_without_it() -> None:
    sent = await failed(Played(wire(START, pause("T1"))), Played(wire(START, text("a"), error(500, "bad T1"))))
    assert b'{"t": "text", "v": "a"}' in sent
    assert b'event: failed\ndata: "bad [token]"' in sent


async def test_a_refusal_of_the_gateways_key_is_not_told() -> None:
    sent = await failed(Played(wire(START, text("a"), error(401, "who are you?"))))
    assert b'{"t": "text", "v": "a"}' in sent
    assert b"who are you" not in sent
    assert b"the vendor refused the gateway's own key" in sent
    own = await failed(Played(wire(START, error(401, "who are you?"))), headers={"x-provider-key": "sk"})
    assert b"who are you" in own


async def test_garbage_is_not_told() -> None:
    sent = await failed(Played(wire(START, text("a")), b"data: {\n\n"))
    assert sent.count(b"event: told") == 2
    assert b"event: failed" in sent
