"""The linked class with the fewest pairs, and what the extended lexicon would add to it.

Existing pairs are counted in the whole project. What switched-off phrases would add is measured on a sample of papers,
the same as in the preview of settings.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import NamedTuple

from desktop.jobs.mining.lexicon_figures import LexiconFigures, PhraseFigures, load_lexicon_figures
from desktop.jobs.mining.preview import SAMPLE_SIZE, SettingsEffect, draw_sample
from desktop.jobs.mining.run import load_analyzer, mining_settings
from desktop.translation import tr
from miner import codec
from miner.mining.linking_phrases import Phrase, phrase_key
from miner.mining.settings import MiningSettings
from miner.mining.spare_phrases import count_spare_pairs, reliable_phrases, spare_phrases
from miner.processes.child import Failure, ProcessLimits
from miner.processes.pool import run
from miner.progress import Job, Progress
from miner.records import Label, Strategy
from storage.pairs.filters import PairFilter
from storage.project import Project

_LINKED_CLASSES = tuple(label for label in Label if label is not Label.NEUTRAL)
_LIMITS = ProcessLimits(seconds=60, megabytes=2_000)  # for one paper


@dataclass(frozen=True, slots=True)
class SampleGain:
    """How many pairs spare phrases add to a class: `added` to `pairs`, in a sample of `papers` of `all_papers`.

    reliable: how many of the added pairs are of reliable phrases.
    """

    papers: int
    all_papers: int
    pairs: int
    added: int
    reliable: int = 0

    @staticmethod
    def of(
        spare: Iterable[Phrase], counted: Mapping[str, int], *, papers: int, all_papers: int, pairs: int
    ) -> SampleGain:
        """The gain by these phrases; counted: how many pairs each would add, by `phrase_key`."""
        added = {phrase: counted.get(phrase_key(phrase.text), 0) for phrase in spare}
        reliable = sum(added[phrase] for phrase in reliable_phrases(added))
        return SampleGain(papers, all_papers, pairs, sum(added.values()), reliable)


class SparePhrases(NamedTuple):
    """The phrases of the extended lexicon that are off. made_of: the settings and papers that their gain depends on."""

    phrases: tuple[Phrase, ...]
    made_of: str

    def of_class(self, label: str) -> tuple[Phrase, ...]:
        return tuple(phrase for phrase in self.phrases if phrase.label == label)


@dataclass(frozen=True, slots=True)
class RareClass:
    """The linked class with the fewest pairs: `pairs` of `all_pairs` of all classes, neutral ones included.

    in_sample: both numbers are of a sample, since the project is not mined with the settings yet. spare: the class's
    phrases of the extended lexicon that are off. gain: what they would add; None without a sample. answered, agreed:
    how many pairs of spare phrases people answered earlier, and how many of them with this class.
    """

    label: Label
    pairs: int
    all_pairs: int
    in_sample: bool
    spare: tuple[Phrase, ...]
    gain: SampleGain | None
    answered: int
    agreed: int

    @property
    def can_grow(self) -> bool:
        """Whether turning on the spare phrases may add pairs; not if the sample is all papers and has none of them."""
        none = self.gain is not None and not self.gain.added and self.gain.papers == self.gain.all_papers
        return bool(self.spare) and not none

    @property
    def reliable(self) -> tuple[Phrase, ...]:
        """The spare phrases that are reliable."""
        return reliable_phrases(self.spare)


def rarest_class(counts: Mapping[Label, int]) -> Label | None:
    """The linked class with the fewest pairs; None if there are no pairs of these classes."""
    if not any(counts.get(label) for label in _LINKED_CLASSES):
        return None
    return min(_LINKED_CLASSES, key=lambda label: counts.get(label, 0))


def find_rare_class(
    settings: MiningSettings, figures: LexiconFigures, effect: SettingsEffect | None, *, is_mined: bool
) -> RareClass | None:
    """The rarest class with these settings; None if there are no pairs.

    effect: the effect of these settings on a sample. is_mined: the project's pairs were mined with these settings, so
    that the project's counts are given; otherwise the sample's.
    """
    sampled: Mapping[Label, int] = effect.classes_after if effect else {}
    counts = figures.classes if is_mined else sampled
    if (label := rarest_class(counts)) is None:
        return None
    spare = spare_phrases(settings.phrases, label)
    gain = None
    if effect is not None and spare:
        gain = SampleGain.of(
            spare, effect.spare_pairs, papers=effect.sample, all_papers=effect.papers, pairs=sampled.get(label, 0)
        )
    return _rare_class(label, counts, figures, spare, gain, in_sample=not is_mined)


def measure_rare_class(
    project: Project, *, workers: int | None = None, model: str | None = None
) -> Job[RareClass | None]:
    """The rarest class of the project's pairs, with a sample mined by its spare phrases; None if there are no pairs.

    The sample is the first that `SettingsPreview` draws. workers: with 1, no worker process is started; model: see
    `load_analyzer`.
    """

    def work(progress: Progress) -> RareClass | None:
        settings, figures = mining_settings(project), load_lexicon_figures(project).work(progress)
        if (label := rarest_class(figures.classes)) is None:
            return None
        spare = spare_phrases(settings.phrases, label)
        gain = _measure_gain(project, settings, label, spare, workers, model, progress) if spare else None
        return _rare_class(label, figures.classes, figures, spare, gain, in_sample=False)

    return Job(tr("Counting what more phrases would give"), work)


def load_spare_phrases(project: Project) -> Job[SparePhrases | None]:
    """The phrases of the extended lexicon that are off; None for a project without papers to mine."""

    def work(progress: Progress) -> SparePhrases | None:
        with project.read_transaction() as stores:
            if not stores.papers.count():
                return None
            papers = stores.papers.text_digest()
        settings = mining_settings(project)
        return SparePhrases(spare_phrases(settings.phrases), f"{papers} {codec.encode(settings)}")

    return Job(tr("Reading the lexicon"), work)


def measure_gain(project: Project, label: Label, *, model: str | None = None) -> Job[SampleGain]:
    """What the spare phrases of a class would add to its pairs, as `measure_rare_class` measures it."""

    def work(progress: Progress) -> SampleGain:
        settings = mining_settings(project)
        return _measure_gain(project, settings, label, spare_phrases(settings.phrases, label), None, model, progress)

    return Job(tr("Counting what more phrases would give"), work)


def _rare_class(
    label: Label,
    counts: Mapping[Label, int],
    figures: LexiconFigures,
    spare: tuple[Phrase, ...],
    gain: SampleGain | None,
    *,
    in_sample: bool,
) -> RareClass:
    of_spare = [figures.phrases.get(phrase_key(phrase.text), PhraseFigures()) for phrase in spare]
    answered, agreed = sum(one.answered for one in of_spare), sum(one.agreed for one in of_spare)
    pairs = counts.get(label, 0)
    return RareClass(label, pairs, sum(counts.values()), in_sample, spare, gain, answered, agreed)


def _measure_gain(
    project: Project,
    settings: MiningSettings,
    label: Label,
    spare: tuple[Phrase, ...],
    workers: int | None,
    model: str | None,
    progress: Progress,
) -> SampleGain:
    with project.read_transaction() as stores:
        papers = stores.papers.md5s()
        sample = draw_sample(papers, SAMPLE_SIZE, seed=0)
        of_class = PairFilter(
            papers=frozenset(sample), distant=frozenset({label}), strategies=frozenset({Strategy.LINKED})
        )
        pairs = stores.pair_table.count(of_class)
    counted: Counter[str] = Counter()
    if workers == 1:
        count_one = _counter(project, settings, model)
        for done, md5 in enumerate(sample):
            progress.tick(done, len(sample))
            counted += count_one(md5)
    else:
        setup = partial(_open_counter, project.path, settings, model)
        with closing(run(setup, sample, workers=1, limits=_LIMITS, on_poll=lambda: progress.tick(0))) as answers:
            for _, answer in answers:
                counted += Counter() if isinstance(answer, Failure) else answer
    return SampleGain.of(spare, counted, papers=len(sample), all_papers=len(papers), pairs=pairs)


def _open_counter(path: Path, settings: MiningSettings, model: str | None) -> Callable[[str], Counter[str]]:
    """`_counter` for a worker process; the project is closed when the process ends."""
    return _counter(Project.open(path, read_only=True), settings, model)


def _counter(project: Project, settings: MiningSettings, model: str | None) -> Callable[[str], Counter[str]]:
    """A function that counts the pairs of spare phrases in a paper; none if the paper was removed."""
    analyzer = load_analyzer(model)

    def count_one(md5: str) -> Counter[str]:
        try:
            with project.read_transaction() as stores:
                paper = stores.papers.get(md5)
        except KeyError:
            return Counter()
        return count_spare_pairs(paper, settings, analyzer)

    return count_one
