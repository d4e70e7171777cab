"""How fast the annotator answers: pauses do not count, and few answers say nothing."""

from __future__ import annotations

from desktop.ui.judging.pace import Pace


def test_the_pace_is_that_of_the_last_answers_without_pauses() -> None:
    now = [0.0]
    pace = Pace(lambda: now[0])
    for step in (0, 15, 15, 15, 15):
        now[0] += step
        pace.add_answer()
    assert pace.text(10) == ""
    for step in (3600, 15):  # a pause, then on
        now[0] += step
        pace.add_answer()
    assert pace.text(40) == "240 an hour, about 10 min left"
    assert pace.text(0) == "240 an hour"
