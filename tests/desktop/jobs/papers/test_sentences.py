"""Learning from the project's own papers where sentences end."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from pathlib import Path

import pytest

from desktop.jobs.papers.import_session import ImportOptions
from desktop.jobs.papers.imports import import_papers
from desktop.jobs.papers.sentences import learn_sentences
from miner.parsing.sentences import SentenceSplitter
from miner.parsing.sentences.punkt_training import WINDOW_CHARACTERS, paper_windows
from miner.progress import Progress
from storage.project import Project
from storage.settings import SENTENCE_WINDOWS

TEXT = (
    "The growth was measured by Qrb. {0} in spring. It was large at site {1}. Plots of {0} were mown by Qrb. {2} again."
)
NAMES = [
    first + middle + last for first in "BDFGKLMNPRST" for middle in "aeiou" for last in ("rak", "lo", "mint", "sen")
]


def test_abbreviations_of_the_papers_are_learnt_and_used_for_later_ones_too(tmp_path: Path) -> None:
    assert len(SentenceSplitter.bundled().split(TEXT.format("Kira", 1, "Dolo"))) == 5
    lines = []
    for number in range(40):
        names = [NAMES[(7 * number + place) % len(NAMES)] for place in range(120)]
        text = " ".join(TEXT.format(names[n], n, names[-n]) for n in range(60))
        lines.append(json.dumps({"title": str(number), "sections": [{"title": "", "paragraphs": [text]}]}))
    (tmp_path / "many.jsonl").write_text("\n".join(lines[:-1]))
    (tmp_path / "late.jsonl").write_text(lines[-1])
    with Project.create(tmp_path / "p.pairwright") as project:
        import_papers(project, [tmp_path / "many.jsonl"], ImportOptions()).work(Progress())
        learnt = learn_sentences(project).work(Progress())
        assert learnt == (39, 39)
        with project.read_transaction() as stores:
            known = stores.settings.get(SENTENCE_WINDOWS)
        assert known
        assert learn_sentences(project).work(Progress()) == (39, 0)
        with project.read_transaction() as stores:
            assert stores.settings.get(SENTENCE_WINDOWS) == known
        import_papers(project, [tmp_path / "late.jsonl"], ImportOptions()).work(Progress())
        with project.read_transaction() as stores:
            papers = [stores.papers.get(md5) for md5 in stores.papers.md5s()]
            assert stores.papers.splitters() == [papers[0].splitter]
        assert papers[0].splitter != SentenceSplitter.bundled().name
        for paper in papers:
            [paragraph] = paper.sections[0].paragraphs
            assert len(paragraph.sentences) == 180


def test_papers_whose_sentences_stay_are_not_written_anew(tmp_path: Path) -> None:
    calm = {"title": "Calm", "sections": [{"title": "", "paragraphs": ["It rained. Then it stopped."]}]}
    names = [TEXT.format(NAMES[n % len(NAMES)], n, NAMES[-n]) for n in range(60)]
    moved = {"title": "Moved", "sections": [{"title": "", "paragraphs": [" ".join(names)]}]}
    last = {**calm, "title": "Last"}  # so that rows written anew get new ids
    (tmp_path / "three.jsonl").write_text("".join(json.dumps(paper) + "\n" for paper in (calm, moved, last)))
    with Project.create(tmp_path / "p.pairwright") as project:
        import_papers(project, [tmp_path / "three.jsonl"], ImportOptions()).work(Progress())
        before = paragraph_ids(project)
        assert learn_sentences(project).work(Progress()) == (3, 1)
        after = paragraph_ids(project)
        with project.read_transaction() as stores:
            assert len(stores.papers.splitters()) == 1
        assert (before["Calm"] == after["Calm"], before["Moved"] == after["Moved"]) == (True, False)
        assert import_papers(project, [tmp_path / "three.jsonl"], ImportOptions()).work(Progress()).known == 3


def paragraph_ids(project: Project) -> dict[str, int]:
    query = "SELECT papers.title, paragraphs.id FROM paragraphs JOIN papers ON papers.id = paragraphs.paper_id"
    with project.read_transaction() as stores:
        return dict(stores._connection.exec_driver_sql(query).all())


@pytest.mark.parametrize("kept", [None, [], "x", {"a": 7}, {"a": [None]}])
def test_what_a_project_says_was_learnt_is_looked_at(tmp_path: Path, kept: object) -> None:
    (tmp_path / "one.jsonl").write_text(
        json.dumps({"title": "One", "sections": [{"title": "", "paragraphs": ["It rained. Then it stopped."]}]})
    )
    with Project.create(tmp_path / "p.pairwright") as project:
        import_papers(project, [tmp_path / "one.jsonl"], ImportOptions()).work(Progress())
        with project.transaction() as stores:
            stores.settings.put(replace(SENTENCE_WINDOWS, dump=lambda data: data), kept)
        assert learn_sentences(project).work(Progress()).papers == 1


def test_windows_stay_where_a_paper_comes_before_them() -> None:
    papers = [(hashlib.md5(str(n).encode()).hexdigest(), f"{n} " * 30_000) for n in range(200)]
    before = list(paper_windows(sorted(papers)))
    after = list(paper_windows(sorted([*papers, ("0" * 31 + "1", "new " * 30_000)])))
    assert "\n".join(after).count("new") == 30_000
    assert len(set(after) - set(before)) <= len(before) / 4
    assert all(len(window) <= WINDOW_CHARACTERS + 200_000 for window in before)
