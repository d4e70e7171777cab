"""Many PDFs at once: how fast, in what order, and what survives a busy, dying or broken server."""

import threading
import time
from collections.abc import Callable, Iterator
from functools import partial

import pytest
from grobid_job import quick, run_job, task, tasks
from replay import Fault, ReplayServer, faults, tiny_pdf
from replay.faults import Cut
from replay.log import Entry

from miner.parsing.grobid import (
    FileState,
    ParsedPdf,
    PdfTask,
    parse_with_grobid,
    ready_server,
    request_parameters,
    tei_key,
)
from miner.progress import Cancelled, Progress

Start = Callable[..., ReplayServer]


def overlapping(entries: list[Entry]) -> list[tuple[int, int]]:
    """Pairs of requests that were on engines at the same time."""
    ran = [e for e in entries if e.engine_from is not None and e.engine_to is not None]
    return [
        (a.number, b.number) for a in ran for b in ran if a is not b and a.engine_from <= b.engine_from < a.engine_to
    ]


def test_every_file_has_one_outcome(start_replay: Start) -> None:
    server = start_replay()
    given = tasks(12)
    server.script.add(faults.error("NO_BLOCKS"), sha256=given[3].sha256)
    server.script.add(faults.busy(), times=2)
    ran = run_job(server, given)
    assert sorted(outcome.task.sha256 for outcome in ran.outcomes) == sorted(one.sha256 for one in given)
    assert (len(ran.parsed), len(ran.failed)) == (11, 1)


def test_a_file_passes_through_its_states_in_order(start_replay: Start) -> None:
    [given] = tasks(1)
    ran = run_job(start_replay(), [given])
    assert ran.states(given) == [
        FileState.READING,
        FileState.SENDING,
        FileState.WAITING,
        FileState.PARSING,
        FileState.DONE,
    ]


def test_outcomes_come_while_others_are_still_on_their_way(start_replay: Start) -> None:
    server = start_replay()
    given = tasks(4)
    grobid, progress = quick(server), Progress()
    outcomes = parse_with_grobid(given, grobid, ready_server(grobid, progress), progress=progress)
    server.script.add(faults.latency(60), sha256=given[0].sha256)
    assert next(outcomes).task is not given[0]
    outcomes.close()


def test_no_files_is_no_work(start_replay: Start) -> None:
    assert run_job(start_replay(), []).outcomes == []


def test_a_server_that_hides_its_engines_gets_two_files_and_more_after_twenty_successes(start_replay: Start) -> None:
    server = start_replay(latency=0.04)
    assert len(run_job(server, tasks(50), concurrency=3).parsed) == 50
    assert max(overlapping_count(server.log.entries[:18])) <= 2
    assert server.log.peak == 3


def overlapping_count(entries: list[Entry]) -> Iterator[int]:
    for entry in entries:
        assert entry.engine_from is not None
        yield sum(
            e.engine_from <= entry.engine_from < e.engine_to
            for e in entries
            if e.engine_from is not None and e.engine_to is not None
        )


def test_in_flight_is_at_most_the_engines_a_server_tells_of(start_replay: Start) -> None:
    server = start_replay(profile="0.9", concurrency=3, latency=0.01)
    assert len(run_job(server, tasks(40), concurrency=8).parsed) == 40
    assert 1 < server.log.peak <= 3


def test_in_flight_is_at_most_what_the_user_allows(start_replay: Start) -> None:
    server = start_replay(profile="0.9", concurrency=10, latency=0.01)
    assert len(run_job(server, tasks(30), concurrency=4).parsed) == 30
    assert 1 < server.log.peak <= 4


def test_a_busy_server_gets_fewer_files_at_a_time(start_replay: Start) -> None:
    server = start_replay(profile="0.9", concurrency=4, latency=0.02)
    server.script.add(faults.busy(), nth=range(1, 9))
    assert len(run_job(server, tasks(10)).parsed) == 10
    assert overlapping(server.log.entries) == []


