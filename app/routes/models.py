"""The models that clients may ask for, in the shape that SDKs list."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from fastapi import APIRouter
from starlette.responses import JSONResponse

from app.routing import Router


def model_routes(router: Router) -> APIRouter:
    """`/v1/models`: aliases, and the models of the vendors that the settings speak of."""
    routes = APIRouter()

    @routes.get("/v1/models")
    async def models() -> JSONResponse:  # pyright: ignore[reportUnusedFunction] - the decorator registers it
        return JSONResponse({"object": "list", "data": [_model(*listed) for listed in _listed(router)]})

    return routes


def _model(name: str, owner: str) -> dict[str, Any]:
    return {"id": name, "object": "model", "created": 0, "owned_by": owner}


def _listed(router: Router) -> Iterator[tuple[str, str]]:
    """Names that lead to their vendor as they stand: one that would not gets its prefix.

    Where no vendor is configured, clients bring their own keys, and all vendors are listed.
    """
    for alias, target in router.aliases.items():
        yield alias, target.partition("/")[0]
    configured = [vendor for vendor in router.vendors.values() if vendor.configured]
    for vendor in configured or router.vendors.values():
        for model in vendor.models:
            found = router.find(model)
            leads_home = found is not None and found[0] is vendor
            yield (model if leads_home else f"{vendor.name}/{model}"), vendor.name
