"""Requests with tools that only the client's dialect has, and what a vendor is sent of them."""

from __future__ import annotations

from typing import Any

import adapters
from adapters.hub.losses import Ledger
from adapters.hub.request import Request
from adapters.responses.emulation import emulate
from adapters.responses.request import decode_request
from adapters.wire_json import Json

OTHERS = ("ark", "gemini")
FUNCTIONS = frozenset({"function"})


def request(**fields: Any) -> Request:
    return decode_request({"model": "m", "input": "x", **fields}, "openai")


def emulated(**fields: Any) -> tuple[Request, list[str]]:
    """The request for a vendor that has functions only, and the paths of what it loses."""
    losses = Ledger()
    emulation = emulate(request(**fields), FUNCTIONS, losses)
    assert emulation is not None
    return emulation.request, [loss.path for loss in losses.losses]


def encode(vendor: str, asked: Request, losses: Ledger) -> Json:
    """The vendor's body, as the gateway makes it."""
    adapter = adapters.load(vendor)
    emulation = emulate(asked, adapter.client_tools, losses)
    return adapter.codec.encode_request(emulation.request if emulation is not None else asked, losses)


# -- tools, choices and items of the dialect ----------------------------------------------------

CITY: Json = {"type": "object", "properties": {"city": {"type": "string"}}}
LOOK_UP: Json = {"type": "function", "name": "look_up", "description": "Looks up", "parameters": CITY, "strict": True}
SQL: Json = {"type": "custom", "name": "sql", "description": "Runs SQL"}
CRM: Json = {"type": "namespace", "name": "crm", "description": "Customers", "tools": [LOOK_UP, SQL]}
PLAIN: Json = {"type": "function", "name": "plain", "parameters": CITY}
GRAMMAR: Json = {"type": "grammar", "syntax": "lark", "definition": "start: /a+/"}
SKILLS = [{"name": "pdf", "path": "/skills/pdf", "description": "Reads PDFs"}]
RAW = "Takes raw text as `input`, not JSON."
SHELL: Json = {"type": "shell"}


def allowed(*tools: Json) -> Json:
    return {"type": "allowed_tools", "mode": "auto", "tools": list(tools)}


def named(kind: str, name: str, **more: str) -> Json:
    return {"type": kind, "name": name, **more}


ACTION: Json = {"commands": ["ls", "pwd"], "timeout_ms": None, "max_output_length": 9}
EXEC: Json = {"type": "exec", "command": ["ls"], "env": {}, "user": None}
PATCH: Json = {"type": "update_file", "path": "a.py", "diff": "@@\n-a\n+b"}
PRINTED = [{"stdout": "a\n", "stderr": "", "outcome": {"type": "exit", "exit_code": 0}}]


def item(kind: str, **fields: Any) -> Json:
    return {"type": kind, **fields}


# an item; the call or the answer of a function that it is told as
ITEMS: dict[str, tuple[Json, tuple[str, str, Any]]] = {
    "custom": (item("custom_tool_call", call_id="1", name="sql", input='a "b"'), ("1", "sql", {"input": 'a "b"'})),
    "custom in a namespace": (
        item("custom_tool_call", call_id="1", name="sql", input="a", namespace="crm"),
        ("1", "crm__sql", {"input": "a"}),
    ),
    "namespaced": (
        item("function_call", call_id="1", name="look_up", arguments='{"a": 1}', namespace="crm"),
        ("1", "crm__look_up", {"a": 1}),
    ),
    "shell": (
        item("shell_call", call_id="1", action=ACTION, status="completed", id="sh_1"),
        ("1", "shell", {"commands": ["ls", "pwd"], "max_output_length": 9}),
    ),
    "local shell": (
        item("local_shell_call", call_id="1", action=EXEC, status="completed", id="lsh_1"),
        ("1", "local_shell", {"command": ["ls"], "env": {}}),
    ),
    "patch": (item("apply_patch_call", call_id="1", operation=PATCH, status="completed"), ("1", "apply_patch", PATCH)),
}
ANSWERS: dict[str, tuple[Json, str | Json]] = {
    "custom": (item("custom_tool_call_output", call_id="1", output="3 rows"), "3 rows"),
    "custom, in parts": (
        item("custom_tool_call_output", call_id="1", output=[{"type": "input_text", "text": "3 rows"}]),
        "3 rows",
    ),
    "shell": (item("shell_call_output", call_id="1", output=PRINTED), {"output": PRINTED}),
    "shell, with its limit": (
        item("shell_call_output", call_id="1", output=PRINTED, max_output_length=9, status="completed"),
        {"output": PRINTED, "max_output_length": 9},
    ),
    "local shell": (item("local_shell_call_output", call_id="1", output="a\n"), "a\n"),
    "local shell, by the call's call_id": (item("local_shell_call_output", id="1", output="a\n"), "a\n"),
    "patch": (
        item("apply_patch_call_output", call_id="1", status="failed", output="no such file"),
        {"status": "failed", "output": "no such file"},
    ),
    "patch, without a word": (
        item("apply_patch_call_output", call_id="1", status="completed"),
        {"status": "completed"},
    ),
}
