"""How often distant labels are right, as far as is known before anybody has answered a pair."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from miner.records import Label

PUBLISHED_PRECISION: Mapping[str, float] = MappingProxyType(
    {Label.CONTRASTING: 0.929, Label.REASONING: 0.831, Label.ENTAILMENT: 0.792, Label.NEUTRAL: 0.967}
)
"""The share of each class's distant labels that most annotators confirmed, of 1,748 pairs of each class.

Source: Sadat and Caragea, MSciNLI (NAACL 2024), table 12.
"""
