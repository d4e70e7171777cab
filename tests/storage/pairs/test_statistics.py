"""Counts by all attributes, lengths and overlap by class, and the funnel, of real projects."""

from __future__ import annotations

from miner.records import DropReason, Label, MinedPaper, Strategy
from storage.pairs import statistics
from storage.pairs.judgement import refresh
from storage.pairs.statistics import PERCENT, WORDS, ClassMeasures, PairCount
from storage.project import Project
from tests.storage.factories import as_many, mined, pair, pdf, some_pairs, start_run
from tests.storage.factories import paper as make_paper


def _mine(project: Project, domains: dict[str, str], pairs: dict[str, MinedPaper] | None = None) -> dict[str, str]:
    """Papers by name with their domains, mined; their MD5s by name."""
    papers = {name: make_paper(name, domain=domain) for name, domain in domains.items()}
    with project.transaction() as stores:
        for name, paper in papers.items():
            stores.papers.save(paper, pdf(name))
    run = start_run(project)
    names = {paper.md5: name for name, paper in papers.items()}
    with project.transaction() as stores:
        for pending in stores.mining_runs.next_papers(run, limit=100):
            given = (pairs or {}).get(names[pending.md5]) or some_pairs(pending.md5)
            assert stores.pairs.replace_for(pending, given, as_many) is not None
    return {name: paper.md5 for name, paper in papers.items()}


def _judge(project: Project, key: str, answer: str | None = None, *, bad: bool = False, via: str = "answer") -> None:
    with project.transaction() as stores:
        if answer:
            stores._connection.exec_driver_sql(
                "INSERT INTO label_events (pair_key, annotator, at, seen, new, via) VALUES (?, 'mk', '', '{}', ?, ?)",
                (key, answer, via),
            )
        if bad:
            stores._connection.exec_driver_sql(
                "INSERT INTO mark_events (pair_key, annotator, at, kind, new) VALUES (?, 'mk', '', 'bad', 'prose')",
                (key,),
            )
        refresh(stores._connection, [key])


def _counts(project: Project) -> list[PairCount]:
    with project.read_transaction() as stores:
        return stores.statistics.counts()


def test_an_empty_project_has_empty_statistics(project: Project) -> None:
    with project.read_transaction() as stores:
        assert stores.statistics.counts() == []
        assert stores.statistics.measures() == {}
        assert stores.statistics.funnel().candidates == {}


def test_counts_add_up_to_all_current_pairs(project: Project) -> None:
    _mine(project, {"a": "biology", "b": "biology", "c": "physics"})
    counts = _counts(project)
    with project.read_transaction() as stores:
        assert sum(row.pairs for row in counts) == stores.pairs.count()
    physics = {(row.strategy, row.label): row.pairs for row in counts if row.domain == "physics"}
    assert physics[Strategy.BOTH_RANDOM, "neutral"] == 1
    assert {row.phrase for row in counts if row.strategy is Strategy.LINKED} == {"However"}


def test_what_people_said_replaces_the_distant_label(project: Project) -> None:
    md5 = _mine(project, {"a": "biology"})["a"]
    linked = [pair for pair in some_pairs(md5).pairs if pair.distant_label is Label.CONTRASTING]
    _judge(project, linked[0].key, "reasoning")
    _judge(project, linked[1].key, "contrasting", bad=True)
    counts = {(row.status, row.distant, row.gold): row for row in _counts(project) if row.status != "open"}
    assert counts["settled", "contrasting", "reasoning"].label == "reasoning"
    assert counts["bad", "contrasting", "contrasting"].label == ""


def test_pairs_no_longer_mined_are_not_counted(project: Project) -> None:
    md5 = _mine(project, {"a": "biology"})["a"]
    key = some_pairs(md5).pairs[0].key
    _judge(project, key, "reasoning")
    run = start_run(project, "other settings")
    with project.transaction() as stores:
        [pending] = stores.mining_runs.next_papers(run)
        stores.pairs.replace_for(pending, mined(some_pairs(md5).pairs[1:]), as_many)
    assert {row.status for row in _counts(project)} == {"open"}
    with project.read_transaction() as stores:
        [gone] = stores.statistics.counts_of_gone()
    assert (gone.status, gone.distant, gone.gold, gone.phrase, gone.pairs) == (
        "settled",
        "contrasting",
        "reasoning",
        "However",
        1,
    )


