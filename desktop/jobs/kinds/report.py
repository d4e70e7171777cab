"""The job that counts kinds of reasoning, in the project's answers or in a file such as TaxiNLI's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from desktop.jobs.review.taxonomies import choose_taxonomy, read_taxonomy
from desktop.text import count, listed
from desktop.translation import tr
from miner.errors import UserError
from miner.kinds.agreement import KindsAgreement, kinds_agreement
from miner.kinds.direction_agreement import CLEAR, AnsweredDirection, DirectionAgreement, direction_agreement
from miner.kinds.figures import AnnotatedPair, KindsFigures, kinds_figures
from miner.kinds.majority import majority_kinds
from miner.kinds.taxonomy import Taxonomy
from miner.progress import Job, Progress
from miner.records import Label
from miner.statistics import wilson
from storage.annotation.kinds import PairWithKinds
from storage.dataset.export_options import LEFT_OUT_REASONS
from storage.exchange.kinds_files import read_kinds_file
from storage.project import Project

if TYPE_CHECKING:
    from desktop.jobs.kinds.experiment_systems import PredictedLabels


@dataclass(frozen=True, slots=True)
class KindsReport:
    """A report on kinds of reasoning.

    figures: the counts of the pairs. agreement: of the project's annotators; None for a file. notes: sentences for
    people. pairs: the pairs of a project by key. directions: how often annotators give the direction that phrases
    announce; directed: the directions of each pair, by key.
    """

    taxonomy: Taxonomy
    figures: KindsFigures
    agreement: KindsAgreement | None
    notes: tuple[str, ...] = ()
    pairs: Mapping[str, AnnotatedPair] = field(default_factory=dict)
    directions: DirectionAgreement | None = None
    directed: Mapping[str, AnsweredDirection] = field(default_factory=dict)

    def to_data(self) -> dict[str, Any]:
        """Data for JSON."""
        rest = {"agreement": _plain(self.agreement), "directions": self._directions(), "notes": list(self.notes)}
        return {"taxonomy": self.taxonomy.name, **_plain(self.figures), **rest}

    def _directions(self) -> dict[str, Any] | None:
        if self.directions is None:
            return None
        phrases = [{**_plain(one), "said": dict(zip(CLEAR, one.said, strict=True))} for one in self.directions.phrases]
        return {**_plain(self.directions), "phrases": phrases}


class NobodyAnswered(UserError):
    """Raised where no pair has answers to all questions about its kinds of reasoning."""


def report_of_file(path: Path, taxonomy: str = "") -> Job[KindsReport]:
    """The figures of a file with a column for each category. taxonomy: see `read_taxonomy`."""

    def work(progress: Progress) -> KindsReport:
        progress.tick(0, None, tr("reading {name}", name=path.name))
        known = read_taxonomy(taxonomy)
        found = read_kinds_file(path, known)
        if not found.pairs:
            raise UserError(tr("{path} has no pairs that can be read.", path=path))
        right, answered = found.annotated
        notes = [tr("{rows} could not be used.", rows=count(found.unusable, "row"))] if found.unusable else []
        if answered:
            low, high = wilson(right, answered)
            interval = f"[{100 * low:.1f}, {100 * high:.1f}]"
            share = f"{100 * right / answered:.1f} % {interval}"
            notes.append(
                tr("Annotators' label is the pair's in {share} of {answered:,}.", share=share, answered=answered)
            )
        progress.tick(0, None, tr("explaining errors"))
        return KindsReport(known, kinds_figures(found.pairs, found.categories, known.reasoning), None, tuple(notes))

    return Job(tr("Counting kinds"), work)


def report_of_project(
    project: Project, models: Sequence[str] = (), *, taxonomy: str = "", device: str = "auto"
) -> Job[KindsReport]:
    """The figures and the agreement of the answers in the project, and how well these models predict its pairs.

    A pair has the categories that at least half of its annotators tick, and its gold label, else the relation that most
    of them give. models: as for `evaluate`, or "experiment:" and a number. taxonomy: see `choose_taxonomy`. `UserError`
    without answers, or where a model cannot be used.
    """

    def work(progress: Progress) -> KindsReport:
        progress.tick(0, None, tr("reading answers"))
        with project.read_transaction() as stores:
            used, digests, notes = choose_taxonomy(stores, taxonomy)
            answers = stores.kinds.all(digests)
            known = stores.kinds.pairs(answers)
            answers = {key: by for key, by in answers.items() if key in known}
            said = {key: found for key, by in answers.items() if (found := majority_kinds(by))}
            left_out = stores.kinds.left_out(said)
        if not said:
            hint = tr("Answer pairs first, or name a file: pairwright kinds taxinli_dev.tsv")
            raise NobodyAnswered(tr("There are no answers about kinds of reasoning yet."), hint=hint)
        if unknown := sorted({one for found in said.values() for one in found.categories}.difference(used.categories)):
            more = tr(" and {unknown:,} more", unknown=len(unknown) - 5) if len(unknown) > 5 else ""
            notes.append(
                tr(
                    "Not counted, as {name} does not have them: {unknown}{more}.",
                    name=used.name,
                    unknown=", ".join(unknown[:5]),
                    more=more,
                )
            )
        labels = {key: known[key].gold or found.relation for key, found in said.items()}
        predictions = _predict(project, models, labels, known, device, progress) if models else []
        pairs = [
            AnnotatedPair(
                labels[key],
                found.categories,
                (known[key].premise_words, known[key].hypothesis_words),
                {one.name: one.by_key[key] for one in predictions if key in one.by_key},
            )
            for key, found in said.items()
        ]
        given = {key: label for key, pair in known.items() if (label := pair.gold or pair.distant)}
        directed = {
            key: AnsweredDirection(known[key].distant, known[key].phrase, found.direction)
            for key, found in said.items()
        }
        figures = kinds_figures(pairs, used.categories, used.reasoning)
        order = [one.name for one in predictions]
        return KindsReport(
            used,
            replace(figures, models=tuple(sorted(figures.models, key=lambda one: order.index(one.model)))),
            kinds_agreement(answers, used.categories, given),
            (*notes, *_left_out_notes(left_out), *(note for one in predictions for note in one.notes)),
            dict(zip(said, pairs, strict=True)),
            direction_agreement(directed.values()),
            directed,
        )

    return Job(tr("Counting kinds"), work)


def _left_out_notes(left_out: Mapping[str, int]) -> list[str]:
    """Sentences on pairs that are counted here but left out of exports, such as those without an agreed relation."""
    reasons = [f"{number:,} {LEFT_OUT_REASONS[reason]}" for reason, number in left_out.items()]
    return [tr("Exports leave out some of these pairs: {reasons}.", reasons=listed(reasons))] if reasons else []


def load_report(project: Project, models: Sequence[str] = ()) -> Job[KindsReport | None]:
    """The result of `report_of_project`; None without answers."""
    found = report_of_project(project, models)

    def work(progress: Progress) -> KindsReport | None:
        try:
            return found.work(progress)
        except NobodyAnswered:
            return None

    return Job(found.title, work)


def _predict(
    project: Project,
    models: Sequence[str],
    labels: Mapping[str, str],
    known: Mapping[str, PairWithKinds],
    device: str,
    progress: Progress,
) -> list[PredictedLabels]:
    from desktop.jobs.kinds.models import read_predictions  # it imports numpy
    from miner.classifier.evaluation import EvaluatedPair

    pairs = [
        EvaluatedPair(key, known[key].premise, known[key].hypothesis, Label(label)) for key, label in labels.items()
    ]
    return read_predictions(project, models, pairs, progress, device=device)


def _plain(value: Any) -> Any:
    """The value as dictionaries and lists; a named tuple becomes a dictionary of its fields."""
    if is_dataclass(value):
        return {one.name: _plain(getattr(value, one.name)) for one in fields(value)}
    if isinstance(value, tuple) and hasattr(value, "_asdict"):
        return {name: _plain(one) for name, one in value._asdict().items()}
    return [_plain(one) for one in value] if isinstance(value, tuple) else value
