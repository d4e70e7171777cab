"""Adding papers through GROBID: the whole job, against the replay server."""

from __future__ import annotations

import hashlib
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from replay import ReplayServer, faults, tiny_pdf

from desktop.cli.main import main
from desktop.jobs.papers.import_session import ImportOptions, ImportResult
from desktop.jobs.papers.imports import import_papers
from desktop.jobs.papers.outdated import count_outdated
from desktop.jobs.papers.reparsing import parse_outdated
from miner.errors import UserError
from miner.parsing.grobid import GrobidSettings
from miner.progress import Cancelled, Progress
from miner.versions import TEI_VERSION
from storage.project import Project
from tests.sample_papers import SAMPLES
from tests.storage.factories import remove

ROOT = Path(__file__).parents[4]
Start = Callable[..., ReplayServer]


@pytest.fixture
def project(tmp_path: Path) -> Any:
    with Project.create(tmp_path / "p.pairwright") as opened:
        yield opened


@pytest.fixture
def pdfs(tmp_path: Path) -> Path:
    folder = tmp_path / "pdfs"
    folder.mkdir()
    for number in range(6):
        (folder / f"{number}.pdf").write_bytes(tiny_pdf(f"Paper {number}"))
    return folder


def quick(replay: ReplayServer) -> GrobidSettings:
    return GrobidSettings(
        replay.url, busy_delay=0.01, max_busy_delay=0.05, probe_delay=0.05, max_probe_delay=0.1, retry_delay=0.02
    )


def added(project: Project, replay: ReplayServer, *paths: Path, **options: Any) -> ImportResult:
    return import_papers(project, paths, ImportOptions(grobid=quick(replay), workers=1, **options)).work(Progress())


def posts(replay: ReplayServer) -> int:
    return len(replay.log.entries)


def test_papers_come_through_grobid_and_are_never_sent_twice(project: Project, pdfs: Path, start_replay: Start) -> None:
    replay = start_replay()
    assert added(project, replay, pdfs).new == 6
    assert posts(replay) == 6
    assert added(project, replay, pdfs).known == 6
    assert posts(replay) == 6
    with project.read_transaction() as stores:
        assert {paper.parser for paper in stores.papers.summaries()} == {"grobid"}


def test_a_pdf_under_two_names_is_sent_once(project: Project, pdfs: Path, start_replay: Start) -> None:
    (pdfs / "copy.pdf").write_bytes((pdfs / "0.pdf").read_bytes())
    replay = start_replay()
    found = added(project, replay, pdfs)
    assert (found.new, found.known, posts(replay)) == (6, 1, 6)


def test_a_removed_paper_is_read_again_from_the_kept_answer(project: Project, pdfs: Path, start_replay: Start) -> None:
    replay = start_replay()
    added(project, replay, pdfs / "0.pdf")
    with project.transaction() as stores:
        [md5] = stores.papers.md5s()
        remove(stores, md5)
    assert added(project, replay, pdfs / "0.pdf").new == 1
    assert posts(replay) == 1


def test_kept_answers_are_read_again_by_a_later_reader_without_a_server(
    project: Project, pdfs: Path, start_replay: Start
) -> None:
    replay = start_replay()
    added(project, replay, pdfs)
    with project.transaction() as stores:
        before = [stores.papers.get(md5) for md5 in stores.papers.md5s()]
        older = "UPDATE papers SET digest = 'older', parser_version = replace(parser_version, ?, 'reader 0')"
        stores._connection.exec_driver_sql(older, (f"reader {TEI_VERSION}",))
        assert count_outdated(stores).papers == 6
    again = parse_outdated(project, ImportOptions(workers=1)).work(Progress())
    assert (again.replaced, again.new, again.failed) == (6, 0, [])
    assert posts(replay) == 6, "nothing was sent"
    with project.read_transaction() as stores:
        assert count_outdated(stores).papers == 0
        assert [stores.papers.get(md5) for md5 in stores.papers.md5s()] == before


def test_what_grobid_refuses_is_remembered_until_retry(project: Project, pdfs: Path, start_replay: Start) -> None:
    replay = start_replay()
    replay.script.add(faults.error("NO_BLOCKS"))
    for _ in range(2):
        [problem] = added(project, replay, pdfs / "0.pdf").failed
        assert "OCR" in problem.reason + problem.hint
    assert posts(replay) == 1
    replay.script.clear()
    assert added(project, replay, pdfs / "0.pdf", retry=True).new == 1


