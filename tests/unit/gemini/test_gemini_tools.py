"""Hosted tools and the choice among tools: what Gemini is given, what is lost, what is refused."""

from __future__ import annotations

from typing import Any

import pytest

from adapters.hub.errors import BadRequest, Unsupported

Json = dict[str, Any]
IMAGE_MODEL = "gemini-3-pro-image"
STORES = {"vs_1": "fileSearchStores/one"}


def request(model: str = "gemini-x", **fields: Any) -> Json:
    return {"model": model, "input": "hi", **fields}


def mcp(**fields: Any) -> Json:
    return {"type": "mcp", "server_label": "wiki", "server_url": "https://m", "require_approval": "never", **fields}


WIKI: Json = {"type": "mcp_server", "name": "wiki", "url": "https://m"}
SEARCH: Json = {"type": "google_search"}

# the client's tool, Gemini's, and the fields that are lost
TOOLS: dict[str, tuple[Json, Json, list[str]]] = {
    "search": (
        {"type": "web_search", "user_location": {"type": "approximate"}, "filters": {}, "search_context_size": "low"},
        SEARCH,
        ["user_location", "search_context_size"],
    ),
    "search, offline": (
        {"type": "web_search_2025_08_26", "external_web_access": False},
        SEARCH,
        ["external_web_access"],
    ),
    "search of pictures": (
        {"type": "web_search_preview", "search_content_types": ["text", "image"]},
        {"type": "google_search", "search_types": ["web_search", "image_search"]},
        [],
    ),
    "code": ({"type": "code_interpreter", "container": {"type": "auto"}}, {"type": "code_execution"}, []),
    "code with limits": (
        {
            "type": "code_interpreter",
            "container": {"type": "auto", "memory_limit": "4g", "network_policy": {"type": "disabled"}, "file_ids": []},
        },
        {"type": "code_execution"},
        ["container.memory_limit"],
    ),
    "mcp": (mcp(), WIKI, []),
    "mcp with everything": (
        mcp(
            server_label="my-wiki", headers={"a": "b", "authorization": "x"}, authorization="t", defer_loading=True,
            allowed_tools=["ask", "tell"], server_description="d", allowed_callers=["direct"],
        ),
        {
            "type": "mcp_server", "name": "my_wiki", "url": "https://m", "defer_loading": True,
            "headers": {"a": "b", "Authorization": "Bearer t"}, "allowed_tools": [{"tools": ["ask", "tell"]}],
        },
        ["server_description", "server_label"],
    ),
    "mcp with a filter": (
        mcp(headers={"Authorization": "own"}, allowed_tools={"tool_names": ["ask"], "read_only": False}),
        {**WIKI, "headers": {"Authorization": "own"}, "allowed_tools": [{"tools": ["ask"]}]},
        [],
    ),
    "files": (
        {"type": "file_search", "vector_store_ids": ["vs_1", "fileSearchStores/own"], "max_num_results": 5,
         "ranking_options": {"ranker": "auto"}},
        {
            "type": "file_search", "top_k": 5,
            "file_search_store_names": ["fileSearchStores/one", "fileSearchStores/own"],
        },
        ["ranking_options"],
    ),
    "tool search": ({"type": "tool_search", "execution": "server"}, {"type": "tool_search", "execution": "server"}, []),
}  # fmt: skip


@pytest.mark.parametrize("name", TOOLS)
def test_tools(name: str, send: Any) -> None:
    tool, told, lost = TOOLS[name]
    body, losses = send(request(tools=[tool]), STORES)
    assert body["tools"] == [told]
    assert list(losses) == [f"tools[0].{field}" for field in lost]


@pytest.mark.parametrize("name", TOOLS)
def test_the_vendors_own_models_take_the_tools(name: str, send: Any) -> None:
    from google.genai._gaos.types.interactions.createmodelinteraction import CreateModelInteraction

    body, _ = send(request(tools=[TOOLS[name][0]]), STORES)
    taken = CreateModelInteraction.model_validate(body).model_dump(mode="json", by_alias=True, exclude_none=True)
    assert taken["tools"] == body["tools"]


def compare(type_: str, key: str, value: Any) -> Json:
    return {"type": type_, "key": key, "value": value}


FILTERS: list[tuple[Json, str]] = [
    (compare("eq", "author", 'Robert "Bob"'), r'author = "Robert \"Bob\""'),
    (compare("gte", "year", 1934), "year >= 1934"),
    (compare("ne", "draft", True), "draft != true"),
    (compare("in", "k", ["a", 1.5]), '(k = "a" OR k = 1.5)'),
    (compare("nin", "k", ["a", "b"]), '(k != "a" AND k != "b")'),
    (
        {"type": "and", "filters": [compare("lt", "a.b", 1), {"type": "or", "filters": [compare("eq", "c", 2)]}]},
        "(a.b < 1 AND (c = 2))",
    ),
]


