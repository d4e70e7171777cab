"""Jobs that mend sentences: titles of actions, what changed, what is refused."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop.jobs.pairs.table import load_details
from desktop.jobs.papers.evidence import SentenceRole
from desktop.jobs.review.answers import answer, undo
from desktop.jobs.review.mending import load_pair, mend
from miner.errors import UserError
from miner.progress import Progress
from miner.records import Answer
from storage.annotation.annotation_rounds import RoundKind
from storage.annotation.sent_assignments import SentAssignment
from storage.pairs.mended_texts import SentenceField
from storage.project import Project
from storage.settings import ASSIGNMENT
from tests.storage.factories import add, mine, paper, some_pairs

PREMISE, HYPOTHESIS = SentenceField.PREMISE, SentenceField.HYPOTHESIS
PAIR = some_pairs(paper("a").md5).pairs[0]
NOW = Progress()


@pytest.fixture
def mined(tmp_path: Path) -> Iterator[Project]:
    with Project.create(tmp_path / "test.pairwright") as project:
        add(project, ["a"])
        mine(project)
        yield project


def test_the_title_says_what_was_done(mined: Project) -> None:
    def done(**texts: str | None) -> tuple[str, int]:
        job = mend(mined, PAIR.key, "anna", {SentenceField(field): text for field, text in texts.items()})
        result = job.work(NOW)
        return result.title, result.count

    assert done(premise="Whole.") == ("Correct the premise", 1)
    assert done(premise="Whole again.", hypothesis="so too") == ("Correct both sentences", 1)
    assert done(premise="Whole again.", hypothesis="so three") == ("Correct the hypothesis", 1)
    assert done(premise="Whole again.") == ("Correct a sentence", 0)
    assert done(premise=None, hypothesis=PAIR.hypothesis) == ("Back to the mined text", 1)
    result = undo(mined, "anna").work(NOW)
    assert result is not None
    assert (result.title, result.changes.annotated_keys) == ("Back to the mined text", {PAIR.key})
    assert result.changes.suggestions


def test_the_answer_that_was_given_stays_and_the_history_shows_the_mend(mined: Project) -> None:
    answer(mined, [PAIR.key], "anna", Answer.REASONING).work(NOW)
    mend(mined, PAIR.key, "ben", {PREMISE: "Whole."}).work(NOW)
    mend(mined, PAIR.key, "ben", {PREMISE: None}).work(NOW)
    details = load_details(mined, PAIR.key).work(NOW)
    assert details is not None
    assert details.line.gold == "reasoning"
    assert [(entry.annotator, entry.text, entry.is_current) for entry in details.history] == [
        ("anna", "reasoning", True),
        ("ben", f"premise corrected; before: “{PAIR.premise}”", False),
        ("ben", "premise back to the mined text; before: “Whole.”", True),
    ]


def test_the_paragraph_and_the_phrase_are_found_by_what_was_mined(mined: Project) -> None:
    before = load_pair(mined, PAIR.key).work(NOW)
    mend(mined, PAIR.key, "anna", {HYPOTHESIS: "a much longer text than there was before"}).work(NOW)
    after = load_pair(mined, PAIR.key).work(NOW)
    assert after.evidence == before.evidence
    assert after.evidence.sentences[SentenceRole.HYPOTHESIS] == PAIR.hypothesis_original
    assert after.evidence.phrase_length == len("However, ")
    assert (after.texts.hypothesis, after.texts.mined_hypothesis) == (
        "a much longer text than there was before",
        PAIR.hypothesis,
    )


@pytest.mark.parametrize("text", ["", "x" * 2001])
def test_a_text_that_cannot_be_a_sentence_is_refused_and_nothing_is_done(mined: Project, text: str) -> None:
    with pytest.raises(UserError):
        mend(mined, PAIR.key, "anna", {PREMISE: text}).work(NOW)
    assert undo(mined, "anna").work(NOW) is None


def test_a_pair_that_is_not_there_is_named(mined: Project) -> None:
    with pytest.raises(UserError, match="There is no pair 12345"):
        mend(mined, "12345", "anna", {PREMISE: "Whole."}).work(NOW)
    with pytest.raises(UserError, match="There is no pair 12345"):
        load_pair(mined, "12345").work(NOW)


def test_the_sentences_of_an_answer_file_stay_as_they_were_sent(mined: Project) -> None:
    sent = SentAssignment("uid", "round", 1, RoundKind.BENCHMARK, "ada", "Ada", 1, "digest")
    with mined.transaction() as stores:
        stores.settings.put(ASSIGNMENT, sent)
    with pytest.raises(UserError, match="answer file"):
        mend(mined, PAIR.key, "anna", {PREMISE: "Whole."}).work(NOW)
