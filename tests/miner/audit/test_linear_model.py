"""What a linear model guesses: nothing from a clean set, much from a planted word, and the same each time."""

from __future__ import annotations

import pytest

from miner.audit.drawn_pairs import AuditPair
from miner.audit.linear_model import MAX_PAIRS, MIN_CLASS_PAIRS, model_findings, reference_accuracy
from miner.audit.report import AuditQuestion, Finding, Measure, Verdict
from miner.progress import Cancelled
from miner.records import Label
from tests.miner.audit.planted import Artefacts, planted_pairs


def _findings(pairs: list[AuditPair], seed: int = 1) -> dict[AuditQuestion, Finding]:
    return {one.question: one for one in model_findings(pairs, seed, lambda: None, has_papers=True)}


def test_nothing_is_guessed_from_a_clean_set() -> None:
    for finding in _findings(planted_pairs(150)).values():
        accuracy = finding.rows[0]
        assert finding.verdict is Verdict.FINE
        assert accuracy.low < finding.chance + 0.02
        assert accuracy.low <= accuracy.value <= accuracy.high


def test_a_planted_word_is_guessed_from_the_sentence_it_is_in() -> None:
    found = _findings(planted_pairs(300, Artefacts(word=(Label.ENTAILMENT, "namely", 0.95))))
    alone = found[AuditQuestion.HYPOTHESIS_ALONE]
    recalls = {row.label: row.value for row in alone.rows if row.measure is Measure.RECALL}
    assert (alone.verdict, alone.label) == (Verdict.MEND, Label.ENTAILMENT)
    assert recalls[Label.ENTAILMENT] > 0.9 > 0.6 > recalls[Label.NEUTRAL]
    assert found[AuditQuestion.PREMISE_ALONE].verdict is Verdict.FINE


def test_pairs_of_a_paper_are_never_learned_and_tested_both() -> None:
    """Each paper has a label of its own and a word of its own; with papers kept together, both are useless."""
    pairs = [
        AuditPair(f"premise of it{paper}.", f"word{paper} again.", list(Label)[paper % 4], "linked", 0, f"p{paper}")
        for paper in range(40)
        for _ in range(6)
    ]
    kept = _findings(pairs)[AuditQuestion.HYPOTHESIS_ALONE]
    assert kept.rows[0].value < 0.3
    mixed = [pair._replace(group=str(number)) for number, pair in enumerate(pairs)]
    assert _findings(mixed)[AuditQuestion.HYPOTHESIS_ALONE].rows[0].value > 0.9


def test_one_paper_is_tested_by_pairs_and_that_is_said() -> None:
    pairs = [pair._replace(group="the paper") for pair in planted_pairs(60)]
    assert all(finding.without_papers for finding in _findings(pairs).values())
    assert not any(finding.without_papers for finding in _findings(planted_pairs(60)).values())


def test_classes_are_made_equally_large_and_tiny_ones_left_out() -> None:
    pairs = planted_pairs(100)
    few = [pair for pair in pairs if pair.label == Label.ENTAILMENT][: MIN_CLASS_PAIRS - 1]
    rest = [pair for pair in pairs if pair.label not in (Label.ENTAILMENT, Label.NEUTRAL)]
    neutral = [pair for pair in pairs if pair.label == Label.NEUTRAL][:30]
    for finding in _findings([*few, *rest, *neutral]).values():
        assert (finding.left_out, finding.pairs, finding.chance) == (("entailment",), 90, pytest.approx(1 / 3))


def test_too_few_pairs_or_one_class_say_nothing() -> None:
    for pairs in (planted_pairs(5), [], [pair for pair in planted_pairs(60) if pair.label == Label.NEUTRAL]):
        assert {finding.verdict for finding in _findings(pairs).values()} == {Verdict.UNKNOWN}


def test_pairs_without_words_can_be_audited() -> None:
    pairs = [AuditPair("…", "!", label, "linked", 0, str(n)) for n in range(100) for label in Label]
    assert {finding.verdict for finding in _findings(pairs).values()} == {Verdict.FINE}


def test_the_same_seed_gives_the_same_findings() -> None:
    pairs = planted_pairs(60, Artefacts(word=(Label.NEUTRAL, "quokka", 0.4)))
    assert _findings(pairs) == _findings(pairs)
    assert _findings(pairs, seed=2) != _findings(pairs)


def test_a_cancelled_audit_ends_between_two_steps() -> None:
    ticks = 0

    def tick() -> None:
        nonlocal ticks
        ticks += 1
        if ticks == 3:
            raise Cancelled

    with pytest.raises(Cancelled):
        model_findings(planted_pairs(60), 1, tick, has_papers=True)
    assert ticks == 3


def test_more_pairs_are_expected_to_give_more_away() -> None:
    for question in (AuditQuestion.HYPOTHESIS_ALONE, AuditQuestion.PREMISE_ALONE, AuditQuestion.BOTH):
        sizes = (1, 100, 712, 1_000, 2_000, 9_000, MAX_PAIRS, 10 * MAX_PAIRS)
        values = [reference_accuracy(question, pairs, 4) for pairs in sizes]
        assert values == sorted(values)
        assert reference_accuracy(question, 2_000, 2) > 0.5
    assert reference_accuracy(AuditQuestion.HYPOTHESIS_ALONE, 32_000, 4) == pytest.approx(0.475)
