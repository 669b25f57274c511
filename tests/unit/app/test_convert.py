"""`dragoman convert`: any recorded answer becomes a well-formed stream of the target's dialect, the same every time."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
import typer
from typer.testing import CliRunner, Result

import adapters
from adapters.sse import SseEvent, SseParser
from app.commands.convert import convert
from app.commands.wires import surfaces

SCENES = [
    (vendor, scene.name) for vendor in adapters.names() for scene in adapters.load(vendor).scenes if scene.status == 200
]
NO_BODY = ("cut", ".json")
FILES = [
    (vendor, f"{name}{suffix}") for vendor, name in SCENES for suffix in (".sse", ".json") if (name, suffix) != NO_BODY
]
UNHAPPY = {"error_inside": 1, "cut": 1}

CLI = typer.Typer()
CLI.command()(convert)


def run(*arguments: str, stdin: bytes = b"") -> Result:
    return CliRunner().invoke(CLI, list(arguments), input=stdin)


def frames(printed: bytes) -> list[SseEvent]:
    parser = SseParser()
    return [*parser.feed(printed), *parser.close()]


def events(printed: bytes) -> list[dict[str, Any]]:
    return [json.loads(frame.data) for frame in frames(printed)]


def recorded(vendor: str, file: str) -> bytes:
    return (adapters.ROOT / vendor / "sandbox" / file).read_bytes()


@pytest.mark.parametrize(("vendor", "file"), FILES)
@pytest.mark.parametrize("fidelity", ["strict", "rich", "native"])
def test_a_recording_becomes_a_well_formed_stream(vendor: str, file: str, fidelity: str) -> None:
    result = run("--from", vendor, "--to", "responses", "--fidelity", fidelity, stdin=recorded(vendor, file))
    name = file.partition(".")[0]
    assert result.exit_code == UNHAPPY.get(name, 0), result.stderr
    check = surfaces()["responses"][1].check
    assert check is not None
    assert check(frames(result.stdout_bytes)).violations == ()


OTHERS = [
    (surface.dialect, vendor, file)
    for surface in {surface.dialect: surface for _, surface in surfaces().values()}.values()
    for vendor, file in FILES
    if vendor != surface.default_provider
]


@pytest.mark.parametrize(("dialect", "vendor", "file"), OTHERS)
def test_any_pair_of_wires(dialect: str, vendor: str, file: str) -> None:
    result = run("--from", vendor, "--to", dialect, stdin=recorded(vendor, file))
    assert result.exit_code == UNHAPPY.get(file.partition(".")[0], 0), result.stderr
    check = surfaces()[dialect][1].check
    assert check is not None
    assert check(frames(result.stdout_bytes)).violations == ()


@pytest.mark.parametrize("name", sorted(surfaces()))
def test_a_body_written_in_its_own_words_stays_as_it_is(name: str) -> None:
    recording = recorded(surfaces()[name][0], "text.json")
    written = run("--from", name, "--to", name, "--as", "json", stdin=recording).stdout_bytes
    assert json.loads(written) == json.loads(recording)


@pytest.mark.parametrize("name", sorted(name for name, (_, surface) in surfaces().items() if surface.repeater))
def test_a_stream_is_repeated_to_its_own_clients(name: str) -> None:
    recording = recorded(surfaces()[name][0], "text.sse")
    written = run("--from", name, "--to", name, stdin=recording).stdout_bytes
    said, repeated = (
        [json.loads(event.data) | {"event_id": ""} for event in frames(told) if event.data != b"[DONE]"]
        for told in (recording, written)
    )
    assert repeated == said


@pytest.mark.parametrize(("vendor", "name"), [scene for scene in SCENES if scene[1] != "cut"])
def test_a_recorded_body_gives_the_same_answer(vendor: str, name: str) -> None:
    stream, body = (
        events(run("--from", vendor, "--to", "responses", stdin=recorded(vendor, f"{name}{suffix}")).stdout_bytes)
        for suffix in (".sse", ".json")
    )
    assert [item["type"] for item in stream[-1]["response"]["output"]] == [
        item["type"] for item in body[-1]["response"]["output"]
    ]
    assert stream[-1]["type"] == body[-1]["type"]


@pytest.mark.parametrize("vendor", adapters.names())
def test_the_output_is_the_same_every_time(vendor: str) -> None:
    first, second = (run("--from", vendor, "--to", "responses", stdin=recorded(vendor, "cite.sse")) for _ in range(2))
    assert first.stdout_bytes == second.stdout_bytes


def test_both_names_of_a_wire_write_it() -> None:
    written = {to: run("--from", "ark", "--to", to, stdin=recorded("ark", "text.sse")) for to in surfaces()}
    for dialect, (vendor, _) in surfaces().items():
        assert written[dialect].exit_code == 0
        assert written[dialect].stdout_bytes == written[vendor].stdout_bytes


def test_both_names_of_a_wire_read_it() -> None:
    names = {vendor: dialect for dialect, (vendor, _) in surfaces().items() if dialect != vendor}
    for pair in names.items():
        recording = recorded(pair[0], "text.sse")
        by_vendor, by_dialect = (run("--from", name, "--to", "responses", stdin=recording) for name in pair)
        assert (by_dialect.exit_code, by_dialect.stdout_bytes) == (0, by_vendor.stdout_bytes)


def test_reads_a_file() -> None:
    path = adapters.ROOT / "gemini" / "sandbox" / "text.json"
    assert events(run("--from", "gemini", "--to", "openai", str(path)).stdout_bytes)[-1]["type"] == "response.completed"


@pytest.mark.parametrize(("vendor", "name"), [scene for scene in SCENES if scene[1] != "cut"])
@pytest.mark.parametrize("suffix", [".sse", ".json"])
def test_an_answer_can_be_written_whole(vendor: str, name: str, suffix: str) -> None:
    stream, whole = (
        run("--from", vendor, "--to", "responses", "--as", form, stdin=recorded(vendor, name + suffix))
        for form in ("sse", "json")
    )
    assert (whole.exit_code, whole.stderr) == (stream.exit_code, stream.stderr)
    body = json.loads(whole.stdout_bytes)
    last = events(stream.stdout_bytes)[-1]["response"]
    assert ([item["type"] for item in body["output"]], body["usage"]) == (
        [item["type"] for item in last["output"]],
        last["usage"],
    )


ASKED = {"model": "m", "input": "hello", "text": {"verbosity": "low"}, "stream": True}


@pytest.mark.parametrize("vendor", adapters.names())
def test_a_request_becomes_what_the_vendor_is_sent(vendor: str) -> None:
    result = run("--request", "--from", "responses", "--to", vendor, stdin=json.dumps(ASKED).encode())
    assert result.exit_code == 0
    sent = json.loads(result.stdout_bytes)
    assert (sent["model"], sent["stream"]) == ("m", True)
    assert ("lost: text.verbosity: " in result.stderr) == (sent.get("text") != ASKED["text"])


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"model": "m", "input": 7}, "refused: 'input' must be "),
        ({"model": "m", "input": "x", "background": True}, "refused: A background answer"),
    ],
)
def test_a_request_that_is_refused_says_why(asked: dict[str, Any], said: str) -> None:
    result = run("--request", "--from", "responses", "--to", "gemini", stdin=json.dumps(asked).encode())
    assert (result.exit_code, result.stdout_bytes) == (1, b"")
    assert result.stderr.startswith(said)


def test_losses_go_to_standard_error() -> None:
    result = run("--from", "gemini", "--to", "responses", "--fidelity", "strict", stdin=recorded("gemini", "cite.sse"))
    assert re.search(r"^lost: \S+: .+", result.stderr, re.MULTILINE)
    assert b"lost" not in result.stdout_bytes
    assert b"x_dragoman" not in result.stdout_bytes


def test_a_broken_stream_says_why() -> None:
    result = run("--from", "gemini", "--to", "responses", stdin=recorded("gemini", "error_inside.sse"))
    assert "failed: Deadline expired" in result.stderr


@pytest.mark.parametrize("vendor", adapters.names())
def test_an_http_error_is_no_answer(vendor: str) -> None:
    result = run("--from", vendor, "--to", "responses", stdin=recorded(vendor, "rate_limit.json"))
    assert (result.exit_code, result.stdout_bytes) == (1, b"")
    assert result.stderr.startswith("failed: ")


@pytest.mark.parametrize(
    ("arguments", "stdin", "said"),
    [
        (("--from", "nobody", "--to", "responses"), b"x", "there are "),
        (("--from", "gemini", "--to", "nobody"), b"x", "no dialect 'nobody'; there are "),
        (("--request", "--from", "nobody", "--to", "gemini"), b"{}", "no dialect 'nobody'; there are "),
        (("--request", "--from", "responses", "--to", "nobody"), b"{}", "ark, gemini, interactions, openai, responses"),
        (("--request", "--from", "responses", "--to", "gemini"), b"data: {}", "nor JSON"),
        (("--from", "gemini", "--to", "responses", "--as", "yaml"), b"x", "yaml"),
        (("--from", "gemini", "--to", "responses", "--offsets", "bytes"), b"x", "bytes"),
        (("--from", "gemini", "--to", "responses"), b" \n", "empty"),
        (("--from", "gemini", "--to", "responses"), b"{", "nor JSON"),
        (("--from", "gemini", "--to", "responses"), b"[]", "not one object"),
        (("--from", "gemini", "--to", "responses", "/nowhere/at.all"), b"", "cannot read"),
        (("--from", "gemini", "--to", "responses", "--fidelity", "loose"), b"x", "loose"),
        (("--to", "responses"), b"x", "--from"),
    ],
)
def test_misuse_exits_2(arguments: tuple[str, ...], stdin: bytes, said: str) -> None:
    result = run(*arguments, stdin=stdin)
    assert result.exit_code == 2
    assert said in re.sub(r"[\s│]+", " ", result.stderr)
    assert not result.stdout_bytes


@pytest.mark.parametrize("vendor", adapters.names())
def test_garbage_ends_in_failure(vendor: str) -> None:
    result = run("--from", vendor, "--to", "responses", stdin=b"data: garbage\n\ndata: 1\n\n")
    assert result.exit_code == 1
    assert events(result.stdout_bytes)[-1]["type"] == "response.failed"
