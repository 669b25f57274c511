"""A request in Gemini's words."""

from __future__ import annotations

from typing import Any, Final

from adapters.gemini.coverage import FIELDS, FORMAT, INCLUDE, NO_SETTING, REASONING, RULES, TEXT
from adapters.gemini.endpoint import NAME, is_agent
from adapters.gemini.input import encode_items
from adapters.gemini.tools import ToolWords, encode_tools
from adapters.gemini.words import EFFORTS, SUMMARIES, TIERS
from adapters.hub.losses import Ledger
from adapters.hub.previous import previous_id_at
from adapters.hub.request import OutputFormat, ReasoningRequest, Request
from adapters.interactions.own_words import with_own_words
from adapters.interactions.schema import encode_schema
from adapters.wire_json import Json, as_object

_LATER: Final = ("2h", "8h")


def encode_request(request: Request, losses: Ledger) -> Json:
    """The body for Gemini. Raises `BadRequest`, or `Unsupported` for what it cannot do and must not ignore."""
    for path in request.unread:
        losses.note(path, "Gemini has no such field")
    agent = is_agent(request.model)
    body: Json = {"agent" if agent else "model": request.model}
    body |= _input(request, losses)
    tools = encode_tools(request, losses)
    if tools.tools:
        body["tools"] = tools.tools
    config = _generation_config(request, tools.choice, losses)
    if agent:
        config.pop("stop_sequences", None)  # the answer is cut on its way to the client
    if agent and config:
        losses.note("model", f"an agent takes no {', '.join(sorted(config))}")
    elif config:
        body["generation_config"] = config
    body |= _forms(_text_form(request.output, losses), tools)
    previous = previous_id_at(NAME, request)
    own: Json = {
        "previous_interaction_id": previous,
        "store": request.store,
        "stream": True if request.stream else None,
        "background": True if request.background else None,
    }
    body |= {key: value for key, value in own.items() if value is not None}
    return _extra(body, request, losses)


def _input(request: Request, losses: Ledger) -> Json:
    system, steps = encode_items(request.items, losses)
    if request.instructions is not None:
        system.insert(0, request.instructions)
    body: Json = {"system_instruction": "\n\n".join(system)} if system else {}
    if request.text is not None:
        return {"input": request.text, **body}
    return {"input": steps, **body} if steps else body


def _generation_config(request: Request, choice: Any, losses: Ledger) -> Json:
    sampling = request.sampling
    config: Json = {
        "temperature": sampling.temperature,
        "top_p": sampling.top_p,
        "max_output_tokens": sampling.max_output_tokens,
        "stop_sequences": sampling.stop or None,
        "tool_choice": choice,
        **_thinking(request.reasoning, losses),
    }
    return {key: value for key, value in config.items() if value is not None}


def _thinking(asked: ReasoningRequest | None, losses: Ledger) -> Json:
    if asked is None:
        return {}
    RULES.follow(REASONING, asked.source.data if asked.source is not None else {}, "reasoning", losses)
    told: Json = {}
    if asked.effort is not None:
        told["thinking_level"] = RULES.spell(EFFORTS, asked.effort, "reasoning.effort", losses)
    if asked.summary is not None:
        told["thinking_summaries"] = RULES.spell(SUMMARIES, asked.summary, "reasoning.summary", losses)
    return told


def _text_form(output: OutputFormat | None, losses: Ledger) -> Json | None:
    """The form of the answer's text; None where it is free."""
    if output is None:
        return None
    said = output.source.data if output.source is not None else {}
    RULES.follow(TEXT, said, "text", losses)
    RULES.follow(FORMAT, as_object(said.get("format")), "text.format", losses)
    if output.kind == "text":
        return None
    told: Json = {"type": "text", "mime_type": "application/json"}
    if output.schema is not None:
        told["schema"] = encode_schema(output.schema, losses, "text.format.schema")
    return told


def _forms(text: Json | None, tools: ToolWords) -> Json:
    """What the answer consists of, where that is not free text alone."""
    forms = [form for form in (text, tools.image) if form is not None]
    body: Json = {"response_format": forms[0] if len(forms) == 1 else forms} if forms else {}
    if tools.image is not None:
        body["response_modalities"] = ["image"] if tools.only_images else ["text", "image"]
    return body


def _extra(body: Json, request: Request, losses: Ledger) -> Json:
    """Add the fields that the hub does not model, each by its row, and the client's words for Gemini itself."""
    for number, wanted in enumerate(request.include):
        RULES.heed(INCLUDE.get(wanted, NO_SETTING), wanted, f"include[{number}]", losses)
    said = request.extra.data if request.extra is not None else {}
    RULES.follow(FIELDS, said, "", losses)
    tier = said.get("service_tier")
    if isinstance(tier, str) and (told := RULES.spell(TIERS, tier, "service_tier", losses)) is not None:
        body["service_tier"] = told
    window = as_object(said.get("background_options"))
    if window.get("completion_window") in _LATER:
        body["service_tier"] = "deferred"
    if window.get("continuation_id") is not None:
        losses.note("background_options.continuation_id", "Gemini does not join background requests")
    return with_own_words(body, NAME, request)
