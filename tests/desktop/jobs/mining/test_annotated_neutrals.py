"""Neutral pairs that people have annotated stay when a project is mined again, whatever happened in which order."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from desktop.jobs.exchange.export import export
from desktop.jobs.exchange.rebuild import rebuild
from desktop.jobs.mining.preview import Difference, NeutralMoves, SettingsPreview
from desktop.jobs.mining.run import NO_MODEL, mine
from desktop.jobs.papers.import_session import ImportOptions
from desktop.jobs.papers.imports import import_papers
from miner.mining.settings import MiningSettings
from miner.progress import Progress, Tick
from miner.records import NEUTRAL_STRATEGIES, Answer, Strategy
from storage.annotation.answers import NewAnswer
from storage.annotation.marks import MarkKind
from storage.dataset.export_options import ExportOptions, Preset
from storage.pairs import judgement
from storage.project import Project
from tests.sample_papers import SAMPLES

NOW = datetime(2026, 7, 1, tzinfo=UTC)
# Twice as many neutral pairs as usual: the samples are few.
SETTINGS = MiningSettings(neutral_ratio=2.0)
OTHER_DRAWS = replace(SETTINGS, seed=1)
MORE_PHRASES = SETTINGS.switch("Hence", on=True).switch("Nevertheless", on=True)
FILES = [
    SAMPLES / "ecology" / "late-mowing.jsonl",
    SAMPLES / "reading" / "whispering.tei.xml",
    SAMPLES / "nlp" / "chunk-boundaries.pdf",
]


@pytest.fixture(scope="module", autouse=True)
def _made_once(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """What `make_project` copies where it is asked for all files in their order."""
    path = tmp_path_factory.mktemp("made") / "made.pairwright"
    make_project(path).close()
    _MADE.append(path)
    yield
    _MADE.clear()


_MADE: list[Path] = []


def make_project(path: Path, files: Iterable[Path] = FILES) -> Project:
    """A project of the files, imported one after the other, and mined."""
    if _MADE and files is FILES:
        return Project.open(Path(shutil.copy(_MADE[0], path)))
    project = Project.create(path)
    for file in files:
        import_papers(project, [file], ImportOptions(workers=1)).work(Progress())
    mine_with(project, SETTINGS)
    return project


def mine_with(project: Project, settings: MiningSettings) -> None:
    mine(project, settings, workers=1, model=NO_MODEL).work(Progress())


def neutral_keys(project: Project) -> list[str]:
    """The keys of the current neutral pairs, paper after paper."""
    with project.read_transaction() as stores:
        pairs = [pair for md5 in stores.papers.md5s() for pair in stores.pairs.of_paper(md5)]
    return [pair.key for pair in pairs if pair.strategy in NEUTRAL_STRATEGIES]


def answer(
    project: Project, keys: Sequence[str], answer: Answer | None = Answer.NEUTRAL, annotator: str = "anna"
) -> None:
    with project.transaction() as stores:
        stores.answers.append([NewAnswer(key, annotator, NOW, answer) for key in keys])


def exported(project: Project, folder: Path) -> dict[str, bytes]:
    export(project, folder, ExportOptions(Preset.FULL, card=True)).work(Progress())
    return {path.name: path.read_bytes() for path in folder.iterdir() if not path.name.startswith(".")}


def test_other_draws_take_away_unanswered_pairs_alone(tmp_path: Path) -> None:
    with make_project(tmp_path / "p.pairwright") as project:
        before = neutral_keys(project)
        answered, noted, withdrawn = before[:3], before[3], before[4]
        answer(project, [*answered, withdrawn])
        answer(project, [withdrawn], None)
        with project.transaction() as stores:
            action = stores.actions.begin("anna", "x", NOW)
            stores.marks.put(judgement.keys_scope([noted]), "anna", MarkKind.NOTE, "why", NOW, action=action)
        mine_with(project, OTHER_DRAWS)
        after = neutral_keys(project)
        assert {*answered, noted} <= set(after)
        assert withdrawn not in after
        assert len(after) == len(before)
        mine_with(project, SETTINGS)
        assert neutral_keys(project) == before


def test_more_phrases_take_away_no_answered_pair(tmp_path: Path) -> None:
    with make_project(tmp_path / "p.pairwright") as project:
        before = neutral_keys(project)
        answer(project, before)
        mine_with(project, MORE_PHRASES)
        assert set(before) <= set(neutral_keys(project))


def test_neither_the_order_of_papers_nor_settings_in_between_matter(tmp_path: Path) -> None:
    with make_project(tmp_path / "a.pairwright") as one, make_project(tmp_path / "b.pairwright", FILES[::-1]) as other:
        answered = neutral_keys(one)[::2]
        for project in (one, other):
            answer(project, answered)
        mine_with(one, OTHER_DRAWS)
        for settings in (MORE_PHRASES, replace(OTHER_DRAWS, seed=7), OTHER_DRAWS):
            mine_with(other, settings)
        later = [key for key in neutral_keys(one) if key not in answered][:2]
        for project in (one, other):
            answer(project, later)
        assert exported(one, tmp_path / "one") == exported(other, tmp_path / "other")
        mine_with(one, SETTINGS)
        mine_with(one, OTHER_DRAWS)
        assert exported(one, tmp_path / "again") == exported(other, tmp_path / "other again")


def test_a_rebuild_has_the_answered_pairs_of_former_settings(tmp_path: Path) -> None:
    papers = tmp_path / "papers"
    papers.mkdir()
    for file in FILES:
        (papers / file.name).write_bytes(file.read_bytes())
    with make_project(tmp_path / "p.pairwright") as project:
        first = neutral_keys(project)
        answer(project, first[::2])
        mine_with(project, OTHER_DRAWS)
        assert set(first[::2]) - set(drawn_by(OTHER_DRAWS, tmp_path))  # some of them are not drawn by these settings
        with project.transaction() as stores:
            action = stores.actions.begin("anna", "x", NOW)
            scope = judgement.keys_scope(neutral_keys(project)[1:2])
            stores.marks.put(scope, "anna", MarkKind.NOTE, "why", NOW, action=action)
        answer(project, first[:1], None)  # withdrawn after mining: it is there as long as nothing is mined again
        answer(project, neutral_keys(project)[-2:])
        made = exported(project, tmp_path / "out")
    rebuild(tmp_path / "out" / "manifest.json", papers, tmp_path / "again", workers=1).work(Progress())
    assert {path.name: path.read_bytes() for path in (tmp_path / "again").iterdir()} == made
    assert b"why" not in made["annotations.json"]


def test_a_rebuild_knows_nothing_of_answered_pairs_that_are_no_longer_mined(tmp_path: Path) -> None:
    papers = tmp_path / "papers"
    papers.mkdir()
    (papers / FILES[0].name).write_bytes(FILES[0].read_bytes())
    with make_project(tmp_path / "p.pairwright", FILES[:1]) as project:
        with project.read_transaction() as stores:
            linked = [one.key for one in stores.pairs.of_paper(stores.papers.md5s()[0]) if one.phrase == "However"]
        answer(project, [*linked, *neutral_keys(project)], annotator="a former one")
        answer(project, neutral_keys(project)[:1])
        mine_with(project, replace(SETTINGS.switch("However", on=False), neutral_strategies=()))
        with project.read_transaction() as stores:
            rest = [one.key for one in stores.pairs.of_paper(stores.papers.md5s()[0])]
        assert linked
        answer(project, rest[:1])
        made = exported(project, tmp_path / "out")
    rebuild(tmp_path / "out" / "manifest.json", papers, tmp_path / "again", workers=1).work(Progress())
    differing = {name for name, content in made.items() if (tmp_path / "again" / name).read_bytes() != content}
    assert differing <= {"README.md", "receipt.json", "SHA256SUMS"}  # how many pairs are no longer mined
    assert b"annotator 002" not in made["annotations.json"]  # a former one


def drawn_by(settings: MiningSettings, folder: Path) -> list[str]:
    with make_project(folder / "drawn.pairwright") as project:
        mine_with(project, settings)
        return neutral_keys(project)


def test_a_pair_that_is_answered_while_its_paper_is_mined_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("desktop.jobs.mining.run._MAX_BATCH_SECONDS", 600.0)  # all papers are stored together
    drawn = drawn_by(OTHER_DRAWS, tmp_path)
    with make_project(tmp_path / "p.pairwright") as project:
        key = next(key for key in neutral_keys(project) if key not in drawn)
        ticks: list[Tick] = []

        def listen(tick: Tick) -> None:
            ticks.append(tick)
            if len(ticks) == len(FILES) + 1:  # one before the first paper, one after each
                assert (tick.done, key in neutral_keys(project)) == (0, True)
                answer(project, [key])

        mine(project, OTHER_DRAWS, workers=1, model=NO_MODEL).work(Progress(listen))
        assert key in neutral_keys(project)


@pytest.mark.parametrize("answered_share", [0, 2])
def test_the_preview_says_which_neutral_pairs_move(tmp_path: Path, answered_share: int) -> None:
    with make_project(tmp_path / "p.pairwright") as project:
        before = neutral_keys(project)
        answered = before[::answered_share] if answered_share else []
        answer(project, answered)
        preview = SettingsPreview(project, model=NO_MODEL)
        same = preview.effect(SETTINGS, SETTINGS).work(Progress())
        assert same.neutral == NeutralMoves(len(before), 0, 0, len(answered), {})
        effect = preview.effect(SETTINGS, OTHER_DRAWS).work(Progress())
        fewer = preview.effect(SETTINGS, replace(SETTINGS, neutral_strategies=(Strategy.BOTH_RANDOM,))).work(Progress())
        none = preview.effect(SETTINGS, replace(SETTINGS, neutral_ratio=0)).work(Progress())
        preview.close().work(Progress())
        mine_with(project, OTHER_DRAWS)
        after = neutral_keys(project)
    stay = len(set(before) & set(after))
    assert effect.neutral == NeutralMoves(stay, len(after) - stay, len(before) - stay, len(answered), {})
    assert sum(effect.after.kept.values()) - sum(effect.before.kept.values()) == (
        effect.counts[Difference.GAINED] - effect.counts[Difference.LOST]
    )
    assert set(fewer.neutral.annotated_go) == ({"strategy_off"} if answered else set())
    assert none.neutral.annotated_go == ({"over_quota": len(answered)} if answered else {})
