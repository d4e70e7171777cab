"""Descriptions of the results of jobs."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from datetime import datetime
from inspect import signature
from pathlib import Path

import pytest

from desktop.jobs import results
from desktop.jobs.backups import RestoredProject
from desktop.jobs.descriptions.balance import balance_advice, balance_text, is_helped_by_mining, phrases_to_measure
from desktop.jobs.descriptions.mining import rare_class_text
from desktop.jobs.descriptions.result_text import ResultProblem, ResultText
from desktop.jobs.exchange.imports import RejectedFile
from desktop.jobs.exchange.receipt_text import left_out_text, split_text
from desktop.jobs.mining.class_balance import RareClass, SampleGain, SparePhrases
from desktop.jobs.mining.run import MiningResult
from desktop.jobs.models.suggestions import SuggestionResult
from desktop.jobs.models.training import TrainedModel
from desktop.jobs.models.training_data import ReservedPairs
from desktop.jobs.papers.import_session import ImportFailure, ImportResult
from desktop.jobs.papers.sentences import SentenceLearningResult
from desktop.jobs.results import describe
from desktop.jobs.review.answers import ActionResult
from miner.mining.linking_phrases import EXTENDED, Phrase
from miner.records import DropReason, Funnel, Label, PairFlag, Strategy
from storage.backups import Backup
from storage.changes import Changes
from storage.dataset.candidates import AbsentClass, ClassBalance

FUNNEL = Funnel(
    Counter({Strategy.LINKED: 1_500}),
    Counter({Strategy.LINKED: 1_204}),
    {DropReason(Strategy.LINKED, "too_short"): 296},
)


@pytest.mark.parametrize(
    ("result", "sentence", "problems"),
    [
        (ImportResult(new=1, known=2, replaced=1), "1 new paper, 2 already there, 1 parsed again.", 0),
        (ImportResult(), "0 new papers.", 0),
        (
            MiningResult("r", 5, 8, FUNNEL, ""),
            "1,204 pairs found in 8 papers, 296 candidates dropped, 3 papers mined before.",
            0,
        ),
        (
            MiningResult("r", 1, 1, FUNNEL, "", ("md5",)),
            "1,204 pairs found in 1 paper, 296 candidates dropped.",
            1,
        ),
        (ActionResult("Flag 12 pairs", 12, Changes(), ()), "Flag 12 pairs.", 0),
        (
            SentenceLearningResult(8, 3),
            "Learned from 8 papers where sentences end: 3 papers are split into other sentences than before.",
            0,
        ),
        (RejectedFile(Path("a/dev.csv"), "It is no data set.", ""), "dev.csv: nothing was imported.", 1),
        ([ResultText("a.", problems=(ResultProblem("x"),)), ResultText("b.")], "a. b.", 1),
        ([ResultText("a.")] * 5, "a. a. a. And 2 more.", 0),
        (None, "Nothing to do.", 0),
    ],
)
def test_results_are_described_in_a_sentence(result: object, sentence: str, problems: int) -> None:
    text = describe(result)
    assert (text.sentence, len(text.problems)) == (sentence, problems)


def test_what_a_command_prints_has_its_own_description_and_other_jobs_are_done() -> None:
    assert describe([object()], otherwise=ResultText("Done.")).sentence == "Done."
    with pytest.raises(TypeError, match="object has no description"):
        describe(object())


def test_descriptions_are_found_by_the_names_of_the_types_they_are_of() -> None:
    for name, function in results._DESCRIPTIONS.items():
        [result] = signature(function).parameters.values()
        assert result.annotation in (name, result.empty)


def test_what_an_import_passed_over_is_noted() -> None:
    failure = ImportFailure(Path("scan.pdf"), 0, "scan", "It has no text layer.", "Run OCR, then retry.")
    text = describe(ImportResult(new=2, failed=[failure], unlisted=3, ignored=3, links=1, hidden_words=12))
    assert text.sentence == "2 new papers, 4 could not be read."
    assert text.notes == (
        "Ignored 2 other files and 1 link that leads out of its folder.",
        "12 words were left out that cannot be seen on the page.",
    )
    assert text.problems == (ResultProblem("scan.pdf: It has no text layer.", "Run OCR, then retry."),)


def test_papers_in_other_languages_are_said_to_be_in_them() -> None:
    text = "3 papers are not in English (2 German, 1 French), so no pairs are mined from them."
    assert describe(ImportResult(new=4, other_languages=Counter(de=2, fr=1))).notes == (text,)
    mined = MiningResult("r", 5, 8, FUNNEL, "", other_languages={"pt": 1})
    assert describe(mined).notes == ("1 paper is not in English (1 Portuguese), so no pairs are mined from it.",)


def test_suggestions_say_how_many_by_whom_and_how_fast() -> None:
    note = "There is no graphics card: the processor is used."
    done = SuggestionResult("starter", 976, 120, 2.0, "processor", (note,), 1.5, 312, 0.03, Changes(suggestions=True))
    assert describe(done) == ResultText(
        "976 pairs with a suggestion by starter, 120 of them new, in 2.0 s (processor).",
        ("Confidence was adjusted (temperature 1.50) on 312 answers: expected calibration error 3.0 %.",),
        (ResultProblem(note),),
    )


def test_a_training_says_what_it_learned_from_and_how_well() -> None:
    metrics = {"dev": {"n": 50, "macro_f1": 0.684, "accuracy": 0.7}}
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
        Changes(suggestions=True),
    )
    assert describe(done) == ResultText(
        "“mine” (run 1) learned from 300 pairs in 9 s (processor), macro F1 68.4.",
        ("On 50 pairs held out for validation: macro F1 68.4, accuracy 70.0 %.",),
    )


def test_labels_that_changed_while_a_model_learned_are_told() -> None:
    done = TrainedModel(
        1, "mine", "1-mine", {}, 1.0, "processor", 9.0, True, (), 300, 1, 2, ReservedPairs(), Changes(suggestions=True)
    )
    text = describe(done)
    assert text.sentence.endswith("(processor), stopped early; the best so far is kept.")
    assert [problem.text for problem in text.problems] == [
        "During training, 3 examples changed in the project: 1 removed, 2 with another label or text."
    ]


def test_a_restored_project_names_the_time_of_its_backup() -> None:
    backup = Backup(Path("b"), datetime(2024, 5, 2, 10, 30).astimezone(), 1, "")
    text = describe(RestoredProject(Path("psy.pairwright"), backup, Path("kept")))
    assert text == ResultText("psy is as it was on 2 May 2024, 10:30.", ("The former file is kept: kept",))


def test_reasons_come_with_the_most_frequent_first() -> None:
    assert left_out_text({}) == ""
    assert left_out_text({"bad": 1}) == "1 pair is left out: marked as bad."
    assert left_out_text({PairFlag.NO_COMMA: 2}) == "2 pairs are left out: without a comma after the linking phrase."
    assert left_out_text({"bad": 2, "balance": 1200, "other_split": 3}) == (
        "1,205 pairs are left out: 1,200 to balance the classes, 3 that share a sentence with another split, "
        "2 marked as bad."
    )


def test_the_way_of_splitting_is_named() -> None:
    assert split_text({}) == ""
    assert split_text({"paper": 1, "shared_sentences": 0, "own_split": 0}) == "Split: 1 pair by paper."
    assert split_text({"paper": 1200, "shared_sentences": 976, "own_split": 1}) == (
        "Split: 1,200 pairs by paper; 976 pairs by shared sentences, because they name no paper; "
        "1 pair by the split that their file states."
    )


SPARE = tuple(phrase for phrase in EXTENDED if phrase.label is Label.ENTAILMENT)
GAIN = SampleGain(papers=40, all_papers=58, pairs=63, added=4)
RARE = RareClass(Label.ENTAILMENT, 178, 4_073, False, SPARE, GAIN, 0, 0)


@pytest.mark.parametrize(
    ("rare", "text"),
    [
        (
            RARE,
            "Entailment is the rarest linked class: 178 of the project's 4,073 pairs. 5 phrases of the extended "
            "lexicon for this class are switched off: in a sample of 40 of 58 papers they would add 4 pairs to the 63 "
            "there. No pair found by these phrases has been annotated yet.",
        ),
        (
            replace(RARE, spare=SPARE[1:2], gain=SampleGain(8, 8, 3, 2, 2)),
            "Entailment is the rarest linked class: 178 of the project's 4,073 pairs. 1 phrase of the extended "
            "lexicon for this class is switched off: in all 8 papers they would add 2 pairs to the 3 there. "
            "Of them, “More precisely” is reliable and would add 2 pairs: 76 of 83 pairs that were read by hand are "
            "entailment (95 % interval: 84 to 96 %). No pair found by these phrases has been annotated yet.",
        ),
        (
            replace(RARE, in_sample=True, spare=SPARE[:1], gain=None, answered=9, agreed=8),
            "Entailment is the rarest linked class: 178 of the sample's 4,073 pairs. "
            "1 phrase of the extended lexicon for this class is switched off. "
            "Annotators agreed with 8 of 9 pairs found by these phrases (95 % interval: 57 to 98 %).",
        ),
        (
            replace(RARE, gain=SampleGain(8, 8, 3, 0)),
            "Entailment is the rarest linked class: 178 of the project's 4,073 pairs. 5 phrases of the extended "
            "lexicon for this class are switched off: in all 8 papers they would add no pair.",
        ),
        (
            replace(RARE, spare=(), gain=None),
            "Entailment is the rarest linked class: 178 of the project's 4,073 pairs. All phrases of the extended "
            "lexicon for this class are switched on. More papers, or linking phrases of your own, would add pairs.",
        ),
    ],
)
def test_the_rarest_class_is_described_with_what_would_add_to_it(rare: RareClass, text: str) -> None:
    described = rare_class_text(rare)
    assert " ".join([described.sentence, *described.notes]) == text


SWITCH_ON = "To keep more, switch on its 5 phrases of the extended lexicon"
SWITCH_ONE_ON = "To keep more, switch on its 1 phrase of the extended lexicon"
ADD_PAPERS = "To keep more, add papers, or linking phrases of your own for this class."
COST = ClassBalance(pairs=4_073, kept=712, rarest="entailment", fewest=178, parts=1)


def test_what_balance_costs_is_said_in_a_sentence() -> None:
    assert balance_text(COST) == "712 of 4,073 pairs; entailment has the fewest, 178."
    assert balance_text(COST._replace(kept=640, parts=3)) == (
        "640 of 4,073 pairs, balanced in each split and domain; entailment has the fewest, 178."
    )
    assert balance_text(COST._replace(kept=4_073)) == "all 4,073 pairs: the classes have the same number already."


def test_what_balance_has_none_of_is_named() -> None:
    lacking = tuple(
        AbsentClass(label, "nlp", split, 14) for split in ("dev", "") for label in ("entailment", "neutral")
    )
    assert balance_text(COST._replace(absent=lacking[2:3])).endswith(
        "178. Where a class has no pairs, only the others are balanced: entailment in nlp has 0 of 14."
    )
    assert balance_text(COST._replace(absent=lacking)).endswith(
        "entailment in dev of nlp has 0 of 14, neutral in dev of nlp has 0 of 14, entailment in nlp has 0 of 14 and so "
        "on for 1 more."
    )


@pytest.mark.parametrize(
    ("balance", "spare", "gain", "settled", "advice", "by_mining"),
    [
        (COST, SPARE, SampleGain(9, 9, 178, 61), False, f"{SWITCH_ON}: they would add 61 pairs.", True),
        (COST, SPARE[:1], SampleGain(9, 9, 178, 1), False, f"{SWITCH_ONE_ON}: it would add 1 pair.", True),
        (COST, SPARE, GAIN, False, f"{SWITCH_ON}: they would add 4 pairs in a sample of 40 of 58 papers.", True),
        (COST, SPARE, SampleGain(9, 9, 178, 0), False, ADD_PAPERS, False),
        (COST, SPARE, None, False, "", False),
        (COST, (), None, False, ADD_PAPERS, False),
        (COST, SPARE, GAIN, True, "To keep more, annotate more pairs of this class.", False),
        (COST, None, None, False, "", False),
        (
            COST._replace(rarest="neutral"),
            (),
            None,
            False,
            "To keep more, mine more neutral pairs for each linked one.",
            True,
        ),
        (COST._replace(kept=4_073), SPARE, GAIN, False, "", False),
    ],
)
def test_what_would_help_the_balance_is_named_where_it_adds_pairs(
    balance: ClassBalance,
    spare: tuple[Phrase, ...] | None,
    gain: SampleGain | None,
    settled: bool,
    advice: str,
    by_mining: bool,
) -> None:
    phrases = None if spare is None else SparePhrases(spare, "these papers")
    assert balance_advice(balance, phrases, gain, settled=settled) == advice
    assert is_helped_by_mining(balance, phrases, gain, settled=settled) is by_mining
    is_measured = balance == COST and bool(spare) and not settled
    assert phrases_to_measure(balance, phrases, settled=settled) == (spare if is_measured else ())
