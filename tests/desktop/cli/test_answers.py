"""What commands say of a project and of what was typed: whole, right, and with a way out."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from desktop.__main__ import starts_window
from desktop.cli.main import main
from desktop.jobs.review.annotator import set_annotator
from desktop.jobs.review.answers import answer
from miner.progress import Progress
from miner.records import Answer
from storage.project import Project
from tests import hostile_files
from tests.desktop.cli.conftest import Run
from tests.sample_papers import SAMPLES

ROWS = "sentence1,sentence2,label\nOne thing is so.,another is not.,contrasting\n"


@pytest.fixture(scope="module")
def mined(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("mined") / "demo.pairwright"
    for words in (
        ["new", str(path)],
        ["--project", str(path), "add", str(SAMPLES / "ecology"), "--domain", "ecology", "--jobs", "1"],
        ["--project", str(path), "mine", "--jobs", "1", "--model", "none"],
    ):
        assert main(words) == 0
    return path


@pytest.fixture
def project(mined: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(mined, tmp_path))


def answered(project: Path, keys_of: Callable[[Project], list[str]], name: str = "ada") -> int:
    with Project.open(project) as opened:
        keys = keys_of(opened)
        set_annotator(opened, name).work(Progress())
        return answer(opened, keys, name, Answer.NEUTRAL).work(Progress()).count


def all_keys(opened: Project) -> list[str]:
    with opened.read_transaction() as stores:
        return [pair.key for md5 in stores.papers.md5s() for pair in stores.pairs.of_paper(md5)]


def test_a_project_of_imported_pairs_alone_is_not_told_to_mine(run: Run, tmp_path: Path) -> None:
    run("new", "demo.pairwright")
    (tmp_path / "rows.csv").write_text(ROWS)
    run("import", "rows.csv")
    for command in ("stats", "info"):
        said = run(command).out
        assert "1 imported data set, 1 pair" in said
        assert "0 papers" not in said
    assert "pairwright mine" not in run("stats").out
    assert "contrasting" in run("stats").out
    assert run("stats", "--json").data["data_sets"] == 1


def test_answers_are_told_of_also_those_that_no_longer_count(run: Run, project: Path) -> None:
    assert "No pair has been annotated yet." in run("info").out
    number = answered(project, all_keys)
    assert number > 2
    for command in ("stats", "info"):
        assert f"{number} annotated pairs: {number} settled." in run(command).out
        assert f"Answers: ada {number}." in run(command).out
    run("undo")
    assert "No pair has been annotated yet." in run("info").out
    run("redo")
    mined = run("mine", "--off", "However", "--jobs", "1", "--model", "none")
    answers = run("stats", "--json").data["answers"]
    assert answers["gone"] > 0
    assert answers["gone"] + answers["settled"] == number
    assert f"{answers['gone']} annotated pair" in mined.err
    assert "no longer found" in mined.err
    assert "because their papers were parsed again and their texts differ now" in mined.err.replace("\n", " ")
    assert "or because their paper was merged into another one." in mined.err
    assert "no longer found" in run("stats").out
    run("undo")
    assert run("stats", "--json").data["answers"]["gone"] == 0  # nothing holds of what was said of them
    assert "that mining no longer finds" not in run("export", "out", "--split", "none").out


def test_files_that_were_not_read_are_listed_with_their_reasons(run: Run, project: Path, tmp_path: Path) -> None:
    scan = hostile_files.scan_pdf(tmp_path)
    assert run("add", scan, "--jobs", "1").code == 1
    said = run("stats").out
    assert f"{scan}: " in said
    assert "OCR" in said


def test_an_export_without_pairs_says_why_and_writes_nothing(run: Run, project: Path, tmp_path: Path) -> None:
    run("export", "out", "--one-file")
    before = {path.name: path.read_bytes() for path in (tmp_path / "out").iterdir()}
    for words in (["--where", "year=1900"], ["--settled"]):
        for folder in ("out", "new"):
            ran = run("export", folder, "--one-file", *words)
            assert (ran.code, "No pair is left to export; nothing was written." in ran.err) == (1, True)
            assert " left out: " in ran.err
            assert "leak" not in ran.err
    assert {path.name: path.read_bytes() for path in (tmp_path / "out").iterdir()} == before
    assert not (tmp_path / "new").exists()
    run("new", "empty.pairwright")
    assert "Mine papers, or import a data set, first." in run("empty.pairwright", "export", "out2").err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["stat"], "There is no command stat.\nDid you mean stats?"),
        (["stats", "--jsn"], "There is no option --jsn.\nDid you mean --json?"),
        (["export", "out", "--preset", "scnli"], "Did you mean scinli?"),
        (["papers", "lst"], "Did you mean list?"),
        (["stats", "twice"], "Unexpected argument: twice."),
        (["mine", "--off", "Hwever"], "Did you mean “However”?"),
        (["disagreements", "--domain", "ecolgy"], "Did you mean “ecology”?"),
        (["disagreements", "--phrase", "Howeverr"], "Did you mean “However”?"),
        (["demo.pairwright", "stat"], "Did you mean stats?"),
        (["train", "--resume", "7-first"], "no training run 7-first"),
        (["train", "--delete", "7"], "no training run 7"),
        (["people", "role", "Ada", "king"], "There is no role called king."),
        (["merge", "nowhere"], "There is no nowhere. Check the path."),
        (["rebuild", "out/manifest.json", "--papers", "nowhere", "--out", "again"], "cannot be read"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_what_is_not_known_is_told_with_what_is_near(run: Run, project: Path, words: list[str], said: str) -> None:
    ran = run(*words)
    assert ran.code == 1
    assert said.lower() in ran.err.lower()


def test_a_project_may_be_given_first(run: Run, project: Path) -> None:
    assert run("demo.pairwright", "stats").out == run("stats", "--project", "demo.pairwright").out
    assert starts_window(["demo.pairwright"])
    assert starts_window(["demo.pairwright", "--data-dir", "x", "--verbose"])
    assert not starts_window(["demo.pairwright", "stats"])
    assert not starts_window(["demo.pairwright", "--json", "info"])


def test_a_path_that_is_not_there_is_a_failure_beside_any_number_of_papers(
    run: Run, project: Path, tmp_path: Path
) -> None:
    ran = run("add", SAMPLES / "nlp", "typo.pdf", "--jobs", "1")
    assert ran.code == 1
    assert "2 new papers" in ran.out
    assert ran.err.count("typo.pdf") == 1
    (tmp_path / "rows.csv").write_text(ROWS)
    assert run("import", "rows.csv", "typo.csv").code == 1


def test_links_that_lead_out_of_a_folder_are_named(run: Run, project: Path, tmp_path: Path) -> None:
    (tmp_path / "papers").mkdir()
    hostile_files.plain_pdf(tmp_path / "papers")
    outside = hostile_files.tei(tmp_path)
    (tmp_path / "papers" / "link.xml").symlink_to(outside)
    assert "Ignored 1 link that leads out of its folder." in run("add", "papers", "--jobs", "1").out


def test_hints_fit_what_went_wrong(run: Run, project: Path, tmp_path: Path) -> None:
    (tmp_path / "big.tei.xml").write_bytes(b"")
    with (tmp_path / "big.tei.xml").open("r+b") as file:
        file.truncate(70_000_000)
    long = tmp_path / "long.xml"
    long.write_text(f'<TEI xmlns="http://www.tei-c.org/ns/1.0"><text>{"x" * 10_500_000}</text></TEI>')
    for path in (tmp_path / "big.tei.xml", long, hostile_files.tei_with_doctype(tmp_path)):
        err = run("add", path, "--jobs", "1").err
        assert "make" in err.lower()
        assert "pictures" not in err
        assert "XML_PARSE_HUGE" not in err
    err = run("export", project / "out").err
    assert "Not a directory" in err
    assert "space" not in err


def test_the_doctor_tells_of_torch(run: Run, project: Path) -> None:
    checks = {
        check["name"]: check for check in json.loads(run("doctor", "--grobid", "http://127.0.0.1:9", "--json").out)
    }
    assert checks["torch"]["sound"] is True
    assert "computes on: " in checks["torch"]["finding"]


def test_a_folder_that_is_gone_is_no_bug(
    run: Run, project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    ran = run("--project", project, "add", "paper.pdf")
    assert ran.code == 1
    assert "The current folder cannot be used" in ran.err
