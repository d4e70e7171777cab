"""The job that looks for new linking phrases: openers of the project's sentences whose pairs have one relation."""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from desktop.jobs.mining.preview import draw_sample
from desktop.jobs.mining.run import load_analyzer, mining_settings
from desktop.jobs.models.calibration import card_temperature
from desktop.jobs.models.model_process import ModelProcess, require_finite
from desktop.jobs.models.registry import find_model, require_classifier
from desktop.translation import tr
from miner.classifier.calibration import apply_temperature
from miner.classifier.checkpoints import STARTER_NAME
from miner.classifier.examples import LABELS
from miner.errors import UserError
from miner.libraries import NDArray, np
from miner.mining.identity import pair_key
from miner.mining.opener_precision import ExpectedPrecision, PrecisionEstimator
from miner.mining.openers import FrequentOpeners, count_openers, opener_pairs
from miner.mining.settings import MiningSettings
from miner.processes.child import Failure, ProcessLimits
from miner.processes.pool import run, worker_count
from miner.progress import Job, Progress
from miner.records import Label, Pair, Strategy
from storage.project import Project

_MAX_PAPERS = 5_000  # searched; a random sample of more
_MIN_PAPERS = 5  # that an opener is in
_MAX_OPENERS = 100  # that are scored, the most frequent first
_MIN_PAIRS = 8  # that an opener adds
_PAIRS_PER_OPENER = 40  # scored: a few minutes for all openers, and shares to within some ten percent
_PAIRS_PER_CLASS = 120  # known pairs scored
_MIN_KNOWN = 20  # of each class
_MIN_SHARE = 0.4  # expected, of the openers that are shown
_MAX_EXAMPLES = 10
_BATCH_SIZE = 128
_LIMITS = ProcessLimits(seconds=120, megabytes=2_000)  # for one paper

_process = ModelProcess()


class OpenerExample(NamedTuple):
    """A pair that an opener would add, and the model's probability of the opener's relation, 0.0 to 1.0."""

    premise: str
    hypothesis: str
    probability: float


@dataclass(frozen=True, slots=True)
class DiscoveredPhrase:
    """An opener that could become a linking phrase for `expected.label`.

    pairs, papers: how many pairs it would add, from how many of the searched papers. scored: how many of the pairs the
    model scored. answered, right: how many of its pairs people answered, and how many of these with this relation.
    """

    text: str
    expected: ExpectedPrecision
    pairs: int
    papers: int
    scored: int
    answered: int
    right: int
    examples: tuple[OpenerExample, ...]


@dataclass(frozen=True, slots=True)
class PhraseDiscovery:
    """The openers that could become linking phrases, the best first.

    papers: how many of `all_papers` were searched, drawn at random. openers: how many openers were scored.
    """

    model: str
    papers: int
    all_papers: int
    openers: int
    phrases: tuple[DiscoveredPhrase, ...]


def discover_phrases(
    project: Project,
    *,
    model: str = STARTER_NAME,
    device: str = "auto",
    workers: int | None = None,
    language_model: str | None = None,
) -> Job[PhraseDiscovery]:
    """Count the openers of the papers' sentences, mine by the frequent ones, and score a sample of their pairs.

    Nothing is stored. model: scores the pairs; language_model: see `load_analyzer`. workers: with 1, no worker process
    reads papers. `UserError` if the project has too few pairs of a class to compare with.
    """

    def work(progress: Progress) -> PhraseDiscovery:
        with project.read_transaction() as stores:
            papers = stores.papers.md5s()
        settings = mining_settings(project)
        sample = draw_sample(papers, _MAX_PAPERS, seed=0)
        reader = _PaperReader(project, settings, language_model, worker_count(workers), sample, progress)
        frequent = FrequentOpeners()
        for counted in reader.count():
            frequent.add(counted)
        openers = frequent.most(papers=_MIN_PAPERS, size=_MAX_OPENERS)
        found, known = _Found(), {label: _Draw(_PAIRS_PER_CLASS) for label in LABELS}
        for read in reader.mine(openers):
            found.add(read)
            for pair in read.known:
                if pair.distant_label is not None:
                    known[pair.distant_label].add(pair)
        _require_known(known)
        candidates = [opener for opener in openers if found.pairs[opener] >= _MIN_PAIRS]
        scored = _score(project, model, device, [*known.values(), *(found.drawn[one] for one in candidates)], progress)
        phrases = _estimate(scored[: len(LABELS)], candidates, scored[len(LABELS) :], found)
        return PhraseDiscovery(model, len(sample), len(papers), len(candidates), phrases)

    return Job(tr("Looking for new linking phrases"), work)


