"""WordNet's files, read: by a small one of ours, and against NLTK's reader where the real one is installed."""

from __future__ import annotations

from pathlib import Path

import pytest

from miner.errors import UserError
from miner.lab.probes.wordnet import WordNet, wordnet_folders
from tests.miner.lab.probes import small_wordnet


@pytest.fixture
def wordnet(tmp_path: Path) -> WordNet:
    return WordNet.load(small_wordnet.write(tmp_path))


def test_narrower_predicates_are_hyponyms_of_the_first_sense(wordnet: WordNet) -> None:
    assert list(wordnet.narrower("degrade")) == ["decay", "dissolve", "moulder", "rot"]
    assert list(wordnet.narrower("degrade in")) == ["decay in", "dissolve in", "moulder in", "rot in"]
    assert list(wordnet.narrower("break down")) == ["decay", "dissolve", "moulder", "rot"]
    assert list(wordnet.narrower("know")) == []


def test_synonyms_are_of_any_sense(wordnet: WordNet) -> None:
    assert wordnet.same("degrade") == {"degrade", "break down", "put down"}
    assert wordnet.same("rot in") == {"rot in", "decay in"}
    assert wordnet.same("know") == {"know"}


def test_no_wordnet_is_said_with_how_to_install_it(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="not found") as caught:
        WordNet.load(tmp_path)
    assert "-m nltk.downloader wordnet" in caught.value.hint


@pytest.mark.parametrize("text", ["00000100 30 v xx", "degrade v", "00000100", "\xff"])
def test_files_of_another_shape_are_refused(tmp_path: Path, text: str) -> None:
    small_wordnet.write(tmp_path)
    (tmp_path / "data.verb").write_text(text, encoding="latin-1")
    with pytest.raises(UserError, match="cannot be read"):
        WordNet.load(tmp_path)


@pytest.mark.filterwarnings("ignore:The multilingual functions")
def test_the_real_one_has_the_hyponyms_that_nltk_finds() -> None:
    folder = next((one for one in wordnet_folders() if (one / "lexnames").exists()), None)
    if folder is None:
        pytest.skip("WordNet as NLTK's downloader installs it is not on this machine")
    nltk = pytest.importorskip("nltk.corpus.reader.wordnet")
    reader, ours = nltk.WordNetCorpusReader(str(folder), None), WordNet.load(folder)
    for verb in ("increase", "degrade", "show", "move"):
        below = reader.synsets(verb, "v")[0].closure(lambda synset: synset.hyponyms())
        names = {name.replace("_", " ").lower() for synset in below for name in synset.lemma_names()} - {verb}
        assert set(ours.narrower(verb)) == names
