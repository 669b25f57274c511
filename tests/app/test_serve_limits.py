"""What `dragoman serve` asks of the system and of its server."""

from __future__ import annotations

import resource

import pytest

from app.commands import serve
from app.settings import Settings


def test_a_system_that_grants_no_more_files_is_served_with_what_there_is(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise ValueError("current limit exceeds maximum limit")

    monkeypatch.setattr(resource, "getrlimit", lambda _: (256, resource.RLIM_INFINITY))  # pyright: ignore[reportUnknownLambdaType, reportUnknownArgumentType]
    monkeypatch.setattr(resource, "setrlimit", refuse)
    serve._lift_file_limit()  # pyright: ignore[reportPrivateUsage]


@pytest.mark.parametrize(("seconds", "whole"), [(0.5, 1), (8, 8), (8.2, 8)])
def test_answers_get_the_time_that_is_set_in_whole_seconds_but_never_none(seconds: float, whole: int) -> None:
    config = serve._server_config(None, Settings(shutdown_seconds=seconds))  # pyright: ignore[reportPrivateUsage]
    assert config.timeout_graceful_shutdown == whole
