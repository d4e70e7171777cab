"""The data sets of an experiment: read from the project and from files, drawn, and put together."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from pathlib import Path

from desktop.jobs.lab.experiments.data_checks import empty_classes, require_pairs
from desktop.jobs.lab.experiments.drawing import ExperimentText, SetParts, draw_set
from desktop.jobs.lab.experiments.kinds_data import asks_for_kinds, read_kinds
from desktop.jobs.lab.experiments.negatives import read_negatives
from desktop.jobs.lab.experiments.probe_data import (
    DOES_NOT_HOLD,
    HOLDS,
    read_mesh,
    read_triples_of_files,
    read_triples_probe,
)
from desktop.jobs.pairs.lists import require_lists
from desktop.text import count
from desktop.translation import tr
from miner import codec
from miner.errors import UserError
from miner.lab.experiments.experiment import (
    ANY_SPLIT,
    PARTS,
    DataSet,
    Experiment,
    LabelChoice,
    Part,
    ProbeSet,
)
from miner.lab.experiments.plan import PartDigest
from miner.lab.probes.mesh import MeshSubset, ProbePair, in_subset
from miner.lab.probes.negatives import NegativeOptions
from miner.paths import exists, expand_home
from miner.progress import Progress
from storage.dataset.export_options import ExportOptions
from storage.exchange.labelled_rows import BadRow
from storage.exchange.labelled_texts import read_labelled_texts
from storage.lab.experiment_pairs import ExperimentPair
from storage.models.training_parts import TrainingPart
from storage.pairs.filters import PairFilter
from storage.project import Project
from storage.settings import LAST_SPLIT_EXPORT

_TICK_EVERY = 5_000  # pairs


@dataclass(frozen=True, slots=True)
class ExperimentData:
    """The pairs of every set that is not a subset.

    experiment: the experiment with its classes, in which a set made for each domain is replaced by the domains' sets.
    notes: sentences on what was left out. frequencies: how often papers use the predicates of negatives.
    """

    experiment: Experiment
    parts: Mapping[str, SetParts]
    notes: tuple[str, ...] = ()
    frequencies: Mapping[str, int] = field(default_factory=dict)

    def digests(self) -> dict[str, dict[str, PartDigest]]:
        """The digest of each part that has pairs, by set and part."""
        return {
            name: {part: _digest(self.experiment, pairs) for part, pairs in parts.items() if pairs}
            for name, parts in self.parts.items()
        }

    def overlaps(self) -> dict[tuple[str, str], int]:
        """How many pairs of a test part are also in a train part, by the names of both sets; without zeros."""
        trains = {
            name: {_texts(one) for one in parts["train"]} for name, parts in self.parts.items() if "train" in parts
        }
        found = {}
        for test, parts in self.parts.items():
            texts = [_texts(one) for one in parts.get("test", ())]
            for train, known in trains.items():
                if number := sum(one in known for one in texts):
                    found[train, test] = number
        for name, one in self.experiment.data.items():  # a subset is at most what it is a subset of
            if one.of:
                found |= {(name, test): number for (train, test), number in list(found.items()) if train == one.of}
        return found


def read_data(
    project: Project, experiment: Experiment, folder: Path, progress: Progress, *, may_parse: bool = True
) -> ExperimentData:
    """Read all sets. folder: the base of relative paths. may_parse: as in `read_negatives`.

    `UserError` where a filter or file cannot be used, or a part has no pairs.
    """
    kinds = read_kinds(project) if asks_for_kinds(experiment) else {}
    reader = _Reader(project, folder, progress, kinds, may_parse=may_parse)
    plain = {name: one for name, one in experiment.data.items() if not one.union and not one.of}
    parts: dict[str, SetParts] = {}
    groups: dict[str, tuple[str, ...]] = {}
    sets: dict[str, DataSet] = {}
    for name, one in plain.items():
        candidates = reader.candidates(name, one)
        if one.each:
            divided = _by_domain(candidates)
            if not divided:
                raise UserError(
                    tr("The pairs of the set {name} have no domains.", name=name), hint=tr("Give papers domains first.")
                )
            drawn = [draw_set(domain, replace(one, each=None), pairs) for domain, pairs in divided.items()]
        else:
            drawn = [draw_set(name, one, candidates)]
        groups[name] = tuple(member for each in drawn for member in each)
        for each in drawn:
            sets |= {member: found.set for member, found in each.items()}
            parts |= {member: found.parts for member, found in each.items()}
    for name, one in experiment.data.items():
        if one.union:
            members = tuple(member for given in one.union for member in groups[given])
            sets[name] = replace(one, union=members)
            together = {part: [pair for member in members for pair in parts[member].get(part, ())] for part in PARTS}
            drawn_union = draw_set(name, sets[name], together)
            groups[name] = tuple(drawn_union)
            sets |= {member: found.set for member, found in drawn_union.items()}
            parts |= {member: found.parts for member, found in drawn_union.items()}
        elif one.of:
            sets[name] = one
    order = [member for name in experiment.data for member in groups.get(name, (name,))]
    experiment = replace(experiment, data={name: sets[name] for name in order})
    if not experiment.classes:
        experiment = replace(experiment, classes=_found_classes(parts))
    parts = {
        name: one if name in experiment.intermediate_sets else _in_classes(experiment, one)
        for name, one in parts.items()
    }
    require_pairs(experiment, parts, reader.unlabelled)
    notes = (*reader.notes, *empty_classes(experiment, parts))
    return ExperimentData(experiment, parts, notes, reader.frequencies)


class _Reader:
    """Reads the candidates of sets by part: all pairs from which a part can be drawn."""

    def __init__(
        self, project: Project, folder: Path, progress: Progress, kinds: Mapping[str, str], *, may_parse: bool
    ) -> None:
        self._project, self._folder, self._progress = project, folder, progress
        self._kinds, self._may_parse = kinds, may_parse
        self.notes: list[str] = []
        self.frequencies: dict[str, int] = {}
        self._probe: tuple[object, list[ProbePair]] | None = None
        self.unlabelled: dict[tuple[str, str], LabelChoice] = {}
        """Parts of sets, by both names, with pairs that lack the label they are to have, which is that."""

    def candidates(self, name: str, one: DataSet) -> SetParts:
        paths = {part: self._path(name, file) for part, file in one.files.items()}
        if one.triples:
            return self._of_probe(one.triples, one, lambda: read_triples_probe(self._folder / expand_home(one.triples)))
        if paths and (pairs := read_triples_of_files(paths)) is not None:
            return _probe_parts(pairs, one)
        if one.probe and paths:
            raise UserError(
                tr("The files of the set {name} have no triples, so no `probe` can be made of them.", name=name)
            )
        if one.probe is ProbeSet.NEGATIVES:
            return self._of_negatives(name, one)
        if one.probe:
            filter = self._filter_of(tr("the probe"), one)
            return self._of_probe(filter, one, lambda: read_mesh(self._project, filter, self._progress))
        return self._of_files(name, paths) if paths else self._of_project(name, one)

    def _of_probe(self, source: object, one: DataSet, read: Callable[[], list[ProbePair]]) -> SetParts:
        """The groups of a probe that the set takes; the probe is read once for all sets of the same source."""
        if self._probe is None or self._probe[0] != source:
            self._probe = source, read()
        return _probe_parts(self._probe[1], one)

    def _of_negatives(self, name: str, one: DataSet) -> SetParts:
        filter, options = self._filter_of(tr("the probe"), one), one.negatives or NegativeOptions()
        found = read_negatives(self._project, filter, options, self._progress, may_parse=self._may_parse)
        parts = found.parts()
        for part in PARTS:
            if getattr(one, part) is not None and not parts[part]:
                what = tr(
                    "The papers give {positives} with negatives, too few for ",
                    positives=count(len(found.probe.bundles), "positive"),
                )
                hint = tr("Add papers of one field, or lower the thresholds: negatives = { predicates = 2 }")
                raise UserError(
                    tr("{what}the {part} part of the set {name}.", what=what, part=part, name=name), hint=hint
                )
        self.notes += found.notes()
        self.frequencies |= found.probe.frequencies
        return parts

    def _path(self, name: str, file: str) -> Path:
        path = self._folder / file
        if not exists(path):
            hint = tr("Name your own files: pairwright experiment NAME --template writes the experiment's file.")
            raise UserError(
                tr("The set {name} needs the file {path}, which does not exist.", name=name, path=path), hint=hint
            )
        return path

    def _filter_of(self, name: str, one: DataSet) -> PairFilter:
        try:
            filter: PairFilter = codec.from_data(PairFilter, dict(one.where))
        except ValueError as exc:
            hint = tr("It is a filter as `pairwright pairs --json` shows it.")
            raise UserError(tr("`where` of {name} cannot be used: {exc}.", name=name, exc=exc), hint=hint) from exc
        with self._project.read_transaction() as stores:
            try:
                require_lists(stores, filter)
            except UserError as exc:  # else an unknown list to leave out would leave out nothing, without a word
                problem = tr("`where` of {name} cannot be used: {exc}", name=name, exc=exc)
                raise UserError(problem, hint=exc.hint) from exc
        return filter

    def _of_project(self, name: str, one: DataSet) -> SetParts:
        filter = self._filter_of(tr("the set {name}", name=name), one)
        parts: SetParts = {part: [] for part in PARTS}
        gold: SetParts = {part: [] for part in PARTS}
        with self._project.read_transaction() as stores:
            export: ExportOptions | None = stores.settings.get(LAST_SPLIT_EXPORT)
            for number, pair in enumerate(stores.experiment_pairs.select(filter, export)):
                if number % _TICK_EVERY == 0:
                    self._progress.tick(0, None, tr("reading {name}", name=name))
                for part in PARTS:
                    chosen: Part | None = getattr(one, part)
                    if chosen is None or chosen.of or not _is_in(pair, chosen.split or part):
                        continue
                    choice = chosen.labels or one.labels
                    if label := _label(pair, choice, chosen.implicit):
                        text = _text(pair, label, self._kinds.get(pair.key, ""))
                        parts[part].append(text)
                        if pair.gold is not None:
                            gold[part].append(text)
                    elif pair.distant or pair.gold:
                        self.unlabelled[name, part] = choice
        for part in PARTS:
            chosen = getattr(one, part)
            if chosen is not None and (chosen.labels or one.labels) is LabelChoice.FIRST_GOLD and gold[part]:
                parts[part] = gold[part]
        return parts

    def _of_files(self, name: str, paths: Mapping[str, Path]) -> SetParts:
        parts: SetParts = {}
        for part, path in paths.items():
            bad = 0
            pairs: list[ExperimentText] = []
            for line, row in read_labelled_texts(path):
                if line % _TICK_EVERY == 0:
                    self._progress.tick(0, None, tr("reading {name}", name=path.name))
                if isinstance(row, BadRow):
                    bad += 1
                    continue
                words = len(row.premise.split()) + len(row.hypothesis.split())
                key = f"{name}:{part}:{line}"
                pairs.append(
                    ExperimentText(
                        key,
                        row.paper,
                        row.premise,
                        row.hypothesis,
                        row.label,
                        row.domain,
                        row.strategy,
                        row.phrase,
                        words,
                        row.kinds,
                    )
                )
            if bad:
                self.notes.append(tr("{rows} of {name} could not be used.", rows=count(bad, "row"), name=path.name))
            parts[part] = pairs
        return parts


def _probe_parts(pairs: Sequence[ProbePair], one: DataSet) -> SetParts:
    """The pairs of the set's groups, each with the name of its group as strategy."""
    parts: SetParts = {part: [] for part in PARTS}
    for pair, holds in in_subset(pairs, one.mesh_subset or MeshSubset.FULL):
        words = len(pair.premise.split()) + len(pair.hypothesis.split())
        label = HOLDS if holds else DOES_NOT_HOLD
        text = ExperimentText(
            pair.key, pair.paper, pair.premise, pair.hypothesis, label, "", pair.group.value, "", words
        )
        parts[pair.split].append(text)
    return parts


