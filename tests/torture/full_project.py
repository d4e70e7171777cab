"""A small project in which there is something of everything that a project can hold."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from datetime import UTC, datetime
from functools import cache
from pathlib import Path

from desktop.jobs.exchange.imports import import_data_sets
from desktop.jobs.exchange.project_split import set_split
from desktop.jobs.exchange.releases import release
from desktop.jobs.pairs.audit import audit
from desktop.jobs.review import answers
from desktop.jobs.review.annotation_rounds import start_annotation_round
from miner.progress import Progress
from miner.records import Answer
from miner.splits import shares_split
from storage.annotation.annotation_rounds import RoundAsks, RoundKind, RoundPlan
from storage.annotation.marks import FLAG_VALUE, MarkKind
from storage.dataset.export_options import ExportOptions, Preset
from storage.pairs.mended_texts import SentenceField
from storage.pairs.tags import DOMAIN_KNOWLEDGE, join_tags
from storage.papers.metadata import PaperMetadata
from tests.answer_file_factory import ANNA, BEN, answer_in, keys_in, merge, owner_project, send
from tests.desktop.experiment_factory import store_experiment
from tests.kinds_factory import annotate_kinds
from tests.precision_factory import answer_sample
from tests.screenshots.scripted_experiments import store_map
from tests.storage.factories import paper, remove
from tests.suggestion_factory import suggest
from tests.torture.hostile_seed import ROOT
from tests.training_factory import train

AT = datetime(2026, 7, 1, tzinfo=UTC)
WHO = ANNA.key


def make_full_project(path: Path) -> None:
    """Papers, pairs, people, answers, marks, kinds, rounds, models, experiments, a split, a release, an audit."""
    with owner_project(path, "abcdefg") as project, tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        keys = keys_in(project)
        for number, key in enumerate(keys):
            for who in (WHO, BEN.key)[: number % 3]:
                answers.answer(project, [key], who, list(Answer)[number % len(Answer)]).work(Progress())
        for kind, value in (
            (MarkKind.FLAG, FLAG_VALUE),
            (MarkKind.NOTE, "Is this so?"),
            (MarkKind.TAG, join_tags((DOMAIN_KNOWLEDGE,))),
        ):
            answers.mark(project, keys[:2], WHO, kind, value).work(Progress())
        with project.transaction() as stores:
            action = stores.actions.begin(WHO, "Mend", AT)
            stores.texts.mend(keys[0], WHO, {SentenceField.PREMISE: "It was mended."}, AT, action=action)
            action = stores.actions.begin(WHO, "Change the domain", AT)
            stores.paper_edits.edit(action, [paper("a").md5], PaperMetadata(domain="botany"))
            remove(stores, paper("g").md5)
        rows = [
            {"premise": f"It is {n}.", "hypothesis": f"So it is {n} again.", "label": "entailment", "guess": "neutral"}
            for n in ("one", "two", "three", "four")
        ]
        pairs = folder / "pairs.jsonl"
        pairs.write_text("".join(json.dumps(row) + "\n" for row in rows))
        import_data_sets(project, [pairs], "grammar", predictions=["guess"]).work(Progress())
        set_split(project, shares_split(40, 30, 30), confirmed=True).work(Progress())
        suggest(project)
        train(project)
        answer_sample(project, 4)
        annotate_kinds(project, {WHO: 0.1, BEN.key: 0.3}, 6)
        store_map(project)
        store_experiment(project)
        plan = RoundPlan(RoundKind.PILOT, asks=RoundAsks.KINDS, pairs=3)
        start_annotation_round(project, plan, ["Anna", BEN.name]).work(Progress())
        sent, _ = send(project, folder)
        answer_in(sent, {keys[1]: [(7, Answer.UNCLEAR)]})
        merge(project, sent)
        audit(project).work(Progress())
        answers.undo(project, WHO).work(Progress())
        release(project, "v1", folder / "v1", ExportOptions(Preset.FULL)).work(Progress())


@cache
def full_project() -> bytes:
    """The file of such a project, made in a process of its own: importing a data set takes a worker, which has none."""
    with tempfile.TemporaryDirectory(prefix="pairwright-torture-") as folder:
        path = Path(folder) / "full.pairwright"
        command = [sys.executable, "-m", "tests.torture.full_project", str(path)]
        subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
        return path.read_bytes()


if __name__ == "__main__":
    make_full_project(Path(sys.argv[1]))
