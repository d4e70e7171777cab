"""Where a pair comes from is told whatever became of its paper, its place and its PDF."""

from __future__ import annotations

import os
import signal
import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import psutil
import pytest

from desktop.jobs.mining.run import NO_MODEL, mine
from desktop.jobs.papers.evidence import Evidence, SentenceRole, load_evidence
from desktop.jobs.papers.pdf_lookup import PdfState, save_pdf_location
from desktop.jobs.papers.pdfs import PageImage, PdfCache, render_page
from desktop.jobs.papers.sentence_locations import PdfLocations, find_in_file, find_in_pdf
from miner.errors import UnreadableFile, UserError
from miner.parsing.files import FileKind
from miner.parsing.pdf_pages import DrawnPage
from miner.processes.child import ProcessLimits
from miner.progress import Cancelled, Progress, Tick
from storage.project import Project
from tests.desktop.evidence_factory import FERRIES, OVERLEAF, add, copy_project, ferry_paper, keys, make_template
from tests.miner.parsing.pdf_factory import FERRY, LEFT, Sheet
from tests.sample_papers import SAMPLES
from tests.storage.factories import remove


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_template(tmp_path_factory.mktemp("ferries"))


@pytest.fixture
def pdf(template: Path, tmp_path: Path) -> Path:
    return copy_project(template, tmp_path / "given")[1]


@pytest.fixture
def project(pdf: Path) -> Iterator[Project]:
    with Project.open(pdf.parent.parent / "ferries.pairwright") as project:
        yield project


def evidence(project: Project, hypothesis: str = FERRIES) -> Evidence:
    key = next(key for text, key in keys(project).items() if text.startswith(hypothesis))
    found = load_evidence(project, key).work(Progress())
    assert found is not None
    return found


def locate(project: Project, hypothesis: str = FERRIES, *, changed: bool = False) -> PdfLocations:
    return find_in_pdf(project, PdfCache(), evidence(project, hypothesis), changed=changed).work(Progress())


# The paragraphs


def test_both_sentences_and_the_linking_phrase_are_marked_in_the_paragraph(project: Project) -> None:
    [passage] = evidence(project).passages
    premise, hypothesis = passage.marks
    assert passage.title == "1 Introduction"
    assert passage.text[premise.start : premise.end] == " ".join(FERRY[:3])
    assert passage.text[hypothesis.start : hypothesis.end] == FERRIES
    assert passage.text[hypothesis.start : hypothesis.phrase_end] == "However, "
    assert premise.phrase_end == premise.start


def test_sentences_of_two_paragraphs_come_with_both(project: Project) -> None:
    found = evidence(project, FERRY[0])  # a neutral pair
    assert [passage.title for passage in found.passages] == ["2 Boats", "1 Introduction"]
    assert [mark.role for passage in found.passages for mark in passage.marks] == [
        SentenceRole.PREMISE,
        SentenceRole.HYPOTHESIS,
    ]
    assert found.phrase_length == 0


@pytest.mark.parametrize("sentence", [30, -30])
def test_a_pair_that_moved_in_its_paper_is_found_by_its_text(project: Project, sentence: int) -> None:
    before = evidence(project)
    with project.transaction() as stores:
        stores._connection.exec_driver_sql(
            "UPDATE pairs SET current = 0, premise_section = 2, hypothesis_paragraph = 7"
        )
        stores._connection.exec_driver_sql(f"UPDATE pairs SET premise_sentence = {sentence}, hypothesis_sentence = 30")
    after = load_evidence(project, before.key).work(Progress())
    assert after is not None
    assert not after.current
    assert after.passages == before.passages


def test_a_sentence_that_is_not_in_the_paper_any_more_is_missing(project: Project) -> None:
    key = evidence(project).key
    with project.transaction() as stores:
        stores._connection.exec_driver_sql("UPDATE paragraphs SET text = replace(text, 'However', 'But')")
    found = load_evidence(project, key).work(Progress())
    assert found is not None
    assert found.missing == (SentenceRole.HYPOTHESIS,)
    assert [mark.role for passage in found.passages for mark in passage.marks] == [SentenceRole.PREMISE]


