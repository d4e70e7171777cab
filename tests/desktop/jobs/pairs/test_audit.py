"""The artefact audit of whole projects: planted artefacts, published and mined sets, bad input, and cancelling."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from desktop.jobs.exchange.imports import import_data_sets
from desktop.jobs.pairs.audit import AuditOptions, audit, load_audit
from desktop.jobs.pairs.audit_text import describe_finding, pairs_behind, scope_text, summary_text
from miner.audit.report import AuditedLabels, AuditQuestion, AuditReport, Verdict
from miner.errors import UserError
from miner.progress import Cancelled, Progress, Tick
from miner.records import HypothesisTrait, Label
from storage.pairs.filters import NOT_BAD, PairFilter
from storage.project import Project
from tests.miner.audit.planted import Artefacts, planted_pairs, write_csv

SHARED = Path(__file__).parents[5] / "shared" / "data"
MakeProject = Callable[..., Project]


@pytest.fixture
def make_project(tmp_path: Path, request: pytest.FixtureRequest) -> MakeProject:
    """Makes a project of planted pairs, or of a file."""

    def make(per_class: int = 0, artefacts: Artefacts | None = None, file: Path | None = None) -> Project:
        project = Project.create(tmp_path / "audit.pairwright")
        request.addfinalizer(project.close)
        path = file or write_csv(tmp_path / "pairs.csv", planted_pairs(per_class, artefacts))
        import_data_sets(project, [path], "soil").work(Progress())
        return project

    return make


def _verdicts(report: AuditReport) -> dict[AuditQuestion, Verdict]:
    return {finding.question: finding.verdict for finding in report.findings}


def test_planted_artefacts_come_first_with_what_to_do_and_their_pairs(make_project: MakeProject) -> None:
    artefacts = Artefacts(capital=(Label.NEUTRAL, 0.2), word=(Label.ENTAILMENT, "namely", 0.9))
    project = make_project(250, artefacts)
    report = audit(project).work(Progress())
    bad = {finding.question for finding in (*report.of(Verdict.MEND), *report.of(Verdict.LOOK))}
    assert {AuditQuestion.CAPITAL, AuditQuestion.WORDS} <= {finding.question for finding in report.of(Verdict.MEND)}
    assert AuditQuestion.HYPOTHESIS_ALONE in bad
    assert {finding.question for finding in report.findings[: len(bad)]} == bad
    capital = next(one for one in report.findings if one.question is AuditQuestion.CAPITAL)
    text = describe_finding(capital)
    assert "of the neutral hypotheses begin with a capital" in text.found
    assert "casing" in text.advice
    behind = pairs_behind(report, capital)
    assert behind == PairFilter(
        statuses=NOT_BAD, labels=frozenset((Label.NEUTRAL,)), traits=frozenset((HypothesisTrait.CAPITAL,))
    )
    with project.read_transaction() as stores:
        hits = next(row.hits for row in capital.rows if row.label == Label.NEUTRAL)
        assert stores.pair_table.count(behind) == hits > 20


def test_a_clean_set_is_fine_and_says_so(make_project: MakeProject) -> None:
    report = audit(make_project(60)).work(Progress())
    assert set(_verdicts(report).values()) == {Verdict.FINE}
    assert summary_text(report) == "14 fine."
    assert scope_text(report).startswith("240 pairs (60 contrasting, 60 reasoning, 60 entailment and 60 neutral)")


def test_an_audit_is_the_same_each_time_and_is_kept(make_project: MakeProject) -> None:
    project = make_project(40)
    before = load_audit(project).work(Progress())
    assert (before.report, before.is_current, before.pairs, before.domains) == (None, False, 160, ("soil",))
    options = AuditOptions(AuditedLabels.DISTANT, "soil", 7)
    first, second = (audit(project, options).work(Progress()) for _ in range(2))
    assert first == second
    kept = load_audit(project).work(Progress())
    assert kept.report == first
    assert kept.is_current
    more = write_csv(project.path.with_name("more.csv"), planted_pairs(3, seed=9))
    import_data_sets(project, [more], "soil").work(Progress())
    assert not load_audit(project).work(Progress()).is_current


def test_five_pairs_are_too_few_and_that_is_all(make_project: MakeProject, tmp_path: Path) -> None:
    report = audit(make_project(file=write_csv(tmp_path / "five.csv", planted_pairs(2)[:5]))).work(Progress())
    assert set(_verdicts(report).values()) == {Verdict.UNKNOWN}
    assert all(describe_finding(finding).advice for finding in report.findings)


def test_without_labels_or_with_one_class_nothing_can_be_audited(make_project: MakeProject, tmp_path: Path) -> None:
    with Project.create(tmp_path / "empty.pairwright") as project, pytest.raises(UserError, match="no labelled pairs"):
        audit(project).work(Progress())
    neutral = [pair for pair in planted_pairs(30) if pair.label == Label.NEUTRAL]
    project = make_project(file=write_csv(tmp_path / "one.csv", neutral))
    with pytest.raises(UserError, match="All 30 pairs are neutral"):
        audit(project).work(Progress())
    with pytest.raises(UserError, match="No pairs have a gold label"):
        audit(project, AuditOptions(AuditedLabels.GOLD)).work(Progress())
    with pytest.raises(UserError, match="of the domain “ice”"):
        audit(project, AuditOptions(domain="ice")).work(Progress())


def test_a_cancelled_audit_keeps_the_one_before(make_project: MakeProject) -> None:
    project = make_project(40)
    report = audit(project).work(Progress())
    progress = Progress()

    def cancel(tick: Tick) -> None:
        if tick.note == "guessing labels":
            progress.cancel()

    progress = Progress(cancel)
    with pytest.raises(Cancelled):
        audit(project, AuditOptions(seed=2)).work(progress)
    assert load_audit(project).work(Progress()).report == report


def test_a_project_that_can_only_be_read_is_audited_too(make_project: MakeProject) -> None:
    path = make_project(40).path
    with Project.open(path, read_only=True) as project:
        assert audit(project, keep=False).work(Progress()).pairs == 160


@pytest.mark.skipif(not (SHARED / "scinli").is_dir(), reason="the published data sets are not here")
def test_scinli_has_a_capital_in_its_neutral_pairs(make_project: MakeProject) -> None:
    report = audit(make_project(file=SHARED / "scinli" / "dev.csv")).work(Progress())
    found = {finding.question: finding for finding in report.findings}
    capital = found[AuditQuestion.CAPITAL]
    shares = {row.label: row.value for row in capital.rows}
    assert (capital.verdict, capital.label) == (Verdict.MEND, Label.NEUTRAL)
    assert shares[Label.NEUTRAL] > 0.05 > 0.018 > max(shares[label] for label in Label if label != Label.NEUTRAL)
    assert found[AuditQuestion.HYPOTHESIS_ALONE].rows[0].value == pytest.approx(0.385, abs=0.03)
    assert found[AuditQuestion.NEUTRAL].rows[0].value == pytest.approx(1 - 0.70, abs=0.02)
