"""What an audit reads: counts by the same rules as in Python, and a draw that only seed and keys decide."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from miner.audit.drawn_pairs import AuditPair
from miner.audit.report import AuditedLabels
from miner.progress import Progress
from miner.records import Answer, Label
from storage.annotation.answers import NewAnswer
from storage.annotation.marks import MarkKind
from storage.dataset.options import ExportOptions
from storage.exchange.labelled_files import read_labelled_rows
from storage.exchange.pair_import import import_pairs
from storage.pairs.filters import PairFilter
from storage.pairs.status import keys_scope
from storage.project import Project
from tests.miner.audit.planted import Artefacts, counts_of, planted_pairs, write_csv
from tests.storage.factories import add, mine

_ALL = Artefacts(capital=(Label.NEUTRAL, 0.3), phrase=(Label.REASONING, 0.3), longer=Label.ENTAILMENT)


def _nothing(_: int) -> None:
    pass


def _import(path: Path, pairs: list[AuditPair], domain: str = "") -> Project:
    project = Project.create(path)
    _import_files(project, [write_csv(path.with_suffix(".csv"), pairs)], domain)
    return project


def _import_files(project: Project, files: list[Path], domain: str) -> None:
    for file in files:
        rows = read_labelled_rows(file, domain=domain)
        import_pairs(project, file, domain=domain, progress=Progress(), at=datetime.now(UTC), rows=rows)


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Project]:
    with _import(tmp_path / "audit.pairwright", planted_pairs(30, _ALL)) as project:
        yield project


def test_the_counts_are_those_of_the_pairs(project: Project) -> None:
    with project.read_transaction() as stores:
        stores.audit.select_exported(ExportOptions())
        found = stores.audit.surface_counts(AuditedLabels.EXPORTED, None, _nothing)
    wanted = counts_of([pair._replace(strategy="imported") for pair in planted_pairs(30, _ALL)])
    assert found.pairs == wanted.pairs
    assert {trait: +counts for trait, counts in found.traits.items()} == wanted.traits
    assert found.histograms == wanted.histograms


def test_only_labelled_pairs_that_are_not_bad_are_counted(project: Project) -> None:
    now = datetime(2026, 1, 1, tzinfo=UTC)
    with project.transaction() as stores:
        keys = stores.pair_table.keys(stores.pair_table.ids(PairFilter()))
        neutral = stores.pair_table.keys(stores.pair_table.ids(PairFilter(distant=frozenset((Label.NEUTRAL,)))))
        action = stores.actions.begin("mk", MarkKind.BAD, now)
        stores.marks.put(keys_scope(keys[:10]), "mk", MarkKind.BAD, "other", now, action=action)
        answered = [key for key in neutral if key not in keys[:10]][:3]
        stores.answers.append(NewAnswer(key, "mk", now, Answer.REASONING) for key in answered)
    with project.read_transaction() as stores:
        stores.audit.select_exported(ExportOptions())
        exported, gold, distant = (
            stores.audit.surface_counts(source, None, _nothing).totals() for source in AuditedLabels
        )
    assert exported.total() == distant.total() == 110
    assert gold == {Label.REASONING: 3}
    assert exported[Label.REASONING] == distant[Label.REASONING] + 3


def test_a_domain_is_read_alone(tmp_path: Path) -> None:
    with _import(tmp_path / "two.pairwright", planted_pairs(10), "soil") as project:
        other = write_csv(tmp_path / "other.csv", planted_pairs(7, seed=2))
        _import_files(project, [other], "ice")
        with project.read_transaction() as stores:
            stores.audit.select_exported(ExportOptions())
            for domain, pairs in (("soil", 40), ("ice", 28), (None, 68), ("", 0), ("nothing", 0)):
                assert stores.audit.surface_counts(AuditedLabels.EXPORTED, domain, _nothing).totals().total() == pairs
                assert len(stores.audit.draw(AuditedLabels.EXPORTED, domain, 1, _nothing)[0]) == pairs


def test_the_draw_depends_on_the_seed_and_the_pairs_alone(tmp_path: Path) -> None:
    files = [write_csv(tmp_path / f"{seed}.csv", planted_pairs(15, seed=seed)) for seed in (1, 2)]
    drawn = []
    for name, order in (("a", files), ("b", files[::-1])):
        with Project.create(tmp_path / f"{name}.pairwright") as project:
            _import_files(project, order, "")
            with project.read_transaction() as stores:
                stores.audit.select_exported(ExportOptions())
                drawn.append(stores.audit.draw(AuditedLabels.EXPORTED, None, 1, _nothing, most=12)[0])
                drawn.append(stores.audit.draw(AuditedLabels.EXPORTED, None, 2, _nothing, most=12)[0])
    assert drawn[0] == drawn[2] != drawn[1] == drawn[3]
    assert [sum(pair.label == label for pair in drawn[0]) for label in Label] == [12] * 4


def test_pairs_are_grouped_by_paper_or_by_shared_sentences(tmp_path: Path) -> None:
    with Project.create(tmp_path / "mined.pairwright") as project:
        add(project, ["a", "b", "c"])
        mine(project)
        with project.read_transaction() as stores:
            stores.audit.select_exported(ExportOptions())
            drawn, has_papers = stores.audit.draw(AuditedLabels.EXPORTED, None, 1, _nothing)
        assert has_papers
        assert len({pair.group for pair in drawn}) == 3
    pairs = planted_pairs(5)
    twin = pairs[0]._replace(hypothesis="another hypothesis is here.")
    with _import(tmp_path / "imported.pairwright", [*pairs, twin]) as project:
        with project.read_transaction() as stores:
            stores.audit.select_exported(ExportOptions())
            drawn, has_papers = stores.audit.draw(AuditedLabels.EXPORTED, None, 1, _nothing)
        assert not has_papers
        assert len({pair.group for pair in drawn}) == len(drawn) - 1 == 20


def test_the_state_changes_with_pairs_and_answers(project: Project) -> None:
    states = []
    for answer in (None, Answer.NEUTRAL, Answer.REASONING):
        if answer is not None:
            with project.transaction() as stores:
                key = stores.pair_table.keys(stores.pair_table.ids(PairFilter()))[0]
                stores.answers.append([NewAnswer(key, "mk", datetime(2026, 1, 1, tzinfo=UTC), answer)])
        with project.read_transaction() as stores:
            states += [stores.audit.state(), stores.audit.state()]
    assert states[::2] == states[1::2]
    assert len(set(states)) == 3
