"""Items that another vendor's tools made, told as steps of Gemini's."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from adapters.gemini.hosted import server_name
from adapters.gemini.tools import encode_function
from adapters.hub.errors import Unsupported
from adapters.hub.fields import Fields
from adapters.hub.losses import Ledger
from adapters.hub.request import FunctionTool, OpaqueItem
from adapters.hub.tags import short_id
from adapters.interactions.arguments import RAW_ARGUMENTS, arguments_of
from adapters.responses.input import split_data_url
from adapters.responses.request import decode_tool
from adapters.wire_json import Json, as_text, dumps


def encode_arguments(text: str, losses: Ledger, path: str) -> Json:
    """The arguments of a call as an object."""
    told = arguments_of(text)
    if told == {RAW_ARGUMENTS: text}:
        losses.note(f"{path}.arguments", f"Gemini takes an object only; the text goes as `{RAW_ARGUMENTS}`")
    return told


def encode_foreign(item: OpaqueItem, steps: list[Json], losses: Ledger, path: str) -> list[Json]:
    """The steps that come behind `steps`; none where all that the item says is told elsewhere."""
    found = _ENCODERS.get(item.kind)
    if found is None:
        raise Unsupported(f"Gemini cannot take an item '{item.kind}' as input.", param=path)
    encode, known = found
    fields = Fields(item.source.data, item.source.wire, path)
    fields.leave(_SAID | set(known.split()))
    for unread in fields.unread:
        losses.note(unread, "Gemini has no such field")
    return encode(fields, steps, losses)


def _id(fields: Fields) -> str:
    """An id of Gemini's own: another vendor's means nothing there."""
    return short_id("call_", fields.text("id") or fields.here, 0)


def _code(fields: Fields, _: list[Json], __: Ledger) -> list[Json]:
    id_, outputs = _id(fields), fields.objects("outputs")
    call: Json = {"type": "code_execution_call", "id": id_}
    call["arguments"] = {"code": fields.text("code") or "", "language": "python"}
    blocks = [_output(output) for output in outputs]
    texts = [block["text"] for block in blocks if block["type"] == "text"]
    told = "".join(texts) if len(texts) == len(blocks) else blocks
    failed = {"is_error": True} if fields.text("status") == "failed" else {}
    return [call, {"type": "code_execution_result", "call_id": id_, "result": told, **failed}]


def _output(fields: Fields) -> Json:
    if fields.needed_text("type") != "image":
        return {"type": "text", "text": fields.needed_text("logs")}
    url = fields.needed_text("url")
    if not url.startswith("data:"):
        return {"type": "image", "uri": url}
    mime_type, data = split_data_url(url, fields.path("url"))
    return {"type": "image", "data": data, "mime_type": mime_type or "image/png"}


def _mcp(fields: Fields, _: list[Json], losses: Ledger) -> list[Json]:
    id_ = _id(fields)
    called: Json = {"name": fields.needed_text("name"), "server_name": server_name(fields.needed_text("server_label"))}
    arguments = encode_arguments(fields.needed_text("arguments"), losses, fields.here)
    error, output = fields.raw.get("error"), fields.text("output")
    told = output if output is not None else error if isinstance(error, str) else dumps(error).decode() if error else ""
    return [
        {"type": "mcp_server_tool_call", "id": id_, **called, "arguments": arguments},
        {"type": "mcp_server_tool_result", "call_id": id_, **called, "result": told},
    ]


def _image(fields: Fields, _: list[Json], losses: Ledger) -> list[Json]:
    data = fields.text("result")
    if data is None:
        losses.note(fields.here, "an image without data is no image")
        return []
    mime_type = f"image/{fields.text('output_format') or 'png'}"
    return [{"type": "model_output", "content": [{"type": "image", "data": data, "mime_type": mime_type}]}]


def _tool_search(fields: Fields, _: list[Json], __: Ledger) -> list[Json]:
    return [{"type": "tool_search_call", "id": fields.text("call_id") or _id(fields), "arguments": {}}]


def _found_tools(fields: Fields, steps: list[Json], losses: Ledger) -> list[Json]:
    """The result of the last search, which is told what it asked for: another vendor asks in other words."""
    call = next((step for step in reversed(steps) if step.get("type") == "tool_search_call"), None)
    if call is None or any(step.get("call_id") == call["id"] for step in steps):
        losses.note(fields.here, "nobody asked for these tools")
        return []
    found: list[Json] = []
    for inner in fields.objects("tools"):
        tool = decode_tool(inner)
        if isinstance(tool, FunctionTool):
            found.append(encode_function(tool, losses))
        else:
            losses.note(inner.here, "Gemini's search for tools finds functions only")
    call["arguments"] = {"function_names": [as_text(tool.get("name")) for tool in found]}
    return [{"type": "tool_search_result", "call_id": call["id"], "result": found}]


def _heeded(_: Fields, __: list[Json], ___: Ledger) -> list[Json]:
    """What the request as a whole tells already."""
    return []


_SAID: Final = frozenset({"type", "id", "status", "x_dragoman"})
_ENCODERS: Final[dict[str, tuple[Callable[[Fields, list[Json], Ledger], list[Json]], str]]] = {
    "code_interpreter_call": (_code, "code outputs container_id"),
    "mcp_call": (_mcp, "server_label name arguments output error approval_request_id"),
    "image_generation_call": (_image, "result output_format"),
    "tool_search_call": (_tool_search, "call_id execution"),
    "tool_search_output": (_found_tools, "call_id execution tools"),
    "additional_tools": (_heeded, "role tools"),
    "configuration_update": (_heeded, "reasoning text"),
}
"""By the item's type, with the fields that are told, or that mean nothing elsewhere."""
