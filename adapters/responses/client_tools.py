"""Tools that the client runs, told as functions: what a vendor is told of each, and what its arguments ask for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Final

from adapters.hub.errors import Unsupported
from adapters.hub.fields import Fields
from adapters.hub.items import LOCAL_SHELL_CALL, PATCH_CALL, SHELL_CALL
from adapters.hub.kept import leftovers
from adapters.hub.losses import Ledger
from adapters.hub.request import FunctionTool
from adapters.responses.free_text import PARAMETERS
from adapters.wire_json import Json, as_list, as_object, as_text, dumps

_NAME_LIMIT = 64  # "a maximum length of 64", for OpenAI and Gemini alike
_OPERATIONS = ("create_file", "update_file", "delete_file")


@dataclass(frozen=True, slots=True)
class ClientTool:
    """A tool as its client knows it: the type it was declared with, its name, and the namespace it stands in."""

    kind: str
    name: str
    namespace: str = ""


Told = tuple[FunctionTool, ClientTool]
"""A tool as the vendor is told of it, and as the client knows it."""


@dataclass(frozen=True, slots=True)
class OwnTool:
    """A tool that has types of its own for its calls and for what the client answers.

    `action` is the field of the call that says what to do; `read` makes it of a function's arguments, None where
    they do not say it; `unsaid` are fields of it that arguments leave out. `answer` gives an answer as text.
    """

    call: str
    output: str
    action: str
    description: str
    parameters: Json
    read: Callable[[Json], Json | None]
    answer: Callable[[Fields], str]
    unsaid: frozenset[str] = frozenset()


def flat_name(namespace: str, name: str) -> str:
    """The function's name of a tool in a namespace: always the same, and as short as vendors want it."""
    flat = f"{namespace}__{name}" if namespace else name
    return flat if len(flat) <= _NAME_LIMIT else f"{flat[:54]}__{sha256(flat.encode()).hexdigest()[:8]}"


# -- what a vendor is told of a tool -----------------------------------------------------------


def tell_custom(fields: Fields, losses: Ledger, namespace: str = "") -> list[Told]:
    """A custom tool: a function of one text. What holds the text to a grammar is told, and no more than that."""
    name = fields.needed_text("name")
    lines = [fields.text("description") or "", "Takes raw text as `input`, not JSON."]
    form = fields.object("format")
    if form is not None and form.get("type") != "text":
        grammar = fields.inner(form, "format")
        syntax, definition = grammar.needed_text("syntax"), grammar.needed_text("definition")
        lines.append(f"The text must match this {syntax} grammar:\n{definition}")
        losses.note(fields.path("format"), "the grammar is told to the model, which is not held to it")
    extra = leftovers(fields.wire, fields.raw, frozenset({"type", "name", "description", "format"}))
    tool = FunctionTool(flat_name(namespace, name), _lines(lines), PARAMETERS, source=extra, path=fields.here)
    return [(tool, ClientTool("custom", name, namespace))]


def tell_namespace(fields: Fields, losses: Ledger) -> list[Told]:
    """The tools of a namespace, each by its full name and with what the namespace says of them all."""
    name, about = fields.needed_text("name"), fields.text("description")
    for field in fields.raw.keys() - {"type", "name", "description", "tools"}:
        losses.note(fields.path(field), "namespaces are told as functions, which have no such field")
    told: list[Told] = []
    for inner in fields.objects("tools"):
        tell = _INNER.get(inner.needed_text("type"))
        if tell is None:
            raise Unsupported(f"A namespace holds no tool '{inner.raw['type']}'.", param=inner.path("type"))
        for tool, known in tell(inner, losses, name):
            tool.description = _lines([tool.description or "", f"(Of `{name}`: {about})" if about else ""])
            told.append((tool, known))
    return told


def _tell_function(fields: Fields, _: Ledger, namespace: str) -> list[Told]:
    name = fields.needed_text("name")
    tool = FunctionTool(
        flat_name(namespace, name),
        fields.text("description"),
        fields.object("parameters"),
        fields.flag("strict"),
        fields.source(),
        fields.here,
    )
    return [(tool, ClientTool("function", name, namespace))]


_INNER: dict[str, Callable[[Fields, Ledger, str], list[Told]]] = {"function": _tell_function, "custom": tell_custom}


