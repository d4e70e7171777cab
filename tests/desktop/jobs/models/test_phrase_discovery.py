"""The search for new linking phrases: what it finds, and where it refuses."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from desktop.jobs.mining.run import NO_MODEL, mine, mining_settings
from desktop.jobs.models.phrase_discovery import PhraseDiscovery, discover_phrases, release_discovery_model
from desktop.jobs.papers.import_session import ImportOptions
from desktop.jobs.papers.imports import import_papers
from desktop.jobs.results import describe
from miner.errors import UserError
from miner.mining.linking_phrases import Phrase
from miner.progress import Progress
from miner.records import Answer, Label, Strategy
from storage.annotation.answers import NewAnswer
from storage.project import Project

PLACES = ("Bern", "Oslo", "Rome", "Kyiv", "Lima", "Cairo", "Tunis", "Quito", "Delhi", "Seoul", "Accra")
PARAGRAPHS = [
    "The moss of {0} grew fast in spring. However, the lichen of {0} did not grow at all.",
    "We thought that the moss of {0} would grow. Surprisingly, it did not grow in {0} at all.",
    "Rain is rare in the hills of {0}. Therefore, the moss of {0} was dry in summer.",
    "Moss of {0} needs some water each day. Specifically, it needs two grams of water a day in {0}.",
    "Snails of {0} eat at night. In contrast, the beetles of {0} eat during the day.",
    "The old walls of {0} are wet in spring. Thus, the moss of {0} was found on walls.",
    "Lichen of {0} is of three kinds. In particular, it is grey, green or yellow in {0}.",
    "A wall of {0} was cleaned last year. The snow in the north of {0} was deep. Birds of {0} nest in its gaps.",
]


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Project]:
    sections = [
        [{"title": part, "paragraphs": [text.format(place) for text in PARAGRAPHS]} for part in ("Results",)]
        for place in PLACES
    ]
    lines = [json.dumps({"title": place, "sections": one}) for place, one in zip(PLACES, sections, strict=True)]
    (tmp_path / "papers.jsonl").write_text("\n".join(lines))
    with Project.create(tmp_path / "p.pairwright") as project:
        import_papers(project, [tmp_path / "papers.jsonl"], ImportOptions(workers=1)).work(Progress())
        yield project
    release_discovery_model()


def mined(project: Project, **changes: object) -> None:
    settings = replace(mining_settings(project), neutral_ratio=3.0, neutral_shared_words=True, **changes)  # type: ignore[arg-type]
    mine(project, settings, workers=1, model=NO_MODEL).work(Progress())


def found(project: Project) -> PhraseDiscovery:
    return discover_phrases(project, workers=1, language_model=NO_MODEL, device="cpu").work(Progress())


def test_openers_are_found_with_their_pairs_examples_and_answers(project: Project) -> None:
    mined(project, implicit=True)
    discovery = found(project)
    assert (discovery.papers, discovery.all_papers, discovery.openers) == (len(PLACES), len(PLACES), 1)
    [phrase] = discovery.phrases
    assert (phrase.text, phrase.expected.label) == ("Surprisingly", Label.CONTRASTING)
    assert (phrase.pairs, phrase.papers, phrase.scored, phrase.answered) == (len(PLACES), len(PLACES), len(PLACES), 0)
    assert phrase.examples[0].hypothesis.startswith("it did not grow in")
    assert describe(discovery).sentence.startswith("1 opener of all 11 papers may announce a relation")
    with project.transaction() as stores:
        pairs = [pair for md5 in stores.papers.md5s() for pair in stores.pairs.of_paper(md5)]
        keys = [
            pair.key for pair in pairs if pair.strategy is Strategy.IMPLICIT and "Surpris" in pair.hypothesis_original
        ]
        for key, answer in zip(keys[:3], (Answer.CONTRASTING, Answer.CONTRASTING, Answer.UNCLEAR), strict=True):
            stores.answers.append([NewAnswer(key, "Ada", datetime.now(UTC), answer)])
    [answered] = found(project).phrases
    assert (answered.answered, answered.right) == (3, 2), "answers to implicit pairs are answers to the opener's"
    assert answered.expected != phrase.expected
    settings = mining_settings(project).with_phrase(Phrase("Surprisingly", Label.CONTRASTING))
    before = {pair.key for pair in pairs}
    mine(project, settings, workers=1, model=NO_MODEL).work(Progress())
    with project.read_transaction() as stores:
        after = [pair for md5 in stores.papers.md5s() for pair in stores.pairs.of_paper(md5)]
    added = [pair for pair in after if pair.phrase == "Surprisingly"]
    assert len(added) == phrase.pairs
    assert before.isdisjoint(pair.key for pair in added)


def test_without_known_pairs_there_is_nothing_to_compare_with(project: Project) -> None:
    with pytest.raises(UserError, match="too few contrasting pairs"):
        found(project)
