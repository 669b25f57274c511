"""The corpus itself: the laws run over something, and over the recordings of real vendors where these are."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.laws.corpus import ANSWERS, NO_ANSWERS, OWN, REFUSALS, STREAMS, VENDORS


@pytest.mark.parametrize("vendor", VENDORS)
def test_the_project_has_recordings_of_its_own(vendor: str) -> None:
    own = [recording for recording in OWN if recording.vendor == vendor]
    assert sum(recording.streamed for recording in own) >= 10
    assert sum(not recording.streamed for recording in own) >= 10


def test_the_laws_run_over_every_recording_of_a_real_vendor(shared: Path) -> None:
    folders = [path for path in (shared / "recordings").glob("*/*") if path.is_dir()]
    there = {path.name for path in folders if path.parent.name.endswith(("-responses", "-interactions"))}
    read = {recording.name for recording in (*STREAMS, *ANSWERS, *REFUSALS)} | NO_ANSWERS.keys()
    assert there == {name for name in read if not name.startswith("sandbox-")}
