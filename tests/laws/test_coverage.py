"""Coverage: every word of every wire has a row that says what becomes of it, and every row has a word.

The words are read from the vendors' SDKs and from the descriptions of the wires, never listed here: a release of
an SDK with a new event, item or field fails until somebody decides what becomes of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import adapters
from adapters.hub.coverage import Rows, Rule
from tests.laws.corpus import FACES, VENDORS, requests_of_clients
from tests.laws.words import DEEPER, DEEPER_ANSWERS, Vocabulary, of_answers, of_requests, spelled

HINTS = {
    "user": "a name of the end user",
    "safety_identifier": "a name of the end user",
    "client_metadata": "the client's notes to itself",
    "prompt_cache_key": "a wish about cost",
    "prompt_cache_options": "a wish about cost",
    "prompt_cache_retention": "a wish about cost",
    "stream_options": "padding of the client's own stream",
    "message.input_image.image_url": "repeats what the client sent",
    "name": "a label of the client's schema",
    "status": "the state of an item that is sent back",
    "x_dragoman": "the gateway's own",
}
"""What may be dropped of a request without a word, since its absence changes no answer."""

OWN = {"x_dragoman"}
"""The gateway's own words in a request."""

SEEN = re.compile(r"\b(recorded|documented|reference)\b")
"""How a row says that its word is in no SDK, no description and no recorded request, but was seen elsewhere."""


def missing(rows: Rows, words: Vocabulary) -> dict[str, list[str]]:
    """The words without a row, by feature."""
    found = {feature: sorted(words[feature] - rows.get(feature, {}).keys()) for feature in words}
    return {feature: names for feature, names in found.items() if names}


def rules(vendor: str) -> Iterator[tuple[str, str, str, Rule]]:
    """Every row: direction, feature, word, rule."""
    coverage = adapters.load(vendor).coverage
    for direction, rows in (("requests", coverage.requests), ("answers", coverage.answers)):
        for feature, words in rows.items():
            for word, rule in words.items():
                yield direction, feature, word, rule


def test_the_sdks_are_read() -> None:
    """An SDK whose types are spelled in another way would give no words, and every row would do."""
    vocabularies = [*(of_requests(face) for face in FACES), DEEPER, *(of_answers(vendor) for vendor in VENDORS)]
    assert [feature for words in vocabularies for feature in words if not words[feature]] == []
    assert len(of_answers("openai")["event"]) >= 50


@pytest.mark.parametrize("face", FACES)
@pytest.mark.parametrize("vendor", VENDORS)
def test_every_word_of_a_request_has_a_row(vendor: str, face: str) -> None:
    assert missing(adapters.load(vendor).coverage.requests, of_requests(face)) == {}


@pytest.mark.parametrize("vendor", VENDORS)
def test_a_feature_that_has_rows_has_all_of_them(vendor: str) -> None:
    coverage = adapters.load(vendor).coverage
    for rows, words in ((coverage.requests, DEEPER), (coverage.answers, DEEPER_ANSWERS[vendor])):
        assert missing(rows, {feature: words[feature] for feature in words if feature in rows}) == {}


@pytest.mark.parametrize("vendor", VENDORS)
def test_every_word_of_an_answer_has_a_row(vendor: str) -> None:
    assert missing(adapters.load(vendor).coverage.answers, of_answers(vendor)) == {}


@pytest.mark.parametrize("vendor", VENDORS)
def test_every_row_has_a_word(vendor: str, shared: Path) -> None:
    sent = {word for _, _, body in requests_of_clients() for word in body}
    known = spelled() | sent | OWN
    assert [row[:3] for row in rules(vendor) if row[2] not in known and not SEEN.search(row[3].reason)] == []


@pytest.mark.parametrize("vendor", VENDORS)
def test_every_row_that_changes_something_says_what(vendor: str) -> None:
    tools = adapters.load(vendor).coverage.requests.get("tool", {})
    gone = {f"field of {tool}" for tool, rule in tools.items() if rule.verdict == "dropped"}
    unsaid = [row for row in rules(vendor) if not row[3].reason and row[3].verdict != "exact"]
    hints = [
        (direction, feature, word, rule)
        for direction, feature, word, rule in unsaid
        if direction == "requests" and rule.verdict == "dropped" and (word in HINTS or feature in gone)
    ]
    assert [row[:3] for row in unsaid if row not in hints] == []


@pytest.mark.parametrize("vendor", VENDORS)
def test_nothing_that_a_vendor_says_is_refused(vendor: str) -> None:
    """A request can be refused; an answer is there."""
    assert [row[2] for row in rules(vendor) if row[0] == "answers" and row[3].verdict == "rejected"] == []
