"""Mining whole papers that were written for these tests."""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace

import pytest

from miner.mining.drop_reasons import DROP_TEXTS
from miner.mining.identity import pair_key
from miner.mining.linking_phrases import Phrase
from miner.mining.pair_builder import DroppedCandidate
from miner.mining.paper_mining import mine_paper
from miner.mining.sentence_analysis import SentenceAnalyzer
from miner.mining.settings import MiningSettings
from miner.records import AnnotatedNeutral, DropReason, Label, PairFlag, Paper, PaperPosition, Strategy

LINKED_ONLY = MiningSettings(neutral_strategies=())
MakePaper = Callable[..., Paper]


@pytest.fixture
def mine(
    make_paper: MakePaper, analyzer: SentenceAnalyzer
) -> Callable[..., tuple[list[tuple[str, str]], dict[str, int]]]:
    """Linked pairs as (premise, hypothesis) and the reasons for the rest."""

    def run(
        *sections: list[str], settings: MiningSettings = LINKED_ONLY
    ) -> tuple[list[tuple[str, str]], dict[str, int]]:
        mined = mine_paper(make_paper(sections), settings, analyzer)
        pairs = [(pair.premise, pair.hypothesis) for pair in mined.pairs if pair.strategy is Strategy.LINKED]
        return pairs, {drop.reason: n for drop, n in mined.funnel.dropped.items() if drop.strategy is Strategy.LINKED}

    return run


def test_each_candidate_that_was_dropped_is_told_with_its_sentences(
    make_paper: MakePaper, analyzer: SentenceAnalyzer
) -> None:
    paper = make_paper(
        [
            [
                "Moss grows on stones. | However, reeds need open water. | In contrast to moss, reeds were rare.",
                "Therefore, we counted both of them. | Birds came too. | However, none.",
            ]
        ]
    )
    dropped: list[DroppedCandidate] = []
    mined = mine_paper(paper, MiningSettings(), analyzer, dropped.append)
    assert mined == mine_paper(paper, MiningSettings(), analyzer)
    assert Counter(one.drop for one in dropped) == mined.funnel.dropped
    [trap] = [one for one in dropped if one.drop.reason == "trap_in_contrast_to"]
    assert trap[1:] == ("However, reeds need open water.", "In contrast to moss, reeds were rare.")


def test_a_worked_example(make_paper: MakePaper, analyzer: SentenceAnalyzer) -> None:
    # By hand. Sentences that start with a phrase: 1 "However," 2 "Thus the" 3 "In contrast to" 4 "Therefore," opening
    # the second paragraph 5 "However," whose premise has no verb. 3 is a trap and 5 is dropped: 5 = 3 + 1 + 1.
    paper = make_paper(
        [
            [
                "Moss grows on stones. | However, reeds need open water. | Thus the lake is full of reeds.",
                "Therefore, we counted both of them. | In contrast to moss, reeds were easy to count.",
            ],
            ["Mean number of shoots per plot. | However, the plots were small."],
        ],
        md5="5" * 32,
        page=3,
    )
    mined = mine_paper(paper, LINKED_ONLY, analyzer)
    first, second, third = mined.pairs
    assert first.premise == "Moss grows on stones."
    assert first.hypothesis == "reeds need open water."
    assert first.hypothesis_original == "However, reeds need open water."
    assert (first.distant_label, first.phrase, first.flags) == (Label.CONTRASTING, "However", ())
    assert (first.premise_at, first.hypothesis_at, first.page) == (PaperPosition(0, 0, 0), PaperPosition(0, 0, 1), 3)
    assert first.key == pair_key("5" * 32, first.premise, first.hypothesis_original, Strategy.LINKED)
    assert second.premise == "However, reeds need open water."
    assert second.hypothesis == "the lake is full of reeds."
    assert (second.distant_label, second.phrase) == (Label.REASONING, "Thus")
    assert second.flags == (PairFlag.NO_COMMA, PairFlag.PREMISE_HAS_PHRASE)
    assert third.premise_at == PaperPosition(0, 0, 2)
    assert third.flags == (PairFlag.CROSSES_PARAGRAPH, PairFlag.PREMISE_HAS_PHRASE)
    linked = Strategy.LINKED
    assert mined.funnel.candidates == {linked: 5}
    assert mined.funnel.kept == {linked: 3}
    assert mined.funnel.dropped == {DropReason(linked, "trap_in_contrast_to"): 1, DropReason(linked, "no_verb"): 1}