@pytest.mark.parametrize(
    "statement",
    ["UPDATE paragraphs SET sentences = '[[\"a\", 9]]'", "UPDATE pairs SET paper_id = 99"]
    + [f"UPDATE {table} = x'ff'" for table in ("paragraphs SET text", "pairs SET premise")],
)
def test_a_damaged_project_says_so(project: Project, statement: str) -> None:
    key = evidence(project).key
    with closing(sqlite3.connect(project.path)) as connection, connection:
        connection.execute(statement)
    with pytest.raises(UserError, match="is damaged"):
        load_evidence(project, key).work(Progress())


def test_a_pair_whose_paper_was_removed_is_gone(project: Project) -> None:
    found = evidence(project)
    with project.transaction() as stores:
        remove(stores, found.paper.md5)
    assert load_evidence(project, found.key).work(Progress()) is None


# The pages


def test_sentences_are_placed_on_their_lines(project: Project) -> None:
    locations = locate(project)
    assert locations.pdf.state is PdfState.READY
    assert locations.sizes == ((600, 800), (600, 800))
    premise, hypothesis = locations.boxes[SentenceRole.PREMISE], locations.boxes[SentenceRole.HYPOTHESIS]
    assert [len(premise), len(hypothesis)] == [3, 2]
    tops = [box.y0 for box in (*premise, *hypothesis)]
    assert tops == sorted(tops)
    assert {box.page for box in premise} == {1}
    [phrase] = locations.phrase_boxes
    assert phrase.x0 == pytest.approx(LEFT, abs=1)
    assert phrase.x1 < LEFT + 50
    assert phrase.y0 == pytest.approx(hypothesis[0].y0, abs=1)


def test_a_sentence_over_two_pages_is_marked_on_both(project: Project) -> None:
    locations = locate(project, OVERLEAF)
    assert {box.page for box in locations.boxes[SentenceRole.PREMISE]} == {1, 2}
    assert {box.page for box in locations.boxes[SentenceRole.HYPOTHESIS]} == {2}


def test_of_a_sentence_printed_twice_the_mined_one_is_marked(project: Project) -> None:
    found = evidence(project, "Therefore")  # its paragraph stands on both pages
    given = found.boxes[SentenceRole.HYPOTHESIS]
    locations = find_in_pdf(project, PdfCache(), found).work(Progress())
    assert {box.page for box in locations.boxes[SentenceRole.HYPOTHESIS]} == {box.page for box in given}


def test_without_boxes_the_text_is_found_on_any_page(project: Project) -> None:
    before = locate(project, OVERLEAF)
    with project.transaction() as stores:
        stores._connection.exec_driver_sql("UPDATE paragraphs SET spans = NULL")
        stores._connection.exec_driver_sql("UPDATE pairs SET page = NULL")
    assert locate(project, OVERLEAF).boxes == before.boxes


def test_where_the_text_is_not_found_the_parsers_boxes_stand_in(project: Project) -> None:
    found = evidence(project)
    strange = replace(
        found, sentences=dict.fromkeys(SentenceRole, "Zwölf Boxkämpfer jagen Viktor über den Sylter Deich.")
    )
    locations = find_in_pdf(project, PdfCache(), strange).work(Progress())
    assert locations.boxes == found.boxes
    assert locations.phrase_boxes == found.phrase_boxes
    exact = locate(project).phrase_boxes[0]
    assert locations.phrase_boxes[0].x0 <= exact.x0 + 1  # a guess covers rather too much
    assert locations.phrase_boxes[0].x1 >= exact.x1


