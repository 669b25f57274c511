"""What becomes of every word on its way to OpenAI and back: all stays as it is, but for what other vendors said."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from adapters.hub.coverage import EXACT, Coverage, Rows, Rule, approximated, dropped, each, rejected
from adapters.hub.items import LOCAL_SHELL_CALL
from adapters.hub.rulebook import Rulebook
from adapters.responses.coverage import EMULATED_ITEMS, EVENTS, SEARCHES

PRIVATE: Final = dropped("OpenAI takes no such item of another vendor")
_WITHOUT_ID = approximated("without its id, and without fields that OpenAI has not")

FIELDS: Final[Mapping[str, Rule]] = {
    **each(
        "access_programs background background_options context_management conversation image include input "
        "instructions max_output_tokens max_tool_calls metadata model moderation multi_agent parallel_tool_calls "
        "prompt prompt_cache_key prompt_cache_options prompt_cache_retention reasoning safety_identifier service_tier "
        "store stream stream_options temperature text tool_choice tools top_logprobs top_p truncation user",
        EXACT,
    ),
    "previous_response_id": approximated("a response that OpenAI gave; any other is refused"),
    "x_dragoman": approximated("what it says to OpenAI is merged into the request, and the rest is another vendor's"),
}

INCLUDE: Final[Mapping[str, Rule]] = each(
    "file_search_call.results web_search_call.results web_search_call.action.sources message.input_image.image_url "
    "computer_call_output.output.image_url code_interpreter_call.outputs reasoning.encrypted_content "
    "message.output_text.logprobs",
    EXACT,
)

ITEMS: Final[Mapping[str, Rule]] = each(
    "message reasoning function_call function_call_output custom_tool_call custom_tool_call_output file_search_call "
    "web_search_call code_interpreter_call image_generation_call computer_call computer_call_output tool_search_call "
    "tool_search_output additional_tools configuration_update compaction compaction_trigger local_shell_call "
    "local_shell_call_output shell_call shell_call_output apply_patch_call apply_patch_call_output mcp_list_tools "
    "mcp_approval_request mcp_approval_response mcp_call item_reference program program_output agent_message "
    "multi_agent_call multi_agent_call_output",
    EXACT,
)

FOREIGN: Final[Mapping[str, Rule]] = {
    **each("message function_call function_call_output", _WITHOUT_ID),
    **dict.fromkeys(EMULATED_ITEMS, _WITHOUT_ID),
    "reasoning": dropped("reasoning is valid only at the vendor that said it"),
    "item_reference": rejected("it does not know what another vendor said"),
    **each(
        "web_search_call file_search_call code_interpreter_call image_generation_call mcp_list_tools mcp_call "
        "mcp_approval_request mcp_approval_response tool_search_call tool_search_output",
        PRIVATE,
    ),
}
"""Items that another vendor said, or that answer what another vendor asked; those that have no row are private."""

CONTENT: Final[Mapping[str, Rule]] = {
    **each("input_text input_image input_file output_text refusal summary_text reasoning_text", EXACT),
    "input_audio": approximated("in OpenAI's own form; audio at an address is refused"),
    "input_video": rejected("it takes no video"),
}

NEEDS_ID: Final = LOCAL_SHELL_CALL
"""The one call that is not taken without an id of its own."""

NO_ADDRESS: Final = rejected("it takes no audio at an address")

ITEM_FIELDS: Final[Mapping[str, Rule]] = {"partial": rejected("it continues no message that was begun")}
"""Fields of items that other members of the family have."""

ANNOTATIONS: Final[Mapping[str, Rule]] = each("url_citation file_citation container_file_citation file_path", EXACT)

TOOLS: Final[Mapping[str, Rule]] = each(
    f"function custom namespace shell local_shell apply_patch {SEARCHES} file_search code_interpreter image_generation "
    "mcp computer computer_use_preview tool_search programmatic_tool_calling",
    EXACT,
)

CHOICES: Final[Mapping[str, Rule]] = each(
    f"none auto required function custom allowed_tools mcp {SEARCHES} file_search code_interpreter image_generation "
    "computer computer_use computer_use_preview shell apply_patch programmatic_tool_calling",
    EXACT,
)

RULES: Final = Rulebook("OpenAI", EXACT)

ANSWERS: Final[Rows] = {
    "event": {
        **EVENTS,
        **each(
            "response.queued response.refusal.delta response.refusal.done "
            "response.custom_tool_call_input.delta response.custom_tool_call_input.done "
            "response.file_search_call.in_progress response.file_search_call.searching "
            "response.file_search_call.completed "
            "response.code_interpreter_call.in_progress response.code_interpreter_call.interpreting "
            "response.code_interpreter_call.completed response.code_interpreter_call_code.delta "
            "response.code_interpreter_call_code.done "
            "response.image_generation_call.in_progress response.image_generation_call.generating "
            "response.image_generation_call.partial_image response.image_generation_call.completed "
            "response.shell_call_command.added response.shell_call_command.delta response.shell_call_command.done "
            "response.shell_call_output_content.delta response.shell_call_output_content.done "
            "response.audio.delta response.audio.done response.audio.transcript.delta response.audio.transcript.done "
            "response.compaction.compacting",
            EXACT,
        ),
    },
    "item": {name: EXACT for name in ITEMS if name not in ("item_reference", "compaction_trigger")},
    "content": each("output_text refusal summary_text reasoning_text", EXACT),
    "annotation": ANNOTATIONS,
    "status": each("completed failed in_progress cancelled queued incomplete", EXACT),
    "item status": each("in_progress completed incomplete searching interpreting generating calling failed", EXACT),
    "incomplete reason": each("max_output_tokens content_filter max_messages steered", EXACT),
    "usage": each("input_tokens input_tokens_details output_tokens output_tokens_details total_tokens", EXACT),
}

COVERAGE: Final = Coverage(
    requests={
        "field": FIELDS,
        "include": INCLUDE,
        "item": ITEMS,
        "item field": ITEM_FIELDS,
        "item of another vendor": FOREIGN,
        "content": CONTENT,
        "annotation": ANNOTATIONS,
        "tool": TOOLS,
        "tool_choice": CHOICES,
    },
    answers=ANSWERS,
)
