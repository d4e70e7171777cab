"""Learning from the project's own papers where sentences end."""

from __future__ import annotations

import json
from pathlib import Path

from desktop.jobs.intake import AddOptions
from desktop.jobs.papers import add
from desktop.jobs.sentences import learn_sentences
from miner.parsing.sentences import Splitter
from miner.progress import Progress
from storage.project import Project

TEXT = (
    "The growth was measured by Qrb. {0} in spring. It was large at site {1}. Plots of {0} were mown by Qrb. {2} again."
)
NAMES = [
    first + middle + last for first in "BDFGKLMNPRST" for middle in "aeiou" for last in ("rak", "lo", "mint", "sen")
]


def test_abbreviations_of_the_papers_are_learnt_and_used_for_later_ones_too(tmp_path: Path) -> None:
    assert len(Splitter.bundled().split(TEXT.format("Kira", 1, "Dolo"))) == 5
    lines = []
    for number in range(40):
        names = [NAMES[(7 * number + place) % len(NAMES)] for place in range(120)]
        text = " ".join(TEXT.format(names[n], n, names[-n]) for n in range(60))
        lines.append(json.dumps({"title": str(number), "sections": [{"title": "", "paragraphs": [text]}]}))
    (tmp_path / "many.jsonl").write_text("\n".join(lines[:-1]))
    (tmp_path / "late.jsonl").write_text(lines[-1])
    with Project.create(tmp_path / "p.pairwright") as project:
        add(project, [tmp_path / "many.jsonl"], AddOptions()).work(Progress())
        learnt = learn_sentences(project).work(Progress())
        assert learnt == (39, 39)
        assert learn_sentences(project).work(Progress()) == (39, 0)
        add(project, [tmp_path / "late.jsonl"], AddOptions()).work(Progress())
        with project.reading() as stores:
            papers = [stores.papers.get(md5) for md5 in stores.papers.in_order()]
            assert stores.papers.splitters() == [papers[0].splitter]
        assert papers[0].splitter != Splitter.bundled().name
        for paper in papers:
            [paragraph] = paper.sections[0].paragraphs
            assert len(paragraph.sentences) == 180
