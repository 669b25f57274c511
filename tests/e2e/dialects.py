"""How each dialect asks for what the sandbox plays, and how it says that an answer has ended."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from adapters.sse import SseEvent
from adapters.wire_json import Json

End = Literal["completed", "calling", "incomplete", "failed"]
"""How an answer ends; "calling" waits for what the client's own tools give."""


@dataclass(frozen=True)
class Dialect:
    """What a client must know of a dialect, in the dialect's own words.

    `requests` are bodies that meet a scene of that name, beside `PROMPTS`. `ends` are the terminal event and the status
    of the answer, which is the event's `answer`; `after` is what follows that event. `error` are the fields of an
    error, `limited` is its code where a vendor is asked too often. `private` is a request with a word that no other
    vendor has, which stands at `private_path`. `echoed` is what an answer repeats of its request.
    """

    requests: Mapping[str, Json]
    ends: Mapping[End, tuple[str, str]]
    answer: str
    after: tuple[SseEvent, ...]
    error: frozenset[str]
    limited: str
    private: Json
    private_path: str
    echoed: Json

    def request(self, scene: str) -> Json:
        """What meets a scene."""
        return self.requests.get(scene) or {"input": PROMPTS[scene]}


PROMPTS: Mapping[str, str] = {
    "rate_limit": "[[429]]",
    "error_inside": "[[error]]",
    "cut": "[[cut]]",
    "long": "[[long]]",
    "cite_odd": "[[odd]]",
    "refusal": "please refuse",
    "cite": "cite your sources",
    "text": "hello",
}
"""What meets a scene in any dialect: each takes a text as its input."""

SCENE_ENDS: Mapping[str, End] = {
    "tools": "calling",
    "client_tools": "calling",
    "answer_tool": "calling",
    "shell": "calling",
    "incomplete": "incomplete",
    "error_inside": "failed",
    "cut": "failed",
}
"""How a scene ends, where it does not end as completed."""


def function(name: str) -> Json:
    """A function without parameters: every dialect declares it in the same words."""
    return {"type": "function", "name": name, "parameters": {"type": "object", "properties": {}}}


_SCHEMA: Json = {"type": "object", "properties": {}}
_ASKED = "the weather?"

_CALLING: Mapping[str, Json] = {
    "tools": {"input": _ASKED, "tools": [function("get_weather")]},
    "client_tools": {"input": "how many orders?", "tools": [function("run_sql")]},
    "answer_tool": {"input": "hello", "tools": [function("final_result")]},
    "shell": {"input": _ASKED, "tools": [function("exec_command")]},
}

_FAMILY: Mapping[str, Json] = _CALLING | {
    "tools_followup": {
        "input": [
            {"role": "user", "content": _ASKED},
            {"type": "function_call", "call_id": "c1", "name": "get_weather", "arguments": "{}"},
            {"type": "function_call_output", "call_id": "c1", "output": "sunny"},
        ],
        "tools": [function("get_weather")],
    },
    "json": {"input": "hello", "text": {"format": {"type": "json_schema", "name": "answer", "schema": _SCHEMA}}},
    "incomplete": {"input": "hello", "max_output_tokens": 16},
    "search": {"input": "the news?", "tools": [{"type": "web_search"}]},
}
"""What the dialects of the Responses family have in common."""

_FAMILY_ENDS: Mapping[End, tuple[str, str]] = {
    "completed": ("response.completed", "completed"),
    "calling": ("response.completed", "completed"),
    "incomplete": ("response.incomplete", "incomplete"),
    "failed": ("response.failed", "failed"),
}

_ECHOED: Json = {
    "instructions": "Be brief.",
    "tools": [function("get_weather")],
    "tool_choice": "auto",
    "temperature": 0.5,
}

RESPONSES = Dialect(
    requests={
        **_FAMILY,
        "reasoning": {"input": "think hard", "reasoning": {"effort": "high"}},
        "client_tools": {"input": "how many orders?", "tools": [{"type": "custom", "name": "run_sql"}]},
    },
    ends=_FAMILY_ENDS,
    answer="response",
    after=(),
    error=frozenset({"message", "type", "param", "code"}),
    limited="rate_limit_exceeded",
    private={"input": "hello", "text": {"verbosity": "low"}},
    private_path="text.verbosity",
    echoed={
        **_ECHOED,
        "tools": [function("get_weather"), {"type": "custom", "name": "run_sql"}],
        "metadata": {"trace": "t-1"},
    },
)

ARK = Dialect(
    requests={**_FAMILY, "reasoning": {"input": "think hard", "thinking": {"type": "enabled"}}},
    ends=_FAMILY_ENDS,
    answer="response",
    after=(SseEvent(b"", b"[DONE]"),),
    error=frozenset({"message", "type", "param", "code"}),
    limited="RateLimitExceeded",
    private={"input": "hello", "caching": {"type": "enabled"}},
    private_path="caching",
    echoed={**_ECHOED, "thinking": {"type": "enabled"}},
)

INTERACTIONS = Dialect(
    requests={
        **_CALLING,
        "tools_followup": {
            "input": [
                {"type": "user_input", "content": [{"type": "text", "text": _ASKED}]},
                {"type": "function_call", "id": "c1", "name": "get_weather", "arguments": {}},
                {"type": "function_result", "call_id": "c1", "name": "get_weather", "result": "sunny"},
            ],
            "tools": [function("get_weather")],
        },
        "json": {
            "input": "hello",
            "response_format": {"type": "text", "mime_type": "application/json", "schema": _SCHEMA},
        },
        "incomplete": {"input": "hello", "generation_config": {"max_output_tokens": 16}},
        "search": {"input": "the news?", "tools": [{"type": "google_search"}]},
        "reasoning": {"input": "think hard", "generation_config": {"thinking_level": "high"}},
    },
    ends={
        "completed": ("interaction.completed", "completed"),
        "calling": ("interaction.completed", "requires_action"),
        "incomplete": ("interaction.completed", "incomplete"),
        "failed": ("interaction.completed", "failed"),
    },
    answer="interaction",
    after=(SseEvent(b"done", b"[DONE]"),),
    error=frozenset({"message", "code"}),
    limited="rate_limit_exceeded",
    private={"input": "hello", "generation_config": {"seed": 7}},
    private_path="generation_config.seed",
    echoed={},
)

DIALECTS: Mapping[str, Dialect] = {"responses": RESPONSES, "interactions": INTERACTIONS, "ark": ARK}
"""Each dialect by the name of its surface."""
