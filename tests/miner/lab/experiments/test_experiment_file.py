"""Experiment files: what they say, what is refused and how, and the canonical form that a project keeps."""

from __future__ import annotations

import json

import pytest

from miner.classifier.recipe import Cut, Optimizer
from miner.errors import UserError
from miner.lab.experiments.experiment import (
    LabelChoice,
    Part,
    Subset,
    TableAxis,
)
from miner.lab.experiments.experiment_file import experiment_of, parse_experiment, ready_names, ready_text, to_data
from miner.lab.experiments.system_kinds import (
    EncoderSystem,
    LexicalSystem,
    NeuralSystem,
    SystemInput,
)

TRAVEL = """
name = "does it travel?"
seeds = [1, 2, 3]
[data.hardware]
where = { domains = ["hardware"] }
labels = "gold or distant"
train = { split = "train", sample = 25464, balanced = true }
dev   = { split = "dev" }
test  = { split = "test", labels = "gold" }
[data.acl_small]
files = { train = "scinli/train.csv", dev = "scinli/dev.csv", test = "scinli/test.csv" }
train = { sample = 25464, balanced = true, seed = 1 }
[data.all]
union = ["hardware", "acl_small"]
[classes]
entailment = ["entailment"]
"not entailment" = "others"
[[system]]
kind = "encoder"
start = "roberta-base"
recipe = "mscinli"
[[system]]
kind = "lexical"
features = ["bleu", "length", "overlap", "ngrams"]
input = "swapped"
[[system]]
kind = "bilstm"
[[table]]
rows = "train"
columns = "test"
of = "macro_f1"
test = "paired_t"
against = "diagonal"
"""


def test_a_file_is_data_systems_and_tables() -> None:
    found = parse_experiment(TRAVEL)
    assert list(found.data) == ["hardware", "acl_small", "all"]
    assert found.data["hardware"].train == Part(split="train", sample=25464, balanced=True)
    assert found.data["hardware"].test == Part(split="test", labels=LabelChoice.GOLD)
    encoder, lexical, bilstm = found.systems
    assert isinstance(encoder, EncoderSystem)
    assert (encoder.title, encoder.training_recipe(3).epochs, encoder.training_recipe(3).seed) == (
        "roberta-base",
        10,
        3,
    )
    assert isinstance(lexical, LexicalSystem)
    assert (lexical.input, lexical.title) == (SystemInput.SWAPPED, "Lexicalized (swapped)")
    assert isinstance(bilstm, NeuralSystem)
    assert (bilstm.title, bilstm.width) == ("BiLSTM", 300)
    assert (found.tables[0].rows, found.tables[0].against) == (TableAxis.TRAIN, "diagonal")
    assert [found.class_of(label) for label in ("entailment", "neutral", "anything")] == [0, 1, 1]


@pytest.mark.parametrize("name", ready_names())
def test_the_ready_experiments_are_read_and_come_back_from_their_canonical_form(name: str) -> None:
    found = parse_experiment(ready_text(name))
    assert found.question.endswith("?")
    assert experiment_of(to_data(found)) == found


def test_the_canonical_form_of_a_file_is_the_file() -> None:
    found = parse_experiment(TRAVEL)
    again = experiment_of(json.loads(json.dumps(to_data(found))))
    assert again == found
    assert (list(again.data), again.class_names) == (list(found.data), ("entailment", "not entailment"))
    ordered = parse_experiment(TRAVEL.replace("entailment = [", "b = ['neutral']\nentailment = ["))
    assert experiment_of(to_data(ordered)).class_names == ("b", "entailment", "not entailment")


MINIMAL = 'name = "a"\n[data.x]\n[[system]]\nkind = "model"\n'


