"""Finds the known paper of which a file is another form, such as a PDF and its publisher's XML, or two XML files.

A paper keeps the MD5 that it came in with first, as pairs and answers refer to it; later files are linked to it. Papers
are compared where one of the two is publisher's XML, by DOI, else by title with first author or year. As DOIs are
printed on supplements, editorials and corrections too, the titles must be the same, or the texts share their wording.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache

from miner.parsing.formats import FileKind
from miner.parsing.parse_ranks import JATS
from miner.records import Paper
from miner.references.likeness import family_name, normal_title
from miner.references.wording import WordingIndex, share_wording, shingles

XML_PARSER = JATS
_DOI = re.compile(r"10\.\d{4,9}/\S+")
_VERSION = re.compile(r"\.v?\d$")  # of an article at F1000 or a preprint server
_BOTH = 2  # keys: DOI and title
_MIN_TITLE_WORDS = 4  # "Introduction" and "Letter to the editor" are many papers
_FEW = 8  # papers with this DOI or title; of more, only those with most wording in common are compared


@dataclass(frozen=True, slots=True)
class KnownPaper:
    """The compared values of a stored paper. kind: of the file that its SHA-256 is of; parser: what made its text."""

    md5: str
    kind: str
    parser: str
    title: str
    authors: tuple[str, ...]
    year: int | None
    doi: str | None

    @classmethod
    def of(cls, paper: Paper, kind: FileKind) -> KnownPaper:
        """The values of a parsed file of this kind that are compared."""
        return cls(paper.md5, kind.value, paper.parser, paper.title, paper.authors, paper.year, paper.doi)

    @property
    def keys(self) -> list[str]:
        """Keys made of DOI and title: forms of the same paper share a key."""
        return [] if self.kind == FileKind.PAPERS else _keys(self.doi, self.title)


class PaperIndex:
    """Papers, to be found by DOI and title."""

    def __init__(self, papers: Iterable[KnownPaper]) -> None:
        self._papers: dict[str, KnownPaper] = {}
        self._md5s: defaultdict[str, set[str]] = defaultdict(set)  # by DOI or title
        self._wordings = WordingIndex()  # of papers that share a DOI or a title with many
        for paper in papers:
            self.put(paper)

    def put(self, paper: KnownPaper) -> None:
        """Enter a paper, or its changed values."""
        self._papers[paper.md5] = paper
        for key in _keys(paper.doi, paper.title):
            self._md5s[key].add(paper.md5)

    def put_stored(self, md5: str, paper: Paper, kind: FileKind, *, replaced: bool) -> None:
        """Enter a paper as it was saved under this MD5; `replaced`: its text is the stored one."""
        old = self._papers.get(md5)
        if replaced:
            self._wordings.names.discard(md5)
        if old is None or replaced:
            own = KnownPaper.of(paper, FileKind.PDF if old and old.kind == FileKind.PDF else kind)
            self.put(replace(own, md5=md5))
        else:
            self.link(md5, kind)

    def link(self, md5: str, kind: FileKind) -> None:
        """Note that a file of this kind is another form of the paper."""
        if kind is FileKind.PDF:
            self._papers[md5] = replace(self._papers[md5], kind=kind.value)

    def find(self, paper: Paper, kind: FileKind, stored_text: Callable[[str], Sequence[str]]) -> str | None:
        """`find_form` of a file that was parsed."""

        def own_text() -> list[str]:
            return [paragraph.text for section in paper.sections for paragraph in section.paragraphs]

        return self.find_form(KnownPaper.of(paper, kind), own_text, stored_text)

    def find_form(
        self, paper: KnownPaper, own_text: Callable[[], Sequence[str]], stored_text: Callable[[str], Sequence[str]]
    ) -> str | None:
        """The MD5 of the known paper of which this is another form; None if there is none.

        own_text, stored_text: the paragraphs, which are read only where the rest does not decide.
        """
        with_key = [self._md5s.get(key, set()) for key in _keys(paper.doi, paper.title)]
        known = set().union(*with_key) - {paper.md5}
        found = {md5 for md5 in known if _may_be_same(paper, self._papers[md5])}
        own = cache(lambda: shingles(own_text()))
        if len(found) > _FEW:
            for md5 in found - self._wordings.names:
                self._wordings.put(md5, shingles(stored_text(md5)))
            with_both = sorted(set.intersection(*with_key) & found)[:_FEW] if len(with_key) == _BOTH else ()
            found &= self._wordings.most_alike(own(), _FEW).union(with_both)
        by_title = title_key(paper.title)
        same = [self._papers[md5] for md5 in found]
        for other in sorted(same, key=lambda other: (title_key(other.title) != by_title, other.md5)):
            is_certain = _is_same_doi(paper.doi, other.doi) and bool(by_title) and title_key(other.title) == by_title
            if is_certain or share_wording(own(), shingles(stored_text(other.md5))):
                return other.md5
        return None


def _may_be_same(paper: KnownPaper, other: KnownPaper) -> bool:
    """Whether the two can be forms of one paper, by all but their texts."""
    if XML_PARSER not in (paper.parser, other.parser) or FileKind.PAPERS in (paper.kind, other.kind):
        return False
    if paper.parser != XML_PARSER and other.kind == FileKind.PDF:  # it has its PDF
        return False
    left, right = sorted((doi_key(paper.doi), doi_key(other.doi)), key=len)
    if left and _VERSION.sub("", left) == _VERSION.sub("", right):
        return True
    if not right.startswith(left) or title_key(paper.title) != title_key(other.title):
        return False
    surnames = {family_name(names[0]) for names in (paper.authors, other.authors) if names}
    years = [year for year in (paper.year, other.year) if year]
    return len(surnames) < 2 and (len(years) < 2 or abs(years[0] - years[1]) <= 1)


def _keys(doi: str | None, title: str) -> list[str]:
    return [key for key in (article_key(doi), title_key(title)) if key]


@lru_cache(1_000)
def doi_key(doi: str | None) -> str:
    """A DOI without its address, in lower case: equal for two spellings of the DOI; "" for none."""
    found = _DOI.search(doi or "")
    return found[0].rstrip(".,;)").casefold() if found else ""


def article_key(doi: str | None) -> str:
    """A DOI as `doi_key`, without the version of a preprint or of an article at F1000."""
    return _VERSION.sub("", doi_key(doi))


def _is_same_doi(left: str | None, right: str | None) -> bool:
    return bool(doi_key(left)) and doi_key(left) == doi_key(right)


@lru_cache(1_000)
def title_key(title: str) -> str:
    """The words of a title, joined: equal for two spellings; "" for a title so short that many papers have it."""
    words = normal_title(title).split()
    return "".join(words) if len(words) >= _MIN_TITLE_WORDS else ""
