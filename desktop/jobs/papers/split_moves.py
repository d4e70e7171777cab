"""Papers that move from one split to another, in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from desktop.text import count, listed
from desktop.translation import tr

if TYPE_CHECKING:  # the window starts without the database
    from storage.pairs.paper_splits import PaperMove


def bound_papers(moved: Sequence[PaperMove]) -> list[PaperMove]:
    """The moved papers that leave a split with answers, or were released."""
    return [one for one in moved if one.old is not None and (one.answered or one.released)]


def moves_text(moved: Sequence[PaperMove], verb: str = tr("Moved")) -> str:
    """ "Moved: 12 papers from train to test (3 answered pairs)."; "" for none."""
    groups: dict[tuple[str, str], list[PaperMove]] = {}
    for one in moved:
        groups.setdefault((one.old or tr("no split"), one.new or tr("no split")), []).append(one)
    parts = []
    for (old, new), papers in groups.items():
        answered = sum(one.answered for one in papers)
        pairs = f" ({count(answered, 'answered pair')})" if answered else ""
        parts.append(
            tr("{papers} from {old} to {new}{pairs}", papers=count(len(papers), "paper"), old=old, new=new, pairs=pairs)
        )
    return f"{verb}: {listed(parts)}." if parts else ""


def consent_text(moved: Sequence[PaperMove]) -> str:
    """ "2 papers with 3 answered pairs would leave their split; 1 of them was released."; "" if no paper is bound."""
    bound = bound_papers(moved)
    if not bound:
        return ""
    released = sum(one.released for one in bound)
    answered = sum(one.answered for one in bound)
    verb = "was" if released == 1 else "were"
    of_release = tr("; {released:,} of them {verb} released", released=released, verb=verb) if released else ""
    what = tr("{papers} with {pairs}", papers=count(len(bound), "paper"), pairs=count(answered, "answered pair"))
    return tr(
        "{what} would leave {its} split{of_release}.",
        what=what,
        its=tr("its") if len(bound) == 1 else tr("their"),
        of_release=of_release,
    )


def split_moves_text(moved: Sequence[PaperMove]) -> str:
    """What an edit of papers moved: "1 paper changed its split. Moved: 1 paper from test to train."; "" for none."""
    their = "its" if len(moved) == 1 else "their"
    return (
        tr(
            "{papers} changed {their} split. {moves_text}",
            papers=count(len(moved), "paper"),
            their=their,
            moves_text=moves_text(moved),
        )
        if moved
        else ""
    )