def test_every_sentence_of_the_samples_is_placed_by_its_text(tmp_path: Path) -> None:
    with Project.create(tmp_path / "samples.pairwright") as project:
        add(project, SAMPLES / "coastal" / "wrack-lines.pdf", FileKind.PDF)
        mine(project, workers=1, model=NO_MODEL).work(Progress())
        cache = PdfCache()
        for key in keys(project).values():
            found = load_evidence(project, key).work(Progress())
            assert found is not None
            locations = find_in_pdf(project, cache, found).work(Progress())
            assert set(locations.boxes) == set(SentenceRole)
            assert bool(locations.phrase_boxes) == bool(found.phrase_length)


# What became of the PDF


def test_a_pdf_that_is_nowhere_has_moved(project: Project, pdf: Path) -> None:
    pdf.rename(pdf.with_name("another name.pdf"))
    locations = locate(project)
    assert locations.pdf.state is PdfState.MOVED
    assert locations.pdf.path == pdf
    assert locations.boxes == {}


def test_a_pdf_that_moved_beside_the_project_is_found_and_remembered(project: Project, pdf: Path) -> None:
    moved = project.path.parent / "elsewhere" / pdf.name
    moved.parent.mkdir()
    pdf.rename(moved)
    locations = locate(project)
    assert (locations.pdf.state, locations.pdf.path, locations.pdf.is_newly_found) == (PdfState.READY, moved, True)
    assert locations.boxes
    save_pdf_location(project, evidence(project).paper.md5, locations.pdf).work(Progress())
    assert not locate(project).pdf.is_newly_found


def test_a_namesake_with_other_content_is_not_taken_for_it(project: Project, pdf: Path) -> None:
    pdf.unlink()
    (project.path.parent / pdf.name).write_bytes(b"%PDF-1.4 another")
    assert locate(project).pdf.state is PdfState.MOVED


def test_a_changed_pdf_is_shown_when_that_is_wanted(project: Project, pdf: Path) -> None:
    pdf.write_bytes(ferry_paper() + b"\n% printed anew")
    assert locate(project).pdf.state is PdfState.CHANGED
    assert locate(project).boxes == {}
    locations = locate(project, changed=True)
    assert locations.pdf.state is PdfState.CHANGED
    assert set(locations.boxes) == set(SentenceRole)


def test_in_a_changed_pdf_the_parsers_boxes_do_not_count(project: Project, pdf: Path) -> None:
    sheet = Sheet()
    sheet.lines(LEFT, 100, ["Quite another paper, about the seagulls of the harbour."])
    pdf.write_bytes(sheet.bytes())
    locations = locate(project, changed=True)
    assert locations.sizes
    assert locations.boxes == {}


def test_a_pdf_that_was_damaged_says_so(project: Project, pdf: Path) -> None:
    pdf.write_bytes(b"%PDF-1.4 nothing more")
    locations = locate(project, changed=True)
    assert locations.pdf.state is PdfState.UNREADABLE
    assert "damaged" in locations.pdf.problem


@pytest.mark.usefixtures("ordinary_user")
def test_a_pdf_that_may_not_be_read_says_so(project: Project, pdf: Path) -> None:
    pdf.chmod(0)
    assert locate(project).pdf.state is PdfState.UNREADABLE


def test_the_right_file_is_taken_wherever_it_lies(project: Project, pdf: Path, tmp_path: Path) -> None:
    chosen = tmp_path / "chosen.pdf"
    pdf.rename(chosen)
    found = evidence(project)
    locations = find_in_file(PdfCache(), found, chosen).work(Progress())
    assert locations.boxes
    save_pdf_location(project, found.paper.md5, locations.pdf).work(Progress())
    assert locate(project).pdf.path == chosen


def test_another_file_is_refused(project: Project, tmp_path: Path) -> None:
    other = tmp_path / "other.pdf"
    other.write_bytes(ferry_paper() + b"\n")
    with pytest.raises(UserError, match=r"other\.pdf is not the PDF that was added"):
        find_in_file(PdfCache(), evidence(project), other).work(Progress())