def test_a_paper_in_another_language_gives_no_pairs(make_paper: MakePaper, analyzer: SentenceAnalyzer) -> None:
    paper = make_paper([["Moss grows on stones. | However, reeds need open water. | Birds came too."]])
    settings = MiningSettings(implicit=True)
    english = mine_paper(replace(paper, language="en"), settings, analyzer)
    assert english == mine_paper(paper, settings, analyzer)
    assert english.pairs

    neutral = AnnotatedNeutral("0" * 16, Strategy.BOTH_RANDOM, 1, 2)
    german = mine_paper(replace(paper, language="de"), settings, analyzer, annotated=[neutral])
    assert not german.pairs
    assert german.funnel.dropped == {DropReason(Strategy.LINKED, "other_language"): 1}
    assert german.annotated == {neutral.key}
    assert german.refused == {neutral.key: "other_language"}


def test_never_across_sections(mine: Callable[..., object]) -> None:
    assert mine(["Moss grows on stones."], ["However, reeds need open water."]) == ([], {"no_premise": 1})


def test_never_across_a_break(mine: Callable[..., object]) -> None:
    assert mine(["Moss grows on stones.", "---However, reeds need open water."]) == ([], {"after_break": 1})


def test_a_sentence_that_a_formula_follows_is_counted_as_such(mine: Callable[..., object]) -> None:
    texts = ["Moss grows on stones. | However, its cover is given by", "---Here x is the cover. | Thus, it grows"]
    assert mine(texts) == ([], {"open_end": 1, "no_final_punctuation": 1})
    assert mine(["Moss grows as follows: | However, reeds need open water."]) == ([], {"open_end": 1})


def test_a_label_in_front_of_a_premise_is_cut_off_by_the_filter_of_headings(mine: Callable[..., object]) -> None:
    texts = ["Results: Moss grows on stones. | However, reeds need open water."]
    assert mine(texts) == ([("Moss grows on stones.", "reeds need open water.")], {})
    settings = replace(LINKED_ONLY, filters=LINKED_ONLY.filters - {"heading_glued"})
    assert mine(texts, settings=settings) == ([("Results: Moss grows on stones.", "reeds need open water.")], {})


def test_a_phrase_behind_a_label_is_no_neutral_hypothesis(make_paper: MakePaper, analyzer: SentenceAnalyzer) -> None:
    texts = ["Moss grows on stones. | However, reeds need open water. | Results: Thus, there are many reeds here."]
    paper = make_paper([*[texts] * 2, ["Conclusion: Moreover, reeds were common in all of the plots."]])
    neutral = replace(LINKED_ONLY, neutral_strategies=(Strategy.SECOND_RANDOM,), neutral_ratio=30.0)
    mined = mine_paper(paper, neutral, analyzer)
    assert DropReason(Strategy.SECOND_RANDOM, "linking_phrase") in mined.funnel.dropped
    assert DropReason(Strategy.SECOND_RANDOM, "connective") in mined.funnel.dropped
    starts = ("Thus", "Moreover", "thus", "moreover")
    assert not [pair for pair in mined.pairs if pair.hypothesis.startswith(starts)]


def test_pairs_across_paragraphs_can_be_excluded(mine: Callable[..., object]) -> None:
    texts = ["Moss grows on stones.", "However, reeds need open water."]
    assert mine(texts) == ([("Moss grows on stones.", "reeds need open water.")], {})
    assert mine(texts, settings=replace(LINKED_ONLY, crosses_paragraph=False)) == ([], {"crosses_paragraph": 1})


def test_an_empty_paragraph_is_no_border(mine: Callable[..., object]) -> None:
    assert mine(["Moss grows on stones.", "", "However, reeds need open water."]) == (
        [("Moss grows on stones.", "reeds need open water.")],
        {},
    )


def test_only_phrases_that_are_on_are_mined(mine: Callable[..., object]) -> None:
    texts = ["Moss grows on stones. | Hence, reeds need open water. | Ergo, we counted both of them."]
    assert mine(texts) == ([], {})
    settings = LINKED_ONLY.switch("Hence", True).with_phrase(Phrase("Ergo", Label.REASONING))
    assert mine(texts, settings=settings) == (
        [
            ("Moss grows on stones.", "reeds need open water."),
            ("Hence, reeds need open water.", "we counted both of them."),
        ],
        {},
    )


def test_a_second_phrase_after_the_first_is_dropped_unless_allowed(mine: Callable[..., object]) -> None:
    texts = ["Moss grows on stones. | However, as a result, reeds need open water."]
    assert mine(texts) == ([], {"second_phrase": 1})
    allowed = replace(LINKED_ONLY, filters=LINKED_ONLY.filters - {"second_phrase"})
    assert mine(texts, settings=allowed)[0] == [("Moss grows on stones.", "as a result, reeds need open water.")]


def test_a_second_phrase_that_says_the_same_is_removed_too(mine: Callable[..., object]) -> None:
    for sentence in (
        "However, in contrast, reeds need water there.",
        "On the other hand, however, reeds need water there.",
    ):
        assert mine([f"Moss grows on stones. | {sentence}"]) == (
            [("Moss grows on stones.", "reeds need water there.")],
            {},
        )