def test_a_storm_of_503s_ends_with_every_file_done(start_replay: Start) -> None:
    server = start_replay(concurrency=2, pool_max_wait=0.001, latency=0.001, seed=7)
    server.script.add(faults.busy(), probability=0.5)
    given = tasks(100)
    ran = run_job(server, given, busy_delay=0.001, max_busy_delay=0.004)
    assert (len(ran.parsed), ran.failed, ran.paused) == (100, [], None)
    assert server.log.peak <= 10
    answered = [entry.sha256 for entry in server.log.entries if entry.status == 200]
    assert sorted(answered) == sorted(one.sha256 for one in given)


def test_waits_grow_with_jitter_up_to_the_cap(start_replay: Start) -> None:
    server = start_replay()
    server.script.add(faults.busy(), times=6)
    ran = run_job(server, tasks(1), busy_delay=0.01, max_busy_delay=0.04)
    waits = [change.seconds for change in ran.changes if change.state is FileState.BUSY]
    for wait, most in zip(waits, [0.01, 0.02, 0.04, 0.04, 0.04, 0.04], strict=True):
        assert most / 2 <= wait <= most


@pytest.mark.parametrize(("header", "seconds"), [("0", 0.0), ("100000", 0.2)])
def test_retry_after_is_honoured_up_to_a_limit(start_replay: Start, header: str, seconds: float) -> None:
    server = start_replay()
    server.script.add(faults.busy(retry_after=header), times=1)
    ran = run_job(server, tasks(1))
    assert [change.seconds for change in ran.changes if change.state is FileState.BUSY] == [seconds]


def test_a_server_that_stays_busy_pauses_the_job(start_replay: Start) -> None:
    server = start_replay()
    server.script.add(faults.busy(), nth=range(3, 10_000))
    ran = run_job(server, tasks(6), busy_timeout=0.2)
    assert ran.paused is not None
    assert ran.paused.code == "busy"
    assert (len(ran.parsed), ran.failed) == (2, [])


def test_tasks_are_drawn_a_few_ahead_of_what_is_sent(start_replay: Start) -> None:
    server = start_replay(latency=60)
    drawn: list[int] = []

    def many() -> Iterator[PdfTask]:
        for number in range(1000):
            drawn.append(number)
            yield task(tiny_pdf(f"Paper {number}"))

    grobid, progress = quick(server, concurrency=4), Progress()
    outcomes = parse_with_grobid(many(), grobid, ready_server(grobid, progress), progress=progress)
    threading.Timer(0.5, progress.cancel).start()
    with pytest.raises(Cancelled):
        next(outcomes)
    assert len(drawn) <= 8


def test_content_that_is_given_is_sent_and_let_go_and_read_only_when_it_is_sent_again(start_replay: Start) -> None:
    server = start_replay()
    pdfs = [tiny_pdf(f"Paper {number}") for number in range(2)]
    reads: list[int] = []

    def read(number: int) -> bytes:
        reads.append(number)
        return pdfs[number]

    given = [task(pdf, partial(read, number)) for number, pdf in enumerate(pdfs)]
    for one, pdf in zip(given, pdfs, strict=True):
        one.content = pdf
    server.script.add(faults.busy(), sha256=given[1].sha256, times=1)
    assert len(run_job(server, given).parsed) == 2
    assert reads == [1]
    assert [one.content for one in given] == [None, None]


def test_a_second_run_finds_every_key_and_sends_nothing(start_replay: Start) -> None:
    server = start_replay()
    given = tasks(5)
    server.script.add(faults.error("NO_BLOCKS"), sha256=given[0].sha256)
    server.script.add(faults.error("GENERAL", only_segmented=True), sha256=given[1].sha256)
    kept = {outcome.key for outcome in run_job(server, given).outcomes}
    posts = len(server.log.entries)
    grobid = quick(server)
    version = ready_server(grobid, Progress()).version_key
    left = [one for one in given if tei_key(one.sha256, request_parameters(grobid), version) not in kept]
    assert run_job(server, left).outcomes == []
    assert len(server.log.entries) == posts


