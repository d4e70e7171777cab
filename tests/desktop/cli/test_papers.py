"""The command `papers`, and the export of some of its pairs; their results as JSON."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from desktop.cli.main import main
from desktop.jobs.review.answers import answer
from miner.progress import Progress
from miner.records import Answer
from storage.project import Project
from tests import hostile_files
from tests.miner.parsing.embedded.test_wrong_characters import FERRIES
from tests.miner.parsing.pdf_factory import LEFT, Sheet
from tests.old_project import make_old_project
from tests.sample_papers import SAMPLES

Run = Callable[..., Any]


@pytest.fixture
def run(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs a command: its JSON, or what it says where it fails."""
    monkeypatch.chdir(tmp_path)

    def run(*words: str | Path) -> Any:
        code = main([*map(str, words), "--json"])
        out, err = capsys.readouterr()
        assert "Traceback" not in err
        return json.loads(out) if code == 0 else err

    return run


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("template") / "demo.pairwright"
    others = [hostile_files.scan_pdf(path.parent), hostile_files.tei(path.parent)]
    for words in (
        ["new", path],
        ["--project", path, "add", SAMPLES / "ecology", "--domain", "ecology", "--jobs", "1"],
        ["--project", path, "add", SAMPLES / "nlp", "--domain", "nlp", "--jobs", "1"],
        ["--project", path, "add", *others, "--jobs", "1"],
        ["--project", path, "mine", "--jobs", "1", "--model", "none"],
    ):
        main([*map(str, words)])
    return path


@pytest.fixture
def project(template: Path, run: Run, tmp_path: Path) -> Path:
    """Five papers of two domains, mined, and a scan, which has no text."""
    return Path(shutil.copy(template, tmp_path))


