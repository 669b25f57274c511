"""Losses of answers: every leaf of what a vendor said is told to the client, or reported.

Each leaf is changed: unless what the client is told, or what is reported, changes with it, or a report names
what holds it, the leaf was dropped in silence.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest

from adapters.hub.adapter import Fidelity
from adapters.wire_json import Json
from tests.laws.corpus import ANSWERS, FACES, FIDELITIES, Told, tell
from tests.laws.everything import EVERYTHING
from tests.laws.json_values import leaves, replaced, same, spelled

# What may change without a trace, and why.
SAYS_NOTHING = {
    r"object": "what the body is",
    r"(output|steps)\[\d+\]\.(role|status|type)": "words of a closed list; another is none of them",
    r"(output|steps)\[\d+\]\.(summary|content)\[\d+\]\.type": "the type of the only part there can be",
    r"status": "words of a closed list; another is none of them",
    r"steps\[\d+\]\.content\[\d+\]\.annotations": "no list of annotations",
    r"output\[\d+\]\.content\[\d+\]\.annotations": "no list of annotations",
    r"output\[\d+\]\.summary": "no list of summaries",
    r"output": "no list of items",
    r"usage": "no counts of tokens",
    r"incomplete_details\.reason": "words of a closed list",
}


def bodies() -> Iterator[Any]:
    for answer in ANSWERS:
        if len(answer.data) < 15_000 and "outputs" not in answer.body():
            yield pytest.param(answer.vendor, answer.body(), id=str(answer))
    for vendor, body in EVERYTHING.items():
        yield pytest.param(vendor, body, id=f"{vendor}-everything")


def told(vendor: str, body: Json, face: str, fidelity: Fidelity) -> Told:
    return tell(lambda codec: codec.decode_response(body), vendor, face, fidelity, stream=False)


def other(value: Any) -> Any:
    """Another value of the same kind."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int | float):
        return value - 1 if value > 1 else value + 1
    return f"{value}q" if isinstance(value, str) else "q"


@pytest.mark.parametrize("fidelity", FIDELITIES)
@pytest.mark.parametrize("face", FACES)
@pytest.mark.parametrize(("vendor", "body"), list(bodies()))
def test_nothing_of_an_answer_is_dropped_in_silence(vendor: str, body: Json, face: str, fidelity: Fidelity) -> None:
    base = told(vendor, body, face, fidelity)
    reported = {loss.path for loss in base.losses.losses}
    silent: list[str] = []
    for place, value in leaves(body):
        here = spelled(place)
        if any(re.fullmatch(pattern, here) for pattern in SAYS_NOTHING):
            continue
        changed = told(vendor, replaced(body, place, other(value)), face, fidelity)
        if same(changed.body()) == same(base.body()) and changed.losses == base.losses:
            silent.append(here)
    assert [here for here in silent if not covered(here, reported)] == []


def covered(here: str, reported: set[str]) -> bool:
    """Whether a report is of the same kind of thing: of an annotation, of an item, or of the response.

    A report counts items as the client does, so that only its kind can be compared.
    """
    items = any(path.startswith(("output[", "steps[")) or ".output[" in path for path in reported)
    if ".annotations[" in here:
        return items or any(".annotations[" in path for path in reported)
    if here.startswith(("output[", "steps[")):
        return items
    return not reported.isdisjoint({"response", "interaction"})
