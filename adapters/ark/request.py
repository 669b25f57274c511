"""A request in Ark's words: the fields it takes and no others, since it refuses what it does not know."""

from __future__ import annotations

import re
from typing import Any

from adapters.ark import coverage as rows
from adapters.ark.endpoint import NAME
from adapters.ark.input import encode_items
from adapters.ark.tools import encode_tools
from adapters.hub.errors import Unsupported
from adapters.hub.losses import Ledger
from adapters.hub.previous import previous_id_at
from adapters.hub.request import OutputFormat, ReasoningRequest, Request
from adapters.responses.extension import words_for
from adapters.responses.spelling import encode_format
from adapters.wire_json import Json, as_object

_MOST_CALLS = 10
_SENT_ELSEWHERE = re.compile(
    rf"input\[\d+\]\.(partial|content\[\d+\]\.({'|'.join(rows.PART)}))|.*\.prompt_cache_breakpoint", re.DOTALL
)
"""Fields inside the items that the hub does not model, and that are sent, or say nothing, all the same."""


def encode_request(request: Request, losses: Ledger) -> Json:
    """The body for Ark. Raises `Unsupported` for what it cannot do and must not ignore."""
    if request.background:
        rows.RULES.heed(rows.FIELDS["background"], "background", "background", losses)
    if request.model.startswith("bot-"):
        raise Unsupported("Ark's bots have an API of their own, which answers nothing here.", param="model")
    for path in request.unread:
        if not _SENT_ELSEWHERE.fullmatch(path):
            losses.note(path, rows.NO_FIELD.reason)
    body: Json = {
        "model": request.model,
        "input": request.text if request.text is not None else encode_items(request.items, losses),
        "instructions": request.instructions,
        "temperature": request.sampling.temperature,
        "top_p": request.sampling.top_p,
        "max_output_tokens": request.sampling.max_output_tokens,
        "parallel_tool_calls": request.parallel_tools,
        "previous_response_id": previous_id_at(NAME, request),
        "store": request.store,
        "stream": request.stream,
        **_reasoning(request.reasoning, losses),
        **_text(request.output, losses),
        **encode_tools(request, losses),
        **_include(request, losses),
        **_extra(request, losses),
    }
    return {key: value for key, value in body.items() if value is not None}


def _reasoning(asked: ReasoningRequest | None, losses: Ledger) -> Json:
    if asked is None:
        return {}
    rows.RULES.follow(rows.REASONING, asked.source.data if asked.source is not None else {}, "reasoning", losses)
    if asked.summary is not None:
        rows.RULES.spell(rows.SUMMARIES, asked.summary, "reasoning.summary", losses)
    if asked.effort is None:
        return {}
    if asked.effort not in rows.EFFORTS:
        rows.RULES.heed(rows.UNKNOWN, asked.effort, "reasoning.effort", losses)
    # "disabled goes only with effort minimal"
    thinking = {"thinking": {"type": "disabled"}} if asked.effort == "none" else {}
    return {
        "reasoning": {"effort": rows.RULES.spell(rows.EFFORTS, asked.effort, "reasoning.effort", losses)},
        **thinking,
    }


def _text(output: OutputFormat | None, losses: Ledger) -> Json:
    if output is None:
        return {}
    said = output.source.data if output.source is not None else {}
    rows.RULES.follow(rows.TEXT, said, "text", losses)
    rows.RULES.follow(rows.FORMAT, as_object(said.get("format")), "text.format", losses)
    return {} if output.kind == "text" else {"text": {"format": encode_format(output)}}


def _include(request: Request, losses: Ledger) -> Json:
    included: list[str] = []
    for number, wanted in enumerate(request.include):
        rule = rows.INCLUDE.get(wanted, rows.NO_FIELD)
        rows.RULES.heed(rule, wanted, f"include[{number}]", losses)
        if rule.verdict == "exact":
            included.append(wanted)
    return {"include": included} if included else {}


def _extra(request: Request, losses: Ledger) -> Json:
    """The fields that the hub does not model, each by its row, and the client's words for Ark itself."""
    said = request.extra.data if request.extra is not None else {}
    body: Json = {key: value for key, value in said.items() if key in _OWN}
    if isinstance(edits := said.get("context_management"), dict):
        body["context_management"] = edits  # Ark's own; the dialect's is a list
    rows.RULES.follow(rows.FIELDS, {key: value for key, value in said.items() if key not in body}, "", losses)
    if (tier := said.get("service_tier")) is not None:
        body["service_tier"] = rows.RULES.spell(rows.TIERS, str(tier), "service_tier", losses)
    if (calls := said.get("max_tool_calls")) is not None:
        body["max_tool_calls"] = _calls(calls, losses)
    return body | words_for(NAME, request)


_OWN = ("thinking", "caching", "expire_at", "session")


def _calls(asked: Any, losses: Ledger) -> Any:
    held = min(max(asked, 1), _MOST_CALLS) if type(asked) is int else asked
    if held != asked:
        losses.note("max_tool_calls", rows.FIELDS["max_tool_calls"].reason)
    return held
