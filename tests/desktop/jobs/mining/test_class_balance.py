"""The rarest linked class, and what the extended lexicon would add to it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from desktop.jobs.mining.class_balance import RareClass, SampleGain, find_rare_class, measure_rare_class, rarest_class
from desktop.jobs.mining.lexicon_figures import load_lexicon_figures
from desktop.jobs.mining.preview import SettingsPreview
from desktop.jobs.mining.run import NO_MODEL, mine
from desktop.jobs.papers.import_session import ImportOptions
from desktop.jobs.papers.imports import import_papers
from miner.mining.settings import MiningSettings
from miner.mining.spare_phrases import with_spare_phrases
from miner.progress import Progress
from miner.records import Answer, Label
from storage.annotation.answers import NewAnswer
from storage.project import Project

MORE = with_spare_phrases(MiningSettings(), Label.ENTAILMENT)
PARAGRAPHS = [
    "Moss grows on the stones of {0}. More specifically, it grows on those in the shade of {0}.",
    "Snails eat the moss of {0} at night. However, some moss of {0} comes back.",
    "The walls of {0} were old. Therefore, we looked at the mortar of {0}.",
    "The rain of {0} is rare. Thus, the moss of {0} was dry. However, its spores were alive in {0}.",
]


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Project]:
    """Three papers, each with two contrasts, two reasons and no entailment, but with a spare phrase."""
    lines = []
    for place in ("Bern", "Oslo", "Rome"):
        texts = [paragraph.format(place) for paragraph in PARAGRAPHS]
        texts += [f"The lichen of {place} is grey. That is, it has little water."] if place == "Bern" else []
        lines.append(json.dumps({"title": place, "sections": [{"title": "Results", "paragraphs": texts}]}))
    (tmp_path / "papers.jsonl").write_text("\n".join(lines))
    with Project.create(tmp_path / "p.pairwright") as project:
        import_papers(project, [tmp_path / "papers.jsonl"], ImportOptions(workers=1)).work(Progress())
        mine(project, workers=1, model=NO_MODEL).work(Progress())
        yield project


def measured(project: Project, workers: int = 1) -> RareClass:
    found = measure_rare_class(project, workers=workers, model=NO_MODEL).work(Progress())
    assert found is not None
    return found


def test_the_rarest_class_and_what_its_spare_phrases_would_add(project: Project) -> None:
    found = measured(project)
    with project.read_transaction() as stores:
        pairs = stores.pairs.count()
    assert (found.label, found.pairs, found.all_pairs, found.in_sample) == (Label.ENTAILMENT, 1, pairs, False)
    assert found.gain == SampleGain(papers=3, all_papers=3, pairs=1, added=3)
    assert (len(found.spare), found.answered, found.can_grow) == (5, 0, True)
    assert measured(project, workers=2) == found, "in a process of its own"
    mine(project, MORE, workers=1, model=NO_MODEL).work(Progress())
    now = measured(project)
    assert (now.label, now.pairs, now.spare, now.gain, now.can_grow) == (Label.ENTAILMENT, 4, (), None, False)


def test_the_preview_and_the_command_line_give_the_same_figures(project: Project) -> None:
    settings, preview = MiningSettings(), SettingsPreview(project, model=NO_MODEL)
    effect = preview.effect(settings, settings).work(Progress())
    figures = load_lexicon_figures(project).work(Progress())
    assert find_rare_class(settings, figures, effect, is_mined=True) == measured(project)
    sampled = preview.effect(settings, MORE).work(Progress())
    preview.close().work(Progress())
    assert sampled.classes_before == effect.classes_after == figures.classes
    assert sampled.classes_after[Label.ENTAILMENT] == effect.classes_after[Label.ENTAILMENT] + 3
    chosen = find_rare_class(MORE, figures, sampled, is_mined=False)
    assert chosen is not None
    assert (chosen.pairs, chosen.in_sample, chosen.spare) == (4, True, ())


def test_people_who_answered_pairs_of_a_phrase_count_when_it_is_off_again(project: Project) -> None:
    mine(project, MORE, workers=1, model=NO_MODEL).work(Progress())
    with project.transaction() as stores:
        pairs = [pair for md5 in stores.papers.md5s() for pair in stores.pairs.of_paper(md5)]
        keys = [pair.key for pair in pairs if pair.phrase == "More specifically"]
        for key, answer in zip(keys, (Answer.ENTAILMENT, Answer.ENTAILMENT, Answer.NEUTRAL), strict=True):
            stores.answers.append([NewAnswer(key, "Ada", datetime.now(UTC), answer)])
    mine(project, MiningSettings(), workers=1, model=NO_MODEL).work(Progress())
    found = measured(project)
    assert (found.answered, found.agreed) == (3, 2)
    figures = load_lexicon_figures(project).work(Progress()).phrases["more specifically"]
    assert figures == (0, 3, 2), "none is mined now"


def test_nothing_to_add_is_said_only_of_all_papers() -> None:
    spare = tuple(phrase for phrase in MiningSettings().phrases if phrase.extended)[:1]
    for gain, can_grow in ((SampleGain(3, 3, 1, 0), False), (SampleGain(3, 4, 1, 0), True), (None, True)):
        assert RareClass(Label.REASONING, 1, 9, False, spare, gain, 0, 0).can_grow is can_grow


def test_without_linked_pairs_no_class_is_rare(tmp_path: Path) -> None:
    assert rarest_class({}) is None
    assert rarest_class({Label.NEUTRAL: 4}) is None
    assert rarest_class({Label.REASONING: 4}) is Label.CONTRASTING
    with Project.create(tmp_path / "empty.pairwright") as empty:
        assert measure_rare_class(empty, workers=1, model=NO_MODEL).work(Progress()) is None
