"""What the dialect's own vendor is told: the client's body, less what other vendors said and it cannot read."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, cast

from adapters.faces.gemini.coverage import ANNOTATIONS
from adapters.faces.gemini.marks import NAME, Mark, is_foreign, read_mark
from adapters.hub.losses import Ledger
from adapters.hub.previous import previous_id_at
from adapters.hub.request import Origin, Request
from adapters.hub.tags import read_id, read_signature, short_id
from adapters.interactions.own_words import with_own_words
from adapters.interactions.signing import sign_foreign
from adapters.responses.annotations import EXTENSION
from adapters.responses.extension import note_losses, without_extension
from adapters.wire_json import Json, as_list, as_object, as_text

_OWN_ONLY: Final = "Gemini takes such a step with its own signature only"
_NOT_VALID: Final = "reasoning of another vendor is not valid at Gemini"
_NO_CITATION: Final = "Gemini has no such annotation"
_NO_STEP: Final = "Gemini has no such step"
_RIDERS: Final = "what another vendor did is read only there"


def encode_own(request: Request, origin: Origin, losses: Ledger) -> Json:
    """The body that the client sent, with the routed model. Raises `BadRequest` for a response of another vendor.

    What is lost is named in the common words, as by every vendor.
    """
    body: Json = without_extension(origin.body, "", {})
    body["agent" if "agent" in body else "model"] = request.model
    if (previous := previous_id_at(NAME, request)) is not None:
        body["previous_interaction_id"] = previous
    config = as_object(body.get("generation_config"))
    stop = [] if config.get("stop_sequences") else request.sampling.stop
    if stop and "agent" in body:
        losses.note(f"{EXTENSION}.stop", "an agent takes no sequences to stop at")
    elif stop:
        body["generation_config"] = {**config, "stop_sequences": stop}
    given = origin.body.get("input")
    if isinstance(given, list):
        body["input"] = _Cleaner(origin, losses).clean(cast(list[Json], given))
    elif isinstance(given, dict):  # one step, which stays one unless another comes or it goes
        steps = _Cleaner(origin, losses).clean([cast(Json, given)])
        body["input"] = steps[0] if len(steps) == 1 else steps
    return with_own_words(body, NAME, request)


class _Cleaner:
    """Goes through the steps of a conversation.

    `_signed` says whether the turn has a thought of Gemini's own, `_foreign` whether it had one of another vendor's.
    """

    def __init__(self, origin: Origin, losses: Ledger) -> None:
        self._common = {own: path for path, own in origin.paths.items()}
        self._losses = losses
        self._steps: list[Json] = []
        self._signed = self._foreign = False
        self._theirs: set[str] = set()  # ids of calls that other vendors ran

    def clean(self, steps: list[Json]) -> list[Json]:
        """The steps that Gemini reads."""
        for at, given in enumerate(steps):
            mark, here = read_mark(given), f"input[{at}]"
            here = self._common.get(here, here)
            said: dict[str, str] = {}
            step: Json = without_extension(given, here, said)
            known = len(self._steps)
            _STEPS.get(as_text(step.get("type")), _Cleaner.other)(self, step, mark, here)
            if mark.before or mark.after:
                self._losses.note(f"{here}.{EXTENSION}", _RIDERS)
            elif len(self._steps) > known:
                note_losses(said, NAME, self._losses)
        return self._steps

    def user(self, step: Json, _: Mark, __: str) -> None:
        """The user's next turn, unless it is results of functions as some clients send them."""
        if any(as_object(block).get("type") != "function_result" for block in as_list(step.get("content"))):
            self._signed = self._foreign = False
        self._steps.append(step)

    def spoken(self, step: Json, mark: Mark, path: str) -> None:
        content = step.get("content")
        if mark.foreign and isinstance(content, list):
            blocks = enumerate(map(as_object, as_list(content)))
            content = [self._cited(block, f"{path}.content[{at}]") for at, block in blocks]
            step = {**step, "content": content}
        last = self._steps[-1] if self._steps else {}
        if mark.continues and not mark.foreign and last.get("type") == "model_output":
            self._steps[-1] = {**last, **step, "content": [*as_list(last.get("content")), *as_list(content)]}
        elif content or not mark.foreign:
            self._steps.append(step)

    def _cited(self, block: Json, path: str) -> Json:
        """A block of another vendor's, less the citations of types that Gemini has not."""
        cites = as_list(block.get("annotations"))
        known = [cite for cite in map(as_object, cites) if as_text(cite.get("type")) in ANNOTATIONS]
        if len(known) == len(cites):
            return block
        self._losses.note(f"{path}.annotations", _NO_CITATION)
        return {**block, "annotations": known}

    def thought(self, step: Json, mark: Mark, path: str) -> None:
        signature = read_signature(as_text(step.get("signature")), mark.wire)
        if signature.wire != NAME:
            self._foreign = True
            self._losses.note(path, _NOT_VALID)
            return
        self._signed = True
        self._steps.append({**step, "signature": signature.blob} if "signature" in step else step)

    def call(self, step: Json, mark: Mark, _: str) -> None:
        if (mark.foreign or self._foreign) and not self._signed:
            sign_foreign(self._steps)
        self._steps.append(step)

    def hosted(self, step: Json, mark: Mark, path: str) -> None:
        """A step of a tool that a vendor ran: code and servers speak for themselves, a search needs its signature."""
        name = "call_id" if "call_id" in step else "id"
        id_ = as_text(step.get(name))
        wire, own = read_id(id_, mark.wire)
        if name == "id" and wire != NAME:
            self._theirs.add(id_)
        if wire == NAME and id_ not in self._theirs:
            self._steps.append({**step, name: own} if name in step else step)
        elif as_text(step.get("type")).startswith(_SPEAKING):
            self._steps.append({**step, name: short_id("call_", id_, 0)})
        elif name == "id":
            self._losses.note(path, _OWN_ONLY)

    def other(self, step: Json, mark: Mark, path: str) -> None:
        if is_foreign(step, mark):
            self._losses.note(path, _NO_STEP)
        else:
            self._steps.append(step)


_SPEAKING: Final = ("code_execution_", "mcp_server_tool_", "tool_search_")
_SEARCHING: Final = ("google_search_", "url_context_", "google_maps_", "file_search_", "retrieval_")

_STEPS: Final[dict[str, Callable[[_Cleaner, Json, Mark, str], None]]] = {
    "user_input": _Cleaner.user,
    "model_output": _Cleaner.spoken,
    "thought": _Cleaner.thought,
    "function_call": _Cleaner.call,
    **{tool + end: _Cleaner.hosted for tool in (*_SPEAKING, *_SEARCHING) for end in ("call", "result")},
}
