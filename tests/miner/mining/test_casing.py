"""One policy for the first letter of every hypothesis."""

import pytest

from miner.mining.casing import FirstLetterCasing
from miner.mining.settings import Casing

PROSE = """The moss of Norway is green. In the moss, Norway leads, and all of Norway knows.
We counted Sphagnum and more Sphagnum. Moss and (Moss) of moss on moss. Only once in Table 3 and in Table 4."""


def lower(text: str, *, after_phrase: bool = False) -> str:
    return FirstLetterCasing(Casing.LOWER, lambda: PROSE).apply(text, after_phrase=after_phrase)


@pytest.mark.parametrize(
    ("hypothesis", "wanted"),
    [
        ("The moss grew.", "the moss grew."),
        ("the moss grew.", "the moss grew."),
        ("Moss grew.", "moss grew."),
        ("Unseen words grew.", "unseen words grew."),
        ("Norway is green.", "Norway is green."),
        ("Sphagnum is green.", "Sphagnum is green."),
        ("BERT is a model.", "BERT is a model."),
        ("mRNA is a molecule.", "mRNA is a molecule."),
        ("F1 is a score.", "F1 is a score."),
        ("T cells are cells.", "T cells are cells."),
        ("I am the author.", "I am the author."),
        ("A moss grew.", "a moss grew."),
        ("Table 3 shows moss.", "table 3 shows moss."),
        ("Smith et al. found moss.", "Smith et al. found moss."),
        ("Smith (2010) found moss.", "Smith (2010) found moss."),
        ("Smith and Jones (2010) found moss.", "Smith and Jones (2010) found moss."),
        ("Smith and Jones [26] found moss.", "Smith and Jones [26] found moss."),
        ("Kim [11] found moss.", "Kim [11] found moss."),
        ("Åström, Berg, and Jones (2010) found moss.", "Åström, Berg, and Jones (2010) found moss."),
        ("Moss [11] grew.", "moss [11] grew."),
        ("Kim et. al., 2016 found moss.", "Kim et. al., 2016 found moss."),
        ("Kim and Park( 7 ) found moss.", "Kim and Park( 7 ) found moss."),
        ("Kim, Park, and others found moss.", "Kim, Park, and others found moss."),
        ("Danish and Swedish moss grew.", "Danish and Swedish moss grew."),
        ("Duncan’s test found moss.", "Duncan’s test found moss."),
        ("Moss’s growth was slow.", "moss’s growth was slow."),
        ("Finally, Kim, and others found moss.", "finally, Kim, and others found moss."),
        ("Edison International sells moss.", "Edison International sells moss."),
        ("Navier–Stokes solvers grew.", "Navier–Stokes solvers grew."),
        ("Using Bayesian methods, moss grew.", "using Bayesian methods, moss grew."),
        ("Recall Theorem 3 on moss.", "recall Theorem 3 on moss."),
        ("Compare Table 3 on moss.", "compare Table 3 on moss."),
        ("Moss Institute staff grew.", "moss Institute staff grew."),
        ("Non-European moss grew.", "non-European moss grew."),
        ("“Slow” moss grew.", "“slow” moss grew."),
        ("Non-IID data grew.", "non-IID data grew."),
        ("[FORMULA] holds.", "[FORMULA] holds."),
        ("3 plots were lost.", "3 plots were lost."),
        ("", ""),
    ],
)
def test_lower_case_but_for_names_acronyms_and_formulas(hypothesis: str, wanted: str) -> None:
    assert lower(hypothesis) == wanted


def test_a_word_is_no_evidence_for_itself() -> None:
    once = FirstLetterCasing(Casing.LOWER, lambda: "However, Rannoch is wet. It rains.")
    assert once.apply("Rannoch is wet.", after_phrase=True) == "rannoch is wet."
    twice = FirstLetterCasing(Casing.LOWER, lambda: "However, Rannoch is wet. It rains on Rannoch.")
    assert twice.apply("Rannoch is wet.", after_phrase=True) == "Rannoch is wet."


@pytest.mark.parametrize(
    ("hypothesis", "wanted"),
    [
        ("the moss grew.", "The moss grew."),
        ("Norway is green.", "Norway is green."),
        ("“slow” moss grew.", "“Slow” moss grew."),
        ("mRNA is a molecule.", "mRNA is a molecule."),
        ("[formula] is small.", "[formula] is small."),
    ],
)
def test_restore_gives_all_a_capital(hypothesis: str, wanted: str) -> None:
    assert FirstLetterCasing(Casing.RESTORE, lambda: PROSE).apply(hypothesis, after_phrase=True) == wanted


def test_a_paper_of_ever_new_words_is_read_once() -> None:
    """Looking each word up in the whole text, it takes a quarter of an hour."""
    names = [f"X{number:x}".translate(str.maketrans("0123456789", "ghijklmnop")) for number in range(100_000)]
    letters = FirstLetterCasing(Casing.LOWER, lambda: "".join(f" the {name} grew." for name in names))
    assert all(letters.apply(f"{name} grew.", after_phrase=False) == f"{name} grew." for name in names)