def test_a_paper_that_came_as_text_takes_a_pdf_that_holds_its_sentences(project: Project, tmp_path: Path) -> None:
    with Project.create(tmp_path / "text.pairwright") as given:
        add(given, SAMPLES / "reading" / "whispering.tei.xml", FileKind.TEI)
        mine(given, workers=1, model=NO_MODEL).work(Progress())
        found = load_evidence(given, next(iter(keys(given).values()))).work(Progress())
        assert found is not None
        assert find_in_pdf(given, PdfCache(), found).work(Progress()).pdf.state is PdfState.NONE
        with pytest.raises(UserError, match="does not hold the two sentences"):
            find_in_file(PdfCache(), found, evidence(project).files[0].path).work(Progress())
        sheet = Sheet()
        words = " ".join(found.sentences.values()).split()
        sheet.lines(LEFT, 100, [" ".join(words[at : at + 9]) for at in range(0, len(words), 9)])
        chosen = tmp_path / "whispering.pdf"
        chosen.write_bytes(sheet.bytes())
        locations = find_in_file(PdfCache(), found, chosen).work(Progress())
        assert set(locations.boxes) == set(SentenceRole)
        save_pdf_location(given, found.paper.md5, locations.pdf).work(Progress())
        again = load_evidence(given, found.key).work(Progress())
        assert again is not None
        assert find_in_pdf(given, PdfCache(), again).work(Progress()).pdf.state is PdfState.READY


