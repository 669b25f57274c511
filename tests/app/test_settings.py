"""Settings: the file, the environment above it, and errors that name the key at fault but no value."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.settings import Settings, SettingsError, load, unknown_variables

pytestmark = pytest.mark.usefixtures("stub_vendors")


@pytest.fixture
def config(tmp_path: Path) -> Path:
    return tmp_path / "config.yaml"


def key_of(settings: Settings, vendor: str) -> str | None:
    key = settings.upstreams[vendor].api_key
    return key.get_secret_value() if key is not None else None


def test_nothing_given_is_enough() -> None:
    settings = load()
    assert (settings.host, settings.port, settings.upstreams, settings.default_provider) == (
        "127.0.0.1",
        8080,
        {},
        None,
    )
    assert settings.max_body_bytes == settings.max_event_bytes == 64 * 1024 * 1024
    assert settings.keepalive_seconds == 15


def test_the_file_is_read(config: Path) -> None:
    config.write_text(
        "port: 9\ndefault_provider: other\nmodels: {fast: stub/stub-1}\n"
        "upstreams: {stub: {base_url: 'http://h/v1', api_key: k1, models: [m]}}\n"
    )
    settings = load(config)
    assert (settings.port, settings.default_provider, settings.models) == (9, "other", {"fast": "stub/stub-1"})
    assert (settings.upstreams["stub"].base_url, settings.upstreams["stub"].models) == ("http://h/v1", ["m"])
    assert key_of(settings, "stub") == "k1"


def test_the_environment_overrides_the_file_field_by_field(config: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    config.write_text(
        "port: 9\nhost: '::1'\nupstreams: {stub: {base_url: 'http://file', api_key: file, models: [m]}}\n"
    )
    monkeypatch.setenv("DRAGOMAN_PORT", "10")
    monkeypatch.setenv("DRAGOMAN_STUB_BASE_URL", "http://env")
    monkeypatch.setenv("OTHER_OTHER_KEY", "second name")
    settings = load(config)
    assert (settings.port, settings.host) == (10, "::1")
    stub = settings.upstreams["stub"]
    assert (stub.base_url, key_of(settings, "stub"), stub.models) == ("http://env", "file", ["m"])
    assert key_of(settings, "other") == "second name"


def test_the_first_key_variable_that_is_set_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STUB_OTHER_KEY", "second")
    assert key_of(load(), "stub") == "second"
    monkeypatch.setenv("STUB_KEY", "first")
    assert key_of(load(), "stub") == "first"
    monkeypatch.setenv("STUB_KEY", "")
    assert key_of(load(), "stub") == "second"


def test_the_environment_may_name_the_file(config: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    config.write_text("port: 11\n")
    monkeypatch.setenv("DRAGOMAN_CONFIG", str(config))
    assert load().port == 11


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("prot: 1", "prot"),
        ("upstreams: {stub: {base_ulr: 'http://h'}}", "upstreams.stub.base_ulr"),
        ("upstreams: {stub: {base_url: 'ftp://h'}}", "upstreams.stub.base_url"),
        ("upstreams: {nobody: {}}", "upstreams.nobody"),
        ("models: {fast: nobody/m}", "models.fast"),
        ("models: {fast: stub-1}", "models.fast"),
        ("models: {fast: stub/}", "models.fast"),
        ("file_stores: {vs_1: {nobody: s}}", "file_stores.vs_1.nobody"),
        ("file_stores: {vs_1: s}", "file_stores.vs_1"),
        ("default_provider: nobody", "default_provider"),
        ("port: high", "port"),
        ("max_body_bytes: 0", "max_body_bytes"),
        ("- a list", "config.yaml"),
        ("a: [", "config.yaml"),
    ],
)
def test_a_wrong_key_is_named(config: Path, text: str, names: str) -> None:
    config.write_text(text)
    with pytest.raises(SettingsError, match=names.replace(".", r"\.")):
        load(config)


def test_an_environment_that_is_not_json_is_explained(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DRAGOMAN_UPSTREAMS", '{"stub": {"api_key": "sk-secret"')
    with pytest.raises(SettingsError, match="upstreams") as caught:
        load()
    assert "sk-secret" not in str(caught.value)


def test_variables_that_are_no_settings_are_known_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    settings = ("DRAGOMAN_PORT", "DRAGOMAN_CONFIG", "DRAGOMAN_STUB_BASE_URL", "dragoman_log_level", "STUB_KEY")
    slips = ("DRAGOMAN_NOBODY_BASE_URL", "DRAGOMAN_PROT", "DRAGOMAN_UPSTREAMS__STUB", "Dragoman_hots")
    for name in (*settings, *slips):
        monkeypatch.setenv(name, "1")
    assert unknown_variables() == sorted(slips)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"absent\.yaml: no such file"):
        load(tmp_path / "absent.yaml")


def test_an_error_shows_no_value(config: Path) -> None:
    config.write_text("upstreams: {stub: {api_key: [sk-secret]}}")
    with pytest.raises(SettingsError) as caught:
        load(config)
    assert "sk-secret" not in str(caught.value)


def test_a_key_that_no_header_can_hold_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STUB_KEY", "sk-secret\n")
    with pytest.raises(SettingsError, match=r"upstreams\.stub\.api_key") as caught:
        load()
    assert "sk-secret" not in str(caught.value)


def test_a_key_is_not_shown_when_printed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STUB_KEY", "sk-secret")
    assert "sk-secret" not in repr(load())


def test_a_sandbox_takes_the_place_of_vendors(config: Path) -> None:
    config.write_text("upstreams: {stub: {base_url: 'http://h', api_key: real, models: [m]}}")
    settings = load(config).with_upstreams({"stub": "http://sandbox"}, "dummy")
    stub = settings.upstreams["stub"]
    assert (stub.base_url, key_of(settings, "stub"), stub.models) == ("http://sandbox", "dummy", ["m"])


def test_a_file_that_is_not_yaml_is_told_by_its_place_and_not_its_words(config: Path) -> None:
    config.write_text("upstreams:\n  stub:\n    api_key: *sk-secret\n")
    with pytest.raises(SettingsError) as raised:
        load(config)
    assert "line 3, column 14" in str(raised.value)
    assert "secret" not in str(raised.value)
