"""Learning from the project's own papers where their sentences end."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from desktop.jobs.intake import SENTENCES
from miner.errors import UserError
from miner.parsing.sentences import Splitter, learn, split_paper
from miner.progress import Job, Progress
from storage.project import Project


class Learnt(NamedTuple):
    """Papers learnt from, and how many of them have other sentences now."""

    papers: int
    changed: int


def learn_sentences(project: Project) -> Job[Learnt]:
    """Learn abbreviations from all the project's papers and split them anew; papers added later are split alike."""

    def work(progress: Progress) -> Learnt:
        with project.reading() as stores:
            papers = stores.papers.in_order()
        if not papers:
            raise UserError("The project has no papers yet.", hint="Add some first: pairwright add FOLDER")

        def texts() -> Iterator[str]:
            for number, md5 in enumerate(papers):
                progress.tick(number, 2 * len(papers), "learning")
                with project.reading() as stores:
                    paper = stores.papers.get(md5)
                for section in paper.sections:
                    for paragraph in section.paragraphs:
                        yield paragraph.text

        parameters = learn(texts())
        splitter = Splitter(parameters)
        with project.transaction() as stores:
            stores.settings.put(SENTENCES, parameters.to_json())
        changed = 0
        for number, md5 in enumerate(papers):
            progress.tick(len(papers) + number, 2 * len(papers), "splitting")
            with project.transaction(bulk=True) as stores:
                before = stores.papers.get(md5)
                after = split_paper(before, splitter)
                if after != before:
                    stores.papers.set_sentences(after)
                changed += after.sections != before.sections
        return Learnt(len(papers), changed)

    return Job(f"Learning sentences from {project.path.name}", work)
