"""The interaction object of an answer: how it begins, how it ends, and what it cost."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final

from adapters.faces.gemini.errors import encode_failure
from adapters.faces.gemini.marks import NAME
from adapters.hub import events as ev
from adapters.hub.adapter import Encoding
from adapters.hub.kept import kept_by
from adapters.hub.request import Request
from adapters.interactions.tables import PAUSED, STATUSES
from adapters.responses import snapshot
from adapters.wire_json import Json, as_object, as_text

_LAST_SECOND = 253402300799  # of the year 9999, which ends what ISO 8601 writes in four digits
_FILTERED: Final = {"code": "content_filter", "message": "the vendor's safety filter stopped the answer"}

_TOLD: Final = frozenset({"model", "created_at", "output"})
"""Fields of the family's response object that the interaction always tells in its own words."""


def _iso(seconds: float) -> str:
    """Unix seconds in ISO 8601, as `2026-11-01T00:00:00Z`."""
    return datetime.fromtimestamp(int(min(max(seconds, 0), _LAST_SECOND)), UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def begun(id: str, event: ev.Started, encoding: Encoding) -> Json:
    """The interaction at its start. Who asked an agent is told the agent, and who asked a model the model.

    The client's labels come back, though not every vendor is told them.
    """
    origin = encoding.request.origin
    asked = origin.body if origin is not None else {}
    agent, labels = as_text(asked.get("agent")), as_object(asked.get("labels"))
    model = event.model or encoding.request.model
    created = event.created_at if event.created_at is not None else encoding.mint.now()
    named = {"agent": agent} if agent else {"model": model}
    named |= {"labels": labels} if labels else {}
    return {"id": id, "object": "interaction", "status": "in_progress", "created": _iso(created), **named}


def ended(event: ev.Ended, calls: bool) -> Json:
    """What the end adds; `calls` says whether the client is to answer."""
    usage = event.usage
    fields: Json = {"status": _status(event, calls)}
    if usage is not None:
        fields["usage"] = kept_by(NAME, usage.raw) or _encode_usage(usage)
    if event.error is not None:
        fields["errors"] = [encode_failure(event.error)]
    elif event.finish.unified == "content_filter":
        fields["errors"] = [_FILTERED]
    return fields | {key: value for key, value in (kept_by(NAME, event.extra) or {}).items() if key != "status"}


def _status(event: ev.Ended, calls: bool) -> str:
    """The vendor's own word where it is one of the dialect; that it only paused is not the client's affair.

    An answer that is made in the background is whole for the hub, and still on its way for the client.
    """
    raw = event.finish.raw or ""
    if event.unfinished is not None:
        return "in_progress"
    if event.status == "completed":
        return "requires_action" if calls else raw if raw == "idle" else "completed"
    known = raw in STATUSES and raw != PAUSED and STATUSES[raw].status == event.status
    return raw if known else event.status


def _encode_usage(usage: ev.Usage) -> Json:
    """Thoughts are counted beside the output in this dialect, and within it in the hub."""
    return {
        "total_tokens": usage.total,
        "total_input_tokens": usage.input,
        "total_cached_tokens": usage.input_cached,
        "total_output_tokens": max(usage.output - usage.output_reasoning, 0),
        "total_thought_tokens": usage.output_reasoning,
        "total_tool_use_tokens": 0,
    }


def updated(event: ev.Ended, encoding: Encoding) -> str:
    """When the answer was whole, as its vendor says; else now."""
    at = _completed_at(event)
    return _iso(at if at is not None else encoding.mint.now())


def _completed_at(event: ev.Ended) -> int | None:
    extra = event.extra if event.extra is not None and event.extra.wire != NAME else None
    at = as_object(extra.data.get("response")).get("completed_at") if extra is not None else None
    return at if type(at) is int and 0 <= at <= _LAST_SECOND else None


def said_of_response(event: ev.Ended, request: Request) -> Json:
    """What a vendor of another dialect said of the answer as a whole, beyond the interaction's words.

    What it repeats of the request, as it was told it, is nothing new.
    """
    said: Json = {}
    extra, usage, error = event.extra, event.usage, event.error
    raw_usage = usage.raw if usage is not None and usage.raw is not None and usage.raw.wire != NAME else None
    if extra is not None and extra.wire != NAME:
        known = {"object": "response", "usage": raw_usage.data if raw_usage is not None else None}
        known |= {**snapshot.echo(request, NAME), "completed_at": _completed_at(event)}
        said |= snapshot.extension_of(extra, known, _TOLD)
    if raw_usage is not None:
        said |= {"v": raw_usage.wire, "usage": raw_usage.data}
    if error is not None and error.raw is not None and error.raw.wire != NAME:
        said |= {"v": error.raw.wire, "raw": error.raw.data}
    return said
