"""The figures of published data sets, for comparison with a project's (MSciNLI, Tables 2, 12 and 13)."""

from __future__ import annotations

from typing import NamedTuple

from desktop.translation import tr


class PublishedDataSet(NamedTuple):
    """A row of Table 2: numbers of pairs, mean tokens, shares in percent."""

    name: str
    train: int
    dev: int
    test: int
    premise_words: float
    hypothesis_words: float
    complete_premises: float
    complete_hypotheses: float
    overlap: float
    agreement: float


SCINLI = PublishedDataSet("SciNLI", 101_412, 2_000, 4_000, 27.38, 25.93, 96.8, 96.7, 30.06, 85.8)
MSCINLI = PublishedDataSet("MSciNLI", 127_320, 1_000, 4_000, 26.84, 25.85, 94.4, 94.3, 30.29, 88.0)
MSCINLI_DOMAINS = (
    PublishedDataSet(tr("MSciNLI, hardware"), 25_464, 200, 800, 26.10, 24.59, 94.3, 94.5, 30.52, 84.6),
    PublishedDataSet(tr("MSciNLI, networks"), 25_464, 200, 800, 26.37, 25.01, 93.9, 93.7, 30.17, 90.5),
    PublishedDataSet(tr("MSciNLI, software"), 25_464, 200, 800, 25.80, 24.51, 93.9, 94.1, 29.83, 86.5),
    PublishedDataSet(tr("MSciNLI, security"), 25_464, 200, 800, 26.14, 24.50, 94.0, 94.2, 29.91, 90.4),
    PublishedDataSet(tr("MSciNLI, NeurIPS"), 25_464, 200, 800, 29.80, 29.66, 96.0, 95.1, 31.04, 88.5),
)
MSCINLI_AGREEMENT = {"contrasting": 92.9, "reasoning": 83.1, "entailment": 79.2, "neutral": 96.7, "": 88.0}
"""Table 12: the agreement rate by distant label, "" for all, in percent; 1,748 pairs of each were annotated."""
MSCINLI_SIMILARITIES = (0.61, 0.97)
"""Table 13: the least and the greatest cosine of two of its domains."""
