"""Papers that an earlier version parsed: nothing happens to them unasked, and answers outlast another parse."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop.jobs.mining.run import NO_MODEL, load_mining_state, mine
from desktop.jobs.papers.import_session import ImportOptions
from desktop.jobs.papers.imports import import_papers
from desktop.jobs.papers.outdated import COMMAND_LINE, OutdatedPapers, close_offer, count_outdated, is_outdated
from desktop.jobs.papers.reparsing import parse_again, parse_outdated
from miner.mining.settings import MiningSettings
from miner.parsing.files import hash_content
from miner.progress import Cancelled, Progress
from miner.records import Pair
from miner.versions import EMBEDDED_VERSION, JSON_LINES_VERSION, RULES_VERSION, SPLITTER_VERSION, TEI_VERSION
from storage.pairs.filters import PairFilter, PairStatus
from storage.papers.store import StoredParse
from storage.project import Project
from tests.old_project import FILES, RUNNING_HEAD, make_old_project
from tests.sample_papers import SAMPLES
from tests.storage.factories import remove

ONE = ImportOptions(workers=1)
GONE = PairFilter(statuses=frozenset({PairStatus.GONE}))


@pytest.fixture
def old(tmp_path: Path) -> Iterator[Project]:
    make_old_project(tmp_path / "old.pairwright", tmp_path / "papers")
    with Project.open(tmp_path / "old.pairwright") as project:
        yield project


def outdated(project: Project, place: str = "window") -> OutdatedPapers:
    with project.read_transaction() as stores:
        return count_outdated(stores, place)


def parses(project: Project) -> dict[StoredParse, int]:
    with project.read_transaction() as stores:
        return stores.papers.parses()


def pairs(project: Project) -> list[Pair]:
    with project.read_transaction() as stores:
        return [pair for md5 in stores.papers.md5s() for pair in stores.pairs.of_paper(md5)]


def answers(project: Project) -> dict[str, str]:
    """The answers of Anna, by key of the pair, whether or not it is mined now."""
    with project.read_transaction() as stores:
        keys = stores._connection.exec_driver_sql("SELECT DISTINCT pair_key FROM label_events").scalars().all()
        return {key: stores.answers.of_pair(key)["anna"].value for key in keys}


def test_the_old_project_is_what_its_versions_say(old: Project) -> None:
    parsers = {(made_by.parser, made_by.version.partition(",")[0], made_by.splitter[:2]) for made_by in parses(old)}
    assert parsers == {("embedded", "2", "1 "), ("structured", "1", "1 "), ("grobid", "unknown", "1 ")}
    assert int(EMBEDDED_VERSION) > 2
    assert min(map(int, (SPLITTER_VERSION, RULES_VERSION, JSON_LINES_VERSION))) > 1


def test_an_old_project_is_neither_parsed_nor_mined_unasked(old: Project) -> None:
    before = parses(old), pairs(old), answers(old)
    assert outdated(old) == OutdatedPapers(papers=4, is_offered=True, has_older_rules=True)
    state = load_mining_state(old).work(Progress())
    assert (state.pending, state.has_older_rules) == (0, True)
    assert not state.has_mined(MiningSettings()), "it can be mined again"
    with old.read_transaction() as stores:
        assert stores.paper_table.totals().unmined == 0
    import_papers(old, [SAMPLES / "coastal" / "permeable-groynes.pdf"], ONE).work(Progress())
    now = parses(old)
    assert {made_by: now[made_by] for made_by in before[0]} == before[0], "another paper was added, and no more"
    assert (pairs(old), answers(old)) == before[1:]


def test_papers_that_are_added_again_stay_as_they_are(old: Project, tmp_path: Path) -> None:
    before = parses(old), pairs(old)
    again = import_papers(old, [tmp_path / "papers"], ONE).work(Progress())
    assert (again.known, again.new, again.replaced, again.failed) == (4, 0, 0, [])
    assert (parses(old), pairs(old)) == before
    with old.read_transaction() as stores:
        ids = stores.papers.ids_of_parses(list(before[0]))
    reparsed = parse_again(old, ids, ONE).work(Progress())
    assert (reparsed.replaced, reparsed.failed) == (2, []), "who asks for papers by name gets both PDFs parsed"


def test_answers_outlast_another_parse(old: Project) -> None:
    before, given = {pair.key: pair for pair in pairs(old)}, answers(old)
    broken = [key for key in given if RUNNING_HEAD in before[key].hypothesis]
    assert (len(given), len(broken)) == (28, 1)
    parsed = parse_outdated(old, ONE).work(Progress())
    assert (parsed.new, parsed.failed) == (0, [])
    assert parsed.replaced >= 3
    mine(old, workers=1, model=NO_MODEL).work(Progress())
    assert answers(old) == given, "whether or not their pairs are mined now"
    now = {pair.key: pair for pair in pairs(old)}
    kept = given.keys() & now.keys()
    assert len(kept) >= 20
    with old.read_transaction() as stores:
        for key in given:
            [line] = stores.pair_table.rows(stores.pair_table.ids_of([key]))
            assert (line.gold, line.status) == (given[key], PairStatus.SETTLED if key in kept else PairStatus.GONE)
        gone = stores.pair_table.rows(stores.pair_table.ids(GONE))
    assert {line.key for line in gone} == given.keys() - kept
    assert set(broken) <= given.keys() - kept, "its sentence is another one now"
    for key in kept:
        texts = before[key].premise, before[key].hypothesis_original
        assert (now[key].premise, now[key].hypothesis_original) == texts
    mended = before[broken[0]].hypothesis_original.replace(f" {RUNNING_HEAD}", "")
    assert mended in [pair.hypothesis_original for pair in now.values()]
    assert not any(RUNNING_HEAD in pair.premise + pair.hypothesis for pair in now.values())


def test_the_stored_papers_say_what_made_them_now(old: Project) -> None:
    parse_outdated(old, ONE).work(Progress())
    for made_by in parses(old):
        assert made_by.splitter.startswith(f"{SPLITTER_VERSION} ")
        assert made_by.version in (EMBEDDED_VERSION, JSON_LINES_VERSION, f"unknown, reader {TEI_VERSION}")
        assert not is_outdated(made_by)
    mine(old, workers=1, model=NO_MODEL).work(Progress())
    assert outdated(old) == OutdatedPapers()
    with old.read_transaction() as stores:
        run = stores.mining_runs.current()
        assert run is not None
        assert run.rules_version == RULES_VERSION


def test_the_offer_is_made_once_by_window_and_command_line_each(old: Project) -> None:
    close_offer(old).work(Progress())
    assert (outdated(old).papers, outdated(old).is_offered) == (4, False)
    assert outdated(old, COMMAND_LINE).is_offered
    close_offer(old, COMMAND_LINE).work(Progress())
    assert not outdated(old, COMMAND_LINE).is_offered
    assert parse_outdated(old, ONE).work(Progress()).replaced >= 3, "it can still be asked for"


def test_papers_without_their_files_keep_their_text_and_are_not_offered_again(old: Project, tmp_path: Path) -> None:
    for name in FILES:
        (tmp_path / "papers" / Path(name).name).unlink()
    given = answers(old)
    parsed = parse_outdated(old, ONE).work(Progress())
    assert sorted(problem.path.name for problem in parsed.failed) == [
        "late-mowing.jsonl",
        "seedlings-in-gaps.pdf",
        "whispering.tei.xml",
        "wrack-lines.pdf",
    ]
    assert {made_by.splitter[:2] for made_by in parses(old)} == {f"{SPLITTER_VERSION} "}, "their text is split"
    assert (outdated(old).papers, outdated(old).is_offered) == (4, False)
    mine(old, workers=1, model=NO_MODEL).work(Progress())
    assert answers(old) == given
    assert any(RUNNING_HEAD in pair.hypothesis for pair in pairs(old))


def test_a_cancelled_one_is_offered_again_for_the_rest(old: Project) -> None:
    progress = Progress(lambda tick: progress.cancel() if tick.done else None)
    with pytest.raises(Cancelled):
        parse_outdated(old, ONE).work(progress)
    assert 0 < outdated(old).papers < 4
    assert outdated(old).is_offered


def test_a_removed_paper_does_not_come_back(old: Project) -> None:
    with old.transaction() as stores:
        [md5] = [one.md5 for one in stores.papers.summaries() if one.parser == "structured"]
        remove(stores, md5)
    assert outdated(old).papers == 3
    parse_outdated(old, ONE).work(Progress())
    with old.read_transaction() as stores:
        assert md5 not in stores.papers.md5s()


def read_by_an_earlier_version(project: Project) -> None:
    """Make all papers of GROBID ones that reader 0 has read."""
    with project.transaction() as stores:
        older = "UPDATE papers SET parser_version = 'unknown, reader 0', digest = 'older' WHERE parser = 'grobid'"
        stores._connection.exec_driver_sql(older)


def test_papers_by_an_earlier_reader_of_tei_are_offered_once_and_read_from_what_is_kept(tmp_path: Path) -> None:
    tei = tmp_path / "whispering.tei.xml"
    tei.write_bytes((SAMPLES / "reading" / tei.name).read_bytes())
    with Project.create(tmp_path / "p.pairwright") as project:
        import_papers(project, [tei, SAMPLES / "reading" / "line-length.pdf"], ONE).work(Progress())
        with project.read_transaction() as stores:
            before = [stores.papers.get(md5) for md5 in stores.papers.md5s()]
        assert outdated(project) == OutdatedPapers()
        read_by_an_earlier_version(project)
        assert outdated(project) == OutdatedPapers(papers=1, is_offered=True)
        assert import_papers(project, [tei], ONE).work(Progress()).known == 1, "nothing is read again unasked"
        tei.unlink()
        parsed = parse_outdated(project, ONE).work(Progress())
        assert (parsed.replaced, parsed.new, parsed.failed) == (1, 0, [])
        assert outdated(project) == OutdatedPapers()
        with project.read_transaction() as stores:
            assert [stores.papers.get(md5) for md5 in stores.papers.md5s()] == before
        read_by_an_earlier_version(project)
        assert outdated(project) == OutdatedPapers(papers=1, is_offered=False), "it was offered for this version"


def test_a_compressed_tei_that_is_not_kept_is_read_from_its_file(tmp_path: Path) -> None:
    tei = tmp_path / "whispering.tei.xml.gz"
    tei.write_bytes(gzip.compress((SAMPLES / "reading" / "whispering.tei.xml").read_bytes()))
    with Project.create(tmp_path / "p.pairwright") as project:
        import_papers(project, [tei], ONE).work(Progress())
        read_by_an_earlier_version(project)
        with project.transaction() as stores:
            stores._connection.exec_driver_sql("DELETE FROM parser_outputs")
        assert parse_outdated(project, ONE).work(Progress()).replaced == 1
        read_by_an_earlier_version(project)
        tei.write_bytes(gzip.compress(b"<TEI>another</TEI>"))
        with project.transaction() as stores:
            stores._connection.exec_driver_sql("DELETE FROM parser_outputs")
        [problem] = parse_outdated(project, ONE).work(Progress()).failed
        assert problem.code == "missing"
        assert outdated(project).papers == 1, "its text stays as it was"


def test_a_pdf_that_grobid_parsed_stays_grobids(tmp_path: Path) -> None:
    pdf, tei = SAMPLES / "reading" / "line-length.pdf", tmp_path / "line-length.tei.xml"
    md5 = hash_content(pdf.read_bytes()).md5
    text = (SAMPLES / "reading" / "whispering.tei.xml").read_text()
    tei.write_text(
        text.replace("</biblStruct></sourceDesc>", f'<idno type="MD5">{md5}</idno></biblStruct></sourceDesc>')
    )
    with Project.create(tmp_path / "p.pairwright") as project:
        import_papers(project, [tei], ONE).work(Progress())
        import_papers(project, [pdf], ONE).work(Progress())
        read_by_an_earlier_version(project)
        assert outdated(project).papers == 1
        assert parse_outdated(project, ONE).work(Progress()).replaced == 1
        assert [made_by.parser for made_by in parses(project)] == ["grobid"]
        assert outdated(project).papers == 0


def test_what_a_later_version_made_is_not_outdated() -> None:
    for made_by, older in (
        (StoredParse("embedded", EMBEDDED_VERSION, f"{SPLITTER_VERSION} ab"), False),
        (StoredParse("embedded", "9999", "9999 ab"), False),
        (StoredParse("embedded", "1", "9999 ab"), True),
        (StoredParse("embedded", "9999", "1 ab"), True),
        (StoredParse("grobid", "0.1, reader 0", "9999 ab"), True),
        (StoredParse("grobid", f"0.1, reader {TEI_VERSION}", "9999 ab"), False),
        (StoredParse("grobid", "0.1, reader 9999", "9999 ab"), False),
        (StoredParse("grobid", "0.1", "9999 ab"), False),
        (StoredParse("import", "", ""), False),
        (StoredParse("embedded", "x" * 99, "9" * 9999), False),
    ):
        assert is_outdated(made_by) is older
