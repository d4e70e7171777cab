"""Title, authors, year, DOI, journal and licence of a PDF, chosen by weighing evidence.

embedded_statements.py what the file says of itself: document information and XMP
cover_pages.py         pages that a repository put in front
rows.py                the rows of a page as they are seen
title.py               blocks that may be the title
names.py, authors.py   names of people, and those below the title
citation_box.py        "Cite this article as"
doi.py, dates.py, journal.py
letters.py             texts compared by their letters
sources.py             where values come from, and how one is chosen
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Container, Mapping, Sequence
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

from miner.parsing.embedded.lines import TextLine
from miner.parsing.embedded.metadata.authors import PrintedNames, cited_names, complete, find_authors, stated_names
from miner.parsing.embedded.metadata.citation_box import Citation, find_boxes, find_running_citations, split_at_title
from miner.parsing.embedded.metadata.cover_pages import first_page
from miner.parsing.embedded.metadata.dates import (
    cited_year,
    created_year,
    printed_years,
    stamped_years,
    years_in_doi,
)
from miner.parsing.embedded.metadata.doi import PrintedDoi, find_dois, printed_dois, whole
from miner.parsing.embedded.metadata.embedded_statements import EmbeddedStatement, read_statements
from miner.parsing.embedded.metadata.journal import choose_journal, cited_journal, printed_journals, tidy_journal
from miner.parsing.embedded.metadata.letters import letters, locate
from miner.parsing.embedded.metadata.names import surname
from miner.parsing.embedded.metadata.rows import read_rows
from miner.parsing.embedded.metadata.sources import ChosenValue, Source, WeighedValue, weigh
from miner.parsing.embedded.metadata.title import (
    TitleBlock,
    agree,
    bare_title,
    body_size,
    extend,
    find_titles,
    may_be_title,
)
from miner.parsing.embedded.paragraphs import vocabulary
from miner.parsing.licences import find_licence, find_paper_licence, strictest
from miner.records import FieldSource

_OPENING_PAGES = 2  # the paper's first and the next one
_ANY_SIZE = 1_000.0  # as the size of the body: each row is asked
_YEAR = re.compile(r"(?<![\d./-])(?:19[5-9]|20[0-4])\d(?![\d-])")
_HEAD_PAGES = 4  # on which running heads are read
_GAP = 1.6  # times the type size: more than between lines of a text
_MAX_HEAD_LINES = 4  # of a head on a page without other lines near it
_HEAD_END, _FOOT_START = 0.1, 0.9  # of the page's height; heads and feet are outside
_NEAR_HEAD, _NEAR_FOOT = 0.15, 0.85  # of the page's height, within which white space sets them apart
_MIN_PAGES = 3  # behind the first one, so that the last pages may have a citation box
_MIN_BOX_TITLE, _MIN_TITLE = 16, 10  # letters of a title that a citation box has; that the page has
_CREATED_WITHIN = 2  # years between the latest that the paper names and the file's date

# Scores of titles, as in title.py: what speaks for a block, and how much the title must have.
_STATED, _IN_BOX, _IS_JOURNAL = 4.0, 4.0, -5.0
_BEST, _GOOD, _DOUBTFUL, _LEAST = 4.0, 3.5, 1.0, 0.5
_MARGIN = 1.0  # to the next block

# Weights of evidence; a value is sure with `sources.SURE`.
_YEAR_IN_BOX, _STATED_YEAR = 4.0, 2.0
_WEAK_YEAR = 1.0  # with no year of so much weight the date of the file is asked
_COVER_SHARE = 0.7  # of the weight that a year on the first page has
_LEAST_YEAR, _LEAST_DOI = 0.5, 1.5
_DOI_IN_BOX, _DOI_IN_HEADS, _STATED_DOI, _STATED_DOI_ALONE = 4.0, 3.0, 3.0, 1.0
_OWN_DOI, _ANY_DOI, _LABELLED_DOI, _OTHER_DOI = 2.0, 0.5, 1.5, 0.3  # printed on the first page
_NEXT_PAGE_SHARE = 0.4  # of the weight that a DOI on the first page has
_STATED_JOURNAL, _JOURNAL_IN_BOX, _JOURNAL_IN_HEADS = 4.0, 3.0, 0.8


class PdfMetadata(NamedTuple):
    """What is known of a paper; `sources` says where each field that is not empty comes from."""

    title: str = ""
    authors: tuple[str, ...] = ()
    year: int | None = None
    doi: str | None = None
    journal: str = ""
    licence: str = ""
    sources: tuple[FieldSource, ...] = ()


def read_metadata(pdf: bytes, document_info: Mapping[str, str], pages: Sequence[Sequence[TextLine]]) -> PdfMetadata:
    """The metadata of a PDF, given its document information and all its lines, furniture and rotated text included."""
    return _MetadataReader(pdf, document_info, pages).read()


class _PaperWords(Container[str]):
    """The words of some pages in lower case, compounds with hyphens too; read when they are asked for."""

    def __init__(self, pages: Sequence[Sequence[TextLine]]) -> None:
        self._pages = pages

    def __contains__(self, word: object) -> bool:
        return word in self._words

    @cached_property
    def _words(self) -> Counter[str]:
        return vocabulary([line for lines in self._pages for line in lines])


class _MetadataReader:
    """The sources of one paper."""

    def __init__(self, pdf: bytes, document_info: Mapping[str, str], pages: Sequence[Sequence[TextLine]]) -> None:
        self.pages = pages
        self.statements = read_statements(pdf, document_info)
        self.creation = document_info.get("CreationDate", "")
        self.first = first_page(pages)
        self.lines = pages[self.first] if pages else ()
        self.rows = read_rows(self.lines)
        self.opening = pages[: self.first + _OPENING_PAGES]
        self.boxes = find_boxes([*self.opening, *(pages[-2:] if len(pages) > self.first + _MIN_PAGES else ())])
        self.edges = [_edge_lines(lines) for lines in pages[self.first + 1 : self.first + 1 + _HEAD_PAGES]]
        self.heads = [read_rows(lines) for lines in self.edges]
        self.text = "\n".join(line.text for line in self.lines)

    @cached_property
    def letters(self) -> str:
        """The letters of the first page."""
        return letters(self.text)

    @cached_property
    def journals(self) -> list[WeighedValue[str]]:
        """What running heads and imprints say of the journal."""
        found = list(printed_journals(self.rows, Source.FIRST_PAGE, is_edge=False))
        for rows in self.heads:
            found += (
                item._replace(weight=_JOURNAL_IN_HEADS) for item in printed_journals(rows, Source.HEAD, is_edge=True)
            )
        return found

    def read(self) -> PdfMetadata:
        title, block = self._title()
        text = title.value if title else ""
        believed = [statement for statement in self.statements if self._is_believed(statement, text)]
        boxes = [*self.boxes, *find_running_citations(self.lines, text)]
        citations = [found for box in boxes if (found := split_at_title(box, text))]
        doi = self._doi(believed, citations)
        authors = self._authors(block, believed, citations)
        year = self._year(believed, citations, doi)
        journal = self._journal(believed, citations, text)
        licence = self._licence(believed)
        findings = {
            "title": title,
            "authors": authors,
            "year": year,
            "doi": doi,
            "journal": journal,
            "licence": licence,
        }
        sources = [FieldSource(name, str(chosen.source), chosen.is_sure) for name, chosen in findings.items() if chosen]
        return PdfMetadata(
            text,
            authors.value if authors else (),
            year.value if year else None,
            doi.value if doi else None,
            journal.value if journal else "",
            licence.value if licence else "",
            tuple(sources),
        )

    # title

    def _title(self) -> tuple[ChosenValue[str] | None, TitleBlock | None]:
        blocks = find_titles(self.rows, _PaperWords(self.opening))
        stated = [(statement.source, statement.title) for statement in self.statements if may_be_title(statement.title)]
        for block in blocks:
            own = letters(block.text)
            if any(agree(title, block.text) for _, title in stated):
                block.score += _STATED
            if len(own) >= _MIN_BOX_TITLE and any(own in letters(box) for box in self.boxes):
                block.score += _IN_BOX
            if any(own == letters(item.value) for item in self.journals):
                block.score += _IS_JOURNAL
        blocks.sort(key=lambda block: -block.score)
        on_page = [(source, title) for source, title in stated if self._is_on_page(title)]
        best = blocks[0] if blocks else None
        if on_page and (best is None or not any(agree(title, best.text) for _, title in on_page)):
            source, title = max(on_page, key=lambda item: len(item[1]))
            if best is None or best.score < _BEST:
                return ChosenValue(title, source, best is None or best.score < _DOUBTFUL), best
        if best is None or best.score < _LEAST:
            return None, None
        margin = best.score - (blocks[1].score if len(blocks) > 1 else 0.0)
        is_sure = best.score >= _GOOD and margin >= _MARGIN
        extend(best, self.rows)
        return ChosenValue(
            self._whole(bare_title(best.text), [title for _, title in on_page]), Source.FIRST_PAGE, is_sure
        ), best

    def _is_on_page(self, title: str) -> bool:
        return len(letters(title)) >= _MIN_TITLE and letters(title) in self.letters

    def _whole(self, printed: str, stated: Sequence[str]) -> str:
        """The title as printed; as the file states it where that is the same but for spaces, hyphens and capitals."""
        for title in stated:
            own = letters(printed)
            if letters(title) == own and not title.isupper() and title[:1] not in "\"'":
                return title
            if (
                letters(title).startswith(own)
                and (found := locate(title, printed))
                and re.match(r"[\s-]*[a-z]", title[found[1] :])
            ):
                return title  # cut short where the type changes
        return printed

    def _is_believed(self, statement: EmbeddedStatement, title: str) -> bool:
        """Whether a source in the file speaks of this paper: by its title or, where it has none, its DOI."""
        if may_be_title(statement.title):
            return bool(title) and agree(statement.title, title)
        if statement.source == Source.INFO:
            return True
        doi = next(iter(find_dois(statement.doi)), "")
        return bool(doi) and letters(doi) in self.letters

    # authors

    def _authors(
        self, block: TitleBlock | None, believed: Sequence[EmbeddedStatement], citations: Sequence[Citation]
    ) -> ChosenValue[tuple[str, ...]] | None:
        printed = find_authors(self.rows, block) if block else PrintedNames((), is_plain=False)
        names = printed.names
        stated = [
            (statement.source, found) for statement in believed if (found := self._stated_names(statement.authors))
        ]
        cited = next((found for citation in citations if (found := cited_names(citation.before))), ())
        if cited and names:
            # editors may stand before the authors
            surnames = [letters(surname(name)) for name in cited]
            at = next((at for at, name in enumerate(names) if surnames[0] in letters(name)), 0)
            names = names[at:] if any(name in letters(" ".join(names)) for name in surnames) else ()
        for source, other in stated:
            is_longer = len(other) > len(names) and (
                not names or letters(surname(names[0])) in letters(" ".join(other))
            )
            if is_longer and (not cited or letters(surname(cited[0])) in letters(" ".join(other))):
                return ChosenValue(tuple(other), source, len(other) > 1)
        if names:
            known = [letters(surname(other)) for other in (*(other[0] for _, other in stated), *cited[:1])]
            is_confirmed = any(other in letters(" ".join(names)) for other in known)
            if printed.is_plain and not is_confirmed and len(names) == 1 and known:
                return None
            return ChosenValue(tuple(names), Source.FIRST_PAGE, is_confirmed or not (printed.is_plain or known))
        return ChosenValue(tuple(cited), Source.CITATION, False) if cited else None

    def _stated_names(self, values: Sequence[str]) -> tuple[str, ...]:
        """The names of an embedded source, if all are on the page."""
        names = stated_names(values)
        return names if complete(names, self.letters) else ()

    # year

    def _year(
        self, believed: Sequence[EmbeddedStatement], citations: Sequence[Citation], doi: ChosenValue[str] | None
    ) -> ChosenValue[int] | None:
        evidence: list[WeighedValue[int]] = []
        body = body_size(self.rows)
        evidence += stamped_years(line.text for lines in self.opening for line in lines)
        evidence += printed_years(self.rows, body)
        for index in range(self.first):
            evidence += (
                item._replace(source=Source.COVER, weight=_COVER_SHARE * item.weight)
                for item in printed_years(read_rows(self.pages[index]), body)
            )
        for rows in self.heads[:2]:
            evidence += (item for item in printed_years(rows, _ANY_SIZE) if item.source == Source.HEAD)
        for citation in citations:
            if year := cited_year(citation.before, citation.behind):
                evidence.append(WeighedValue(year, Source.CITATION, _YEAR_IN_BOX))
        for statement in believed:
            if statement.year:
                evidence.append(WeighedValue(statement.year, statement.source, _STATED_YEAR))
        if doi:
            evidence += years_in_doi(doi.value)
        if all(item.weight < _WEAK_YEAR for item in evidence):  # the date of the file is asked last
            evidence += (
                year for year in created_year(self.creation) if 0 <= year.value - self._latest_year() <= _CREATED_WITHIN
            )
        # the same words on many rows count once
        strongest: dict[tuple[int, Source], WeighedValue[int]] = {}
        for item in evidence:
            key = item.value, item.source
            if key not in strongest or item.weight > strongest[key].weight:
                strongest[key] = item
        accepted = [item.value for item in evidence if item.source == Source.HISTORY]
        least = min(accepted, default=0)
        return weigh(
            (item for item in strongest.values() if item.value >= least or item.source == Source.ARXIV),
            least=_LEAST_YEAR,
        )

    def _latest_year(self) -> int:
        """The latest year that the whole paper names often enough to be cited."""
        counts = Counter(year for lines in self.pages for line in lines for year in _YEAR.findall(line.text))
        return max((int(year) for year in counts), default=0)

    # DOI

    def _doi(self, believed: Sequence[EmbeddedStatement], citations: Sequence[Citation]) -> ChosenValue[str] | None:
        evidence: list[WeighedValue[str]] = []
        for index, lines in enumerate(self.opening):
            source = Source.COVER if index < self.first else Source.FIRST_PAGE
            factor = 1.0 if index <= self.first else _NEXT_PAGE_SHARE
            evidence += (
                WeighedValue(printed.doi, source, factor * _doi_weight(printed, self))
                for printed in printed_dois(lines)
            )
        heads: Counter[str] = Counter()
        for lines in self.edges:
            heads.update({printed.doi for printed in printed_dois(lines) if printed.is_own})
        evidence += (WeighedValue(doi, Source.HEAD, _DOI_IN_HEADS) for doi, count in heads.items() if count > 1)
        for citation in citations:
            evidence += (WeighedValue(doi, Source.CITATION, _DOI_IN_BOX) for doi in find_dois(citation.behind)[:1])
        for statement in believed:
            for doi in [*find_dois(statement.doi), *find_dois(statement.citation)][:1]:
                is_sure = may_be_title(statement.title)
                evidence.append(WeighedValue(doi, statement.source, _STATED_DOI if is_sure else _STATED_DOI_ALONE))
        dois = {item.value for item in evidence}
        return weigh((item._replace(value=whole(item.value, dois)) for item in evidence), least=_LEAST_DOI)

    # journal

    def _journal(
        self, believed: Sequence[EmbeddedStatement], citations: Sequence[Citation], title: str
    ) -> ChosenValue[str] | None:
        evidence: list[WeighedValue[str]] = []
        for statement in believed:
            if statement.journal and (name := tidy_journal(statement.journal)):
                evidence.append(WeighedValue(name, statement.source, _STATED_JOURNAL))
        for citation in citations:
            if name := cited_journal(citation.behind):
                evidence.append(WeighedValue(name, Source.CITATION, _JOURNAL_IN_BOX))
        evidence += self.journals
        return choose_journal(evidence, title)

    # licence

    def _licence(self, believed: Sequence[EmbeddedStatement]) -> ChosenValue[str] | None:
        found = [(find_licence(statement.rights), statement.source) for statement in believed if statement.rights]
        stated = [(licence, source) for licence, source in found if licence]
        printed = strictest(
            [licence for lines in self.pages if (licence := find_paper_licence(line.text for line in lines))]
        )
        everything = [*([printed] if printed else []), *(licence for licence, _ in stated)]
        if not everything:
            return None
        licence = strictest(everything)
        kinds = {re.sub(r"-\d.*", "", name) for name in everything}
        source = Source.FIRST_PAGE if licence == printed else next(source for name, source in stated if name == licence)
        return ChosenValue(licence, source, len(kinds) == 1)


def _doi_weight(printed: PrintedDoi, reader: _MetadataReader) -> float:
    if printed.is_other:
        return _OTHER_DOI
    return (_OWN_DOI if printed.is_own else _ANY_DOI) + (
        _LABELLED_DOI if printed.is_labelled and printed.is_own else 0.0
    )


def _edge_lines(lines: Sequence[TextLine]) -> list[TextLine]:
    """The lines in the first and last tenth of a page that white space sets apart from its text."""
    bottom = max((line.y1 for line in lines), default=0.0)
    ordered = sorted(lines, key=lambda line: line.y0)
    top = _set_apart([line for line in ordered if line.y0 < _NEAR_HEAD * bottom], 1)
    foot = _set_apart([line for line in reversed(ordered) if line.y0 > _NEAR_FOOT * bottom], -1)
    heads = [line for line in top if line.y0 < _HEAD_END * bottom]
    return heads + [line for line in foot[::-1] if line.y0 > _FOOT_START * bottom]


def _set_apart(lines: Sequence[TextLine], direction: int) -> list[TextLine]:
    """The lines before the first white space that is larger than between lines of a text, from the page's edge on."""
    for at, (line, following) in enumerate(pairwise(lines), start=1):
        if direction * (following.baseline - line.baseline) > _GAP * max(line.size, following.size):
            return list(lines[:at])
    return list(lines) if len(lines) < _MAX_HEAD_LINES else []
