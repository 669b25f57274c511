"""Routing: which vendor, which model name, whose key."""

from __future__ import annotations

import pytest

from adapters.hub.errors import AuthRejected, BadRequest, RateLimited, UpstreamError
from adapters.hub.kept import Kept
from app.routing import Credential, Router, build_router
from app.settings import Settings
from tests.app.stub import SURFACE

pytestmark = pytest.mark.usefixtures("stub_vendors")

ALIASES = {"fast": "other/other-9", "stub-odd": "other/o1", "other/x": "stub/y"}


def router(**given: object) -> Router:
    return build_router(Settings.model_validate({"models": ALIASES, **given}))


@pytest.mark.parametrize(
    ("header", "model", "expected"),
    [
        ("other", "stub-1", ("other", "stub-1")),
        (" Other ", "stub-1", ("other", "stub-1")),
        ("other", "other/m", ("other", "m")),
        ("other", "stub/m", ("other", "stub/m")),
        ("other", "fast", ("other", "other-9")),
        ("stub", "fast", ("stub", "fast")),
        (None, "other/stub-1", ("other", "stub-1")),
        (None, "other/a/b", ("other", "a/b")),
        (None, "other/x", ("other", "x")),
        (None, "nobody/m", ("stub", "nobody/m")),
        (None, "other/", ("stub", "other/")),
        (None, "fast", ("other", "other-9")),
        (None, "stub-odd", ("other", "o1")),
        (None, "stub-1", ("stub", "stub-1")),
        (None, "o3-mini", ("other", "o3-mini")),
        (None, "omega", ("stub", "omega")),
    ],
)
def test_the_first_rule_that_matches_wins(header: str | None, model: str, expected: tuple[str, str]) -> None:
    headers = {} if header is None else {"x-provider": header}
    route = router().route(SURFACE, model, headers)
    assert (route.vendor.name, route.model) == expected


def test_the_configured_default_goes_before_the_dialects() -> None:
    assert router(default_provider="other").route(SURFACE, "omega", {}).vendor.name == "other"


def test_an_unknown_provider_is_named_beside_the_known() -> None:
    with pytest.raises(BadRequest, match=r"'nobody'.*other, stub") as caught:
        router().route(SURFACE, "m", {"x-provider": "nobody"})
    error = caught.value
    assert (error.status, error.code, error.param) == (400, "unknown_provider", "x-provider")


def test_the_url_is_base_and_path() -> None:
    given = {"stub": {"base_url": "http://h:1/v1/"}}
    vendors = router(upstreams=given).vendors
    assert vendors["stub"].url == "http://h:1/v1/speak"
    assert vendors["other"].url == "http://other.invalid/v9/speak"
    assert [vendors["stub"].configured, vendors["other"].configured] == [True, False]


@pytest.mark.parametrize(
    ("configured", "headers", "expected"),
    [
        (True, {"x-provider-key": "mine", "x-stub-key": "own"}, ("mine", "client")),
        (True, {"x-stub-key": "own"}, ("gateways", "gateway")),
        (False, {"x-stub-key": "own"}, ("own", "client")),
        (False, {"x-provider-key": "mine", "x-stub-key": "own"}, ("mine", "client")),
        (False, {}, (None, "client")),
    ],
)
def test_whose_key_is_used(configured: bool, headers: dict[str, str], expected: tuple[str | None, str]) -> None:
    upstreams = {"stub": {"api_key": "gateways"}} if configured else {}
    credential = router(upstreams=upstreams).route(SURFACE, "stub-1", headers).credential
    assert (credential.key, credential.owner) == expected


@pytest.mark.parametrize("key", ["schlüssel", "a\x00b"])
def test_a_key_that_no_header_may_hold_is_refused(key: str) -> None:
    with pytest.raises(AuthRejected):
        router().route(SURFACE, "stub-1", {"x-provider-key": key})


def test_a_refusal_of_the_gateways_key_is_the_gateways_fault() -> None:
    error = Credential("sk-own", "gateway").redact(AuthRejected("bad key sk-o***"))
    assert (error.status, error.code, "sk-" in error.message) == (502, "upstream_auth", False)


def test_a_refusal_of_the_clients_key_stays_a_refusal() -> None:
    refused = AuthRejected("bad key sk-mine", raw=Kept("stub", {"error": "sk-mine is bad"}))
    error = Credential("sk-mine", "client").redact(refused)
    assert (error.status, error.message, str(error), error.raw) == (401, "bad key [key]", "bad key [key]", None)


@pytest.mark.parametrize("owner", ["gateway", "client"])
def test_other_errors_pass_without_the_key(owner: str) -> None:
    credential = Credential("sk-own", "gateway" if owner == "gateway" else "client")
    raw = Kept("stub", {"limit": 3})
    error = credential.redact(RateLimited("slow down, sk-own", raw=raw))
    assert (type(error), error.message, error.raw) == (RateLimited, "slow down, [key]", raw)
    assert credential.redact(UpstreamError("plain")).message == "plain"


def test_no_key_is_shown_when_printed() -> None:
    route = router(upstreams={"stub": {"api_key": "sk-own"}}).route(SURFACE, "stub-1", {})
    assert "sk-own" not in repr(route)


def test_each_vendor_has_its_own_names_of_the_file_stores() -> None:
    stores = {"vs_1": {"stub": "stores/a", "other": "b"}, "vs_2": {"other": "c"}}
    vendors = router(file_stores=stores).vendors
    assert vendors["stub"].store_ids == {"vs_1": "stores/a"}
    assert vendors["other"].store_ids == {"vs_1": "b", "vs_2": "c"}


def test_the_key_is_taken_out_of_every_word_of_an_error() -> None:
    error = UpstreamError("no sk-own", code="bad_sk-own", param="key sk-own", type="sk-own_error")
    Credential("sk-own", "gateway").redact(error)
    assert (error.message, error.code, error.param, error.type) == (
        "no [key]",
        "bad_[key]",
        "key [key]",
        "[key]_error",
    )
