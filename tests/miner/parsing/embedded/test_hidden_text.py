"""Text that nobody sees on a PDF's pages is no prose, and is counted; a scan's text layer is."""

from __future__ import annotations

import io
from collections.abc import Callable

import pytest
from PIL import Image
from pypdf import PdfReader, PdfWriter
from pypdf.generic import RectangleObject
from reportlab.lib.colors import Color, white
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from miner.errors import UnreadableFile
from miner.parsing.embedded import hidden_text, parse_pdf
from miner.parsing.embedded.pdfium import read_pages
from miner.parsing.pdf_documents import open_pdf
from miner.records import Paper
from tests.miner.parsing.pdf_factory import FERRY, HEIGHT, LEADING, LEFT, STORE, WIDTH

SECRET = "However, nobody at all shall ever see this secret sentence."
WORDS = len(SECRET.split())


def picture(shade: int) -> ImageReader:
    return ImageReader(Image.new("L", (8, 8), shade))


def write(canvas: Canvas, lines: list[str], y: float, **how: int) -> None:
    for number, line in enumerate(lines):
        text = canvas.beginText(LEFT, HEIGHT - y - number * LEADING)
        text.setFont("Times-Roman", 10)
        if "mode" in how:
            text.setTextRenderMode(how["mode"])
        text.textOut(line)
        canvas.drawText(text)


def paper(*draw: Callable[[Canvas], None]) -> Paper:
    """A page of visible prose, and on it what is drawn."""
    return parse_pdf(pdf(lambda canvas: write(canvas, [*FERRY, *STORE], 100), *draw))


def pdf(*draw: Callable[[Canvas], None]) -> bytes:
    file = io.BytesIO()
    canvas = Canvas(file, pagesize=(WIDTH, HEIGHT), invariant=1)
    for step in draw:
        canvas.saveState()
        step(canvas)
        canvas.restoreState()
    canvas.showPage()
    canvas.save()
    return file.getvalue()


def prose(found: Paper) -> str:
    return " ".join(paragraph.text for section in found.sections for paragraph in section.paragraphs)


def invisible_by_mode(canvas: Canvas) -> None:
    write(canvas, [SECRET], 300, mode=3)


def clear(canvas: Canvas) -> None:
    canvas.setFillColor(Color(0, 0, 0, alpha=0))
    write(canvas, [SECRET], 300)


def white_on_white(canvas: Canvas) -> None:
    canvas.setFillColor(white)
    write(canvas, [SECRET], 300)


def nearly_white(canvas: Canvas) -> None:
    canvas.setFillColorRGB(0.995, 0.995, 0.995)
    write(canvas, [SECRET], 300)


def off_the_page(canvas: Canvas) -> None:
    write(canvas, [SECRET], HEIGHT + 50)


def clipped(canvas: Canvas) -> None:
    path = canvas.beginPath()
    path.rect(LEFT, HEIGHT - 600, 300, 100)
    canvas.clipPath(path, stroke=0)
    write(canvas, [SECRET], 300)


def beside_a_narrow_clip(canvas: Canvas) -> None:
    """Within the box of the clip, but not within its corners."""
    path = canvas.beginPath()
    path.moveTo(LEFT - 10, HEIGHT - 350)
    for x, y in ((LEFT + 480, HEIGHT - 350), (LEFT + 480, HEIGHT - 250), (LEFT + 479, HEIGHT - 349)):
        path.lineTo(x, y)
    path.close()
    canvas.clipPath(path, stroke=0)
    write(canvas, [SECRET], 300)


def behind_a_picture(canvas: Canvas) -> None:
    write(canvas, [SECRET], 300)
    canvas.drawImage(picture(90), LEFT - 10, HEIGHT - 350, 400, 100)


def behind_a_box(canvas: Canvas) -> None:
    write(canvas, [SECRET], 300)
    canvas.setFillColor(white)
    canvas.rect(LEFT - 10, HEIGHT - 350, 400, 100, stroke=0, fill=1)


def in_a_form_behind_a_picture(canvas: Canvas) -> None:
    canvas.beginForm("hiding")
    behind_a_picture(canvas)
    canvas.endForm()
    canvas.translate(20, 10)
    canvas.doForm("hiding")


@pytest.mark.parametrize(
    "hide",
    [
        invisible_by_mode,
        clear,
        white_on_white,
        nearly_white,
        off_the_page,
        clipped,
        beside_a_narrow_clip,
        behind_a_picture,
        behind_a_box,
        in_a_form_behind_a_picture,
    ],
    ids=lambda hide: hide.__name__,
)
def test_what_nobody_sees_is_left_out_and_counted(hide: Callable[[Canvas], None]) -> None:
    found = paper(hide)
    assert "secret" not in prose(found)
    assert "nobody" not in prose(found)
    assert found.hidden_words == WORDS
    assert prose(found) == prose(paper())


def white_on_a_dark_box(canvas: Canvas) -> None:
    canvas.rect(LEFT - 10, HEIGHT - 350, 400, 100, stroke=0, fill=1)
    canvas.setFillColor(white)
    write(canvas, [SECRET], 300)


