"""Which entry is about which paper, and which matches are left to people."""

from __future__ import annotations

from pathlib import Path

import pytest

from miner.references.matching import MatchedBy, MatchedPaper, match_references
from miner.references.proposals import FIELDS, DescribedPaper, ProposalKind, propose
from miner.references.reference import Reference

TITLE = "The influence of wind and rain on the slopes of dunes"
FOLDER = Path("/zotero")


def result(paper: MatchedPaper, *entries: Reference) -> tuple[MatchedBy, int] | str | None:
    """How the paper was matched, and with which entry; the reason of a doubt; None."""
    found = match_references([paper], entries, FOLDER)
    if found.matches:
        return found.matches[0].by, found.matches[0].entry
    return found.doubts[0].reason if found.doubts else None


def paper(title: str = "", **more: object) -> MatchedPaper:
    return MatchedPaper("0" * 32, title, **more)  # type: ignore[arg-type]  # of whatever field


@pytest.mark.parametrize(
    ("link", "path", "is_matched"),
    [
        ("files/12/main.pdf", "/zotero/files/12/main.pdf", True),
        ("files/12/main.pdf", "/elsewhere/files/12/main.pdf", False),
        ("/papers/main.pdf", "/papers/main.pdf", True),
        (r"C:\Zotero\Müller - 2019 - Wind and sand.pdf", "/home/me/Müller - 2019 - wind and sand.pdf", True),
        ("../main.pdf", "/main.pdf", False),
        ("../../etc/passwd", "/etc/passwd", False),
        ("files/12/main.pdf", "/zotero/files/13/main.pdf", False),
    ],
)
def test_a_file_link_matches_its_path_or_a_name_that_says_which_paper(link: str, path: str, is_matched: bool) -> None:
    found = result(paper("Other title", files=(path,)), Reference(1, title=TITLE, files=(link,)))
    assert (found == (MatchedBy.FILE, 0)) == is_matched
    if not is_matched:
        assert isinstance(found, str)


def test_a_doi_and_a_title_match_unless_something_contradicts_them() -> None:
    entry = Reference(1, title=TITLE, authors=("Ada Lovelace",), year=2019, doi="10.1234/a")
    assert result(paper(doi="https://doi.org/10.1234/A"), entry) == (MatchedBy.DOI, 0)
    assert result(paper("Quite another paper about cats and dogs", doi="10.1234/a"), entry) == (
        "the reference has its DOI, but another title"
    )
    assert result(paper(TITLE.upper() + "."), entry) == (MatchedBy.TITLE, 0)
    assert "other authors" in str(result(paper(TITLE, authors=("B. Byron",)), entry))
    assert "another DOI" in str(result(paper(TITLE, doi="10.1234/b"), entry))
    assert result(paper("Editorial"), Reference(1, title="Editorial")) == "a reference has its title, which is short"
    assert result(paper("Editorial", year=2019), Reference(1, title="Editorial", year=2019)) == (MatchedBy.TITLE, 0)
    assert result(paper("Something else entirely, of many words"), entry) is None


def test_a_similar_title_needs_author_and_year_and_another_word_is_left_to_people() -> None:
    known = {"authors": ("A. Lovelace",), "year": 2019}
    entry = Reference(1, title=TITLE + ": a review", authors=("Ada Lovelace",), year=2019)
    assert result(paper(TITLE, **known), entry) == (MatchedBy.TITLE, 0)
    assert result(paper(TITLE), entry) == "a reference has a similar title"
    lost = paper("The in uence of wind and rain on the slopes of dunes: a review", year=2019)
    assert result(lost, entry) == (MatchedBy.TITLE, 0)
    other = paper(TITLE.replace("rain", "rains") + ": a review", **known)
    assert result(other, entry) == "a reference has a similar title"
    assert result(paper(TITLE, **known), Reference(1, title=TITLE + ", part 2", year=2019)) is None


def test_one_entry_is_about_one_paper_or_copies_with_its_doi() -> None:
    entry = Reference(1, title=TITLE, doi="10.1234/a", files=("files/1/x.pdf",))
    first, second = MatchedPaper("1" * 32, TITLE), MatchedPaper("2" * 32, TITLE)
    assert len(match_references([first, second], [entry]).doubts) == 2
    copies = [first._replace(doi="10.1234/a"), second._replace(doi="10.1234/a")]
    assert len(match_references(copies, [entry]).matches) == 2
    linked = [first._replace(files=("/zotero/files/1/x.pdf",)), second]
    found = match_references(linked, [entry], FOLDER)
    assert [match.md5 for match in found.matches] == [first.md5]
    assert [doubt.md5 for doubt in found.doubts] == [second.md5]
    twice = [entry, Reference(9, title=TITLE, doi="10.1234/a")]
    assert result(paper(doi="10.1234/a"), *twice) == (MatchedBy.DOI, 0)
    twice[1] = Reference(9, title="Another chapter of the same book", doi="10.1234/a")
    assert result(paper(doi="10.1234/a"), *twice) == "several references have its DOI"


def test_what_is_empty_or_unsure_is_filled_and_what_a_person_set_or_is_sure_is_a_conflict() -> None:
    values = dict.fromkeys(FIELDS) | {
        "title": "On sand",
        "authors": ("A. Lovelace",),
        "year": 2018,
        "journal": "J. Sand",
    }
    described = DescribedPaper("1", values, frozenset({"title", "authors"}), frozenset({"doi"}))
    entry = Reference(
        1,
        title="On Wind",
        authors=("Ada Lovelace",),
        year=2019,
        doi="10.1234/a",
        journal="Journal of Sand",
        keywords=("sand",),
    )
    found = {one.field: (one.kind, one.new) for one in propose(described, entry)}
    assert found == {
        "title": (ProposalKind.FILL, "On Wind"),
        "authors": (ProposalKind.CONFIRM, ("A. Lovelace",)),
        "year": (ProposalKind.CONFLICT, 2019),
        "doi": (ProposalKind.CONFLICT, "10.1234/a"),
        "keywords": (ProposalKind.FILL, ("sand",)),
    }