def test_measures_are_by_class_in_bins_with_means(project: Project) -> None:
    # Premises of 4 and 12 words, hypotheses (phrase removed) of 3 and 6 words; overlap 2 of 3 and 0 of 6 words.
    md5 = make_paper("a").md5
    first = pair(md5, "It grows very fast.", "However, it grows slowly.", number=0)
    long = "One two three four five six seven eight nine ten eleven twelve."
    second = pair(md5, long, "However, nothing here is like the rest.", number=2)
    _mine(project, {"a": "biology"}, {"a": mined([first, second])})
    with project.read_transaction() as stores:
        measures = stores.statistics.measures()
    assert list(measures) == ["contrasting"]
    found = measures["contrasting"]
    assert found == ClassMeasures(
        pairs=2,
        premise=_bins(len(WORDS), {0: 1, 2: 1}),
        hypothesis=_bins(len(WORDS), {0: 1, 1: 1}),
        overlap=_bins(len(PERCENT), {0: 1, 6: 1}),
        mean_premise=8.0,
        mean_hypothesis=4.5,
        mean_overlap=33.5,
    )


def _bins(size: int, counts: dict[int, int]) -> tuple[int, ...]:
    return tuple(counts.get(index, 0) for index in range(size))


def test_measures_keep_every_class_and_those_without_one_apart(project: Project) -> None:
    md5s = _mine(project, {"a": "biology", "b": "physics"})
    _judge(project, some_pairs(md5s["a"]).pairs[0].key, "unclear")
    with project.read_transaction() as stores:
        measures = stores.statistics.measures()
        physics = stores.statistics.measures("physics")
        assert sum(measured.pairs for measured in measures.values()) == stores.pairs.count()
    assert list(measures) == ["contrasting", "reasoning", "entailment", "neutral", ""]
    assert "" not in physics
    assert all(sum(of.premise) == sum(of.overlap) == of.pairs for of in physics.values())


def test_the_funnel_can_be_of_one_domain(project: Project) -> None:
    _mine(project, {"a": "biology", "b": "biology", "c": "physics"})
    with project.read_transaction() as stores:
        everything, physics = stores.statistics.funnel(), stores.statistics.funnel("physics")
        run = stores.mining_runs.current()
        assert run is not None
        assert everything == stores.mining_runs.funnel(run.number)
    assert everything.dropped[DropReason(Strategy.LINKED, "too_short")] == 3
    assert physics.dropped[DropReason(Strategy.LINKED, "too_short")] == 1
    for funnel in (everything, physics):
        for strategy, count in funnel.candidates.items():
            dropped = sum(number for drop, number in funnel.dropped.items() if drop.strategy is strategy)
            assert funnel.kept.get(strategy, 0) + dropped == count


def test_pairs_are_counted_by_the_index_of_what_they_are_filtered_by(project: Project) -> None:
    with project.read_transaction() as stores:
        for sql in (
            statistics._SELECT_COUNTED,
            statistics._SELECT_WORDS.format(of_domain=""),
            statistics._SELECT_OVERLAPS.format(of_domain=""),
        ):
            plan = stores._connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {sql}")
            assert next(iter(plan))[3] == "SCAN pairs USING INDEX pairs_in_order"


def test_an_open_pair_without_a_distant_label_has_no_class() -> None:
    assert PairCount("", Strategy.IMPLICIT, "", "", "open", "", 3).label == ""


def test_accepted_suggestions_are_counted_apart_from_answers(project: Project) -> None:
    md5 = _mine(project, {"a": "biology"})["a"]
    first, second, *_ = some_pairs(md5).pairs
    _judge(project, first.key, "neutral")
    _judge(project, second.key, "neutral", via="accepted")
    counts = [row for row in _counts(project) if row.status == "settled"]
    assert {(row.distant, row.gold, row.accepted) for row in counts} == {
        (str(first.distant_label), "neutral", False),
        (str(second.distant_label), "neutral", True),
    }