def test_another_version_or_other_parameters_are_another_key(start_replay: Start) -> None:
    server = start_replay()
    given = tasks(1)
    [old] = run_job(server, given).parsed
    [paragraphs] = run_job(server, given, segment_sentences=False).parsed
    server.revision = "fffffff"
    [new] = run_job(server, given).parsed
    assert len({old.key, paragraphs.key, new.key}) == 3


def test_a_server_exchanged_under_the_job_is_noticed_by_its_answers(start_replay: Start) -> None:
    server = start_replay()
    server.version = "0.8.1"
    grobid = quick(server)
    known = ready_server(grobid, Progress())
    server.version = "0.8.2"  # as the recorded answers say
    [parsed] = run_job(server, tasks(1), known=known).parsed
    assert parsed.server == "0.8.2+a91ee48"


def test_few_pdfs_are_in_memory_at_a_time(start_replay: Start) -> None:
    server = start_replay(profile="0.9", concurrency=2, latency=0.005)
    alive, most, guard = 0, 0, threading.Lock()

    class Counted(bytes):
        def __del__(self) -> None:
            nonlocal alive
            with guard:
                alive -= 1

    def read(pdf: bytes) -> bytes:
        nonlocal alive, most
        with guard:
            alive += 1
            most = max(most, alive)
        return Counted(pdf)

    given = [task(pdf, lambda pdf=pdf: read(pdf)) for pdf in (tiny_pdf(f"Paper {n}") for n in range(30))]
    assert len(run_job(server, given).parsed) == 30
    assert most <= 4


def test_a_file_that_took_too_long_is_tried_again_alone_at_the_end(start_replay: Start) -> None:
    server = start_replay(latency=0.01)
    given = tasks(8)
    server.script.add(faults.cut(Cut.NEVER), sha256=given[0].sha256, times=1)
    ran = run_job(server, given, read_timeout=1.0)
    assert len(ran.parsed) == 8
    last = server.log.entries[-1]
    assert last.sha256 == given[0].sha256
    assert not any(last.number in pair for pair in overlapping(server.log.entries))


def test_a_server_that_dies_and_returns_costs_no_file_anything(start_replay: Start) -> None:
    server = start_replay(latency=0.01)
    given = tasks(12)
    server.script.add(faults.crash(back_after=0.2), nth=5)
    ran = run_job(server, given)
    assert (len(ran.parsed), ran.failed, ran.paused) == (12, [], None)
    assert any(change.state is FileState.AWAY for change in ran.changes)


def test_a_file_that_kills_the_server_twice_when_alone_is_put_aside(start_replay: Start) -> None:
    server = start_replay(latency=0.01)
    given = tasks(8)
    server.script.add(faults.crash(back_after=0.15), sha256=given[2].sha256)
    ran = run_job(server, given)
    [failed] = ran.failed
    assert (failed.task, failed.code, failed.permanent) == (given[2], "stops_grobid", True)
    assert len(ran.parsed) == 7
    assert server.log.posts[given[2].sha256] == 3


def test_a_server_that_does_not_return_pauses_the_job_and_keeps_what_was_done(start_replay: Start) -> None:
    server = start_replay()
    server.script.add(faults.crash(back_after=3600), nth=4)
    ran = run_job(server, tasks(10), unreachable_timeout=0.3)
    assert ran.paused is not None
    assert (ran.paused.code, ran.failed) == ("not_running", [])
    assert 1 <= len(ran.parsed) <= 4
    assert server.url in str(ran.paused)


@pytest.mark.parametrize(
    "fault", [faults.error("TAGGING_ERROR"), faults.EMPTY_500, faults.status(520)], ids=lambda fault: fault.name
)
def test_five_different_files_failing_in_a_row_are_the_server_s_fault(start_replay: Start, fault: Fault) -> None:
    server = start_replay()
    server.script.add(fault, nth=range(4, 10_000))
    ran = run_job(server, tasks(20))
    assert ran.paused is not None
    assert (ran.paused.code, ran.failed) == ("failing", [])
    assert len(ran.parsed) == 3


