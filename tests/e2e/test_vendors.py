"""Every vendor's every scene for the clients of every dialect, through a running gateway.

An answer is well formed and ends as the vendor ended it, in the client's own words; whole and streamed it is the same.
"""

from __future__ import annotations

import re
from collections.abc import AsyncGenerator, Iterable

import httpx
import pytest
import pytest_asyncio

import adapters
from adapters.hub.adapter import Scene, Surface
from adapters.hub.events import Event
from adapters.hub.fold import ItemTree, fold
from adapters.sse import SseEvent
from adapters.wire_json import Json, loads
from app.wiring import surfaces
from tests.e2e.dialects import DIALECTS, SCENE_ENDS
from tests.e2e.gateway import hurried_here
from tests.laws.corpus import OWN, decode, parse

VENDORS = adapters.names()
SURFACES = surfaces()
SCENES = [(vendor, scene) for vendor in VENDORS for scene in adapters.load(vendor).scenes]
ANSWERED = [(vendor, scene) for vendor, scene in SCENES if scene.status == 200]
REFUSED = [(vendor, scene) for vendor, scene in SCENES if scene.status != 200]
PATHS = [(surface, re.sub(r"\{(\w+)\}", r"some-\1", path)) for surface in SURFACES for path in surface.paths]

FOREIGN = [(surface, vendor) for surface in SURFACES for vendor in VENDORS if vendor != surface.default_provider]
"""Clients of a dialect, and the vendors whose own wire is another."""


def label(part: object) -> str:
    """A test's name for what it is given."""
    return part.dialect if isinstance(part, Surface) else part.name if isinstance(part, Scene) else str(part)


pytestmark = pytest.mark.asyncio(loop_scope="module")
every_surface = pytest.mark.parametrize("surface", SURFACES, ids=label)
every_vendor = pytest.mark.parametrize("vendor", VENDORS)
every_form = pytest.mark.parametrize("stream", [False, True], ids=["json", "stream"])
every_answer = pytest.mark.parametrize(("vendor", "scene"), ANSWERED, ids=label)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def client() -> AsyncGenerator[httpx.AsyncClient]:
    async with (
        hurried_here() as port,
        httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", trust_env=False, timeout=30) as client,
    ):
        yield client


async def ask(client: httpx.AsyncClient, path: str, vendor: str, request: Json, *, stream: bool) -> httpx.Response:
    answer = await client.post(path, json={**request, "model": f"{vendor}/m", "stream": stream})
    assert answer.headers["x-provider"] == vendor
    assert b"sk-sandbox" not in answer.content
    return answer


def told(surface: Surface, events: list[SseEvent]) -> Json:
    """The answer that the terminal event holds."""
    dialect = DIALECTS[surface.dialect]
    terminal = events[len(events) - len(dialect.after) - 1]
    return loads(terminal.data)[dialect.answer]


def broken(surface: Surface, events: Iterable[SseEvent]) -> set[tuple[str, str]]:
    """The rules of the dialect that a stream breaks, and the types of the events that break them."""
    assert surface.check is not None
    return {(violation.rule, violation.type) for violation in surface.check(events).violations}


def broken_by_the_vendor(surface: Surface, vendor: str, scene: Scene) -> set[tuple[str, str]]:
    """What a vendor's own words break of its own dialect, whose clients are told them as they are."""
    if vendor != surface.default_provider:
        return set()
    recorded = next(r for r in OWN if r.vendor == vendor and r.path.name == f"{scene.name}.sse")
    return broken(surface, recorded.events())


def outline(walk: Iterable[Event]) -> object:
    """What an answer says, without the ids that differ each time."""
    tree = fold(walk)
    usage = tree.usage and (tree.usage.input, tree.usage.output, tree.usage.total)
    return tree.status, tree.finish and tree.finish.unified, usage, [outlined(item) for item in tree.items]


def outlined(item: ItemTree) -> object:
    """What an item says, but for what dialects may spell in a stream as they do not in a body.

    That is the blanks between arguments, the parts of a summary, and where a citation stands that cites no range.
    """
    texts = "\n\n".join(str(loads(p.text)) if p.kind == "arguments" else p.text for p in item.parts)
    spans = [getattr(cited, "span", None) for part in item.parts for cited in part.annotations]
    ranges = [span if span is not None and span.start < span.end else None for span in spans]
    return item.kind, item.name, item.status, [part.kind for part in item.parts[:1]], texts, ranges


