"""Jobs for reading errors: draw pairs that systems misread into a round of review, and count errors and their tags."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace

from desktop.translation import tr
from miner.errors import UserError
from miner.lab.experiments.errors import ErrorCounts, MisreadPair, count_errors, draw_pairs, misread_pairs
from miner.lab.experiments.experiment_file import experiment_of
from miner.progress import Job, Progress
from storage.annotation.rounds import ERRORS_QUEUE, Round, RoundOrder
from storage.changes import Changes
from storage.errors import translate_decoding_errors
from storage.pairs.filters import NOT_BAD, PairFilter
from storage.pairs.table import PairTableRow
from storage.project import Project
from storage.settings import ERRORS_BLIND
from storage.stores import Stores

_EXAMPLES = 8  # pairs
_EXAMPLE_SEED = 1


@dataclass(frozen=True, slots=True)
class ErrorRound:
    """A round of errors to read. pairs: how many it has. misread: how many pairs the cells misread.

    absent: how many of the misread pairs are not in the project (any more), such as pairs of a file, or are marked as
    bad. tagged: how many the annotator has tagged already. seed: the seed of the draw.
    """

    pairs: int
    misread: int
    absent: int
    tagged: int
    seed: int

    @property
    def changes(self) -> Changes:
        return Changes()


@dataclass(frozen=True, slots=True)
class ErrorExample:
    """A misread pair, with the names of its label and of the predicted class."""

    pair: PairTableRow
    label: str
    predicted: str
    tags: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ErrorOverview:
    """The errors of some cells: counts, rates, tags, and a few examples, which cover every kind before one repeats."""

    counts: ErrorCounts
    examples: tuple[ErrorExample, ...]


@dataclass(frozen=True, slots=True)
class SystemErrors:
    """The errors of an experiment's system over all its runs that learn from the same set.

    cells: the keys of their cells.
    """

    title: str
    cells: tuple[str, ...]
    overview: ErrorOverview


def draw_errors(
    project: Project,
    cells: Collection[str],
    number: int,
    seed: int = 1,
    *,
    annotator: str,
    evenly: bool = True,
    blind: bool = False,
    filter: PairFilter | None = None,
) -> Job[ErrorRound]:
    """Start a round of review of at most `number` pairs that these cells, given by keys, misread.

    It replaces the annotator's last round of errors, and asks for tags. Pairs that the annotator has tagged are left
    out. evenly: equally many pairs of each label and predicted class, as far as there are enough. blind: the label and
    the system's answer are hidden until the annotator asks for them. filter: only pairs of this filter. `UserError` if
    no pair is left.
    """

    def work(progress: Progress) -> ErrorRound:
        wanted = replace(filter or PairFilter(), cells=frozenset(cells), misread=True)
        if not wanted.statuses:
            wanted = replace(wanted, statuses=frozenset(NOT_BAD))
        with project.read_transaction() as stores:
            found = misread_pairs(stores.misread_pairs.predictions(cells))
            present = set(stores.pair_table.keys(stores.pair_table.ids(wanted)))
            there = [pair for pair in found if pair.key in present]
            waiting = set(stores.rounds.untagged([pair.key for pair in there], annotator))
            keys = draw_pairs([pair for pair in there if pair.key in waiting], number, seed, evenly=evenly)
            last = stores.queues.find(annotator, ERRORS_QUEUE)
        if not keys:
            raise _nothing_to_read(found, there)
        new = Round(last.number + 1 if last else 1, RoundOrder.ERRORS, wanted, number, tuple(keys), seed)
        with project.transaction() as stores:
            stores.queues.start(annotator, new)
            stores.settings.put(ERRORS_BLIND, blind)
        asked = found if filter is None else there
        return ErrorRound(len(keys), len(asked), len(asked) - len(there), len(there) - len(waiting), seed)

    return Job(tr("Drawing errors"), work)


def load_errors(project: Project, cells: Collection[str]) -> Job[ErrorOverview]:
    """The errors of the finished cells among these, given by keys; `UserError` if no experiment has them."""

    def work(progress: Progress) -> ErrorOverview:
        with project.read_transaction() as stores, translate_decoding_errors():
            return read_errors(stores, cells)

    return Job(tr("Counting errors"), work)


def load_system_errors(project: Project, id: int, system: str | None = None) -> Job[SystemErrors]:
    """The errors of the system whose title contains `system`; by default, of the system with the lowest error rate.

    `UserError` if there is no such experiment or system, or if nothing is computed.
    """

    def work(progress: Progress) -> SystemErrors:
        with project.read_transaction() as stores, translate_decoding_errors():
            try:
                experiment = experiment_of(stores.experiments.get(id).recipe)
            except KeyError as exc:
                hint = tr("See: pairwright experiment --list")
                raise UserError(tr("There is no experiment {id}.", id=id), hint=hint) from exc
            cells = stores.experiments.cells(id)
            finished = stores.cell_predictions.finished(cell.key for cell in cells)
            groups: dict[str, list[str]] = {}
            for cell in cells:
                if cell.key in finished:
                    title = experiment.systems[cell.system].title
                    title += tr(", trained on {train}", train=cell.train) if cell.train else ""
                    groups.setdefault(title, []).append(cell.key)
            if not groups:
                raise UserError(tr("Nothing is computed yet."), hint=tr("Run the experiment first."))
            chosen = {title: keys for title, keys in groups.items() if (system or "").casefold() in title.casefold()}
            if not chosen:
                raise UserError(
                    tr("No system's title has “{system}”.", system=system),
                    hint=tr("There are: {groups}.", groups="; ".join(groups)),
                )
            rates = {title: _error_rate(stores, keys) for title, keys in chosen.items()}
            best = min(chosen, key=rates.__getitem__)
            return SystemErrors(best, tuple(chosen[best]), read_errors(stores, chosen[best]))

    return Job(tr("Counting errors"), work)


def _error_rate(stores: Stores, cells: Collection[str]) -> float:
    predictions = stores.misread_pairs.predictions(cells)
    return sum(one.is_wrong for one in predictions) / max(1, len(predictions))


def read_errors(stores: Stores, cells: Collection[str]) -> ErrorOverview:
    """The same as `load_errors`, within an open transaction."""
    from miner.lab.experiments.scored_cells import length_group  # it imports numpy

    id = stores.misread_pairs.experiment_of(cells)
    if id is None:
        raise UserError(tr("No experiment has these results any more."))
    classes = experiment_of(stores.experiments.get(id).recipe).class_names
    predictions = stores.misread_pairs.predictions(cells)
    misread = {pair.key: pair for pair in misread_pairs(predictions)}
    tags = {key: tuple(sorted(given)) for key, given in stores.marks.tags_of(misread).items()}
    counts = count_errors(predictions, classes, tags, length_group)
    return ErrorOverview(counts, _examples(stores, misread, classes, tags))


def _examples(
    stores: Stores, misread: Mapping[str, MisreadPair], classes: tuple[str, ...], tags: Mapping[str, tuple[str, ...]]
) -> tuple[ErrorExample, ...]:
    keys = draw_pairs(list(misread.values()), _EXAMPLES, _EXAMPLE_SEED, evenly=True)
    found = []
    for row in stores.pair_table.rows(stores.pair_table.ids_of(keys)):
        pair = misread[row.key]
        predicted = classes[pair.predicted] if pair.predicted >= 0 else tr("no answer")
        found.append(ErrorExample(row, classes[pair.label], predicted, tags.get(row.key, ())))
    return tuple(found)


def _nothing_to_read(found: list[MisreadPair], there: list[MisreadPair]) -> UserError:
    if not found:
        return UserError(
            tr("These systems misread no pair."), hint=tr("Or they are not computed yet: run the experiment.")
        )
    if not there:
        hint = tr("Import the file with the test pairs, then run the experiment on the project's own split.")
        return UserError(tr("None of the pairs that are misread is in this project."), hint=hint)
    return UserError(tr("You have tagged all pairs that are misread here."), hint=tr("See the counts of their tags."))
