"""The stream of steps, and the finished interaction, decoded to a walk."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from adapters.hub import events as ev
from adapters.hub.errors import ProtocolError, UpstreamError
from adapters.hub.items import MESSAGE
from adapters.interactions import interaction
from adapters.interactions.errors import decode_failure, error_of
from adapters.interactions.halves import Halves
from adapters.interactions.output import ModelOutput
from adapters.interactions.steps import Private, Step
from adapters.interactions.tables import (
    ANY_END,
    CONTINUATION,
    OLD_EVENTS,
    PAUSED,
    STATUSES,
    implied_step,
    is_silent,
    open_step,
)
from adapters.interactions.walk import Walk
from adapters.sse import SseEvent
from adapters.wire_json import Json, JsonError, as_list, as_object, as_text, loads, loads_lenient

_CUT = "the stream ended before interaction.completed"
_OLD = "this is the revision of the Interactions API before steps (outputs, content.delta), which is not spoken here"


class Decoder:
    """Reads one answer. Events go to the walk's `out`, which every public method starts afresh."""

    __slots__ = (
        "_checkpoint", "_ended", "_error", "_halves", "_id", "_live", "_phases", "_started", "_steps", "_usage",
        "_walk", "_wire",
    )  # fmt: skip

    def __init__(self, wire: str) -> None:
        self._wire = wire
        self._walk = Walk(wire)
        self._steps: dict[int, Step] = {}  # by the wire's index; steps stay here when they end
        self._live: list[Step] = []  # whose item may still be open, in the order they began
        self._phases: set[str] = set()
        self._started = self._ended = False
        self._error: UpstreamError | None = None
        self._id = ""
        self._checkpoint = ""  # the token to go on with should the stream break off here: nothing was said since
        self._usage: Any = None
        self._halves: Halves | None = None

    def feed(self, event: SseEvent, /) -> list[ev.Event]:
        """Decode one event; [] for what says nothing new."""
        if self._ended:
            return []
        out = self._walk.out = []
        try:
            payload = loads(event.data)
        except JsonError:
            self._take_odd(event)
            return out
        if self._halves is not None:
            for waiting in self._halves.release():
                self._take(waiting)
        if payload.__class__ is dict and (told := payload.get("event_type")).__class__ is str:
            (self._handlers.get(told) or Decoder._other)(self, payload)
        else:
            self._take(payload, event.name)
        return out

    def close(self) -> list[ev.Event]:
        """End of input: what the vendor left open is incomplete, and the response failed."""
        return self.fail(self._error or ProtocolError(_CUT, retryable=True))

    def fail(self, error: UpstreamError, /) -> list[ev.Event]:
        """Close what is open and end with `error`; the vendor may be asked to go on from where it said it could."""
        if self._ended:
            return []
        self._walk.out = []
        self._abort(error, self._checkpoint if error.retryable else "")
        return self._walk.out

    def answer(self, body: Any) -> list[ev.Event]:
        """Decode a finished interaction: every step as one that `step.start` tells in full."""
        whole = as_object(body)
        self._walk.out = []
        if error := error_of(body):
            self._abort(decode_failure(error, self._wire))
        elif "outputs" in whole and "steps" not in whole:
            self._abort(ProtocolError(_OLD))
        elif "status" not in whole and "steps" not in whole:
            self._abort(ProtocolError("the answer is not an interaction"))
        elif as_text(whole.get("status")) in ev.UNFINISHED:
            self._abort(ProtocolError(f"the answer is not finished: {whole['status']}"))
        else:
            self._begin({key: whole[key] for key in ("id", "model", "agent", "created") if key in whole})
            self._settle(as_list(whole.get("steps")))
            self._completed({"interaction": {key: value for key, value in whole.items() if key != "steps"}})
        return self._walk.out

    def _take(self, payload: Any, name: bytes = b"") -> None:
        if payload.__class__ is not dict:
            if not error_of(payload):  # Google also wraps an error in a list
                self._abort(ProtocolError("the stream holds an event that is no JSON object"))
                return
            payload = payload[0]
        told = payload.get("event_type")
        handler = self._handlers.get(told) if told.__class__ is str else self._untyped(payload, name)
        if handler is None:
            self._other(payload)
        else:
            handler(self, payload)

    def _take_odd(self, event: SseEvent) -> None:
        """The end mark, half characters, or garbage."""
        if event.data.strip() == b"[DONE]":
            return
        try:
            payload = loads_lenient(event.data)
            self._halves = self._halves or Halves()
            payloads = self._halves.join(as_object(payload))
        except ValueError:
            self._abort(ProtocolError("the stream holds an event that is not JSON"))
            return
        for payload in payloads:
            self._take(payload, event.name)

    # -- the interaction -----------------------------------------------------------------------

    def _begin(self, told: Json) -> None:
        if not self._started:
            self._started = True
            start = interaction.decode_start(told, self._wire)
            self._id = start.id
            self._walk.out.append(start)

    def _created(self, payload: Json) -> None:
        told = as_object(payload.get("interaction"))
        self._begin(told)
        self._usage = told.get("usage") or self._usage
        self._progress(as_text(told.get("status")))

    def _moved(self, payload: Json) -> None:
        self._begin({"id": payload.get("interaction_id")})
        self._usage = payload.get("usage") or self._usage
        self._checkpoint = as_text(payload.get(CONTINUATION)) or self._checkpoint
        self._progress(as_text(payload.get("status")) or as_text(payload.get("event_type")).rpartition(".")[2])

    def _progress(self, status: str) -> None:
        if status in ev.UNFINISHED and status not in self._phases:
            self._phases.add(status)
            self._walk.out.append(ev.Progressed(None, status))

    def _errored(self, payload: Json) -> None:
        """Before anything began this is the answer; later the vendor may still close the interaction."""
        error = decode_failure(error_of(payload), self._wire)
        if self._started:
            self._error, self._checkpoint = error, ""
        else:
            self._abort(error)

    def _completed(self, payload: Json) -> None:
        told = as_object(payload.get("interaction"))
        self._begin(told)
        self._usage = told.get("usage") or self._usage
        if -1 not in self._steps:
            self._settle(as_list(told.get("steps")))
        raw = as_text(told.get("status"))
        status, reason, _ = STATUSES.get(raw, ANY_END)
        error = self._error
        if error is None and status == "failed":
            error = interaction.decode_errors(told, self._wire)
        if error is not None:
            status, reason = "failed", "error"
        elif status == "incomplete" and interaction.was_filtered(told):
            reason = "content_filter"
        token = as_text(told.get(CONTINUATION)) if raw == PAUSED and error is None else ""
        self._close_live(status == "completed", paused=bool(token))
        if status != "failed" and not token:
            self._fill("completed" if status == "completed" else "incomplete")
        rest = interaction.rest_of(told, status, self._wire)
        self._end(ev.Ended(status, ev.Finish(reason, raw or None), None, error, rest), token)

    def _fill(self, status: ev.ItemStatus) -> None:
        """An answer of nothing but empty output is an empty message."""
        if not self._walk.items and any(isinstance(step, ModelOutput) for step in self._steps.values()):
            self._walk.open(MESSAGE).close(status)

    def _abort(self, error: UpstreamError, token: str = "") -> None:
        self._end_stopped()
        self._close_live(whole=False, paused=bool(token))
        self._end(ev.Ended("failed", ev.Finish("error", error.code), None, error), token)

    def _close_live(self, whole: bool, paused: bool) -> None:
        """Close all that is open, first the parts, since a result may still complete its call.

        An answer that only paused goes on with steps of its own, so what it said so far is whole by itself.
        """
        cut = [step for step in self._live if not step.stopped]
        for step in cut:
            (step.stop if whole else step.cut)()
        self._let_ride()
        for step in self._live:
            complete = whole or (paused and (step.divisible or step not in cut))
            step.end("completed" if complete else "incomplete")

    def _let_ride(self) -> None:
        """Steps that no item follows ride with the last one."""
        carriers = [step.item for step in self._live if step.item is not None and not isinstance(step, Private)]
        if self._walk.riders and carriers and not carriers[-1].closed:
            carriers[-1].aside["after"], self._walk.riders = self._walk.riders, []

    def _end(self, ended: ev.Ended, token: str) -> None:
        self._ended = True
        if token:
            ended.resume = ev.Resume(token, self._id, self._walk.items)
        ended.usage = interaction.decode_usage(self._usage, self._wire)
        self._walk.out.append(ended)

    def _other(self, payload: Json) -> None:
        if as_text(payload.get("event_type")) in OLD_EVENTS:
            self._abort(ProtocolError(_OLD))
            return
        self._begin({})
        self._note(payload)

    def _note(self, payload: Json, step: Step | None = None) -> None:
        """Keep an event that says something the hub has no word for."""
        self._checkpoint = ""
        self._walk.note(interaction.without_token(payload), step.item if step is not None else None)

    # -- steps ---------------------------------------------------------------------------------

    def _step_start(self, payload: Json) -> None:
        step, index = as_object(payload.get("step")), _index(payload)
        if not isinstance(payload.get("step"), dict):
            self._other(payload)
            return
        self._begin({})
        self._stop_step(index)
        if not is_silent(as_text(step.get("type"))):
            self._end_stopped()
        self._open_step(index, step)

    def _open_step(self, index: int, raw: Json) -> Step:
        self._checkpoint = ""
        step = self._steps[index] = open_step(self._walk, as_text(raw.get("type")), raw)
        self._live.append(step)
        return step

    def _step_delta(self, payload: Json) -> None:
        self._checkpoint = ""
        index, delta = payload.get("index"), payload.get("delta")
        step = self._steps.get(index) if index.__class__ is int else None  # pyright: ignore[reportArgumentType]
        if step is None or step.stopped or delta.__class__ is not dict:
            step = self._implied(payload)
        if "metadata" in payload:
            self._usage = as_object(payload["metadata"]).get("total_usage") or self._usage
        if step is None:
            self._other(payload)
            return
        told = delta.get("type")  # pyright: ignore[reportOptionalMemberAccess]
        take = step.deltas.get(told) if told.__class__ is str else None  # pyright: ignore[reportArgumentType]
        if take is not None:
            take(step, delta)  # pyright: ignore[reportArgumentType]
        elif not step.feed(delta):  # pyright: ignore[reportArgumentType]
            self._note(payload, step)

    def _implied(self, payload: Json) -> Step | None:
        """The step of a delta whose `step.start` did not come."""
        step_type = implied_step(as_text(as_object(payload.get("delta")).get("type")))
        if step_type is None:
            return None
        self._begin({})
        self._end_stopped()
        return self._open_step(_index(payload), {"type": step_type})

    def _step_stop(self, payload: Json) -> None:
        self._begin({})
        self._checkpoint = ""
        self._usage = payload.get("usage") or self._usage
        index = _index(payload)
        if (spent := as_object(payload.get("step_usage"))) and index in self._steps:
            self._steps[index].spend(spent)
        self._stop_step(index)

    def _stop_step(self, index: int) -> None:
        step = self._steps.get(index)
        if step is not None and not step.stopped:
            step.stop()

    def _end_stopped(self) -> None:
        """The interaction went on after these steps, or will never say more: they are whole."""
        for step in [step for step in self._live if step.stopped and not step.waits]:
            step.end("completed")
            self._live.remove(step)

    def _settle(self, finals: list[Any]) -> None:
        """Take the vendor's final word on all steps: news only where the stream did not tell them."""
        for index, final in enumerate(map(as_object, finals)):
            step = self._steps.get(index)
            if step is None:
                self._step_start({"index": index, "step": final})
                self._stop_step(index)
            elif step.type == as_text(final.get("type")):
                step.settle(final)
                step.stop()
                if step not in self._live:
                    self._live.append(step)

    def _untyped(self, payload: Json, name: bytes) -> _Handler | None:
        """An event without a type is what its `event:` line says, or an error."""
        told = name.decode(errors="replace")
        return self._handlers.get(told) or (Decoder._errored if error_of(payload) else None)

    _Handler = Callable[["Decoder", Json], None]
    _handlers: ClassVar[dict[str, _Handler]] = {
        "interaction.created": _created,
        "interaction.status_update": _moved,
        "interaction.queued": _moved,
        "interaction.in_progress": _moved,
        "interaction.requires_action": _moved,
        "interaction.completed": _completed,
        "step.start": _step_start,
        "step.delta": _step_delta,
        "step.stop": _step_stop,
        "error": _errored,
    }


def _index(payload: Json) -> int:
    """The step that an event speaks of; -1 where it does not say."""
    index = payload.get("index")
    return index if type(index) is int else -1