def white_on_a_dark_picture(canvas: Canvas) -> None:
    canvas.drawImage(picture(30), LEFT - 10, HEIGHT - 350, 400, 100)
    canvas.setFillColor(white)
    write(canvas, [SECRET], 300)


def on_a_white_box(canvas: Canvas) -> None:
    canvas.setFillColor(white)
    canvas.rect(LEFT - 10, HEIGHT - 350, 400, 100, stroke=0, fill=1)
    canvas.setFillColorRGB(0, 0, 0)
    write(canvas, [SECRET], 300)


def under_a_marker(canvas: Canvas) -> None:
    write(canvas, [SECRET], 300)
    canvas.setFillColor(Color(1, 1, 0, alpha=0.4))
    canvas.rect(LEFT - 10, HEIGHT - 350, 400, 100, stroke=0, fill=1)


def within_a_clip(canvas: Canvas) -> None:
    path = canvas.beginPath()
    path.rect(LEFT - 10, HEIGHT - 350, 400, 100)
    canvas.clipPath(path, stroke=0)
    write(canvas, [SECRET], 300)


def grey(canvas: Canvas) -> None:
    canvas.setFillColorRGB(0.8, 0.8, 0.8)
    write(canvas, [SECRET], 300)


@pytest.mark.parametrize(
    "show",
    [white_on_a_dark_box, white_on_a_dark_picture, on_a_white_box, under_a_marker, within_a_clip, grey],
    ids=lambda show: show.__name__,
)
def test_what_is_seen_stays(show: Callable[[Canvas], None]) -> None:
    found = paper(show)
    assert (found.hidden_words, "secret sentence" in prose(found)) == (0, True)


def test_a_page_is_not_drawn_for_a_clip_that_leaves_all_of_its_text(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        pytest.fail("the page is drawn")

    monkeypatch.setattr(hidden_text, "_draw", fail)
    assert "secret sentence" in prose(paper(within_a_clip))


@pytest.mark.parametrize("is_under", [False, True], ids=["mode 3 over the scan", "under the scan"])
def test_the_text_layer_of_a_scan_is_prose(is_under: bool) -> None:
    def text(canvas: Canvas) -> None:
        write(canvas, [*FERRY, *STORE], 100, mode=0 if is_under else 3)

    def scan(canvas: Canvas) -> None:
        canvas.drawImage(picture(240), 0, 0, WIDTH, HEIGHT)

    found = parse_pdf(pdf(text, scan) if is_under else pdf(scan, text))
    assert found.hidden_words == 0
    assert prose(found) == prose(paper())


def test_the_text_layer_of_letters_drawn_as_curves_is_prose() -> None:
    def curves(canvas: Canvas) -> None:
        for number in range(len(FERRY) + len(STORE)):
            for at in range(60):
                canvas.circle(LEFT + 4 * at + 2, HEIGHT - 100 - number * LEADING + 3, 1.5)

    found = parse_pdf(pdf(curves, lambda canvas: write(canvas, [*FERRY, *STORE], 100, mode=3)))
    assert found.hidden_words == 0
    assert prose(found) == prose(paper())


def test_a_paper_whose_text_is_all_hidden_is_told_from_a_scan() -> None:
    with pytest.raises(UnreadableFile, match="None of the text") as refused:
        parse_pdf(pdf(lambda canvas: write(canvas, [*FERRY, *STORE], 100, mode=3)))
    assert refused.value.code == "hidden_text"
    assert refused.value.hint


def test_hidden_words_within_a_line_leave_the_rest_of_it() -> None:
    def line(canvas: Canvas) -> None:
        text = canvas.beginText(LEFT, HEIGHT - 400)
        text.setFont("Times-Roman", 10)
        text.textOut("The lighthouse was painted red ")
        text.setTextRenderMode(3)
        text.textOut("ill ")
        text.setTextRenderMode(0)
        text.textOut("before the first snow fell.")
        canvas.drawText(text)

    found = paper(line)
    assert "The lighthouse was painted red before the first snow fell." in prose(found)
    assert found.hidden_words == 1


@pytest.mark.parametrize("turn", [90, 180, 270])
@pytest.mark.parametrize(
    ("draw", "words"), [(white_on_white, WORDS), (behind_a_picture, WORDS), (white_on_a_dark_box, 0)]
)
def test_on_a_turned_and_cropped_page_it_is_the_same(draw: Callable[[Canvas], None], words: int, turn: int) -> None:
    writer = PdfWriter(clone_from=PdfReader(io.BytesIO(pdf(lambda canvas: write(canvas, FERRY, 100), draw))))
    writer.pages[0].rotate(turn)
    writer.pages[0].cropbox = RectangleObject((30, 40, WIDTH, HEIGHT - 20))
    turned = io.BytesIO()
    writer.write(turned)
    with open_pdf(turned.getvalue()) as document:
        assert [page.hidden for page in read_pages(document)] == [words]
