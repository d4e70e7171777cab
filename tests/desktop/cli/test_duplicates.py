"""Papers that are likely the same are listed, merged or kept; what is exported after a merge can be rebuilt."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from desktop.cli.main import main
from desktop.jobs.papers.duplicates import compare, merge_notes
from miner.progress import Progress
from miner.records import Answer
from storage.annotation.answers import NewAnswer
from storage.project import Project

Run = Callable[..., Any]
TEXT = [
    "Wind lifts fine sand at dawn. However, coarse grains stay where they are. Rain falls in spring over the dunes.",
    "Plants hold sand of old dunes. Therefore, these dunes hardly move at all. The coast gets wider each year here.",
    "We measured all dunes twice a year. Moreover, we counted the plants on each of them. A map shows where they grow.",
]


def line(title: str, doi: str, text: list[str], **more: Any) -> str:
    return json.dumps({"title": title, "doi": doi, "sections": [{"title": "Results", "paragraphs": text}], **more})


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


@pytest.fixture
def duplicate(run: Run, tmp_path: Path) -> dict[str, Any]:
    """The one duplicate in a new project of three papers, as it is listed."""
    journal = line("How wind shapes the dunes of a coast", "10.1000/Dunes.7", [*TEXT, "A late remark. It stands here."])
    preprint = line("How wind shapes the dunes of a coast.", "https://doi.org/10.1000/dunes.7", TEXT, year=2020)
    (tmp_path / "papers.jsonl").write_text(f"{journal}\n{preprint}\n{line('Of moss', '', ['Moss is green.'])}\n")
    run("new", "p.pairwright")
    run("add", "papers.jsonl", "--jobs", "1")
    [found] = run("papers", "duplicates")
    return dict(found)


def test_duplicates_are_kept_or_merged_and_known_when_added_again(run: Run, duplicate: dict[str, Any]) -> None:
    assert (duplicate["reasons"], duplicate["shared"]) == (["doi", "title"], 1)
    longer, shorter = sorted(duplicate["papers"], key=lambda paper: -paper["sentences"])
    assert duplicate["keep"] == longer["md5"]
    kept, other = longer["md5"][:8], shorter["md5"][:8]
    assert run("papers", "keep-both", kept, other)["count"] == 1
    assert run("papers", "duplicates") == []
    run("undo")
    assert "one paper" in run("papers", "merge", kept, kept)
    assert run("papers", "merge", kept, other)["filled"] == ["year"]
    assert len(run("papers")) == 2
    added = run("add", "papers.jsonl", "--jobs", "1")
    assert (added["new"], added["known"], added["failed"]) == (0, 3, [])
    assert run("papers", "show", kept)[0]["year"] == 2020
    assert "No paper here is called" in run("papers", "show", other)


@pytest.mark.slow
def test_a_data_set_made_after_a_merge_is_rebuilt_byte_for_byte(
    run: Run, duplicate: dict[str, Any], tmp_path: Path
) -> None:
    kept = duplicate["keep"]
    [other] = [paper["md5"] for paper in duplicate["papers"] if paper["md5"] != kept]
    run("mine", "--jobs", "1", "--model", "none")
    with Project.open(tmp_path / "p.pairwright") as project:
        with project.transaction() as stores:
            of_both = [one for md5 in (kept, other) for one in stores.pairs.of_paper(md5)]
            at = datetime(2026, 3, 1, tzinfo=UTC)
            stores.answers.append([NewAnswer(one.key, "ana", at, Answer.NEUTRAL) for one in of_both])
        comparison = compare(project, kept, other).work(Progress())
        assert comparison is not None
        assert "Their answers go to the same pairs" in merge_notes(comparison, kept)[0]
    run("papers", "merge", kept, other)
    run("mine", "--jobs", "1", "--model", "none")
    made = run("export", "out", "--preset", "full", "--card", "--name", "Dunes")
    assert isinstance(made, dict), made
    rebuilt = run("rebuild", "out/manifest.json", "--papers", tmp_path, "--out", "again", "--jobs", "1")
    assert isinstance(rebuilt, dict), rebuilt
    names = {path.name for path in (tmp_path / "again").iterdir()}
    assert "annotations.json" in names
    assert all((tmp_path / "again" / name).read_bytes() == (tmp_path / "out" / name).read_bytes() for name in names)
