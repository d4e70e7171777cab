"""Answers to a sample for the precision of distant labels."""

from __future__ import annotations

from datetime import UTC, datetime
from random import Random

from miner.progress import Progress
from miner.records import Answer
from storage.annotation.answers import NewAnswer
from storage.project import Project

AT = datetime(2026, 7, 1, tzinfo=UTC)


def answer_sample(project: Project, size: int, *, right: float = 1.0, who: str = "anna") -> tuple[str, ...]:
    """Draw so many pairs and answer them, this share with the distant label; their keys in order."""
    chance = Random(5)
    with project.transaction() as stores:
        keys, draw = stores.precision_draws.draw((), size, 7, Progress())
        if draw is not None:
            stores.precision_samples.add(draw)
        distant = {one.key: Answer(one.label) for one in stores.precision_samples.sample()}
        answers = [distant[key] if chance.random() < right else Answer.UNCLEAR for key in keys]
        stores.answers.append(NewAnswer(key, who, AT, answer) for key, answer in zip(keys, answers, strict=True))
    return keys
