"""Faults that software of this kind is known for: for each, the tests that hold it off, or why it cannot happen here.

A test is named as "file::function", or "file::function[word]" for its cases whose name holds the word.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from tests.conftest import ROOT


class NotHere(str):
    """Why a fault has no test."""

    __slots__ = ()


_GENERATE_CONTENT: Final = NotHere("a fault of generateContent's words, which no route of the gateway speaks")
_NO_STORE: Final = NotHere("the gateway stores nothing so far: what a vendor stores is asked of that vendor")
_WEBSOCKET: Final = NotHere("the WebSocket mode is not served so far; its upgrade is refused with 426, see J01")

_CITED: Final = "test_fault_citations::test_a_citation_stands_on_its_characters"
_SCHEMA: Final = "test_fault_requests::test_a_schema_is_one_that_gemini_takes"
_SSE: Final = "test_sse::test_a_stream"
_STREAM: Final = "test_responses_walk::test_a_stream_becomes"
_END: Final = "test_responses_endings::test_an_end"
_APART: Final = "test_responses_imitations::test_items_are_shown_apart"
_STATUS: Final = "test_lifecycle::test_the_status_ends_the_walk_and_the_last_item"
_ONE_ANSWER: Final = "test_fold::test_the_synthetic_pairs_are_one_answer"
_REPLAYED: Final = "test_replay::test_the_vendor_gets_back_what_it_said"
_LEAVING: Final = "test_transport::test_a_client_that_leaves_closes_the_vendors_line"
_TO_ARK: Final = "test_ark_input::test_an_item"
_ARK_FIELD: Final = "test_ark_request::test_a_field"
_TO_GEMINI: Final = "test_gemini_request::test_items"
_ARK_STREAM: Final = "test_ark_stream::test_what_ark_leaves_out_is_there"

CITATIONS: Final[dict[str, tuple[str, ...] | NotHere]] = {
    "A01": (f"{_CITED}[A01]", "test_hub_spans::test_bytes_are_not_characters"),
    "A02": (f"{_CITED}[A02]", "test_annotations::test_offsets[None-6]"),
    "A03": (f"{_CITED}[A03]", "test_annotations::test_citations_of_others_in_the_wires_words"),
    "A04": (f"{_CITED}[A04]", "test_spans::test_the_client_cuts_out_what_the_hub_does"),
    "A05": (f"{_CITED}[A05]", "test_readme::test_the_worked_citation_is_what_the_gateway_says"),
    "A07": (f"{_CITED}[A07]", "test_annotations::test_offsets[8-11]"),
    "A08": ("test_fault_requests::test_a_link_is_no_claim",),
    "A09": (f"{_CITED}[A09]",),
    "A10": (f"{_CITED}[A10]",),
    "A11": (f"{_CITED}[A11]", "test_annotations::test_offsets_count_from_the_block"),
    "A13": _GENERATE_CONTENT,
    "A14": ("test_responses_encode::test_a_citation_is_relative_to_its_own_part",),
    "B01": ("test_fault_citations::test_a_grounded_stream_tells_its_search_and_its_citations",),
    "B02": (f"{_STREAM}[B02",),
    "B03": _GENERATE_CONTENT,
    "B04": (_ONE_ANSWER, "test_fold::test_a_client_is_told_one_answer"),
    "B07": (_ONE_ANSWER, "test_steps::test_a_finished_interaction_folds_like_its_stream[a search]"),
    "B08": _GENERATE_CONTENT,
    "B09": ("test_fault_citations::test_a_grounded_stream_tells_its_search_and_its_citations",),
    "B10": ("test_annotations::test_every_type", "test_fault_citations::test_pages_and_files_keep_each_its_own_fields"),
    "B11": (
        "test_annotations::test_every_type",
        "test_annotations::test_own_words_are_repeated_while_they_say_the_same",
    ),
    "B12": ("test_ark_stream::test_a_citation_stands_where_it_arrived", _ONE_ANSWER),
    "B13": (f"{_STREAM}[B13", "test_walk_grammar::test_a_broken_walk[B13"),
    "B14": ("test_ark_stream::test_citations_are_counted_as_they_are_shown",),
    "B15": (f"{_STREAM}[B15",),
    "B16": NotHere("a fault of the chat dialect, which no route of the gateway speaks"),
    "B17": ("test_interactions_coverage::test_deltas", "test_steps::test_a_step_becomes[a delta of nothing known]"),
    "B18": ("test_fault_citations::test_pages_and_files_keep_each_its_own_fields",),
    "B19": ("test_responses_encode::test_a_citation[B19",),
    "B20": (
        "test_responses_encode::test_a_citation[B20",
        "test_ark_stream::test_a_citation_stands_where_it_arrived[B20",
    ),
    "B21": ("test_spans::test_the_client_cuts_out_what_the_hub_does",),
    "B22": ("test_responses_encode::test_a_vendor_of_the_dialect_that_leaves_a_field_out",),
    "B23": (_ARK_STREAM,),
    "B25": (
        "test_openai_request::test_an_item[B25",
        "test_identity::test_a_replayed_text_without_annotations_gets_the_empty_list",
    ),
    "B26": ("test_responses_encode::test_a_citation[B26",),
    "B27": (f"{_STREAM}[B02, B27", "test_grammar::test_a_recording_becomes_a_well_formed_stream"),
    "B28": ("test_fault_citations::test_an_address_that_redirects_is_passed_as_it_is",),
    "B29": NotHere("no fault of a gateway: a model need not search, and no test here asks a live one"),
}

STREAMS: Final[dict[str, tuple[str, ...] | NotHere]] = {
    "C01": ("test_responses_encode::test_a_response_has_every_field_that_clients_read",),
    "C02": (f"{_APART}[C02",),
    "C03": (
        "test_responses_encode::test_items_have_ids_of_their_kind_and_no_two_the_same",
        "test_tags::test_an_id_says_whose_it_is",
    ),
    "C04": (f"{_STREAM}[C04",),
    "C05": (f"{_STREAM}[C05",),
    "C06": ("test_responses_encode::test_a_sequence", "test_exchange::test_a_json_answer_to_a_stream_is_streamed"),
    "C07": (f"{_STREAM}[C07", "test_responses_imitations::test_a_call_is_not_shown_before_its_name"),
    "C08": (f"{_STREAM}[C08",),
    "C09": (f"{_STREAM}[C09",),
    "C10": (f"{_APART}[C10", "test_responses_encode::test_items_that_overlap_keep_their_own_indexes"),
    "C11": (
        "test_ark_stream::test_a_message_that_is_cut[before a word]",
        "test_steps::test_a_step_becomes[empty output",
    ),
    "C12": (_ARK_STREAM, "test_identity::test_events_of_before_numbers_are_numbered"),
    "C13": (f"{_STREAM}[C13",),
    "C14": ("test_responses_encode::test_an_item[C14",),
    "C16": ("test_responses_imitations::test_the_terminal_response_tells_the_items_again[C16",),
    "C17": ("test_responses_endings::test_what_is_open_is_closed_in_the_order_it_was_opened",),
    "C19": ("test_responses_imitations::test_items_are_shown_apart[indexes with a gap]",),
    "C20": (f"{_STREAM}[C20",),
    "C22": ("test_responses_endings::test_an_end_as_the_client_is_shown_it",),
    "C23": (f"{_STREAM}[C23", "test_responses_encode::test_an_answer_that_never_began_still_has_a_beginning"),
    "C24": ("test_responses_encode::test_a_sequence", _ARK_STREAM),
    "C25": (f"{_STREAM}[C08, C25", "test_responses_encode::test_a_response_has_every_field_that_clients_read"),
    "C26": (f"{_STREAM}[C26",),
    "C27": ("test_responses_encode::test_what_the_vendor_does_not_say_is_made",),
    "C28": ("test_responses_encode::test_a_beginning_is_sent_at_once",),
    "C29": (f"{_STREAM}[C29",),
    "D01": (f"{_END}[D01", "test_lifecycle::test_a_cut_stream_fails_with_its_text_kept"),
    "D02": (f"{_END}[D01, D02", "test_grammar::test_a_stream_cut_anywhere_is_well_formed"),
    "D03": (f"{_END}[D01, D02, D03", "test_transport::test_a_broken_stream_ends_as_failed_with_its_text_kept[cut"),
    "D04": ("test_responses_endings::test_an_error_of_a_stream_has_the_status_that_its_code_tells",),
    "D05": (f"{_END}[D05", "test_responses_endings::test_a_broken_line_ends_what_was_said"),
    "D06": (f"{_STREAM}[D06", "test_transport::test_a_line_kept_open_after_the_last_event_is_closed"),
    "D07": (f"{_STREAM}[D07", f"{_SSE}[D07"),
    "D09": (f"{_STREAM}[D09",),
    "D10": ("test_responses_endings::test_an_end_as_the_client_is_shown_it[K03",),
    "D12": (f"{_END}[D12",),
    "D13": ("test_responses_endings::test_an_end_as_the_client_is_shown_it[failed]",),
    "D14": (f"{_END}[D14",),
    "D15": ("test_responses_errors::test_a_client_is_told_in_its_own_shape", "test_gemini_endpoint::test_error_bodies"),
    "D16": (
        "test_responses_endings::test_an_end_as_the_client_is_shown_it",
        "test_synthetic_recordings_sdk::test_openai",
    ),
    "D17": NotHere("a fault of clients: their helper raises where a limit was reached, whatever the gateway sends"),
    "D18": (
        "test_responses_endings::test_an_error_before_the_beginning_is_no_stream",
        "test_exchange::test_what_fails_at_once_is_an_http_error",
    ),
    "E01": (f"{_SSE}[E01", "test_transport::test_a_silent_stream_is_kept_alive_with_comments"),
    "E02": (f"{_SSE}[E01, E02", "test_http::test_a_silent_stream_gets_comments_between_its_frames"),
    "E03": (f"{_SSE}[E03",),
    "E05": (f"{_SSE}[E05",),
    "E06": (f"{_SSE}[E06",),
    "E07": (f"{_SSE}[E07", "test_sse::test_frames_are_read_as_they_were_written"),
    "E08": (f"{_SSE}[E08", "test_transport::test_line_ends_comments_and_cuts_at_every_byte_do_not_matter"),
    "E09": (f"{_SSE}[E09", "test_chunking::test_every_line_end_tells_the_same_events"),
    "E11": (
        "test_sse::test_an_event_as_large_as_the_limit_passes_and_a_larger_one_does_not",
        "test_transport::test_an_event_of_many_megabytes_passes",
    ),
    "E13": ("test_transport::test_the_vendor_hears_nothing_but_the_call",),
    "E14": (_STATUS, "test_lifecycle::test_the_end_mark_says_nothing"),
    "F01": (_LEAVING,),
    "F02": (_LEAVING, "test_http::test_a_cancelled_stream_closes_its_source"),
    "F04": (f"{_LEAVING}[hang-body3", "test_http::test_leaving_cancels_the_work"),
    "F05": (_LEAVING, "test_transport::test_a_body_that_ends_just_after_its_last_event_leaves_the_connection_of_use"),
    "F06": ("test_purity::test_banned_words",),
}

REQUESTS: Final[dict[str, tuple[str, ...] | NotHere]] = {
    "G01": (_REPLAYED, f"{_TO_GEMINI}[what rides with an item]"),
    "G02": (f"{_TO_GEMINI}[a thought]", f"{_TO_GEMINI}[a call and its result]"),
    "G03": (
        "test_tags::test_a_long_id_becomes_a_short_one_that_is_always_the_same",
        "test_openai_request::test_long_call_ids_are_shortened_alike_in_the_call_and_its_output",
    ),
    "G04": ("test_tags::test_a_long_id_becomes_a_short_one_that_is_always_the_same",),
    "G06": (f"{_TO_GEMINI}[parallel calls]", f"{_TO_GEMINI}[parallel calls, told in turns]"),
    "G07": (f"{_TO_GEMINI}[parallel calls, told in turns]", f"{_TO_GEMINI}[calls in turns]"),
    "G08": _GENERATE_CONTENT,
    "G10": (
        "test_ark_stream::test_a_call_without_a_call_id_gets_one",
        "test_steps::test_a_step_becomes[a call without id",
    ),
    "G11": (f"{_APART}[G11", f"{_STREAM}[G11", "test_steps::test_a_step_becomes[parallel calls, interleaved]"),
    "G12": (f"{_STREAM}[G12", "test_steps::test_a_step_becomes[arguments told twice are sent once]"),
    "G13": (f"{_STREAM}[G13", "test_steps::test_a_step_becomes[a call all at once]"),
    "G14": (f"{_STREAM}[G14", "test_steps::test_a_step_becomes[a call without arguments]"),
    "G15": (f"{_STREAM}[G15", f"{_TO_ARK}[G15"),
    "G16": ("test_ark_stream::test_a_call_without_a_call_id_gets_one",),
    "G18": (f"{_TO_GEMINI}[calls of another vendor]",),
    "G19": (_REPLAYED, "test_steps::test_a_step_becomes[a signed call]"),
    "G20": (f"{_STREAM}[G20",),
    "G21": ("test_fault_faces::test_a_call_is_a_step_of_a_whole_answer",),
    "G22": ("test_fault_faces::test_a_step_starts_once_and_a_call_requires_action",),
    "G23": _GENERATE_CONTENT,
    **{row: (f"{_SCHEMA}[{row}",) for row in ("H01", "H02", "H03", "H04", "H06", "H07", "H08", "H09", "H10")},
    "H12": ("test_fault_requests::test_a_schema_beside_a_search_is_sent",),
    "H13": ("test_fault_requests::test_a_model_without_guided_decoding_is_told_in_arks_words",),
    "I01": _NO_STORE,
    "I02": _NO_STORE,
    "I03": NotHere("no answer is stored so far, so none can be asked for again: the route does not exist (404)"),
    "I04": (f"{_TO_ARK}[I04", "test_openai_request::test_an_item[I04", f"{_TO_GEMINI}[thoughts of others]"),
    "I05": ("test_fault_requests::test_sealed_reasoning_is_asked_for_and_comes_back",),
    "I07": (f"{_TO_ARK}[I07", "test_openai_request::test_an_item[I07"),
    "I08": (
        "test_tags::test_a_previous_response_that_the_vendor_cannot_know_is_refused",
        "test_ark_request::test_a_previous_response_of_another_vendor_is_refused",
    ),
    "I09": _NO_STORE,
    "I10": ("test_fold::test_a_stream_is_the_answer_that_its_end_tells", _STATUS),
    "I11": ("test_lifecycle::test_the_revision_before_steps_is_refused",),
    "I12": ("test_gemini_request::test_fields[previous]",),
    "I14": ("test_fault_requests::test_whether_to_store_reaches_every_vendor",),
    "J01": ("test_transport::test_every_refusal_speaks_the_dialect[426",),
    "J02": ("test_fault_requests::test_an_envelope_of_a_websocket_stays_behind",),
    "J03": _WEBSOCKET,
    "K01": (
        "test_gemini_endpoint::test_how_long_to_wait[45.8",
        "test_http::test_when_to_try_again_is_told_where_it_is_known",
        "test_gemini_endpoint::test_a_quota_of_the_day_does_not_come_back_by_waiting",
    ),
    "K02": ("test_exchange::test_what_fails_at_once_is_an_http_error",),
    "K03": (f"{_END}[K03", f"{_STATUS}[True-incomplete]"),
    "K04": ("test_fault_requests::test_a_limit_of_tokens_reaches_every_vendor",),
    "K06": ("test_lifecycle::test_a_filter_is_told_by_the_errors",),
    "K07": (f"{_STATUS}[True-brand_new]",),
    "K08": (f"{_STREAM}[K08", f"{_TO_ARK}[K08", f"{_TO_GEMINI}[a refusal]"),
    "K09": ("test_responses_endings::test_an_end_as_the_client_is_shown_it",),
    "K10": ("test_fault_requests::test_an_error_is_never_the_answers_text",),
    "L01": ("test_fault_requests::test_a_file_of_another_vendor_is_refused",),
    "L02": ("test_fault_requests::test_a_file_of_a_bucket_must_tell_its_type",),
    "L03": ("test_fault_requests::test_an_address_is_passed_with_its_type",),
    "L04": ("test_fault_requests::test_an_address_is_passed_with_its_type",),
    "L06": (
        "test_steps::test_a_hosted_pair_becomes_one_item[code_execution]",
        "test_steps::test_code_output_has_images",
    ),
    "L07": ("test_ark_stream::test_usage[L07", "test_lifecycle::test_the_last_usage_counts_and_none_is_none"),
    "L08": ("test_responses_encode::test_usage_has_what_clients_read[L08", "test_ark_stream::test_usage[L08"),
    "L09": ("test_lifecycle::test_usage", "test_ark_stream::test_usage[L09"),
    "L10": ("test_responses_encode::test_usage_has_what_clients_read[L10",),
    "L11": (f"{_TO_ARK}[L11", "test_openai_request::test_what_the_gateway_answered_can_be_sent_back_to_openai"),
    "M01": (_ARK_STREAM,),
    "M02": ("test_ark_request::test_a_tool[M02", f"{_ARK_FIELD}[M02"),
    "M03": (f"{_ARK_FIELD}[M03", "test_ark_stream::test_the_response_is_ours_and_arks_own_fields_stand_beside_it"),
    "M05": (f"{_SSE}[E01",),
    "M06": ("test_ark_request::test_what_cannot_be_done_and_must_not_be_ignored[M06",),
    "M07": ("test_ark_endpoint::test_a_model_that_is_not_found_is_told_in_arks_words",),
    "M08": (f"{_ARK_FIELD}[M08",),
    "M09": ("test_ark_endpoint::test_the_call",),
    "M10": ("test_ark_stream::test_a_citation_stands_where_it_arrived[M10",),
    "M11": ("test_openai_request::test_what_cannot_be_done_is_refused[M11", f"{_TO_ARK}[M11"),
}

FAULTS: Final = CITATIONS | STREAMS | REQUESTS


def nodes(files: Iterable[Path]) -> set[str]:
    """The tests of some files as "stem::function[case]", as pytest itself collects them."""
    options = ["--collect-only", "-q", "-p", "no:cacheprovider", "-o", "addopts=--import-mode=importlib"]
    command = [sys.executable, "-m", "pytest", *options, *map(str, files)]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False).stdout
    return {
        f"{Path(path).stem}::{test}"
        for path, mark, test in (line.partition("::") for line in listed.splitlines())
        if mark
    }


def found(name: str, collected: set[str]) -> bool:
    """Whether a test of that name, with such a case if one is named, is among those collected."""
    test, bracket, word = name.partition("[")
    cases = (node.partition("[") for node in collected)
    return any(node == test and (not bracket or word.rstrip("]") in case) for node, _, case in cases)


def test_every_fault_has_tests_that_exist() -> None:
    named = {name for tests in FAULTS.values() if not isinstance(tests, NotHere) for name in tests}
    stems = {name.partition("::")[0] for name in named}
    collected = nodes(path for path in (ROOT / "tests").rglob("test_*.py") if path.stem in stems)
    assert sorted(name for name in named if not found(name, collected)) == []


def test_every_fault_without_a_test_says_why() -> None:
    assert all(len(tests) > 20 if isinstance(tests, NotHere) else tests for tests in FAULTS.values())


def test_every_known_fault_has_its_row(shared: Path) -> None:
    listed = re.findall(r"^\| ([A-M]\d\d) \|", (shared / "faults.md").read_text("utf-8"), re.MULTILINE)
    assert listed == sorted(FAULTS)
