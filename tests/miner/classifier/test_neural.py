"""Networks over word vectors: what they read, what they learn, and where their vectors come from."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from miner.classifier.examples import TrainingExample
from miner.classifier.neural import ENCODERS, NeuralNetwork
from miner.classifier.neural_training import NeuralTask, neural_recipe, train_neural
from miner.classifier.stems import StemEncoder, tokenize
from miner.classifier.vectors import load_vectors
from miner.errors import UserError
from tests.miner.classifier import factories

pytestmark = pytest.mark.usefixtures("one_thread")
EXAMPLES = [replace(one, dev=n % 5 == 0) for n, one in enumerate(factories.examples(200))]
CLASSES = ("contrasting", "reasoning", "entailment", "neutral")


def task(folder: Path, architecture: str, examples: list[TrainingExample] = EXAMPLES, epochs: int = 12) -> NeuralTask:
    recipe = neural_recipe(epochs=epochs, patience=0, batch_pairs=16, learning_rate=5e-3, seed=1)
    return NeuralTask(architecture, "", 16, True, recipe, CLASSES, examples, folder)


@pytest.mark.parametrize("architecture", list(ENCODERS))
def test_each_architecture_learns_and_a_pair_does_not_depend_on_its_neighbours(
    tmp_path: Path, architecture: str
) -> None:
    model = train_neural(task(tmp_path, architecture), factories.cpu())
    held = factories.examples(80, seed=3)
    pairs = [(one.premise, one.hypothesis) for one in held]
    found = model.predict(pairs, lambda done: None)
    assert (found.argmax(1) == [one.label for one in held]).mean() > 0.7
    alone = np.concatenate([model.predict([pair], lambda done: None) for pair in pairs[:10]])
    assert np.abs(found[:10] - alone).max() < 1e-5
    assert model.predict([("", "kelp"), ("", ""), ("kelp " * 900, "fish")], lambda done: None).shape == (3, 4)


def test_the_widths_of_sentences_are_the_papers(tmp_path: Path) -> None:
    vectors = np.zeros((5, 300), np.float32)
    widths = {name: NeuralNetwork(name, vectors, 300, 4).encoder.width for name in ENCODERS}
    assert widths == {"cbow": 4 * 300, "cnn": 4 * 192, "bilstm": 4 * 600}
    scinli, mscinli = (NeuralNetwork("bilstm", vectors, 300, 4, hidden_layer=layer).head for layer in (True, False))
    assert [type(one) for one in scinli] == [torch.nn.Linear, torch.nn.ReLU, torch.nn.Linear]
    assert [type(one) for one in mscinli] == [torch.nn.Linear]


def test_rare_stems_are_unknown_and_each_stem_knows_its_most_frequent_word() -> None:
    encoder = StemEncoder.fit([("Grows growing grow", "grows rare"), ("kelp", "Kelp")])
    assert encoder.forms == (("grow", "grows"), ("kelp", "kelp"))
    found = encoder.encode([("kelp grows rare", "Growing")])
    assert found.tokens.tolist() == [3, 2, 1, 2]
    assert found.sentences.tolist() == [1, 1, 1, 2]
    assert encoder.encode([("", "")]).tokens.tolist() == [1, 1]
    assert tokenize("It isn't (yet).") == ["it", "is", "n't", "(", "yet", ")", "."]


def test_vectors_are_of_the_stem_else_of_its_word_else_random(tmp_path: Path) -> None:
    file = tmp_path / "glove.txt"
    file.write_text("the 1 1\ngrows 1 2\nkelp 3 4\n", encoding="utf-8")
    forms = (("grow", "grows"), ("kelp", "kelps"), ("xyz", "xyz"))
    found = load_vectors(str(file), forms, 300, 1)
    assert found.values[2:4].tolist() == [[1, 2], [3, 4]]
    assert found.values.shape == (5, 2)
    assert not found.values[0].any()
    assert found.found == pytest.approx(2 / 3)
    assert np.array_equal(found.values, load_vectors(str(file), forms, 300, 1).values)
    assert load_vectors("", forms, 7, 1).values.shape == (5, 7)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("kelp 1 2\ngrow 1 2 3\n", "has 3 numbers"),
        ("kelp 1 2\ngrow 1", "line 2, has 1 numbers, others 2"),
        ("kelp 1 2\ngrow 1 nan\n", "line 2, has a number that is none"),
        ("kelp\ngrow\n", "line 1, has no numbers"),
        ("", "no vector"),
        ("kelp a b\n", "no file of word|not a file"),
        ("other 1 2\n", "no vector"),
    ],
)
def test_a_file_that_has_no_vectors_is_refused(tmp_path: Path, content: str, message: str) -> None:
    file = tmp_path / "glove.txt"
    file.write_text(content, encoding="utf-8")
    with pytest.raises(UserError, match=message):
        load_vectors(str(file), (("grow", "grow"), ("kelp", "kelp")), 2, 1)
    with pytest.raises(UserError, match="cannot be read"):
        load_vectors(str(tmp_path / "gone"), (("kelp", "kelp"),), 2, 1)
    with pytest.raises(UserError, match="not installed"):
        load_vectors("spacy:nothing_here", (("kelp", "kelp"),), 2, 1)