def release_discovery_model() -> None:
    """End the model's process, if it is not in use, to free its memory."""
    _process.end_if_idle()


class _OpenersOfPaper(NamedTuple):
    """The pairs that openers would add to a paper, people's answers to them by the pair's key, and known pairs."""

    pairs: tuple[Pair, ...]
    answers: Mapping[str, Label | None]
    known: tuple[Pair, ...]


class _Draw:
    """A random sample of pairs, at most `size`; the same for the same pairs in any order. Keys are digests."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._heap: list[tuple[int, str, Pair]] = []  # the pair with the largest key first

    def add(self, pair: Pair) -> None:
        item = (-int(pair.key, 16), pair.key, pair)
        if len(self._heap) < self._size:
            heapq.heappush(self._heap, item)
        else:
            heapq.heappushpop(self._heap, item)

    @property
    def pairs(self) -> list[Pair]:
        return [pair for _, _, pair in sorted(self._heap, key=lambda item: item[1])]


@dataclass
class _Found:
    """What is known of each opener, by the opener."""

    pairs: Counter[str] = field(default_factory=Counter)
    papers: Counter[str] = field(default_factory=Counter)
    answered: Counter[str] = field(default_factory=Counter)
    right: dict[str, Counter[Label]] = field(default_factory=dict)
    drawn: dict[str, _Draw] = field(default_factory=dict)

    def add(self, read: _OpenersOfPaper) -> None:
        for pair in read.pairs:
            opener = pair.phrase or ""
            self.pairs[opener] += 1
            self.drawn.setdefault(opener, _Draw(_PAIRS_PER_OPENER)).add(pair)
            if pair.key in read.answers:
                self.answered[opener] += 1
                if (label := read.answers[pair.key]) is not None:
                    self.right.setdefault(opener, Counter())[label] += 1
        self.papers.update({pair.phrase or "" for pair in read.pairs})


@dataclass(frozen=True, slots=True)
class _PaperReader:
    """Reads the papers of `sample`, in worker processes if there are several."""

    project: Project
    settings: MiningSettings
    language_model: str | None
    workers: int
    sample: Sequence[str]
    progress: Progress

    def count(self) -> Iterator[Counter[str]]:
        """The openers of each paper."""
        yield from self._each(partial(_open_counter, self.project.path, self.settings), tr("counting openers"))

    def mine(self, openers: Sequence[str]) -> Iterator[_OpenersOfPaper]:
        """The pairs of these openers in each paper."""
        setup = partial(_open_miner, self.project.path, self.settings, tuple(openers), self.language_model)
        yield from self._each(setup, tr("mining by the frequent openers"))

    def _each(self, setup: Callable[..., Callable[[str], Any]], note: str) -> Iterator[Any]:
        total = len(self.sample)
        if self.workers == 1:
            read = setup(self.project)
            for done, md5 in enumerate(self.sample):
                self.progress.tick(done, total, note)
                if (answer := read(md5)) is not None:
                    yield answer
            return
        done = 0
        poll: Callable[[], None] = lambda: self.progress.tick(done, total, note)  # noqa: E731
        with closing(run(setup, self.sample, workers=self.workers, limits=_LIMITS, on_poll=poll)) as answers:
            for _, answer in answers:
                done += 1
                poll()
                if isinstance(answer, Failure):
                    if answer.refusal is not None:
                        raise answer.refusal
                elif answer is not None:
                    yield answer


def _open_counter(path: Path, settings: MiningSettings, project: Project | None = None) -> Callable[[str], Any]:
    """A function that counts the openers of a paper; None for a paper that was removed."""
    read = project or Project.open(path, read_only=True)  # until the process ends

    def count(md5: str) -> Counter[str] | None:
        try:
            with read.read_transaction() as stores:
                return count_openers(stores.papers.get(md5), settings.phrases)
        except KeyError:
            return None

    return count


def _open_miner(
    path: Path, settings: MiningSettings, openers: Sequence[str], model: str | None, project: Project | None = None
) -> Callable[[str], _OpenersOfPaper | None]:
    """A function that mines a paper by openers; None for a paper that was removed."""
    read, analyzer = project or Project.open(path, read_only=True), load_analyzer(model)

    def mine(md5: str) -> _OpenersOfPaper | None:
        try:
            with read.read_transaction() as stores:
                paper = stores.papers.get(md5)
                pairs = opener_pairs(paper, openers, settings, analyzer)
                keys = {_implicit_key(md5, pair): pair.key for pair in pairs} | {pair.key: pair.key for pair in pairs}
                given = stores.pairs.majorities(keys) if keys else {}
                known = _one_of_each_class(stores.pairs.of_paper(md5))
        except KeyError:
            return None
        return _OpenersOfPaper(tuple(pairs), {keys[key]: label for key, label in given.items()}, known)

    return mine


def _implicit_key(md5: str, pair: Pair) -> str:
    """The key of the same neighbours as an implicit pair, which people may have answered."""
    return pair_key(md5, pair.premise, pair.hypothesis_original, Strategy.IMPLICIT)


def _one_of_each_class(pairs: Sequence[Pair]) -> tuple[Pair, ...]:
    """A paper's first two pairs of each distant label by key, which is a random choice."""
    chosen: list[Pair] = []
    for label in LABELS:
        chosen += sorted((pair for pair in pairs if pair.distant_label is label), key=lambda pair: pair.key)[:2]
    return tuple(chosen)


