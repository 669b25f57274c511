"""What the sandbox plays as OpenAI: the first scene whose pattern is found in the request's body."""

from __future__ import annotations

from adapters.hub.adapter import Scene

# A word of the prompt chooses the scene; what stands in brackets is a fault or a limit. A function's
# result counts as the last turn only while no user message follows it.
SCENES = (
    Scene("rate_limit", r"\[\[429\]\]", 429, {"retry-after": "2"}),
    Scene("error_inside", r"\[\[error\]\]"),
    Scene("cut", r"\[\[cut\]\]"),
    Scene("long", r"\[\[long\]\]"),
    Scene("incomplete", r'\[\[incomplete\]\]|"max_output_tokens"\s*:\s*1?\d\b'),
    Scene("tools_followup", r'(?s)"type"\s*:\s*"(function|custom_tool)_call_output"(?!.*"role"\s*:\s*"user")'),
    Scene("client_tools", r'"run_sql"'),
    Scene("answer_tool", r'\[\[answer_tool\]\]|"final_result"'),
    Scene("shell", r'(?s)\[\[shell\]\]|\A(?=.*weather)(?=.*"exec_command")'),
    Scene("tools", r'(?s)\A(?=.*weather)(?=.*"type"\s*:\s*"function")'),
    Scene("json", r"json_(schema|object)"),
    Scene("refusal", r"(?i)\brefuse\b"),
    Scene("cite", r"(?i)\bcit(e|ations?)\b"),
    Scene("search", r'(?i)\bsearch\b|"type"\s*:\s*"web_search'),
    Scene("reasoning", r"(?i)\bthink\b"),
    Scene("text", ""),
)
