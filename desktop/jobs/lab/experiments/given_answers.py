"""Systems that need no computation: people's answers, and predictions made elsewhere, as runs of an experiment."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from itertools import groupby
from operator import attrgetter
from pathlib import Path

from desktop.jobs.lab.experiments.data import ExperimentData
from desktop.jobs.lab.experiments.predicate_scores import PredicateScores, frequency_scores, graph_scores
from desktop.text import count
from desktop.translation import in_english, tr
from miner.errors import UserError
from miner.lab.experiments.experiment import Experiment
from miner.lab.experiments.plan import Plan
from miner.lab.experiments.system_kinds import FrequencySystem, GraphSystem, PeopleSystem, PersonRole, PredictionsSystem
from miner.mining.identity import text_hash
from miner.paths import expand_home
from miner.progress import Progress
from miner.records import Answer
from storage.annotation.annotators import Role
from storage.exchange.import_rows import find_label
from storage.exchange.labelled_rows import BadRow
from storage.exchange.prediction_files import GivenPrediction, prediction_label, read_prediction_file
from storage.project import Project

_TICK_EVERY = 5_000  # rows
_ROLES = {PersonRole.EXPERT: Role.EXPERT, PersonRole.LAYPERSON: Role.LAYPERSON}
_NAMES = {PersonRole.EXPERT: tr("an expert"), PersonRole.LAYPERSON: tr("a layperson")}


@dataclass(frozen=True, slots=True)
class GivenAnswers:
    """The answers of one person, file or column for the pairs of all test parts. source: a description for users.

    by_text: packed probabilities by `text_hash`; all 0 where there is no answer. Pairs that a person was not asked
    about are missing. digest: changes with every answer. notes: sentences on what could not be used.
    """

    digest: str
    source: str
    by_text: Mapping[bytes, bytes]
    notes: tuple[str, ...] = ()

    def of_part(self, data: ExperimentData, test: str) -> dict[bytes, bytes]:
        """The packed probabilities of a test part, by `text_hash`."""
        hashes = (text_hash(pair.premise, pair.hypothesis) for pair in data.parts[test]["test"])
        return {hash: self.by_text[hash] for hash in hashes if hash in self.by_text}

    def has_answers(self, data: ExperimentData, test: str) -> bool:
        """Whether there is an answer to any pair of a test part."""
        return any(map(any, self.of_part(data, test).values()))


@dataclass(frozen=True, slots=True)
class GivenSystems:
    """The answers of the systems that need no computation, by the system's index; each person is a run of its own.

    problems: why a system has no answers, by its index. notes: sentences on what could not be used.
    """

    answers: Mapping[int, tuple[GivenAnswers, ...]]
    problems: Mapping[int, str]
    notes: tuple[str, ...]

    def digests(self) -> dict[int, list[str]]:
        """The digests for `plan`; a system without answers has one run, which has a problem."""
        return {index: [one.digest for one in answers] or [""] for index, answers in self.answers.items()}


@in_english()  # reports have the notes and the problems
def read_given(project: Project, data: ExperimentData, folder: Path, progress: Progress) -> GivenSystems:
    """Read people's answers and predictions made elsewhere. folder: the base of relative paths."""
    answers: dict[int, tuple[GivenAnswers, ...]] = {}
    problems = {}
    for index, system in enumerate(data.experiment.systems):
        try:
            if isinstance(system, PeopleSystem):
                answers[index] = read_people(project, system, data)
            elif isinstance(system, PredictionsSystem):
                answers[index] = (read_predictions_of(project, system, data, folder, progress),)
            elif isinstance(system, GraphSystem):
                answers[index] = (_scored(data, graph_scores(folder / expand_home(system.file), data, progress)),)
            elif isinstance(system, FrequencySystem):
                answers[index] = (_scored(data, frequency_scores(data)),)
        except UserError as exc:
            answers[index] = ()
            problems[index] = f"{exc} {exc.hint}".rstrip()
    notes = (note for given in answers.values() for one in given for note in one.notes)
    return GivenSystems(answers, problems, tuple(notes))


def read_people(project: Project, system: PeopleSystem, data: ExperimentData) -> tuple[GivenAnswers, ...]:
    """The answers of each person of the role who answered a test pair, by annotator.

    `UserError` where nobody has the role, or nobody with it has answered a test pair.
    """
    wanted = _tested_texts(data)
    role = _ROLES[system.role]
    found = []
    with project.read_transaction() as stores:
        if not any(one.role is role for one in stores.annotators.all()):
            hint = tr("Give somebody the role: pairwright people role NAME {value}", value=role.value)
            raise UserError(tr("Nobody in this project is {name}.", name=_NAMES[system.role]), hint=hint)
        for annotator, answers in groupby(stores.votes.of_role(role), attrgetter("annotator")):
            by_text: dict[bytes, bytes] = {}
            for one in answers:
                if (hash := text_hash(one.premise, one.hypothesis)) in wanted:
                    is_label = one.answer is not Answer.UNCLEAR
                    number = data.experiment.class_of(one.answer.value) if is_label else None
                    by_text.setdefault(hash, _one_hot(data.experiment, number))
            if by_text:
                found.append(GivenAnswers(_digest(annotator, by_text), tr("a person"), by_text))
    if not found:
        hint = tr("Draw test pairs for them: an annotation round of the kind estimate.")
        raise UserError(tr("No test pair has been answered by {name}.", name=_NAMES[system.role]), hint=hint)
    return tuple(found)


def read_predictions_of(
    project: Project, system: PredictionsSystem, data: ExperimentData, folder: Path, progress: Progress
) -> GivenAnswers:
    """The predictions of a file, or of a column of imported pairs. folder: the base of a relative path.

    `UserError` where there is no such file or column, a label belongs to no class of the experiment, or no test pair
    has a prediction.
    """
    reader = _PredictionReader(project, system, data, progress)
    by_text = reader.of_file(folder / expand_home(system.file)) if system.file else reader.of_column()
    wanted = _tested_texts(data)
    found = {hash: row for hash, row in by_text.items() if hash in wanted}
    source = Path(system.file).name if system.file else f"the column {system.column}"
    if not found:
        hint = tr("It must have the sentences of the test pairs, or their keys, as they are here.")
        raise UserError(tr("No test pair has a prediction in {source}.", source=source), hint=hint)
    notes = list(reader.notes)
    if missing := len(wanted - found.keys()):
        notes.append(
            tr(
                "{source} has no prediction for {pairs} of {wanted:,}: no answer.",
                source=source,
                pairs=count(missing, "test pair"),
                wanted=len(wanted),
            )
        )
    no_answer = _one_hot(data.experiment, None)
    return GivenAnswers(_digest("", found), source, {hash: found.get(hash, no_answer) for hash in wanted}, tuple(notes))


@in_english()
def refuse_unanswered(planned: Plan, data: ExperimentData, given: GivenSystems) -> Plan:
    """The plan, with a problem for each cell without an answer to any of its pairs."""
    cells = []
    for cell in planned.cells:
        system = data.experiment.systems[cell.run.system]
        if problem := given.problems.get(cell.run.system):
            cells.append(cell._replace(problem=f"{system.title}: {problem}"))
            continue
        answers = given.answers[cell.run.system][cell.run.seed] if cell.run.system in given.answers else None
        if answers is not None and not cell.problem and not answers.has_answers(data, cell.test):
            who = tr("person {seed}", seed=cell.run.seed + 1) if isinstance(system, PeopleSystem) else answers.source
            cell = cell._replace(
                problem=tr(
                    "{title}: {who} says nothing of the test pairs of {test}.",
                    title=system.title,
                    who=who,
                    test=cell.test,
                )
            )
        cells.append(cell)
    return replace(planned, cells=tuple(cells))


