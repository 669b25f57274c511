"""The house's limits on its own sources: sizes, rooms, names. Each failure says file, line and what to do."""

from __future__ import annotations

import ast
import io
import re
import subprocess
import tokenize
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import pytest

import adapters

ROOT = Path(__file__).resolve().parents[2]
ROOMS = ("adapters", "app", "tests", "bench")
MAX_FUNCTION_LINES = 60
MAX_FILE_LINES = 600
MAX_IMPORTS = 12
MAX_VENDOR_CODE_LINES = 1_000

# These only name types: a file is not the more entangled for them, so they do not count as imports.
TYPE_NAMES = {"__future__", "collections.abc", "typing"}

# Written in two pieces, so that this file may be searched with the rest.
REGISTRY_HOSTS = (
    ("pypi", "org"),
    ("pythonhosted", "org"),
    ("npmjs", "org"),
    ("npmjs", "com"),
    ("yarnpkg", "com"),
    ("deb.debian", "org"),
    ("security.debian", "org"),
    ("docker", "io"),
    ("ghcr", "io"),
    ("quay", "io"),
    ("crates", "io"),
)

# (room, word, why not)
BANNED = (
    ("app", "aiter_lines", "it cuts JSON at U+2028"),
    ("app", "BaseHTTPMiddleware", "it costs 17 us an event and hides the client's disconnect"),
    ("tests/e2e", "ASGITransport", "it buffers the whole stream"),
)

_LAYOUT = {
    tokenize.COMMENT,
    tokenize.NL,
    tokenize.NEWLINE,
    tokenize.INDENT,
    tokenize.DEDENT,
    tokenize.ENCODING,
    tokenize.ENDMARKER,
}


@dataclass(frozen=True)
class Source:
    """One Python file of the project."""

    path: Path
    text: str

    @property
    def name(self) -> str:
        return self.path.relative_to(ROOT).as_posix()

    @cached_property
    def tree(self) -> ast.Module:
        return ast.parse(self.text, self.name)

    def nodes(self) -> Iterator[ast.AST]:
        return ast.walk(self.tree)

    @cached_property
    def code(self) -> list[tokenize.TokenInfo]:
        """The tokens that are code: no comment, no docstring, no layout."""
        prose = {place for node in self.nodes() if (place := _docstring(node)) is not None}
        tokens = tokenize.generate_tokens(io.StringIO(self.text).readline)
        return [token for token in tokens if token.type not in _LAYOUT and token.start not in prose]

    @property
    def code_lines(self) -> int:
        return len({line for token in self.code for line in range(token.start[0], token.end[0] + 1)})


def _docstring(node: ast.AST) -> tuple[int, int] | None:
    """Where a string stands alone as a statement: a docstring, or a constant's description."""
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
        return node.value.lineno, node.value.col_offset
    return None


def _read(room: str) -> list[Source]:
    return [Source(path, path.read_text("utf-8")) for path in sorted((ROOT / room).rglob("*.py"))]


SOURCES = {room: _read(room) for room in ROOMS}
ALL = [source for sources in SOURCES.values() for source in sources]


def _require_none(problems: Iterable[str]) -> None:
    if found := list(problems):
        pytest.fail("\n".join(found), pytrace=False)


def _vendor_word(names: Iterable[str]) -> re.Pattern[str]:
    """The names as words of prose or pieces of identifiers: `ark_key` and `Ark`, but not `mark`."""
    return re.compile(rf"(?<![a-z])({'|'.join(names) or '(?!)'})(?![a-z])", re.IGNORECASE)


def _named_in(path: str, text: str, names: Iterable[str]) -> Iterator[str]:
    word = _vendor_word(names)
    for number, line in enumerate(text.splitlines(), 1):
        if found := word.search(line):
            yield f"{path}:{number}: names the vendor {found[0]!r}; only its own folder and face may"


def test_functions_fit_on_a_screen() -> None:
    def too_long() -> Iterator[str]:
        for source in ALL:
            for node in source.nodes():
                if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                    length = (node.end_lineno or node.lineno) - node.lineno + 1
                    if length > MAX_FUNCTION_LINES:
                        yield f"{source.name}:{node.lineno}: {node.name} has {length} lines, over {MAX_FUNCTION_LINES}"

    _require_none(too_long())


def test_files_stay_short() -> None:
    lengths = ((source.name, source.text.count("\n")) for source in ALL)
    _require_none(f"{name}: {n} lines, over {MAX_FILE_LINES}" for name, n in lengths if n > MAX_FILE_LINES)


def test_files_import_little() -> None:
    """A test's tools entangle nothing, so of its imports only the project's own count."""

    def imports(source: Source) -> int:
        modules: set[str] = set()
        for node in source.nodes():
            if isinstance(node, ast.Import):
                modules.update(alias.name for alias in node.names)
            elif isinstance(node, ast.ImportFrom) and node.module is not None:
                modules.add(node.module)
        if (ROOT / "tests") in source.path.parents:
            modules = {module for module in modules if module.partition(".")[0] in ROOMS}
        return len(modules - TYPE_NAMES)

    counts = ((source.name, imports(source)) for source in ALL)
    _require_none(f"{name}: imports {n} modules, over {MAX_IMPORTS}" for name, n in counts if n > MAX_IMPORTS)


def test_modules_say_their_role() -> None:
    _require_none(f"{source.name}:1: no module docstring" for source in ALL if not ast.get_docstring(source.tree))


