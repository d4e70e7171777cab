"""Which entry of a bibliography is about which paper: by the file that it names, then by DOI, then by title.

A wrong match would give a paper another one's title, so each needs evidence that nothing contradicts; what is likely
but not certain is listed with the reason, and left to people. The result depends on the order of the entries, and on no
other.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

from miner.references.likeness import (
    TitleAgreement,
    authors_agree,
    is_same_but_for_glyphs,
    is_similar,
    is_telling,
    normal_title,
    titles_alike,
    years_agree,
)
from miner.references.paths import FileBesideBibliography, file_name, is_specific, link_fit
from miner.references.reference import Reference, plain_doi

_RAREST = 6  # words of a title by which others are found
_MOST_COMPARED = 1_000


class MatchedBy(StrEnum):
    """How a paper and an entry were matched. The values are for people."""

    FILE = "file"
    DOI = "DOI"
    TITLE = "title"


class MatchedPaper(NamedTuple):
    """The values of a paper that are compared with entries. `files`: the paths of its files."""

    md5: str
    title: str = ""
    authors: tuple[str, ...] = ()
    year: int | None = None
    doi: str | None = None
    files: tuple[str, ...] = ()


class ReferenceMatch(NamedTuple):
    """A paper and the number of its entry, from 0."""

    md5: str
    entry: int
    by: MatchedBy


class ReferenceDoubt(NamedTuple):
    """A paper that one of these entries may be about, and why no entry was chosen."""

    md5: str
    entries: tuple[int, ...]
    reason: str


@dataclass(frozen=True, slots=True)
class Matching:
    """The matches and the doubts, in the order of the papers; a paper is in one of them at most."""

    matches: tuple[ReferenceMatch, ...]
    doubts: tuple[ReferenceDoubt, ...]


def match_references(
    papers: Sequence[MatchedPaper],
    entries: Sequence[Reference],
    folder: Path | None = None,
    on_paper: Callable[[int, int], None] = lambda done, total: None,
) -> Matching:
    """Match papers with the entries of a bibliography in `folder`, which the files of entries are relative to.

    `on_paper` is called with the papers done, and all, and may raise to stop.
    """
    index = _EntryIndex(papers, entries, folder)
    found: list[ReferenceMatch | ReferenceDoubt] = []
    for number, paper in enumerate(papers):
        on_paper(number, len(papers))
        if (outcome := index.find(paper)) is not None:
            found.append(outcome)
    return _each_entry_once(found)


class _TitleIndex:
    """Looks up normal titles (`likeness.normal_title`) among tens of thousands, numbered from 0 in their order."""

    def __init__(self, titles: Iterable[str]) -> None:
        self._titles = list(titles)
        self._by_title: dict[str, list[int]] = defaultdict(list)
        self._by_word: dict[str, list[int]] = defaultdict(list)
        for number, title in enumerate(self._titles):
            if title:
                self._by_title[title].append(number)
                for word in set(title.split()):
                    self._by_word[word].append(number)

    def equal(self, title: str) -> list[int]:
        return self._by_title.get(title, []) if title else []

    def similar(self, title: str) -> list[int]:
        """Titles that may be this one, ascending: of those that share half of its rarest words."""
        if not is_telling(title):
            return []
        known = [word for word in set(title.split()) if word in self._by_word]
        known.sort(key=lambda word: (len(self._by_word[word]), word))
        shared = Counter(number for word in known[:_RAREST] for number in self._by_word[word][:_MOST_COMPARED])
        enough = (min(len(known), _RAREST) + 1) // 2
        candidates = sorted(number for number, words in shared.items() if words >= enough)
        return [number for number in candidates if is_similar(title, self._titles[number])]


class _EntryIndex:
    """The entries of a bibliography by all that they are looked up by."""

    def __init__(self, papers: Sequence[MatchedPaper], entries: Sequence[Reference], folder: Path | None) -> None:
        self._entries = entries
        self._folder = folder
        self._by_name: dict[str, list[int]] = defaultdict(list)
        self._by_doi: dict[str, list[int]] = defaultdict(list)
        for number, entry in enumerate(entries):
            for name in {file_name(link) for link in entry.files} - {""}:
                self._by_name[name].append(number)
            if entry.doi:
                self._by_doi[entry.doi].append(number)
        self._titles = _TitleIndex(normal_title(entry.title) for entry in entries)
        self._papers_by_name: dict[str, set[str]] = defaultdict(set)
        for paper in papers:
            for path in paper.files:
                self._papers_by_name[file_name(path)].add(paper.md5)

    def find(self, paper: MatchedPaper) -> ReferenceMatch | ReferenceDoubt | None:
        by_doi = self._with_doi(paper)
        by_file = self._with_file(paper)
        if (
            isinstance(by_file, ReferenceMatch)
            and isinstance(by_doi, ReferenceMatch)
            and not self._same([by_file.entry, by_doi.entry])
        ):
            reason = "its file belongs to one reference, its DOI to another"
            return ReferenceDoubt(paper.md5, (by_file.entry, by_doi.entry), reason)
        if isinstance(by_file, ReferenceMatch):
            return by_file
        if isinstance(by_doi, ReferenceMatch):
            return by_doi
        by_title = self._with_title(paper)
        if isinstance(by_title, ReferenceMatch):
            tried = (doubt for doubt in (by_file, by_doi) if doubt is not None)
            denied = next((doubt for doubt in tried if by_title.entry not in doubt.entries), None)
            return by_title if denied is None else denied
        return by_file or by_doi or by_title

    def _with_file(self, paper: MatchedPaper) -> ReferenceMatch | ReferenceDoubt | None:
        """By the entries that name one of the paper's files; the better a path fits, the sooner it is believed."""
        fits: dict[int, int] = {}
        for path in paper.files:
            for number in self._by_name.get(file_name(path), ()):
                for link in self._entries[number].files:
                    fit = link_fit(link, FileBesideBibliography(path, self._folder))
                    fits[number] = max(fit, fits.get(number, 0))
        best = max(fits.values(), default=0)
        if best == 0:
            return None
        numbers = sorted(number for number, fit in fits.items() if fit == best)
        entry = self._entries[numbers[0]]
        if not self._same(numbers):
            alike = [number for number in numbers if self._is_same_work(paper, self._entries[number])]
            if not alike or not self._same(alike):
                return ReferenceDoubt(paper.md5, tuple(numbers), "several references name its file")
            entry, numbers = self._entries[alike[0]], alike
        by_name_only = best == 1
        name = file_name(next(path for path in paper.files if file_name(path) in map(file_name, entry.files)))
        if by_name_only and len(self._papers_by_name[name]) > 1 and not self._is_same_work(paper, entry):
            return ReferenceDoubt(paper.md5, tuple(numbers), "several papers have a file of this name")
        if best < 3 and _differ(paper.doi, entry.doi):
            return ReferenceDoubt(paper.md5, tuple(numbers), "the reference names its file, but has another DOI")
        if best < 3 and not is_specific(name) and not self._is_same_work(paper, entry):
            return ReferenceDoubt(
                paper.md5, tuple(numbers), "the reference names a file of this name, which many papers have"
            )
        return ReferenceMatch(paper.md5, numbers[0], MatchedBy.FILE)

    def _with_doi(self, paper: MatchedPaper) -> ReferenceMatch | ReferenceDoubt | None:
        numbers = self._by_doi.get(plain_doi(paper.doi or "") or "", [])
        if not numbers:
            return None
        titles = ((number, self._entries[number].title) for number in numbers)
        same = [number for number, title in titles if titles_alike(paper.title, title) >= TitleAgreement.SIMILAR]
        numbers = same or numbers
        if not self._same(numbers):
            return ReferenceDoubt(paper.md5, tuple(numbers), "several references have its DOI")
        entry = self._entries[numbers[0]]
        if not same and paper.title and entry.title:
            author, year = authors_agree(paper.authors, entry.authors), paper.year == entry.year
            if author is False or not (author or year):
                return ReferenceDoubt(paper.md5, tuple(numbers), "the reference has its DOI, but another title")
        return ReferenceMatch(paper.md5, numbers[0], MatchedBy.DOI)

    def _with_title(self, paper: MatchedPaper) -> ReferenceMatch | ReferenceDoubt | None:
        title = normal_title(paper.title)
        equal = self._titles.equal(title)
        likely = [number for number in equal if self._supports(paper, self._entries[number]) is not False]
        if equal and not likely:
            return ReferenceDoubt(
                paper.md5, tuple(equal), "a reference has its title, but other authors or another DOI"
            )
        if likely:
            supported = [number for number in likely if self._supports(paper, self._entries[number])]
            numbers = supported or likely
            if not self._same(numbers):
                return ReferenceDoubt(paper.md5, tuple(numbers), "several references have its title")
            if not supported and not is_telling(title):
                return ReferenceDoubt(paper.md5, tuple(numbers), "a reference has its title, which is short")
            return ReferenceMatch(paper.md5, numbers[0], MatchedBy.TITLE)
        numbers = self._titles.similar(title)
        sure = [number for number in numbers if self._certainly(paper, self._entries[number])]
        if sure and self._same(sure):
            return ReferenceMatch(paper.md5, sure[0], MatchedBy.TITLE)
        return ReferenceDoubt(paper.md5, tuple(numbers[:5]), "a reference has a similar title") if numbers else None

    def _supports(self, paper: MatchedPaper, entry: Reference) -> bool | None:
        """Whether authors, year and DOI are for this entry (True), against it (False), or say nothing."""
        author = authors_agree(paper.authors, entry.authors)
        if author is False or _differ(paper.doi, entry.doi):
            return False
        return True if author or years_agree(paper.year, entry.year) else None

    def _certainly(self, paper: MatchedPaper, entry: Reference) -> bool:
        """Whether a similar title is the same work.

        Another word may make another work of the same authors and year, such as "in vivo" of "in vitro".
        """
        author, year = authors_agree(paper.authors, entry.authors), years_agree(paper.year, entry.year)
        if author is False or year is False or _differ(paper.doi, entry.doi):
            return False
        one, other = normal_title(paper.title), normal_title(entry.title)
        if is_same_but_for_glyphs(one, other):
            return bool(author or year)
        return bool(author and year) and (one.startswith(other) or other.startswith(one))

    def _is_same_work(self, paper: MatchedPaper, entry: Reference) -> bool:
        same_doi = bool(paper.doi) and plain_doi(paper.doi or "") == entry.doi
        return same_doi or titles_alike(paper.title, entry.title) >= TitleAgreement.SIMILAR

    def _same(self, numbers: Iterable[int]) -> bool:
        """Whether the entries are about one work: equal titles, no contradicting DOIs, years or first authors."""
        entries = [self._entries[number] for number in numbers]
        first = entries[0]
        return all(
            normal_title(entry.title) == normal_title(first.title)
            and not _differ(entry.doi, first.doi)
            and years_agree(entry.year, first.year) is not False
            and authors_agree(entry.authors, first.authors) is not False
            for entry in entries[1:]
        )


def _differ(one: str | None, other: str | None) -> bool:
    return bool(one and other and plain_doi(one) != plain_doi(other))


_RANKS = {MatchedBy.FILE: 2, MatchedBy.DOI: 1, MatchedBy.TITLE: 0}


def _each_entry_once(found: Sequence[ReferenceMatch | ReferenceDoubt]) -> Matching:
    """One entry is about one paper, or about copies of it with its DOI; the papers that come second are in doubt."""
    ranks: dict[int, list[MatchedBy]] = defaultdict(list)
    for outcome in found:
        if isinstance(outcome, ReferenceMatch):
            ranks[outcome.entry].append(outcome.by)
    matches, doubts = [], []
    for outcome in found:
        if isinstance(outcome, ReferenceDoubt):
            doubts.append(outcome)
            continue
        rivals = ranks[outcome.entry]
        best = max(rivals, key=_RANKS.__getitem__)
        alone = len(rivals) == 1 or outcome.by is MatchedBy.DOI or (outcome.by is best and rivals.count(best) == 1)
        if alone:
            matches.append(outcome)
        else:
            doubts.append(ReferenceDoubt(outcome.md5, (outcome.entry,), "the reference fits several papers"))
    return Matching(tuple(matches), tuple(doubts))
