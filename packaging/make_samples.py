"""Make the bundled sample papers from their text: `python packaging/make_samples.py [FOLDER]`. Same text, same bytes.

One text file a paper, in a light markup: `key: value` lines up to `===`, then blocks parted by blank lines. A block is
a heading (`#`, `##`), a display formula (`$`), a table (`|`, a line a row), a bar chart (`!`), a caption (`Table 1`,
`Figure 1`), or a paragraph, in which `*` is italic, `**` bold and `^` superscript.
"""

from __future__ import annotations

import json
import re
import sys
from dataclasses import dataclass
from pathlib import Path
from xml.sax.saxutils import escape

import typeset

WRITTEN = Path(__file__).parent / "samples" / "text"
SAMPLES = Path(__file__).parents[1] / "desktop" / "samples"


@dataclass(frozen=True, slots=True)
class Source:
    """One sample paper as written: its header lines, and the blocks of its text."""

    name: str
    head: dict[str, str]
    blocks: tuple[str, ...]

    def sections(self) -> list[tuple[str, list[str]]]:
        """Headings with the blocks below them."""
        found: list[tuple[str, list[str]]] = []
        for block in self.blocks:
            if block.startswith("#"):
                found.append((block.lstrip("# "), []))
            else:
                found[-1][1].append(block)
        return found


def read(path: Path) -> Source:
    head, _, body = path.read_text(encoding="utf-8").partition("\n===\n")
    pairs = dict(line.split(": ", 1) for line in head.splitlines())
    return Source(path.stem, pairs, tuple(block.strip() for block in re.split(r"\n\s*\n", body) if block.strip()))


def plain(text: str) -> str:
    """The block without its markup and without superscript marks."""
    return re.sub(r"\*+", "", re.sub(r"\^[^^]*\^", "", text))


def is_prose(block: str) -> bool:
    return block[0] not in "#$|!" and not _is_caption(block)


def json_line(paper: Source) -> str:
    """The paper as structured text: prose alone, by section."""
    sections = [
        {"title": title, "paragraphs": [plain(block) for block in blocks if is_prose(block)]}
        for title, blocks in paper.sections()
        if title not in ("Acknowledgements", "References")
    ]
    head = paper.head
    row = {
        "id": paper.name,
        "title": head["title"],
        "year": int(head["year"]),
        "domain": head["domain"],
        "doi": head["doi"],
        "journal": head["journal"],
        "license": "MIT",
        "sections": sections,
    }
    return json.dumps(row, ensure_ascii=False) + "\n"


def tei(paper: Source) -> str:
    """The paper in the shape of GROBID's answers: abstract in the header, flat divs, tables and notes last."""
    abstract, body, tables, back = "", [], [], []
    for title, blocks in paper.sections():
        prose = "".join(_tei_block(block) for block in blocks if block[0] not in "|!" and not _is_caption(block))
        tables += [
            f'<figure type="table"><head>{escape(block[:7])}</head><figDesc>{escape(block)}</figDesc></figure>'
            for block in blocks
            if _is_caption(block)
        ]
        if title == "Abstract":
            abstract = prose
        elif title == "Acknowledgements":
            back.append(f'<div type="acknowledgement"><div><head>{title}</head>{prose}</div></div>')
        elif title == "References":
            entries = [
                f'<biblStruct xml:id="b{at}"><note type="raw_reference">{escape(plain(block))}</note></biblStruct>'
                for at, block in enumerate(blocks)
            ]
            back.append(f'<div type="references"><listBibl>{"".join(entries)}</listBibl></div>')
        else:
            numbered = re.match(r"([\d.]+) (.+)", title)
            head = f'<head n="{numbered[1]}">{numbered[2]}</head>' if numbered else f"<head>{title}</head>"
            body.append(f"<div>{head}{prose}</div>")
    notes = [
        f'<note place="foot" xml:id="foot_{at}">{escape(text)}</note>'
        for at, (key, text) in enumerate(paper.head.items())
        if key.startswith("footnote")
    ]
    return TEI.format(
        title=escape(paper.head["title"]),
        year=paper.head["year"],
        doi=paper.head["doi"],
        journal=paper.head["journal"],
        authors="".join(_tei_author(name) for name in paper.head["authors"].split("; ")),
        abstract=abstract,
        body="\n".join(body + tables + notes),
        back="\n".join(back),
    )


def _is_caption(block: str) -> bool:
    return bool(re.match(r"(Table|Figure) \d[.:]", block))


def _tei_block(block: str) -> str:
    if block.startswith("$"):
        return f'<formula xml:id="formula_0">{escape(block[2:])}<label>(1)</label></formula>'
    text = escape(re.sub(r"\*+", "", block))
    marked = re.sub(r"\^(\w+)\^", r'<ref type="foot" target="#foot_0">\1</ref>', text)
    return f"<p>{marked}</p>"


def _tei_author(name: str) -> str:
    forename, _, surname = name.rpartition(" ")
    person = f'<forename type="first">{forename}</forename><surname>{surname}</surname>'
    return f"<author><persName>{person}</persName></author>"


TEI = """<?xml version="1.0" encoding="UTF-8"?>
<TEI xml:space="preserve" xmlns="http://www.tei-c.org/ns/1.0">
<teiHeader xml:lang="en">
<fileDesc>
<titleStmt><title level="a" type="main">{title}</title></titleStmt>
<publicationStmt><publisher/><availability status="unknown"><licence/></availability>
<date type="published" when="{year}">{year}</date></publicationStmt>
<sourceDesc><biblStruct><analytic>{authors}<title level="a" type="main">{title}</title></analytic>
<monogr><title level="j">{journal}</title><imprint><date type="published" when="{year}">{year}</date></imprint></monogr>
<idno type="DOI">{doi}</idno></biblStruct></sourceDesc>
</fileDesc>
<encodingDesc><appInfo><application version="0.0" ident="Pairwright samples" when="{year}-01-01T00:00+0000">
<desc>Written by hand in the shape of GROBID's answers</desc></application></appInfo></encodingDesc>
<profileDesc><abstract><div>{abstract}</div></abstract></profileDesc>
</teiHeader>
<text xml:lang="en">
<body>
{body}
</body>
<back>
{back}
</back>
</text>
</TEI>
"""


def main(target_folder: Path) -> None:
    """Write every paper into its domain's folder under `target_folder`."""
    typeset.register_fonts()
    words = (WRITTEN / "hyphenation.lst").read_text(encoding="utf-8").split()
    hyphens = {word.replace("-", ""): word for word in words}
    for path in sorted(WRITTEN.glob("*.txt")):
        paper = read(path)
        folder = target_folder / paper.head["domain"]
        folder.mkdir(parents=True, exist_ok=True)
        match paper.head["layout"]:
            case "tei":
                target = folder / f"{paper.name}.tei.xml"
                target.write_text(tei(paper), encoding="utf-8")
            case "jsonl":
                target = folder / f"{paper.name}.jsonl"
                target.write_text(json_line(paper), encoding="utf-8")
            case _:
                target = folder / f"{paper.name}.pdf"
                typeset.set_paper(paper.head, paper.blocks, hyphens, target)
        print(f"{target.stat().st_size:>8,} bytes  {target.relative_to(target_folder)}")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else SAMPLES)
