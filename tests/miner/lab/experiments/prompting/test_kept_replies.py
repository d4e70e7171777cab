"""Replies on disk: none is lost when a program is killed, and none is asked for twice."""

from __future__ import annotations

from pathlib import Path

import pytest

from miner.classifier.examples import TrainingExample
from miner.errors import UserError
from miner.lab.experiments.prompting.exemplars import draw_exemplars
from miner.lab.experiments.prompting.kept_replies import KeptReplies, Reply, read_replies


def test_a_line_that_a_killed_program_left_incomplete_is_no_reply(tmp_path: Path) -> None:
    path = tmp_path / "replies" / "run.jsonl"
    KeptReplies(path).add([Reply("a", "1. Entailment"), Reply("b", "4. Neutral\n“x” \ud800")])
    whole = path.read_bytes()
    for cut in range(len(whole)):
        path.write_bytes(whole[:cut])
        kept = KeptReplies(path)
        kept.add([Reply("b", "asked again"), Reply("c", "3")])
        found = {reply.text_hash: reply.answer for reply in read_replies(path)}
        assert found["c"] == "3"
        assert found["b"] in ("asked again", "4. Neutral\n“x” \ud800")
        assert found.get("a", "1. Entailment") == "1. Entailment"


def test_the_finished_file_does_not_depend_on_the_order_of_replies(tmp_path: Path) -> None:
    files = []
    for name, order in (("one", "abc"), ("two", "cab")):
        kept = KeptReplies(tmp_path / name)
        for letter in order:
            kept.add([Reply(letter, letter.upper()), Reply(letter, "not kept: it has one")])
        kept.finish({"a": ("neutral", "rule"), "b": ("", "unreadable")})
        files.append((tmp_path / name).read_bytes())
    assert files[0] == files[1]
    assert read_replies(tmp_path / "one")[0] == Reply("a", "A", (), "neutral", "rule")
    assert len(KeptReplies(tmp_path / "one")) == 3


def examples(each: int) -> list[TrainingExample]:
    return [TrainingExample(f"{label}-{number}", "", "P", "H", label) for number in range(each) for label in range(3)]


def test_exemplars_are_drawn_by_seed_and_key_alone() -> None:
    drawn = draw_exemplars(examples(50), "abc", 2, seed=1)
    assert [one.label for one in drawn] == [0, 1, 2, 0, 1, 2]
    assert draw_exemplars(reversed(examples(50)), "abc", 2, seed=1) == drawn
    assert draw_exemplars(examples(50), "abc", 2, seed=2) != drawn
    assert [one.key for one in draw_exemplars(examples(50), "abc", 1, seed=1)] == [one.key for one in drawn[:3]]
    with pytest.raises(UserError, match="There are 1 pairs of the class a to draw 2"):
        draw_exemplars(examples(1), "abc", 2, seed=1)