@pytest.mark.parametrize(("wanted", "told"), FILTERS)
def test_filters(wanted: Json, told: str, send: Any) -> None:
    tool = {"type": "file_search", "vector_store_ids": ["vs_1"], "filters": wanted}
    assert send(request(tools=[tool]), STORES)[0]["tools"][0]["metadata_filter"] == told


def nested(levels: int) -> Json:
    inner = compare("eq", "k", 1)
    for _ in range(levels):
        inner = {"type": "or", "filters": [inner]}
    return inner


def files(**fields: Any) -> Json:
    return {"type": "file_search", "vector_store_ids": ["vs_1"], **fields}


def code(container: Any) -> Json:
    return {"type": "code_interpreter", "container": container}


REFUSED: list[tuple[Json, type[BadRequest], str]] = [
    (code("cntr_1"), Unsupported, "container"),
    (code({"type": "auto", "file_ids": ["f"]}), Unsupported, "container.file_ids"),
    (code(7), BadRequest, "container"),
    (mcp(require_approval=None), Unsupported, "require_approval"),
    (mcp(require_approval="always"), Unsupported, "require_approval"),
    (mcp(require_approval={"never": {"tool_names": ["ask"]}}), Unsupported, "require_approval"),
    (mcp(connector_id="connector_gmail"), Unsupported, "connector_id"),
    (mcp(tunnel_id="t"), Unsupported, "tunnel_id"),
    (mcp(server_url=None), BadRequest, "server_url"),
    (mcp(allowed_tools={"read_only": True}), Unsupported, "allowed_tools.read_only"),
    (mcp(allowed_tools="ask"), BadRequest, "allowed_tools"),
    (mcp(headers=[]), BadRequest, "headers"),
    (files(vector_store_ids=["vs_1", "vs_2"]), Unsupported, "vector_store_ids[1]"),
    (files(vector_store_ids=[]), BadRequest, "vector_store_ids"),
    (files(vector_store_ids=[1]), BadRequest, "vector_store_ids[0]"),
    (files(filters=compare("eq", "a-b", 1)), Unsupported, "filters.key"),
    (files(filters=compare("like", "a", 1)), BadRequest, "filters.type"),
    (files(filters=compare("eq", "a", None)), BadRequest, "filters.value"),
    (files(filters=compare("in", "a", [])), BadRequest, "filters.value"),
    (files(filters={"type": "and", "filters": []}), BadRequest, "filters.filters"),
    (files(filters=nested(30)), BadRequest, "filters" + ".filters[0]" * 20),
    ({"type": "tool_search", "execution": "client"}, Unsupported, "execution"),
    ({"type": "image_generation"}, Unsupported, ""),
    ({"type": "computer"}, Unsupported, ""),
    ({"type": "computer_use_preview"}, Unsupported, ""),
    ({"type": "programmatic_tool_calling"}, Unsupported, ""),
    ({"type": "tool_of_tomorrow"}, Unsupported, ""),
    ({"type": "shell", "environment": {"type": "container_auto"}}, Unsupported, "environment.type"),
]


@pytest.mark.parametrize(("tool", "error", "field"), REFUSED)
def test_tools_that_are_refused(tool: Json, error: type[BadRequest], field: str, send: Any) -> None:
    with pytest.raises(error) as caught:
        send(request(tools=[tool]), STORES)
    assert caught.value.param == (f"tools[0].{field}" if field else "tools[0]")


# -- images ------------------------------------------------------------------------------------

IMAGES: dict[str, tuple[Json, Json, list[str]]] = {
    "an image": ({}, {"type": "image"}, []),
    "in a size": (
        {"size": "1536x1024", "output_format": "jpeg"},
        {"type": "image", "aspect_ratio": "3:2", "image_size": "1K", "mime_type": "image/jpeg"},
        [],
    ),
    "as the model makes it": (
        {"size": "auto", "quality": "auto", "output_format": "png", "partial_images": 0},
        {"type": "image"},
        [],
    ),
    "in its own terms": (
        {"size": "1x1", "output_format": "webp", "quality": "high", "background": "transparent", "partial_images": 2},
        {"type": "image"},
        ["quality", "background", "partial_images", "size", "output_format"],
    ),
}


@pytest.mark.parametrize("name", IMAGES)
def test_images(name: str, send: Any) -> None:
    fields, form, lost = IMAGES[name]
    body, losses = send(request(IMAGE_MODEL, tools=[{"type": "image_generation", **fields}]))
    assert (body["response_format"], body["response_modalities"]) == (form, ["text", "image"])
    assert "tools" not in body
    assert list(losses) == [f"tools[0].{field}" for field in lost]


def test_an_image_beside_json_and_tools(send: Any) -> None:
    tools = [{"type": "image_generation"}, {"type": "web_search"}]
    body, _ = send(request(IMAGE_MODEL, tools=tools, text={"format": {"type": "json_object"}}))
    assert body["response_format"] == [{"type": "text", "mime_type": "application/json"}, {"type": "image"}]
    assert body["tools"] == [SEARCH]


