"""Kinds of reasoning: explaining models' errors, finding what papers say, and pairs at a layer of a model."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

import numpy as np

from desktop.jobs.lab.experiments.propositions import numbered_sentences
from miner.kinds.figures import AnnotatedPair, KindsFigures, kinds_figures
from miner.kinds.taxonomy import released_taxonomy
from miner.lab.probes.propositions import PropositionReader, load_parser
from miner.parsing.json_lines import parse_json_line, read_json_lines
from miner.parsing.sentences.splitter import SentenceSplitter, split_paper
from tests.desktop.embedding_factory import synthetic_embedding

Figure = tuple[str, str, str, str, bool | None]
PAIRS, MODELS, PAPERS = 10_000, 2, 60
_PEER_SHARE = 10  # of the sentences one in so many is parsed by the peer
_SIZE, _TIMES = (900, 520), 5  # of the plot; the fastest counts
_LABELS = ("entailment", "neutral", "contradiction")


def measure(shared: Path) -> Iterator[Figure]:
    """Processor time, in one process."""
    yield from _factors()
    papers = shared / "data" / "papers" / "papers-publichealth.jsonl.gz"
    if papers.is_file():
        yield from _propositions(papers)
    yield from _layers()


def _factors() -> Iterator[Figure]:
    """Made-up pairs with TaxiNLI's categories, seeded, and models that negations mislead."""
    taxonomy = released_taxonomy()
    pairs = _pairs(taxonomy.categories)
    kinds_figures(pairs[:100], taxonomy.categories, taxonomy.reasoning)  # imports what it needs
    started = time.process_time()
    found = kinds_figures(pairs, taxonomy.categories, taxonomy.reasoning)
    seconds = time.process_time() - started
    peer = _peer(pairs, taxonomy.reasoning, found)
    note = f"counts, φ, scores with intervals, regression, LDA; statsmodels' Logit alone {peer:.2f} s"
    yield f"factor analysis of {PAIRS:,} pairs, {MODELS} models", f"{seconds:.2f} s", "≤ 1 s", note, seconds <= 1


def _pairs(categories: Sequence[str]) -> list[AnnotatedPair]:
    random = np.random.default_rng(1)
    ticked = random.random((PAIRS, len(categories))) < np.linspace(0.02, 0.3, len(categories))
    lengths = random.integers(3, 40, (PAIRS, 2)).tolist()
    labels = random.integers(0, len(_LABELS), PAIRS).tolist()
    found = []
    for row, (premise, hypothesis), label in zip(ticked, lengths, labels, strict=True):
        chosen = frozenset(name for name, has in zip(categories, row, strict=True) if has)
        wrong = random.random(MODELS) < (0.4 if "negation" in chosen else 0.15)
        predicted = {f"model {n}": _LABELS[(label + int(is_wrong)) % 3] for n, is_wrong in enumerate(wrong)}
        found.append(AnnotatedPair(_LABELS[label], chosen, (premise, hypothesis), predicted))
    return found


def _peer(pairs: Sequence[AnnotatedPair], factors: Sequence[str], found: KindsFigures) -> float:
    """Seconds of fitting the same regressions by statsmodels, whose coefficients must be ours."""
    from statsmodels.api import Logit, add_constant

    rows = [[*(name in pair.categories for name in factors), *pair.words] for pair in pairs]
    values = add_constant(np.array(rows, np.float64))
    seconds = 0.0
    for model in found.models:
        right = np.array([pair.predicted[model.model] == pair.label for pair in pairs], np.float64)
        started = time.process_time()
        theirs = Logit(right, values).fit(disp=0)
        seconds += time.process_time() - started
        assert np.allclose(theirs.params[1:], [one.coefficient for one in model.factors.factors], atol=1e-4)
    return seconds


def _propositions(path: Path) -> Iterator[Figure]:
    splitter = SentenceSplitter.bundled()
    papers = [split_paper(parse_json_line(line), splitter) for line in islice(read_json_lines(path), PAPERS)]
    sentences = [text for paper in papers for text in numbered_sentences(paper)]
    reader = PropositionReader.load()
    started = time.process_time()
    said = sum(map(len, reader.read(sentences)))
    seconds = time.process_time() - started
    nlp, some = load_parser(), sentences[::_PEER_SHARE]
    started = time.process_time()
    for _ in nlp.pipe(some, batch_size=64):
        pass
    peer = (time.process_time() - started) * len(sentences) / len(some)
    note = f"{said:,} in {len(sentences):,} sentences; spaCy's pipeline as it comes {peer:.0f} s"
    yield f"propositions of {len(papers)} papers", f"{seconds:.0f} s", "≤ 30 s", note, seconds <= 30


def _layers() -> Iterator[Figure]:
    """From the slider's move to the picture, in the window's thread."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from PySide6.QtWidgets import QApplication

    from desktop.ui.pages.kinds.embedding_plot import EmbeddingPlot
    from desktop.ui.theme import Theme

    app = QApplication.instance() or QApplication([])
    assert isinstance(app, QApplication)
    found = synthetic_embedding(PAIRS)
    plot = EmbeddingPlot(Theme(app))
    plot.resize(*_SIZE)
    plot.show_embedding(found, {})
    spent = []
    for layer in range(_TIMES):
        started = time.process_time()
        plot.show_layer(layer)
        found.separations(layer)
        plot.grab()
        spent.append(time.process_time() - started)
    seconds, note = min(spent), f"{_SIZE[0]} by {_SIZE[1]} pixels, processor time of all threads"
    yield f"a layer of {PAIRS:,} pairs painted", f"{1000 * seconds:.0f} ms", "≤ 100 ms", note, seconds <= 0.1
