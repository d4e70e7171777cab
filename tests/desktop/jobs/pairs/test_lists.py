"""Lists of pairs: deleting one can be undone."""

from __future__ import annotations

from pathlib import Path

import pytest

from desktop.jobs.pairs.lists import add_list, delete_list, keep_list, load_lists, put_list, rename_list
from desktop.jobs.pairs.table import load_filters, save_filter
from desktop.jobs.review.answers import redo, undo
from miner.errors import UserError
from miner.progress import Progress
from miner.records import Label
from storage.annotation.rounds import Round, RoundOrder
from storage.pairs.filters import PairFilter
from storage.project import Project
from tests.storage.annotation.round_factory import add_pairs


def members(project: Project, name: str) -> int:
    with project.read_transaction() as stores:
        return len(stores.pair_table.ids(PairFilter(lists=frozenset([name]))))


def test_a_deleted_list_comes_back_with_its_pairs_unless_its_name_is_taken(tmp_path: Path) -> None:
    with Project.create(tmp_path / "a.pairwright") as project:
        keys = [pair.key for pair in add_pairs(project, {"ecology": dict.fromkeys(Label, 3)})["ecology"]]
        put_list(project, "hard", keys[:5]).work(Progress())
        put_list(project, "easy", keys[5:]).work(Progress())
        for _ in range(2):
            left = delete_list(project, "hard").work(Progress())
            assert ([one.name for one in left.lists], members(project, "hard")) == (["easy"], 0)
            undone = undo(project, "mk").work(Progress())
            assert undone is not None
            assert (undone.title, members(project, "hard"), members(project, "easy")) == (
                "Delete the list “hard”",
                5,
                7,
            )
            redo(project, "mk").work(Progress())
            assert members(project, "hard") == 0
            undo(project, "mk").work(Progress())
            assert members(project, "hard") == 5
        delete_list(project, "hard").work(Progress())
        put_list(project, "hard", keys[:1]).work(Progress())
        stayed = undo(project, "mk").work(Progress())
        assert stayed is not None
        assert "decided otherwise" in stayed.title
        assert members(project, "hard") == 1
        assert {one.name for one in load_lists(project).work(Progress())} == {"hard", "easy"}


def test_each_of_two_deleted_lists_of_one_name_comes_back_as_it_was(tmp_path: Path) -> None:
    with Project.create(tmp_path / "a.pairwright") as project:
        keys = [pair.key for pair in add_pairs(project, {"ecology": dict.fromkeys(Label, 3)})["ecology"]]
        for first, last in ((0, 5), (5, 7)):
            put_list(project, "hard", keys[first:last]).work(Progress())
            delete_list(project, "hard").work(Progress())
        undo(project, "mk").work(Progress())
        rename_list(project, "hard", "later").work(Progress())
        undo(project, "mk").work(Progress())
        assert (members(project, "later"), members(project, "hard")) == (2, 5)


def test_saved_filters_and_queues_follow_the_new_name_of_a_list(tmp_path: Path) -> None:
    with Project.create(tmp_path / "a.pairwright") as project:
        keys = [pair.key for pair in add_pairs(project, {"ecology": dict.fromkeys(Label, 1)})["ecology"]]
        put_list(project, "hard", keys).work(Progress())
        saved = PairFilter(text="wave", lists=frozenset(["hard", "other"]), outside_lists=frozenset(["hard"]))
        save_filter(project, "Mine", saved).work(Progress())
        with project.transaction() as stores:
            stores.queues.start("mk", Round(1, RoundOrder.RANDOM, saved, 2, tuple(keys[:2]), 1))
        rename_list(project, "hard", " hard  ones ").work(Progress())
        [filter] = load_filters(project).work(Progress()).values()
        with project.read_transaction() as stores:
            queue = stores.queues.current("mk")
        assert queue is not None
        assert (queue.filter, queue.keys) == (filter, tuple(keys[:2]))
        assert (filter.text, filter.lists) == ("wave", {"hard ones", "other"})
        assert filter.outside_lists == {"hard ones"}


def test_a_kept_list_that_replaced_another_comes_back_with_undo(tmp_path: Path) -> None:
    with Project.create(tmp_path / "a.pairwright") as project:
        keys = [pair.key for pair in add_pairs(project, {"ecology": dict.fromkeys(Label, 3)})["ecology"]]
        keep_list(project, "hard", keys[:5]).work(Progress())
        assert undo(project, "mk").work(Progress()) is None  # nothing was lost
        keep_list(project, " hard ", keys[5:7]).work(Progress())
        for _ in range(2):
            assert members(project, "hard") == 2
            undone = undo(project, "mk").work(Progress())
            assert undone is not None
            assert (undone.title, members(project, "hard")) == ("Replace the list “hard”", 5)
            redo(project, "mk").work(Progress())
        put_list(project, "hard", keys[:1]).work(Progress())
        stayed = undo(project, "mk").work(Progress())
        assert stayed is not None
        assert "decided otherwise" in stayed.title
        assert members(project, "hard") == 1


def test_what_happened_to_one_list_is_undone_step_by_step(tmp_path: Path) -> None:
    with Project.create(tmp_path / "a.pairwright") as project:
        keys = [pair.key for pair in add_pairs(project, {"ecology": dict.fromkeys(Label, 3)})["ecology"]]
        keep_list(project, "hard", keys[:5]).work(Progress())
        keep_list(project, "hard", keys[5:7]).work(Progress())
        delete_list(project, "hard").work(Progress())
        found = [members(project, "hard")]
        for step in (undo, undo, redo, redo, undo, undo):
            step(project, "mk").work(Progress())
            found.append(members(project, "hard"))
        assert found == [0, 2, 5, 2, 0, 2, 5]


def test_a_new_list_takes_no_name_of_other_pairs(tmp_path: Path) -> None:
    with Project.create(tmp_path / "a.pairwright") as project:
        keys = [pair.key for pair in add_pairs(project, {"ecology": dict.fromkeys(Label, 3)})["ecology"]]
        add_list(project, "hard", keys[:5]).work(Progress())
        add_list(project, "hard", keys[4::-1]).work(Progress())  # the same pairs
        with pytest.raises(UserError, match="called “hard” already"):
            add_list(project, "hard", keys[5:]).work(Progress())
        assert members(project, "hard") == 5
