"""Whatever is exported comes back with all that it carries: exported, imported and exported again, the bytes agree."""

from __future__ import annotations

import itertools
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from miner.kinds.questionnaire import PairKinds
from miner.kinds.taxonomy import Direction
from miner.mining.identity import pair_key
from miner.parsing.text import tidy
from miner.progress import Progress
from miner.records import Answer, Label, Pair, PairFlag, Strategy
from storage.annotation.answers import AnswerSource, NewAnswer
from storage.annotation.imported_kinds import store_kinds
from storage.annotation.marks import FLAG_VALUE, MarkKind
from storage.dataset.export_options import ExportOptions, FileFormat, Preset
from storage.exchange.pair_export import export_pairs
from storage.exchange.pair_import import ImportedPairs, import_pairs
from storage.models.registry import ModelKind
from storage.models.suggestions import NewSuggestion
from storage.pairs import judgement
from storage.pairs.mended_texts import SentenceField
from storage.pairs.tags import USUAL_TAGS, join_tags
from storage.project import Project
from tests.storage.factories import mined, next_papers, pair, paper, pdf, start_run

NOW = datetime(2026, 7, 1, tzinfo=UTC)
ALL = frozenset(Strategy)
SPLIT = (("train", 60.0), ("dev", 20.0), ("test", 20.0))

_TEXT = (
    st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Cf", "Cn", "Co", "Z")), min_size=1, max_size=12)
    .map(tidy)
    .filter(bool)
)  # as papers are read
_ANSWERS = st.lists(st.sampled_from(Answer), max_size=3)
_KINDS = st.builds(
    PairKinds,
    st.sampled_from([label.value for label in Label]),
    st.frozensets(st.sampled_from(["causal", "temporal", "lexical", "topic", "object"]), max_size=3),
    st.none() | st.sampled_from(Direction),
    st.just(True),
)
_PAIR = st.fixed_dictionaries(
    {
        "text": _TEXT,
        "strategy": st.sampled_from([one for one in Strategy if one is not Strategy.IMPORTED]),
        "label": st.sampled_from([*Label, None]),
        "flags": st.sets(st.sampled_from(PairFlag)).map(sorted).map(tuple),
        "page": st.none() | st.integers(1, 900),
        "answers": _ANSWERS,
        "accepted": st.none() | st.sampled_from(Label),
        "suggested": st.none() | st.lists(st.integers(1, 97), min_size=4, max_size=4),
        "flagged": st.booleans(),
        "mended": st.dictionaries(st.sampled_from(SentenceField), _TEXT),
        "kinds": st.lists(_KINDS, max_size=3),
        "tags": st.lists(st.sampled_from([*USUAL_TAGS, 'a "tag"', "über\\"]), max_size=3),
        "bad": st.integers(0, 9).map(lambda n: n == 0),
    }
)
_PAPER = st.fixed_dictionaries(
    {
        "domain": st.sampled_from(["psychology", "Öffentliche Gesundheit", ""]),
        "title": _TEXT | st.just(""),
        "doi": st.none() | _TEXT,
        "year": st.none() | st.integers(1900, 2100),
        "licence": st.sampled_from(["", "CC-BY-4.0", "'=ACM", "-"]),
        "pairs": st.lists(_PAIR, min_size=1, max_size=5),
    }
)


def build(project: Project, papers: list[dict[str, Any]]) -> None:
    """A mined project that people have worked in."""
    numbers = itertools.count()
    found: dict[str, list[tuple[Pair, dict[str, Any]]]] = {}
    with project.transaction() as stores:
        for number, told in enumerate(papers):
            made = replace(paper(f"paper {number}", domain=told["domain"]), year=told["year"], doi=told["doi"])
            stores.papers.save(replace(made, title=told["title"], licence=told["licence"]), pdf(str(number)))
            found[made.md5] = [(_pair(made.md5, next(numbers), one), one) for one in told["pairs"]]
    run = start_run(project)
    for pending in next_papers(project, run):
        with project.transaction() as stores:
            stores.pairs.replace_for(pending, mined(one for one, _ in found[pending.md5]), lambda linked: 1000)
    with project.transaction() as stores:
        stores.mining_runs.finish(run)
    with project.transaction() as stores:
        for one, told in itertools.chain.from_iterable(found.values()):
            sentences = {field: f"{one.premise.split()[0]} whole {text}" for field, text in told["mended"].items()}
            stores.texts.mend(one.key, "anna", sentences, NOW, action=None)
        model = stores.models.enter("d1", "small", ModelKind.FOLDER, "/models/small", {}, None)
        suggesting = stores.suggestions.begin(model, 1.0, arithmetic="cpu fp32", program="1", at=NOW)
        wanted = {one.key: one for one in stores.suggestions.missing(suggesting)}
        action = stores.actions.begin("anna", "x", NOW)
        for one, told in itertools.chain.from_iterable(found.values()):
            answers = [NewAnswer(one.key, f"person {n}", NOW, said) for n, said in enumerate(told["answers"])]
            if told["accepted"]:
                answers.append(NewAnswer(one.key, "hurried", NOW, Answer(told["accepted"]), AnswerSource.ACCEPTED))
            stores.answers.append(answers)
            people = [(one.key, f"person {n}", said) for n, said in enumerate(told["kinds"])]
            store_kinds(stores._connection, people, NOW.isoformat())
            if told["suggested"]:
                shares = tuple(share / sum(told["suggested"]) for share in told["suggested"])
                stores.suggestions.put(suggesting, [NewSuggestion(wanted[one.key], shares)])
            for mark, value in (
                (MarkKind.FLAG, told["flagged"] and FLAG_VALUE),
                (MarkKind.BAD, told["bad"] and "other"),
                (MarkKind.TAG, join_tags(told["tags"])),
            ):
                if value:
                    stores.marks.put(judgement.keys_scope([one.key]), "anna", mark, value, NOW, action=action)


