"""Words of a Responses request that have a word of Gemini's own, and what is lost with it."""

from __future__ import annotations

from typing import Final

from adapters.hub.coverage import approximated, dropped
from adapters.hub.words import Word

EFFORTS: Final = {
    "none": Word("minimal", approximated("Gemini's nearest to none is minimal: thinking cannot be turned off")),
    **{effort: Word(effort) for effort in ("minimal", "low", "medium", "high", "xhigh")},
    "max": Word("xhigh", approximated("Gemini's nearest to max is xhigh")),
}

_OF_ITS_OWN_LENGTH = approximated("Gemini decides itself how long a summary is")
SUMMARIES: Final = {
    "auto": Word("auto"),
    "concise": Word("auto", _OF_ITS_OWN_LENGTH),
    "detailed": Word("auto", _OF_ITS_OWN_LENGTH),
}

_FASTEST = approximated("Gemini's fastest tier is priority")
TIERS: Final = {
    "auto": Word(None),
    "default": Word("standard"),
    "flex": Word("flex"),
    "priority": Word("priority"),
    "fast": Word("priority", _FASTEST),
    "ultrafast": Word("priority", _FASTEST),
    "scale": Word(None, dropped("Gemini has no such service tier")),
}

DETAILS: Final = {
    "auto": Word(None),
    "low": Word("low"),
    "high": Word("high"),
    "original": Word("ultra_high", approximated("Gemini's finest resolution is ultra_high")),
}
