"""Whether the gateway lives, and whether it can do its work."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.responses import JSONResponse

from app.routing import Router


def health_routes(router: Router) -> APIRouter:
    """`/healthz` and `/readyz`."""
    routes = APIRouter()

    @routes.get("/healthz")
    async def healthz() -> JSONResponse:  # pyright: ignore[reportUnusedFunction] - the decorator registers it
        return JSONResponse({"status": "ok"})

    @routes.get("/readyz")
    async def readyz() -> JSONResponse:  # pyright: ignore[reportUnusedFunction] - the decorator registers it
        """Ready when a vendor can be called; `keys` says whose key each one takes."""
        keys = {name: "gateway" if vendor.key is not None else "client" for name, vendor in router.vendors.items()}
        return JSONResponse({"status": "ready" if keys else "no vendor", "keys": keys}, 200 if keys else 503)

    return routes
