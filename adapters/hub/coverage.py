"""What becomes of every word of a wire: the rows that the matrix prints and the coverage law checks.

A row is not a comment beside the code. Where a translator decides by name (a request field, an input
item, a tool, an event type), it looks the name up here and does what the row says.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

Verdict = Literal["exact", "approximated", "dropped", "rejected"]


@dataclass(frozen=True, slots=True)
class Rule:
    """What becomes of one word.

    exact: it arrives, and comes back the same. approximated: its nearest counterpart arrives; `reason` says
    what differs. dropped: it does not arrive, and the loss that is reported is `reason`. rejected: the
    request is refused with `reason`.
    """

    verdict: Verdict
    reason: str = ""


EXACT = Rule("exact")


def approximated(reason: str) -> Rule:
    """The nearest counterpart arrives."""
    return Rule("approximated", reason)


def dropped(reason: str) -> Rule:
    """It does not arrive, and the loss is reported; without a reason it is a hint that changes no answer."""
    return Rule("dropped", reason)


def rejected(reason: str) -> Rule:
    """The request is refused."""
    return Rule("rejected", reason)


def each(words: str, rule: Rule) -> dict[str, Rule]:
    """The same row for several words, which stand between blanks."""
    return dict.fromkeys(words.split(), rule)


Rows = Mapping[str, Mapping[str, Rule]]
"""Feature (as "field", "item", "content", "tool", "tool_choice", "include", "event", "delta", "step",
"annotation", "status") to name to rule."""


@dataclass(frozen=True, slots=True)
class Coverage:
    """`requests`: the client dialect's words on their way to the vendor; `answers`: the vendor's on their way back."""

    requests: Rows = field(default_factory=dict[str, Mapping[str, Rule]])
    answers: Rows = field(default_factory=dict[str, Mapping[str, Rule]])
