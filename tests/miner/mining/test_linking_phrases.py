"""Which sentence starts link, and which only look so."""

import pytest

from miner.mining.linking_phrases import EXTENDED, LEXICON, SCINLI, Phrase, PhraseMatcher, phrase_matcher
from miner.records import Label

MATCHER = phrase_matcher(LEXICON)


def test_the_lexicon_is_scinlis_with_the_extended_phrases_off() -> None:
    assert len(SCINLI) == 16
    assert all(phrase.on and not phrase.extended for phrase in SCINLI)
    assert not any(phrase.on or not phrase.extended for phrase in EXTENDED)


@pytest.mark.parametrize("phrase", LEXICON, ids=lambda phrase: phrase.text)
def test_every_phrase_links_with_a_comma_and_only_at_the_start(phrase: Phrase) -> None:
    link = MATCHER.find(f"{phrase.text}, the moss recovered.")
    assert link is not None
    assert (link.phrase, link.comma, link.trap) == (phrase, True, None)
    assert f"{phrase.text}, the moss recovered."[link.rest :] == "the moss recovered."
    assert MATCHER.find(f"The moss, {phrase.text.lower()}, recovered.") is None
    assert MATCHER.find(f"{phrase.text.lower()}, the moss recovered.") is None
    assert MATCHER.find(f"{phrase.text}x the moss recovered.") is None


@pytest.mark.parametrize(
    ("sentence", "rest"),
    [
        ("HOWEVER, it froze.", "it froze."),
        ("However , it froze.", "it froze."),
        ("However;it froze.", "it froze."),
        ("Specifically: (1) it froze and (2) it thawed.", "(1) it froze and (2) it thawed."),
        ("On  the\nother hand, it froze.", "it froze."),
        ("As a Result, it froze.", "it froze."),
        ("However，it froze.", "it froze."),
        ("From here, we can infer that it froze.", "it froze."),
        ("From here we can infer it froze.", "it froze."),
        ("From here, we can infer, that it froze.", "it froze."),
    ],
)
def test_spelling_white_space_and_punctuation_may_vary(sentence: str, rest: str) -> None:
    link = MATCHER.find(sentence)
    assert link is not None
    assert link.trap is None
    assert sentence[link.rest :] == rest


@pytest.mark.parametrize(
    "sentence",
    [
        "Thus the lake froze.",
        "Thus in order to drain it we dug.",
        "Thus it froze.",
        "Therefore we dug.",
        "Therefore by digging we drained it.",
        "However the lake froze.",
        "Therefore fast methods are used.",
        "Consequently lakes freeze.",
        "However there is ice.",
        "However if it freezes we wait.",
        "Consequently they left.",
        "As a result we left.",
        "As a consequence the lake froze.",
        "In contrast the river did not freeze.",
        "On the other hand when it thaws we dig.",
        "In particular we dug.",
        "Specifically we dug at noon.",
        "In particular if it freezes we wait.",
        "In other words they left.",
        "Hence the lake froze.",
        "Nevertheless we dug.",
        "Thus researchers may dig.",
        "Thus 12 lakes froze.",
        "Thus [formula] holds.",
        "Therefore [FORMULA] holds.",
        "Thus increased depth of the lake delays the frost.",
        "Thus using a spade, we drained it.",
        "Thus even small lakes froze.",
        "Thus draining small lakes may be needed.",
        "Yet the lake froze.",
        "Yet small lakes froze.",
        "Hence caution is needed.",
        "Hence (2) follows from (1).",
        "However due to frost we waited.",
        "However small lakes do freeze.",
        "However promising methods were left out.",
        "However recently, the lake froze.",
        "However notably, the lake froze.",
        "Yet to our knowledge, no lake froze.",
        "As a result children skate.",
        "In other words frost matters.",
        "On the other hand digging takes time.",
        "In contrast rivers did not freeze.",
        "On the contrary some lakes froze.",
        "For this reason lakes were drained.",
        "Specifically for lakes, we dug.",
        "Specifically (1) we dug.",
        "Specifically [12] showed that it froze.",
        "In particular in winter it froze.",
        "In particular Lake Orta froze.",
        "In particular 5 lakes froze.",
        "In particular note that it froze.",
        "In particular small lakes, such as tarns, may freeze.",
        "In contrast ‘Orta’ was deep.",
        "In contrast ~30% of the lakes froze.",
        "Thus ∇f is small.",
        "Thus draining lakes (also known as tarns) is hard.",
        "Thus digging in such lakes harms the reed.",
        "Thus combining (17) with (18) we find the depth.",
        "Thus adding the depths, averaging them, we find the mean.",
        "Thus based on its depth, the lake was drained.",
    ],
)
def test_without_a_comma_a_clause_must_begin(sentence: str) -> None:
    link = MATCHER.find(sentence)
    assert link is not None
    assert (link.comma, link.trap) == (False, None)


def test_speaking_belongs_to_the_phrase() -> None:
    for sentence in ("Specifically speaking, the lake froze.", "Precisely speaking, the lake froze."):
        link = MATCHER.find(sentence)
        assert link is not None
        assert (sentence[link.rest :], link.comma, link.trap) == ("the lake froze.", True, None)
    assert MATCHER.find("Generally speaking, the lake froze.") is None
    assert MATCHER.find("Strictly speaking, the lake froze.") is None


