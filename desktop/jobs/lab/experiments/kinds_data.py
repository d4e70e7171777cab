"""The kinds of reasoning of the pairs of experiments whose tables ask for them."""

from __future__ import annotations

from miner.kinds.majority import majority_kinds
from miner.lab.experiments.experiment import Experiment, TableAxis
from storage.project import Project


def asks_for_kinds(experiment: Experiment) -> bool:
    """Whether a table of the experiment has a column for each kind of reasoning."""
    return any(table.columns is TableAxis.KIND for table in experiment.tables)


def read_kinds(project: Project) -> dict[str, str]:
    """The categories that annotators give the project's pairs, by the pair's key: sorted, separated by spaces."""
    with project.read_transaction() as stores:
        answers = stores.kinds.all()
    found = {key: majority_kinds(by) for key, by in answers.items()}
    return {key: " ".join(sorted(one.categories)) for key, one in found.items() if one is not None}