def _label(pair: ExperimentPair, choice: LabelChoice, implicit: float | None) -> str | None:
    """The label of a pair by this choice; None if it has none."""
    if pair.suggested is not None:
        return pair.suggested if implicit is not None and pair.confidence >= implicit else None
    match choice:
        case LabelChoice.GOLD:
            return pair.gold
        case LabelChoice.DISTANT:
            return pair.distant
        case LabelChoice.EITHER | LabelChoice.FIRST_GOLD:
            return pair.gold or pair.distant


def _is_in(pair: ExperimentPair, split: str) -> bool:
    return split == ANY_SPLIT or pair.part == TrainingPart(split)


def _text(pair: ExperimentPair, label: str, kinds: str) -> ExperimentText:
    return ExperimentText(
        pair.key,
        pair.paper,
        pair.premise,
        pair.hypothesis,
        label,
        pair.domain,
        pair.strategy,
        pair.phrase,
        pair.words,
        kinds,
    )


def _by_domain(candidates: SetParts) -> dict[str, SetParts]:
    """The candidates of each domain, by name; pairs without one are left out."""
    domains = sorted({pair.domain for pairs in candidates.values() for pair in pairs if pair.domain})
    return {
        domain: {part: [pair for pair in pairs if pair.domain == domain] for part, pairs in candidates.items()}
        for domain in domains
    }


def _found_classes(parts: Mapping[str, SetParts]) -> dict[str, tuple[str, ...]]:
    """A class for each label of the test parts, sorted."""
    labels = {pair.label for one in parts.values() for pair in one.get("test", ())}
    if len(labels) < 2:
        raise UserError(tr("The test parts have fewer than two labels."), hint=tr("Name the classes: [classes]."))
    return {label: (label,) for label in sorted(labels)}


def _in_classes(experiment: Experiment, parts: SetParts) -> SetParts:
    """The parts without the pairs whose label belongs to no class."""
    return {
        part: [pair for pair in pairs if experiment.class_of(pair.label) is not None] for part, pairs in parts.items()
    }


def _digest(experiment: Experiment, pairs: Sequence[ExperimentText]) -> PartDigest:
    digest = blake2b(digest_size=16)
    for pair in pairs:
        label = experiment.class_of(pair.label)
        text = f"{pair.premise}\0{pair.hypothesis}\0{pair.label if label is None else label}\n"
        digest.update(text.encode("utf-8", "surrogatepass"))
    return PartDigest(digest.hexdigest(), len(pairs))


def _texts(pair: ExperimentText) -> tuple[str, str]:
    return pair.premise.casefold(), pair.hypothesis.casefold()
