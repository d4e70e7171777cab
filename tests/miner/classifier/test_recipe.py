"""Recipes, and the examples that are learned by them."""

from __future__ import annotations

import math
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from miner import codec
from miner.classifier.examples import LabelSource, TrainingExample, missing_classes, read_examples, write_examples
from miner.classifier.recipe import PRESETS, QUICK, Head, Recipe
from miner.errors import UserError
from miner.installation import how_installed
from miner.records import Label

if sys.platform != "win32":
    import resource


@pytest.mark.parametrize("recipe", [*PRESETS.values(), Recipe(head=Head.FIRST_TOKEN, seed=7, folds=5)])
def test_a_recipe_survives_json(recipe: Recipe) -> None:
    assert codec.decode(Recipe, codec.encode(recipe)) == recipe


def test_equal_recipes_are_equal_text_and_what_is_missing_gets_its_default() -> None:
    assert codec.decode(Recipe, '{"epochs": 7}') == replace(Recipe(), epochs=7)
    assert codec.encode(Recipe(epochs=7)) == codec.encode(replace(QUICK, name="quick", epochs=7))


@pytest.mark.parametrize(
    "values",
    [
        {"epochs": 0},
        {"epochs": 2.5},
        {"epochs": True},
        {"learning_rate": math.nan},
        {"learning_rate": 3.0},
        {"learning_rate": "1e-4"},
        {"folds": 1},
        {"seed": -1},
        {"seed": 2**64},
        {"dev_share": 0.9},
        {"max_tokens": 3},
    ],
)
def test_a_value_that_makes_no_sense_is_told_by_name(values: dict[str, object]) -> None:
    with pytest.raises(UserError, match=r"fold|" + next(iter(values))):
        Recipe(**values)  # type: ignore[arg-type]


@pytest.mark.parametrize("text", ["", "[]", "null", '{"epochs": 0}', '{"head": "x"}', '{"unknown": 1}', '{"epochs":'])
def test_a_damaged_recipe_is_refused(text: str) -> None:
    with pytest.raises((ValueError, UserError)):
        codec.decode(Recipe, text)


EXAMPLES = [
    TrainingExample("a", "paper", "Kelp grows.", "Line\u2028breaks\r\nand \ud800 halves.", 0, LabelSource.ANSWER),
    TrainingExample("b", "", "", "", 2, dev=True),
]


def test_examples_survive_their_file_and_its_fingerprint_tells_them_from_others(tmp_path: Path) -> None:
    path = tmp_path / "examples.jsonl"
    first = write_examples(path, EXAMPLES)
    assert list(read_examples(path)) == EXAMPLES
    assert write_examples(path, EXAMPLES) == first
    assert write_examples(path, [EXAMPLES[0], replace(EXAMPLES[1], label=1)]) != first
    assert [entry.name for entry in tmp_path.iterdir()] == ["examples.jsonl"]


def test_a_class_that_only_dev_pairs_have_is_missing() -> None:
    assert missing_classes(EXAMPLES) == [Label.REASONING, Label.ENTAILMENT, Label.NEUTRAL]


@pytest.mark.posix
def test_examples_on_a_full_disk_leave_the_old_ones(tmp_path: Path) -> None:
    path = tmp_path / "examples.jsonl"
    write_examples(path, EXAMPLES)
    before = path.read_bytes()
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, limits[1]))  # as a full disk, which cannot be had here
    try:
        with pytest.raises(UserError, match="File too large"):
            write_examples(path, EXAMPLES * 1_000)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert path.read_bytes() == before


def test_what_the_window_imports_brings_no_torch() -> None:
    names = (
        "processes.isolated",
        "classifier.calibration",
        "classifier.checkpoints",
        "classifier.diversity",
        "classifier.doubt",
    )
    names += "classifier.events", "classifier.examples", "classifier.folds", "classifier.metrics"
    names += "classifier.predictor", "classifier.recipe", "classifier.training"
    code = "import sys, " + ", ".join(f"miner.{name}" for name in names)
    code += "; sys.exit(sum(name in sys.modules for name in ('torch', 'transformers', 'tokenizers', 'safetensors')))"
    subprocess.run([sys.executable, "-c", code], check=True, env={**os.environ, "PYTHONPATH": str(Path.cwd())})


@pytest.mark.parametrize("missing", ["torch", "transformers"])
def test_without_torch_training_and_networks_say_what_to_install(missing: str, tmp_path: Path) -> None:
    code = f"""
import sys
sys.modules[{missing!r}] = None
if {missing!r} != "torch":  # the library that comes before is there, but need not be loaded for this
    from importlib.machinery import ModuleSpec
    from importlib.util import module_from_spec
    for name in ("torch", "transformers"):
        sys.modules.setdefault(name, module_from_spec(ModuleSpec(name, None, origin="here")))
from pathlib import Path
from miner.classifier import libraries, training
from miner.errors import UserError
from miner.progress import Progress
plan = training.TrainingPlan(Path("."), Path("."), "", "", training.Recipe())
for call in (libraries.import_libraries, lambda: training.train(plan, print, Progress())):
    try:
        call()
    except UserError as exc:
        print(exc, exc.hint)
"""
    done = subprocess.run(
        [sys.executable, "-c", code],
        check=True,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(Path.cwd())},
    )
    assert done.stdout.count(f"This work needs {missing}, which is not installed.") == 2
    assert done.stdout.count(how_installed().remedy("models")) == 2
