"""The project for screenshots: the sample papers, some unreadable files, made-up answers and marks."""

from __future__ import annotations

import random
import sys
import tempfile
from pathlib import Path

from desktop.jobs.exchange.project_split import set_split
from desktop.jobs.mining.run import mine
from desktop.jobs.papers.import_session import ImportOptions
from desktop.jobs.papers.imports import import_papers
from desktop.jobs.review import answers
from desktop.jobs.review.annotation_rounds import start_annotation_round
from desktop.jobs.review.annotator import set_annotator
from desktop.jobs.review.answer_files import send_assignments
from desktop.jobs.review.gold import set_gold
from desktop.jobs.review.merging import merge_answer_files
from miner.progress import Progress
from miner.records import Answer
from miner.splits import PaperSplit
from miner.year_ranges import read_year_ranges
from storage.annotation.annotation_rounds import RoundAsks, RoundKind, RoundPlan, Targets
from storage.annotation.annotators import Role
from storage.annotation.marks import FLAG_VALUE, MarkKind
from storage.dataset.gold_rule import GoldRules
from storage.project import Project
from tests import hostile_files
from tests.desktop.experiment_factory import store_direction
from tests.sample_papers import SAMPLES
from tests.screenshots.scripted_experiments import store_baselines, store_map
from tests.scripted_annotators import ScriptedAnnotator, annotate, mostly_right
from tests.storage.annotation.kinds_round_factory import CAUSAL, TEMPORAL, UNCLEAR, answer_round
from tests.suggestion_factory import suggest
from tests.training_factory import train

DOMAINS = {"coastal": "coastal engineering", "ecology": "ecology", "nlp": "nlp", "reading": "reading research"}
_YEARS = ("ecology: dev 2020, test 2022", "reading research: dev 2020, test 2021")


def make(path: Path) -> None:
    draw = random.Random(5)
    with Project.create(path) as project, tempfile.TemporaryDirectory() as name:
        for folder, domain in DOMAINS.items():
            import_papers(project, [SAMPLES / folder], ImportOptions(domain=domain, workers=1)).work(Progress())
        bad = [make_file(Path(name)) for make_file in (hostile_files.scan_pdf, hostile_files.truncated_pdf)]
        import_papers(project, bad, ImportOptions(domain="ecology", workers=1)).work(Progress())
        mine(project, workers=1).work(Progress())
        with project.read_transaction() as stores:
            pairs = [pair for md5 in stores.papers.md5s() for pair in stores.pairs.of_paper(md5)]
        for annotator, share in (("mk", 0.6), ("ada", 0.25)):
            for pair in pairs:
                if draw.random() < share:
                    agrees = draw.random() < 0.8
                    answer = Answer(pair.distant_label) if agrees else draw.choice(list(Answer))
                    answers.answer(project, [pair.key], annotator, answer).work(Progress())
        for pair in draw.sample(pairs, 4):
            answers.mark(project, [pair.key], "mk", MarkKind.FLAG, FLAG_VALUE).work(Progress())
        answers.mark(project, [pairs[3].key], "mk", MarkKind.NOTE, "Is this still about the groyne?").work(Progress())
        roles = (("eva", Role.EXPERT), ("liv", Role.LAYPERSON))
        annotate(project, [ScriptedAnnotator(key, mostly_right(0.85, 0.05), role, share=0.3) for key, role in roles])
        set_annotator(project, "mk").work(Progress())
        suggest(project)
        train(project)
        store_map(project)
        store_direction(project)
        store_baselines(project)


def start_round(path: Path, folder: Path) -> Path:
    """Split the project at `path`, draw a round for three people and merge a file with conflicts; another's path."""
    with Project.open(path) as project:
        set_split(project, PaperSplit(read_year_ranges(_YEARS), rest="train")).work(Progress())
        set_gold(project, GoldRules(votes=2)).work(Progress())
        targets, people = Targets(4, 6, ("ecology", "reading research")), ["mk", "Ada Okafor", "Ben"]
        plan = RoundPlan(domains=targets.domains, dev=targets.dev, test=targets.test, size=3)
        start_annotation_round(project, plan, people, targets=targets).work(Progress())
        ada, ben = send_assignments(project, 1, folder, ["Ada Okafor", "Ben"]).work(Progress())
        with project.read_transaction() as stores:
            keys = list(stores.annotation_rounds.keys(1))
        answers.answer(project, keys[:2], ada.assignment.annotator, Answer.NEUTRAL).work(Progress())
        with Project.open(ada.path) as file:
            for key in keys[:20]:
                answers.answer(file, [key], ada.assignment.annotator, Answer.REASONING).work(Progress())
        merge_answer_files(project, [ada.path]).work(Progress())
    return ben.path


def start_kinds_rounds(path: Path, folder: Path) -> Path:
    """Draw a pilot for kinds, answered by two, and a round that is sent; the path of an answer file."""
    with Project.open(path) as project:
        with project.transaction() as stores:
            stores.annotators.ensure("Dr Lind", Role.REFERENCE)
        pilot = RoundPlan(RoundKind.PILOT, asks=RoundAsks.KINDS, pairs=6)
        start_annotation_round(project, pilot, ["mk", "Dr Lind"]).work(Progress())
        with project.transaction() as stores:
            first, second, third, *_ = stores.annotation_rounds.keys(1)
            answer_round(stores, "Dr Lind", {first: CAUSAL, second: CAUSAL, third: TEMPORAL})
            answer_round(stores, "mk", {first: TEMPORAL, second: CAUSAL, third: UNCLEAR})
        plan = RoundPlan(asks=RoundAsks.KINDS, pairs=20, overlap=10)
        start_annotation_round(project, plan, ["mk", "Ada Okafor"]).work(Progress())
        [ada] = send_assignments(project, 2, folder, ["Ada Okafor"]).work(Progress())
    return ada.path


if __name__ == "__main__":
    make(Path(sys.argv[1]))
