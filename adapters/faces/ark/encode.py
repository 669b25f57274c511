"""Any vendor's answer, written for a client of Ark."""

from __future__ import annotations

from adapters.faces.ark.stage import ArkStage
from adapters.faces.ark.words import WORDS
from adapters.hub import events as ev
from adapters.hub.adapter import Encoding
from adapters.responses.encode import ResponsesEncoder


class ArkEncoder(ResponsesEncoder):
    """The family's encoder in Ark's words, behind the stage that knows what Ark has no kinds for."""

    def __init__(self, encoding: Encoding) -> None:
        super().__init__(WORDS, encoding)
        self._stage = ArkStage(encoding)

    def feed(self, event: ev.Event, /) -> list[bytes]:
        """The frames of one event; [] for all of a non-stream answer."""
        if self._stage.idle and type(event) is ev.Delta:
            return super().feed(event)
        if type(event) is ev.Ended and (left := self._stage.left()):
            self.ride(left)
        return [frame for told in self._stage.feed(event) for frame in super(ArkEncoder, self).feed(told)]
