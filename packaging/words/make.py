"""Makes the list of words that Pairwright comes with: papers in, `miner/parsing/words/words.txt.gz` out.

    python packaging/words/make.py PAPERS OUT

PAPERS holds JSON lines of papers with their licences; only those under CC BY or CC0 are read. A word is listed if
enough papers use it: what one or two say is a name, or a slip. Papers that were read from PDFs have broken words and
glued ones too, in many papers alike: of them only long words count that very many use.
"""

from __future__ import annotations

import argparse
import gzip
import json
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from miner.parsing.licences import find_licence

FREE = re.compile(r"CC-BY(-\d\.\d)?|CC0(-1\.0)?")
WORD = re.compile(r"[^\W\d_]+")
LATIN = re.compile(r"[a-z\u00df-\u00f6\u00f8-\u017f]{2,30}")
MIN_PAPERS = {2: 50, 3: 15, 4: 6, 5: 4}  # by the word's length; short ones are often parts of words, or symbols
MIN_PAPERS_OF_LONG, MIN_PDFS = 3, 12
MIN_LENGTH_IN_PDFS = 6


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("papers", type=Path)
    parser.add_argument("out", type=Path)
    options = parser.parse_args()
    in_markup, in_pdfs, papers = Counter[str](), Counter[str](), Counter[bool]()
    for paper in free_papers(options.papers):
        is_pdf = paper["parse"].startswith("PDF")
        papers[is_pdf] += 1
        (in_pdfs if is_pdf else in_markup).update(words_of(paper))
    words = sorted(
        word
        for word in in_markup.keys() | in_pdfs.keys()
        if in_markup[word] >= MIN_PAPERS.get(len(word), MIN_PAPERS_OF_LONG)
        or (in_pdfs[word] >= MIN_PDFS and len(word) >= MIN_LENGTH_IN_PDFS)
    )
    options.out.parent.mkdir(parents=True, exist_ok=True)
    options.out.write_bytes(gzip.compress("\n".join(words).encode(), 9, mtime=0))
    print(f"{len(words):,} words of {papers[False]:,} papers in markup and {papers[True]:,} PDFs")


def free_papers(folder: Path) -> Iterator[dict[str, Any]]:
    for path in sorted(folder.glob("*.jsonl*")):
        with gzip.open(path, "rt", encoding="utf-8") if path.suffix == ".gz" else path.open(encoding="utf-8") as file:
            for line in file:
                paper = json.loads(line)
                if FREE.fullmatch(find_licence(paper.get("license") or "")):
                    yield paper


def words_of(paper: dict[str, Any]) -> set[str]:
    """The paper's words in lower case, each once."""
    prose = " ".join(paragraph for section in paper["sections"] for paragraph in section["paragraphs"])
    words = {word.casefold() for word in WORD.findall(unicodedata.normalize("NFKC", prose))}
    return {word for word in words if LATIN.fullmatch(word)}


if __name__ == "__main__":
    main()
