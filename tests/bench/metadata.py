"""How right titles, years, DOIs, authors and words of PDFs are, against the publishers' XML of the same papers."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from miner.mining.paper_mining import mine_paper
from miner.mining.sentence_analysis import SentenceAnalyzer
from miner.mining.settings import MiningSettings
from miner.parsing.file_parser import file_parser
from miner.parsing.files import FileKind, read_file
from miner.parsing.sentences import SplitterParameters
from miner.records import Paper

_GOALS = {"title": 0.97, "year": 0.97, "author": 0.93, "doi": 0.98}
_MAX_WRONG, _MAX_UNKNOWN = 0.01, 0.0005
_RESULT = re.compile(r"^(\w+) +right (\d+) of (\d+) .*wrong (\d+), empty (\d+)", re.M)
_WORDS = re.compile(r"^words +(\d+) of (\d+)", re.M)
_BEFORE = {"title": "38 of 43", "year": "41 of 43", "author": "15 of 43", "doi": "42 of 42"}


def measure(shared: Path) -> Iterator[tuple[str, str, str, str, bool | None]]:
    """By the shared scorer, of the papers whose publisher's XML is in `data/jats`; then how many are to be checked."""
    corpus = shared / "data" / "jats"
    parse, analyzer = file_parser(SplitterParameters.bundled()), SentenceAnalyzer.load()
    files = [read_file(path, FileKind.PDF) for path in sorted(corpus.glob("*.pdf"))]
    papers = [paper for file in files for _, paper in parse(file).papers]
    printed = _score(shared, corpus, papers, analyzer)
    peer = "before: {}; publishers' XML"
    for field, right, total, wrong, empty in _RESULT.findall(printed):
        measured = f"{right} of {total}; {wrong} wrong, {empty} empty"
        is_met = int(right) >= _GOALS[field] * int(total) and int(wrong) <= _MAX_WRONG * int(total)
        goal = f"≥ {100 * _GOALS[field]:.0f} %, wrong ≤ 1 %"
        yield (
            f"PDF: {'first author' if field == 'author' else field}",
            measured,
            goal,
            peer.format(_BEFORE[field]),
            is_met,
        )
    found = _WORDS.search(printed)
    assert found is not None
    share = int(found[1]) / int(found[2])
    measured = f"{100 * share:.3f} % ({found[1]} of {found[2]})"
    yield "words of mined pairs that the paper has not", measured, "≤ .05 %", "before: .079 %", share <= _MAX_UNKNOWN
    unsure = sum(any(not source.is_sure for source in paper.sources) for paper in papers)
    yield "papers with a field that is to be checked", f"{unsure} of {len(papers)}", "-", "", None


def _score(shared: Path, corpus: Path, papers: list[Paper], analyzer: SentenceAnalyzer) -> str:
    """What the shared scorer prints of these papers."""
    with tempfile.TemporaryDirectory() as name:
        said, mined = Path(name) / "papers.json", Path(name) / "pairs.jsonl"
        fields = ("md5", "title", "authors", "year", "doi")
        said.write_text(json.dumps([{field: getattr(one, field) for field in fields} for one in papers]))
        with mined.open("w", encoding="utf-8") as rows:
            for paper in papers:
                for pair in mine_paper(paper, MiningSettings(), analyzer).pairs:
                    row = {"paper_md5": paper.md5, "sentence1": pair.premise, "sentence2": pair.hypothesis_original}
                    rows.write(json.dumps(row) + "\n")
        command = [sys.executable, str(shared / "tools" / "score_papers.py"), str(corpus), str(said), str(mined)]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout
