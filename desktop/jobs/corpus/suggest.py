"""The job that suggests a relation for every pair of a corpus, shard by shard."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any

from desktop.jobs.models.calibration import card_temperature
from desktop.jobs.models.model_options import SuggestOptions
from desktop.jobs.models.model_process import ModelProcess, require_finite
from desktop.jobs.models.registry import require_classifier
from desktop.jobs.models.suggestions import new_suggestions
from desktop.jobs.models.training_exposure import exposure_of
from desktop.translation import tr
from miner.classifier.calibration import apply_temperature
from miner.classifier.checkpoints import find_checkpoint
from miner.classifier.examples import LABELS
from miner.classifier.predictor import Pairs
from miner.corpus.locations import Location
from miner.corpus.shards import Shard, check_whole, read_manifest, read_shard
from miner.corpus.suggestions import JudgingModel, claim_folder, judged_shards, model_folder, write_suggestions
from miner.libraries import np
from miner.progress import Job, Progress
from miner.records import Label
from storage.models.suggestions import NewSuggestion, PairToScore, value_columns

log = logging.getLogger(__name__)

_KEPT = tr("The shards that are judged are kept. Suggest again to go on with the others.")
_BATCH = 512  # pairs of similar length
_COLUMNS = ["md5", "ordinal", "key", "premise", "hypothesis", "distant_label", "phrase"]


@dataclass(frozen=True, slots=True)
class CorpusSuggestions:
    """How many pairs have a suggestion, how many of these are new, and where they are stored.

    notes: about the device.
    """

    model: str
    folder: str
    pairs: int
    new: int
    shards: int
    device: str
    notes: tuple[str, ...]


def suggest_corpus(place: str, options: SuggestOptions | None = None) -> Job[CorpusSuggestions]:
    """Score the pairs of the shards that the model has not scored; each shard is scored as a whole or not at all.

    The scores equal the ones that `suggest` stores in a project with the same pairs and no answers.
    """
    chosen = options or SuggestOptions()

    def work(progress: Progress) -> CorpusSuggestions:
        process = ModelProcess(_KEPT)
        with process.reserved(progress):
            try:
                return _judge(place, chosen, process, progress)
            finally:
                process.end()

    return Job(tr("Suggesting relations by {model}", model=chosen.model), work, _KEPT)


def _judge(place: str, options: SuggestOptions, process: ModelProcess, progress: Progress) -> CorpusSuggestions:
    out = Location.of(place)
    manifest = read_manifest(out)
    assert manifest is not None
    check_whole(out, manifest)
    model = find_checkpoint(options.model, labels=options.labels)
    require_classifier(model, options.model)
    exposure, temperature = exposure_of(model), card_temperature(model)
    arithmetic = process.load(model, options.device, lambda: progress.tick(0, None, tr("loading the model")))
    folder = out.child(model_folder(model.name, model.digest))
    program = f"pairwright {version('pairwright')}"
    judging = JudgingModel(model.name, model.digest, temperature, arithmetic, program, manifest.run)
    claim_folder(folder, judging, again=options.rescore)
    judged = judged_shards(folder, manifest)
    total = sum(shard.sizes["pairs"].rows for shard in manifest.shards)
    before = done = sum(judged.values())
    device, notes = "", dict[str, None]()
    for shard in manifest.shards:
        if shard.prefix in judged:
            continue
        pairs = _pairs(out, shard)
        by_length = sorted(range(len(pairs)), key=lambda place: (len(pairs[place][3]) + len(pairs[place][4]), place))
        batches = [by_length[start : start + _BATCH] for start in range(0, len(by_length), _BATCH)]
        texts: Iterator[Pairs] = ([pairs[place][3:5] for place in batch] for batch in batches)
        rows = np.empty((len(pairs), len(LABELS)), np.float32)
        look = _Ticker(progress, total)
        look.done = done
        with closing(process.predict(model, options.device, texts, look)) as answers:
            for batch, found in zip(batches, answers, strict=True):
                rows[batch] = apply_temperature(require_finite(found, model.name), temperature)
                look.done += len(batch)
                look.device = device = found.device
                notes.update(dict.fromkeys(found.notes))
                look()
        scored = [
            PairToScore(place, one[2], one[0], one[3], one[4], one[5] and Label(one[5]), one[6])
            for place, one in enumerate(pairs)
        ]
        suggestions = new_suggestions(scored, rows, exposure, model)
        write_suggestions(folder, shard, map(_row, pairs, suggestions))
        done += len(pairs)
    log.info("suggested %d pairs of %s by %s", done - before, out.shown, model.name)
    return CorpusSuggestions(model.name, folder.shown, done, done - before, len(manifest.shards), device, tuple(notes))


class _Ticker:
    """Reports how many pairs are done, and can be called wherever the work waits."""

    def __init__(self, progress: Progress, total: int) -> None:
        self._progress, self._total = progress, total
        self.done, self.device = 0, ""

    def __call__(self) -> None:
        self._progress.tick(self.done, self._total, self.device)


def _pairs(out: Location, shard: Shard) -> list[tuple[Any, ...]]:
    table = read_shard(out, shard, "pairs", _COLUMNS).select(_COLUMNS)
    return list(zip(*(column.to_pylist() for column in table.columns), strict=True))


def _row(pair: tuple[Any, ...], suggestion: NewSuggestion) -> dict[str, object]:
    label, _, *numbers = value_columns(suggestion)
    names = ("contrasting", "reasoning", "entailment", "neutral", "doubt", "margin")
    assert label is not None
    return {
        "md5": pair[0],
        "ordinal": pair[1],
        "key": pair[2],
        "label": str(tuple(Label)[label]),
        **dict(zip(names, numbers, strict=False)),
    }
