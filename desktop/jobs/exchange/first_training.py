"""What to do with an export next: the line of Python that loads it, and a notebook that trains on it."""

from __future__ import annotations

import json
from pathlib import Path

from miner.atomic_files import atomic_file
from storage.dataset.export_options import ExportOptions, FileFormat
from storage.exchange.card_files import CARD_FILES
from storage.exchange.export_fields import EXPORT_FIELDS
from storage.exchange.hub_metadata import HUB_SPLITS
from storage.exchange.import_rows import ANY_LABEL, HYPOTHESIS, PREMISE
from storage.exchange.pair_export import ExportReceipt

NOTEBOOK = "train.ipynb"
_LOADERS = {FileFormat.JSONL: "json", FileFormat.CSV: "csv", FileFormat.TSV: "csv", FileFormat.PARQUET: "parquet"}
_FIELDS = (PREMISE, HYPOTHESIS, ANY_LABEL)
_TRAIN = """\
import evaluate, numpy
from transformers import AutoModelForSequenceClassification, AutoTokenizer, Trainer, TrainingArguments

name = "allenai/scibert_scivocab_uncased"
tokenizer = AutoTokenizer.from_pretrained(name)
classes = sorted(set(pairs["train"]["{label}"]))
rows = pairs.map(lambda row: {{**tokenizer(row["{first}"], row["{second}"], truncation=True, max_length=256),
                               "labels": classes.index(row["{label}"])}})
model = AutoModelForSequenceClassification.from_pretrained(name, num_labels=len(classes))
trainer = Trainer(model, TrainingArguments("model", num_train_epochs=3, learning_rate=2e-5),
                  train_dataset=rows["train"], eval_dataset=rows["{held_out}"], processing_class=tokenizer,
                  compute_metrics=lambda found: evaluate.load("f1").compute(
                      predictions=numpy.argmax(found[0], -1), references=found[1], average="macro"))
trainer.train()"""


def loading_line(receipt: ExportReceipt, folder: Path) -> str:
    """The line of Python that loads an export with the library `datasets`."""
    options, files = receipt.options, _files(receipt)
    if options.card:  # the card says which file is which split
        return f"pairs = load_dataset({str(folder)!r})"
    extra = r", sep='\t'" if options.format is FileFormat.TSV else ""
    paths = {split: str(folder / name) for split, name in files.items()}
    return f"pairs = load_dataset({_LOADERS[options.format]!r}, data_files={paths!r}{extra})"


def notebook(receipt: ExportReceipt, folder: Path) -> str:
    """A Jupyter notebook that loads an export, trains an encoder on it and measures it on the pairs held out."""
    files = _files(receipt)
    held_out = next((split for split in ("validation", "test") if split in files), "")
    load = f"from datasets import load_dataset\n\n{loading_line(receipt, folder)}"
    if not held_out:
        held_out, load = "test", f'{load}\npairs = pairs["train"].train_test_split(test_size=0.2, seed=0)'
    first, second, label = (_field(receipt.options, names) for names in _FIELDS)
    train = _TRAIN.format(first=first, second=second, label=label, held_out=held_out)
    cells = ("%pip install datasets transformers accelerate evaluate scikit-learn torch", load, train)
    lines = [*cells, "trainer.evaluate()"]
    return json.dumps(
        {
            "cells": [
                {
                    "cell_type": "code",
                    "execution_count": None,
                    "id": f"cell-{number}",
                    "metadata": {},
                    "outputs": [],
                    "source": text,
                }
                for number, text in enumerate(lines, start=1)
            ],
            "metadata": {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}},
            "nbformat": 4,
            "nbformat_minor": 5,
        },
        indent=1,
    )


def save_notebook(receipt: ExportReceipt, folder: Path) -> Path:
    """Write the notebook beside the export's files, replacing a file of the same name; raises OSError."""
    path = folder / NOTEBOOK
    with atomic_file(path, shared=True) as part:
        part.write_text(notebook(receipt, folder), encoding="utf-8", newline="\n")
    return path


def _files(receipt: ExportReceipt) -> dict[str, str]:
    """The files that have pairs, by the hub's name of their split; `datasets` opens no empty ones."""
    names = [file.name for file in receipt.files if file.name not in CARD_FILES and file.rows]
    return {HUB_SPLITS.get(name.partition(".")[0], "train"): name for name in names}


def _field(options: ExportOptions, names: tuple[str, ...]) -> str:
    fields = EXPORT_FIELDS[options.preset]
    return next(name for name in names if name in fields)
