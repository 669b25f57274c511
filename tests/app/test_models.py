"""`GET /v1/models`: what clients may ask for, and names that lead to the vendor they are listed under."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from app.main import create_app
from app.routing import build_router
from app.settings import Settings
from tests.app.stub import SURFACE

pytestmark = pytest.mark.usefixtures("stub_vendors")


async def listed(settings: Settings) -> list[dict[str, Any]]:
    transport = httpx.ASGITransport(create_app(settings))
    async with httpx.AsyncClient(transport=transport, base_url="http://gateway") as client:
        answer = await client.get("/v1/models")
    assert answer.status_code == 200
    return answer.json()["data"]


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({}, ["other-1", "other-2", "stub-1", "stub-2"]),
        ({"models": {"fast": "other/m"}, "upstreams": {"stub": {"api_key": "k"}}}, ["fast", "stub-1", "stub-2"]),
        ({"upstreams": {"stub": {"models": ["house-made", "o1"]}}}, ["stub/house-made", "stub/o1", "stub-1", "stub-2"]),
    ],
)
async def test_every_name_leads_to_its_vendor(given: dict[str, Any], expected: list[str]) -> None:
    settings = Settings.model_validate(given)
    models = await listed(settings)
    assert [model["id"] for model in models] == expected
    router = build_router(settings)
    assert [router.route(SURFACE, model["id"], {}).vendor.name for model in models] == [
        model["owned_by"] for model in models
    ]