def test_a_file_that_did_not_change_is_hashed_once(pdf: Path) -> None:
    cache, before = PdfCache(), pdf.stat()
    hashes = cache.hashes(pdf)
    pdf.write_bytes(bytes(before.st_size))
    os.utime(pdf, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert cache.hashes(pdf) == hashes
    os.utime(pdf, ns=(before.st_atime_ns, before.st_mtime_ns + 1))
    assert cache.hashes(pdf) != hashes


# Drawing


def drawn(pdf: Path, page: int, scale: float) -> PageImage:
    return render_page(PdfCache(), pdf, page, scale).work(Progress())


def test_a_page_is_drawn_at_the_scale_asked_for(pdf: Path) -> None:
    picture = drawn(pdf, 2, 1.5)
    assert (picture.width, picture.height, picture.page) == (900, 1200, 2)
    assert len(picture.pixels) == picture.stride * picture.height
    blue = bytes(picture.pixels)[0::4]
    assert min(blue) < 100 < max(blue)  # ink on paper


def test_a_picture_stays_within_bounds(pdf: Path) -> None:
    picture = drawn(pdf, 1, 100.0)
    assert picture.width * picture.height < 17_000_000
    assert picture.scale == 100.0


def test_a_page_that_is_not_there_is_no_bug(pdf: Path) -> None:
    with pytest.raises(UnreadableFile, match="no page 3"):
        drawn(pdf, 3, 1.0)


def test_drawing_ends_when_it_is_cancelled(pdf: Path) -> None:
    progress = Progress()
    progress.cancel()
    with pytest.raises(Cancelled):
        render_page(PdfCache(), pdf, 1, 1.0).work(progress)


def test_a_page_that_takes_too_long_is_left_when_nobody_waits(pdf: Path) -> None:
    cache, progress = PdfCache(), Progress()
    pid = process_of(cache, pdf)
    os.kill(pid, signal.SIGSTOP)
    threading.Timer(0.2, progress.cancel).start()
    begin = time.monotonic()
    with pytest.raises(Cancelled):
        cache.open(pdf, progress).draw(1, 1.0)
    assert time.monotonic() - begin < 5
    assert not psutil.pid_exists(pid)
    assert render_page(cache, pdf, 1, 1.0).work(Progress()).width == 600


def test_a_pdf_that_ends_its_process_is_a_sentence_and_the_next_page_is_drawn(pdf: Path) -> None:
    cache = PdfCache()
    pid = process_of(cache, pdf)
    os.kill(pid, signal.SIGSTOP)  # so that the page is on its way

    def end() -> None:
        for number in (signal.SIGSEGV, signal.SIGCONT):
            os.kill(pid, number)

    threading.Timer(0.3, end).start()
    with pytest.raises(UnreadableFile, match=r"ferries\.pdf cannot be shown: it ends the process") as caught:
        render_page(cache, pdf, 1, 1.0).work(Progress())
    assert caught.value.code == "crash"
    assert render_page(cache, pdf, 1, 1.0).work(Progress()).width == 600


def test_a_process_that_ended_meanwhile_is_not_missed(pdf: Path) -> None:
    cache = PdfCache()
    process = psutil.Process(process_of(cache, pdf))
    process.kill()
    while process.is_running() and process.status() != psutil.STATUS_ZOMBIE:
        time.sleep(0.01)
    assert render_page(cache, pdf, 2, 1.0).work(Progress()).width == 600


def test_a_pdf_that_hangs_is_a_sentence(pdf: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("desktop.jobs.papers.pdfs.LIMITS", ProcessLimits(seconds=1))
    cache = PdfCache()
    os.kill(process_of(cache, pdf), signal.SIGSTOP)
    with pytest.raises(UnreadableFile, match=r"ferries\.pdf takes longer than 1 s"):
        render_page(cache, pdf, 1, 1.0).work(Progress())
    assert render_page(cache, pdf, 1, 1.0).work(Progress()).width == 600


def test_a_picture_that_its_process_misstates_is_not_shown(pdf: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cache = PdfCache()
    answer = DrawnPage(10_000, 10_000, 40_000, b"too few")
    monkeypatch.setattr(cache, "ask", lambda *_: answer)
    with pytest.raises(UnreadableFile, match="cannot be shown"):
        render_page(cache, pdf, 1, 1.0).work(Progress())


def process_of(cache: PdfCache, pdf: Path) -> int:
    """The process that draws the pages of a cache, once it has drawn one of this PDF."""
    before = {child.pid for child in psutil.Process().children(recursive=True)}
    render_page(cache, pdf, 1, 1.0).work(Progress())
    made = {child.pid for child in psutil.Process().children(recursive=True)} - before
    return max(made)  # a helper of multiprocessing may be started before it


def test_a_search_through_the_pages_can_be_cancelled(project: Project) -> None:
    def stop(tick: Tick) -> None:
        if tick.total == 2:  # pages
            progress.cancel()

    with project.transaction() as stores:
        stores._connection.exec_driver_sql("UPDATE paragraphs SET spans = NULL")
    progress = Progress(stop)
    found = evidence(project, OVERLEAF)
    with pytest.raises(Cancelled):
        find_in_pdf(project, PdfCache(), found).work(progress)


def test_marks_are_in_the_order_of_the_text(project: Project) -> None:
    for key in keys(project).values():
        found = load_evidence(project, key).work(Progress())
        assert found is not None
        for passage in found.passages:
            starts = [mark.start for mark in passage.marks]
            assert starts == sorted(starts)


def test_a_damaged_page_has_a_size_and_the_others_are_shown(pdf: Path) -> None:
    content = pdf.read_bytes()
    page = content.rindex(b"/MediaBox")
    start, end = content.rindex(b"<<", 0, page), content.index(b"endobj", page)
    pdf.write_bytes(content[:start] + b"null" + b" " * (end - start - 4) + content[end:])
    opened = PdfCache().open(pdf, Progress())
    assert opened.sizes() == ((600, 800), (595, 842))
    assert opened.draw(1, 1.0).width == 600
    assert opened.letters(2).folded == ""
    with pytest.raises(UnreadableFile, match="Page 2 of ferries\\.pdf is damaged"):
        opened.draw(2, 1.0)