def tell_own(fields: Fields, _: Ledger) -> list[Told]:
    """A tool with a type of its own: a function of that name. Raises `Unsupported` where the vendor was to run it."""
    kind = fields.needed_text("type")
    own, environment = OWN_TOOLS[kind], fields.object("environment")
    lines = [own.description]
    if environment is not None:
        place = fields.inner(environment, "environment")
        if place.needed_text("type") != "local":
            raise Unsupported(
                "This vendor runs no shell in a container: give the tool the environment 'local'.",
                param=place.path("type"),
            )
        skills = [f"- {skill.text('name')} ({skill.text('path')}): {skill.text('description')}"
                  for skill in place.objects("skills")]  # fmt: skip
        lines += ["Skills, each in a folder of its own:", *skills] if skills else []
    extra = leftovers(fields.wire, fields.raw, frozenset({"type", "environment"}))
    return [(FunctionTool(kind, _lines(lines), own.parameters, source=extra, path=fields.here), ClientTool(kind, kind))]


def _lines(lines: list[str]) -> str:
    return "\n".join(line for line in lines if line)


# -- the tools with types of their own ---------------------------------------------------------


def _texts(value: Any) -> list[str] | None:
    texts = [text for text in as_list(value) if isinstance(text, str)]
    return texts if isinstance(value, list) and texts == value else None


def _limit(value: Any) -> int | None:
    return value if type(value) is int else None


def _read_shell(said: Json) -> Json | None:
    commands = _texts(said.get("commands"))
    if commands is None:
        return None
    limits = {field: _limit(said.get(field)) for field in ("max_output_length", "timeout_ms")}
    return {"commands": commands, **limits}


def _read_local_shell(said: Json) -> Json | None:
    command = _texts(said.get("command"))
    if command is None:
        return None
    env = {name: value for name, value in as_object(said.get("env")).items() if isinstance(value, str)}
    told: Json = {
        "timeout_ms": _limit(said.get("timeout_ms")),
        "user": as_text(said.get("user")) or None,
        "working_directory": as_text(said.get("working_directory")) or None,
    }
    known = {field: value for field, value in told.items() if value is not None}
    return {"type": "exec", "command": command, "env": env, **known}


def _read_patch(said: Json) -> Json | None:
    operation, path, diff = said.get("type"), said.get("path"), said.get("diff")
    if operation not in _OPERATIONS or not isinstance(path, str):
        return None
    if operation == "delete_file":
        return {"type": operation, "path": path}
    return {"type": operation, "diff": diff, "path": path} if isinstance(diff, str) else None


def _answer_of(*names: str) -> Callable[[Fields], str]:
    """Answers of several fields stay JSON."""

    def answer(fields: Fields) -> str:
        return dumps({name: fields.raw[name] for name in names if fields.raw.get(name) is not None}).decode()

    return answer


def _schema(required: tuple[str, ...], **properties: Json) -> Json:
    return {"type": "object", "properties": properties, "required": list(required)}


def _text(description: str, **rules: Any) -> Json:
    return {"type": "string", "description": description, **rules}


_MILLISECONDS: Json = {"type": "integer", "description": "How many milliseconds it may take."}
_WORDS: Json = {"type": "array", "items": {"type": "string"}}

OWN_TOOLS: Final = {
    "shell": OwnTool(
        call=SHELL_CALL,
        output="shell_call_output",
        action="action",
        description="Runs shell commands where the user works, and gives what each printed and how it ended.",
        parameters=_schema(
            ("commands",),
            commands={**_WORDS, "description": "The commands, in the order in which they run."},
            timeout_ms=_MILLISECONDS,
            max_output_length={"type": "integer", "description": "How many characters of output to give at most."},
        ),
        read=_read_shell,
        answer=_answer_of("output", "max_output_length"),
    ),
    "local_shell": OwnTool(
        call=LOCAL_SHELL_CALL,
        output="local_shell_call_output",
        action="action",
        description="Runs one command where the user works, and gives what it printed.",
        parameters=_schema(
            ("command",),
            command={**_WORDS, "description": "The program and its arguments."},
            env={"type": "object", "additionalProperties": {"type": "string"}, "description": "Environment variables."},
            timeout_ms=_MILLISECONDS,
            user=_text("Who runs it, where that is not the usual user."),
            working_directory=_text("Where it runs."),
        ),
        read=_read_local_shell,
        answer=lambda fields: fields.needed_text("output"),
        unsaid=frozenset({"type"}),
    ),
    "apply_patch": OwnTool(
        call=PATCH_CALL,
        output="apply_patch_call_output",
        action="operation",
        description="Creates, updates or deletes one file where the user works.",
        parameters=_schema(
            ("type", "path"),
            type=_text("What to do with the file.", enum=list(_OPERATIONS)),
            path=_text("The file, relative to the root of the workspace."),
            diff=_text(
                "For create_file the whole file, a + in front of every line. For update_file the changes: each begins "
                "with a line of @@ (and, where that helps to find the place, the line of the class or function around "
                "it), then come lines with a space (unchanged), - (taken out) or + (put in) in front."
            ),
        ),
        read=_read_patch,
        answer=_answer_of("status", "output"),
    ),
}
"""By the type that declares them."""
