"""Parts of a request in the family's words, for members that are not sent the client's own."""

from __future__ import annotations

from adapters.hub.request import MediaPart, OutputFormat
from adapters.wire_json import Json


def encode_media(part: MediaPart) -> Json | None:
    """An image or a file by its data or its address; None where it has only a vendor's id."""
    if part.data is None and part.url is None:
        return None
    if part.media == "image":
        data = f"data:{part.mime_type or ''};base64,{part.data}"
        return {"type": "input_image", "image_url": data if part.data is not None else part.url}
    name: Json = {"filename": part.name} if part.name is not None else {}
    if part.data is None:
        return {"type": "input_file", "file_url": part.url, **name}
    data = f"data:{part.mime_type};base64,{part.data}" if part.mime_type else part.data
    return {"type": "input_file", "file_data": data, **name}


def encode_format(output: OutputFormat) -> Json:
    """The form of an answer, as `text.format` names it."""
    if output.kind != "json_schema":
        return {"type": output.kind}
    described = {"name": output.name, "schema": output.schema, "strict": output.strict}
    said = {"type": output.kind, **described, "description": output.description}
    return {key: value for key, value in said.items() if value is not None}
