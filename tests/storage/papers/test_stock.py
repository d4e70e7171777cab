"""The stock of papers: each count is the number of rows that its group lists."""

from dataclasses import replace
from pathlib import Path

from miner.errors import UnreadableFile
from miner.records import DropReason, FieldSource, Funnel, MinedPaper, Section, SectionKind, Strategy
from storage.pairs.filters import PairFilter
from storage.papers.stock import PaperGroup, PaperProperty
from storage.papers.table import PaperQuery
from storage.project import Project
from tests.storage.factories import as_many, mine, next_papers, pair, paper, pdf, start_run


def test_spellings_of_a_journal_are_counted_listed_and_filtered_as_one(project: Project) -> None:
    spellings = ("J. Exp. Bot.", "Journal of Experimental Botany", "J. Exp. Bot.", "Plant Cell", "")
    with project.transaction() as stores:
        for number, journal in enumerate(spellings):
            stores.papers.save(replace(paper(str(number)), journal=journal), pdf(str(number)))
    mine(project)
    with project.read_transaction() as stores:
        counts = stores.stock.counts_by(PaperProperty.JOURNAL)
        assert counts == {"J. Exp. Bot.": 3, "": 1, "Plant Cell": 1}
        for journal, number in counts.items():
            assert len(stores.paper_table.ids(PaperQuery(group=PaperGroup(PaperProperty.JOURNAL, journal)))) == number
        pairs = {one.value: one.pairs for one in stores.pair_table.facet_counts(PairFilter(), "journals")}
        assert pairs.keys() == counts.keys()
        for named in ("J. Exp. Bot.", "journal of experimental botany"):
            found = stores.pair_table.ids(PairFilter(journals=frozenset([named])))
            assert len(found) == pairs["J. Exp. Bot."] > pairs["Plant Cell"]


def test_papers_are_counted_by_what_they_are_and_by_why_they_have_no_pairs(project: Project) -> None:
    long = paper("long").sections[1].paragraphs[0]
    prose = (Section("Results", (long,) * 11),)  # of 22 sentences
    papers = [
        replace(paper("pairs"), journal="Reeds", sources=(FieldSource("year", "page 1", False),), language="en"),
        replace(paper("german", domain=""), language="de", year=None),
        replace(paper("french", domain=""), language="fr", licence="CC-BY-4.0"),
        replace(paper("abstract", domain="ecology"), sections=(Section("", (long,), SectionKind.ABSTRACT),)),
        paper("short"),
        replace(paper("plain"), sections=prose),
        replace(paper("trap"), sections=prose, year=2020),
    ]
    dropped = Funnel(
        {Strategy.LINKED: 3},
        {Strategy.LINKED: 0},
        {DropReason(Strategy.LINKED, "no_verb"): 1, DropReason(Strategy.LINKED, "after_break"): 2},
    )
    linked = Funnel({Strategy.LINKED: 1}, {Strategy.LINKED: 1})
    mined = {
        papers[0].md5: MinedPaper((pair(papers[0].md5, "A b.", "However, c."),), linked),
        papers[-1].md5: MinedPaper((), dropped),
    }
    with project.transaction() as stores:
        stores.files.save_failure(Path("/papers/scan.pdf"), UnreadableFile("scan", "No text layer."))
        for number, saved in enumerate(papers):
            stores.papers.save(saved, pdf(str(number)))
    run = start_run(project)
    for pending in next_papers(project, run):
        with project.transaction() as stores:
            stores.pairs.replace_for(pending, mined.get(pending.md5, MinedPaper((), Funnel())), as_many)
    with project.read_transaction() as stores:
        counts = stores.stock.counts()
        assert counts[PaperProperty.DOMAIN] == {"biology": 4, "": 2, "ecology": 1}
        assert list(counts[PaperProperty.YEAR].items()) == [("2020", 1), ("2019", 5), ("", 1)]
        assert counts[PaperProperty.LANGUAGE] == {"": 4, "de": 1, "en": 1, "fr": 1}
        assert counts[PaperProperty.LICENCE] == {"": 6, "CC-BY-4.0": 1}
        assert counts[PaperProperty.JOURNAL] == {"": 6, "Reeds": 1}
        assert counts[PaperProperty.TO_CHECK] == {"year": 1}
        assert counts[PaperProperty.FAILED] == {"scan": 1}
        assert counts[PaperProperty.NO_PAIRS] == {
            "other_language": 2, "after_break": 1, "no_phrase": 1, "only_abstract": 1, "too_short": 1,
        }  # fmt: skip
        for property, values in counts.items():
            for value, number in values.items():
                group = PaperGroup(property, value)
                assert len(stores.paper_table.ids(PaperQuery(group=group))) == number, group
        scans = PaperGroup(PaperProperty.FAILED, "scan")
        assert len(stores.paper_table.ids(PaperQuery(text="scan layer", group=scans))) == 1
        assert not stores.paper_table.ids(PaperQuery(failed_only=True, group=PaperGroup(PaperProperty.YEAR, "")))


def test_a_paper_that_is_not_mined_yet_has_no_reason_to_have_no_pairs(project: Project) -> None:
    with project.transaction() as stores:
        stores.papers.save(replace(paper("a"), language="de"), pdf("a"))
        assert stores.stock.counts_by(PaperProperty.NO_PAIRS) == {}