def test_words_of_a_phrase_that_do_not_link_may_follow_the_first(mine: Callable[..., object]) -> None:
    texts = ["Moss grows on stones. | However, in contrast to moss, reeds need open water."]
    assert mine(texts)[0] == [("Moss grows on stones.", "in contrast to moss, reeds need open water.")]


@pytest.mark.parametrize("label", ["(2)", "2)", "(b)", "ii)", "•"])
def test_a_phrase_may_stand_behind_the_label_of_a_list(
    make_paper: MakePaper, analyzer: SentenceAnalyzer, label: str
) -> None:
    paper = make_paper([[f"(1) Moss grows on stones. | {label} In contrast, reeds need open water."]])
    for filters in (LINKED_ONLY.filters, frozenset[str]()):
        [pair] = mine_paper(paper, replace(LINKED_ONLY, filters=filters), analyzer).pairs
        assert pair.hypothesis == "reeds need open water."
        assert pair.hypothesis_original == f"{label} In contrast, reeds need open water."
    implicit = replace(LINKED_ONLY, implicit=True)
    assert [pair.strategy for pair in mine_paper(paper, implicit, analyzer).pairs] == [Strategy.LINKED]


def test_the_same_two_sentences_are_one_pair(mine: Callable[..., object]) -> None:
    once, other = (
        "Moss grows on stones. | However, the moss is wet.",
        "Moss grows on stones! | However, the moss is wet.",
    )
    assert mine([once], [once], [other])[1] == {"duplicate": 2}
    allowed = replace(LINKED_ONLY, filters=LINKED_ONLY.filters - {"duplicate"})
    assert mine([once], [once], [other], settings=allowed)[1] == {"duplicate": 1}  # keys stay unique


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("Mousses et les forêts sont dans une vallée. | However, the moss is green.", "not_english"),
        ("moss grows on stones there. | However, the moss is green.", "fragment"),
        ("Moss grows on stones there | However, the moss is green.", "no_final_punctuation"),
        ("Moss grows on (stones there. | However, the moss is green.", "brackets"),
        ("Moss grows. | However, the moss is green.", "too_short"),
        ("Moss grows on the stones. | However, mean number of shoots per plot.", "no_verb"),
        ("Moss grows on the stones. | However, x = y + z here.", "math"),
        ("(Smith et al., 2010). | However, the moss is green.", "citation_only"),
        ("4.1 Plots Moss was counted there. | However, the moss is green.", "heading_glued"),
    ],
)
def test_every_filter_is_counted_and_can_be_switched_off(mine: Callable[..., object], text: str, reason: str) -> None:
    assert mine([text]) == ([], {reason: 1})
    off = replace(LINKED_ONLY, filters=LINKED_ONLY.filters - {reason, "no_verb", "too_short", "no_final_punctuation"})
    assert reason not in mine([text], settings=off)[1]


def test_white_space_is_single_in_all_texts(make_paper: MakePaper, analyzer: SentenceAnalyzer) -> None:
    paper = make_paper([["Moss  grows\non stones. | On the  other hand,\nreeds need  open water."]])
    (pair,) = mine_paper(paper, LINKED_ONLY, analyzer).pairs
    assert (pair.premise, pair.hypothesis) == ("Moss grows on stones.", "reeds need open water.")
    assert pair.hypothesis_original == "On the other hand, reeds need open water."


def test_implicit_pairs_are_neighbours_without_a_phrase_and_without_a_label(
    make_paper: MakePaper, analyzer: SentenceAnalyzer
) -> None:
    paper = make_paper(
        [["Moss grows on stones. | Reeds need open water. | However, both of them are green.", "Ferns grow in woods."]]
    )
    assert Strategy.IMPLICIT not in mine_paper(paper, LINKED_ONLY, analyzer).funnel.candidates
    mined = mine_paper(paper, replace(LINKED_ONLY, implicit=True), analyzer)
    linked, implicit = mined.pairs
    assert linked.strategy is Strategy.LINKED
    assert (implicit.strategy, implicit.distant_label, implicit.phrase) == (Strategy.IMPLICIT, None, None)
    assert (implicit.premise, implicit.hypothesis) == ("Moss grows on stones.", "reeds need open water.")
    assert implicit.hypothesis_original == "Reeds need open water."


def test_a_paper_without_prose_gives_nothing(make_paper: MakePaper, analyzer: SentenceAnalyzer) -> None:
    mined = mine_paper(make_paper([[""], []]), MiningSettings(implicit=True), analyzer)
    assert mined.pairs == ()
    assert not any(mined.funnel.candidates.values())


def test_every_reason_is_explained() -> None:
    assert all(text.meaning.endswith(".") for text in DROP_TEXTS.values())
