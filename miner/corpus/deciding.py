"""Decides between papers: which copy and which form of a paper counts, and which paper keeps shared pairs.

The rules are those of a project, except that nothing depends on the order in which papers came.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import groupby
from operator import attrgetter
from typing import Any, NamedTuple, cast

from miner.corpus.mapping import Values, funnel_values
from miner.mining.neutral_quota import max_neutrals
from miner.mining.settings import MiningSettings
from miner.mining.settling import without_duplicates, without_surplus
from miner.parsing.formats import IMPORT_ORDER, FileKind
from miner.parsing.parse_ranks import is_better
from miner.records import Funnel, Label, Paper
from miner.references.same_paper import XML_PARSER, KnownPaper, PaperIndex

MERGED_COLUMNS = ("kind", "sha256", "pages", "domain", "licence")
"""The columns that one copy, or form, may have from another."""


class MappedCopy(NamedTuple):
    """A paper as one part has it: some columns of the table `papers`."""

    md5: str
    part: str
    item: int
    digest: str
    parser: str
    parser_version: str
    splitter: str
    kind: str
    sha256: str
    pages: int | None
    domain: str
    licence: str


class PaperForm(NamedTuple):
    """A paper that may be another form of a paper in its group."""

    group: int
    md5: str
    kind: str
    parser: str
    title: str
    authors: Sequence[str]
    year: int | None
    doi: str | None
    characters: int
    digest: str
    sha256: str
    pages: int | None
    domain: str
    licence: str


class SharedPair(NamedTuple):
    """A pair of a paper that shares pairs. text: the number of its two sentences; 0 if no other pair has them."""

    md5: str
    ordinal: int
    key: str
    strategy: str
    distant_label: str | None
    text: int


class SettledPaper(NamedTuple):
    """kept: the ordinals of the pairs that the paper keeps, in their new order. funnel: the changes of its counts."""

    md5: str
    kept: list[int]
    funnel: list[Values]


def merged_copies(copies: Iterable[Sequence[Any]]) -> Iterator[tuple[MappedCopy, list[MappedCopy], Values]]:
    """For each paper: the copy that counts, its other copies, and the merged columns. Copies of a paper come in a row.

    copies: rows with the fields of `MappedCopy`. As in a project, the text is that of the better parse, hash and pages
    are those of the PDF if there is one, and of several domains the first by name counts.
    """
    for _, group in groupby(map(MappedCopy._make, copies), key=attrgetter("md5")):
        found = sorted(group, key=attrgetter("digest", "sha256", "part", "item"))
        best = found[0]
        for copy in found:
            if is_better(cast(Paper, copy), copy.digest, best):
                best = copy
        pdf = next((copy for copy in found if copy.kind == FileKind.PDF), best)
        licences = [copy.licence for copy in (best, *reversed(found)) if copy.licence]
        merged = {
            "kind": pdf.kind,
            "sha256": pdf.sha256,
            "pages": pdf.pages,
            "domain": min((copy.domain for copy in found if copy.domain), default=""),
            "licence": licences[0] if licences else "",
        }
        yield best, [copy for copy in found if copy is not best], merged


def joined_forms(
    forms: Iterable[PaperForm], texts: Callable[[str], Sequence[str]]
) -> Iterator[tuple[list[PaperForm], Values]]:
    """The forms of each paper in a group, the kept form first, and its merged columns.

    The rule is that of a project to which publishers' XML is added first, the longest first of all, so that the other
    forms are linked to it; then TEI, then PDFs, each by MD5. texts: the paragraphs of a paper, by MD5.
    """
    index, joined = PaperIndex([]), dict[str, list[PaperForm]]()
    for form in _as_added(forms):
        known = KnownPaper(form.md5, form.kind, form.parser, form.title, tuple(form.authors), form.year, form.doi)
        kept = index.find_form(known, partial(texts, form.md5), texts)
        if kept is None:
            index.put(known)
        else:
            index.link(kept, FileKind(form.kind))
        joined.setdefault(kept or form.md5, []).append(form)
    for found in joined.values():
        if len(found) > 1:
            pdf = next((form for form in found if form.kind == FileKind.PDF), found[0])
            yield (
                found,
                {
                    "kind": pdf.kind,
                    "sha256": pdf.sha256,
                    "pages": pdf.pages,
                    "domain": min((form.domain for form in found if form.domain), default=""),
                    "licence": next((form.licence for form in found if form.licence), ""),
                },
            )


def _as_added(forms: Iterable[PaperForm]) -> list[PaperForm]:
    given = sorted(forms, key=lambda form: (IMPORT_ORDER.index(FileKind(form.kind)), form.md5))
    xml = sorted((form for form in given if form.parser == XML_PARSER), key=lambda form: form.sha256)
    xml.sort(key=lambda form: (form.characters, form.digest), reverse=True)
    return [*xml, *(form for form in given if form.parser != XML_PARSER)]


def settle_papers(pairs: Iterable[SharedPair], texts: int, settings: MiningSettings) -> Iterator[SettledPaper]:
    """The pairs that papers keep, given all pairs of each paper that shares a pair, by MD5 and ordinal.

    texts: the greatest number of a text.
    """
    taken = bytearray(texts + 1)  # by text: whether an earlier paper, or pair, has it

    def is_new(row: Mapping[str, Any]) -> bool:
        if not row["text"]:
            return True
        is_first = not taken[row["text"]]
        taken[row["text"]] = 1
        return is_first

    def quota(linked: Mapping[Label, int]) -> int:
        return max_neutrals(sum(linked.values()), settings)

    no_duplicates = "duplicate" in settings.filters
    for md5, group in groupby(pairs, key=attrgetter("md5")):
        rows: list[dict[str, Any]] = [pair._asdict() for pair in group]
        changes: list[Values] = []
        if no_duplicates:
            rows, _, funnel = without_duplicates(rows, (), Funnel(), is_new)
            changes += funnel_values(funnel)
        kept, funnel = without_surplus(rows, (), (), Funnel(), quota)
        changes += funnel_values(funnel)
        if no_duplicates:  # what gave way to the quota is no earlier pair to others
            staying = {row["key"] for row in kept}
            for row in rows:
                if row["key"] not in staying:
                    taken[row["text"]] = 0
        yield SettledPaper(md5, [row["ordinal"] for row in kept], changes)
