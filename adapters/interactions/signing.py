"""Calls that the vendor did not make, and so did not sign.

"Gemini 3 … strict validation": a turn's first call must have a signature before it; this one says that it is another's.
"""

from __future__ import annotations

from typing import Final

from adapters.wire_json import Json

PLACEHOLDER: Final = "skip_thought_signature_validator"
"""The signature that stands before calls which Gemini did not make; "" sends them without."""


def sign_foreign(steps: list[Json]) -> None:
    """Put the placeholder behind `steps` where the call that comes next is another vendor's and begins its group."""
    if PLACEHOLDER and not (steps and steps[-1].get("type") == "function_call"):
        steps.append({"type": "thought", "signature": PLACEHOLDER})
