"""The README told as a test: its commands, its snippet and its numbers, against a gateway that runs."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from app.settings import Settings
from tests.e2e.gateway import served

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
README = (ROOT / "README.md").read_text("utf-8")
ADDRESS = "127.0.0.1:8080"
QUESTION = "Plan a day in Tokyo and cite your sources."


def _block(language: str, holding: str, *, after: str = "") -> str:
    blocks = re.findall(r"^```(\w*)\n(.*?)^```$", README[README.index(after) :], re.DOTALL | re.MULTILINE)
    return next(block for written_in, block in blocks if written_in == language and holding in block)


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with served("--sandbox") as address:
        yield address


def test_the_openai_snippet_works_as_printed(address: str) -> None:
    code = _block("python", "OpenAI(").replace(ADDRESS, address)
    assert len(code.splitlines()) <= 10
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, encoding="utf-8", check=False)
    assert ran.returncode == 0, ran.stderr
    answers = re.split(r"^(?=\w)", ran.stdout, flags=re.MULTILINE)[1:]
    assert [answer.split()[0] for answer in answers] == ["openai", "gemini", "ark"]
    assert all("AnnotationURLCitation(" in answer for answer in answers)


SENTENCE = "東京 🗼 を歩くなら、まず浅草寺へ。"
GEMINI = f"https://grounding.example/redirect/AAsensoji {SENTENCE}"
OPENAI = "https://sensoji.example/visit?utm_source=openai ([sensoji.example](https://sensoji.example/visit?utm_source=openai))"
RUNNERS = {"python": [sys.executable, "-c"], "js": ["node", "--input-type=module", "--eval"]}


@pytest.mark.parametrize(
    ("client", "language", "first"),
    [
        ("openai-python", "python", GEMINI),
        ("google-genai", "python", OPENAI),
        ("volcengine-ark-runtime", "python", GEMINI.split(maxsplit=1)[0]),
        pytest.param("openai-node", "js", GEMINI, marks=pytest.mark.node),
        pytest.param("@google/genai", "js", OPENAI, marks=pytest.mark.node),
    ],
)
def test_the_block_of_an_sdk_works_as_printed(address: str, client: str, language: str, first: str) -> None:
    code = _block(language, "", after=f"**{client}**").replace(ADDRESS, address)
    assert len(code.splitlines()) <= 10
    command = [*RUNNERS[language], code]
    ran = subprocess.run(command, cwd=HERE / "clients", capture_output=True, encoding="utf-8", timeout=60, check=False)
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.splitlines()[0] == first


@pytest.mark.node
def test_the_settings_of_codex_work_as_printed(address: str, tmp_path: Path) -> None:
    (tmp_path / "config.toml").write_text(_block("toml", "dragoman").replace(ADDRESS, address), "utf-8")
    command = ["node_modules/.bin/codex", "exec", "--skip-git-repo-check", "--cd", str(tmp_path), QUESTION]
    ran = subprocess.run(
        command,
        cwd=HERE / "clients",
        env={**os.environ, "CODEX_HOME": str(tmp_path)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    assert SENTENCE in ran.stdout


@pytest.mark.skipif(shutil.which("curl") is None, reason="the README's command is curl's, which is not installed")
def test_the_curl_command_streams_a_whole_answer(address: str) -> None:
    command = _block("sh", "curl").replace(ADDRESS, address)
    ran = subprocess.run(["sh", "-c", command], capture_output=True, text=True, encoding="utf-8", check=True)
    names = re.findall(r"^event: (.*)$", ran.stdout, re.MULTILINE)
    assert names[0] == "response.created"
    assert "response.output_text.annotation.added" in names
    assert names[-1] == "response.completed"


def test_the_worked_citation_is_what_the_gateway_says(address: str) -> None:
    line = next(line for line in _block("", "東京").splitlines() if line.startswith("東京"))
    first = re.findall(r"^\| (Gemini says|the client reads)[^|]*\| (\d+) \| (\d+) \| `(.*?)`", README, re.MULTILINE)
    (_, byte_start, byte_end, cited), (_, start, end, read) = first
    raw = line.encode()[int(byte_start) : int(byte_end)].decode()
    assert cited == read == raw == line[int(start) : int(end)]
    body = {"model": "demo", "input": QUESTION}
    answer = httpx.post(f"http://{address}/v1/responses", json=body, headers={"x-provider": "gemini"}).json()
    part = answer["output"][-1]["content"][0]
    assert part["text"].startswith(line)
    assert (part["annotations"][0]["start_index"], part["annotations"][0]["end_index"]) == (int(start), int(end))


@pytest.mark.parametrize(
    ("unit", "codec", "width"), [("codepoint", "utf-32-le", 4), ("utf16", "utf-16-le", 2), ("utf8", "utf-8", 1)]
)
def test_every_language_cuts_out_the_same_sentence(address: str, unit: str, codec: str, width: int) -> None:
    line = next(line for line in _block("", "東京").splitlines() if line.startswith("東京"))
    told = re.search(rf"^\| `{unit}`.*`text\D+(\d+)\D+(\d+)\D`", README, re.MULTILINE)
    assert told is not None
    start, end = map(int, told.groups())
    assert line.encode(codec)[start * width : end * width].decode(codec) == line[18:]
    headers = {"x-provider": "gemini", "x-dragoman-offsets": unit}
    body = {"model": "demo", "input": QUESTION}
    answer = httpx.post(f"http://{address}/v1/responses", json=body, headers=headers).json()
    cites = answer["output"][-1]["content"][0]["annotations"]
    assert (start, end) in [(cite.get("start_index"), cite.get("end_index")) for cite in cites]


@pytest.mark.parametrize("fidelity", ["strict", "rich", "native"])
@pytest.mark.parametrize("stream", [False, True])
def test_losses_are_in_the_header_and_beside_the_terminal_response(address: str, fidelity: str, stream: bool) -> None:
    body = {"model": "demo", "input": "hello", "text": {"verbosity": "low"}, "stream": stream}
    headers = {"x-provider": "ark", "x-dragoman-fidelity": fidelity}
    answer = httpx.post(f"http://{address}/v1/responses", json=body, headers=headers)
    told = answer.headers["x-dragoman-losses"].split(",")
    # Ark says more of the response than the dialect has words for; strict has no other place to say so
    beyond = ["response"] if fidelity == "strict" and not stream else []
    assert told == ["text.verbosity", *beyond]
    last = answer.text.rstrip().rpartition("\ndata: ")[2]
    response = json.loads(last)["response"] if stream else answer.json()
    losses = response.get("x_dragoman", {}).get("losses", [])
    assert [loss["path"] for loss in losses] == ([] if fidelity == "strict" else ["text.verbosity"])


@pytest.mark.parametrize("name", sorted(set(Settings.model_fields) - {"upstreams"}))
def test_every_setting_is_in_the_readme(name: str) -> None:
    assert f"`{name}`" in README
