"""Makes small settled corpora without worker processes, which take seconds to start."""

from __future__ import annotations

import json
from collections.abc import Callable, Generator, Iterable
from pathlib import Path
from typing import Any

from desktop.jobs.corpus.mine import corpus_settings
from desktop.jobs.corpus.settle import settle_corpus
from desktop.jobs.mining.run import NO_MODEL
from miner.corpus.inputs import find_sources
from miner.corpus.locations import Location
from miner.corpus.map_run import Batches, ItemBatch, map_sources, open_mapper
from miner.corpus.mapping import MapSettings
from miner.corpus.parts import FinishedRanges, claim, read_parts
from miner.parsing.embedded import parse_pdf
from miner.parsing.files import hash_content
from miner.processes.pool import Pool
from miner.progress import Progress
from tests.article_xml import article_xml

SAMPLES = Path(__file__).parents[1] / "desktop" / "samples"


class HerePool(Pool[ItemBatch, Batches]):
    """Maps in this process."""

    def __init__(self, settings: MapSettings) -> None:
        self._map = open_mapper(settings)

    def run(self, items: Iterable[ItemBatch], *, on_poll: Callable[[], None] | None = None) -> Generator[Any]:
        for batch in items:
            yield batch, self._map(batch.items)


def write_papers(folder: Path) -> None:
    """A PDF and its XML, a TEI, and lines with a paper given twice, and papers of other domains and years that share
    its text."""
    paper = json.loads((SAMPLES / "ecology" / "late-mowing.jsonl").read_text().splitlines()[0])
    lines = [paper, {**paper, "domain": "botany"}]
    for number in range(5):
        sections = [
            {**one, "paragraphs": [text for place, text in enumerate(one["paragraphs"]) if place % 3 != number % 3]}
            for one in paper["sections"]
        ]
        more = {"domain": ("botany", "zoology")[number % 2], "year": 2018 + number, "journal": ""}
        lines.append({**paper, "title": f"Mowing again, part {number}", "sections": sections, **more})
    (folder / "a.jsonl").write_text("".join(json.dumps(line) + "\n" for line in [*lines, {"title": "nothing"}]))
    for sample in ("coastal/wrack-lines.pdf", "reading/whispering.tei.xml"):
        (folder / Path(sample).name).write_bytes((SAMPLES / sample).read_bytes())
    write_xml_of_pdf(folder)


def write_xml_of_pdf(folder: Path) -> None:
    """Publisher's XML of the PDF `wrack-lines.pdf` in the folder."""
    content = (folder / "wrack-lines.pdf").read_bytes()
    (folder / "wrack-lines.nxml").write_bytes(article_xml(parse_pdf(content, hash_content(content))))


def make_corpus(papers: Path | str, out: Path | str) -> None:
    """A settled corpus of the papers at a place, mined without a language model."""
    settings, place = MapSettings(model=NO_MODEL), Location.of(str(out))
    claim(place, corpus_settings(settings))
    for _ in map_sources(find_sources([str(papers)]), place, HerePool(settings), FinishedRanges(read_parts(place))):
        pass
    settle_corpus(str(out)).work(Progress())