def test_an_image_with_a_mask_is_refused(send: Any) -> None:
    with pytest.raises(Unsupported) as caught:
        send(request(IMAGE_MODEL, tools=[{"type": "image_generation", "input_image_mask": {"image_url": "u"}}]))
    assert caught.value.param == "tools[0].input_image_mask"


# -- the choice --------------------------------------------------------------------------------

F: Json = {"type": "function", "name": "f", "parameters": {"type": "object"}, "strict": False}
G: Json = {**F, "name": "g"}
TOLD = {"f": {"type": "function", "name": "f", "parameters": {"type": "object"}}}
TOLD["g"] = {**TOLD["f"], "name": "g"}
ALL = [F, G, {"type": "web_search"}, mcp(), mcp(server_label="docs"), {"type": "custom", "name": "sql"}]


def allowed(mode: str, *tools: Json) -> Json:
    return {"type": "allowed_tools", "mode": mode, "tools": list(tools)}


def named(mode: str, *names: str) -> Json:
    return {"allowed_tools": {"mode": mode, "tools": list(names)}}


# the choice, what is sent of it, the tools that are sent, whether it is reported
CHOICES: dict[str, tuple[Any, Any, list[str], bool]] = {
    "nothing": (None, None, ["f", "g", "google_search", "wiki", "docs", "sql"], False),
    "auto": ("auto", "auto", ["f", "g", "google_search", "wiki", "docs", "sql"], False),
    "required": ("required", "any", ["f", "g", "google_search", "wiki", "docs", "sql"], False),
    "none": ("none", "none", ["f", "g", "sql"], False),
    "a function": ({"type": "function", "name": "f"}, named("any", "f"), ["f", "g", "sql"], False),
    "a custom tool": ({"type": "custom", "name": "sql"}, named("any", "sql"), ["f", "g", "sql"], False),
    "functions": (allowed("auto", {"type": "function", "name": "g"}), named("auto", "g"), ["f", "g", "sql"], False),
    "a function and a search": (
        allowed("required", {"type": "function", "name": "f"}, {"type": "web_search"}),
        named("any", "f"),
        ["f", "g", "google_search", "sql"],
        False,
    ),
    "hosted tools": (
        allowed("auto", {"type": "web_search_preview"}, {"type": "mcp", "server_label": "docs"}),
        None,
        ["google_search", "docs"],
        False,
    ),
    "a search": ({"type": "web_search_preview"}, None, ["google_search"], True),
    "a server": ({"type": "mcp", "server_label": "docs"}, None, ["docs"], True),
}


@pytest.mark.parametrize("name", CHOICES)
def test_choices(name: str, send: Any) -> None:
    choice, said, tools, reported = CHOICES[name]
    body, losses = send(request(tools=ALL, tool_choice=choice))
    assert body.get("generation_config", {}).get("tool_choice") == said
    assert [tool.get("name", tool["type"]) for tool in body["tools"]] == tools
    assert ("tool_choice" in losses) is reported


def test_one_tool_of_a_server(send: Any) -> None:
    choice = {"type": "mcp", "server_label": "wiki", "name": "ask"}
    assert send(request(tools=ALL, tool_choice=choice))[0]["tools"] == [{**WIKI, "allowed_tools": [{"tools": ["ask"]}]}]


def test_an_image_and_nothing_else(send: Any) -> None:
    tools = [{"type": "image_generation"}, {"type": "web_search"}]
    body, _ = send(request(IMAGE_MODEL, tools=tools, tool_choice={"type": "image_generation"}))
    assert body["response_modalities"] == ["image"]
    assert "tools" not in body
    assert "generation_config" not in body


WRONG_CHOICES: list[tuple[Json, type[BadRequest]]] = [
    ({"type": "file_search"}, BadRequest),
    ({"type": "mcp", "server_label": "nobody"}, BadRequest),
    ({"type": "function", "name": "nobody"}, BadRequest),
    (allowed("auto", {"type": "function", "name": "f"}, {"type": "function", "name": "nobody"}), BadRequest),
    (allowed("auto", {"type": "code_interpreter"}), BadRequest),
    ({"type": "computer"}, Unsupported),
    ({"type": "programmatic_tool_calling"}, Unsupported),
    ({"type": "choice_of_tomorrow"}, Unsupported),
]


@pytest.mark.parametrize(("choice", "error"), WRONG_CHOICES)
def test_choices_that_are_refused(choice: Json, error: type[BadRequest], send: Any) -> None:
    with pytest.raises(error) as caught:
        send(request(tools=[F, {"type": "web_search"}], tool_choice=choice))
    assert caught.value.param == "tool_choice"


def test_a_tool_that_may_not_be_used_is_not_looked_at(send: Any) -> None:
    body, losses = send(request(tools=[F, {"type": "computer"}], tool_choice={"type": "function", "name": "f"}))
    assert body["tools"] == [TOLD["f"]]
    assert losses == {}
