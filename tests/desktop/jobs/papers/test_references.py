"""What a bibliography changes in a project, as one action that can be undone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop.jobs.papers import edits, references, table
from desktop.jobs.papers.scan import scan_files
from desktop.jobs.results import describe
from desktop.jobs.review import answers
from miner.errors import UserError
from miner.progress import Progress
from storage.papers.metadata import PaperSummary
from storage.papers.table import PaperQuery
from storage.project import Project
from tests.storage.factories import add

BIBTEX = """
@article{a, title = {On a}, author = {\\"Unal, Ada and Q, B}, year = 2019, doi = {10.1234/a}, journal = {Cells}}
@article{b, title = {On the cells of bees}, year = 2020, file = {PDF:/papers/b.pdf:application/pdf}}
@article{x, title = {On nothing}
"""


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Project]:
    with Project.create(tmp_path / "test.pairwright", busy_timeout_s=0.2) as project:
        add(project, "abc")
        yield project


@pytest.fixture
def library(tmp_path: Path) -> Path:
    path = tmp_path / "library.bib"
    path.write_text(BIBTEX)
    return path


def papers(project: Project) -> dict[str, PaperSummary]:
    with project.read_transaction() as stores:
        return {paper.title: paper for paper in stores.papers.summaries()}


def set_journal(project: Project) -> None:
    ids = list(table.load_list(project, PaperQuery(text="On a")).work(Progress()).ids)
    edits.edit(project, ids, "mk", {"journal": "Zellen"}).work(Progress())


def test_fills_are_one_action_with_their_source_and_conflicts_stay(project: Project, library: Path) -> None:
    before = papers(project)
    plan = references.plan_references(project, library).work(Progress())
    assert {str(by): number for by, number in plan.matched_by().items()} == {"file": 1, "title": 1}
    done = references.apply_references(project, plan, plan.taken(), None, "mk").work(Progress())
    assert (done.set, done.papers, done.kept) == (2, 1, 2)
    text = describe(done)
    assert text.sentence == "library.bib has 2 references; 2 papers matched: 1 by file and 1 by title."
    assert text.notes[0] == "2 values taken, 2 conflicts left as they are."
    assert any("On b: title “On b”, but “On the cells of bees” in the reference." in one.text for one in text.problems)
    assert any("library.bib, line 4" in one.text for one in text.problems)
    changed = papers(project)["On a"]
    assert (changed.doi, changed.journal, changed.sources["journal"]) == ("10.1234/a", "Cells", "BibTeX reference")
    again = references.plan_references(project, library).work(Progress())
    assert not again.taken()
    answers.undo(project, "mk").work(Progress())
    assert papers(project) == before


def test_what_a_person_set_is_overwritten_only_when_taken(project: Project, library: Path) -> None:
    set_journal(project)
    plan = references.plan_references(project, library).work(Progress())
    [conflict] = [one for one in plan.proposals if one.field == "journal"]
    assert (conflict.now, conflict.new, conflict.by_hand) == ("Zellen", "Cells", True)
    assert conflict not in plan.taken()
    taken = plan.taken(prefers_references=True)
    done = references.apply_references(project, plan, taken, "biology of cells", "mk").work(Progress())
    assert done.kept == 0
    found = papers(project)
    assert (found["On a"].journal, found["On a"].domain) == ("Cells", "biology of cells")
    assert (found["On the cells of bees"].year, found["On c"].domain) == (2020, "biology")


def test_a_value_that_was_changed_since_the_plan_stays(project: Project, library: Path) -> None:
    plan = references.plan_references(project, library).work(Progress())
    set_journal(project)
    references.apply_references(project, plan, plan.taken(), None, "mk").work(Progress())
    assert (papers(project)["On a"].journal, papers(project)["On a"].doi) == ("Zellen", "10.1234/a")


def test_a_bibliography_in_a_folder_is_found_and_applied_and_others_are_passed_over(
    project: Project, library: Path
) -> None:
    (library.parent / "broken.bib").write_text("nothing")
    (library.parent / "settings.json").write_text('{"title": 1}')
    outside = library.parent / "in" / "link.bib"
    outside.parent.mkdir()
    outside.symlink_to(library)
    assert not references.apply_bibliographies(project, [outside.parent], "mk").work(Progress())
    [done] = references.apply_bibliographies(project, [library.parent], "mk").work(Progress())
    assert (done.plan.path, done.papers) == (library, 1)
    scanned = scan_files(project, [library]).work(Progress())
    assert (scanned.bibliographies, scanned.found.failed) == ((library,), [])


def test_without_papers_a_bibliography_is_refused_in_a_sentence(tmp_path: Path, library: Path) -> None:
    with (
        Project.create(tmp_path / "empty.pairwright") as empty,
        pytest.raises(UserError, match="has no papers yet"),
    ):
        references.plan_references(empty, library).work(Progress())
