"""A client's own words: where its body says what the common words call otherwise, and what its vendor alone knows."""

from __future__ import annotations

import pytest

from adapters.hub.coverage import Rule
from adapters.hub.errors import Unsupported
from adapters.hub.losses import Ledger, Loss
from adapters.hub.origin import client_path, heed_private, respell, without_input
from adapters.hub.request import Message, Origin, Request

PATHS = {"input[2]": "input[3]", "input[2].content": "input[3].parts", "instructions": "system", "max_output": "c.max"}


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("input[2]", "input[3]"),
        ("input[2].role", "input[3].role"),
        ("input[2].content[0].text", "input[3].parts[0].text"),
        ("input[2].contents", "input[3].contents"),
        ("input[20]", "input[20]"),
        ("instructions", "system"),
        ("instructions_too", "instructions_too"),
        ("max_output", "c.max"),
        ("", ""),
        ("[0]", "[0]"),
    ],
)
def test_the_longest_known_prefix_counts(path: str, expected: str) -> None:
    assert client_path(Origin({}, paths=PATHS), path) == expected


@pytest.mark.parametrize(
    ("message", "expected"),
    [("'instructions' is odd: instructions", "'system' is odd: instructions"), ("no path", "no path")],
)
def test_an_error_names_the_clients_own_path(message: str, expected: str) -> None:
    error = Unsupported(message, param="instructions")
    respell(Origin({}, paths=PATHS), error)
    assert (error.message, str(error), error.param) == (expected, expected, "system")


@pytest.mark.parametrize("param", [None, "tools[0]"])
def test_an_error_elsewhere_stays(param: str | None) -> None:
    error = Unsupported("odd", param=param)
    respell(Origin({}, paths=PATHS), error)
    assert (error.message, error.param) == ("odd", param)


def test_private_words_are_reported_or_refused() -> None:
    rules = {"a": Rule("dropped", "gone"), "b": Rule("dropped"), "c": Rule("exact"), "d": Rule("approximated", "near")}
    request = Request("own", "m", [], origin=Origin({}, private=rules))
    losses = Ledger()
    heed_private(request, "other", losses)
    assert losses.losses == [Loss("a", "gone")]
    rules["e.f"] = Rule("rejected", "unheard of")
    with pytest.raises(Unsupported, match=r"other cannot take 'e.f': unheard of.") as caught:
        heed_private(request, "other", losses)
    assert caught.value.param == "e.f"


def test_all_but_the_conversation_may_be_repeated() -> None:
    origin = Origin({"input": [1], "system": "s"}, {"x": Rule("dropped", "y")}, PATHS)
    request = Request("own", "m", [Message("user", [])], text="t", origin=origin)
    kept = without_input(request)
    assert (kept.items, kept.text, kept.model) == ([], None, "m")
    assert kept.origin == Origin({"system": "s"})
    assert request.origin is origin


def test_noted_losses_are_respelled_once() -> None:
    losses = Ledger()
    losses.note("a", "x")
    losses.note("b", "x")
    losses.respell(lambda _: "c")
    losses.note("c", "x")
    losses.note("a", "x")
    assert losses.losses == [Loss("c", "x"), Loss("a", "x")]
