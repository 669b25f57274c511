"""What people and programs read of the gateway before they call it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib.metadata import PackageNotFoundError, version

from fastapi import APIRouter
from starlette.responses import HTMLResponse, JSONResponse

from adapters.hub.adapter import Surface
from app.openapi.document import Json, document
from app.openapi.page import page


def docs_routes(surfaces: Sequence[Surface], providers: Sequence[str]) -> APIRouter:
    """`/openapi.json` and `/docs`, which shows it. Made when they are first asked for."""
    routes = APIRouter()

    @cache
    def described() -> Json:
        return document(surfaces, providers, _version())

    @routes.get("/openapi.json")
    async def openapi() -> JSONResponse:  # pyright: ignore[reportUnusedFunction] - the decorator registers it
        return JSONResponse(described())

    @routes.get("/docs")
    async def docs() -> HTMLResponse:  # pyright: ignore[reportUnusedFunction] - the decorator registers it
        return HTMLResponse(page(described()))

    return routes


def _version() -> str:
    try:
        return version("dragoman")
    except PackageNotFoundError:
        return "0"
