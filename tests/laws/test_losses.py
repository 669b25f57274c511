"""Losses: whatever a target cannot say is in the ledger, or the request is refused by the name of the field.

No list of fields says so. Every leaf of a request is taken away and changed: unless what is sent, or what is
reported, changes with it, or the ledger names what holds it, the field was dropped in silence.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import adapters
from adapters.hub.asking import Named, question
from adapters.hub.errors import BadRequest
from adapters.hub.losses import Ledger
from adapters.wire_json import Json
from tests.laws.corpus import FACES, VENDORS, requests_of, requests_of_clients, surface
from tests.laws.json_values import Place, leaves, places, replaced, same, spelled, without
from tests.laws.requests_elsewhere import REQUESTS, WHOLE
from tests.laws.strategies import bounded

# What may change without a trace, by where it stands, and why.
SAYS_NOTHING = {
    r"(input\[\d+\]\.)?(.*\.)?type": "a type says how its object is read; most are refused when unknown",
    r"input\[\d+\]\.(id|status)": "the state and name of an answer that is sent back; no vendor but its own knows them",
    r".*\.x_dragoman\b.*|x_dragoman\..*": "the gateway's own key: read by the vendor it speaks of, and sent to none",
    r"input\[\d+\]\.parsed_arguments\..*": "what an SDK read in `arguments`, which go",
    r"metadata\..*": "the gateway echoes it",
    r"user|safety_identifier|prompt_cache_key": "a hint whose absence changes no answer",
    r"(.*\.)?\$schema": "which revision a schema is written in; the rest of it stands",
    r"text\.format\.(name|strict)": "a label; and a schema that a vendor always holds to",
    r"tools\[\d+\]\.strict": "held to where the vendor can, reported where it cannot, and false is the default",
    r"reasoning\.summary": "auto where the vendor always tells a summary",
    r"stream_options\..*": "padding of the client's own stream",
    r"client_metadata\..*": "the client's notes to itself",
    r"labels\..*": "the gateway echoes it",
    r"input\[\d+\](\.content\[\d+\])?\.name": "the function's name, which its call says too",
    r"input\[\d+\]\.(signature|result\[\d+\]\.search_suggestions)": "what the vendor of a search alone reads of it",
    r"generation_config\.stop_sequences\[\d+\]": "the gateway cuts the text itself",
    r"generation_config\.thinking_summaries": "auto where the vendor always tells a summary, and none is the default",
    r"generation_config\.tool_choice\.allowed_tools\.mode": "auto is the default, and unknown modes are refused",
    r"tools\[\d+\]\.search_types\[\d+\]": "a search of the web is the default, and unknown kinds are reported",
    r"response_format(\[\d+\])?\.mime_type": "JSON of a schema is JSON, and unknown types are refused",
}

# The values that say what the vendor does anyway, so that leaving them out changes nothing.
DEFAULTS: tuple[tuple[str, Any], ...] = (
    ("stream", False),
    ("background", False),
    ("parallel_tool_calls", True),
    ("truncation", "disabled"),
    ("top_logprobs", 0),
    ("tool_choice", "auto"),
    ("tool_choice.mode", "auto"),
    ("service_tier", "auto"),
    ("text.format.type", "text"),
    ("detail", "auto"),
)

# Another value that is as well formed, where not every text is.
OTHER: dict[str, tuple[str, ...]] = {
    "search_context_size": ("low", "medium", "high"),
    "detail": ("low", "high", "auto"),
    "effort": ("low", "high"),
    "summary": ("concise", "auto"),
    "verbosity": ("low", "high"),
    "role": ("user", "developer"),
    "truncation": ("auto", "disabled"),
    "service_tier": ("flex", "priority"),
    "tool_choice": ("auto", "required"),
    "mode": ("auto", "required"),
    "include": ("file_search_call.results", "computer_call_output.output.image_url"),
}
SAME = ({"system", "developer"}, *({word} for words in OTHER.values() for word in words))
"""Words that mean the same."""

INCLUDED_ANYWAY = {
    "reasoning.encrypted_content": "a vendor that always gives its signatures need not be asked",
}


def outcome(body: Json, face: str, vendor: str) -> tuple[str, list[str], str] | BadRequest:
    """What is sent, which paths are reported, and the whole report; or the refusal."""
    losses = Ledger()
    try:
        request = surface(face).decode_request(body)
        sent = question(surface(face), adapters.load(vendor), request, losses, Named(request.model)).body
    except BadRequest as refusal:
        return refusal
    report = [[loss.path, loss.reason] for loss in losses.losses]
    return same(sent), [loss.path for loss in losses.losses], same(report)


def variants(body: Json, place: Place, value: Any) -> Iterator[Json]:
    """The request without a leaf, and with another well formed value there."""
    name = next((key for key in reversed(place) if isinstance(key, str)), "")
    if (spelled(place), value) not in DEFAULTS and value not in (None, "", [], {}, False):
        shorter = without(body, place)
        if shorter:
            yield shorter
    if name in OTHER and isinstance(value, str):
        yield from (replaced(body, place, other) for other in OTHER[name] if {value, other} not in SAME)
    elif isinstance(value, str):
        yield replaced(body, place, f"{value}q")
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield replaced(body, place, value - 1 if value > 1 else value + 1)


def named(path: str, place: Place) -> bool:
    """Whether a path of the ledger is the leaf's, or that of what holds it."""
    here = spelled(place)
    path = path.removesuffix(".x_dragoman")
    return here == path or here.startswith((f"{path}.", f"{path}["))