@every_surface
@every_answer
async def test_a_stream_is_well_formed_and_ends_as_the_vendor_ended(
    client: httpx.AsyncClient, surface: Surface, vendor: str, scene: Scene
) -> None:
    dialect = DIALECTS[surface.dialect]
    answer = await ask(client, surface.paths[0], vendor, dialect.request(scene.name), stream=True)
    assert answer.status_code == 200
    events = parse(answer.content)
    assert broken(surface, events) <= broken_by_the_vendor(surface, vendor, scene)
    *_, terminal = events[: len(events) - len(dialect.after)]
    ended = (terminal.name.decode(), told(surface, events)["status"])
    assert ended == dialect.ends[SCENE_ENDS.get(scene.name, "completed")]
    assert tuple(events[len(events) - len(dialect.after) :]) == dialect.after


@every_surface
@every_answer
async def test_a_whole_answer_says_what_its_stream_says(
    client: httpx.AsyncClient, surface: Surface, vendor: str, scene: Scene
) -> None:
    dialect = DIALECTS[surface.dialect]
    request = dialect.request(scene.name)
    whole = await ask(client, surface.paths[0], vendor, request, stream=False)
    if scene.name == "cut":
        assert whole.status_code == 502
        assert whole.json()["error"].keys() == dialect.error
        return
    assert whole.status_code == 200
    assert whole.json()["status"] == dialect.ends[SCENE_ENDS.get(scene.name, "completed")][1]
    streamed = await ask(client, surface.paths[0], vendor, request, stream=True)
    codec = adapters.load(surface.default_provider).codec
    assert outline(codec.decode_response(whole.json())) == outline(decode(codec, parse(streamed.content)))


@every_surface
@pytest.mark.parametrize(("vendor", "scene"), REFUSED, ids=label)
@every_form
async def test_a_refusal_keeps_its_status_and_says_when_to_come_back(
    client: httpx.AsyncClient, surface: Surface, vendor: str, scene: Scene, stream: bool
) -> None:
    dialect = DIALECTS[surface.dialect]
    answer = await ask(client, surface.paths[0], vendor, dialect.request(scene.name), stream=stream)
    assert answer.status_code == scene.status
    assert int(answer.headers["retry-after"]) > 0
    assert answer.headers["content-type"] == "application/json"
    error = answer.json()["error"]
    if vendor == surface.default_provider:  # whose own words are repeated
        recorded = loads((adapters.ROOT / vendor / "sandbox" / f"{scene.name}.json").read_bytes())["error"]
        assert (error.keys(), error["code"]) == (recorded.keys(), recorded["code"])
    else:
        assert (error.keys(), error["code"]) == (dialect.error, dialect.limited)


@pytest.mark.parametrize(("surface", "path"), PATHS, ids=label)
@every_vendor
@every_form
async def test_every_path_of_a_dialect_answers(
    client: httpx.AsyncClient, surface: Surface, path: str, vendor: str, stream: bool
) -> None:
    answer = await ask(client, path, vendor, DIALECTS[surface.dialect].request("text"), stream=stream)
    body = told(surface, parse(answer.content)) if stream else answer.json()
    assert body["status"] == "completed"


@every_surface
@every_vendor
@every_form
async def test_a_word_that_a_vendor_lacks_is_reported_where_the_client_wrote_it(
    client: httpx.AsyncClient, surface: Surface, vendor: str, stream: bool
) -> None:
    dialect = DIALECTS[surface.dialect]
    answer = await ask(client, surface.paths[0], vendor, dialect.private, stream=stream)
    assert answer.status_code == 200
    body = told(surface, parse(answer.content)) if stream else answer.json()
    losses = [loss["path"] for loss in body.get("x_dragoman", {}).get("losses", [])]
    assert losses == ([] if vendor == surface.default_provider else [dialect.private_path])
    assert answer.headers.get("x-dragoman-losses", "") == ",".join(losses)


@pytest.mark.parametrize(("surface", "vendor"), FOREIGN, ids=label)
@every_form
async def test_an_answer_repeats_what_the_client_declared(
    client: httpx.AsyncClient, surface: Surface, vendor: str, stream: bool
) -> None:
    dialect = DIALECTS[surface.dialect]
    answer = await ask(client, surface.paths[0], vendor, {"input": "hello", **dialect.echoed}, stream=stream)
    body = told(surface, parse(answer.content)) if stream else answer.json()
    assert {name: body[name] for name in dialect.echoed} == dialect.echoed
