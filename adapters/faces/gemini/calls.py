"""Calls that the client executes, and what they gave, as items in the common words."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from adapters.faces.gemini.blocks import paths_of, retell_given
from adapters.faces.gemini.hosted import text_of
from adapters.faces.gemini.marks import Mark
from adapters.faces.gemini.notes import Notes
from adapters.hub import items as kind
from adapters.hub.fields import Fields, missing
from adapters.interactions.arguments import RAW_ARGUMENTS
from adapters.responses.tables import ACTIONS
from adapters.wire_json import Json, as_object, as_text, dumps


def retell_call(step: Fields, mark: Mark) -> Json:
    """A call, of the type that its mark names; without one, that of a function."""
    call_id, name = step.needed_text("id"), step.needed_text("name")
    arguments = step.object("arguments") or {}
    type_ = mark.kind if mark.foreign and mark.kind else kind.FUNCTION_CALL
    item: Json = {"type": type_, "call_id": call_id}
    if type_ == kind.FUNCTION_CALL:
        item |= {"name": name, "arguments": _arguments(arguments, mark)}
    elif type_ == kind.CUSTOM_CALL:
        item |= {"name": name, "input": as_text(arguments.get("input"))}
    else:
        action = ACTIONS[type_][0] if type_ in ACTIONS else "action"
        kept = as_object(as_object(mark.rest.get("rest")).get(action))
        item |= {action: arguments or kept, "status": "completed"}
    return mark.put_on(item)


def retell_result(step: Fields, type_: str, notes: Notes) -> tuple[Json, dict[str, str]]:
    """What a call of that type gave, and where in the client's body its parts stand, by their paths in the item."""
    call_id, result = step.needed_text("call_id"), step.raw.get("result")
    if result is None:
        raise missing(step.path("result"))
    if type_ in _OUTPUTS:
        failed = step.flag("is_error") is True
        return {**_OUTPUTS[type_](text_of(result) or "", failed), "call_id": call_id}, {}
    paths: dict[str, str] = {}
    if isinstance(result, list):
        blocks = step.objects("result")
        result = [retell_given(block, notes) for block in blocks]
        for number, block in enumerate(blocks):
            paths |= paths_of(block, result[number], f".output[{number}]")
    elif not isinstance(result, str):
        result = dumps(result).decode()
    return {"type": "function_call_output", "call_id": call_id, "output": result}, paths


def _arguments(arguments: Json, mark: Mark) -> str:
    if told := mark.text_of("arguments", arguments):
        return told
    raw = arguments.get(RAW_ARGUMENTS)
    if mark.foreign and len(arguments) == 1 and isinstance(raw, str):
        return raw
    return dumps(arguments).decode()


def _shell_output(text: str, failed: bool) -> Json:
    outcome = {"type": "exit", "exit_code": int(failed)}
    return {"type": "shell_call_output", "output": [{"stdout": text, "stderr": "", "outcome": outcome}]}


_OUTPUTS: Final[dict[str, Callable[[str, bool], Json]]] = {
    kind.CUSTOM_CALL: lambda text, _: {"type": "custom_tool_call_output", "output": text},
    kind.SHELL_CALL: _shell_output,
    kind.LOCAL_SHELL_CALL: lambda text, _: {"type": "local_shell_call_output", "output": text},
    kind.PATCH_CALL: lambda text, failed: {
        "type": "apply_patch_call_output",
        "output": text,
        "status": "failed" if failed else "completed",
    },
}
"""The output of a client's call that is no function's, by the call's type."""
