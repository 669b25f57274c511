"""Media types by the endings of names: what a file is where nobody said it."""

from __future__ import annotations

from typing import Final

_TYPES: Final = {
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


def type_by_name(name: str | None) -> str | None:
    """The type that the ending of a name, or of a URL's path, tells."""
    path = (name or "").partition("?")[0].partition("#")[0]
    return _TYPES.get(path.rpartition(".")[2].lower())


def ending_of(mime_type: str | None) -> str | None:
    """The ending of a name that tells the type."""
    return next((ending for ending, known in _TYPES.items() if known == mime_type), None)
