"""Probes as data sets of experiments: made anew each time from the project's own pairs, and never stored as pairs.

Triples of LevyHolt or SherLIiC are published probes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from desktop.translation import tr
from miner.errors import UserError
from miner.kinds.distant_direction import distant_direction
from miner.kinds.majority import majority_kinds
from miner.kinds.questionnaire import PairKinds
from miner.lab.probes.mesh import DirectedPair, ProbePair, build_mesh
from miner.lab.probes.triples import GroupedTriple, read_triples_files, read_triples_folder
from miner.progress import Progress
from miner.records import Label
from storage.dataset.options import ExportOptions
from storage.exchange.labelled_files import is_triples_file
from storage.lab.experiment_pairs import ExperimentPair
from storage.models.training_parts import TrainingPart
from storage.pairs.filters import PairFilter
from storage.project import Project
from storage.settings import LAST_SPLIT_EXPORT

HOLDS, DOES_NOT_HOLD = "holds", tr("does not hold")
"""The labels of a probe's pairs."""
_TICK_EVERY = 5_000  # pairs


def read_mesh(project: Project, filter: PairFilter, progress: Progress, *, seed: int = 1) -> list[ProbePair]:
    """The mesh of the filter's linked and neutral pairs, by the project's splits if there are any, else by paper.

    The direction that most annotators give a pair overrides the direction of its phrase; if they call it unclear, the
    pair is left out. `UserError` with too few directed pairs.
    """
    with project.read_transaction() as stores:
        export: ExportOptions | None = stores.settings.get(LAST_SPLIT_EXPORT)
        said = stores.kinds.all()
        pairs = list(_directed(stores.experiment_pairs.select(filter, export), said, progress))
    if not any(pair.split != TrainingPart.TRAIN for pair in pairs):
        pairs = [pair._replace(split="") for pair in pairs]
    return build_mesh(pairs, seed=seed)


def read_triples_probe(folder: Path) -> list[ProbePair]:
    """The pairs of a folder of triples; `UserError` in the same cases as `read_triples_folder`."""
    return list(_of_triples(read_triples_folder(folder)))


def read_triples_of_files(files: Mapping[str, Path]) -> list[ProbePair] | None:
    """The pairs of files by part, if all files have triples; None if none has. `UserError` if only some have."""
    there = {part: is_triples_file(path) for part, path in files.items()}
    if not any(there.values()):
        return None
    for part, is_there in there.items():
        if not is_there:
            hint = tr("All files of a set are triples, or none is.")
            raise UserError(
                tr("{file} does not begin with a pair of propositions, as triples do.", file=files[part]), hint=hint
            )
    return list(_of_triples(read_triples_files(files)))


def _of_triples(parts: Mapping[str, Iterable[GroupedTriple]]) -> Iterator[ProbePair]:
    for part, rows in parts.items():
        for key, pair, group in rows:
            yield ProbePair(key, "", pair.premise, pair.hypothesis, group, part)


def _directed(
    pairs: Iterable[ExperimentPair], said: dict[str, dict[str, PairKinds]], progress: Progress
) -> Iterator[DirectedPair]:
    for number, pair in enumerate(pairs):
        if number % _TICK_EVERY == 0:
            progress.tick(number, None, tr("reading directions"))
        label = pair.gold or pair.distant
        found = majority_kinds(said.get(pair.key, {}))
        direction = (found and found.direction) or distant_direction(pair.distant, pair.phrase)
        if direction is None or pair.part is TrainingPart.SHARED:
            continue
        is_neutral = label == Label.NEUTRAL
        yield DirectedPair(pair.key, pair.paper, pair.premise, pair.hypothesis, direction, is_neutral, pair.part.value)
