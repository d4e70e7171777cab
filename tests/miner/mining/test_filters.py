"""What a clean sentence is, and when two are the same."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from miner.mining.drop_reasons import FILTERS
from miner.mining.filters import _SURFACE_FILTERS, surface_problem, without_heading
from miner.mining.identity import duplicate_key, normalise_text, pair_key
from miner.records import Strategy


def problem(text: str, **options: bool) -> str | None:
    return surface_problem(text, FILTERS, min_words=4, max_words=12, **options)


@pytest.mark.parametrize(
    "sentence",
    [
        "The moss recovered after two winters.",
        "mRNA levels of the gene rose.",
        "p53 is found in all cells.",
        "α-synuclein was found in all cells.",
        "“Slow” moss recovered after two winters.",
        "(The moss recovered after two winters.)",
        "12 patients were excluded from it.",
        "12, 14 and 16 weeks had passed by.",
        "1-DNJ is a known inhibitor of it.",
        "Vitamin A is found in all cells.",
        "Did the moss recover after two winters?",
        "The moss recovered (see [12]).",
        "The moss recovered after frost. [3, 4]",
        "The moss recovered after frost.12,13",
        "The moss recovered after frost.12, 13)",
        "The share lay in [0, 1) for all plots.",
        "It needs: a) water, b) light, and c) time.",
        "Growth was 4.5 mm in May and 3.2 mm in June.",
        "Smith et al. (2010) found no moss.",
        "In the Netherlands the moss recovered.",
        "p-Cymene is found in all cells.",
        "cis-OPDA is found in all cells.",
        "k-means clustering found two groups.",
        "von Neumann found no moss there.",
        "van der Berg found no moss there.",
        "3) LSTM: The model has two layers.",
        "3) Moss grew in all plots.",
        "The moss recovered after two winters. □",
        "The moss recovered after two winters.∎",
        "The moss recovered after two winters.*",
        "The moss recovered after two winters.†",
        "The moss recovered after two winters.²",
        "The moss recovered “after frost.”12",
        "The moss recovered (after frost).12",
        "The moss recovered. (Smith et al., 2010)",
        "The moss recovered after two winters. (see Fig. 3)",
        "It needs: a) water, b) light (when dry), and c) time.",
        "It needs i) water, (also when hot) and ii) time.",
        "The moss (where it grew (in 2010)) recovered.",
        "The moss grew (see point b)) there.",
        "We set b = 2 by default.",
        "There are m paths from v to u.",
        "[formula] is large in all plots.",
        "[formula], and thus moss, was large.",
        "The cover [formula] In moss was large, and it grew.",
        "The moss recovered after frost.[1b]",
        "In spring each plot had m × g stems of moss.",
        "Moss (β = 0.1, p = 0.015), not reed (M = 9.4), grew.",
        "Moss rose to 46.1± 0.9 and reed to 3 ± 2 %.",
        "The cover [formula] of moss is given in Table 2.",
        "The moss recovered after frost.[CITE], [CITE]",
        "The moss recovered after frost.[ 3c, 4 ]",
        "The moss recovered after frost [3, 4]",
        "The moss recovered after frost (Smith, 2010)",
        "The moss recovered after frost (see Fig. 3)",
        "The moss of two lakes was counted (urban 12; rural 40)",
        "The share of moss was below 61%.56",
        "The sets are {quiet, quite} and {affect, effect}.",
        "The moss (from two lakes),) recovered after frost.",
        "The moss recovered after frost [9-11]).",
        "The moss recovered.(Smith, 2010)",
        "The moss recovered. [19], [37]",
        "Reed should hold As levels at bay.",
        "It is seen in all of the plots as We are.",
        "The moss grew ((n = 2), and recovered soon.",
        "The moss (as in reed (see Fig. 3B).",
        "As shown in Figure 3C), the moss recovered.",
        "(Note that photosynthetic organisms were recovering in all mown plots since.",
        "In other words, the moss recovered.)",
        "The moss recovered after frost [3], [4]",
        "Moss (n = 326 because few of the households ever carried photosynthetic organisms.",
        "40 and 100 plots were left out.",
        "x is the cover of moss.",
        "Hence, moss for s + t is unlikely.",
        "There must be a moss σ such that σ |= ¬τ .",
        "At these times it grew by ~0.6 m.",
        "We get the plots α ∨ β, α ∧ β of moss.",
        "It grew (F(1,30) = 4.1, p = .05, n = 3, b = .2).",
        "(Moss has grown there since 2010.)",
    ],
)
def test_clean_sentences_pass(sentence: str) -> None:
    assert problem(sentence) is None


@pytest.mark.parametrize(
    ("sentence", "reason"),
    [
        ("and the moss recovered after that.", "fragment"),
        (") and the moss recovered after that.", "fragment"),
        (", which was seen in all plots.", "fragment"),
        ("• The moss recovered after that.", "fragment"),
        ("2 and Fig. 6, the moss recovered.", "fragment"),
        ("4 reveals that the moss recovered.", "fragment"),
        ("3. identification of the moss failed.", "fragment"),
        ("1, demonstrating that the moss recovered.", "fragment"),
        ("8 An outcome of this is green.", "heading_glued"),
        ("The moss recovered after two winters", "no_final_punctuation"),
        ("The moss recovered as follows:", "open_end"),
        ("The moss grew by 2.5", "no_final_punctuation"),
        ("The moss grew by 2.5 (see Fig. 3)", "no_final_punctuation"),
        ("The moss (which was green recovered soon.", "brackets"),
        ("The moss which was green) recovered soon.", "brackets"),
        ("It did.", "too_short"),
        ("It is – – – – – – so.", "too_short"),
        ("The moss and the fern and the reed and the sedge and more recovered.", "too_long"),
        ("Let f ( x ) = y + z be so.", "math"),
        ("The share [formula] of moss in all plots is at most [formula].", "math"),
        ("The moss W k and c 24 of L 0 grew.", "math"),
        ("If [FORMULA] then [FORMULA] holds here.", "math"),
        ("Then [formula] is large.", "math"),
        ("G p x , u q holds for all of p.", "math"),
        ("Thus p ( X | x ) holds for y.", "math"),
        ("Let a = b and c > d and e = f.", "math"),
        ("The cover of moss is given by [formula]", "open_end"),
        ("The cover of moss is [formula] Note that it grew.", "open_end"),
        ("The cover of moss in all plots is greater We then counted.", "open_end"),
        ("It fell in mown plots of the two lakes These are it.", "open_end"),
        ("[formula] plots were left out of it.", "fragment"),
        ("al. Smith found no moss there.", "fragment"),
        ("non-IID plots were left out.", "fragment"),
        ("2) and Fig. 6, the moss recovered.", "fragment"),
        ("The moss that grew then) recovered.", "brackets"),
        ("The moss (a) recovered and (b died.", "brackets"),
        ("The moss grew in maize (Zea mays.", "brackets"),
        ("The moss grew ((in maize (Zea mays.", "brackets"),
        ("(Smith et al., 2010; Jones and Brown, 2012).", "citation_only"),
        ("See also Smith et al. (2010).", "citation_only"),
        ("2.3 Study area The moss grew there.", "heading_glued"),
        ("Results The moss grew in all plots.", "heading_glued"),
        ("Statistical analysis We compared the two plots.", "heading_glued"),
        ("Data Collection The moss grew there.", "heading_glued"),
    ],
)
def test_each_filter_drops_its_kind_and_can_be_switched_off(sentence: str, reason: str) -> None:
    assert problem(sentence) == reason
    assert surface_problem(sentence, set(FILTERS) - {reason}, min_words=4, max_words=12) != reason


def test_a_sentence_that_goes_on_in_a_formula_has_an_open_end() -> None:
    assert problem("The cover of moss is given by", before_break=True) == "open_end"
    assert problem("The cover of moss is given by") == "no_final_punctuation"
    assert problem("The cover of moss is given by Eq. 2.", before_break=True) is None
    without = FILTERS.keys() - {"open_end"}
    for sentence in ("The cover of moss is given by:", "The cover of moss is given by"):
        assert (
            surface_problem(sentence, without, min_words=4, max_words=12, before_break=True) == "no_final_punctuation"
        )


@pytest.mark.parametrize(
    ("sentence", "rest"),
    [
        ("Results: We found moss there.", "We found moss there."),
        ("CONCLUSIONS: Moss grows there.", "Moss grows there."),
        ("Materials and Methods: Plots were counted.", "Plots were counted."),
        ("Study design – We counted plots.", "We counted plots."),
        ("Results of the count: We found moss.", "Results of the count: We found moss."),
        ("Results: moss, reed and sedge.", "Results: moss, reed and sedge."),
        ("Results showed moss.", "Results showed moss."),
        ("Results:", "Results:"),
        ("Limitations We count moss alone.", "We count moss alone."),
        ("2. The moss grew there.", "The moss grew there."),
        ("Lemma 2.1. Moss grows there.", "Moss grows there."),
        ("Remark 2. (Growth) Moss grows there.", "Moss grows there."),
        ("Remark 2.1 (Growth) Moss grows there.", "Moss grows there."),
        ("Step IV. We counted plots.", "We counted plots."),
        ("Ivan V. Moss counted plots.", "Ivan V. Moss counted plots."),
        ("Moss is in Plot 2. We left.", "Moss is in Plot 2. We left."),
        ("2 The moss grew there.", "The moss grew there."),
        ("2) Moss grew there.", "Moss grew there."),
        ("(ii) Moss grew there.", "Moss grew there."),
        ("• Moss grew there.", "Moss grew there."),
        ("(ii) moss grew there.", "(ii) moss grew there."),
        ("Reward Design Our plots were counted.", "Our plots were counted."),
        ("2. Study area Moss grew there.", "2. Study area Moss grew there."),
        ("2.1 Study area The moss grew there.", "The moss grew there."),
        ("Growth of moss We counted plots.", "We counted plots."),
        ("It would follow that The moss grew.", "It would follow that The moss grew."),
        ("Let further It be the moss.", "Let further It be the moss."),
        ("growth of moss We counted plots.", "growth of moss We counted plots."),
        ("Methods for this are few.", "Methods for this are few."),
        ("Moss: The moss grew.", "Moss: The moss grew."),
    ],
)
def test_the_heading_of_a_section_is_cut_off(sentence: str, rest: str) -> None:
    assert without_heading(sentence) == rest


def test_a_hypothesis_without_its_phrase_may_start_in_lower_case() -> None:
    assert problem("the moss recovered after that.", whole=False) is None


@given(st.text())
def test_normalised_is_the_words_case_folded(text: str) -> None:
    assert normalise_text(text) == re.sub(r"[\W_]+", " ", text.casefold()).strip()


def test_spelling_does_not_make_another_pair() -> None:
    same = duplicate_key("The  moss—it grew.", "However, IT STOPPED!")
    assert same == duplicate_key("the moss, it grew", "However it stopped")
    assert same != duplicate_key("However it stopped", "the moss, it grew")
    assert len(same) == 16


def test_the_key_of_a_pair_never_changes() -> None:
    key = pair_key("0" * 32, "Moss grows.", "However, it stops.", Strategy.LINKED)
    assert key == "2873729fb144c318f815734fbd355fd9"
    assert key != pair_key("0" * 32, "Moss grows.", "However, it stops.", Strategy.FIRST_RANDOM)


@pytest.mark.parametrize("word", ["-" * 200_000 + "a", "(" + "1" * 200_000, "(" * 200_000, ".)" * 100_000 + "a"])
def test_a_word_without_end_does_not_hold_up_the_rest(word: str) -> None:
    """Patterns that take time by the square of its length need minutes or hours for these."""
    assert surface_problem(f"Two {word} mosses grew.", {"math", "citation_only"}, min_words=4, max_words=12) == "math"
    assert surface_problem(word, set(FILTERS) - {"math"}, min_words=1, max_words=12)


def test_every_filter_is_applied() -> None:
    by_pair_builder = {"second_phrase", "not_english", "no_verb", "duplicate"}
    assert FILTERS.keys() == _SURFACE_FILTERS.keys() | by_pair_builder
