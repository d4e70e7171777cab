"""Small PDFs set line by line, so that a test says exactly what stands where."""

from __future__ import annotations

import io
from collections.abc import Iterable, Sequence

from reportlab.pdfgen.canvas import Canvas

WIDTH, HEIGHT = 600.0, 800.0
LEFT, RIGHT = 50.0, 310.0  # left edges of two columns
LEADING = 12.0

FERRY = [
    "The ferry crosses the sound four times every day of",
    "the week except on Sundays when the crew has a rest",
    "and the harbour lies still under the low grey cloud.",
    "However, it stays in harbour whenever the wind gets",
    "stronger than eighteen metres per second at the pier.",
]
STORE = [
    "Storms of that strength are common here in winter as",
    "the records of the harbour master show for each year.",
    "Therefore, the island keeps a store of flour and fuel",
    "from the start of October until the end of the month",
    "of March, when the weather usually turns for better.",
]
BOATS = [
    "Small boats are drawn up on the beach in autumn each",
    "year and are painted before they go out once again in",
    "spring. In contrast, the larger ones stay at the quay",
    "all the time, where their owners look after them when",
    "the nights are long and there is little else to do.",
]


class Sheet:
    """One PDF under way; y is measured from the top of the page."""

    def __init__(self, title: str = "", author: str = "") -> None:
        self._file = io.BytesIO()
        self._canvas = Canvas(self._file, pagesize=(WIDTH, HEIGHT), invariant=1)
        self._canvas.setTitle(title)
        self._canvas.setAuthor(author)

    def line(self, x: float, y: float, text: str, size: float = 10, font: str = "Times-Roman") -> float:
        """Writes one line; returns where it ends."""
        self._canvas.setFont(font, size)
        self._canvas.drawString(x, HEIGHT - y, text)
        return float(x + self._canvas.stringWidth(text, font, size))

    def lines(self, x: float, y: float, texts: Iterable[str], size: float = 10, font: str = "Times-Roman") -> float:
        """Writes lines one below the other; returns the y of the next."""
        for text in texts:
            self.line(x, y, text, size, font)
            y += LEADING * size / 10
        return y

    def heading(self, x: float, y: float, text: str, size: float = 12) -> float:
        self.line(x, y + 12, text, size, "Times-Bold")
        return y + 32

    def pieces(self, x: float, y: float, pieces: Sequence[tuple[str, float, float, str]]) -> None:
        """One line of several pieces: text, size, how much raised, font."""
        for text, size, raised, font in pieces:
            x = self.line(x, y - raised, text, size, font)

    def sideways(self, x: float, y: float, text: str, size: float = 10) -> None:
        self._canvas.saveState()
        self._canvas.translate(x, HEIGHT - y)
        self._canvas.rotate(90)
        self._canvas.setFont("Times-Roman", size)
        self._canvas.drawString(0, 0, text)
        self._canvas.restoreState()

    def picture(self, x: float, y: float, width: float, height: float) -> None:
        self._canvas.rect(x, HEIGHT - y - height, width, height, fill=1)

    def next_page(self) -> None:
        self._canvas.showPage()

    def bytes(self) -> bytes:
        self._canvas.showPage()
        self._canvas.save()
        return self._file.getvalue()


def prose(sheet: Sheet, x: float = LEFT, y: float = 100) -> float:
    """Two paragraphs, so that a page has a column and a body size."""
    y = sheet.lines(x, y, FERRY)
    return sheet.lines(x, y, STORE)


def two_column_paper() -> bytes:
    """Three pages with all that a paper has: heads, feet, a figure, a formula, foot notes, references, an appendix."""
    sheet = Sheet("Ferries and stores of a northern island", "Ann Tide and Bo Strand")
    for number in (1, 2, 3):
        sheet.line(LEFT, 30, f"A. Tide and B. Strand: Ferries and stores, page {number}", 9)
        sheet.line(300, 780, str(number), 9)
        if number == 1:
            sheet.line(150, 60, "Ferries and stores of a northern island", 17, "Times-Bold")
            sheet.line(220, 80, "Ann Tide and Bo Strand")
            sheet.line(LEFT, 92, "Journal of Sounds 2019, doi:10.1234/Sounds.55.", 8)
            y = sheet.heading(LEFT, 100, "Abstract")
            y = sheet.lines(LEFT, y, BOATS, 9)
            y = sheet.heading(LEFT, y, "1 Introduction")
            y = sheet.lines(LEFT, y, FERRY)
            sheet.lines(LEFT, y, STORE[:3])
            sheet.lines(LEFT, 740, ["1 The harbour was dredged for this purpose in the year before."], 7)
            sheet.picture(RIGHT, 100, 200, 90)
            sheet.lines(RIGHT, 210, ["Figure 1: The harbour in winter. However, no boats", "are to be seen on it."], 9)
            y = sheet.lines(RIGHT, 260, STORE[3:])
            y = sheet.heading(RIGHT, y, "2 Methods")
            sheet.lines(RIGHT, y, BOATS[:2])
        elif number == 2:
            y = sheet.lines(LEFT, 100, BOATS[2:])
            sheet.line(LEFT, y, "The load of a ferry is given by the simple relation")
            sheet.line(120, y + 24, "L = 3x + 4y - 12z        (1)")
            y = sheet.lines(LEFT, y + 48, ["where all the terms are known from earlier work here."])
            y = sheet.heading(LEFT, y, "Acknowledgements")
            y = sheet.lines(LEFT, y, ["We thank the crew of the ferry for their long patience."])
            y = sheet.heading(RIGHT, 88, "References")
            entries = [f"[{n}] A. Author, B. Writer. On harbours. J. Sea {n}, 2001." for n in range(1, 9)]
            sheet.lines(RIGHT, y, entries)
        else:
            y = sheet.heading(LEFT, 88, "Appendix A. More ferries")
            sheet.lines(LEFT, y, FERRY)
        if number < 3:
            sheet.next_page()
    return sheet.bytes()
