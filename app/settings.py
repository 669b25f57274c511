"""All that can be configured: a YAML file, overridden by the environment."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, SecretStr, ValidationError
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict, YamlConfigSettingsSource
from pydantic_settings import SettingsError as SourceError
from typing_extensions import override

import adapters

MIB = 1024 * 1024

Seconds = Annotated[float, Field(gt=0)]
Bytes = Annotated[int, Field(gt=0)]
Target = Annotated[str, Field(pattern="^[^/]+/.+$")]


def fits_a_header(key: str) -> bool:
    """Whether a header can hold the key; a line end left behind it would make every call fail."""
    return key.isascii() and key.isprintable()


def _check_key(key: SecretStr) -> SecretStr:
    if not fits_a_header(key.get_secret_value()):
        raise ValueError("the key holds characters that no key has, such as a line end")
    return key


Key = Annotated[SecretStr, AfterValidator(_check_key)]


class SettingsError(ValueError):
    """The configuration cannot be used; the message names each key at fault, and no value."""


class UpstreamSettings(BaseModel):
    """One vendor. `base_url` is the adapter's own unless given; `models` are listed beside its catalogue."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    base_url: Annotated[str, Field(pattern=r"^https?://[^/?#]+[^?#]*$")] | None = None
    api_key: Key | None = None
    models: list[str] = []


class Settings(BaseSettings):
    """The gateway's settings. Every field is `DRAGOMAN_<FIELD>` in the environment too."""

    model_config = SettingsConfigDict(env_prefix="DRAGOMAN_", extra="forbid", frozen=True, env_ignore_empty=True)

    host: str = "127.0.0.1"
    port: Annotated[int, Field(ge=0, le=65535)] = 8080
    log_level: Annotated[str, Field(pattern="^(debug|info|warning|error)$")] = "info"

    upstreams: dict[str, UpstreamSettings] = {}
    models: dict[str, Target] = {}
    """Aliases: a name that clients may ask for -> `provider/model`."""
    file_stores: dict[str, dict[str, str]] = {}
    """Stores of files that a tool may search: the id that clients use -> provider -> the provider's own name of it."""
    default_provider: str | None = None
    """Answers when nothing else names a vendor; None leaves it to the client's dialect."""

    max_body_bytes: Bytes = 64 * MIB
    max_event_bytes: Bytes = 64 * MIB
    max_connections: Annotated[int, Field(gt=0)] = 10_000
    connect_seconds: Seconds = 10.0
    read_seconds: Seconds = 600.0
    """The longest silence of a vendor: a model may think for minutes before its first word."""
    keepalive_seconds: Seconds = 15.0
    """After so much silence a stream gets a comment, so that nothing between us and the client gives it up."""
    shutdown_seconds: Seconds = 8.0
    """How long running answers may go on once the gateway is told to stop."""

    @classmethod
    @override
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """What is given to the constructor is the file's content, so the environment comes first."""
        return _VendorEnvironment(settings_cls), env_settings, init_settings

    def with_upstreams(self, base_urls: Mapping[str, str], api_key: str) -> Settings:
        """The same settings with every vendor of `base_urls` at that URL and under that key."""
        upstreams = dict(self.upstreams)
        for name, base_url in base_urls.items():
            models = upstreams[name].models if name in upstreams else []
            upstreams[name] = UpstreamSettings(base_url=base_url, api_key=SecretStr(api_key), models=models)
        return self.model_copy(update={"upstreams": upstreams})


class _VendorEnvironment(PydanticBaseSettingsSource):
    """`DRAGOMAN_<VENDOR>_BASE_URL` and the key variables that the vendor's endpoint names."""

    @override
    def get_field_value(self, field: Any, field_name: str) -> tuple[Any, str, bool]:
        """Not used: the one field this source fills is made as a whole."""
        return None, field_name, False

    @override
    def __call__(self) -> dict[str, Any]:
        upstreams = {name: found for name in adapters.names() if (found := _from_environment(name))}
        return {"upstreams": upstreams} if upstreams else {}


def _from_environment(name: str) -> dict[str, Any]:
    key_names = adapters.load(name).endpoint.key_names
    values = {
        "base_url": os.environ.get(f"DRAGOMAN_{name.upper()}_BASE_URL"),
        "api_key": next((value for key in key_names if (value := os.environ.get(key))), None),
    }
    return {field: value for field, value in values.items() if value}


def load(config: Path | None = None) -> Settings:
    """Read the file `config` (or the one `DRAGOMAN_CONFIG` names) and the environment.

    Raises `SettingsError`.
    """
    named = os.environ.get("DRAGOMAN_CONFIG")
    path = config or (Path(named) if named else None)
    given = _read(path) if path is not None else {}
    try:
        settings = Settings(**given)
    except ValidationError as error:
        raise SettingsError(_explain(error, path)) from None
    except SourceError as error:
        raise SettingsError(f"settings from the environment:\n  not JSON: {error}") from None
    _check_providers(settings)
    return settings


def unknown_variables() -> list[str]:
    """Variables of the environment that are named like settings and are none, such as a slip of the pen.

    They are no error: whatever starts the gateway may set some, as compose files and Kubernetes do.
    """
    fields = (*Settings.model_fields, "config", *(f"{name}_base_url" for name in adapters.names()))
    known = {f"DRAGOMAN_{field.upper()}" for field in fields}
    return sorted(name for name in os.environ if name.upper().startswith("DRAGOMAN_") and name.upper() not in known)


def _read(path: Path) -> dict[str, Any]:
    if not path.is_file():
        raise SettingsError(f"{path}: no such file")
    try:
        given: Any = YamlConfigSettingsSource(Settings, yaml_file=path)()
    except Exception as error:  # noqa: BLE001 - the YAML reader has errors of its own, and a file that is no mapping others
        # the reader's own words may quote a key
        mark = getattr(error, "problem_mark", None)
        place = f" (line {mark.line + 1}, column {mark.column + 1})" if mark is not None else ""
        raise SettingsError(f"{path}: not a YAML mapping{place}") from None
    return given


def _explain(error: ValidationError, path: Path | None) -> str:
    """One line a problem, without the values: one of them may be a key."""
    where = f"{path} or the environment" if path is not None else "the environment"
    problems = [f"{'.'.join(map(str, problem['loc']))}: {problem['msg']}" for problem in error.errors()]
    return f"settings from {where}:\n" + "\n".join(f"  {problem}" for problem in problems)


def _check_providers(settings: Settings) -> None:
    named = {f"upstreams.{name}": name for name in settings.upstreams}
    named |= {f"models.{alias}": target.partition("/")[0] for alias, target in settings.models.items()}
    named |= {f"file_stores.{id_}.{name}": name for id_, stores in settings.file_stores.items() for name in stores}
    if settings.default_provider is not None:
        named["default_provider"] = settings.default_provider
    known = adapters.names()
    problems = [f"  {key}: unknown provider {name!r}" for key, name in named.items() if name not in known]
    if problems:
        raise SettingsError("\n".join([f"unknown providers; known: {', '.join(known)}", *problems]))