def _pair(md5: str, number: int, told: dict[str, Any]) -> Pair:
    text = told["text"]
    linked = told["strategy"] is Strategy.LINKED
    made = pair(md5, f"{number} {text}", f"{'However, ' * linked}so {number} {text}", told["strategy"])
    label = (told["label"] or Label.REASONING) if linked else told["label"]
    key = pair_key(md5, made.premise, made.hypothesis_original, made.strategy)
    return replace(made, key=key, distant_label=label, flags=told["flags"], page=told["page"])


def exported(project: Project, folder: Path, options: ExportOptions) -> tuple[int, dict[str, bytes]]:
    return export_pairs(project, folder, options, Progress()).rows, {
        path.name: path.read_bytes() for path in _data_files(folder)
    }


def _data_files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.iterdir() if path.suffix[1:] in list(FileFormat))


def imported(project: Project, folder: Path) -> Iterator[ImportedPairs]:
    for path in _data_files(folder):
        yield import_pairs(project, path, domain="", progress=Progress(), at=NOW)


def there_and_back(project: Project, folder: Path, options: ExportOptions, then: ExportOptions | None = None) -> None:
    """Export, import into an empty project, export again, and compare; and the same from there with `then`."""
    folder.mkdir()
    rows, before = exported(project, folder / "a", options)
    with Project.create(folder / "again.pairwright") as again:
        found = list(imported(again, folder / "a"))
        assert (sum(one.new for one in found), sum(one.bad for one in found)) == (rows, 0)
        assert [one.remarks for one in found] == [{}] * len(found)
        assert exported(again, folder / "b", options) == (rows, before)
        assert {(one.new, one.bad) for one in imported(again, folder / "a")} == {(0, 0)}
        assert exported(again, folder / "c", options) == (rows, before)
        assert again.check() == []
        if then is not None:
            there_and_back(again, folder / "then", then)


_OPTIONS = st.builds(
    ExportOptions,
    st.sampled_from(Preset),
    st.sampled_from([(), SPLIT]),
    strategies=st.just(ALL),
    format=st.sampled_from(FileFormat),
    safe_cells=st.booleans(),
)


# What fails is small already, and making it smaller takes minutes.
@settings(
    max_examples=10,
    deadline=None,
    phases=(Phase.explicit, Phase.reuse, Phase.generate),
    suppress_health_check=[HealthCheck.too_slow],
)
@given(papers=st.lists(_PAPER, min_size=1, max_size=4), options=_OPTIONS, then=_OPTIONS)
def test_every_preset_can_be_imported_with_all_its_fields(
    papers: list[dict[str, Any]], options: ExportOptions, then: ExportOptions
) -> None:
    with tempfile.TemporaryDirectory() as folder, Project.create(Path(folder) / "first.pairwright") as project:
        build(project, papers)
        there_and_back(project, Path(folder) / "first", options, then)


_TOLD = {
    "text": "was seen",
    "label": None,
    "flags": (),
    "page": 3,
    "answers": [Answer.NEUTRAL, Answer.UNCLEAR, Answer.NEUTRAL],
    "accepted": None,
    "suggested": [7, 1, 1, 1],
    "flagged": True,
    "tags": ["label wrong", 'a "tag"'],
    "kinds": [
        PairKinds("entailment", frozenset({"lexical", "world"}), Direction.BOTH, complete=True),
        PairKinds("neutral", frozenset({"topic"}), None, complete=True),
        PairKinds("entailment", frozenset({"lexical"}), Direction.BOTH, complete=True),
    ],
    "mended": {SentenceField.PREMISE: "and more"},
    "bad": False,
}
_PAPERS = [
    {
        "domain": "Öffentliche Gesundheit",
        "title": '\'=1 "quoted", and so on',
        "doi": "10.5555/x",
        "year": 2019,
        "licence": "CC-BY-4.0",
        "pairs": [{**_TOLD, "strategy": strategy} for strategy in Strategy if strategy is not Strategy.IMPORTED],
    },
    {
        "domain": "",
        "title": "",
        "doi": None,
        "year": None,
        "licence": "",
        "pairs": [{**_TOLD, "strategy": Strategy.LINKED, "answers": [], "accepted": Label.NEUTRAL}],
    },
]


@pytest.mark.parametrize("kind", FileFormat)
@pytest.mark.parametrize("preset", Preset)
def test_every_preset_in_every_format_comes_back(tmp_path: Path, preset: Preset, kind: FileFormat) -> None:
    options = ExportOptions(preset, shares=SPLIT, strategies=ALL, format=kind, safe_cells=True)
    with Project.create(tmp_path / "first.pairwright") as project:
        build(project, _PAPERS)
        there_and_back(project, tmp_path / "first", options)
