"""Data sets are read in a process of their own, and what is said of them is short."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop.jobs.exchange import imports
from desktop.jobs.exchange.imports import RejectedFile, import_data_sets
from desktop.jobs.results import describe
from miner.errors import UserError
from miner.processes.child import Failure
from miner.progress import Progress
from storage.dataset.export_options import ExportOptions, FileFormat, Preset
from storage.exchange.labelled_files import read_labelled_rows
from storage.exchange.labelled_rows import BadRow
from storage.exchange.pair_export import export_pairs
from storage.exchange.pair_import import ImportedPairs, LabelConflict
from storage.project import Project
from tests.storage.factories import add, mine

ROW = '{"sentence1": "%s", "sentence2": "Two.", "label": "neutral"}\n'


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Project]:
    with Project.create(tmp_path / "a.pairwright") as project:
        yield project


def test_each_file_is_answered_for(project: Project, tmp_path: Path) -> None:
    good, pdf, missing = tmp_path / "good.jsonl", tmp_path / "paper.jsonl", tmp_path / "missing.csv"
    good.write_text("".join(ROW % f"{n} as of %PDF-1.4." for n in range(5000)))
    pdf.write_bytes(b"%PDF-1.7 and so on")
    first, second, third = import_data_sets(project, [good, pdf, missing], "").work(Progress())
    assert isinstance(first, ImportedPairs)
    assert (first.new, first.bad) == (5000, 0)
    assert isinstance(second, RejectedFile)
    assert second.reason == f"{pdf} is not a data set: its content is a PDF."
    assert isinstance(third, RejectedFile)
    assert "does not exist" in third.reason


def test_a_file_that_takes_too_much_is_given_up_and_what_was_read_stays(
    project: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(ROW % "One.")
    read = list(read_labelled_rows(path))
    monkeypatch.setattr(imports, "run", lambda *_, **__: iter([(0, read), (0, Failure("memory"))]))
    [found] = import_data_sets(project, [path], "").work(Progress())
    assert isinstance(found, ImportedPairs)
    assert (found.new, found.bad) == (1, 1)
    [problem] = describe(found).problems
    assert problem.text.endswith(", line 2: reading stopped here: the next rows took more than 1,000 MB of memory.")


def test_many_bad_rows_are_summed_up() -> None:
    file = ImportedPairs(Path("a.csv"), new=1)
    for line in range(2, 5000):
        file.add_bad(BadRow(line, "no label" if line % 2 else "not JSON"))
    file.conflicts = 12
    file.conflict_rows = [LabelConflict(line, "k", "neutral", "reasoning") for line in range(12)]
    said = [problem.text.removeprefix(f"{file.path}, ") for problem in describe(file).problems]
    assert said[:2] == ["line 2: not JSON.", "line 3: no label."]
    assert "4,992 more bad rows: not JSON (2,496), no label (2,496)." in said
    assert said[-1] == "2 more pairs have another label in the project."
    assert len(said) == 6 + 1 + 10 + 1


def test_an_exported_folder_is_imported_whole(tmp_path: Path) -> None:
    with (
        Project.create(tmp_path / "first.pairwright") as project,
        Project.create(tmp_path / "again.pairwright") as again,
    ):
        add(project, "abcdef")
        mine(project)
        shares = (("train", 50.0), ("test", 50.0))
        options = ExportOptions(Preset.FULL, shares=shares, card=True, format=FileFormat.PARQUET)
        rows = export_pairs(project, tmp_path / "out", options, Progress()).rows
        found = import_data_sets(again, [tmp_path / "out"], "").work(Progress())
        assert [one.new for one in found if isinstance(one, ImportedPairs)] != []
        assert sum(one.new for one in found if isinstance(one, ImportedPairs)) == rows
        assert export_pairs(again, tmp_path / "again", options, Progress()).rows == rows
        for name in ("train.parquet", "test.parquet"):
            assert (tmp_path / "again" / name).read_bytes() == (tmp_path / "out" / name).read_bytes()


def test_a_folder_without_a_data_set_is_said_to_have_none(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("nothing")
    with Project.create(tmp_path / "p.pairwright") as project, pytest.raises(UserError, match="no data set in"):
        import_data_sets(project, [tmp_path], "").work(Progress())


def test_a_file_of_two_classes_keeps_what_fits_and_says_who_reads_the_others(project: Project, tmp_path: Path) -> None:
    path = tmp_path / "two.tsv"
    rows = [("entails", "p1"), ("not_entailment", "p1"), ("non-entailment", "p2"), ("entailing", "p2")]
    lines = [f"Kelp {n} grew.\tReef {n} did.\t{label}\t{paper}" for n, (label, paper) in enumerate(rows)]
    path.write_text("\n".join(["sentence1\tsentence2\tlabel\tpaper_id", *lines]), encoding="utf-8")
    [found] = import_data_sets(project, [path], "").work(Progress())
    assert isinstance(found, ImportedPairs)
    assert (found.new, found.bad) == (2, 2)
    last = describe(found).problems[-1]
    assert "labels other than the four relations" in last.text
    assert 'classes = "found"' in last.hint
    with project.read_transaction() as stores:  # each paper is split as a whole
        papers = stores._connection.exec_driver_sql("SELECT count(DISTINCT source_md5) FROM papers").scalar_one()
    assert papers == 2