def _require_known(known: Mapping[Label, _Draw]) -> None:
    missing = [label for label, draw in known.items() if len(draw.pairs) < _MIN_KNOWN]
    if missing:
        raise UserError(
            tr(
                "The project has too few {label} pairs: {pairs} of {least} that openers are compared with.",
                label=missing[0],
                pairs=len(known[missing[0]].pairs),
                least=_MIN_KNOWN,
            ),
            hint=tr("Mine the papers first, or add more papers."),
        )


def _score(
    project: Project, model: str, device: str, draws: Sequence[_Draw], progress: Progress
) -> list[NDArray[np.float64]]:
    """The probabilities of the pairs of each draw, (pairs, 4), at the model's own temperature."""
    checkpoint, _ = find_model(project, model)
    require_classifier(checkpoint, model)
    texts = [(pair.premise, pair.hypothesis) for draw in draws for pair in draw.pairs]
    order = sorted(range(len(texts)), key=lambda place: -sum(map(len, texts[place])))
    pieces = [order[low : low + _BATCH_SIZE] for low in range(0, len(order), _BATCH_SIZE)]
    found, done = np.zeros((len(texts), len(LABELS))), 0

    def look() -> None:
        progress.tick(done, len(texts), tr("scoring pairs"))

    with _process.reserved(progress):
        batches = ([texts[place] for place in piece] for piece in pieces)
        with closing(_process.predict(checkpoint, device, batches, look)) as answers:
            for piece, answer in zip(pieces, answers, strict=True):
                probabilities = require_finite(answer, checkpoint.name)
                found[piece] = apply_temperature(probabilities, card_temperature(checkpoint))
                done += len(piece)
                look()
    ends = np.cumsum([len(draw.pairs) for draw in draws])
    return np.split(found, ends[:-1])


def _estimate(
    known: Sequence[NDArray[np.float64]],
    openers: Sequence[str],
    scored: Sequence[NDArray[np.float64]],
    found: _Found,
) -> tuple[DiscoveredPhrase, ...]:
    """The openers with a relation, the one that is most certain first."""
    if not openers:
        return ()
    estimator = PrecisionEstimator(list(known), np.concatenate(list(scored)))
    phrases = []
    for opener, probabilities in zip(openers, scored, strict=True):
        right = found.right.get(opener, Counter())
        expected = estimator.estimate(probabilities, right, found.answered[opener])
        if expected.share < _MIN_SHARE:
            continue
        pairs, of_class = found.drawn[opener].pairs, probabilities[:, LABELS.index(expected.label)]
        examples = tuple(
            OpenerExample(pair.premise, pair.hypothesis, float(probability))
            for pair, probability in zip(pairs[:_MAX_EXAMPLES], of_class, strict=False)
        )
        counts = (found.pairs[opener], found.papers[opener], len(pairs), found.answered[opener], right[expected.label])
        phrases.append(DiscoveredPhrase(opener, expected, *counts, examples))
    return tuple(sorted(phrases, key=lambda phrase: (-phrase.expected.interval.low, phrase.text)))
