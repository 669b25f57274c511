"""How hypothesis searches for what breaks a law: JSON of every kind, and recordings with something wrong in them."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from adapters.sse import SseEvent
from adapters.wire_json import Json, as_object, as_text
from tests.laws.corpus import OWN, Recording
from tests.laws.json_values import Place, places, replaced, texts, without

_SCALE = int(os.environ.get("LAWS_SCALE", "1"))


def bounded(examples: int) -> settings:
    """The same examples on every run, or LAWS_SCALE times as many that differ from run to run."""
    return settings(
        max_examples=examples * _SCALE,
        deadline=None,
        derandomize=_SCALE == 1,
        database=None,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much],
    )


# -- JSON --------------------------------------------------------------------------------------

SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**63), 2**63 - 1),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(max_size=8),
)

VALUES = st.recursive(
    SCALARS,
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(st.text(max_size=6), inner, max_size=4)),
    max_leaves=12,
)
"""Any JSON."""

JUNK: Sequence[Any] = (
    None, 0, 1, -1, 2**53, 1.5, True, False, "", "x", "\U0001f600", [], {}, [None], [{}], [1], ["x"], {"type": "x"},
    {"text": "x"}, {"error": {"message": "x"}},
)  # fmt: skip
"""What stands where something else is expected."""


@cache
def vocabulary(vendor: str) -> tuple[list[str], list[Any]]:
    """The keys and the short words that the vendor's recordings are made of."""
    keys: set[str] = set()
    words: set[str] = set()
    for recording in OWN:
        if recording.vendor != vendor:
            continue
        bodies = recording.payloads() if recording.streamed else [recording.body()]
        for body in bodies:
            keys |= {str(key) for place in places(body) for key in place if isinstance(key, str)}
            words |= {text for text in texts(body) if len(text) < 40}
    return sorted(keys), sorted(words)


@cache
def spoken(vendor: str) -> st.SearchStrategy[Json]:
    """Objects of the vendor's own words, put together without sense."""
    keys, words = vocabulary(vendor)
    leaf = st.one_of(st.sampled_from(words), st.sampled_from(JUNK), st.integers(-2, 3))
    values = st.recursive(
        leaf,
        lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.sampled_from(keys), inner, max_size=5)),
        max_leaves=8,
    )
    return st.dictionaries(st.sampled_from(keys), values, max_size=8)


# -- recordings with something wrong in them ---------------------------------------------------

_Change = Callable[[st.DataObject, list[Any], int], None]


def _drop(_: st.DataObject, events: list[Any], at: int) -> None:
    del events[at]


def _repeat(_: st.DataObject, events: list[Any], at: int) -> None:
    events.insert(at, events[at])


def _move(data: st.DataObject, events: list[Any], at: int) -> None:
    event = events.pop(at)
    events.insert(data.draw(st.integers(0, len(events))), event)


def _lose_field(data: st.DataObject, events: list[Any], at: int) -> None:
    place = _somewhere(data, events[at])
    if place:
        events[at] = without(events[at], place)


def _spoil_field(data: st.DataObject, events: list[Any], at: int) -> None:
    place = _somewhere(data, events[at])
    if place:
        events[at] = replaced(events[at], place, data.draw(st.sampled_from(JUNK)))


def _somewhere(data: st.DataObject, event: Any) -> Place:
    found = list(places(event))
    return data.draw(st.sampled_from(found)) if found else ()


_CHANGES: Sequence[_Change] = (_drop, _repeat, _move, _lose_field, _lose_field, _spoil_field, _spoil_field)


def broken(data: st.DataObject, streams: Sequence[Recording]) -> tuple[Recording, list[SseEvent]]:
    """One of the streams, with one to three changes: events lost, repeated or moved, fields lost or spoilt."""
    recording = data.draw(st.sampled_from(streams))
    events: list[Any] = list(recording.payloads())
    for _ in range(data.draw(st.integers(1, 3))):
        if events:
            change = data.draw(st.sampled_from(_CHANGES))
            change(data, events, data.draw(st.integers(0, len(events) - 1)))
    return recording, [sse(event) for event in events]


def sse(payload: Any) -> SseEvent:
    """A payload as the event it would come in."""
    fields = as_object(payload)
    told = as_text(fields.get("type")) or as_text(fields.get("event_type"))
    return SseEvent(told.encode(), json.dumps(payload).encode())


def spoilt(data: st.DataObject, body: Json) -> Json:
    """The body with one to three fields lost or of another kind."""
    for _ in range(data.draw(st.integers(1, 3))):
        place = data.draw(st.sampled_from(list(places(body))))
        junk = st.one_of(st.sampled_from(JUNK), SCALARS)
        body = without(body, place) if data.draw(st.booleans()) else replaced(body, place, data.draw(junk))
        if not body:
            break
    return body
