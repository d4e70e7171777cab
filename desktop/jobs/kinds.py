"""The job that counts kinds of reasoning: of the project's answers, or of a file such as TaxiNLI's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from pathlib import Path
from typing import Any

from desktop.text import count
from miner.errors import UserError
from miner.kinds.agreement import KindsAgreement, kinds_agreement
from miner.kinds.figures import AnnotatedPair, KindsFigures, kinds_figures
from miner.kinds.questionnaire import PairKinds
from miner.kinds.taxonomy import Taxonomy, parse_taxonomy, released_text
from miner.progress import Job, Progress
from miner.statistics import wilson
from storage.exchange.kinds_files import read_kinds_file
from storage.project import Project

_MAX_BYTES = 1_000_000


@dataclass(frozen=True, slots=True)
class KindsReport:
    """figures: of the pairs. agreement: of the project's annotators; None for a file. notes: sentences."""

    taxonomy: Taxonomy
    figures: KindsFigures
    agreement: KindsAgreement | None
    notes: tuple[str, ...] = ()

    def to_data(self) -> dict[str, Any]:
        """Data for JSON."""
        rest = {"agreement": _plain(self.agreement), "notes": list(self.notes)}
        return {"taxonomy": self.taxonomy.name, **_plain(self.figures), **rest}


def report_of_file(path: Path, taxonomy: Path | None = None) -> Job[KindsReport]:
    """The figures of a file with a column for each category."""

    def work(progress: Progress) -> KindsReport:
        progress.tick(0, None, f"reading {path.name}")
        known = read_taxonomy(taxonomy)
        found = read_kinds_file(path, known)
        if not found.pairs:
            raise UserError(f"{path} has no pairs that can be read.")
        right, answered = found.annotated
        notes = [f"{count(found.unusable, 'row')} could not be used."] if found.unusable else []
        if answered:
            low, high = wilson(right, answered)
            interval = f"[{100 * low:.1f}, {100 * high:.1f}]"
            share = f"{100 * right / answered:.1f} % {interval}"
            notes.append(f"Annotators' label is the pair's in {share} of {answered:,}.")
        progress.tick(0, None, "explaining errors")
        return KindsReport(known, kinds_figures(found.pairs, found.categories, known.reasoning), None, tuple(notes))

    return Job("Counting kinds", work)


def report_of_project(project: Project) -> Job[KindsReport]:
    """The figures and the agreement of all answers in the project.

    A pair has the categories that at least half of its annotators tick, and its gold label, else the label that the
    annotators give.
    """

    def work(progress: Progress) -> KindsReport:
        progress.tick(0, None, "reading answers")
        with project.read_transaction() as stores:
            answers = stores.kinds.all()
            labels = stores.kinds.labels(list(answers))
            lengths = stores.kinds.lengths(list(answers))
        known = read_taxonomy(None)
        complete = {key: given for key, by in answers.items() if (given := _usable(by))}
        if not complete:
            hint = "Answer pairs first, or name a file: pairwright kinds taxinli_dev.tsv"
            raise UserError("Nobody has answered the questions about a pair yet.", hint=hint)
        pairs = []
        for key, given in complete.items():
            ticks = [category for one in given for category in one.categories]
            categories = frozenset(one for one in ticks if 2 * ticks.count(one) >= len(given))
            label = labels.get(key) or _most_frequent([str(one.relation) for one in given])
            pairs.append(AnnotatedPair(label, categories, lengths.get(key, (0, 0))))
        agreement = kinds_agreement(answers, known.categories, labels)
        return KindsReport(known, kinds_figures(pairs, known.categories, known.reasoning), agreement)

    return Job("Counting kinds", work)


def read_taxonomy(path: Path | None) -> Taxonomy:
    """The taxonomy in this file, by default TaxiNLI's; `UserError` if it cannot be read."""
    return parse_taxonomy(released_text() if path is None else read_taxonomy_text(path))


def read_taxonomy_text(path: Path) -> str:
    """The text of a file; `UserError` if it cannot be read."""
    try:
        with path.open("rb") as file:
            return file.read(_MAX_BYTES + 1).decode("utf-8")
    except (OSError, UnicodeDecodeError) as exc:
        raise UserError(f"{path} cannot be read.", hint="It must be a text file of the TOML format.") from exc


def _usable(by: Mapping[str, PairKinds]) -> list[PairKinds]:
    """The complete answers that give a relation, by annotator."""
    return [one for _, one in sorted(by.items()) if one.complete and one.relation not in (None, "unclear")]


def _most_frequent(labels: Sequence[str]) -> str:
    return max(sorted(set(labels)), key=labels.count)


def _plain(value: Any) -> Any:
    """The value as dictionaries and lists: a named tuple by its fields."""
    if is_dataclass(value):
        return {one.name: _plain(getattr(value, one.name)) for one in fields(value)}
    if isinstance(value, tuple) and hasattr(value, "_asdict"):
        return {name: _plain(one) for name, one in value._asdict().items()}
    return [_plain(one) for one in value] if isinstance(value, tuple) else value
