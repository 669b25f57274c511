"""The fold: a walk becomes the tree it walked; and the small values beside it."""

from __future__ import annotations

from adapters.hub import events as ev
from adapters.hub.annotations import UrlCitation
from adapters.hub.errors import BadRequest, HubError, RateLimited, TooLarge, Unsupported, UpstreamError
from adapters.hub.fold import PartTree, fold
from adapters.hub.items import Search, Signature
from adapters.hub.kept import Kept, kept_by, leftovers
from adapters.hub.losses import Ledger, Loss

USAGE = ev.Usage(1, 0, 2, 1, 3)
CITED = UrlCitation("https://a.test/", "A")

WALK: list[ev.Event] = [
    ev.Started("w", "r", "m"),
    ev.ItemStarted(0, "reasoning", "rs"),
    ev.PartStarted(0, 0, "summary"),
    ev.ItemStarted(1, "message", "msg"),
    ev.PartStarted(1, 0, "text"),
    ev.Delta(0, 0, "Pl"),
    ev.Delta(1, 0, "Hi"),
    ev.Progressed(None, "in_progress"),
    ev.Delta(0, 0, "an"),
    ev.PartEnded(0, 0),
    ev.ItemEnded(0, signature=Signature("w", "blob")),
    ev.Annotated(1, 0, CITED),
    ev.PartEnded(1, 0, text="Hi you"),
    ev.PartStarted(1, 1, "refusal"),
    ev.PartEnded(1, 1, text="contradicts nothing"),
    ev.ItemEnded(1, "incomplete"),
    ev.ItemStarted(2, "web_search_call", "ws", name="n", call_id="c"),
    ev.ItemEnded(2, "failed", outcome=Search("search", ["q"])),
    ev.Opaque("w", {}),
    ev.Ended("incomplete", ev.Finish("max_output_tokens", "length"), USAGE),
]


def test_a_walk_folds_to_its_tree() -> None:
    tree = fold(WALK)
    assert (tree.wire, tree.id, tree.model, tree.status, tree.usage) == ("w", "r", "m", "incomplete", USAGE)
    assert tree.finish == ev.Finish("max_output_tokens", "length")
    reasoning, message, search = tree.items
    assert (reasoning.parts, reasoning.signature) == ([PartTree("summary", "Plan")], Signature("w", "blob"))
    assert message.parts[0] == PartTree("text", "Hi you", [CITED])
    assert (message.status, search.status, search.outcome) == ("incomplete", "failed", Search("search", ["q"]))
    assert (search.id, search.call_id, search.name) == ("ws", "c", "n")
    assert tree.text == "Hi youcontradicts nothing"


def test_a_walk_that_is_not_over_folds_as_far_as_it_went() -> None:
    tree = fold(WALK[:6])
    assert (tree.status, tree.items[0].status, tree.items[0].parts[0].text) == (None, None, "Pl")


def test_a_final_word_that_contradicts_the_deltas_is_not_believed() -> None:
    walk: list[ev.Event] = [*WALK[:6], ev.PartEnded(0, 0, text="other")]
    assert fold(walk).items[0].parts[0].text == "Pl"


def test_leftovers_belong_to_their_wire() -> None:
    assert leftovers("w", {"a": 1}, frozenset({"a", "b"})) is None
    kept = leftovers("w", {"a": 1, "c": 2}, frozenset({"a"}))
    assert kept == Kept("w", {"c": 2})
    assert kept_by("w", kept) == {"c": 2}
    assert kept_by("v", kept) is None
    assert kept_by("w", None) is None


def test_a_ledger_counts_the_same_loss_once_and_in_order() -> None:
    ledger = Ledger()
    assert not ledger
    for path in ("b", "a", "b"):
        ledger.note(path, "why")
    ledger.note("b", "another reason")
    assert ledger.losses == [Loss("b", "why"), Loss("a", "why"), Loss("b", "another reason")]
    assert ledger


def test_errors_say_whose_fault_they_are() -> None:
    told = [(e.status, e.type, e.code) for e in (HubError("x"), BadRequest("x"), Unsupported("x"), TooLarge("x"))]
    assert told == [
        (500, "server_error", "internal_error"),
        (400, "invalid_request_error", "invalid_value"),
        (400, "invalid_request_error", "unsupported_value"),
        (413, "invalid_request_error", "request_too_large"),
    ]
    error = UpstreamError("x", code="c", param="p", status=418, type="t", retryable=True, retry_after=1.5)
    assert (error.status, error.type, error.code, error.param) == (418, "t", "c", "p")
    assert (error.retryable, error.retry_after, str(error)) == (True, 1.5, "x")
    assert (RateLimited("x").status, RateLimited("x").type) == (429, "rate_limit_error")
