"""The pairs that a run of an experiment learns from and is tested on, as examples for its process."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Sequence

from desktop.jobs.lab.experiments.data import ExperimentData
from desktop.jobs.lab.experiments.drawing import ExperimentText
from desktop.jobs.lab.experiments.map_files import map_path, read_map
from desktop.jobs.lab.experiments.report_text import LEARNED
from desktop.text import count
from desktop.translation import in_english, tr
from miner.classifier.examples import TrainingExample
from miner.errors import UserError
from miner.lab.experiments.cartography import data_map, select_subset
from miner.lab.experiments.plan import SystemRun
from miner.lab.experiments.system_kinds import PromptSystem, System
from miner.mining.identity import text_hash
from storage.project import Project


class RunExamples:
    """The examples of the runs of one experiment."""

    def __init__(self, project: Project, data: ExperimentData) -> None:
        self._project, self._data, self._experiment = project, data, data.experiment

    def to_learn(self, run: SystemRun) -> Iterable[TrainingExample]:
        """The examples of the train and dev part; for a subset, of the pairs that its data map selects."""
        one = self._experiment.data[run.train]
        parts = self._data.parts[one.of or run.train]
        train: Sequence[ExperimentText] = parts["train"]
        if run.mapping and one.subset is not None:
            try:
                stored = read_map(map_path(self._project, run.mapping))
            except (OSError, ValueError) as exc:
                raise UserError(tr("The training dynamics are missing, so no subset can be taken.")) from exc
            found = data_map(stored.probabilities, stored.correct)
            if len(found) != len(train):
                raise UserError(tr("The training dynamics are of other pairs, so no subset can be taken."))
            train = [train[place] for place in select_subset(found, one.subset, one.share)]
        yield from map(self.example, train)
        for pair in parts.get("dev", ()):
            example = self.example(pair)
            yield TrainingExample(
                example.key, example.paper, example.premise, example.hypothesis, example.label, dev=True
            )

    def needed(self, system: System, classes: Sequence[str]) -> Iterable[TrainingExample]:
        """The examples of other sets that a system needs.

        Exemplars have the experiment's classes, an intermediate set has `classes`.
        """
        for pair in self._data.parts[system.needed_sets[0]]["train"]:
            if isinstance(system, PromptSystem):
                if self._experiment.class_of(pair.label) is not None:
                    yield self.example(pair)
            else:
                yield TrainingExample(pair.key, pair.paper, pair.premise, pair.hypothesis, classes.index(pair.label))

    def to_predict(self, test: str, known: Container[bytes]) -> list[ExperimentText]:
        """The pairs of a test part whose texts are not among those with a known prediction."""
        pairs = self._data.parts[test]["test"]
        return [pair for pair in pairs if text_hash(pair.premise, pair.hypothesis) not in known]

    @in_english()
    def describe_learned(self, run: SystemRun) -> tuple[str, ...]:
        """A description of the pairs that a run learned from, for reports; () for a system that does not learn."""
        if not run.train:
            return ()
        names = self._experiment.class_names
        examples = list(self.to_learn(run))
        labels = Counter(one.label for one in examples if not one.dev)
        classes = ", ".join(f"{labels[number]:,} {name}" for number, name in enumerate(names))
        dev = sum(one.dev for one in examples)
        kept = f"; {count(dev, 'dev pair')}" if dev else ""
        return (f"{LEARNED}{count(labels.total(), 'pair')}: {classes}{kept}.",)

    def example(self, pair: ExperimentText) -> TrainingExample:
        """The example of a pair that belongs to a class of the experiment."""
        label = self._experiment.class_of(pair.label)
        assert label is not None
        return TrainingExample(pair.key, pair.paper, pair.premise, pair.hypothesis, label)
