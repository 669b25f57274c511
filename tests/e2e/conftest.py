"""Fixtures of the tests over real sockets."""

from __future__ import annotations

from tests.app import conftest

stub_vendors = conftest.stub_vendors
