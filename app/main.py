"""The application: routes, middleware and lifespan."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from fastapi import FastAPI
from starlette.middleware import Middleware

from app.http.errors import Faces, exception_handlers
from app.http.middleware import Recorder
from app.routes.dialects import dialect_routes
from app.routes.docs import docs_routes
from app.routes.health import health_routes
from app.routes.models import model_routes
from app.settings import Settings
from app.silence import Silence
from app.wiring import wire


def create_app(settings: Settings) -> FastAPI:
    """The gateway as an ASGI application."""
    wiring = wire(settings)
    gateway = wiring.gateway
    faces = Faces(wiring.surfaces)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncGenerator[None]:
        yield
        await gateway.upstream.aclose()

    app = FastAPI(
        title="Dragoman",
        lifespan=lifespan,
        openapi_url=None,
        redirect_slashes=False,
        middleware=[Middleware(Recorder, faces=faces)],
        exception_handlers=exception_handlers(faces),
    )
    app.router.routes += dialect_routes(
        wiring.surfaces, gateway, max_body=settings.max_body_bytes, keepalive=Silence(settings.keepalive_seconds)
    )
    app.include_router(health_routes(gateway.router))
    app.include_router(model_routes(gateway.router))
    app.include_router(docs_routes(wiring.surfaces, tuple(gateway.router.vendors)))
    return app
