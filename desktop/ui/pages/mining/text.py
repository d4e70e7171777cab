"""The sentences of the Mining page: about strategies, conflicts between phrases, changes, and the project's pairs."""

from __future__ import annotations

from collections.abc import Sequence

from desktop.jobs.mining.preview import NeutralMoves, SettingsEffect
from desktop.jobs.mining.run import MiningState
from desktop.text import count
from desktop.translation import tr
from desktop.ui.services.display_names import STRATEGIES as STRATEGY_NAMES
from desktop.ui.services.display_names import capitalized
from miner.mining.annotated_neutrals import REFUSALS
from miner.mining.linking_phrases import Phrase, phrase_key
from miner.mining.phrase_conflicts import PhraseConflict, PhraseProblem
from miner.mining.settings import MiningSettings
from miner.records import NEUTRAL_STRATEGIES, Strategy

STRATEGY_TEXTS = {
    Strategy.BOTH_RANDOM: (
        tr("Two random sentences"),
        tr("Premise and hypothesis are drawn at random from one paper."),
    ),
    Strategy.FIRST_RANDOM: (
        tr("Random premise"),
        tr("The hypothesis of a linked pair, with a premise drawn at random from the same paper."),
    ),
    Strategy.SECOND_RANDOM: (
        tr("Random hypothesis"),
        tr("The premise of a linked pair, with a hypothesis drawn at random from the same paper."),
    ),
}


def kept_pairs_text(strategy: Strategy) -> str:
    """The name of the pairs that a strategy made."""
    name = STRATEGY_NAMES[strategy]
    return tr("Neutral: {name}", name=name) if strategy in NEUTRAL_STRATEGIES else capitalized(name)


def conflict_text(conflict: PhraseConflict, phrases: Sequence[Phrase], effect: SettingsEffect | None) -> str:
    """A sentence about a conflict."""
    other = phrases[conflict.other] if conflict.other is not None else None
    match conflict.problem:
        case PhraseProblem.NO_LETTER:
            return tr("A phrase must start with a letter.")
        case PhraseProblem.TWICE:
            return tr("This phrase is already in the lexicon, as “{text}”.", text=other.text if other else "")
        case PhraseProblem.NEUTRAL:
            return tr("A linking phrase cannot stand for “neutral”.")
        case PhraseProblem.OTHER_RELATION:
            assert other is not None
            return tr(
                "It begins with “{text}”, a phrase for {label}. Of the two, the longer phrase counts.",
                text=other.text,
                label=other.label,
            )
        case PhraseProblem.COMMON:
            key = phrase_key(phrases[conflict.phrase].text)
            share = 100 * effect.phrase_starts.get(key, 0) / effect.sentences if effect and effect.sentences else 0
            return tr(
                "{share:.0f} % of all sentences begin with this phrase: too many to link sentences each time.",
                share=share,
            )
        case _:
            return tr("No sentence of the sample begins with this phrase.")


def changes_text(effect: SettingsEffect) -> str:
    """The changes in words, such as "28 pairs gained, 238 lost, 3 written differently."."""
    gained, lost, changed = effect.counts.values()
    if not gained and not lost and not changed:
        return tr("The pairs of the sample stay the same.")
    parts = [tr("{pairs} gained", pairs=count(gained, "pair")), tr("{lost:,} lost", lost=lost)]
    parts += [tr("{changed:,} with changed text", changed=changed)] if changed else []
    return ", ".join(parts) + "."


def neutral_moves_text(moves: NeutralMoves) -> str:
    """ "Neutral pairs: 245 stay, 20 come, 3 go. All 60 that people answered or marked stay."; "" if none changes.

    It gives reasons for answered or marked pairs that go.
    """
    if not moves.come and not moves.go:
        return ""
    text = tr(
        "Neutral pairs: {stay:,} kept, {come:,} added, {go:,} removed.", stay=moves.stay, come=moves.come, go=moves.go
    )
    if not moves.annotated:
        return text
    go = sum(moves.annotated_go.values())
    if go:
        reasons = sorted(moves.annotated_go.items(), key=lambda item: (-item[1], item[0]))
        listed = " ".join(f"{number:,}: {REFUSALS[reason]}" for reason, number in reasons)
        return tr(
            "{text} Of {annotated:,} that people answered or marked, {go:,} will be removed. {listed}",
            text=text,
            annotated=moves.annotated,
            go=go,
            listed=listed,
        )
    if moves.annotated == 1:
        return tr("{text} The one that people answered or marked is kept.", text=text)
    return tr("{text} All {annotated:,} that people answered or marked are kept.", text=text, annotated=moves.annotated)


def state_text(settings: MiningSettings, mining: MiningState) -> tuple[str, str]:
    """A sentence about the project's pairs and these settings, which the page shows, and its tone."""
    papers = count(mining.papers, "paper")
    if mining.has_mined(settings):
        return tr("{all_papers} mined with these settings.", all_papers=_all_papers(mining.papers)), "good"
    if mining.is_mixed and settings in (mining.settings, mining.mined):
        return _mixed_text(settings, mining), "warning"
    if mining.has_older_rules and settings == mining.settings and not mining.pending:
        mined = tr("{all_papers} mined", all_papers=_all_papers(mining.papers))
        return (
            tr(
                "{papers} with the rules of an earlier version. Mining again uses the new rules; answers are kept.",
                papers=mined,
            ),
            "info",
        )
    if mining.mined is not None and settings == mining.mined:
        return tr("{are} not mined yet.", are=count(mining.pending, "paper is", "papers are")), "info"
    return tr("Mine again to apply the changes to {papers}. All answers are kept.", papers=papers), "info"


def _mixed_text(settings: MiningSettings, mining: MiningState) -> str:
    """Sentences about a run that is not finished, where its other papers have pairs of an earlier run."""
    done, papers = mining.papers - mining.pending, count(mining.papers, "paper")
    if settings == mining.settings:
        return tr(
            "Mining with these settings is not finished: {done:,} of {papers} mined, the pairs of the others are as "
            "before. Mine again to go on.",
            done=done,
            papers=papers,
        )
    if not done:
        return tr("All pairs are of these settings. Mining with other settings was stopped before the first paper.")
    return tr(
        "The pairs of {pending:,} of {papers} are of these settings. Mining with other settings is not finished; mine "
        "again to undo it.",
        pending=mining.pending,
        papers=papers,
    )


def _all_papers(number: int) -> str:
    return tr("The paper is") if number == 1 else tr("All {number:,} papers are", number=number)
