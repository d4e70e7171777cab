"""A mined project, and its pairs for a model to score."""

from __future__ import annotations

import pytest

from storage.models.suggestions import PairToScore
from storage.project import Project
from tests.storage.factories import add, mine
from tests.storage.models.suggestion_factory import begin, enter_model, missing


@pytest.fixture
def pairs(project: Project) -> list[PairToScore]:
    """Nine pairs of two papers, as a model gets them."""
    add(project, ["a", "b"])
    mine(project)
    run = begin(project, enter_model(project))
    found = missing(project, run)
    with project.transaction() as stores:
        stores._connection.exec_driver_sql("DELETE FROM suggestion_runs")
        stores._connection.exec_driver_sql("DELETE FROM models")
    assert len(found) == 9
    return found
