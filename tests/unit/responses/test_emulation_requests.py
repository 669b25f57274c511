"""Tools that only the client's dialect has, as functions: what each vendor is sent, what is lost, what is refused."""

from __future__ import annotations

import json
from copy import deepcopy
from pathlib import Path
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

import adapters
from adapters.hub.adapter import Emulation
from adapters.hub.errors import BadRequest, Unsupported
from adapters.hub.losses import Ledger
from adapters.hub.request import FunctionTool, Request
from adapters.responses.client_tools import OWN_TOOLS, flat_name
from adapters.responses.emulation import CLIENT_TOOLS, emulate
from adapters.responses.free_text import PARAMETERS
from adapters.responses.request import decode_request
from adapters.wire_json import Json, dumps, loads
from tests.laws.json_values import places, replaced, without
from tests.laws.strategies import JUNK, bounded, spoilt

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
    emulation: Emulation | None = emulate(asked, adapter.client_tools, losses)
    return adapter.codec.encode_request(emulation.request if emulation is not None else asked, losses)


# -- tools -------------------------------------------------------------------------------------

CITY: Json = {"type": "object", "properties": {"city": {"type": "string"}}}
LOOK_UP: Json = {"type": "function", "name": "look_up", "description": "Looks up", "parameters": CITY, "strict": True}
SQL: Json = {"type": "custom", "name": "sql", "description": "Runs SQL"}
CRM: Json = {"type": "namespace", "name": "crm", "description": "Customers", "tools": [LOOK_UP, SQL]}
PLAIN: Json = {"type": "function", "name": "plain", "parameters": CITY}
GRAMMAR: Json = {"type": "grammar", "syntax": "lark", "definition": "start: /a+/"}
SKILLS = [{"name": "pdf", "path": "/skills/pdf", "description": "Reads PDFs"}]
RAW = "Takes raw text as `input`, not JSON."

# declared tools; name, description and parameters of each function; what is lost
TOOLS: dict[str, tuple[list[Json], list[tuple[str, str | None, Json]], list[str]]] = {
    "custom": ([SQL], [("sql", f"Runs SQL\n{RAW}", PARAMETERS)], []),
    "custom, bare": ([{"type": "custom", "name": "sql"}], [("sql", RAW, PARAMETERS)], []),
    "custom, of plain text": ([{**SQL, "format": {"type": "text"}}], [("sql", f"Runs SQL\n{RAW}", PARAMETERS)], []),
    "custom, with a grammar": (
        [{**SQL, "format": GRAMMAR}],
        [("sql", f"Runs SQL\n{RAW}\nThe text must match this lark grammar:\nstart: /a+/", PARAMETERS)],
        ["tools[0].format"],
    ),
    "namespace": (
        [PLAIN, CRM],
        [
            ("plain", None, CITY),
            ("crm__look_up", "Looks up\n(Of `crm`: Customers)", CITY),
            ("crm__sql", f"Runs SQL\n{RAW}\n(Of `crm`: Customers)", PARAMETERS),
        ],
        [],
    ),
    "namespace, with more": ([{**CRM, "tools": [], "colour": 1}], [], ["tools[0].colour"]),
    "namespace named as its tool": (
        [{"type": "namespace", "name": "sql", "description": "", "tools": [SQL]}, SQL],
        [("sql__sql", f"Runs SQL\n{RAW}", PARAMETERS), ("sql", f"Runs SQL\n{RAW}", PARAMETERS)],
        [],
    ),
    **{kind: ([{"type": kind}], [(kind, own.description, own.parameters)], []) for kind, own in OWN_TOOLS.items()},
    "shell, local": (
        [{"type": "shell", "environment": {"type": "local"}}],
        [("shell", OWN_TOOLS["shell"].description, OWN_TOOLS["shell"].parameters)],
        [],
    ),
    "shell, with skills": (
        [{"type": "shell", "environment": {"type": "local", "skills": SKILLS}}],
        [
            (
                "shell",
                f"{OWN_TOOLS['shell'].description}\nSkills, each in a folder of its own:\n"
                "- pdf (/skills/pdf): Reads PDFs",
                OWN_TOOLS["shell"].parameters,
            )
        ],
        [],
    ),
}


@pytest.mark.parametrize("name", TOOLS)
def test_tools_are_told_as_functions(name: str) -> None:
    declared, functions, lost = TOOLS[name]
    asked, losses = emulated(tools=declared)
    told = [cast(FunctionTool, tool) for tool in asked.tools]
    assert [(tool.name, tool.description, tool.parameters) for tool in told] == functions
    assert losses == lost


