"""Pairs at every layer of a model, on the tab Figures: nothing is computed unasked; slider, colours, what is opened."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QToolButton
from pytestqt.qtbot import QtBot

from desktop.jobs.lab.layers.embedding import KindsEmbedding
from desktop.jobs.lab.layers.files import write_embedding
from desktop.jobs.lab.layers.jobs import EmbeddingOptions, kept_path
from desktop.jobs.lab.layers.pairs import chosen_pairs, read_project_pairs
from desktop.ui.pages.kinds.embedding_panel import LIST_NAME, EmbeddingCard
from desktop.ui.services.project_context import ProjectContext
from miner.classifier.checkpoints import STARTER, inspect_checkpoint
from miner.lab.layers.layer_embedding import LayerPoints
from storage.pairs.filters import PairFilter
from storage.project import Project
from tests.desktop.embedding_factory import synthetic_embedding
from tests.kinds_factory import answer_kinds

KINDS = ["causal", "lexical", "causal world", "", "causal world lexical"] * 8  # 32 have at most two


@pytest.fixture
def card(context: ProjectContext, qtbot: QtBot) -> EmbeddingCard:
    answer_kinds(context.project, {"anna": KINDS})
    card = EmbeddingCard(context)
    qtbot.addWidget(card)
    card.resize(900, 700)
    card.show()
    card.refresh()
    qtbot.waitUntil(lambda: not card.is_measuring)
    return card


def keep_made_up(project: Project) -> KindsEmbedding:
    """Keep an embedding of the answered pairs, with random points, as a computation would have."""
    options = EmbeddingOptions("starter")
    given = chosen_pairs(read_project_pairs(project), options.pairs, options.seed)
    found = synthetic_embedding(len(given.pairs), 5)
    shape = (5, len(given.pairs.groups))
    figures = [np.full(size, 0.5, np.float32) for size in (shape, shape, shape[1:])]
    found = KindsEmbedding("starter", 1, given.pairs, LayerPoints(found.layers.points, *figures))
    write_embedding(kept_path(project, inspect_checkpoint(STARTER), options), found, given.digest)
    return found


def listed(project: Project) -> set[str]:
    with project.read_transaction() as stores:
        return set(stores.pair_table.keys(stores.pair_table.ids(PairFilter(lists=frozenset({LIST_NAME})))))


def test_nothing_is_computed_unasked_and_pairs_open(card: EmbeddingCard, context: ProjectContext, qtbot: QtBot) -> None:
    assert card.embedding is None
    assert "Nothing is computed yet" in card.waiting_label.text()
    assert card.bar.estimate.text().startswith("32 pairs: about ")
    keep_made_up(context.project)
    card.bar.button.click()
    assert card.bar.button.text() == "Stop"
    assert not card.bar.models.isEnabled()
    qtbot.waitUntil(lambda: card.embedding is not None and not card.is_measuring)
    found = card.embedding
    assert found is not None
    assert card.bar.button.text() == "Compute embedding"
    assert (card.slider.maximum(), card.slider.value()) == (4, 4)
    assert card.layer_text.text() == "Layer 4 of 4"
    assert "8 with more than 2 kinds left out" in card.note.text()
    assert [mark.values[:2] for mark in map(card.numbers.mark, range(3))] == [
        ("Lexical", 8),
        ("Causal", 16),
        ("World", 8),
    ]
    card.slider.setValue(0)
    assert card.layer_text.text() == "Word embeddings"
    assert card.numbers.mark(1).values[2] == pytest.approx(found.separations(0)[1].purity)
    kinds, labels, _ = card.by.findChildren(QToolButton)
    labels.click()
    assert sum(int(card.numbers.mark(row).values[1]) for row in range(card.numbers.rowCount())) == 32

    kinds.click()
    card.table.selectRow(2)
    assert card.selection_text.text() == "8 pairs selected"
    with qtbot.waitSignal(context.pairs_requested) as asked:
        card.open_button.click()
    assert asked.args == [PairFilter(lists=frozenset({LIST_NAME}))]
    assert listed(context.project) == {
        key for key, name in zip(found.pairs.keys, found.pairs.combinations, strict=True) if "world" in name
    }
    at = card.plot.point_of(5).toPoint()
    place = card.plot.place_at(card.plot.point_of(5))
    qtbot.mouseMove(card.plot, at + QPoint(1, 0))
    qtbot.mouseMove(card.plot, at)
    qtbot.waitUntil(lambda: card.premise.text() != "")
    with qtbot.waitSignal(context.pairs_requested):
        qtbot.mouseClick(card.plot, Qt.MouseButton.LeftButton, pos=at)
    assert listed(context.project) == {found.pairs.keys[place]}

    answer_kinds(context.project, {"anna": ["lexical"]})
    card.refresh()
    qtbot.waitUntil(lambda: not card.is_measuring)
    assert card.embedding is found
    assert card.bar.notice.text.startswith("Answers have changed")


def test_too_few_pairs_are_said(context: ProjectContext, qtbot: QtBot) -> None:
    card = EmbeddingCard(context)
    qtbot.addWidget(card)
    card.refresh()
    qtbot.waitUntil(lambda: not card.is_measuring)
    assert "from 30 pairs on, and there are 0" in card.bar.notice.text
    assert not card.bar.button.isEnabled()


def test_ten_thousand_pairs_are_painted_and_drawn_around(context: ProjectContext, qtbot: QtBot) -> None:
    card = EmbeddingCard(context)
    qtbot.addWidget(card)
    card.resize(900, 700)
    card.show()
    card._show_embedding(synthetic_embedding(10_000))
    area = card.plot.points_rect()
    with qtbot.waitSignal(card.plot.drawn) as drawn:
        qtbot.mousePress(card.plot, Qt.MouseButton.LeftButton, pos=area.topLeft().toPoint())
        for corner in (area.topRight(), area.bottomRight(), area.bottomLeft()):
            qtbot.mouseMove(card.plot, corner.toPoint())
        qtbot.mouseRelease(card.plot, Qt.MouseButton.LeftButton, pos=area.bottomLeft().toPoint())
    assert drawn.args[0].sum() == 10_000
    assert card.selection_text.text() == "10,000 pairs selected"
    qtbot.keyClick(card.plot, Qt.Key.Key_Escape)
    assert card.selected is None
