"""Tables and numbers as the command line shows them."""

from __future__ import annotations

import io
import json
import sys

import pytest

from desktop.cli.output import LossyStream, ProgressBar, as_json_text, table
from miner.progress import Tick


def test_tables_align_words_left_and_numbers_right() -> None:
    assert table(("label", "pairs"), [("contrasting", 1204), ("neutral", 7)]).splitlines() == [
        "label        pairs",
        "contrasting  1,204",
        "neutral          7",
    ]
    assert table(("label", "pairs"), []) == ""


def test_the_bar_is_silent_where_nobody_watches(capsys: pytest.CaptureFixture[str]) -> None:
    bar = ProgressBar("Adding")
    bar(Tick(1, 2, "a.pdf"))
    bar.close()
    assert capsys.readouterr() == ("", "")


def test_the_bar_shows_how_far_it_is_and_how_long_it_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.setattr(sys, "stderr", screen := Terminal())
    bar = ProgressBar("Adding")
    for number in range(1, 4):
        bar(Tick(number, 3, f"{number}.pdf"))
    bar._bar.refresh()
    bar.close()
    assert "Adding: 100% |" in screen.getvalue()
    assert "3/3" in screen.getvalue()
    assert "3.pdf" in screen.getvalue()


def test_the_bar_has_room_on_a_line_of_eighty(monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.setattr(sys, "stderr", screen := Terminal())
    bar = ProgressBar("Adding papers to a-project-with-a-long-name.pairwright")
    bar._bar.ncols, bar._bar.dynamic_ncols = 80, None
    bar(Tick(6_000, 12_000, "a paper with a name that is rather long.pdf"))
    bar._bar.refresh()
    shown = screen.getvalue().split("\r")[-1]
    bar.close()
    assert "######      |" in shown
    assert "6000/12000" in shown
    assert "left" in shown
    assert len(shown.rstrip()) <= 80


def test_json_has_no_numbers_that_json_does_not_know() -> None:
    data = {"t": float("inf"), "rows": [(float("nan"), 0.5)], "name": "ü"}
    text = as_json_text(data)
    assert text.isascii()
    assert json.loads(text, parse_constant=pytest.fail) == {"t": None, "rows": [[None, 0.5]], "name": "ü"}


def test_what_cannot_be_said_in_passing_is_lost_and_no_error() -> None:
    class Full(io.StringIO):
        def write(self, text: str) -> int:
            raise OSError(28, "No space left on device")

    stream = LossyStream(Full())
    print("something", file=stream, flush=True)
    assert not stream.isatty()
