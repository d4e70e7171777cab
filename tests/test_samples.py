"""The bundled sample papers: ours, small, rich in what Pairwright looks for, and made from the text beside them."""

import re
import subprocess
import sys
from pathlib import Path

import pypdfium2 as pdfium
import pytest

from miner.parsing.embedded import parse_pdf
from miner.parsing.text import tidy
from tests.sample_papers import SAMPLES

ROOT = Path(__file__).parents[1]
WRITTEN = ROOT / "packaging" / "samples" / "text"
TEXTS = sorted(WRITTEN.glob("*.txt"))
PAPERS = sorted(path for path in SAMPLES.glob("*/*.*") if path.suffix in (".pdf", ".xml", ".jsonl"))
PHRASES = re.split(
    " / ",
    "However / On the other hand / In contrast / On the contrary / Therefore / Thus / Consequently / As a result / "
    "As a consequence / From here, we can infer / Specifically / Precisely / In particular / Particularly / That is / "
    "In other words",
)
TRAPS = ("In contrast to", "As a result of", "Thus far", "That is why", "However small")


def page_texts(path: Path) -> list[str]:
    document = pdfium.PdfDocument(path)
    try:
        return [page.get_textpage().get_text_range() for page in document]
    finally:
        document.close()


def test_every_text_has_its_paper() -> None:
    assert [path.name.split(".")[0] for path in sorted(PAPERS, key=lambda path: path.name)] == [t.stem for t in TEXTS]
    assert {path.suffix for path in PAPERS} == {".pdf", ".xml", ".jsonl"}


def test_papers_are_what_their_text_makes(tmp_path: Path) -> None:
    script = ROOT / "packaging" / "make_samples.py"
    subprocess.run([sys.executable, script, tmp_path], check=True, stdout=subprocess.PIPE)
    for path in PAPERS:
        made = tmp_path / path.relative_to(SAMPLES)
        if path.suffix == ".pdf":  # the bytes depend on the compression library; the pages do not
            assert page_texts(made) == page_texts(path), path.name
        else:
            assert made.read_bytes() == path.read_bytes(), path.name


@pytest.mark.parametrize("path", PAPERS, ids=lambda path: path.name)
def test_papers_are_small(path: Path) -> None:
    assert 5_000 < path.stat().st_size < 80_000


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.stem)
def test_papers_say_that_they_are_fiction(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert re.search(r"^doi: 10\.5555/pairwright\.", text, re.MULTILINE)
    assert "fictional" in text.lower()


@pytest.mark.parametrize("words", [*PHRASES, *TRAPS])
def test_phrase_or_trap_opens_a_sentence_of_several_papers(words: str) -> None:
    opening = re.compile(rf"(^|[.?!:] |\^ ){re.escape(words)}\b", re.MULTILINE)
    assert sum(bool(opening.search(path.read_text(encoding="utf-8"))) for path in TEXTS) >= 3


def test_embedded_parser_gives_back_the_paragraphs_that_were_written() -> None:
    written, found = 0, 0
    for path in (path for path in PAPERS if path.suffix == ".pdf"):
        sections = parse_pdf(path.read_bytes()).sections
        read = {tidy(paragraph.text) for section in sections for paragraph in section.paragraphs}
        for block in (WRITTEN / f"{path.stem}.txt").read_text(encoding="utf-8").split("\n===\n")[1].split("\n\n"):
            if block.startswith("# Acknowledgements"):
                break
            if len(block) > 200 and block[0] not in "#$|!":
                prose = re.sub(r"^\*\*.+?\*\* |\^.+?\^|\*", "", block).replace("'", "’")
                written, found = written + 1, found + (tidy(prose) in read)
    assert found > 0.9 * written, f"{found} of {written}"
