"""The papers' tables of small projects: counted, parsed and tokenized in worker processes."""

from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from desktop.jobs.pairs.data_set_statistics import (
    MeasuredDataSet,
    SplitSource,
    load_counted,
    measure,
)
from desktop.jobs.pairs.paper_tables import PaperTable, SplitPairs, paper_table
from desktop.jobs.review import answers
from desktop.jobs.review.agreement import measure_agreement
from desktop.jobs.review.agreement_report import GroupKind
from miner.dataset_statistics import CompleteSentences, GoldAgreement, JudgedPair, Proportion
from miner.errors import UserError
from miner.progress import Cancelled, Progress, Tick
from miner.records import Answer
from storage.annotation.annotators import Role
from storage.dataset.export_options import ALL_PAIRS, ExportOptions
from storage.dataset.gold_rule import GoldRules
from storage.exchange.pair_import import import_pairs
from storage.exchange.releases import make_release
from storage.pairs.filters import PairFilter, PairStatus
from storage.project import Project
from storage.settings import GOLD, LAST_SPLIT_EXPORT
from tests.storage.factories import add, mine

ROWS = {
    "botany": [
        ("The fern grows in the shade.", "the moss grows in the shade too.", "entailment"),
        ("Ferns need water.", "a dry summer harms them.", "reasoning"),
    ],
    "law": [("The court heard the appeal.", "the statute was repealed by parliament.", "contrasting")],
}


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Project]:
    with Project.create(tmp_path / "test.pairwright") as project:
        for domain, rows in ROWS.items():
            for split in ("train", "test"):
                file = tmp_path / f"{split}_{domain}.csv"
                lines = [f'"{split}: {one}","{other}",{label}' for one, other, label in rows]
                file.write_text("\n".join(["sentence1,sentence2,label", *lines]), encoding="utf-8")
                import_pairs(project, file, domain=domain, progress=Progress(), at=datetime.now(UTC))
        yield project


def _rows(measured: MeasuredDataSet, which: PaperTable) -> dict[str, list[str]]:
    table = paper_table(measured, which)
    return {row.cells[0].text: [cell.text for cell in row.cells[1:]] for row in table.rows}


def _measure(project: Project, filter: PairFilter = ALL_PAIRS, sentences: int = 500) -> MeasuredDataSet:
    return measure(project, filter, sentences=sentences, workers=1).work(Progress())


def test_imported_splits_are_columns_and_domains_are_rows(project: Project) -> None:
    measured = _measure(project)
    assert measured.counted.source is SplitSource.IMPORT
    rows = _rows(measured, PaperTable.DOMAINS)
    assert rows["botany"][:3] == ["2", "0", "2"]
    assert rows["Overall"][:3] == ["3", "0", "3"]
    assert [text.removesuffix(" %") for text in rows["SciNLI"]] == [
        *["101,412", "2,000", "4,000", "27.38", "25.93"],
        *["96.8", "96.7", "30.06", "85.8"],
    ]
    # "train : The court heard the appeal ." has 8 tokens; of the hypothesis' 7 "the" and "." are in it.
    assert rows["law"][3:5] == ["8.00", "7.00"]
    assert rows["law"][7] == f"{100 * 2 / 7:.2f} %"


def test_sentences_are_judged_by_the_installed_parser_or_by_rules(project: Project) -> None:
    complete = _measure(project).complete
    assert complete is not None
    premise, hypothesis = complete.of("botany", "test")
    assert (premise.trials, hypothesis.trials) == (2, 2)
    assert complete.of()[0].trials == 6
    assert "spaCy" in complete.parser


def test_vocabularies_are_those_of_the_training_pairs(project: Project) -> None:
    measured = _measure(project, sentences=0)
    similarity = measured.similarity
    assert similarity is not None
    assert (similarity.domains, similarity.pairs, similarity.split) == (("botany", "law"), (2, 1), "train")
    assert similarity.cosines[0][1] == similarity.cosines[1][0] < similarity.cosines[0][0] == 1.0
    assert _rows(measured, PaperTable.SIMILARITY)["law"] == [f"{similarity.cosines[1][0]:.2f}", "1.00"]
    every = measure(project, sentences=0, all_splits=True, workers=1).work(Progress()).similarity
    assert every is not None
    assert (every.pairs, every.split) == ((4, 2), "")


def test_the_splits_of_the_last_export_are_taken_if_there_was_one(tmp_path: Path) -> None:
    with Project.create(tmp_path / "mined.pairwright") as project:
        add(project, "abcd")
        mine(project)
        assert load_counted(project).work(Progress()).source is SplitSource.NONE
        with project.transaction() as stores:
            stores.settings.put(LAST_SPLIT_EXPORT, ExportOptions(shares=(("train", 50), ("test", 50))))
        counted = load_counted(project).work(Progress())
    assert counted.source is SplitSource.EXPORT
    assert counted.statistics.splits == ("train", "test")
    table = paper_table(MeasuredDataSet(counted), PaperTable.DATA_SET)
    assert [cell.opens for cell in table.rows[0].cells[1:4]] == [
        SplitPairs(PairFilter(), "train"),
        None,
        SplitPairs(PairFilter(), "test"),
    ]


