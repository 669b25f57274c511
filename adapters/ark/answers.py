"""What becomes of every word of Ark's answers on their way to a Responses client."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from adapters.ark.retelling import EVENTS
from adapters.hub.coverage import EXACT, Rows, Rule, approximated, dropped, each
from adapters.responses import coverage as family

_SEARCHED = approximated("a search of files; the knowledge base stands beside it")
_NO_ITEM = dropped("no item type of the dialect; kept in the answer's extension, and an item with fidelity native")
_NO_EVENT = dropped("an event that the dialect has no word for")
_BESIDE = approximated("stands in the answer's extension")

ITEMS: Final[Mapping[str, Rule]] = {
    **each("message function_call web_search_call mcp_list_tools mcp_call mcp_approval_request", EXACT),
    "reasoning": approximated("its seal marked as Ark's, and every content a thought"),
    "knowledge_search_call": _SEARCHED,
    "doubao_app_call": approximated("messages, thoughts and searches, as its blocks are"),
    "transcription": approximated("a message, with its times beside the text"),
    **each("image_process agent_tool_call", _NO_ITEM),
}

ANSWERS: Final[Rows] = {
    "event": {
        **family.EVENTS,
        **{name: rule for name, (rule, _) in EVENTS.items()},
        **each("response.knowledge_search_call.in_progress response.knowledge_search_call.searching", _SEARCHED),
        "response.knowledge_search_call.completed": _SEARCHED,
        "response.knowledge_search_call.failed": approximated("the status of the item"),
        **each("response.image_process_call.in_progress response.image_process_call.progressing", _NO_EVENT),
        "response.image_process_call.completed": _NO_EVENT,
        **each("response.agent_tool_call.in_progress response.agent_tool_call.completed", _NO_ITEM),
        **each("response.reasoning_raw_text.delta response.reasoning_raw_text.done", _NO_EVENT),
    },
    "item": ITEMS,
    "content": {
        **each("output_text summary_text", EXACT),
        "reasoning_text": approximated("a reasoning item before its message, its citations beside it"),
        "transcription_text": ITEMS["transcription"],
    },
    "block": each("output_text reasoning_text search reasoning_search", ITEMS["doubao_app_call"]),
    "annotation": {
        "url_citation": approximated("zero wide where it arrived; its other fields beside it"),
        "doc_citation": approximated("the citation of a file, where it arrived; its other fields beside it"),
    },
    "status": each("completed incomplete failed in_progress", EXACT),
    "item status": {
        **each("completed incomplete in_progress", EXACT),
        "failed": approximated("incomplete for what a model said, failed for what a tool did"),
        "searching": approximated("a phase of the call"),
    },
    "incomplete reason": {
        **each("max_output_tokens content_filter", EXACT),
        "length": approximated("max_output_tokens; Ark's word stands in the answer's extension"),
    },
    "usage": {
        **each("input_tokens output_tokens total_tokens input_tokens_details output_tokens_details", EXACT),
        **each("tool_usage tool_usage_details", _BESIDE),
    },
    "response": {
        **each("created_at error id object output usage status model previous_response_id instructions", EXACT),
        **each("max_output_tokens temperature top_p tools tool_choice parallel_tool_calls max_tool_calls", EXACT),
        **each("text reasoning service_tier store", EXACT),
        "incomplete_details": approximated("one of the dialect's reasons"),
        **each("thinking caching expire_at session context_management", _BESIDE),
    },
}
