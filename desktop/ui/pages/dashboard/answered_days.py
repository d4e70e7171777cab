"""What an annotator has answered, day by day."""

from __future__ import annotations

from collections.abc import Sequence

from desktop.text import count as counted
from desktop.text import percent
from desktop.translation import tr
from desktop.ui.pages.dashboard.figures import filter_in_domain
from desktop.ui.plots.figures import BarFigure, BarRow, PlotBar, PlotMark
from storage.annotation.answers import AnsweredDay


def days_figure(days: Sequence[AnsweredDay], annotator: str, domain: str | None) -> BarFigure:
    """What an annotator answered, day by day, and how many answers were what the distant label says."""
    most = max(one.answers for one in days)
    rows = []
    for one in days:
        share = percent(one.same / one.labelled) if one.labelled else "–"
        note = f"{one.day}: {counted(one.answers, 'answer')}"
        note += (
            tr(
                "; {same:,} of {labelled:,} confirm the distant label ({share}).",
                same=one.same,
                labelled=one.labelled,
                share=share,
            )
            if one.labelled
            else "."
        )
        values = (one.day, one.answers, one.same / one.labelled if one.labelled else "")
        bar = PlotBar(
            PlotMark(note, filter_in_domain(domain, annotators=frozenset((annotator,))), values), one.answers, "accent"
        )
        rows.append(BarRow(one.day, (bar,), most, share, f"{one.answers:,}"))
    total, labelled, same = (sum(getattr(one, name) for one in days) for name in ("answers", "labelled", "same"))
    agreement = tr(", {same} of them confirm the distant label", same=percent(same / labelled)) if labelled else ""
    return BarFigure(
        summary=tr(
            "{answers} on {days}{agreement}.",
            answers=counted(total, "answer"),
            days=counted(len(days), "day"),
            agreement=agreement,
        ),
        columns=(tr("Day"), tr("Answers"), tr("Same as the distant label")),
        numbers=tuple(row.bars[0].mark for row in rows),
        rows=tuple(rows),
    )
