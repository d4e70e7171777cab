"""Makes the bundled file of parameters: python -m miner.parsing.sentences PAPERS.jsonl.gz ... -o bundled.json

Papers are JSON lines, gzipped or plain, with `license` and `sections[{paragraphs[]}]`. Only those under CC BY or CC0
are used. The same papers in the same order give the same file.
"""

from __future__ import annotations

import argparse
import gzip
import json
import re
from collections.abc import Iterable, Iterator
from importlib.metadata import version
from pathlib import Path

from miner.parsing.sentences.punkt_training import train_parameters

_FREE_LICENCE = re.compile(
    r"CC-BY(-\d\.\d)?( \(OpenReview default\)|\(text\))?|CC0|http://creativecommons\.org/licenses/by/\d\.\d/"
)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m miner.parsing.sentences", description=__doc__)
    parser.add_argument("papers", nargs="+", type=Path)
    parser.add_argument("-o", "--output", required=True, type=Path)
    arguments = parser.parse_args()
    names = " ".join(path.name for path in arguments.papers)
    made_by = f"python -m miner.parsing.sentences {names} (only CC BY and CC0), NLTK {version('nltk')}"
    arguments.output.write_text(
        train_parameters(paragraphs(arguments.papers), made_by).file_text(), encoding="utf-8", newline="\n"
    )


def paragraphs(paths: Iterable[Path]) -> Iterator[str]:
    """The paragraphs of all papers under CC BY or CC0."""
    for path in paths:
        with gzip.open(path, "rt", encoding="utf-8") if path.suffix == ".gz" else path.open(encoding="utf-8") as lines:
            for paper in map(json.loads, lines):
                if _FREE_LICENCE.fullmatch(paper.get("license") or ""):
                    for section in paper["sections"]:
                        yield from section["paragraphs"]


if __name__ == "__main__":
    main()
