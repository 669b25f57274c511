"""The document as one page of HTML that needs nothing else: no script, no other host."""

from __future__ import annotations

import json
from collections.abc import Iterator
from html import escape
from typing import Any

Json = dict[str, Any]

_STYLE = """
:root { color-scheme: light dark; --line: #8884; --soft: #8881; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
h2 { margin-top: 3rem; border-bottom: 1px solid var(--line); }
h3 { font: 600 1rem ui-monospace, monospace; margin-top: 2rem; overflow-wrap: anywhere; }
table { border-collapse: collapse; width: 100%; }
td, th { text-align: left; vertical-align: top; padding: .25rem .75rem .25rem 0; border-bottom: 1px solid var(--line); }
code, pre { font: .85rem/1.45 ui-monospace, monospace; }
pre { background: var(--soft); padding: .75rem; overflow: auto; max-height: 30rem; border-radius: .4rem; }
summary { cursor: pointer; padding: .2rem 0; }
"""


def page(document: Json) -> str:
    """The whole page."""
    info = document["info"]
    title = escape(info["title"])
    return "".join(
        [
            '<!doctype html><html lang="en"><meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width">',
            f"<title>{title}</title><style>{_STYLE}</style>",
            f"<h1>{title} <small>{escape(info['version'])}</small></h1><p>{_prose(info['description'])}</p>",
            '<p>For programs: <a href="openapi.json">openapi.json</a></p>',
            *_sections(document),
            "</html>",
        ]
    )


def _sections(document: Json) -> Iterator[str]:
    for tag in document["tags"]:
        yield f"<h2>{escape(tag['name'])}</h2>"
        shown: Json | None = None  # the paths of a dialect are one operation
        for path, methods in document["paths"].items():
            for method, operation in methods.items():
                if tag["name"] not in operation["tags"]:
                    continue
                yield f"<h3>{method.upper()} {escape(path)}</h3>"
                if shown is None or shown["summary"] != operation["summary"]:
                    yield from _operation(document, operation)
                shown = operation


def _operation(document: Json, operation: Json) -> Iterator[str]:
    yield f"<p>{_prose(operation['summary'])}</p>"
    if keys := [_key(document, name) for choice in operation["security"] for name in choice]:
        yield f"<p>The client's key: {', '.join(keys)}</p>"
    parameters = [_resolve(document, parameter) for parameter in operation.get("parameters", ())]
    yield from _table([parameter for parameter in parameters if parameter["in"] == "header"])
    if body := operation.get("requestBody"):
        yield from _contents("Request", body["content"])
    for status, answer in operation["responses"].items():
        yield from _contents(f"{status}: {answer['description']}", answer["content"], answer.get("headers", {}))


def _key(document: Json, name: str) -> str:
    """Where a client puts its key."""
    scheme = document["components"]["securitySchemes"][name]
    if scheme["type"] == "http":
        return f"<code>Authorization: {escape(scheme['scheme'].title())}</code>"
    place = {"header": "{}", "query": "?{}="}[scheme["in"]]
    return f"<code>{escape(place.format(scheme['name']))}</code>"


def _contents(title: str, contents: Json, headers: Json | None = None) -> Iterator[str]:
    yield f"<details><summary>{_prose(title)}</summary>"
    if headers:
        yield f"<p>Headers: {', '.join(f'<code>{escape(name)}</code>' for name in headers)}</p>"
    for kind, content in contents.items():
        yield f"<p><code>{escape(kind)}</code></p><pre>{escape(_spell(content['example']))}</pre>"
    yield "</details>"


def _table(headers: list[Json]) -> Iterator[str]:
    if headers:
        yield "<table><tr><th>request header</th><th>values</th><th></th></tr>"
        for header in headers:
            values, about = escape(_values(header["schema"])), _prose(header["description"])
            yield f"<tr><td><code>{escape(header['name'])}</code></td><td>{values}</td><td>{about}</td></tr>"
        yield "</table>"


def _values(schema: Json) -> str:
    words = (f"{word} (default)" if word == schema.get("default") else word for word in schema.get("enum", ()))
    return ", ".join(words)


def _prose(text: str) -> str:
    """Plain words, with what stands between back quotes as code."""
    pieces = escape(text).split("`")
    return "".join(f"<code>{piece}</code>" if number % 2 else piece for number, piece in enumerate(pieces))


def _spell(example: Any) -> str:
    return example if isinstance(example, str) else json.dumps(example, indent=2, ensure_ascii=False)


def _resolve(document: Json, value: Json) -> Json:
    """The thing itself, where `value` only says where it stands."""
    for step in value.get("$ref", "#").split("/")[1:]:
        document = document[step]
        value = document
    return value
