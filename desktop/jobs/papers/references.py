"""Jobs that take metadata of papers from a bibliography on disk: what it would change, and the change as one action."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple, cast

from desktop.text import count
from desktop.translation import tr
from miner.errors import UserError
from miner.parsing.files import find_files
from miner.paths import is_folder
from miner.progress import Job, Progress
from miner.references.matching import MatchedBy, MatchedPaper, ReferenceDoubt, match_references
from miner.references.proposals import FIELDS, DescribedPaper, Proposal, ProposalKind, Value, propose
from miner.references.reading import read_references
from miner.references.recognition import is_bibliography
from miner.references.reference import BrokenEntry, Reference
from storage.changes import Changes
from storage.pairs.paper_splits import PaperMove
from storage.papers.metadata import PaperMetadata, PaperSummary
from storage.project import Project

_SOURCE_END = " reference"  # of a field, behind the bibliography's format


class DoubtfulPaper(NamedTuple):
    """A paper without a certain match: its title, the reason, and the titles of the possible references."""

    md5: str
    title: str
    reason: str
    references: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ReferencePlan:
    """What a bibliography would change in a project.

    matched: how papers were matched, by MD5. titles: of these papers, for people. proposals: conflicts first, then by
    title. unmatched_papers: how many papers have no reference; unmatched_entries: how many references have no paper.
    domains: of the project, those with most papers first.
    """

    path: Path
    format: str
    entries: int
    failed: tuple[BrokenEntry, ...]
    matched: Mapping[str, MatchedBy]
    titles: Mapping[str, str]
    proposals: tuple[Proposal, ...]
    doubts: tuple[DoubtfulPaper, ...]
    unmatched_papers: int
    unmatched_entries: int
    domains: tuple[str, ...]

    def of_kind(self, *kinds: ProposalKind) -> list[Proposal]:
        return [one for one in self.proposals if one.kind in kinds]

    def taken(self, *, prefers_references: bool = False) -> list[Proposal]:
        """The proposals that are applied by default: values for empty or uncertain fields, or everything."""
        return [one for one in self.proposals if prefers_references or one.kind is not ProposalKind.CONFLICT]

    def matched_by(self) -> dict[MatchedBy, int]:
        """The number of papers matched each way, in the order of the ways."""
        numbers = Counter(self.matched.values())
        return {by: numbers[by] for by in MatchedBy if numbers[by]}


@dataclass(frozen=True, slots=True)
class ReferenceResult:
    """How many values were set and confirmed, how many papers changed, and how many conflicts stay.

    moved: papers that the change put into another split.
    """

    plan: ReferencePlan
    set: int
    confirmed: int
    papers: int
    kept: int
    changes: Changes
    moved: tuple[PaperMove, ...] = ()


def plan_references(project: Project, path: Path) -> Job[ReferencePlan]:
    """Read a bibliography and compare it with the project's papers. Changes nothing."""

    def work(progress: Progress) -> ReferencePlan:
        return _plan(project, path.absolute(), progress)

    return Job(tr("Reading {name}", name=path.name), work)


def apply_references(
    project: Project, plan: ReferencePlan, taken: Collection[Proposal], domain: str | None, annotator: str
) -> Job[ReferenceResult]:
    """Set the chosen values of a plan, and the domain of all matched papers, as one action that can be undone.

    Values that were changed since the plan was made stay.
    """

    def work(progress: Progress) -> ReferenceResult:
        with project.transaction() as stores:
            current = stores.papers.summaries_of(list(plan.matched))
            changes: dict[str, PaperMetadata] = {md5: PaperMetadata() for md5 in current}
            numbers = Counter[bool]()  # by whether the value is another one
            for one in taken:
                if one.md5 in current and getattr(current[one.md5], one.field) == one.now:
                    cast(dict[str, Any], changes[one.md5])[one.field] = one.new
                    numbers[one.now != one.new] += 1
            changes = {md5: its for md5, its in changes.items() if its}
            title = tr(
                "Took {values} of {papers} from {name}",
                values=count(sum(numbers.values()), "value"),
                papers=count(len(changes), "paper"),
                name=plan.path.name,
            )
            action = stores.actions.begin(annotator, title, datetime.now(UTC))
            before = stores.split_counts.places(list(current))
            papers = stores.paper_edits.edit_each(action, changes, plan.format + _SOURCE_END) if changes else 0
            if domain is not None:
                papers = stores.paper_edits.edit(action, list(current), PaperMetadata(domain=domain)) or papers
            after = stores.split_counts.places(list(current))
            moved = tuple(
                one._replace(old=before[md5].new) for md5, one in sorted(after.items()) if one.new != before[md5].new
            )
            if not papers:
                stores.actions.discard(action)
        kept = sum(one.kind is ProposalKind.CONFLICT for one in plan.proposals) - sum(
            one.kind is ProposalKind.CONFLICT for one in taken
        )
        changed = Changes(papers=bool(papers), many_annotated=bool(papers))
        return ReferenceResult(plan, numbers[True], numbers[False], papers, kept, changed, moved)

    return Job(tr("Applying {name}", name=plan.path.name), work)


