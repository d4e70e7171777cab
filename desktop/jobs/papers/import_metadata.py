"""The domain and year that are chosen for all papers of an import, stored for new papers and for known ones."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import UTC, datetime

from desktop.text import count, listed
from desktop.translation import tr
from storage.papers.files import ChosenMetadata
from storage.papers.metadata import CHOSEN_FOR_ALL, PaperMetadata
from storage.stores import Stores


@dataclass(frozen=True, slots=True)
class KnownPaperChange:
    """How many known papers have another value in a field since the import."""

    field: str
    value: str
    papers: int


def set_new_metadata(stores: Stores, md5: str, chosen: ChosenMetadata) -> None:
    """Store what a person chose for a new paper; it overrides what parsers read, now and later."""
    for change in _chosen_fields(chosen):
        stores.papers.set_metadata(md5, **change)
    if chosen.default_domain:
        stores.papers.set_default_domain(md5, chosen.default_domain)


def change_known_papers(
    stores: Stores, md5s: Collection[str], chosen: ChosenMetadata
) -> tuple[list[KnownPaperChange], int]:
    """Set the chosen domain and year of known papers, as one action; no later parse overwrites them.

    Values that somebody has set for single papers stay; also returns how many papers keep one that is not the value
    chosen now.
    """
    stored = stores.papers.summaries_of(sorted(md5s))
    by_hand = {md5: stores.papers.edited_by_action(md5) for md5 in stored}
    changed: list[tuple[KnownPaperChange, PaperMetadata, list[str]]] = []
    kept = set[str]()
    for change in _chosen_fields(chosen):
        [(field, value)] = change.items()
        others = {md5 for md5, paper in stored.items() if getattr(paper, field) != value}
        kept |= {md5 for md5 in others if field in by_hand[md5]}
        if free := sorted(md5 for md5 in others if field not in by_hand[md5]):
            changed.append((KnownPaperChange(field, str(value), len(free)), change, free))
    if changed:
        fields = listed([one.field for one, _, _ in changed])
        papers = count(len({md5 for _, _, free in changed for md5 in free}), "paper")
        title = tr("Changed the {fields} of {papers}", fields=fields, papers=papers)
        action = stores.actions.begin("", title, datetime.now(UTC))
        for _, change, free in changed:
            stores.paper_edits.edit(action, free, change, source=CHOSEN_FOR_ALL)
    return [one for one, _, _ in changed], len(kept)


def _chosen_fields(chosen: ChosenMetadata) -> list[PaperMetadata]:
    """What was chosen, each field by itself; without the default domain."""
    domain = [] if chosen.domain is None else [PaperMetadata(domain=chosen.domain)]
    year = [] if chosen.year is None else [PaperMetadata(year=chosen.year)]
    return [*domain, *year]
