"""Says whether a stream of Ark's dialect is well formed, and which event breaks which rule."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from adapters.faces.ark.items import KNOWLEDGE
from adapters.faces.ark.words import EVENTS, ITEM_TYPES
from adapters.hub.spans import Offsets
from adapters.hub.verdict import Verdict, Violation
from adapters.responses import grammar_tables as family
from adapters.responses.grammar import Grammar
from adapters.responses.grammar_tables import fields, row
from adapters.sse import SseEvent

_DONE: Final = b"[DONE]"
_ITEM: Final = "output_index:int item_id"
_LOOSE: Final = row("loose", "")

_OWN: Final = {
    f"response.{KNOWLEDGE}.{phase}": row("phase", _ITEM, KNOWLEDGE, field=phase)
    for phase in ("in_progress", "searching", "completed", "failed")
} | {
    # no log probabilities
    "response.output_text.delta": row(
        "text_delta", f"{_ITEM} content_index:int delta", "message", "content", "output_text", "delta"
    ),
    "response.output_text.done": row(
        "text_done", f"{_ITEM} content_index:int text", "message", "content", "output_text", "text"
    ),
    # citations are not numbered
    "response.output_text.annotation.added": row(
        "annotation", f"{_ITEM} content_index:int annotation:dict", "message", "content", "output_text"
    ),
}

_BEGUN: Final = "id object created_at:number model"

TABLES: Final = replace(
    family.RESPONSES,
    events={name: _OWN.get(name) or family.EVENTS.get(name, _LOOSE) for name in EVENTS},
    lifecycle={**family.LIFECYCLE, "response.created": ("in_progress",), "response.incomplete": ("incomplete",)},
    early=fields(_BEGUN),
    response=fields(f"{_BEGUN} status output:list"),
    items={
        **{kind: family.ITEMS.get(kind, fields("type")) for kind in ITEM_TYPES},
        KNOWLEDGE: fields("id queries:list knowledge_resource_id status"),
    },
    # Ark announces an item or a part with little more than its type.
    late_fields={
        **family.LATE_FIELDS,
        "message": frozenset({"content"}),
        "reasoning": frozenset({"summary"}),
        "function_call": frozenset({"arguments"}),
        "output_text": frozenset({"text"}),
        "summary_text": frozenset({"text"}),
    },
    parts={**family.PARTS, "output_text": fields("text")},
    annotations={
        "url_citation": fields("title url"),
        "doc_citation": fields("doc_id doc_name"),
    },
    spans={},
)


def check(events: Iterable[SseEvent], /, *, resumed: bool = False, offsets: Offsets | None = None) -> Verdict:
    """Judge a whole stream, which `[DONE]` ends. `resumed`: it begins in the middle of a response.

    No annotation of Ark's has a place, so that `offsets` makes no difference.
    """
    grammar, count, ended = Grammar(TABLES, resumed=resumed, offsets=offsets or "codepoint"), 0, False
    for event in events:
        count, ended = count + 1, event.data == _DONE
        grammar.feed(event)
    verdict = grammar.close()
    if ended:
        return verdict
    missing = Violation(count + 1, "end of input", None, "done-missing", "the stream ends with [DONE]")
    return replace(verdict, violations=(*verdict.violations, missing))
