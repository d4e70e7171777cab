"""What the results of the classifier's jobs say."""

from __future__ import annotations

from desktop.jobs.models.suggestions import SuggestionResult
from desktop.jobs.models.training import TrainedModel
from desktop.jobs.models.training_data import ReservedPairs
from desktop.ui.shell.status_bar.results import Trouble, Words, in_words
from storage.changes import Changes


def test_suggestions_say_how_many_by_whom_and_how_fast() -> None:
    note = "There is no graphics card: the processor is used."
    done = SuggestionResult("starter", 976, 120, 2.0, "processor", (note,), 1.0, 0, None, Changes(suggested=True))
    assert in_words(done) == Words("120 new suggestions by starter, 60 a second.", (Trouble(note),))


def test_a_training_says_what_it_learned_from_and_how_well() -> None:
    metrics = {"dev": {"macro_f1": 0.684}}
    done = TrainedModel(
        1,
        "mine",
        "1-mine",
        metrics,
        1.0,
        "processor",
        9.0,
        False,
        (),
        300,
        0,
        0,
        ReservedPairs(),
        Changes(suggested=True),
    )
    assert in_words(done) == Words("mine learned from 300 pairs, macro F1 68.4.")


def test_labels_that_changed_while_a_model_learned_are_told() -> None:
    done = TrainedModel(
        1, "mine", "1-mine", {}, 1.0, "processor", 9.0, True, (), 300, 1, 2, ReservedPairs(), Changes(suggested=True)
    )
    words = in_words(done)
    assert words.text == "mine learned from 300 pairs, stopped early."
    assert [trouble.what for trouble in words.troubles] == ["3 pairs it learned from changed meanwhile."]
