"""Three jobs that people give to their clients, and what must come of each, vendor by vendor.

A client here is a program as its users write it: it reads citations, runs tools and gets typed answers through its own
interface, and says what came of it in the terms of this file.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Literal, NamedTuple, Protocol

from pydantic import BaseModel

VENDORS = ("openai", "gemini", "ark")

CITE = "Plan a day in Tokyo and cite your sources."
WEATHER = "Compare the weather in Tokyo and in Zürich."
PLACE = "Describe Tokyo as a place."


class Citation(NamedTuple):
    """A cited URL, the text before the citation, and the text that it spans: both cut by the client's own indexes.

    The texts are None from a client that tells what is cited, not where.
    """

    url: str
    before: str | None = None
    passage: str | None = None


class Cited(NamedTuple):
    """An answer with its web citations, None from a client that shows none; those of files are not looked at."""

    text: str
    citations: list[Citation] | None


class Told(NamedTuple):
    """The cities that a tool was called with, in order, and what was said of its results."""

    cities: list[str]
    text: str


class Place(BaseModel):
    """The form of the structured answer."""

    city: str
    country: str
    landmarks: list[str]


Cites = Literal["places", "given places", "sources", "nothing"]


class Client(Protocol):
    """One client, pointed at one vendor."""

    async def cite(self) -> Cited: ...

    async def weather(self) -> Told:
        """The answer to WEATHER, with a function `get_weather` that the model may call."""
        ...

    async def place(self) -> Place: ...


class Station(NamedTuple):
    """Where the gateway is, whom to ask through it, and whether to read events or one body.

    `cites` is what the client shows of citations: their places in the text, only the places that the vendor has given,
    the sources alone, or nothing.
    """

    origin: str
    vendor: str
    streams: bool
    cites: Cites = "places"

    @property
    def headers(self) -> dict[str, str]:
        return {"x-provider": self.vendor}

    @property
    def openai_settings(self) -> dict[str, Any]:
        """How a client of the openai SDK is made."""
        return {"base_url": f"{self.origin}/v1", "api_key": "none", "default_headers": self.headers}


def report(city: str) -> str:
    """What the tool `get_weather` answers."""
    return f"{city}: sunny, 21 °C"


def cut(text: str, spans: Iterable[tuple[str, int, int]]) -> Cited:
    """Cut `text` by (URL, start, end) in code points, as Python counts."""
    return Cited(text, [Citation(url, text[:start], text[start:end]) for url, start, end in spans])


_SENSOJI = "東京 🗼 を歩くなら、まず浅草寺へ。"
_MARKER = "([sensoji.example](https://sensoji.example/visit?utm_source=openai))"
_ARK_FIRST = "东京 🗼 的第一站是浅草寺"
_ARK_ALL = f"{_ARK_FIRST}。池边的茶屋 🍵 九点开门，带上雨伞 ☔ 也无妨。"

CITATIONS: Mapping[str, list[Citation]] = {
    "openai": [Citation("https://sensoji.example/visit?utm_source=openai", f"{_SENSOJI} ", _MARKER)],
    "gemini": [
        Citation("https://grounding.example/redirect/AAsensoji", "", _SENSOJI),
        Citation("https://grounding.example/redirect/AAguide", "", _SENSOJI),
        Citation("https://maps.example/?cid=77", _SENSOJI, "The teahouse 🍵 by the pond opens at nine."),
    ],
    # Ark says of no citation where it belongs. In a stream each stands where it arrived; a whole answer knows of no
    # place but the end of the text.
    "ark": [
        Citation("https://sensoji.example/visit", _ARK_FIRST, ""),
        Citation("https://rain.example/tokyo", _ARK_ALL, ""),
    ],
}

TEXT_END = {
    "openai": "and the route map is attached 🧭.",
    "gemini": "“Welcome, いらっしゃいませ 🙂”, says the guide.",
    "ark": "带上雨伞 ☔ 也无妨。",
}

ENGLISH = Told(["東京", "Zürich"], "東京 has 21 °C and sun ☀️; Zürich has 9 °C and rain 🌧️.")
TOLD = {
    "openai": ENGLISH,
    "gemini": ENGLISH,
    "ark": Told(["东京", "Zürich"], "东京 21 °C，晴 ☀️；Zürich 9 °C，有雨 🌧️。"),
}

TOKYO = Place(city="東京", country="Japan", landmarks=["東京タワー 🗼", "浅草寺 ⛩️"])


async def check_cite(client: Client, station: Station) -> None:
    cited = await client.cite()
    assert cited.text.endswith(TEXT_END[station.vendor])
    assert cited.citations == _citations(station)


def _citations(station: Station) -> list[Citation] | None:
    expected = CITATIONS[station.vendor]
    if station.cites == "nothing":
        return None
    if station.cites == "sources" or (station.cites, station.vendor) == ("given places", "ark"):
        return [Citation(citation.url) for citation in expected]
    if station.vendor == "ark" and not station.streams:
        return [citation._replace(before=_ARK_ALL) for citation in expected]
    return expected


async def check_weather(client: Client, station: Station) -> None:
    told = await client.weather()
    assert sorted(told.cities) == sorted(TOLD[station.vendor].cities)  # frameworks run tools side by side
    assert told.text == TOLD[station.vendor].text


async def check_place(client: Client, station: Station) -> None:
    del station  # all three describe the same place
    assert await client.place() == TOKYO


JOBS = {"cite": check_cite, "weather": check_weather, "place": check_place}
