"""The data sets of an experiment: read from the project and from files, drawn, and put together."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from pathlib import Path
from typing import Any, NamedTuple

from desktop.jobs.experiments.kinds_data import asks_for_kinds, read_kinds
from desktop.jobs.experiments.probe_data import DOES_NOT_HOLD, HOLDS, read_mesh
from desktop.text import count
from miner import codec
from miner.errors import UserError
from miner.experiments.experiment import (
    ANY_SPLIT,
    PARTS,
    DataSet,
    Experiment,
    LabelChoice,
    Part,
)
from miner.experiments.plan import PartDigest
from miner.paths import exists
from miner.probes.mesh import MeshSubset, ProbePair, in_subset
from miner.progress import Progress
from storage.dataset.options import ExportOptions
from storage.exchange.import_rows import BadRow
from storage.exchange.labelled_texts import read_labelled_texts
from storage.models.experiment_pairs import ExperimentPair
from storage.models.training_parts import TrainingPart
from storage.pairs.filters import PairFilter
from storage.project import Project
from storage.settings import LAST_SPLIT_EXPORT

_TICK_EVERY = 5_000  # pairs


class ExperimentText(NamedTuple):
    """A pair with its label, before it is known which class that is. key: of the pair, or file and line.

    kinds: the categories of its reasoning, with a space between them, where a table asks for them.
    """

    key: str
    paper: str
    premise: str
    hypothesis: str
    label: str
    domain: str
    strategy: str
    phrase: str
    words: int
    kinds: str = ""


SetParts = dict[str, list[ExperimentText]]
"""The pairs of a set, by part; a part that the experiment does not name is missing."""


class EmptyPart(UserError):
    """A part of a set has no pairs: the project is not in splits yet, or the filter leaves none."""


@dataclass(frozen=True, slots=True)
class ExperimentData:
    """The pairs of every set that is no subset.

    experiment: with a set for each domain in place of one that says so, and the classes that were found. notes:
    sentences on what was left out.
    """

    experiment: Experiment
    parts: Mapping[str, SetParts]
    notes: tuple[str, ...] = ()

    def digests(self) -> dict[str, dict[str, PartDigest]]:
        """Of each part of each set that has pairs."""
        return {
            name: {part: _digest(self.experiment, pairs) for part, pairs in parts.items() if pairs}
            for name, parts in self.parts.items()
        }

    def overlaps(self) -> dict[tuple[str, str], int]:
        """How many pairs of a test part are in a train part, by the names of the train and the test set; not 0."""
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


def read_data(project: Project, experiment: Experiment, folder: Path, progress: Progress) -> ExperimentData:
    """Read all sets. folder: that files are named relative to.

    `UserError` where a filter or file cannot be used, or a part has no pairs.
    """
    reader = _Reader(project, folder, progress, read_kinds(project) if asks_for_kinds(experiment) else {})
    plain = {name: one for name, one in experiment.data.items() if not one.union and not one.of}
    parts: dict[str, SetParts] = {}
    groups: dict[str, tuple[str, ...]] = {}
    sets: dict[str, DataSet] = {}
    for name, one in plain.items():
        candidates = reader.candidates(name, one)
        if one.each:
            divided = _by_domain(candidates)
            if not divided:
                raise UserError(f"The pairs of the set {name} have no domains.", hint="Give papers domains first.")
            drawn = [_draw_set(domain, replace(one, each=None), pairs) for domain, pairs in divided.items()]
        else:
            drawn = [_draw_set(name, one, candidates)]
        groups[name] = tuple(member for each in drawn for member in each)
        for each in drawn:
            sets |= {member: found.set for member, found in each.items()}
            parts |= {member: found.parts for member, found in each.items()}
    for name, one in experiment.data.items():
        if one.union:
            members = tuple(member for given in one.union for member in groups[given])
            sets[name] = replace(one, union=members)
            together = {part: [pair for member in members for pair in parts[member].get(part, ())] for part in PARTS}
            drawn_union = _draw_set(name, sets[name], together)
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
    _require_pairs(experiment, parts, reader.unlabelled)
    return ExperimentData(experiment, parts, (*reader.notes, *_empty_classes(experiment, parts)))


class _Reader:
    """Reads the candidates of sets, by part: all pairs that a part could take, before any is drawn."""

    def __init__(self, project: Project, folder: Path, progress: Progress, kinds: Mapping[str, str]) -> None:
        self._project, self._folder, self._progress = project, folder, progress
        self._kinds = kinds
        self.notes: list[str] = []
        self._mesh: tuple[Mapping[str, Any], list[ProbePair]] | None = None
        self.unlabelled: dict[str, LabelChoice] = {}
        """Sets with pairs that lack the label they are to have, which is that."""

    def candidates(self, name: str, one: DataSet) -> SetParts:
        if one.probe:
            return self._of_probe(one, one.probe)
        return self._of_files(name, one) if one.files else self._of_project(name, one)

    def _of_probe(self, one: DataSet, subset: MeshSubset) -> SetParts:
        if self._mesh is None or self._mesh[0] != one.where:
            self._mesh = one.where, read_mesh(self._project, _filter_of("the probe", one), self._progress)
        parts: SetParts = {part: [] for part in PARTS}
        for pair, holds in in_subset(self._mesh[1], subset):
            words = len(pair.premise.split()) + len(pair.hypothesis.split())
            label = HOLDS if holds else DOES_NOT_HOLD
            text = ExperimentText(
                pair.key, pair.paper, pair.premise, pair.hypothesis, label, "", pair.group.value, "", words
            )
            parts[pair.split].append(text)
        return parts

    def _of_project(self, name: str, one: DataSet) -> SetParts:
        filter = _filter_of(f"the set {name}", one)
        parts: SetParts = {part: [] for part in PARTS}
        with self._project.read_transaction() as stores:
            export: ExportOptions | None = stores.settings.get(LAST_SPLIT_EXPORT)
            for number, pair in enumerate(stores.experiment_pairs.select(filter, export)):
                if number % _TICK_EVERY == 0:
                    self._progress.tick(0, None, f"reading {name}")
                for part in PARTS:
                    chosen: Part | None = getattr(one, part)
                    if chosen is None or chosen.of or not _is_in(pair, chosen.split or part):
                        continue
                    choice = chosen.labels or one.labels
                    if label := _label(pair, choice, chosen.implicit):
                        parts[part].append(_text(pair, label, self._kinds.get(pair.key, "")))
                    elif pair.distant or pair.gold:
                        self.unlabelled[f"{part} part of the set {name}"] = choice
        return parts

    def _of_files(self, name: str, one: DataSet) -> SetParts:
        parts: SetParts = {}
        for part, file in one.files.items():
            path = self._folder / file
            if not exists(path):
                hint = "Name your own files: pairwright experiment NAME --template writes the experiment's file."
                raise UserError(f"The set {name} needs the file {path}, which does not exist.", hint=hint)
            bad = 0
            pairs: list[ExperimentText] = []
            for line, row in read_labelled_texts(path):
                if line % _TICK_EVERY == 0:
                    self._progress.tick(0, None, f"reading {path.name}")
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
                self.notes.append(f"{count(bad, 'row')} of {path.name} could not be used.")
            parts[part] = pairs
        return parts


def _filter_of(name: str, one: DataSet) -> PairFilter:
    try:
        return codec.from_data(PairFilter, dict(one.where))
    except ValueError as exc:
        hint = "It is a filter as `pairwright pairs --json` shows it."
        raise UserError(f"`where` of {name} cannot be used: {exc}.", hint=hint) from exc


def _label(pair: ExperimentPair, choice: LabelChoice, implicit: float | None) -> str | None:
    """The label of a pair by this choice; None if it has none."""
    if pair.suggested is not None:
        return pair.suggested if implicit is not None and pair.confidence >= implicit else None
    match choice:
        case LabelChoice.GOLD:
            return pair.gold
        case LabelChoice.DISTANT:
            return pair.distant
        case LabelChoice.EITHER:
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


class _DrawnSet(NamedTuple):
    set: DataSet
    parts: SetParts


def _draw_set(name: str, one: DataSet, candidates: Mapping[str, Sequence[ExperimentText]]) -> dict[str, _DrawnSet]:
    """The set with its parts, by its name; of one with `samples`, its test part, and a set for each sample.

    `UserError` where there are too few pairs for two samples.
    """
    if one.train is None or not one.train.samples:
        return {name: _DrawnSet(one, _draw(one, candidates))}
    base = replace(one, train=None, dev=None)
    found = {name: _DrawnSet(base, _draw(base, candidates))}
    pairs = 0
    for size in one.train.samples:
        sample = replace(one, train=replace(one.train, sample=size, samples=()), test=None, sample_of=name)
        parts = _draw(sample, candidates)
        if len(parts["train"]) <= pairs:
            break  # there are no more
        pairs = len(parts["train"])
        of_train = len(parts["dev"]) if one.dev is not None and one.dev.of == "train" else 0
        if pairs + of_train <= size - len({pair.label for pair in parts["train"]}):  # but for what balance rounds off
            size = pairs + of_train
            sample = replace(sample, train=replace(one.train, sample=size, samples=()))
        found[f"{name} {size:,}"] = _DrawnSet(sample, parts)
    if len(found) < 3:
        what = f"The set {name} has {count(pairs, 'pair')} to learn from, too few for samples of two sizes."
        raise UserError(what, hint="Name smaller `samples`.")
    return found


def _draw(one: DataSet, candidates: Mapping[str, Sequence[ExperimentText]]) -> SetParts:
    """The parts that the set names, drawn as they say."""
    chosen: dict[str, Part] = {part: given for part in PARTS if (given := getattr(one, part)) is not None}
    parts = {part: _sample(candidates.get(part, ()), given) for part, given in chosen.items() if not given.of}
    for part, given in chosen.items():
        if given.of:
            drawn = _sample(parts.get(given.of, ()), given)
            keys = {pair.key for pair in drawn}
            parts[given.of] = [pair for pair in parts.get(given.of, ()) if pair.key not in keys]
            parts[part] = drawn
    return parts


def _sample(pairs: Sequence[ExperimentText], part: Part) -> list[ExperimentText]:
    """A sample by a hash of seed and key, so that it does not depend on the other pairs; in the pairs' order."""
    if not part.balanced and not 0 < part.sample < len(pairs):
        return list(pairs)
    ranked = sorted(range(len(pairs)), key=lambda place: _rank(part.seed, pairs[place].key))
    if not part.balanced:
        return [pairs[place] for place in sorted(ranked[: part.sample])]
    by_label: dict[str, list[int]] = defaultdict(list)
    for place in ranked:
        by_label[pairs[place].label].append(place)
    each = min((len(places) for places in by_label.values()), default=0)
    if part.sample:
        each = min(each, part.sample // max(1, len(by_label)))
    return [pairs[place] for place in sorted(place for places in by_label.values() for place in places[:each])]


def _rank(seed: int, key: str) -> bytes:
    return blake2b(f"{seed}\0{key}".encode("utf-8", "surrogatepass"), digest_size=8).digest()


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
        raise UserError("The test parts have fewer than two labels.", hint="Name the classes: [classes].")
    return {label: (label,) for label in sorted(labels)}


def _in_classes(experiment: Experiment, parts: SetParts) -> SetParts:
    """Without the pairs whose label belongs to no class."""
    return {
        part: [pair for pair in pairs if experiment.class_of(pair.label) is not None] for part, pairs in parts.items()
    }


def _require_pairs(
    experiment: Experiment, parts: Mapping[str, SetParts], unlabelled: Mapping[str, LabelChoice]
) -> None:
    """`UserError` for a part that is needed and has no pairs. unlabelled: as `_Reader` has it."""
    if asks_for_kinds(experiment) and not any(pair.kinds for one in parts.values() for pair in one.get("test", ())):
        hint = "Answer the questions of the page Kinds first, or name a file with a column for each kind."
        raise UserError("No test pair has kinds of reasoning.", hint=hint)
    for name, one in parts.items():
        for part, pairs in one.items():
            if pairs or part == "dev":
                continue
            which = f"{part} part of the set {name}"
            if choice := unlabelled.get(which):
                hint = 'Review pairs first, or write labels = "gold or distant".'
                raise UserError(f"No pair of the {which} has a {choice} label.", hint=hint)
            what = f"The {which} has no pairs."
            hint = "Export in splits first, or import a data set that has them: pairwright export out/ --split 80/10/10"
            raise EmptyPart(what, hint=hint)
    if not any("test" in one for one in parts.values()):
        raise UserError("No set has a test part.", hint="Add for example: test = {}")
    for system in experiment.systems:
        for name in system.needed_sets:
            if "train" not in parts.get(name, {}):
                raise UserError(f"{system.title} needs the train part of the set {name}.", hint="Add: train = {}")
    if any(system.LEARNS for system in experiment.systems) and not any("train" in one for one in parts.values()):
        raise UserError("There is nothing to learn from: no set has a train part.", hint="Add for example: train = {}")
    for name, one in parts.items():
        there = Counter(experiment.class_of(pair.label) for pair in one.get("train", ()))
        missing = [label for number, label in enumerate(experiment.classes) if not there[number]]
        if "train" in one and missing and name not in experiment.intermediate_sets:
            hint = "Train on distant labels too, or name fewer classes."
            raise UserError(f"The train part of the set {name} has no {missing[0]} pairs.", hint=hint)


def _empty_classes(experiment: Experiment, parts: Mapping[str, SetParts]) -> list[str]:
    """Sentences on classes that a test part has no pair of, though its macro F1 counts them."""
    notes = []
    for name, one in parts.items():
        if "test" in one:
            there = {experiment.class_of(pair.label) for pair in one["test"]}
            missing = [label for number, label in enumerate(experiment.classes) if number not in there]
            if missing:
                notes.append(
                    f"The test part of the set {name} has no {' and no '.join(missing)} pairs: "
                    "an F1 of 0 there counts in its macro F1."
                )
    return notes


def _digest(experiment: Experiment, pairs: Sequence[ExperimentText]) -> PartDigest:
    digest = blake2b(digest_size=16)
    for pair in pairs:
        label = experiment.class_of(pair.label)
        text = f"{pair.premise}\0{pair.hypothesis}\0{pair.label if label is None else label}\n"
        digest.update(text.encode("utf-8", "surrogatepass"))
    return PartDigest(digest.hexdigest(), len(pairs))


def _texts(pair: ExperimentText) -> tuple[str, str]:
    return pair.premise.casefold(), pair.hypothesis.casefold()