def test_bad_files_among_good_ones_are_failures_of_their_own(start_replay: Start) -> None:
    server = start_replay()
    given = tasks(20)
    bad = given[::3]
    for one in bad:
        server.script.add(faults.error("GENERAL"), sha256=one.sha256)
    ran = run_job(server, given)
    assert {failed.task.sha256 for failed in ran.failed} == {one.sha256 for one in bad}
    assert (len(ran.parsed), ran.paused) == (13, None)


def cancelled_after(seconds: float, server: ReplayServer, count: int, **settings: float) -> float:
    """How long a job with nothing to hand over goes on after a cancel."""
    grobid, progress = quick(server, **settings), Progress()
    asked: list[float] = []

    def cancel() -> None:
        asked.append(time.monotonic())
        progress.cancel()

    known = ready_server(grobid, progress)
    outcomes = parse_with_grobid(tasks(count), grobid, known, progress=progress)
    threading.Timer(seconds, cancel).start()
    with pytest.raises(Cancelled):
        next(outcomes)
    return time.monotonic() - asked[0]


def test_cancel_takes_less_than_half_a_second_under_a_latency_of_a_minute(start_replay: Start) -> None:
    assert cancelled_after(0.3, start_replay(latency=60), 50) < 0.5


def test_cancel_wakes_a_job_that_waits_for_a_busy_server(start_replay: Start) -> None:
    server = start_replay()
    server.script.add(faults.busy())
    took = cancelled_after(0.3, server, 3, busy_delay=60, max_busy_delay=60)
    assert took < 0.5


def test_cancel_wakes_a_job_that_looks_for_a_server_that_has_gone(start_replay: Start) -> None:
    server = start_replay()
    server.script.add(faults.crash(back_after=3600))
    took = cancelled_after(0.3, server, 3, probe_delay=60)
    assert took < 0.5


def test_what_was_done_before_a_cancel_is_handed_over(start_replay: Start) -> None:
    server = start_replay()
    given = tasks(30)
    server.script.add(faults.latency(60), nth=range(11, 31))
    grobid, progress = quick(server), Progress()
    outcomes = parse_with_grobid(given, grobid, ready_server(grobid, progress), progress=progress)
    done = [next(outcomes) for _ in range(10)]
    progress.cancel()
    with pytest.raises(Cancelled):
        next(outcomes)
    assert all(isinstance(outcome, ParsedPdf) for outcome in done)


def test_a_bug_in_a_worker_reaches_the_job(start_replay: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    server = start_replay()
    seen: list[BaseException | None] = []
    monkeypatch.setattr(threading, "excepthook", lambda args: seen.append(args.exc_value))
    with pytest.raises(RuntimeError, match="worker thread died"):
        run_job(server, [task(tiny_pdf("x"), lambda: b"%PDF-" + str(1 // 0).encode())])
    while not seen:
        time.sleep(0.01)
    assert isinstance(seen[0], ZeroDivisionError)


def test_whatever_goes_wrong_every_file_has_exactly_one_outcome(start_replay: Start) -> None:
    server = start_replay(profile="0.9", concurrency=4, seed=3)
    for fault in (
        faults.busy(),
        faults.cut(Cut.RESET),
        faults.cut(Cut.MID_BODY),
        faults.TRUNCATED,
        faults.EMPTY_500,
        faults.error("GENERAL"),
        faults.error("NO_BLOCKS"),
        faults.status(502),
    ):
        server.script.add(fault, probability=0.05)
    server.script.add(faults.crash(back_after=0.1), nth=40)
    given = tasks(100)
    ran = run_job(server, given)
    assert ran.paused is None
    assert sorted(outcome.task.sha256 for outcome in ran.outcomes) == sorted(one.sha256 for one in given)
