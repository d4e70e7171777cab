"""Settings of a project: typed, with one reader and one writer."""

from __future__ import annotations

from dataclasses import replace

import pytest

from miner.audit.report import AuditedLabels, AuditReport
from miner.errors import UserError
from miner.mining.settings import MiningSettings
from miner.parsing.sentences import SplitterParameters
from miner.records import Label
from miner.splits import PaperSplit
from miner.year_ranges import read_year_ranges
from storage import settings
from storage.annotation.annotation_rounds import RoundKind, Targets
from storage.annotation.sent_assignments import SentAssignment
from storage.dataset.corpus_origin import CorpusOrigin
from storage.dataset.export_options import ExportOptions
from storage.dataset.gold_rule import GoldRule, GoldRules
from storage.pairs.filters import PairFilter
from storage.project import Project
from storage.settings import LabelNoise, Setting, SuggestionSets

VALUES = (
    (settings.ANNOTATOR.of("0123"), "anna"),
    (settings.GUIDELINES, "Be strict."),
    (settings.TARGETS, Targets(10, 40, ("ecology",))),
    (settings.GOLD, GoldRules(GoldRule.AGREEING, 5)),
    (
        settings.SPLIT,
        PaperSplit(read_year_ranges(["nlp: train -2018, test 2019-", "dev 50% + test 50%"]), 3, (("a", "dev"),)),
    ),
    (settings.GOLD_EVERYWHERE, True),
    (settings.ASSIGNMENT, SentAssignment("a", "b", 2, RoundKind.PILOT, "anna", "Anna", 50, "c")),
    (settings.BLIND, False),
    (settings.ERRORS_BLIND, True),
    (settings.MINING, MiningSettings(seed=4)),
    (settings.CORPUS, (CorpusOrigin("s3://lab/nli", "0" * 64, "r1", ("domain=nlp",), 500, 1),)),
    (settings.SENTENCES, SplitterParameters(frozenset({"fig"}), frozenset({"we"}))),
    (settings.SENTENCE_WINDOWS, {"0": ["fig"]}),
    (settings.PAIR_FILTERS, {"Mine": PairFilter(text="ä \ud800", flagged=True)}),
    (settings.RENAMED_LISTS, {"hard": "hard ones"}),
    (settings.LAST_EXPORT, ExportOptions(shares=(("train", 90.0), ("test", 10.0)))),
    (settings.LAST_EXPORT_FOLDER.of("0123"), "/exports"),
    (settings.LAST_SPLIT_EXPORT, ExportOptions()),
    (settings.AUDIT, AuditReport(AuditedLabels.GOLD, "ecology", 1, {"neutral": 3}, 3, ())),
    (settings.LABEL_NOISE, LabelNoise(1, ((0.5, 0.5),), (Label.ENTAILMENT,))),
    (settings.SUGGESTION_SETS, SuggestionSets(1, {"20": (0.1, 0.2, 0.3, 0.4)}, 1.5)),
    (settings.PARSE_AGAIN_OFFERED, "embedded 3"),
    (settings.SAMPLE_PAPERS_MISSING, True),
)


def test_every_setting_keeps_its_values() -> None:
    there = {name for name, value in vars(settings).items() if isinstance(value, Setting)}
    assert len(there) == len(VALUES)


@pytest.mark.parametrize(("setting", "value"), VALUES, ids=lambda one: one.key if isinstance(one, Setting) else "")
def test_a_setting_keeps_its_value(project: Project, setting: Setting[object], value: object) -> None:
    with project.transaction() as stores:
        assert stores.settings.get(setting) == setting.default != value
        stores.settings.put(setting, value)
    with project.read_transaction() as stores:
        assert stores.settings.get(setting) == value
    if setting.default is None:
        with project.transaction() as stores:
            stores.settings.put(setting, None)
            assert stores.settings.get(setting) is None


@pytest.mark.parametrize("setting", [settings.BLIND, settings.MINING, settings.LABEL_NOISE], ids=lambda one: one.key)
def test_an_invalid_value_means_a_damaged_project(project: Project, setting: Setting[object]) -> None:
    with project.transaction() as stores:
        stores.settings.put(replace(setting, dump=lambda data: data), {"odd": 1})
    with pytest.raises(UserError, match="damaged"), project.read_transaction() as stores:
        stores.settings.get(setting)