@pytest.mark.parametrize("vendor", OTHERS)
@pytest.mark.parametrize("name", TOOLS)
def test_every_vendor_is_sent_the_functions(vendor: str, name: str) -> None:
    declared, functions, _ = TOOLS[name]
    sent = encode(vendor, request(tools=declared), Ledger()).get("tools", [])
    assert [(tool["type"], tool["name"]) for tool in sent] == [("function", name) for name, _, _ in functions]


# declared tools, and what each vendor reports beside what all report
FURTHER: list[tuple[list[Json], list[str]]] = [
    ([{**SQL, "defer_loading": True}], ["tools[0].defer_loading"]),
    ([{"type": "shell", "allowed_callers": ["programmatic"]}], ["tools[0].allowed_callers"]),
    ([CRM, {**PLAIN, "output_schema": {"a": 1}}], ["tools[1].output_schema"]),
    ([PLAIN, {**CRM, "tools": [SQL, {**PLAIN, "async": True}]}], ["tools[1].tools[1].async"]),
]


@pytest.mark.parametrize("vendor", OTHERS)
@pytest.mark.parametrize(("declared", "lost"), FURTHER)
def test_losses_name_the_place_where_the_client_declared_it(vendor: str, declared: list[Json], lost: list[str]) -> None:
    losses = Ledger()
    encode(vendor, request(tools=declared), losses)
    assert [loss.path for loss in losses.losses if not loss.path.endswith("strict")] == lost


def test_strictness_of_a_namespaced_function_is_kept() -> None:
    losses = Ledger()
    encode("ark", request(tools=[PLAIN, CRM]), losses)
    assert [loss.path for loss in losses.losses] == ["tools[1].tools[0].strict"]
    assert encode("gemini", request(tools=[CRM]), Ledger())["generation_config"] == {"tool_choice": "validated"}


def test_long_names_are_cut_and_stay_different() -> None:
    names = [flat_name("n" * 40, "f" * 40 + str(number)) for number in range(3)]
    assert len(set(names)) == 3
    assert all(len(name) == 64 for name in names)
    assert flat_name("n" * 31, "f" * 31) == f"{'n' * 31}__{'f' * 31}"


