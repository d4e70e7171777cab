"""The figure of the directions that people give pairs, by the phrases that announce a direction."""

from __future__ import annotations

from desktop.jobs.kinds.selection import KindsSelection
from desktop.jobs.kinds.text import direction_sentences
from desktop.text import DIRECTIONS, count, percent
from desktop.translation import tr
from desktop.ui.plots.figures import ABSENT_TONE, BarFigure, BarRow, PlotBar, PlotMark
from miner.kinds.direction_agreement import CLEAR, DirectionAgreement, PhraseAgreement
from miner.kinds.taxonomy import Direction

_NEUTRAL = tr("Neutral pairs")


def direction_figure(found: DirectionAgreement) -> BarFigure:
    """How many pairs of each phrase people give each direction; a bar opens its pairs."""
    longest = max(sum(one.said) + one.unclear for one in found.phrases)
    rows: list[BarRow] = []
    for announced in CLEAR:
        phrases = [one for one in found.phrases if one.distant is announced]
        if phrases:
            rows.append(BarRow(tr("Direction of the phrase: {direction}", direction=DIRECTIONS[announced])))
            rows += (_row(one, longest) for one in phrases)
    legend = tr("Coloured: the direction that the phrase announces. Click a bar for its pairs.")
    return BarFigure(
        rows=tuple(rows),
        axis="count",
        summary=" ".join((*direction_sentences(found), legend)),
        columns=(
            tr("Phrase"),
            tr("Direction of the phrase"),
            tr("Annotators’ direction"),
            tr("Pairs"),
            tr("Share"),
            tr("Agreeing"),
            tr("Low"),
            tr("High"),
        ),
        numbers=tuple(bar.mark for row in rows for bar in row.bars),
        decimals=1,
    )


def _row(one: PhraseAgreement, longest: int) -> BarRow:
    name = f"{one.phrase[:1].upper()}{one.phrase[1:]}" or _NEUTRAL
    said = dict(zip(CLEAR, one.said, strict=True)) | {Direction.UNCLEAR: one.unclear}
    total = sum(said.values())
    bars = []
    for direction in (one.distant, *(other for other in said if other is not one.distant)):
        if not said[direction]:
            continue
        text, number = DIRECTIONS[direction], said[direction]
        share = "" if one.agreeing is None else one.agreeing.value
        low, high = ("", "") if one.agreeing is None else one.agreeing.interval
        note = tr(
            "{name}: {text}, according to the annotators, for {pairs}, {number} of {total:,}.",
            name=name,
            text=text,
            pairs=count(number, "pair"),
            number=percent(number / total),
            total=total,
        )
        values = (name, DIRECTIONS[one.distant], text, number, number / total, share, low, high)
        mark = PlotMark(note, KindsSelection(said=direction, phrase=one.phrase), values)
        tone = "accent" if direction is one.distant else ABSENT_TONE if direction is Direction.UNCLEAR else "muted"
        bars.append(PlotBar(mark, number, tone, (f"{text} {number:,}", f"{number:,}")))
    detail = ""
    if one.agreeing is not None:
        low, high = one.agreeing.interval
        detail = tr(
            "of {pairs}, {low} to {high}", pairs=count(one.agreeing.of, "pair"), low=percent(low), high=percent(high)
        )
    return BarRow(name, tuple(bars), longest, detail, "" if one.agreeing is None else percent(one.agreeing.value))