def test_a_better_parse_by_grobid_replaces_our_own(project: Project, start_replay: Start) -> None:
    sample = SAMPLES / "nlp" / "village-minutes.pdf"
    import_papers(project, [sample], ImportOptions(workers=1)).work(Progress())
    found = added(project, start_replay(), sample)
    assert (found.replaced, found.new) == (1, 0)
    with project.read_transaction() as stores:
        [paper] = stores.papers.summaries()
    assert (paper.parser, paper.kind) == ("grobid", "pdf")


def test_a_server_in_trouble_stops_the_job_with_one_message_and_keeps_what_is_done(
    project: Project, pdfs: Path, start_replay: Start
) -> None:
    replay = start_replay()
    added(project, replay, pdfs / "0.pdf")
    replay.script.add(faults.status(401))
    with pytest.raises(UserError, match=r"(?i)address|proxy|401"):
        added(project, replay, pdfs)
    with project.read_transaction() as stores:
        assert (stores.papers.count(), stores.files.failures()) == (1, [])
    replay.script.clear()
    assert added(project, replay, pdfs).new == 5


def test_an_odd_answer_stops_nothing_in_this_run_or_a_later_one(
    project: Project, pdfs: Path, start_replay: Start
) -> None:
    replay = start_replay()
    odd = pdfs / "0.pdf"
    replay.script.add(faults.LOGIN_PAGE, sha256=hashlib.sha256(odd.read_bytes()).hexdigest())
    found = added(project, replay, pdfs)
    assert (found.new, [problem.code for problem in found.failed]) == (5, ["odd_answer"])
    again = added(project, replay, pdfs)
    assert (again.known, [problem.code for problem in again.failed]) == (5, ["odd_answer"])
    replay.script.clear()
    assert added(project, replay, pdfs).new == 1


def test_the_totals_are_told_where_the_server_is_in_trouble(
    tmp_path: Path, pdfs: Path, start_replay: Start, capsys: pytest.CaptureFixture[str]
) -> None:
    replay = start_replay()
    path = tmp_path / "told.pairwright"
    Project.create(path).close()
    words = ["add", "--project", str(path), "--parser", "grobid", "--grobid", replay.url, "--json"]
    assert main([*words, str(pdfs / "0.pdf")]) == 0
    capsys.readouterr()
    replay.script.add(faults.status(401))
    assert main([*words, str(pdfs)]) == 1
    told = capsys.readouterr()
    data = json.loads(told.out)
    assert (data["known"], data["given"], "401" in data["error"], bool(data["hint"])) == (1, 1, True, True)
    assert "error: " in told.err


def test_cancel_while_grobid_works_keeps_what_is_done(project: Project, pdfs: Path, start_replay: Start) -> None:
    replay = start_replay()
    added(project, replay, pdfs / "0.pdf")
    replay.script.add(faults.latency(60))
    progress = Progress()
    timer = threading.Timer(1.0, progress.cancel)
    timer.start()
    with pytest.raises(Cancelled):
        import_papers(project, [pdfs], ImportOptions(grobid=quick(replay))).work(progress)
    with project.read_transaction() as stores:
        assert stores.papers.count() == 1


def test_cancel_keeps_every_answer_that_had_come(tmp_path: Path, project: Project, start_replay: Start) -> None:
    folder = tmp_path / "many"
    folder.mkdir()
    for number in range(30):
        (folder / f"{number}.pdf").write_bytes(tiny_pdf(f"Many {number}"))
    replay = start_replay(concurrency=4)
    progress = Progress(lambda tick: progress.cancel() if tick.done == 3 else None)
    with pytest.raises(Cancelled):
        import_papers(project, [folder], ImportOptions(grobid=quick(replay))).work(progress)
    with project.read_transaction() as stores:
        kept = stores.papers.count()
    answered = sum(entry.answered for entry in replay.log.entries)
    assert kept >= 3
    assert answered - kept <= 4  # in flight when the wish came
    assert added(project, replay, folder).new == 30 - kept


@pytest.mark.posix
def test_kill_and_resume_sends_nothing_twice_but_what_was_in_flight(
    project: Project, pdfs: Path, start_replay: Start
) -> None:
    replay = start_replay(concurrency=2)
    replay.script.add(faults.latency(0.4))
    words = ["--project", project.path, "add", pdfs, "--parser", "grobid", "--grobid", replay.url]
    process = subprocess.Popen([sys.executable, "-m", "desktop", *map(str, words)], cwd=ROOT)
    while True:
        with project.read_transaction() as stores:
            if stores.papers.count() >= 2:
                break
        assert process.poll() is None
        time.sleep(0.02)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    replay.script.clear()
    with project.read_transaction() as stores:
        done = stores.papers.count()
    assert added(project, replay, pdfs).new == 6 - done
    assert posts(replay) <= 6 + 2
    with project.read_transaction() as stores:
        assert stores.papers.count() == 6