def apply_bibliographies(project: Project, paths: Sequence[Path], annotator: str) -> Job[list[ReferenceResult]]:
    """Fill empty and uncertain fields of the project's papers from the bibliographies among these files and folders.

    A bibliography that cannot be read, or names no paper, is passed over, since nobody chose it explicitly.
    """

    def work(progress: Progress) -> list[ReferenceResult]:
        results = []
        for path in _find(paths, progress):
            try:
                plan = _plan(project, path, progress)
            except UserError:  # nor is a project without papers an error here
                continue
            if plan.matched:
                results.append(apply_references(project, plan, plan.taken(), None, annotator).work(progress))
        return results

    return Job(tr("Reading references"), work)


def _find(paths: Sequence[Path], progress: Progress) -> list[Path]:
    folders = [path.absolute() for path in paths if is_folder(path)]
    found = find_files(folders, lambda path: progress.tick(0, None, path.name)).bibliographies if folders else []
    return sorted(path for path in found if is_bibliography(path))


def _plan(project: Project, path: Path, progress: Progress) -> ReferencePlan:
    def on_part(done: int, total: int) -> None:
        progress.tick(done, total, path.name)

    references = read_references(path, on_part)
    with project.read_transaction() as stores:
        papers = stores.papers.summaries()
        files = stores.files.paths_by_paper()
        domains = stores.papers.domain_counts()
    if not papers:
        raise UserError(tr("The project has no papers yet."), hint=tr("Add the papers first, then their references."))
    known = [
        MatchedPaper(paper.md5, paper.title, paper.authors, paper.year, paper.doi, files.get(paper.md5, ()))
        for paper in papers
    ]
    matching = match_references(known, references.entries, path.parent, progress.tick)
    by_md5 = {paper.md5: paper for paper in papers}
    titles = {paper.md5: _title(paper, files.get(paper.md5, ())) for paper in papers}
    proposals = [
        one
        for match in matching.matches
        for one in propose(_described(by_md5[match.md5]), references.entries[match.entry])
    ]
    proposals.sort(key=lambda one: (_ORDER[one.kind], titles[one.md5].casefold(), one.md5, FIELDS.index(one.field)))
    matched = {match.md5: match.by for match in matching.matches}
    return ReferencePlan(
        path=path,
        format=references.format,
        entries=len(references.entries),
        failed=references.failed,
        matched=matched,
        titles={md5: titles[md5] for md5 in matched},
        proposals=tuple(proposals),
        doubts=tuple(_doubtful(doubt, titles, references.entries) for doubt in matching.doubts),
        unmatched_papers=len(papers) - len(matched),
        unmatched_entries=len(references.entries) - len({match.entry for match in matching.matches}),
        domains=tuple(sorted(filter(None, domains), key=lambda name: (-domains[name], name))),
    )


_ORDER = {kind: number for number, kind in enumerate((ProposalKind.CONFLICT, ProposalKind.FILL, ProposalKind.CONFIRM))}


def _title(paper: PaperSummary, files: Sequence[str]) -> str:
    return paper.title or (Path(files[0]).name if files else paper.md5[:8])


def _described(paper: PaperSummary) -> DescribedPaper:
    values: dict[str, Value] = {field: getattr(paper, field) for field in FIELDS}
    by_hand = {field for field in paper.edited if not paper.sources.get(field, "").endswith(_SOURCE_END)}
    return DescribedPaper(paper.md5, values, frozenset(paper.unchecked), frozenset(by_hand))


def _doubtful(doubt: ReferenceDoubt, titles: Mapping[str, str], entries: Sequence[Reference]) -> DoubtfulPaper:
    named = tuple(entries[number].title or entries[number].key for number in doubt.entries)
    return DoubtfulPaper(doubt.md5, titles[doubt.md5], doubt.reason, named)
