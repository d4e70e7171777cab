"""The axes of charts."""

from __future__ import annotations

from desktop.ui.plots.charts import round_ticks


def test_ticks_are_round_numbers() -> None:
    assert [text for _, text in round_ticks(976)] == ["0", "200", "400", "600", "800"]
    millions = ["0", "200,000", "400,000", "600,000", "800,000", "1,000,000"]
    assert [text for _, text in round_ticks(1_000_000)] == millions
    assert [text for _, text in round_ticks(1)] == ["0", "1"]
