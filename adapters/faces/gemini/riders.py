"""What has no step of its own and rides with another's: items of vendors that the dialect has no word for."""

from __future__ import annotations

from adapters.hub.adapter import Encoding
from adapters.hub.kept import Kept
from adapters.responses.annotations import EXTENSION
from adapters.wire_json import Json, as_list, as_object


class Riders:
    """The items that wait for a step to ride with."""

    def __init__(self, encoding: Encoding) -> None:
        self._losses = encoding.losses
        self._rich = encoding.fidelity != "strict"
        self._waiting: list[Json] = []

    def add(self, said: Kept, kind: str, path: str) -> None:
        """One more item, as its vendor said it."""
        if self._rich:
            self._waiting.append({"v": said.wire, "raw": said.data})
        else:
            self._losses.note(path, f"no step for {kind}")

    def board(self) -> Json:
        """Those that ride with the next step, as its extension names them."""
        waiting, self._waiting = self._waiting, []
        return {"before": waiting} if waiting else {}

    def leave(self, steps: list[Json]) -> bool:
        """Let those that no step follows ride with the last one; whether there were any."""
        if not self._waiting or not steps:
            return False
        said = as_object(steps[-1].get(EXTENSION)) or {"v": self._waiting[0]["v"]}
        steps[-1] = {**steps[-1], EXTENSION: {**said, "after": [*as_list(said.get("after")), *self._waiting]}}
        self._waiting = []
        return True

    def homeless(self) -> Json:
        """Those of an answer without a step: they stand with the answer, and do not come back."""
        for rider in self._waiting:
            self._losses.note("steps", f"no step for {as_object(rider['raw']).get('type')}")
        return {"v": self._waiting[0]["v"], "items": [rider["raw"] for rider in self._waiting]} if self._waiting else {}
