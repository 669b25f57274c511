"""What becomes of every word of an answer on its way to a Responses client."""

from __future__ import annotations

from typing import Final

from adapters.hub.coverage import EXACT, Rows, approximated, dropped
from adapters.interactions.tables import STATUSES, STEPS

_RIDES = "it rides along with the message"
_AUDIO = approximated(f"events of sound, which the message does not hold; {_RIDES}")
_VIDEO = dropped(f"Responses has no films; {_RIDES}")
_DOCUMENT = dropped(f"Responses has no documents that a model makes; {_RIDES}")
_IMAGE = approximated("an item of its own")
_DETAIL = dropped("Responses counts tokens without such detail; it rides along with the response")

_DELTAS = {
    "text": EXACT,
    "text_annotation_delta": approximated("each annotation by its own row"),
    "image": _IMAGE,
    "audio": _AUDIO,
    "video": _VIDEO,
    "document": _DOCUMENT,
    "thought_summary": STEPS["thought"].rule,
    "thought_signature": EXACT,
    "arguments_delta": EXACT,
}
_WHOLE = frozenset({"thought", "model_output", "user_input", "function_call"})  # steps without a delta of their name

ANSWERS: Final[Rows] = {
    "event": {
        "interaction.created": EXACT,
        "interaction.status_update": approximated("only what has not begun or goes on is told before the end"),
        "interaction.completed": EXACT,
        "step.start": EXACT,
        "step.delta": EXACT,
        "step.stop": EXACT,
        "error": approximated("the failure at the end of the answer"),
    },
    "step": {name: row.rule for name, row in STEPS.items()},
    "delta": {**_DELTAS, **{name: row.rule for name, row in STEPS.items() if name not in _WHOLE}},
    "content": {"text": EXACT, "image": _IMAGE, "audio": _AUDIO, "video": _VIDEO, "document": _DOCUMENT},
    "annotation": {
        "url_citation": EXACT,
        "file_citation": approximated("a point in the text; page and source ride along"),
        "place_citation": approximated("a link to the map; its id and reviews ride along"),
        "word_info": dropped(f"Responses has no words of a recording; {_RIDES}"),
        "speech_metadata": dropped(f"Responses has no speakers; {_RIDES}"),
    },
    "status": {"queued": EXACT, "in_progress": EXACT, **{name: row.rule for name, row in STATUSES.items()}},
    "usage": {
        **dict.fromkeys(("total_input_tokens", "total_cached_tokens", "total_thought_tokens", "total_tokens"), EXACT),
        "total_output_tokens": approximated("with the thoughts, as Responses counts them"),
        "total_tool_use_tokens": approximated("counted as input"),
        **dict.fromkeys(("input_tokens_by_modality", "output_tokens_by_modality"), _DETAIL),
        **dict.fromkeys(("cached_tokens_by_modality", "tool_use_tokens_by_modality"), _DETAIL),
        **dict.fromkeys(("grounding_tool_count", "initial_input_tokens"), _DETAIL),
    },
}