SHELL: Json = {"type": "shell"}
REFUSED: dict[str, tuple[list[Json], type[BadRequest], str]] = {
    "a name twice, custom last": ([PLAIN, {**SQL, "name": "plain"}], Unsupported, "tools[1]"),
    "a name twice, custom first": ([{**SQL, "name": "plain"}, PLAIN], Unsupported, "tools[1]"),
    "a function named as a shell": ([SHELL, {**PLAIN, "name": "shell"}], Unsupported, "tools[1]"),
    "a function named as a namespaced one": ([{**PLAIN, "name": "crm__sql"}, CRM], Unsupported, "tools[1].tools[1]"),
    "a shell in a new container": (
        [PLAIN, {**SHELL, "environment": {"type": "container_auto"}}], Unsupported, "tools[1].environment.type",
    ),
    "a shell in a container": (
        [{**SHELL, "environment": {"type": "container_reference", "container_id": "c"}}],
        Unsupported,
        "tools[0].environment.type",
    ),
    "another tool in a namespace": ([{**CRM, "tools": [SHELL]}], Unsupported, "tools[0].tools[0].type"),
    "a custom tool without a name": ([{"type": "custom"}], BadRequest, "tools[0].name"),
    "a function in a namespace without a name": (
        [{**CRM, "tools": [{"type": "function"}]}], BadRequest, "tools[0].tools[0].name",
    ),
    "a namespace without a name": ([{"type": "namespace", "tools": []}], BadRequest, "tools[0].name"),
    "a grammar without a definition": (
        [{**SQL, "format": {"type": "grammar", "syntax": "lark"}}], BadRequest, "tools[0].format.definition",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_refused(name: str) -> None:
    declared, error, param = REFUSED[name]
    with pytest.raises(error) as caught:
        emulated(tools=declared)
    assert (type(caught.value), caught.value.param) == (error, param)
    if "twice" in name:
        assert "'plain'" in caught.value.message


# -- the choice among them ---------------------------------------------------------------------

ALL = [PLAIN, SQL, CRM, SHELL, {"type": "local_shell"}, {"type": "apply_patch"}, {"type": "web_search"}]


def allowed(*tools: Json) -> Json:
    return {"type": "allowed_tools", "mode": "auto", "tools": list(tools)}


def named(kind: str, name: str, **more: str) -> Json:
    return {"type": kind, "name": name, **more}


CHOICES: list[tuple[Any, list[str] | None, str]] = [
    ("auto", None, "auto"),
    ("required", None, "required"),
    (named("custom", "sql"), ["sql"], "required"),
    (named("function", "plain"), ["plain"], "required"),
    (named("function", "look_up"), ["crm__look_up"], "required"),
    (named("function", "look_up", namespace="crm"), ["crm__look_up"], "required"),
    (named("custom", "sql", namespace="crm"), ["crm__sql"], "required"),
    ({"type": "shell"}, ["shell"], "required"),
    ({"type": "local_shell"}, ["local_shell"], "required"),
    ({"type": "apply_patch"}, ["apply_patch"], "required"),
    (named("namespace", "crm"), ["crm__look_up", "crm__sql"], "required"),
    (allowed(named("function", "plain"), named("custom", "sql"), SHELL), ["plain", "sql", "shell"], "auto"),
    (allowed(named("namespace", "crm"), {"type": "web_search"}), ["crm__look_up", "crm__sql"], "auto"),
]


@pytest.mark.parametrize(("choice", "names", "mode"), CHOICES)
def test_a_choice_is_told_among_functions(choice: Any, names: list[str] | None, mode: str) -> None:
    told = emulated(tools=ALL, tool_choice=choice)[0].tool_choice
    assert told is not None
    assert (told.names, told.mode) == (names, mode)


def test_each_vendor_is_sent_its_own_choice() -> None:
    one = request(tools=ALL, tool_choice={"type": "shell"})
    assert encode("ark", one, Ledger())["tool_choice"] == named("function", "shell")
    sent = encode("gemini", one, Ledger())["generation_config"]["tool_choice"]
    assert sent == {"allowed_tools": {"mode": "any", "tools": ["shell"]}}
    some = encode(
        "ark", request(tools=ALL, tool_choice=allowed(named("custom", "sql"), {"type": "web_search"})), Ledger()
    )
    assert ([tool.get("name", tool["type"]) for tool in some["tools"]], some["tool_choice"]) == (
        ["sql", "web_search"],
        "auto",
    )


@pytest.mark.parametrize(
    "choice",
    [
        named("custom", "other"),
        named("custom", "look_up"),
        named("custom", "sql", namespace="x"),
        allowed(named("namespace", "x")),
    ],
)
def test_a_choice_of_what_is_not_declared_is_refused(choice: Json) -> None:
    with pytest.raises(BadRequest, match="not found in 'tools'") as caught:
        emulated(tools=ALL, tool_choice=choice)
    assert caught.value.param == "tool_choice"


# -- the conversation so far -------------------------------------------------------------------

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


def sent_call(vendor: str, sent: Json) -> tuple[str, str, Any]:
    name = "id" if vendor == "gemini" else "call_id"
    arguments = sent["arguments"] if vendor == "gemini" else loads(sent["arguments"])
    assert sent["type"] == "function_call"
    return sent[name], sent["name"], arguments


def sent_answer(vendor: str, sent: Json) -> str:
    assert (sent["type"], sent["call_id"]) in (("function_result", "1"), ("function_call_output", "1"))
    return sent["result" if vendor == "gemini" else "output"]


@pytest.mark.parametrize("vendor", OTHERS)
@pytest.mark.parametrize("name", ITEMS)
def test_calls_are_told_as_calls_of_functions(vendor: str, name: str) -> None:
    given, call = ITEMS[name]
    losses = Ledger()
    sent = encode(vendor, request(input=[given]), losses)["input"]
    assert [sent_call(vendor, step) for step in sent] == [call]
    assert losses.losses == []


@pytest.mark.parametrize("vendor", OTHERS)
@pytest.mark.parametrize("name", ANSWERS)
def test_answers_are_told_as_answers_of_functions(vendor: str, name: str) -> None:
    given, answer = ANSWERS[name]
    losses = Ledger()
    (sent,) = encode(vendor, request(input=[given]), losses)["input"]
    told = sent_answer(vendor, sent)
    assert (loads(told) if isinstance(answer, dict) else told) == answer
    assert losses.losses == []


def test_a_local_shell_answers_by_the_id_of_its_call() -> None:
    call = item("local_shell_call", call_id="call_7", action=EXEC, status="completed", id="lsh_1")
    answer = item("local_shell_call_output", id="lsh_1", output="a")
    sent = encode("ark", request(input=[call, answer]), Ledger())["input"]
    assert [entry["call_id"] for entry in sent] == ["call_7", "call_7"]


NOT_WHOLE: list[tuple[Json, str]] = [
    (item("shell_call", action=ACTION), "input[0].call_id"),
    (item("shell_call", call_id="1"), "input[0].action"),
    (item("apply_patch_call", call_id="1"), "input[0].operation"),
    (item("shell_call_output", output=[]), "input[0].call_id"),
    (item("local_shell_call_output", output="a"), "input[0].id"),
    (item("local_shell_call_output", id="1"), "input[0].output"),
]


@pytest.mark.parametrize(("given", "param"), NOT_WHOLE)
def test_a_call_that_is_not_whole_is_refused(given: Json, param: str) -> None:
    with pytest.raises(BadRequest) as caught:
        emulated(input=[given])
    assert caught.value.param == param


# -- laws --------------------------------------------------------------------------------------

WHOLE: Json = {
    "model": "m",
    "input": [{"role": "user", "content": "x"}, *(given for given, _ in (*ITEMS.values(), *ANSWERS.values()))],
    "tools": [{**SQL, "format": GRAMMAR}, CRM, {"type": "shell", "environment": {"type": "local", "skills": SKILLS}},
              {"type": "local_shell"}, {"type": "apply_patch"}, PLAIN],
    "tool_choice": allowed(named("custom", "sql"), named("namespace", "crm"), SHELL, named("function", "plain")),
}  # fmt: skip
"""A request with all of it."""


def test_the_clients_own_objects_are_never_touched() -> None:
    body = deepcopy(WHOLE)
    asked = decode_request(body, "openai")
    before = deepcopy(asked)
    for vendor in OTHERS:
        encode(vendor, asked, Ledger())
    assert asked == before
    assert body == WHOLE


def test_openai_is_sent_all_of_it_verbatim() -> None:
    assert adapters.load("openai").client_tools == CLIENT_TOOLS
    losses = Ledger()
    assert encode("openai", decode_request(WHOLE, "openai"), losses) == WHOLE
    assert losses.losses == []


PLAIN_ONES: list[Json] = [
    {},
    {"tools": [PLAIN, {"type": "web_search"}, {"type": "mcp", "server_label": "s"}]},
    {"input": [item("function_call", call_id="1", name="f", arguments="{}"), item("reasoning", summary=[])]},
    {"input": [item("function_call_output", call_id="1", output="a"), item("web_search_call", id="ws_1")]},
    {"tools": [PLAIN], "tool_choice": named("function", "plain")},
]


@pytest.mark.parametrize("fields", PLAIN_ONES)
def test_the_usual_request_stays_what_it_is(fields: Json) -> None:
    assert emulate(request(**fields), FUNCTIONS, Ledger()) is None


def test_what_a_vendor_has_is_left_to_it() -> None:
    """A vendor may know some of the tools: only the others are emulated."""
    losses = Ledger()
    asked = decode_request(WHOLE, "openai")
    emulation = emulate(asked, CLIENT_TOOLS - {"shell"}, losses)
    assert emulation is not None
    changed = [
        (before.path, after)
        for before, after in zip(asked.tools, emulation.request.tools, strict=True)
        if before is not after
    ]
    assert [path for path, _ in changed] == ["tools[2]"]
    kinds = {
        type(after).__name__
        for before, after in zip(asked.items, emulation.request.items, strict=True)
        if before is not after
    }
    assert kinds == {"FunctionCall", "FunctionOutput"}
    choice = emulation.request.tool_choice
    assert choice is not None
    assert choice.source is not None
    assert choice.source.data["tools"] == [
        named("custom", "sql"),
        named("namespace", "crm"),
        named("function", "shell"),
        named("function", "plain"),
    ]
    assert losses.losses == []


def asked_of_all(body: Json) -> None:
    """A request is read and sent to every vendor, or refused with the field at fault."""
    refusals: list[BadRequest] = []
    for vendor in adapters.names():
        try:
            dumps(encode(vendor, decode_request(body, "openai"), Ledger()))
        except BadRequest as refusal:
            refusals.append(refusal)
    assert all(refusal.param and refusal.message for refusal in refusals)


@bounded(200)
@given(data=st.data())
def test_no_spoilt_field_breaks_it(data: st.DataObject) -> None:
    asked_of_all(spoilt(data, WHOLE))


def test_every_field_of_every_kind_is_read_or_refused() -> None:
    for place in places(WHOLE):
        asked_of_all(without(WHOLE, place))
        for junk in JUNK:
            asked_of_all(replaced(WHOLE, place, junk))


@pytest.mark.parametrize("vendor", adapters.names())
def test_every_request_of_codex_is_taken(shared: Path, vendor: str) -> None:
    """They declare a namespace, and search without the live web, which is reported."""
    requests = json.loads((shared / "requests" / "codex.json").read_bytes())
    assert len(requests) == 7
    for recorded in requests:
        losses = Ledger()
        sent = encode(vendor, decode_request(recorded["body"], "openai"), losses)
        names = [tool.get("name", tool["type"]) for tool in sent["tools"]]
        assert ("multi_agent_v1__spawn_agent" in names) == (vendor != "openai")
        assert [loss.path for loss in losses.losses] == ([] if vendor == "openai" else ["tools[8].external_web_access"])