def filtered(body: Json, place: Place) -> bool:
    """Whether the client itself left the tool out by allowing others only or none, or chooses among no tools."""
    choice = body.get("tool_choice")
    if place[0] == "tool_choice" or place[:2] == ("generation_config", "tool_choice"):
        return not body.get("tools")
    return place[0] == "tools" and (choice == "none" or isinstance(choice, dict))


def silent(body: Json, face: str, vendor: str) -> list[str]:
    """The leaves of a request that reach the vendor neither in its body nor in the ledger."""
    base = outcome(body, face, vendor)
    if isinstance(base, BadRequest):
        refused_by_name(base, body)
        return []
    _, reported, _ = base
    found: list[str] = []
    for place, value in leaves(body):
        here = spelled(place)
        if any(re.fullmatch(pattern, here) for pattern in SAYS_NOTHING):
            continue
        if value in ([], *INCLUDED_ANYWAY):
            continue
        if any(named(path, place) for path in reported) or filtered(body, place):
            continue
        found += [here for variant in variants(body, place, value) if outcome(variant, face, vendor) == base]
    return found


def refused_by_name(refusal: BadRequest, body: Json) -> None:
    """The refusal names a field that the request has, or one that it lacks inside one it has."""
    param = refusal.param or ""
    spoken = {spelled(place) for place in places(body)}
    assert param in spoken or param.rpartition(".")[0] in spoken | {""}, (param, refusal.message)


@bounded(400)
@given(data=st.data())
@pytest.mark.parametrize("vendor", VENDORS)
@pytest.mark.parametrize("face", FACES)
def test_nothing_of_any_request_is_dropped_in_silence(face: str, vendor: str, data: st.DataObject) -> None:
    assert silent(data.draw(REQUESTS[face]), face, vendor) == []


@pytest.mark.parametrize("vendor", VENDORS)
@pytest.mark.parametrize("face", FACES)
def test_nothing_of_a_request_with_everything_is_dropped_in_silence(face: str, vendor: str) -> None:
    assert silent(WHOLE[face], face, vendor) == []


@pytest.mark.parametrize("vendor", VENDORS)
@pytest.mark.parametrize("face", FACES)
def test_nothing_of_a_recorded_request_is_dropped_in_silence(face: str, vendor: str) -> None:
    paths = surface(face).paths
    recorded = [(n, b) for n, p, b in (*requests_of(face), *requests_of_clients()) if p in paths]
    assert {name: found for name, body in recorded if (found := silent(body, face, vendor))} == {}


@bounded(400)
@given(data=st.data())
@pytest.mark.parametrize("vendor", VENDORS)
@pytest.mark.parametrize("face", FACES)
def test_no_unknown_field_is_dropped_in_silence(face: str, vendor: str, data: st.DataObject) -> None:
    """A field of tomorrow, in any object of the request but those whose fields are the client's own."""
    body = data.draw(REQUESTS[face])
    objects = [place for place in [(), *places(body)] if _is_wires_own(body, place)]
    place = data.draw(st.sampled_from(objects))
    grown = replaced(body, (*place, "field_of_tomorrow"), "x")
    base, changed = outcome(body, face, vendor), outcome(grown, face, vendor)
    if isinstance(base, BadRequest) or isinstance(changed, BadRequest):
        return
    assert changed != base or any(named(path, place) for path in base[1]) or filtered(body, place)


def _is_wires_own(body: Json, place: Place) -> bool:
    value: Any = body
    for key in place:
        value = value[key]
    users = {
        "metadata",
        "labels",
        "parameters",
        "schema",
        "x_dragoman",
        "prompt",
        "summary",
        "action",
        "tool_choice",
        "result",
    }
    return isinstance(value, dict) and not users & set(place)
