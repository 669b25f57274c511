"""A program of each dialect, which gets answers and sends them back."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.laws.corpus import FACES
from tests.laws.sdk import Program, program


@pytest.fixture(scope="module", params=FACES)
def face(request: pytest.FixtureRequest) -> str:
    """The dialect that it speaks."""
    return request.param


@pytest.fixture(scope="module")
def sdk(face: str) -> Iterator[Program]:
    """The program."""
    with program(face) as found:
        yield found