def test_the_splits_of_a_release_are_taken_without_an_export(tmp_path: Path) -> None:
    with Project.create(tmp_path / "mined.pairwright") as project:
        add(project, "abcd")
        mine(project)
        options = ExportOptions(shares=(("train", 50), ("test", 50)))
        make_release(project, "1.0", tmp_path / "out", options, Progress(), datetime.now(UTC))
        counted = load_counted(project).work(Progress())
    assert (counted.source, counted.statistics.splits) == (SplitSource.EXPORT, ("train", "test"))


def test_agreement_is_the_one_that_the_agreement_page_shows(tmp_path: Path) -> None:
    draw = random.Random(3)
    with Project.create(tmp_path / "mined.pairwright") as project:
        add(project, "abcdef")
        mine(project)
        with project.transaction() as stores:
            stores.settings.put(GOLD, GoldRules(votes=3))
            stores.annotators.ensure("judge", Role.ADJUDICATOR)
        with project.read_transaction() as stores:
            keys = [pair.key for md5 in stores.papers.md5s() for pair in stores.pairs.of_paper(md5)]
        for key in keys:
            for annotator in draw.sample(["ada", "ben", "cyd", "judge"], draw.randrange(5)):
                answers.answer(project, [key], annotator, draw.choice(list(Answer))).work(Progress())
        ours = load_counted(project).work(Progress()).statistics.agreement()
        report = measure_agreement(project).work(Progress())
    assert ours[""].annotated > 0
    theirs = {group.name: group.distant for group in report.of_kind(GroupKind.CLASS) if group.name}
    assert ours == dict.fromkeys(ours, GoldAgreement()) | theirs | {"": report.overall.distant}


def test_agreement_opens_the_pairs_behind_it(tmp_path: Path) -> None:
    with Project.create(tmp_path / "mined.pairwright") as project:
        add(project, ["a"])
        mine(project)
        with project.read_transaction() as stores:
            pairs = [pair for pair in stores.pairs.of_paper(stores.papers.md5s()[0]) if pair.distant_label]
        for pair, answer in zip(pairs, ("contrasting", "neutral", "unclear"), strict=False):
            answers.answer(project, [pair.key], "mk", Answer(answer)).work(Progress())
        counted = load_counted(project).work(Progress())
        table = paper_table(MeasuredDataSet(counted), PaperTable.AGREEMENT)
        overall = table.rows[-1].cells
        assert [cell.text for cell in overall] == ["Overall", "3", "33.3 %", "6.1–79.2", "1", "1", "88.0 %"]
        with project.read_transaction() as stores:
            found = [stores.pair_table.count(cell.opens) for cell in overall if isinstance(cell.opens, PairFilter)]
    assert found == [3, 1, 1, 1]


def test_a_figure_that_contradicts_the_filter_opens_nothing(project: Project) -> None:
    counted = load_counted(project, PairFilter(statuses=frozenset({PairStatus.OPEN}))).work(Progress())
    assert counted.statistics.count() == 6
    table = paper_table(MeasuredDataSet(counted), PaperTable.AGREEMENT)
    assert all(cell.opens is None for row in table.rows for cell in row.cells)


def test_each_part_is_judged_by_its_own_first_pairs() -> None:
    judged = {
        ("a", "train"): (JudgedPair(1, True, True), JudgedPair(5, False, True)),
        ("b", "train"): (JudgedPair(2, False, False), JudgedPair(9, True, True)),
    }
    complete = CompleteSentences(judged, 2, "rules", False)
    assert complete.of("a") == (Proportion(1, 2), Proportion(2, 2))
    assert complete.of() == (Proportion(1, 2), Proportion(1, 2))  # orders 1 and 2


def test_an_empty_project_has_empty_tables(tmp_path: Path) -> None:
    with Project.create(tmp_path / "empty.pairwright") as project:
        measured = _measure(project)
    assert (measured.complete, measured.similarity) == (None, None)
    for which in PaperTable:
        paper_table(measured, which)


def test_a_tokenizer_that_cannot_be_read_is_named(project: Project, tmp_path: Path) -> None:
    with pytest.raises(UserError, match="no tokenizer"):
        measure(project, tokenizer=tmp_path, sentences=0).work(Progress())
    (tmp_path / "tokenizer.json").write_text("{", encoding="utf-8")
    with pytest.raises(UserError, match="cannot be read"):
        measure(project, tokenizer=tmp_path, sentences=0, workers=1).work(Progress())


def test_measuring_can_be_cancelled(project: Project) -> None:
    progress = Progress(lambda tick: progress.cancel() if tick.total else None)
    with pytest.raises(Cancelled):
        measure(project, workers=1).work(progress)


def test_progress_ends_at_its_total(project: Project) -> None:
    ticks: list[Tick] = []
    measure(project, tokenizer=None, workers=1).work(Progress(ticks.append))
    assert (ticks[-1].done, ticks[-1].total) == (6, 6)