@pytest.mark.parametrize(
    ("sentence", "reason"),
    [
        ("In contrast to the river, the lake froze.", "trap_in_contrast_to"),
        ("In contrast with the river, the lake froze.", "trap_in_contrast_to"),
        ("By contrast to the river, the lake froze.", "trap_in_contrast_to"),
        ("On the contrary to the river, the lake froze.", "trap_in_contrast_to"),
        ("As a result of frost, the lake froze.", "trap_as_a_result_of"),
        ("As a consequence of frost, the lake froze.", "trap_as_a_result_of"),
        ("Thus far, the lake has not frozen.", "trap_thus_far"),
        ("That is why the lake froze.", "trap_that_is"),
        ("That is the reason for the frost.", "trap_that_is"),
        ("However small, a lake can freeze.", "trap_however_degree"),
        ("However carefully we dug, it froze.", "trap_however_degree"),
        ("Particularly noteworthy is the frost.", "trap_particularly"),
        ("Particularly when it snows, we stay.", "trap_particularly"),
        ("Precisely the same lake froze.", "trap_precisely"),
        ("Yet another lake froze.", "trap_yet"),
        ("Namely the lake froze.", "trap_no_comma"),
        ("Specifically lakes froze.", "trap_no_comma"),
        ("Specifically designed spades are used.", "trap_no_comma"),
        ("In particular cases the lake froze.", "trap_no_comma"),
        ("In particular cases the lake was frozen.", "trap_no_comma"),
        ("In particular winters, the lake was frozen.", "trap_no_comma"),
        ("In short winters, the lake does not freeze.", "trap_no_comma"),
        ("Yet again the lake froze.", "trap_yet"),
        ("Yet to be drained, the lake froze.", "trap_yet"),
        ("Thus making it freeze.", "trap_no_comma"),
        ("Thus making the lake, which is deep, freeze.", "trap_no_comma"),
        ("Thus raising the question of whether it is deep.", "trap_no_comma"),
        ("Thus prepared by frost, the lake was drained.", "trap_no_comma"),
        ("Thus obtained depths were averaged.", "trap_no_comma"),
        ("Thus similar to the river, the lake froze.", "trap_no_comma"),
        ("Hence suitable for skating, the lake was closed.", "trap_no_comma"),
        ("On the contrary and without frost, it froze.", "trap_no_comma"),
        ("In contrast agents such as dyes, it froze.", "trap_no_comma"),
        ("As a result from the frost, it froze.", "trap_as_a_result_of"),
        ("However promising these lakes are, they froze.", "trap_however_degree"),
        ("However many and however deep, they froze.", "trap_however_degree"),
        ("However", "trap_no_comma"),
        ("However.", "trap_no_comma"),
    ],
)
def test_a_trap_does_not_link_and_has_its_name(sentence: str, reason: str) -> None:
    link = MATCHER.find(sentence)
    assert link is not None
    assert link.trap == reason


@pytest.mark.parametrize(
    ("sentence", "rest", "comma"),
    [
        ("That is to say, the lake froze.", "the lake froze.", True),
        ("That is to say that the lake froze.", "the lake froze.", False),
        ("That is to say: the lake froze.", "the lake froze.", True),
        ("That is to say the lake froze.", "the lake froze.", False),
    ],
)
def test_that_is_to_say_is_that_is(sentence: str, rest: str, comma: bool) -> None:
    link = MATCHER.find(sentence)
    assert link is not None
    assert (link.phrase.text, sentence[link.rest :], link.comma, link.trap) == ("That is", rest, comma, None)


def test_a_phrase_of_the_user_links_without_a_comma_only_before_a_clause() -> None:
    matcher = PhraseMatcher((Phrase("Again", Label.ENTAILMENT),))
    clause, other = matcher.find("Again the lake froze."), matcher.find("Again lakes froze.")
    assert clause is not None
    assert clause.trap is None
    assert other is not None
    assert other.trap == "trap_no_comma"


@pytest.mark.parametrize(
    "sentence", ["In short-term studies, it froze.", "Thus-wise it froze.", "Thatis, it froze.", ""]
)
def test_a_phrase_ends_at_a_word_boundary(sentence: str) -> None:
    assert MATCHER.find(sentence) is None
    assert not MATCHER.starts(sentence)


def test_the_longest_phrase_is_found_first() -> None:
    matcher = PhraseMatcher((Phrase("In short", Label.ENTAILMENT), Phrase("In short order", Label.REASONING)))
    link = matcher.find("In short order, it froze.")
    assert link is not None
    assert link.phrase.text == "In short order"


def test_a_users_phrase_may_have_curly_punctuation_and_regex_signs() -> None:
    matcher = PhraseMatcher((Phrase("What's more (or less)", Label.ENTAILMENT),))
    assert matcher.find("What’s more (or less), it froze.") is not None


def test_no_phrases_find_nothing() -> None:
    assert PhraseMatcher(()).find("However, it froze.") is None
