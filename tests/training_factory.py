"""Made-up training runs: three seeds of a recipe, and an interrupted run."""

from __future__ import annotations

import math
import random
from datetime import UTC, datetime, timedelta
from typing import Any

from miner.records import Label
from storage.models.training_runs import TrainingRunState
from storage.project import Project

_STEPS, _EPOCHS = 240, 3
_LABELS = tuple(label.value for label in Label)
_FIRST = datetime(2026, 3, 2, 9, 12, tzinfo=UTC)


def train(project: Project) -> None:
    draw = random.Random(7)
    pairs = {"distant": dict.fromkeys(_LABELS, 19), "answer": dict.fromkeys(_LABELS, 18)}
    data = {"pairs": pairs, "examples": 148, "dev": 22, "papers": 8}
    starter = _scores(random.Random(3), 0.55)
    for seed in range(4):
        done = seed < 3
        recipe = {"name": "from the starter", "seed": seed}
        with project.transaction() as stores:
            id = stores.training_runs.start(
                f"coastal and friends, seed {seed}",
                settings={"start": "starter", "recipe": recipe},
                fingerprint="",
                data=data,
                versions={},
                folder=f"{seed + 1}-coastal-and-friends",
                at=_FIRST + timedelta(minutes=9 * seed),
            )
            history = _history(draw, _EPOCHS if done else 1)
            final = history["dev"][-1][3]
            stores.training_runs.update(
                id,
                state=TrainingRunState.DONE if done else TrainingRunState.PAUSED,
                history=history,
                metrics={"dev": final, "baseline": starter, "seconds": draw.uniform(170, 200)} if done else {},
                ended=_FIRST + timedelta(minutes=9 * seed + 3) if done else None,
            )


def _history(draw: random.Random, epochs: int) -> dict[str, Any]:
    loss, dev, late = [], [], 1.4
    for step in range(1, _STEPS * epochs // _EPOCHS + 1):
        late = 0.95 * late + 0.05 * (0.55 + 0.85 * math.exp(-step / 60) + draw.gauss(0, 0.12))
        loss.append(["", step, round(late, 4)])
    for epoch in range(1, epochs + 1):
        dev.append(["", _STEPS * epoch // _EPOCHS, epoch, _scores(draw, 0.6 + 0.04 * math.sqrt(epoch))])
    return {"loss": loss, "dev": dev, "notes": []}


def _scores(draw: random.Random, right: float) -> dict[str, Any]:
    each = 60
    confusion = [[0] * 4 for _ in _LABELS]
    for row in range(4):
        for _ in range(each):
            confusion[row][row if draw.random() < right else draw.randrange(4)] += 1
    per_class = {}
    for row, label in enumerate(_LABELS):
        said = sum(line[row] for line in confusion)
        hits = confusion[row][row]
        values = {"precision": hits / max(1, said), "recall": hits / each, "f1": 2 * hits / (said + each)}
        per_class[label] = {**values, "support": each}
    return {
        "n": 4 * each,
        "accuracy": sum(confusion[row][row] for row in range(4)) / (4 * each),
        "macro_f1": sum(scores["f1"] for scores in per_class.values()) / 4,
        "per_class": per_class,
        "confusion": confusion,
        "ece": draw.uniform(0.012, 0.03),
        "measured_on": "the same",
    }
