"""Jobs about papers that are likely the same: find them, compare two of them, merge them or keep both."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, cast

from desktop.jobs.papers.edits import EditResult
from desktop.jobs.papers.table import PaperDetails, load_details
from desktop.jobs.transactions import read_job
from desktop.text import count, shortened
from desktop.translation import tr
from miner.errors import UserError
from miner.parsing.parse_ranks import rank
from miner.progress import Job, Progress
from storage.changes import Changes
from storage.papers.duplicates import LikelyDuplicate, Likeness
from storage.papers.metadata import PaperMetadata, PaperSummary
from storage.project import Project
from storage.stores import Stores

FIELDS = ("title", "authors", "year", "journal", "doi", "licence", "domain", "keywords")
"""The metadata of two papers that are compared, and of which one value is chosen."""
_SOURCE = tr("the paper that was merged into it")
_REASONS = {
    Likeness.DOI: tr("the same DOI"),
    Likeness.TITLE: tr("the same title"),
    Likeness.SIMILAR_TITLE: tr("nearly the same title"),
    Likeness.TEXT: tr("many of the same sentences"),
}


@dataclass(frozen=True, slots=True)
class ComparedPaper:
    """One of two compared papers: its row on the Papers page, and more.

    why_not: why it cannot be merged into the other.
    """

    summary: PaperSummary
    details: PaperDetails
    sentences: int
    split: str | None
    why_not: str

    @property
    def md5(self) -> str:
        return self.summary.md5

    @property
    def name(self) -> str:
        """The paper's title, or the name of its file, shortened."""
        files = self.details.files
        return shortened(self.summary.title or (files[0].path.name if files else self.md5[:8]), 60)


@dataclass(frozen=True, slots=True)
class ComparedPapers:
    """Two papers side by side.

    kept: the MD5 of the paper with the better text. shared: how much of the shorter text is in both, 0.0 to 1.0.
    """

    papers: tuple[ComparedPaper, ComparedPaper]
    kept: str
    shared: float

    def sides(self, kept: str) -> tuple[ComparedPaper, ComparedPaper]:
        """The paper that stays, and the paper that is merged into it."""
        one, other = self.papers
        return (one, other) if one.md5 == kept else (other, one)


@read_job("Looking for duplicate papers")
def find_duplicates(stores: Stores) -> list[LikelyDuplicate]:
    """The papers that are likely the same and that nobody has decided on."""
    return stores.duplicates.find()


def compare(project: Project, one: str, other: str) -> Job[ComparedPapers | None]:
    """Two papers side by side, by MD5; None if one of them was removed."""

    def work(progress: Progress) -> ComparedPapers | None:
        found = [_read(project, md5, gone, progress) for md5, gone in ((one, other), (other, one))]
        first, second = found
        if first is None or second is None:
            return None
        with project.read_transaction() as stores:
            shared = stores.duplicates.shared_wording(one, other)
        better = max((first, second), key=lambda paper: (not paper.why_not, _quality(paper)))
        free = [paper for paper in (first, second) if paper.why_not]  # it must stay
        return ComparedPapers((first, second), (free[0] if len(free) == 1 else better).md5, shared)

    return Job(tr("Comparing two papers"), work)


def merge(
    project: Project,
    kept: str,
    other: str,
    annotator: str,
    changes: PaperMetadata | None = None,
) -> Job[EditResult]:
    """Merge the paper `other` into `kept`, with these changes of its metadata, as one action.

    Raises `UserError` where a round waits for answers to pairs of `other`, or a release has it in another split.
    """

    def work(progress: Progress) -> EditResult:
        with project.transaction() as stores:
            _require(stores, kept, other)
            if why_not := stores.duplicates.why_not(kept, other):
                raise UserError(
                    tr("These papers were not merged. {why_not}", why_not=why_not),
                    hint=tr("Choose which of them stays."),
                )
            title = stores.papers.summaries_of([kept])[kept].title
            before = stores.split_counts.places([kept])
            action = stores.actions.begin(
                annotator, tr("Merged two papers into “{title}”", title=shortened(title, 60)), _now()
            )
            if changes:
                stores.paper_edits.edit(action, [kept], changes, _SOURCE)
            stores.paper_removals.merge(action, kept, other)
            after = stores.split_counts.places([kept])
        moved = tuple(one._replace(old=before[kept].new) for one in after.values() if one.new != before[kept].new)
        changed = Changes(papers=True, pairs=True, many_annotated=True, suggestions=True)
        return EditResult(tr("Merged two papers into “{title}”", title=shortened(title, 60)), 1, changed, moved)

    return Job(tr("Merging two papers"), work)


