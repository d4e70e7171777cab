"""The pairs that a number on kinds of reasoning counts."""

from __future__ import annotations

from dataclasses import dataclass

from desktop.jobs.kinds.report import KindsReport
from miner.kinds.taxonomy import Direction


@dataclass(frozen=True, slots=True)
class KindsSelection:
    """The pairs that have all of these categories, and this label.

    label: "" for any label. model: only pairs that this model predicts rightly, or wrongly without `is_right`; "" for
    all. has_none: only pairs without any category. said: only pairs to which people give this direction; phrase: only
    pairs of this group of `AnsweredDirection`.
    """

    categories: frozenset[str] = frozenset()
    label: str = ""
    model: str = ""
    is_right: bool = False
    has_none: bool = False
    said: Direction | None = None
    phrase: str = ""

    def keys(self, report: KindsReport) -> list[str]:
        """The pairs of the report, by key."""
        found = []
        for key, pair in report.pairs.items():
            if not self.categories <= pair.categories or (self.has_none and pair.categories):
                continue
            if self.label not in ("", pair.label):
                continue
            predicted = pair.predicted.get(self.model) if self.model else None
            if self.model and (predicted is None or (predicted == pair.label) is not self.is_right):
                continue
            if self.said is not None:
                directed = report.directed[key]
                if directed.announced is None or (directed.said, directed.group) != (self.said, self.phrase):
                    continue
            found.append(key)
        return found
