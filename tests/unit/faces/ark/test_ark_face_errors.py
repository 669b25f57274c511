"""Errors in Ark's shape: its SDK raises the class that the error deserves."""

# pyright: reportMissingTypeStubs=false, reportUnknownMemberType=false
# (the SDK ships without stubs)

from __future__ import annotations

import httpx
import pytest
from volcenginesdkarkruntime import Ark
from volcenginesdkarkruntime import _exceptions as sdk

from adapters.faces.ark.errors import encode_error
from adapters.hub.errors import (
    AuthRejected,
    BadRequest,
    HubError,
    Overloaded,
    ProtocolError,
    RateLimited,
    TooLarge,
    Unreachable,
    UpstreamError,
    UpstreamTimeout,
)
from adapters.hub.fields import missing
from adapters.hub.kept import Kept

ERRORS: tuple[tuple[HubError, str, type[Exception]], ...] = (
    (BadRequest("no", param="top_p"), "InvalidParameter", sdk.ArkBadRequestError),
    (missing("model"), "MissingParameter", sdk.ArkBadRequestError),
    (TooLarge("no"), "InvalidParameter", sdk.ArkAPIStatusError),
    (AuthRejected("no"), "AuthenticationError", sdk.ArkAuthenticationError),
    (AuthRejected("no", code="upstream_auth", status=502), "InternalServiceError", sdk.ArkInternalServerError),
    (UpstreamError("no", code="permission_denied", status=403), "AccessDenied", sdk.ArkPermissionDeniedError),
    (UpstreamError("no", code="model_not_found", status=404), "InvalidEndpointOrModel.NotFound", sdk.ArkNotFoundError),
    (RateLimited("no"), "RateLimitExceeded", sdk.ArkRateLimitError),
    (RateLimited("no", code="insufficient_quota"), "QuotaExceeded", sdk.ArkRateLimitError),
    (Overloaded("no"), "ServerOverloaded", sdk.ArkInternalServerError),
    (UpstreamTimeout("no"), "InternalServiceError", sdk.ArkInternalServerError),
    (Unreachable("no"), "InternalServiceError", sdk.ArkInternalServerError),
    (ProtocolError("no"), "InternalServiceError", sdk.ArkInternalServerError),
    (HubError("no"), "InternalServiceError", sdk.ArkInternalServerError),
)


@pytest.mark.parametrize(("error", "code", "class_"), ERRORS, ids=[f"{e[0].code}-{e[1]}" for e in ERRORS])
def test_the_sdk_raises_the_right_class(error: HubError, code: str, class_: type[Exception]) -> None:
    body = encode_error(error)
    assert (body["error"]["code"], body["error"]["message"]) == (code, "no") or "Missing" in body["error"]["message"]

    def answer(_: httpx.Request) -> httpx.Response:
        return httpx.Response(error.status, json=body)

    with httpx.Client(transport=httpx.MockTransport(answer)) as http:
        client = Ark(base_url="http://localhost", api_key="k", max_retries=0, http_client=http)
        with pytest.raises(class_) as raised:
            client.responses.create(model="m", input="x")
    assert getattr(raised.value, "status_code", None) == error.status


def test_arks_own_error_stands_as_it_is() -> None:
    own = {"code": "InvalidParameter.top_p", "message": "no", "param": "", "type": "BadRequest"}
    assert encode_error(UpstreamError("no", raw=Kept("ark", own))) == {"error": own}


def test_what_stands_between_does_not_pass_for_ark() -> None:
    page = UpstreamError("<html>", status=500, raw=Kept("ark", {"message": "<html>"}))
    told = {"code": "InternalServiceError", "message": "<html>", "param": "", "type": "InternalServerError"}
    assert encode_error(page) == {"error": told}


def test_the_error_names_the_parameter() -> None:
    assert encode_error(BadRequest("no", param="tools[0].type"))["error"]["param"] == "tools[0].type"
