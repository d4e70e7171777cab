"""What works without the extras: where neither torch nor Qt is installed."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

from miner.classifier.checkpoints import inspect_checkpoint
from miner.classifier.examples import LABELS
from miner.installation import how_installed
from storage.project import Project
from tests.desktop.jobs.lab.experiments.test_run import write_rows
from tests.desktop.model_factory import make_model
from tests.miner.classifier.factories import bert_classifier
from tests.sample_papers import SAMPLES
from tests.storage.factories import add, mine

ROOT = Path(__file__).parents[3]
EXPERIMENT = """
name = "light"
allow_overlap = true
[data.all]
files = { test = "test.csv", train = "test.csv" }
train = {}
test = { sample = 8 }
[[system]]
kind = "model"
model = "ours"
[[system]]
kind = "model"
model = "theirs"
[[system]]
kind = "cbow"
"""
HIDE = "import sys; sys.modules.update(dict.fromkeys(('torch', 'transformers', 'huggingface_hub')))"
EXTRA_MODULES = ("torch", "transformers", "tokenizers", "safetensors", "huggingface_hub", "PySide6", "pyqtgraph")
NOTE = """
import sys

class Noting:
    def find_spec(name, path=None, target=None):
        if name in ("spacy", *{watched}):
            with open({notes!r}, "a") as file:
                file.write(name + "\\n")

sys.meta_path.insert(0, Noting)
"""
"""Every process begins with this, workers too: it notes which of some modules are loaded."""
PROGRAM = """
import sys
from desktop.cli.main import main
for words in sys.argv[1:]:
    print(main(words.split()), flush=True)
"""


def test_models_of_ours_judge_and_training_says_what_lacks(tmp_path: Path) -> None:
    (tmp_path / "hidden").mkdir()
    (tmp_path / "hidden" / "sitecustomize.py").write_text(HIDE)
    make_model(tmp_path / "ours")
    bert_classifier(tmp_path / "theirs")
    with Project.create(tmp_path / "p.pairwright") as project:
        add(project, "abc")
        mine(project)
    commands = ["suggest --device cuda", "evaluate --distant --model ours", "doctor"]
    commands += ["suggest --model theirs", "suggest --model someone/elses", "train", "experiment light.toml"]
    write_rows(tmp_path / "test.csv", 1, 3)
    (tmp_path / "light.toml").write_text(EXPERIMENT)
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, *commands],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": f"{tmp_path / 'hidden'}{os.pathsep}{ROOT}"},
        capture_output=True,
        text=True,
    )
    assert re.findall(r"^\d$", done.stdout, re.M) == ["0", "0", "0", "1", "1", "1", "0"], done.stderr
    assert "13 pairs with a suggestion by starter, 13 of them new" in done.stdout
    assert "threads, numpy)" in done.stdout
    assert "A graphics card needs torch, which is not installed. The processor is used." in done.stderr
    assert "The starter and BERT models trained with Pairwright judge with numpy." in done.stdout
    lacking = re.findall(r"^error: (.*) needs (\w+), which is not installed.\n(.*)", done.stderr, re.M)
    assert [(what, library) for what, library, _ in lacking[:2]] == [
        ("The model theirs", "torch"),
        ("Fetching someone/elses from the hub", "huggingface_hub"),
    ]
    assert lacking[2][:2] == ("Training", "torch")
    assert all(how_installed().remedy("models") in remedy for _, _, remedy in lacking[:2])
    digest = inspect_checkpoint(tmp_path / "ours").digest
    with Project.open(tmp_path / "p.pairwright") as project, project.read_transaction() as stores:
        kept = stores.predictions.predictors_of_model(digest, "both", LABELS)
    assert [one.arithmetic for one in kept] == ["cpu fp32 numpy"]
    assert "Experiment 1, light: 1 of 5 cells computed, 1 of them now." in done.stdout
    assert re.findall(r"^(.*): Running this needs torch", done.stderr, re.M) == ["  theirs and CBOW", "theirs and CBOW"]


def test_no_process_that_mines_or_exports_loads_torch_or_qt(tmp_path: Path) -> None:
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "sitecustomize.py").write_text(
        NOTE.format(watched=EXTRA_MODULES, notes=str(tmp_path / "notes"))
    )
    Project.create(tmp_path / "p.pairwright").close()
    paper = SAMPLES / "ecology" / "late-mowing.jsonl"
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, f"add {paper} --jobs 1", "mine --jobs 2", "export out"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": f"{tmp_path / 'site'}{os.pathsep}{ROOT}"},
        capture_output=True,
        text=True,
    )
    assert re.findall(r"^\d$", done.stdout, re.M) == ["0", "0", "0"], done.stderr
    assert (tmp_path / "out" / "pairs.jsonl").stat().st_size
    assert {*(tmp_path / "notes").read_text().split()} == {"spacy"}


def test_without_qt_the_window_says_what_it_needs() -> None:
    code = "import sys; sys.modules['PySide6'] = None; from desktop.app import main; main([])"
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "QT_QPA_PLATFORM": "offscreen"}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True)
    assert done.returncode == 1
    assert done.stderr.startswith(
        f"The window needs PySide6, which is not installed.\n{how_installed().remedy('window')}"
    )
