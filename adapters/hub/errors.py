"""Every error of the project, by whose fault it is.

    HubError
      BadRequest            the client's request is malformed               400
        Unsupported         well formed, but the chosen vendor cannot do it 400
        TooLarge            the body is over the limit                      413
      UpstreamError         the vendor answered with an error               its status
        RateLimited         429, with the time to wait                      429
        Overloaded          the vendor is busy                              503
        AuthRejected        the vendor refused the key                      401 or 502
        UpstreamTimeout     the vendor did not answer in time               504
        Unreachable         no connection to the vendor                     502
      ProtocolError         the vendor's answer is not in its own language  502

No message ever holds a key: errors are built from the vendor's words, and `app` redacts them.
"""

from __future__ import annotations

from adapters.hub.kept import Kept
from adapters.wire_json import texts_in


class HubError(Exception):
    """Base of all: `status` is the HTTP status, `code` the stable word, `param` the field at fault."""

    status = 500
    type = "server_error"
    code = "internal_error"

    def __init__(
        self, message: str, *, code: str | None = None, param: str | None = None, status: int | None = None
    ) -> None:
        super().__init__(message)
        self.message = message
        self.param: str | None = param
        if code is not None:
            self.code = code
        if status is not None:
            self.status = status


class BadRequest(HubError):
    """The request is malformed; `param` is the path of the field, as `input[2].content`."""

    status = 400
    type = "invalid_request_error"
    code = "invalid_value"


class Unsupported(BadRequest):
    """The request is well formed, but the chosen vendor has no way to do it."""

    code = "unsupported_value"


class TooLarge(BadRequest):
    """The body is larger than the configured limit."""

    status = 413
    code = "request_too_large"


class UpstreamError(HubError):
    """The vendor said no. `retry_after` is in seconds; `raw` is the vendor's own error object."""

    status = 502
    code = "server_error"

    def __init__(  # noqa: PLR0913  keywords that an error of a vendor may come with
        self,
        message: str,
        *,
        code: str | None = None,
        param: str | None = None,
        status: int | None = None,
        type: str | None = None,
        retryable: bool = False,
        retry_after: float | None = None,
        raw: Kept | None = None,
    ) -> None:
        super().__init__(message, code=code, param=param, status=status)
        if type is not None:
            self.type = type
        self.retryable = retryable
        self.retry_after = retry_after
        self.raw = raw

    def forget(self, secret: str, instead: str) -> None:
        """Take `secret` out of the vendor's words."""
        self.message = self.message.replace(secret, instead)
        self.args = (self.message,)
        self.code = self.code.replace(secret, instead)
        self.type = self.type.replace(secret, instead)
        if self.param is not None:
            self.param = self.param.replace(secret, instead)
        if self.raw is not None and any(secret in text for text in texts_in(self.raw.data)):
            self.raw = None


class RateLimited(UpstreamError):
    """Too many requests, or a quota that is used up."""

    status = 429
    type = "rate_limit_error"
    code = "rate_limit_exceeded"


class Overloaded(UpstreamError):
    """The vendor is busy."""

    status = 503


class AuthRejected(UpstreamError):
    """The vendor refused the key it was given."""

    status = 401
    type = "invalid_request_error"
    code = "invalid_api_key"


class UpstreamTimeout(UpstreamError):
    """The vendor did not answer in time."""

    status = 504
    code = "timeout"


class Unreachable(UpstreamError):
    """No connection to the vendor."""

    code = "upstream_unreachable"


class ProtocolError(UpstreamError):
    """The vendor's answer breaks its own protocol: cut short, not JSON, over the size limit."""

    code = "upstream_protocol_error"