class _PredictionReader:
    """Reads packed probabilities by text. notes: sentences on rows that could not be used."""

    def __init__(self, project: Project, system: PredictionsSystem, data: ExperimentData, progress: Progress) -> None:
        self._project, self._system, self._data, self._progress = project, system, data, progress
        self._experiment = data.experiment
        self.notes: list[str] = []

    def of_file(self, path: Path) -> dict[bytes, bytes]:
        by_key = {
            pair.key: text_hash(pair.premise, pair.hypothesis)
            for parts in self._data.parts.values()
            for pair in parts.get("test", ())
        }
        bad: list[BadRow] = []

        def rows() -> Iterator[tuple[str, bytes, GivenPrediction]]:
            names = self._experiment.class_names
            for line, row in read_prediction_file(path, self._system.column, names):
                if line % _TICK_EVERY == 0:
                    self._progress.tick(0, None, tr("reading {name}", name=path.name))
                if isinstance(row, BadRow):
                    bad.append(row)
                elif not row.key:
                    yield tr("line {line:,}", line=line), text_hash(row.premise, row.hypothesis), row
                elif row.key in by_key:
                    yield tr("line {line:,}", line=line), by_key[row.key], row

        found = self._collect(rows(), path.name)
        if bad:
            first = tr("line {line:,}: {reason}", line=bad[0].line, reason=bad[0].reason)
            self.notes.append(
                tr(
                    "{rows} of {name} could not be used ({first}).",
                    rows=count(len(bad), "row"),
                    name=path.name,
                    first=first,
                )
            )
        return found

    def of_column(self) -> dict[bytes, bytes]:
        column = self._system.column

        def rows() -> Iterator[tuple[str, bytes, GivenPrediction]]:
            with self._project.read_transaction() as stores:
                for number, (hash, value) in enumerate(stores.predictions.of_column(column), start=1):
                    if number % _TICK_EVERY == 0:
                        self._progress.tick(0, None, tr("reading the column {column}", column=column))
                    yield (
                        tr("pair {number:,}", number=number),
                        hash,
                        GivenPrediction("", "", "", prediction_label(value)),
                    )

        found = self._collect(rows(), f"the column {column}")
        if not found:
            with self._project.read_transaction() as stores:
                known = ", ".join(stores.predictions.columns()[:20])
            hint = (
                tr("There are {known}.", known=known)
                if known
                else tr("Import a data set that has it, or name a `file`.")
            )
            raise UserError(tr("No imported pair has a column {column}.", column=column), hint=hint)
        return found

    def _collect(self, rows: Iterable[tuple[str, bytes, GivenPrediction]], source: str) -> dict[bytes, bytes]:
        """The first prediction of each pair."""
        found: dict[bytes, bytes] = {}
        differing: set[bytes] = set()
        unknown: dict[str, str] = {}
        for where, hash, row in rows:
            number = self._class_of(row.label) if row.label else None
            if row.label and number is None:
                unknown.setdefault(row.label, where)
                continue
            packed = self._packed(number, row.probabilities)
            if found.setdefault(hash, packed) != packed:
                differing.add(hash)
        if unknown:
            label, where = next(iter(unknown.items()))
            others = ", ".join(self._experiment.class_names)
            more = tr(" (and {unknown:,} more labels)", unknown=len(unknown) - 1) if len(unknown) > 1 else ""
            hint = tr(
                "The classes are {others}: map others to them under [classes], or leave cells empty for no answer.",
                others=others,
            )
            raise UserError(
                tr(
                    "{source}, {where}: {label!r} is none of the classes{more}.",
                    source=source,
                    where=where,
                    label=label[:40],
                    more=more,
                ),
                hint=hint,
            )
        if differing:
            what = (
                tr("pair has two different predictions")
                if len(differing) == 1
                else tr("pairs have different predictions")
            )
            self.notes.append(
                tr(
                    "{differing:,} {what} in {source}: the first one counts.",
                    differing=len(differing),
                    what=what,
                    source=source,
                )
            )
        return found

    def _class_of(self, label: str) -> int | None:
        """The index of a label's class, None if it has none; "contradiction" counts as contrasting, as in imports."""
        named = any(label in labels for labels in self._experiment.classes.values())
        return self._experiment.class_of(label if named else str(find_label(label) or label))

    def _packed(self, number: int | None, probabilities: tuple[float, ...]) -> bytes:
        """The packed probabilities if the label has the highest one; else probability 1 for the label."""
        if number is None or not probabilities or max(probabilities) > probabilities[number]:
            return _one_hot(self._experiment, number)
        return _pack(probabilities)


def _scored(data: ExperimentData, scores: PredicateScores) -> GivenAnswers:
    """Scores as probabilities of the first class; the other classes share the rest."""
    others = len(data.experiment.classes) - 1
    by_text = {
        text_hash(*pair): _pack([score, *[(1 - score) / others] * others]) for pair, score in scores.by_pair.items()
    }
    return GivenAnswers(_digest("", by_text), scores.source, by_text, scores.notes)


def _tested_texts(data: ExperimentData) -> set[bytes]:
    return {text_hash(pair.premise, pair.hypothesis) for parts in data.parts.values() for pair in parts.get("test", ())}


def _one_hot(experiment: Experiment, number: int | None) -> bytes:
    return _pack([float(place == number) for place in range(len(experiment.classes))])


def _pack(probabilities: Sequence[float]) -> bytes:
    return struct.pack(f"<{len(probabilities)}f", *probabilities)


def _digest(who: str, by_text: Mapping[bytes, bytes]) -> str:
    digest = blake2b(who.encode("utf-8", "surrogatepass"), digest_size=16)
    for hash in sorted(by_text):
        digest.update(hash + by_text[hash])
    return digest.hexdigest()