@pytest.mark.parametrize("vendor", adapters.names())
def test_a_vendor_is_a_small_folder(vendor: str) -> None:
    files = {s.name: s.code_lines for s in SOURCES["adapters"] if (ROOT / "adapters" / vendor) in s.path.parents}
    total = sum(files.values())
    listing = "\n".join(f"  {lines:5} {name}" for name, lines in files.items())
    assert total <= MAX_VENDOR_CODE_LINES, f"adapters/{vendor}: {total} lines of code\n{listing}"


def test_adapters_never_await() -> None:
    def found() -> Iterator[str]:
        for source in SOURCES["adapters"]:
            for node in source.nodes():
                if isinstance(node, ast.Await | ast.AsyncFor | ast.AsyncWith | ast.AsyncFunctionDef):
                    yield f"{source.name}:{node.lineno}: {type(node).__name__} in adapters, which never awaits"
                elif isinstance(node, ast.comprehension) and node.is_async:
                    yield f"{source.name}:{node.target.lineno}: async comprehension in adapters, which never awaits"

    _require_none(found())


def test_app_names_no_vendor() -> None:
    suffixes = {".py", ".html", ".js", ".css", ".sql"}
    files = (path for path in sorted((ROOT / "app").rglob("*")) if path.suffix in suffixes)
    _require_none(
        problem
        for path in files
        for problem in _named_in(path.relative_to(ROOT).as_posix(), path.read_text("utf-8"), adapters.names())
    )


@pytest.mark.parametrize("vendor", adapters.names())
def test_vendors_are_strangers(vendor: str) -> None:
    """Neither a vendor's folder nor its face names another vendor."""
    others = [name for name in adapters.names() if name != vendor]
    folders = {ROOT / "adapters" / vendor, ROOT / "adapters" / "faces" / vendor}
    own = [source for source in SOURCES["adapters"] if not folders.isdisjoint(source.path.parents)]
    _require_none(problem for source in own for problem in _named_in(source.name, source.text, others))


def test_shared_code_names_no_vendor() -> None:
    """The hub and the wire family may tell of a vendor in a comment, never in code; a face may name its own."""
    folders = [ROOT / "adapters" / inner / name for name in adapters.names() for inner in ("", "faces")]
    word = _vendor_word(adapters.names())

    def found() -> Iterator[str]:
        for source in SOURCES["adapters"]:
            if any(folder in source.path.parents for folder in folders):
                continue
            for token in source.code:
                if hit := word.search(token.string):
                    yield f"{source.name}:{token.start[0]}: code outside adapters/{hit[0].lower()} names that vendor"

    _require_none(found())


def test_nothing_is_called_utils() -> None:
    _require_none(
        f"{source.name}: say what it does instead of utils"
        for source in ALL
        if any("utils" in part for part in source.path.relative_to(ROOT).with_suffix("").parts)
    )


def test_functions_decode_and_encode() -> None:
    vague = re.compile(r"_*(convert|transform|handle)_")
    _require_none(
        f"{source.name}:{node.lineno}: {node.name}: say what it does; between wire and hub that is decode or encode"
        for source in SOURCES["adapters"] + SOURCES["app"]
        for node in source.nodes()
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and vague.match(node.name)
    )


def test_every_exemption_has_a_reason() -> None:
    given = re.compile(r"# noqa: [A-Z]+[0-9]+(, ?[A-Z]+[0-9]+)*\W+\w+ \w+")
    _require_none(
        f"{source.name}:{number}: a noqa names its rule and, after it, why"
        for source in ALL
        for number, line in enumerate(source.text.splitlines(), 1)
        if "# noqa" in line and source.path != Path(__file__) and not given.search(line)
    )


def test_no_error_is_swallowed() -> None:
    broad = {"Exception", "BaseException"}

    def swallows(node: ast.ExceptHandler) -> bool:
        catches_all = node.type is None or (isinstance(node.type, ast.Name) and node.type.id in broad)
        idle = all(isinstance(step, ast.Pass | ast.Continue) or _docstring(step) for step in node.body)
        return catches_all and idle

    _require_none(
        f"{source.name}:{node.lineno}: swallows every error; catch the one that is meant"
        for source in ALL
        for node in source.nodes()
        if isinstance(node, ast.ExceptHandler) and swallows(node)
    )


@pytest.mark.parametrize(("room", "word", "reason"), BANNED)
def test_banned_words(room: str, word: str, reason: str) -> None:
    _require_none(
        f"{source.name}:{token.start[0]}: {word} is banned here: {reason}"
        for source in _read(room)
        for token in source.code
        if token.type == tokenize.NAME and token.string == word
    )


def test_no_file_names_a_registry() -> None:
    if not (ROOT / ".git").exists():
        pytest.skip("not a git checkout: which files are the project's is unknown")
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"],
        cwd=ROOT,
        check=True,
        capture_output=True,
    )
    hosts = re.compile("|".join(re.escape(".".join(host)) for host in REGISTRY_HOSTS).encode())
    paths = (ROOT / name.decode() for name in listed.stdout.split(b"\0") if name)
    _require_none(
        f"{path.relative_to(ROOT)}: names the package registry {found[0].decode()}"
        for path in paths
        if path.is_file() and (found := hosts.search(path.read_bytes()))
    )


def test_tell_the_ratio_of_tests_to_code(capsys: pytest.CaptureFixture[str]) -> None:
    lines = {room: sum(source.code_lines for source in sources) for room, sources in SOURCES.items()}
    code = lines["adapters"] + lines["app"]
    with capsys.disabled():
        print(f"\nlines of code: {lines}; tests : code = {lines['tests'] / code:.2f}")
