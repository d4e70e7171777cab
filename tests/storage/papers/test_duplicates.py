"""Papers that are likely the same are found and merged, and nothing that people did is lost."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from miner.mining.identity import pair_key
from miner.records import Answer, Label, Pair, Paper, Strategy
from storage.annotation.answers import NewAnswer
from storage.annotation.marks import FLAG_VALUE, MarkKind
from storage.pairs.filters import PairFilter
from storage.pairs.judgement import keys_scope
from storage.papers.duplicates import Likeness
from storage.project import Project
from tests.storage.factories import add, as_many, mined, next_papers, pair, paper, pdf, start_run

AT = datetime(2026, 3, 1, tzinfo=UTC)
TEXT = " ".join(f"The wind moved grain {n} over dune {n * 7} at dawn." for n in range(40))


def alike(name: str, title: str, doi: str | None = None, text: str = "", **more: Any) -> Paper:
    words = text or " ".join(f"{name}{n}" for n in range(30)) + ". However, " + " ".join(
        f"{name}{n}" for n in range(40)
    )
    return replace(paper(name, text=words), title=title, doi=doi, **more)


@pytest.mark.parametrize(
    ("one", "other", "reasons"),
    [
        (
            alike("a", "Wind and sand on dunes", "https://doi.org/10.1000/ABC.1"),
            alike("b", "Wind and sand on dunes.", "doi:10.1000%2Fabc.1"),
            (Likeness.DOI, Likeness.TITLE),
        ),
        (
            alike("a", "The influence of wind on coastal dunes", "10.1101/2020.01.01.1", year=2018),
            alike("b", "The influence of the wind on coastal dunes", "10.1016/j.x.2021", TEXT, year=2021),
            (),
        ),
        (
            alike("a", "The influence of wind on coastal dunes", text=f"{TEXT} Alone in one."),
            alike("b", "The influences of wind on coastal dunes", text=TEXT),
            (Likeness.SIMILAR_TITLE,),
        ),
        (alike("a", "Wind and sand on dunes, part 1"), alike("b", "Wind and sand on dunes, part 2"), ()),
        (alike("a", "Letter to the editor"), alike("b", "Letter to the editor", authors=("C. Dee",)), ()),
    ],
)
def test_papers_are_alike_by_doi_title_or_text(
    project: Project, one: Paper, other: Paper, reasons: tuple[Likeness, ...]
) -> None:
    with project.transaction() as stores:
        stores.papers.save(one, pdf("a"))
        stores.papers.save(other, pdf("b"))
    with project.read_transaction() as stores:
        found = stores.duplicates.find()
    assert [duplicate.reasons for duplicate in found] == ([reasons] if reasons else [])


A, B = sorted((paper("a").md5, paper("b").md5))


def pairs_of(md5: str) -> list[Pair]:
    """A linked pair that both papers have, one of its own, and a neutral one that both have."""
    own = pair(md5, f"Of {md5} alone.", "However, it ends.", number=3)
    neutral = pair(md5, "Sand is old.", "Wind is new.", Strategy.BOTH_RANDOM, Label.NEUTRAL, number=6)
    return [pair(md5, "Dunes move.", "However, they stay.", number=1), own, neutral]


def mine(project: Project, id: str = "run") -> None:
    run = start_run(project, id)
    for pending in next_papers(project, run):
        with project.transaction(bulk=True) as stores:
            stores.pairs.replace_for(pending, mined(pairs_of(pending.md5)), as_many, duplicates=True)
    with project.transaction() as stores:
        stores.mining_runs.finish(run)


def answer(project: Project, key: str, who: str, given: Answer, at: datetime = AT) -> None:
    with project.transaction() as stores:
        action = stores.actions.begin(who, "Answer", at)
        stores.answers.append([NewAnswer(key, who, at, given)], action=action)


def merge(project: Project, kept: str = A, other: str = B) -> None:
    with project.transaction() as stores:
        stores.paper_removals.merge(stores.actions.begin("ana", "Merge", AT), kept, other)


def state(project: Project) -> list[tuple[object, ...]]:
    """What the project says of papers, files, pairs, lists and rounds."""
    queries = (
        "SELECT md5, title FROM papers ORDER BY 1",
        "SELECT path, files.md5, papers.md5 FROM files JOIN papers ON papers.id = paper_id ORDER BY 1",
        "SELECT key, papers.md5, current, status, gold, flagged, votes FROM pairs JOIN papers ON papers.id = paper_id "
        "ORDER BY 1",
        "SELECT * FROM listed_pairs ORDER BY 1, 2",
    )
    with project.read_transaction() as stores:
        return [tuple(row) for query in queries for row in stores._connection.exec_driver_sql(query)]


def test_papers_of_a_series_are_not_compared_by_its_title(project: Project) -> None:
    with project.transaction() as stores:
        for name in "cdefghijklmnop":
            stores.papers.save(alike(name, "Notes on the history of coastal dunes", f"10.1000/{name}"), pdf(name))
        for name in ("other", "another"):
            stores.papers.save(alike(name, "The influence of wind on coastal dunes"), pdf(name))
    with project.read_transaction() as stores:
        assert [one.reasons for one in stores.duplicates.find()] == [(Likeness.TITLE,)]


def test_merging_keeps_what_people_did_and_is_undone_and_redone(project: Project) -> None:
    add(project, "ab")
    mine(project)
    shared, own, neutral = (one.key for one in pairs_of(B))
    for key in (shared, own, neutral):
        answer(project, key, "ana", Answer.REASONING)
    answer(project, shared, "ben", Answer.ENTAILMENT)
    answer(project, pairs_of(A)[0].key, "ben", Answer.CONTRASTING, AT.replace(year=2027))
    with project.transaction() as stores:
        flagging = stores.actions.begin("ana", "Flag", AT)
        stores.marks.put(keys_scope([shared]), "ana", MarkKind.FLAG, FLAG_VALUE, AT, action=flagging)
        stores.pair_lists.put("mine", [shared, own], AT)
    before = state(project)
    merge(project)
    merged = state(project)
    expected = {  # who answered what, of the counterparts
        pair_key(A, "Dunes move.", "However, they stay.", Strategy.LINKED): {"ana": "reasoning", "ben": "contrasting"},
        pair_key(A, f"Of {B} alone.", "However, it ends.", Strategy.LINKED): {"ana": "reasoning"},
        pair_key(A, "Sand is old.", "Wind is new.", Strategy.BOTH_RANDOM): {"ana": "reasoning"},
    }
    latest = "SELECT annotator, new FROM label_events WHERE pair_key = ? ORDER BY id"
    with project.read_transaction() as stores:
        for key, answers in expected.items():
            assert dict(stores._connection.exec_driver_sql(latest, (key,)).all()) == answers  # type: ignore[arg-type]
        rows = stores.pair_table.rows(stores.pair_table.ids(PairFilter()))
        assert {row.key: row.flagged for row in rows}[pairs_of(A)[0].key]
        assert stores.files.paper_of(B) == A
        assert stores.duplicates.merged_files() == {B}
        assert stores.duplicates.find() == []
        assert stores.mining_runs.count_pending(1) == 1  # mined again, with the neutral pair that was annotated
        assert set(expected) <= set(stores.pairs.present(list(expected)))
    for action, wanted in (("undo", before), ("redo", merged), ("undo", before)):
        with project.transaction() as stores:
            getattr(stores.actions, action)("ana", AT)
        assert state(project) == wanted


def test_a_paper_is_not_merged_away_while_a_round_waits_for_it_nor_out_of_a_released_split(project: Project) -> None:
    add(project, "ab")
    mine(project)
    insert = "INSERT INTO annotation_rounds VALUES (1, 'u', 4, 'benchmark', 1, ?, '{}', 1, 'relation', NULL, NULL)"
    with project.transaction() as stores:
        stores._connection.exec_driver_sql(insert, (AT.isoformat(),))
        keys = [(1, one.key, n) for n, one in enumerate(pairs_of(B))]
        drawn = "INSERT INTO annotation_round_pairs (round, pair_key, ordinal, domain) VALUES (?, ?, ?, '')"
        stores._connection.exec_driver_sql(drawn, keys)
        assert "3 pairs" in stores.duplicates.why_not(A, B)
        assert "round 4" in stores.duplicates.why_not(A, B)
        assert not stores.duplicates.why_not(B, A)
        stores._connection.exec_driver_sql("UPDATE annotation_rounds SET is_open = 0")
        assert not stores.duplicates.why_not(A, B)
    merge(project)
    with project.read_transaction() as stores:  # a closed round has the pairs of the paper that stays
        in_round = stores._connection.exec_driver_sql("SELECT pair_key FROM annotation_round_pairs ORDER BY ordinal")
        assert in_round.scalars().all()[0] == pairs_of(A)[0].key


def test_papers_that_are_to_be_kept_are_found_again_only_after_undo(project: Project) -> None:
    with project.transaction() as stores:
        stores.papers.save(alike("a", "Wind and sand on dunes"), pdf("a"))
        stores.papers.save(alike("b", "Wind and sand on dunes"), pdf("b"))
        action = stores.actions.begin("ana", "Keep", AT)
        assert stores.duplicates.record_kept(action, B, A)
        assert not stores.duplicates.record_kept(action, A, B)
        assert stores.duplicates.find() == []
    with project.transaction() as stores:
        stores.actions.undo("ana", AT)
        assert len(stores.duplicates.find()) == 1
