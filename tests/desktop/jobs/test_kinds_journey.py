"""Sixty pairs for two annotators, from the round to a data set that others read."""

from __future__ import annotations

import random
from collections.abc import Mapping
from pathlib import Path

from desktop.jobs.exchange.export import export
from desktop.jobs.kinds.report import report_of_file, report_of_project
from desktop.jobs.kinds.selection import KindsSelection
from desktop.jobs.review.annotation_rounds import start_annotation_round
from desktop.jobs.review.kinds_rounds import load_kinds
from miner.kinds.questionnaire import Answers
from miner.kinds.taxonomy import released_taxonomy
from miner.progress import Progress
from storage.annotation.annotation_rounds import RoundAsks, RoundPlan
from storage.dataset.export_options import ExportOptions, Preset
from storage.exchange.pair_import import import_pairs
from storage.pairs.filters import PairFilter
from storage.project import Project
from storage.settings import ASSIGNMENT
from tests.answer_file_factory import merge, send
from tests.kinds_factory import AT, kinds_answers
from tests.storage.annotation.kinds_round_factory import answer_round
from tests.storage.annotation.round_factory import C, E, N, R, add_pairs

NAMES = ("Ada", "Ben")


def _answer_all(path: Path, given: Mapping[str, Answers]) -> None:
    with Project.open(path) as file:
        with file.transaction() as stores:
            sent = stores.settings.get(ASSIGNMENT)
            assert sent is not None
            answer_round(stores, sent.annotator, given)
        queue = load_kinds(file, sent.annotator).work(Progress()).queue
        assert queue is not None
        assert (len(queue.pairs), queue.waiting) == (60, ())


def test_sixty_pairs_go_to_two_annotators_and_their_answers_to_a_data_set(tmp_path: Path) -> None:
    reasoning, draw = released_taxonomy().reasoning, random.Random(2)
    with Project.create(tmp_path / "owner.pairwright") as project:
        add_pairs(project, {name: dict.fromkeys((C, R, E, N), 8) for name in ("ecology", "nlp")})
        start_annotation_round(project, RoundPlan(asks=RoundAsks.KINDS, pairs=60), NAMES).work(Progress())
        with project.read_transaction() as stores:
            labels = {pair.key: str(pair.label) for pair in stores.annotation_rounds.pairs(1)}
        directed = [key for key, label in labels.items() if label != N]  # neutral pairs take the short way
        truth = {key: {one for one in reasoning if draw.random() < 0.15} for key in directed}
        files = send(project, tmp_path / "sent")
        ticked = []
        for path in files:
            seen = {
                key: {one for one in reasoning if (one in had) != (draw.random() < 0.05)} for key, had in truth.items()
            }
            ticked.append(seen)
            _answer_all(path, {key: kinds_answers(seen.get(key, ()), labels[key]) for key in labels})
        assert [file.new for file in merge(project, *files).merged] == [60, 60]

        report = report_of_project(project).work(Progress())
        agreement = report.agreement
        assert agreement is not None
        assert (agreement.annotators, agreement.iou_pairs, report.figures.pairs) == (NAMES, 60, 60)
        for one in agreement.categories:
            if one.category in reasoning:
                first, second = ({key for key in directed if one.category in seen[key]} for seen in ticked)
                assert one.differing == len(first ^ second)
                assert set(KindsSelection(frozenset({one.category})).keys(report)) == first | second
        assert agreement.average_kappa is not None
        assert 0.4 < agreement.average_kappa < 0.9  # each sees one of twenty wrongly

        answered = PairFilter(kinds_answered=True)
        for preset in (Preset.TAXINLI, Preset.FULL):
            folder = tmp_path / preset
            export(project, folder, ExportOptions(preset, scope=answered)).work(Progress())
            with Project.create(tmp_path / f"{preset}.pairwright") as other:
                import_pairs(other, folder / "pairs.jsonl", domain="", progress=Progress(), at=AT)
                assert report_of_project(other).work(Progress()).figures.counts == report.figures.counts
        counts = report_of_file(tmp_path / Preset.TAXINLI / "pairs.jsonl").work(Progress()).figures.counts
        assert counts == report.figures.counts
