"""The interaction object: what begins and ends the walk, and the usage."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from adapters.hub import events as ev
from adapters.hub.errors import UpstreamError
from adapters.hub.kept import Kept, leftovers
from adapters.interactions.errors import decode_failure
from adapters.interactions.tables import CONTINUATION, PAUSED, SAFETY_WORDS
from adapters.wire_json import Json, as_count, as_list, as_object, as_text

_TOLD = frozenset({"id", "model", "object", "status", "created", "steps", "usage", CONTINUATION})


def decode_start(told: Json, wire: str) -> ev.Started:
    """How the walk begins, from as much of the interaction as is known."""
    model = as_text(told.get("model")) or as_text(told.get("agent")) or None
    kept = leftovers(wire, told, _TOLD)
    return ev.Started(wire, as_text(told.get("id")), model, _seconds(as_text(told.get("created"))), kept)


def rest_of(told: Json, status: str, wire: str) -> Kept | None:
    """What the finished interaction says beyond the hub's words, its own status among it where that is another than
    `status`. That it paused, and how it is asked to go on, never leaves.
    """
    known = told.get("status") in (status, PAUSED, None)
    return leftovers(wire, told, _TOLD if known else _TOLD - {"status"})


def without_token(payload: Json) -> Json:
    """An event, without the continuation token that it or its interaction holds."""
    told = {key: value for key, value in payload.items() if key != CONTINUATION}
    inner = told.get("interaction")
    return {**told, "interaction": without_token(as_object(inner))} if isinstance(inner, dict) else told


def decode_usage(raw: Any, wire: str) -> ev.Usage | None:
    """Thoughts are counted beside the output and tool use beside the input; None where nothing was reported.

    A recorded search: 22 input + 129 tool use + 973 output + 249 thoughts = 1373 in total.
    """
    usage = as_object(raw)
    if not usage:
        return None
    thoughts = as_count(usage.get("total_thought_tokens"))
    spent = as_count(usage.get("total_input_tokens")) + as_count(usage.get("total_tool_use_tokens"))
    made = as_count(usage.get("total_output_tokens")) + thoughts
    return ev.Usage(
        input=spent,
        input_cached=as_count(usage.get("total_cached_tokens")),
        output=made,
        output_reasoning=thoughts,
        total=as_count(usage.get("total_tokens")) or spent + made,
        raw=Kept(wire, usage),
    )


def decode_errors(told: Json, wire: str) -> UpstreamError:
    """Why a failed interaction failed."""
    reasons = [as_object(entry) for entry in as_list(told.get("errors"))] or [as_object(told.get("error"))]
    return decode_failure(reasons[0], wire)


def was_filtered(told: Json) -> bool:
    """Whether an incomplete interaction was stopped by a safety filter."""
    codes = [as_text(as_object(entry).get("code")).lower() for entry in as_list(told.get("errors"))]
    return any(word in code for code in codes for word in SAFETY_WORDS)


def _seconds(created: str) -> float | None:
    """ISO 8601 to Unix seconds."""
    try:
        moment = datetime.fromisoformat(created)
    except ValueError:
        return None
    return (moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)).timestamp()
