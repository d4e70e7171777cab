"""The pairs that models are evaluated on: people's answers, distant labels, or labelled files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from hashlib import blake2b
from pathlib import Path

from desktop.translation import tr
from miner.classifier.checkpoints import STARTER_NAME
from miner.classifier.evaluation import EvaluatedPair
from miner.classifier.examples import LABELS
from miner.errors import UserError
from miner.progress import Progress
from miner.records import Label
from storage.exchange.labelled_files import read_labelled_rows
from storage.exchange.labelled_rows import BadRow
from storage.project import Project

_TICK_EVERY = 256  # pairs
_MAX_LISTED_ROWS = 100  # bad rows; the others are only counted


class LearnedPairs(StrEnum):
    """What to do with pairs that a model has learned."""

    LEAVE = "leave"
    """Leave them out of the model's scores."""
    FOLDS = "folds"
    """Take the predictions of its folds, whose models did not learn them; leave out pairs without any."""
    TAKE = "take"
    """Count them like the others, although the model may have memorised them."""


@dataclass(frozen=True, slots=True)
class EvaluateOptions:
    """What to evaluate.

    models: as `SuggestOptions.model`, or "column:" and the name of a column of predictions in imported files. files:
    labelled files; if there are none, the project's answers, or `distant` labels. labels: the order of classes, for a
    foreign classifier that does not state it. max_pairs: how many pairs are drawn if there are more, the same ones each
    time; 0: all. numbers: the labels that the numbers 0, 1, ... in files stand for.
    """

    models: tuple[str, ...] = (STARTER_NAME,)
    files: tuple[Path, ...] = ()
    distant: bool = False
    labels: tuple[Label, ...] | None = None
    device: str = "auto"
    learned_pairs: LearnedPairs = LearnedPairs.LEAVE
    max_pairs: int = 0
    numbers: tuple[Label, ...] = ()


@dataclass(frozen=True, slots=True)
class EvaluationData:
    """The pairs to evaluate on. total: how many there were before the draw. bad: the rows that could not be read."""

    name: str
    items: tuple[EvaluatedPair, ...] = field(repr=False)
    total: int
    bad: int = 0
    bad_rows: tuple[tuple[Path, BadRow], ...] = ()

    @property
    def classes(self) -> dict[str, int]:
        counts = Counter(item.label for item in self.items)
        return {label.value: counts[label] for label in LABELS}


def read_evaluation_data(project: Project | None, options: EvaluateOptions, progress: Progress) -> EvaluationData:
    """The labelled pairs that the options choose; `UserError` if there are none."""
    data = (
        _read_files(options.files, options.numbers, progress)
        if options.files
        else _read_project(project, options, progress)
    )
    if options.max_pairs and len(data.items) > options.max_pairs:
        drawn = sorted(data.items, key=lambda item: blake2b(item.key.encode(), digest_size=8).digest())
        return replace(data, items=tuple(drawn[: options.max_pairs]))
    return data


def _read_project(project: Project | None, options: EvaluateOptions, progress: Progress) -> EvaluationData:
    if project is None:
        raise UserError(
            tr("There is no project to take labels from."), hint=tr("Name one, or a labelled file: --data FILE")
        )
    with project.read_transaction() as stores:
        found = stores.labelled_pairs.distant() if options.distant else stores.labelled_pairs.answered()
        items = []
        for number, one in enumerate(found):
            if number % _TICK_EVERY == 0:
                progress.tick(0, None, tr("reading labels"))
            items.append(
                EvaluatedPair(one.key, one.premise, one.hypothesis, one.label, one.paper, one.domain, one.strategy)
            )
    if not items and options.distant:
        raise UserError(tr("There are no distant labels."), hint=tr("Mine the papers first: pairwright mine"))
    if not items:
        hint = tr("Answer some pairs first, or take other labels: --data FILE, or --distant")
        raise UserError(
            tr("There are no answers of people to evaluate on; accepted suggestions do not count."), hint=hint
        )
    return EvaluationData(tr("distant labels") if options.distant else tr("people's answers"), tuple(items), len(items))


def _read_files(files: Sequence[Path], numbers: Sequence[Label], progress: Progress) -> EvaluationData:
    items: list[EvaluatedPair] = []
    bad: list[tuple[Path, BadRow]] = []
    count = 0
    for path in files:
        for line, row in read_labelled_rows(path, numbers=numbers):
            label = None if isinstance(row, BadRow) else row.final_label
            if isinstance(row, BadRow) or label is None:
                count += 1
                why = row if isinstance(row, BadRow) else BadRow(line, tr("no label"))
                bad += [(path, why)] if len(bad) < _MAX_LISTED_ROWS else []
                continue
            if len(items) % _TICK_EVERY == 0:
                progress.tick(0, None, path.name)
            items.append(EvaluatedPair(f"{path.name}:{line}", row.premise, row.hypothesis, label, domain=row.domain))
    names = ", ".join(path.name for path in files)
    if not items:
        hint = (
            tr("Line {line}: {reason}.", line=bad[0][1].line, reason=bad[0][1].reason) if bad else tr("It has no rows.")
        )
        raise UserError(tr("There is no labelled pair in {names}.", names=names), hint=hint)
    return EvaluationData(names, tuple(items), len(items), count, tuple(bad))