def keep_both(project: Project, one: str, other: str, annotator: str) -> Job[EditResult]:
    """Save that two papers are not the same, so that nobody is asked again."""

    def work(progress: Progress) -> EditResult:
        with project.transaction() as stores:
            _require(stores, one, other)
            title = tr("Kept two papers that are alike")
            action = stores.actions.begin(annotator, title, _now())
            if not (changed := stores.duplicates.record_kept(action, one, other)):
                stores.actions.discard(action)
                title = tr("Nothing was changed: both papers were to be kept already")
        return EditResult(title, int(changed), Changes(papers=True))

    return Job(tr("Keeping two papers"), work)


def missing_values(kept: PaperSummary, other: PaperSummary) -> PaperMetadata:
    """The metadata that the paper that stays lacks and the other paper has."""
    return values_of(other, [field for field in FIELDS if getattr(other, field) and not getattr(kept, field)])


def values_of(paper: PaperSummary, fields: Sequence[str]) -> PaperMetadata:
    """The paper's metadata in these fields."""
    return cast(PaperMetadata, {field: getattr(paper, field) for field in fields})


def reason_text(reasons: Sequence[Likeness]) -> str:
    """Why two papers may be the same: "the same DOI, nearly the same title"."""
    return ", ".join(_REASONS[reason] for reason in reasons)


def merge_notes(comparison: ComparedPapers, kept: str) -> list[str]:
    """Sentences on the effects of merging on splits and answers; only the reason if the papers cannot be merged."""
    stays, goes = comparison.sides(kept)
    if goes.why_not:
        return [goes.why_not]
    notes = []
    if goes.details.answered:
        them = count(goes.details.answered, "pair")
        notes.append(
            tr(
                "Annotators have judged {them} of the paper that goes. Their answers go to the same pairs of "
                "the paper that stays. If its text lacks a sentence, the pair is kept, but no longer mined "
                "and not exported.",
                them=them,
            )
        )
    if stays.split != goes.split and stays.split and goes.split:
        notes.append(
            tr(
                "The paper that stays is in {split}, the one that goes in {split_2}. The merged paper and "
                "its answers are in {split}.",
                split=stays.split,
                split_2=goes.split,
            )
        )
    return notes


def _read(project: Project, md5: str, kept: str, progress: Progress) -> ComparedPaper | None:
    with project.read_transaction() as stores:
        summary = stores.papers.summary(md5)
        if summary is None or stores.papers.summary(kept) is None:
            return None
        sentences = sum(
            len(paragraph.sentences) for section in stores.papers.get(md5).sections for paragraph in section.paragraphs
        )
        split = stores.split_counts.places([md5])[md5].new
        why_not = stores.duplicates.why_not(kept, md5)
        [id] = stores.paper_table.ids_of([md5])
    details = load_details(project, id).work(progress)
    return None if details is None else ComparedPaper(summary, details, sentences, split, why_not)


def _quality(paper: ComparedPaper) -> tuple[Any, ...]:
    """A sort key; the paper with the higher one stays: by parse, then by answers, sentences and MD5."""
    return rank(paper.summary), paper.details.answered, paper.sentences, paper.md5


def _require(stores: Stores, *md5s: str) -> None:
    rows = stores.paper_table.rows(stores.paper_table.ids_of(md5s))
    if missing := set(md5s).difference(row.md5 for row in rows if row.md5 and not row.data_set):
        raise UserError(
            tr(
                "There is no paper {missing} in the project: it was removed or merged meanwhile.",
                missing=min(missing)[:8],
            ),
            hint=tr("See: pairwright papers list"),
        )


def _now() -> datetime:
    return datetime.now(UTC)
