"""Splits in words: how they are made, which papers they leave out, and what leaks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from desktop.text import count, listed, points, shortened
from desktop.translation import tr
from miner.year_ranges import OTHER_DOMAINS, YearRange, find_gaps

if TYPE_CHECKING:  # the window starts without these modules
    from miner.split_suggestion import DomainSuggestion
    from storage.dataset.export_options import ExportOptions
    from storage.dataset.leaks import LeakReport
    from storage.exchange.split_report import PaperLeftOut, SharedSentences

_LISTED = 5  # papers that are named; the others are counted
_MAX_TITLE_LENGTH = 60
_WHOLE = (1, 100)  # what shares add up to
_AS_ASKED = 0.05  # whole papers never give shares exactly


def split_way_text(options: ExportOptions) -> str:
    """How an export is split: "80/10/10, seed 3"."""
    if options.as_imported:
        return tr("as imported")
    if options.years:
        return tr("by year, seed {seed}", seed=options.seed)
    return tr(
        "{shares}, seed {seed}", shares="/".join((f"{share:g}" for _, share in options.shares)), seed=options.seed
    )


def share_note(shares: Sequence[tuple[str, float]]) -> str:
    """What the shares mean if they do not add up to 1 or 100; "" if they do."""
    total = sum(share for _, share in shares)
    if not shares or any(abs(total - whole) < 0.001 * whole for whole in _WHOLE):
        return ""
    parts = ", ".join(f"{name} {100 * share / total:.1f} %" for name, share in shares)
    return tr("The shares add up to {total:g}, not to 100. They are taken as {parts}.", total=total, parts=parts)


def outcome_note(shares: Sequence[tuple[str, float]], pairs: Mapping[str, int]) -> str:
    """How the pairs were divided, where that differs from the requested shares; else "". pairs: how many by split."""
    asked, got = sum(share for _, share in shares), sum(pairs.values())
    if not asked or not got:
        return ""
    found = [(name, pairs.get(name, 0) / got, share / asked) for name, share in shares]
    if all(abs(is_there - wanted) < _AS_ASKED for _, is_there, wanted in found):
        return ""
    parts = ", ".join(
        tr("{name} {is_there} % (asked for: {wanted} %)", name=name, is_there=points(is_there), wanted=points(wanted))
        for name, is_there, wanted in found
    )
    return tr(
        "Shares of the pairs: {parts}. A paper goes into one split as a whole, and stays in that of an earlier release "
        "or an imported file.",
        parts=parts,
    )


def gap_note(options: ExportOptions) -> str:
    """The years between the ranges that no range has, as a sentence; "" if there are none."""
    gaps = []
    for domain, first, last in find_gaps(options.years):
        years = str(first) if first == last else f"{first}-{last}"
        of_all = all(one.domain == OTHER_DOMAINS for one in options.years)
        gaps.append(
            years
            if of_all
            else tr(
                "{years} of {domain}",
                years=years,
                domain=tr("the other domains") if domain == OTHER_DOMAINS else domain,
            )
        )
    return tr("Years that are in no split: {gaps}.", gaps="; ".join(gaps)) if gaps else ""


def too_few_papers_text(one: DomainSuggestion) -> str:
    """A sentence that a domain has too few papers to be divided; "" if it has enough."""
    if not one.has_too_few_papers:
        return ""
    papers = sum(one.papers.values())
    are = tr("it is a train paper") if papers == 1 else tr("they are all train papers")
    few = tr("only {papers}, too few to have one in each of train, dev and test", papers=count(papers, "paper"))
    return f"{one.domain or 'No domain'}: {few}; {are}."


def papers_left_out_text(papers: Sequence[PaperLeftOut], years: Sequence[YearRange], more_in: str = "") -> str:
    """The papers left out because of their year, the first ones by name; "" if there are none.

    years: the ranges, which do not contain the years of these papers. more_in: the place where all of them are named.
    """
    if not papers:
        return ""
    without = sum(paper.year is None for paper in papers)
    with_ranges = {one.domain for one in years}
    others = [paper for paper in papers if paper.year is not None and not {paper.domain, OTHER_DOMAINS} & with_ranges]
    elsewhere = len(papers) - without - len(others)
    parts = [tr("{without:,} without a year", without=without)] if without else []
    parts += [tr("{elsewhere:,} of years that are in no split", elsewhere=elsewhere)] if elsewhere else []
    if others:
        domains = listed(sorted({paper.domain or tr("no domain") for paper in others}))
        parts.append(
            tr("{others:,} of domains for which no years are given ({domains})", others=len(others), domains=domains)
        )
    named = [
        f"“{shortened(paper.title, _MAX_TITLE_LENGTH)}” ({paper.year or 'no year'})"
        for paper in sorted(papers, key=lambda paper: paper.year is not None)[:_LISTED]
    ]
    more = [tr("and {papers:,} more", papers=len(papers) - _LISTED)] if len(papers) > _LISTED else []
    all_of_them = f" ({more_in})" if more and more_in else ""
    return tr(
        "Papers left out: {parts}. {they_are} {value}{all_of_them}.",
        they_are=tr("It is") if len(papers) == 1 else tr("They are"),
        parts=listed(parts),
        value=", ".join([*named, *more]),
        all_of_them=all_of_them,
    )


def leaks_text(leaks: LeakReport | None) -> str:
    """ "No leaks: no paper and no sentence is in two splits."; "" if leaks were not searched for."""
    if leaks is None:
        return ""
    parts = [count(leaks.papers, "paper")] if leaks.papers else []
    parts += [count(leaks.sentences, "sentence")] if leaks.sentences else []
    total = leaks.papers + leaks.sentences
    if parts:
        text = tr(
            "Leaks: {parts} {is_} in more than one split.",
            parts=" and ".join(parts),
            is_=tr("is") if total == 1 else tr("are"),
        )
    else:
        text = tr("No leaks: no paper and no sentence is in two splits.")
    if leaks.near_duplicates:
        near = count(leaks.near_duplicates, "sentence has a near-duplicate", "sentences have near-duplicates")
        text += tr(" {near} in another split.", near=near)
    elif leaks.near_duplicates == 0:
        text += tr(" No near-duplicate sentences are in different splits.")
    return text


def shared_text(shared: SharedSentences | None) -> str:
    """What the project's splits share, which pairs are left out for it, and what to do; "" if nothing is shared."""
    if shared is None or not (shared.left_out or not shared.leaks.is_clean):
        return ""
    leaks = shared.leaks
    found = [count(leaks.papers, "paper")] if leaks.papers else []
    found += [count(leaks.sentences, "sentence")] if leaks.sentences else []
    found += [count(leaks.near_duplicates, "near-duplicate")] if leaks.near_duplicates else []
    pairs = [
        tr("{number:,} of {pairs} of {split}", number=number, pairs=count(leaks.pairs[split], "pair"), split=split)
        for split, number in ((split, sum(reasons.values())) for split, reasons in shared.left_out.items())
    ]
    return tr(
        "The splits of the project share {found}. Exports and releases leave out pairs of train that share one with "
        "dev or test, and pairs of dev that share one with test: of all pairs, with and without a gold label, {pairs}. "
        "Two papers may be versions of one: to find and merge them, pairwright papers duplicates, or Duplicates on "
        "Papers.",
        found=listed(found) or tr("sentences"),
        pairs=listed(pairs),
    )
