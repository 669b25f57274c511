"""Which vendor answers a request, under which model name and with whose key."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from fnmatch import translate
from typing import Literal

import adapters
from adapters.hub.adapter import Adapter, Surface
from adapters.hub.errors import AuthRejected, BadRequest, UpstreamError
from app.http.headers import read_query
from app.settings import Settings, UpstreamSettings, fits_a_header
from app.upstream.call import Call

PROVIDER_HEADER = "x-provider"
KEY_HEADER = "x-provider-key"

_REDACTED = "[key]"


@dataclass(frozen=True, slots=True)
class Credential:
    """A key and whose it is. No key at all is the client's: it is the one who could bring it."""

    key: str | None = field(repr=False)
    owner: Literal["gateway", "client"]

    def redact(self, error: UpstreamError) -> UpstreamError:
        """Take the key out of the vendor's words; a refusal of the gateway's own key is no client's business.

        With 401 a client would throw away its own key, which nobody looked at.
        """
        if self.owner == "gateway" and isinstance(error, AuthRejected):
            return UpstreamError("the vendor refused the gateway's own key", code="upstream_auth", status=502)
        if self.key:
            error.forget(self.key, _REDACTED)
        return error


@dataclass(frozen=True, slots=True)
class Vendor:
    """A vendor as this gateway calls it. `configured` says whether the settings speak of it; `store_ids` are its names
    of the file stores, by the id that clients use.
    """

    adapter: Adapter
    url: str
    key: str | None = field(repr=False)
    models: tuple[str, ...]
    pattern: re.Pattern[str]
    configured: bool
    store_ids: Mapping[str, str] = field(default_factory=dict[str, str])

    @property
    def name(self) -> str:
        return self.adapter.name


@dataclass(frozen=True, slots=True)
class Route:
    """Where one request goes. `model` is the vendor's own name for it."""

    vendor: Vendor
    model: str
    credential: Credential

    def call(self, body: bytes, *, streamed: bool) -> Call:
        """The call that asks the vendor for what `body` says."""
        endpoint = self.vendor.adapter.endpoint
        headers = dict(endpoint.stream_headers) if streamed else {}
        if self.credential.key is not None:
            headers |= endpoint.headers(self.credential.key)
        return Call(self.vendor.url, headers, body)


class Router:
    """Chooses a vendor: header, model prefix, alias, name pattern, default; the first that matches."""

    def __init__(self, vendors: Mapping[str, Vendor], aliases: Mapping[str, str], default_provider: str | None) -> None:
        self.vendors = vendors
        self.aliases = aliases
        self._default = default_provider

    def route(self, surface: Surface, model: str, headers: Mapping[str, str], query: bytes = b"") -> Route:
        """`query` is the URL's, unread: it may bring the client's key.

        Raises `BadRequest` when the request names a provider that there is not.
        """
        named = headers.get(PROVIDER_HEADER)
        if named is None:
            default = self.vendors[self._default or surface.default_provider]
            vendor, model = self.find(model) or (default, model)
        else:
            vendor = self._named(named.strip().lower())
            model = self._name_at(vendor, model)
        return Route(vendor, model, _credential(vendor, surface, headers, query))

    def find(self, model: str) -> tuple[Vendor, str] | None:
        """The vendor and its own name of `model` as the name alone tells them; None where it says nothing."""
        for name in (model, self.aliases.get(model, "")):
            prefix, _, rest = name.partition("/")
            if rest and prefix in self.vendors:
                return self.vendors[prefix], rest
        for vendor in self.vendors.values():
            if vendor.pattern.match(model):
                return vendor, model
        return None

    def _name_at(self, vendor: Vendor, model: str) -> str:
        """The header chose the vendor: an alias or a prefix only counts where it means that vendor."""
        for name in (model, self.aliases.get(model, "")):
            prefix, _, rest = name.partition("/")
            if rest and prefix == vendor.name:
                return rest
        return model

    def _named(self, name: str) -> Vendor:
        vendor = self.vendors.get(name)
        if vendor is None:
            known = ", ".join(self.vendors)
            raise BadRequest(
                f"unknown provider {name!r}; known: {known}", code="unknown_provider", param=PROVIDER_HEADER
            )
        return vendor


def build_router(settings: Settings) -> Router:
    """The router of all vendors that there are."""
    vendors = {name: _build(adapters.load(name), settings) for name in adapters.names()}
    return Router(vendors, settings.models, settings.default_provider)


def _build(adapter: Adapter, settings: Settings) -> Vendor:
    given = settings.upstreams.get(adapter.name) or UpstreamSettings()
    stores = settings.file_stores.items()
    base_url = given.base_url or adapter.endpoint.base_url
    return Vendor(
        adapter=adapter,
        url=base_url.rstrip("/") + adapter.endpoint.path,
        key=given.api_key.get_secret_value() if given.api_key is not None else None,
        models=tuple(dict.fromkeys([*given.models, *adapter.catalogue])),
        pattern=re.compile("|".join(translate(pattern) for pattern in adapter.models) or r"(?!)"),
        configured=given.base_url is not None or given.api_key is not None or bool(given.models),
        store_ids={id_: names[adapter.name] for id_, names in stores if adapter.name in names},
    )


def _credential(vendor: Vendor, surface: Surface, headers: Mapping[str, str], query: bytes) -> Credential:
    """A key for this one request, else the configured one, else the client's own."""
    brought = headers.get(KEY_HEADER)
    if not brought and vendor.key is not None:
        return Credential(vendor.key, "gateway")
    key = brought or surface.credential(headers, read_query(query) if query else {})
    if key is not None and not fits_a_header(key):
        raise AuthRejected("the key holds characters that no key has")
    return Credential(key, "client")
