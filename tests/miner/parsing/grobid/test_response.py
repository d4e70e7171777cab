"""What the job does about each kind of reply of GROBID: one PDF and one fault at a time."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from grobid_job import JobResult, run_job, task, tasks
from replay import Fault, ReplayServer, faults, tiny_pdf
from replay.faults import Cut

from miner.parsing.grobid import FileState, PdfTask

PDF = tiny_pdf("One paper")
Start = Callable[..., ReplayServer]


def with_fault(
    start_replay: Start, fault: Fault, times: int | None = None, **settings: object
) -> tuple[JobResult, int]:
    """What the job makes of a PDF whose answer has this fault, and how often it was sent."""
    server = start_replay(strict=True)
    server.script.add(fault, times=times)
    ran = run_job(server, [task(PDF)], **settings)
    return ran, len(server.log.entries)


def test_a_sound_answer_is_done_with_the_exact_bytes_and_the_pdf_s_identity(start_replay: Start) -> None:
    server = start_replay(strict=True)
    given = task(PDF)
    [parsed] = run_job(server, [given]).parsed
    assert parsed.tei == server.recordings.find(PDF, segmented=True)
    assert parsed.paper is not None
    assert (parsed.paper.md5, parsed.paper.sha256) == (given.md5, given.sha256)
    assert parsed.paper.title.startswith("Shade, heat")
    assert (parsed.server, parsed.flags) == ("0.8.2+a91ee48", ())


def test_an_answer_without_paragraphs_is_kept_and_has_no_paper(start_replay: Start) -> None:
    ran, posts = with_fault(start_replay, faults.EMPTY_BODY)
    [parsed] = ran.parsed
    assert parsed.paper is None
    assert b"<body/>" in parsed.tei
    assert posts == 1


@pytest.mark.parametrize(
    "fault",
    [faults.PLAIN_TEXT, faults.NO_CHARSET, faults.TEXT_XML, faults.BOM, faults.GZIP],
    ids=lambda fault: fault.name,
)
def test_odd_headers_do_not_spoil_a_sound_answer(start_replay: Start, fault: Fault) -> None:
    ran, posts = with_fault(start_replay, fault)
    assert len(ran.parsed) == posts == 1


@pytest.mark.parametrize("fault", [faults.FOUR_FIELDS, faults.NINE_FIELDS], ids=lambda fault: fault.name)
def test_bad_boxes_cost_the_boxes_only(start_replay: Start, fault: Fault) -> None:
    ran, _ = with_fault(start_replay, fault)
    paper = ran.parsed[0].paper
    assert paper is not None
    assert [paragraph.spans for section in paper.sections for paragraph in section.paragraphs if paragraph.spans] == []


@pytest.mark.parametrize("fault", [faults.GLUED, faults.FOOT], ids=lambda fault: fault.name)
def test_glued_sentences_and_footnote_marks_leave_the_text_as_it_is(start_replay: Start, fault: Fault) -> None:
    sound = run_job(start_replay(), [task(PDF)]).parsed[0].paper
    paper = with_fault(start_replay, fault)[0].parsed[0].paper
    assert paper is not None
    assert sound is not None
    assert [[p.text for p in s.paragraphs] for s in paper.sections] == [
        [p.text for p in s.paragraphs] for s in sound.sections
    ]
    assert not any(re.search(r"foot_0|[a-z]\.[A-Z]", p.text) for s in paper.sections for p in s.paragraphs)


FAILURES = [
    # fault, code, words the user sees, requests, remembered
    (faults.TRUNCATED, "incomplete", "Incomplete answer", 3, False),
    (faults.NOT_UTF8, "incomplete", "Incomplete answer", 3, False),
    (faults.OTHER_PDF, "incomplete", "another PDF", 3, False),
    (faults.status(204), "no_content", "GROBID found nothing", 1, True),
    (faults.status(400), "refused", "refused this file", 1, True),
    (faults.status(413), "refused", "refused this file", 1, True),
    (faults.error("NO_BLOCKS"), "scan", "No text layer", 1, True),
    (faults.error("BAD_INPUT_DATA"), "damaged", "Damaged or unreadable PDF", 1, True),
    (faults.error("TOO_MANY_BLOCKS"), "too_large", "Too large", 1, True),
    (faults.error("TOO_MANY_TOKENS"), "too_large", "Too large", 1, True),
    (faults.error("TIMEOUT"), "timeout", "took too long", 2, True),
    (faults.error("PDFALTO_CONVERSION_FAILURE"), "converter", "converter failed", 2, True),
    (faults.error("TAGGING_ERROR"), "grobid_failed", "GROBID failed on this file", 2, True),
    (faults.error("PARSING_ERROR"), "grobid_failed", "GROBID failed on this file", 2, True),
    (faults.error("GENERAL"), "grobid_general", "GROBID failed on this file", 3, True),
    (faults.EMPTY_500, "grobid_internal", "GROBID internal error", 2, True),
    (faults.HTML_500, "grobid_internal", "HTTP ERROR 500", 2, True),
    (faults.status(418), "grobid_internal", "status 418", 2, True),
    (faults.cut(Cut.RESET), "connection_lost", "Connection to GROBID lost", 3, False),
    (faults.cut(Cut.BEFORE_HEADERS), "connection_lost", "Connection to GROBID lost", 3, False),
    (faults.cut(Cut.AFTER_HEADERS), "connection_lost", "Connection to GROBID lost", 3, False),
    (faults.cut(Cut.MID_BODY), "connection_lost", "Connection to GROBID lost", 3, False),
    (faults.cut(Cut.MID_CHUNK), "connection_lost", "Connection to GROBID lost", 3, False),
    (faults.HUGE, "too_large", "answer is too large", 1, True),
    (faults.DEEP, "too_deep", "cannot be read", 1, True),
]


@pytest.mark.parametrize(
    ("fault", "code", "words", "posts", "permanent"), FAILURES, ids=[row[0].name for row in FAILURES]
)
def test_a_file_s_failure_has_its_reason_and_its_retries(
    start_replay: Start, fault: Fault, code: str, words: str, posts: int, permanent: bool
) -> None:
    ran, sent = with_fault(start_replay, fault)
    [failed] = ran.failed
    assert (failed.code, failed.permanent, sent) == (code, permanent, posts)
    assert words in failed.text
    assert ran.paused is None


@pytest.mark.parametrize(
    "fault", [row[0] for row in FAILURES if row[3] > 1], ids=[row[0].name for row in FAILURES if row[3] > 1]
)
def test_one_bad_answer_that_may_be_retried_is_made_good(start_replay: Start, fault: Fault) -> None:
    ran, posts = with_fault(start_replay, fault, times=1)
    assert (len(ran.parsed), ran.failed, posts) == (1, [], 2)


@pytest.mark.parametrize("cut", [Cut.NEVER, Cut.TRICKLE], ids=lambda cut: cut.name)
def test_an_answer_that_does_not_end_is_tried_twice_and_named_slow(start_replay: Start, cut: Cut) -> None:
    ran, posts = with_fault(start_replay, faults.cut(cut), read_timeout=0.2, extra_time=0.1)
    [failed] = ran.failed
    assert (failed.code, failed.permanent, posts) == ("timeout", False, 2)
    assert "took longer than" in failed.text


@pytest.mark.parametrize("code", [503, 429, 502, 504])
def test_a_busy_server_is_asked_until_it_answers(start_replay: Start, code: int) -> None:
    server = start_replay()
    server.script.add(faults.status(code), times=5)
    given = task(PDF)
    ran = run_job(server, [given])
    assert (len(ran.parsed), len(server.log.entries)) == (1, 6)
    assert ran.states(given).count(FileState.BUSY) == ran.parsed[0].waits == 5


def test_no_engine_as_a_500_is_a_busy_server_too(start_replay: Start) -> None:
    ran, posts = with_fault(start_replay, faults.error("GENERAL", "No GROBID engine available"), times=4)
    assert (len(ran.parsed), posts) == (1, 5)


def test_where_cutting_into_sentences_fails_grobid_is_asked_for_paragraphs(start_replay: Start) -> None:
    ran, posts = with_fault(start_replay, faults.error("GENERAL", only_segmented=True))
    [parsed] = ran.parsed
    assert posts == 3
    assert parsed.flags == ("split=local",)
    assert b"<s " not in parsed.tei


ODD = [
    (Fault("empty", body=b""), "not_grobid", "This address is not GROBID"),
    (faults.LOGIN_PAGE, "not_grobid", "This address is not GROBID"),
    (faults.JSON, "not_grobid", "This address is not GROBID"),
    (faults.XXE, "not_grobid", "This address is not GROBID"),
    (faults.BOMB, "not_grobid", "This address is not GROBID"),
    (faults.status(302, Location="http://127.0.0.1:9/"), "address", "status 302"),
    *((faults.status(code), "address", f"status {code}") for code in (401, 403, 404, 405, 406, 407, 415)),
]
PAUSES = [
    *((*row, 2) for row in ODD),
    (
        faults.error("PDFALTO_CONVERSION_FAILURE", "Cannot find pdfalto executable"),
        "install",
        "installation is broken",
        1,
    ),
    (faults.error("PDFALTO_CONVERSION_FAILURE", "Has libxml2 been installed?"), "install", "installation is broken", 1),
    (faults.error("GENERAL", "The input file cannot be written."), "install", "cannot write", 1),
]


@pytest.mark.parametrize(
    ("fault", "code", "words", "requests"), PAUSES, ids=[f"{row[0].name}-{row[2]}" for row in PAUSES]
)
def test_a_server_s_fault_pauses_the_job_and_is_held_against_no_file(
    start_replay: Start, fault: Fault, code: str, words: str, requests: int
) -> None:
    ran, posts = with_fault(start_replay, fault)
    assert ran.paused is not None
    assert (ran.paused.code, ran.outcomes, posts) == (code, [], requests)
    assert words in str(ran.paused)
    assert ran.paused.hint


@pytest.mark.parametrize("fault", [row[0] for row in ODD], ids=[row[0].name for row in ODD])
def test_one_odd_answer_among_sound_ones_is_its_file_s_failure(start_replay: Start, fault: Fault) -> None:
    server = start_replay()
    given = tasks(6)
    server.script.add(fault, sha256=given[0].sha256)
    ran = run_job(server, given)
    [failed] = ran.failed
    assert (failed.task, failed.code, failed.permanent) == (given[0], "odd_answer", False)
    assert (len(ran.parsed), ran.paused) == (5, None)


def test_an_odd_answer_alone_is_its_file_s_failure_where_grobid_has_answered_before(start_replay: Start) -> None:
    server = start_replay()
    server.script.add(faults.LOGIN_PAGE)
    ran = run_job(server, tasks(1), proven=True)
    assert ([failed.code for failed in ran.failed], ran.paused) == (["odd_answer"], None)
    assert "The answer for this file is not GROBID's" in ran.failed[0].text


def test_odd_answers_for_several_files_in_a_row_are_the_address(start_replay: Start) -> None:
    server = start_replay()
    server.script.add(faults.LOGIN_PAGE, nth=range(5, 10_000))
    ran = run_job(server, tasks(20), proven=True)
    assert ran.paused is not None
    assert (ran.paused.code, ran.failed) == ("not_grobid", [])
    assert len(ran.parsed) >= 4


def gone() -> bytes:
    raise FileNotFoundError(2, "No such file or directory")


def closed() -> bytes:
    raise PermissionError(13, "Permission denied")


@pytest.mark.parametrize(
    ("given", "code"),
    [
        (task(PDF, gone), "missing"),
        (task(PDF, closed), "unreadable"),
        (task(PDF, lambda: PDF + b"%more"), "changed"),
        (task(b"PK\x03\x04 renamed"), "not_pdf"),
        (task(b""), "not_pdf"),
        (task(PDF + b"%" * 4000), "too_large"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_file_that_is_no_pdf_is_told_from_a_reason_and_never_sent(
    start_replay: Start, given: PdfTask, code: str
) -> None:
    server = start_replay()
    [failed] = run_job(server, [given], max_pdf_bytes=4000).failed
    assert (failed.code, failed.permanent, len(server.log.entries)) == (code, False, 0)


def test_a_server_s_paths_do_not_reach_the_user(start_replay: Start) -> None:
    ran, _ = with_fault(start_replay, faults.error("PARSING_ERROR"))
    assert "/opt" not in ran.failed[0].text
    assert "Cannot parse file" in ran.failed[0].text


def test_the_server_learns_neither_the_file_s_name_nor_its_folder(start_replay: Start, tmp_path: Path) -> None:
    server = start_replay(strict=True)
    first, second = tmp_path / "a" / "secret.pdf", tmp_path / "b" / "secret.pdf"
    for path, text in ((first, "one"), (second, "two")):
        path.parent.mkdir()
        path.write_bytes(tiny_pdf(text))
    given = [task(path.read_bytes(), path.read_bytes) for path in (first, second)]
    assert len(run_job(server, given).parsed) == 2
    assert {entry.file_name for entry in server.log.entries} == {f"{one.sha256[:16]}.pdf" for one in given}
    assert "secret" not in str(server.log.entries)
