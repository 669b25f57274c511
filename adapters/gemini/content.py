"""Images and files as Gemini's content blocks."""

from __future__ import annotations

from adapters.hub.errors import BadRequest, Unsupported
from adapters.hub.losses import Ledger
from adapters.hub.request import MediaPart
from adapters.wire_json import Json

_RESOLUTIONS = {"low": "low", "high": "high", "original": "ultra_high"}
"""By `detail`; auto is what Gemini does unasked."""

_MIME_TYPES = {
    "pdf": "application/pdf",
    "csv": "text/csv",
    "txt": "text/plain",
    "md": "text/markdown",
    "html": "text/html",
    "json": "application/json",
    "doc": "application/msword",
    "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "xls": "application/vnd.ms-excel",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "ppt": "application/vnd.ms-powerpoint",
    "pptx": "application/vnd.openxmlformats-officedocument.presentationml.presentation",
    "png": "image/png",
    "jpg": "image/jpeg",
    "jpeg": "image/jpeg",
    "webp": "image/webp",
    "mp3": "audio/mpeg",
    "wav": "audio/wav",
    "mp4": "video/mp4",
}
"""By the ending of a file's name, where nobody said the type."""


def encode_media(part: MediaPart, losses: Ledger, path: str) -> Json:
    """Give the block. Raises `Unsupported` for another vendor's file, `BadRequest` for data of unknown type."""
    if part.data is None and part.url is None:
        raise Unsupported("Gemini does not know this file: send its data or a URL.", param=f"{path}.file_id")
    mime_type = part.mime_type or _by_name(part.name) or _by_name(part.url)
    if mime_type is None and part.media != "image" and part.data is not None:
        raise BadRequest(
            "The file's type is unknown: send a data URL that names it, or a filename with an ending.", param=path
        )
    if part.name is not None:
        losses.note(f"{path}.filename", "Gemini's documents have no names")
    block: Json = {"type": _block_type(part, mime_type)}
    block |= {"data": part.data} if part.data is not None else {"uri": part.url}
    if mime_type is not None:
        block["mime_type"] = mime_type
    resolution = _RESOLUTIONS.get(part.detail or "")
    return {**block, "resolution": resolution} if resolution is not None else block


def _block_type(part: MediaPart, mime_type: str | None) -> str:
    if part.media != "file":
        return part.media
    family = (mime_type or "").partition("/")[0]
    return family if family in ("image", "audio", "video") else "document"


def _by_name(name: str | None) -> str | None:
    """The type that the ending of a name or of a URL's path tells."""
    path = (name or "").partition("?")[0].partition("#")[0]
    return _MIME_TYPES.get(path.rpartition(".")[2].lower())
