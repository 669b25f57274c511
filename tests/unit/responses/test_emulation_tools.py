"""Tools that only the client's dialect has, and the choice among them, as functions."""

from __future__ import annotations

from typing import Any, cast

import pytest

from adapters.hub.errors import BadRequest, Unsupported
from adapters.hub.losses import Ledger
from adapters.hub.request import FunctionTool
from adapters.responses.client_tools import OWN_TOOLS, flat_name
from adapters.responses.free_text import PARAMETERS
from adapters.wire_json import Json
from tests.unit.responses.emulating import (
    CITY,
    CRM,
    GRAMMAR,
    OTHERS,
    PLAIN,
    RAW,
    SHELL,
    SKILLS,
    SQL,
    allowed,
    emulated,
    encode,
    named,
    request,
)

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
    ([{**SQL, "async": True}], ["tools[0].async"]),
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