def test_papers_are_listed_with_the_files_that_were_not_read(
    run: Run, project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    everything = run("papers")
    assert len(everything) == len(run("papers", "list")) == 6
    [scan] = run("papers", "list", "--failed")
    assert (scan["code"], scan["pairs"]) == ("scan", 0)
    of_nlp = run("papers", "list", "--of-domain", "nlp")
    assert {paper["domain"] for paper in of_nlp} == {"nlp"}
    assert run("papers", "--of-domain", "nlp") == run("papers", "--of-domain", "nlp", "list") == of_nlp
    assert run("papers", "--failed") == [scan]
    assert run("papers", "--search", "no such words") == []
    assert run("papers", "list", of_nlp[0]["md5"][:8]) == of_nlp[:1]
    assert run("papers", "list", of_nlp[0]["path"]) == of_nlp[:1]
    assert "Did you mean “ecology”?" in run("papers", "list", "--of-domain", "ecolgy")
    assert main(["papers", "list"]) == 0
    text = capsys.readouterr().out
    assert of_nlp[0]["md5"][:8] in text
    assert "OCR" in text
    assert max(len(line) for line in text.splitlines() if not line.startswith("Not read")) <= 80


def test_the_stock_is_counted_and_its_papers_can_be_listed(
    run: Run, project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    stock = run("papers", "stock")
    assert stock["counts"]["failed"] == {"scan": 1}
    assert stock["counts"]["language"] == {"en": 5}
    for name, values in stock["counts"].items():
        for value, number in values.items():
            assert len(run("papers", "list", "--of", f"{name}={value}")) == number
    assert sum(sum(phrase["pairs"].values()) for phrase in stock["phrases"]) > 0
    assert "domain" in run("papers", "list", "--of", "colour=red")
    assert main(["papers", "stock"]) == 0
    assert "No text layer" in capsys.readouterr().out


def test_a_paper_is_shown_with_what_was_repaired_in_it(
    run: Run, project: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sheet = Sheet()
    sheet.lines(LEFT, 100, FERRIES)
    (tmp_path / "ferries.pdf").write_bytes(sheet.bytes())
    run("add", "ferries.pdf", "--domain", "sea", "--jobs", "1")
    [shown] = run("papers", "show", "ferries.pdf")
    assert (shown["repaired_characters"], shown["repaired_fonts"], shown["hidden_words"]) == (9, 1, 0)
    assert (shown["domain"], shown["licence"]) == ("sea", "")
    assert shown["files"] == [{"path": str(tmp_path / "ferries.pdf"), "line": 0, "is_there": True}]
    assert main(["papers", "show", "ferries.pdf"]) == 0
    text = capsys.readouterr().out
    assert "9 characters of 1 font were repaired" in text
    assert "licence unknown" in text
    [scan] = run("papers", "show", "--failed")
    assert scan["code"] == "scan"
    assert "No papers are named" in run("papers", "show")


def test_papers_are_edited_and_it_is_undone(run: Run, project: Path) -> None:
    assert run("papers", "edit", "--of-domain", "nlp", "--domain", "language", "--year", "")["count"] == 2
    assert run("stats")["domains"]["language"] == 2
    assert {paper["year"] for paper in run("papers", "list", "--of-domain", "language")} == {None}
    run("undo")
    assert "language" not in run("stats")["domains"]
    run("redo")
    assert run("stats")["domains"]["language"] == 2
    paper = run("papers", "list", "--of-domain", "language")[0]["md5"]
    run("papers", "edit", paper[:6], "--title", "Sand", "--author", "A. Bee", "--author", "C. Dee")
    run("papers", "edit", paper[:6], "--language", "Dutch")
    [changed] = run("papers", "list", paper[:6])
    assert (changed["title"], changed["authors"]) == ("Sand", ["A. Bee", "C. Dee"])
    assert changed["language"] == "nl"
    assert "must be a language" in run("papers", "edit", paper[:6], "--language", "Klingon")


def test_papers_are_removed_but_judged_ones_only_when_it_is_said_so(run: Run, project: Path) -> None:
    [paper, *_] = run("papers", "list", "--of-domain", "nlp")
    with Project.open(project) as opened:
        with opened.read_transaction() as stores:
            key = stores.pairs.of_paper(paper["md5"])[0].key
        answer(opened, [key], "", Answer.NEUTRAL).work(Progress())
    assert "No papers are named" in run("papers", "remove", "--search", "")
    before = run("stats")["papers"]
    words = [paper["md5"] for paper in run("papers") if paper["md5"]]
    assert "1 pair of 5 papers and 1 failed file has been annotated" in run("papers", "remove", *words)
    assert run("stats")["papers"] == before
    run("papers", "remove", *words, "--yes")
    assert run("stats")["papers"] == 0
    run("undo")
    assert run("stats")["papers"] == before


def test_files_that_failed_are_tried_again(run: Run, project: Path, tmp_path: Path) -> None:
    [scan] = run("papers", "list", "--failed")
    hostile_files.plain_pdf(tmp_path).rename(scan["path"])
    assert "no such papers" in run("papers", "retry", "--search", "no such words")
    assert "could be read" in run("papers", "retry", "--of-domain", "nlp")
    assert run("papers", "retry", "--domain", "scans", "--jobs", "1")["new"] == 1
    assert run("papers", "list", "--failed") == []
    assert run("stats")["domains"]["scans"] == 1


def test_what_names_no_paper_is_refused(run: Run, project: Path) -> None:
    assert "No paper here is called zzzz" in run("papers", "remove", "zzzz")
    assert "No change is given" in run("papers", "edit", "--of-domain", "nlp")
    assert "No papers are named" in run("papers", "edit", "--domain", "x")


def test_an_export_takes_the_pairs_of_a_filter(run: Run, project: Path, tmp_path: Path) -> None:
    receipt = run("export", "out", "--preset", "full", "--where", "domain=nlp", "--where", "label=neutral,reasoning")
    rows = [json.loads(line) for line in (tmp_path / "out" / "pairs.jsonl").read_text().splitlines()]
    assert receipt["rows"] == len(rows) > 0
    assert {row["domain"] for row in rows} == {"nlp"}
    assert {row["label"] for row in rows} == {"neutral", "reasoning"}
    assert "Pairs have no “domian”" in run("export", "out2", "--where", "domian=nlp")


def test_papers_of_an_earlier_version_are_parsed_again_when_asked(
    run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    make_old_project(tmp_path / "old.pairwright", tmp_path / "papers")
    offer = (
        "4 papers were parsed by an earlier version of Pairwright. To parse again (all answers are kept): pairwright "
        "papers reparse"
    )
    assert run("stats")["outdated"] == 4
    for words, is_offered in (
        (["stats"], True),
        (["info"], True),
        (["mine", "--jobs", "1", "--model", "none"], True),
        (["mine", "--jobs", "1", "--model", "none"], False),  # it was offered
        (["stats"], True),  # as what there is
    ):
        assert main(words) == 0
        assert (offer in "".join(capsys.readouterr())) is is_offered
    parsed = run("papers", "reparse", "--jobs", "1")
    assert (parsed["new"], parsed["failed"]) == (0, [])
    assert parsed["replaced"] + parsed["known"] == 4
    assert run("stats")["outdated"] == 0
    assert run("papers", "reparse")["replaced"] == 0
    assert main(["info"]) == 0
    assert "earlier version" not in capsys.readouterr().out