@pytest.mark.parametrize(
    ("text", "what", "hint"),
    [
        ("name = ", "not TOML", ""),
        ("", "it needs a `name`", ""),
        ('name = "a"\n', "names no data", ""),
        ('name = "a"\n[data.x]\n', "names no system", ""),
        (MINIMAL.replace("[data.x]", "[dat.x]"), "unknown key: dat", "Did you mean data"),
        (MINIMAL.replace("[data.x]", '[data.x]\nsplits = ["a"]'), "unknown key: splits", "There are where"),
        (MINIMAL.replace("[data.x]", "[data.x]\ntrain = { smaple = 3 }"), "unknown key: smaple", "Did you mean sample"),
        (MINIMAL.replace("[data.x]", "[data.x]\ntrain = { sample = 'many' }"), "sample", ""),
        (MINIMAL.replace("[data.x]", "[data.x]\nlabels = 'golden'"), "golden", ""),
        (MINIMAL.replace("[data.x]", "[data.x]\nunion = ['y']"), "names the set y", ""),
        (MINIMAL.replace("[data.x]", "[data.x]\nof = 'x'"), "belong together", ""),
        (MINIMAL.replace("[data.x]", "[data.x]\n[data.y]\nof = 'x'\nsubset = 'easy'"), "nothing maps", "cartography"),
        (MINIMAL.replace("model", "modle"), "no known kind: modle", "Did you mean model"),
        (MINIMAL.replace("model", "lexical") + "features = []\n", "needs features", ""),
        (MINIMAL.replace("model", "encoder") + "recipe = 'slow'\n", "no recipe slow", "mscinli"),
        (
            MINIMAL.replace("model", "encoder") + "settings = { lerning_rate = 1 }\n",
            "A recipe has no setting lerning_rate.",
            "Did you mean learning_rate?",
        ),
        (
            MINIMAL.replace("model", "encoder") + "settings = { max_length = 48 }\n",
            "A recipe has no setting max_length.",
            "There are name, head, layers,",
        ),
        (
            MINIMAL.replace("model", "encoder") + "settings = { zzz = 48 }\n",
            "no setting zzz",
            "There are name, head, layers",
        ),
        (MINIMAL.replace("model", "encoder") + "settings = { seed = 4 }\n", "no setting seed", ""),
        (MINIMAL.replace("model", "encoder") + "settings = { epochs = '3' }\n", "epochs must be a whole number", ""),
        (MINIMAL.replace("model", "encoder") + "settings = { balance = 'foo' }\n", "'foo'", "Correct the value"),
        (MINIMAL.replace("model", "encoder") + "intermediate = { data = 'z' }\n", "names the set z", ""),
        (MINIMAL.replace("model", "prompt"), "needs a `model`", ""),
        (MINIMAL + '[[system]]\nkind = "model"\n', "Two systems are called starter", "name"),
        ("seeds = [1, 1]\n" + MINIMAL, "`seeds`", ""),
        ("seeds = []\n" + MINIMAL, "`seeds`", ""),
        ("classes = { a = ['b'] }\n" + MINIMAL, "two or more", ""),
        ("classes = { a = ['b'], c = ['b'] }\n" + MINIMAL, "share no label", ""),
        (MINIMAL + "[[table]]\nrows = 'system'\ncolumns = 'system'\n", "must differ", ""),
        (MINIMAL + "[[table]]\nrows = 'sistem'\n", "`rows` cannot be sistem", "Did you mean system?"),
        (MINIMAL + "[table]\nrows = 'system'\n", "write [[table]]", ""),
        (MINIMAL + "[cartography]\nsystem = 'startr'\n", "of no system", "starter"),
    ],
)
def test_what_cannot_be_right_is_refused_in_words(text: str, what: str, hint: str) -> None:
    with pytest.raises(UserError) as caught:
        parse_experiment(text)
    assert what in str(caught.value)
    assert hint in caught.value.hint


def test_a_name_that_is_nearly_ready_is_offered() -> None:
    with pytest.raises(UserError) as caught:
        ready_text("baseline")
    assert "Did you mean baselines" in caught.value.hint


def test_a_subset_is_a_share_of_another_set() -> None:
    hard = parse_experiment(ready_text("cartography")).data["without 5 % hard"]
    assert (hard.of, hard.subset, hard.share) == ("all", Subset.WITHOUT_HARD, 0.05)


def test_a_word_among_the_settings_of_a_recipe_has_its_effect() -> None:
    text = MINIMAL.replace("model", "encoder") + "settings = { optimizer = 'adam', weight_decay = 0.0, cut = 'end' }\n"
    [system] = parse_experiment(text).systems
    assert isinstance(system, EncoderSystem)
    recipe = system.training_recipe(3)
    assert (recipe.optimizer is Optimizer.ADAM, recipe.cut is Cut.END, recipe.seed) == (True, True, 3)
