"""Negatives by WordNet, made anew each time from the propositions of the project's papers, which are kept."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from desktop.jobs.lab.experiments.drawing import ExperimentText, SetParts
from desktop.jobs.lab.experiments.probe_data import DOES_NOT_HOLD, HOLDS
from desktop.jobs.lab.experiments.propositions import PropositionSource
from desktop.text import count
from desktop.translation import tr
from miner.errors import UserError
from miner.lab.probes.negatives import (
    FEW_PAPERS,
    NegativeOptions,
    NegativesProbe,
    SourcedProposition,
    WindowKind,
    build_negatives,
    items_of,
    split_of,
)
from miner.lab.probes.propositions import PropositionReader
from miner.lab.probes.wordnet import WordNet
from miner.progress import Progress
from miner.splits import SPLITS
from storage.pairs.filters import PairFilter
from storage.papers.metadata import PaperSummary
from storage.project import Project

NO_DOMAIN = tr("no domain")
_PAPERS = tr("Add papers of the same field: pairwright add FOLDER")


@dataclass(frozen=True, slots=True)
class Negatives:
    """A probe with the papers it was made from. papers: how many each window has. domains: the domains of the windows.

    without_year: how many papers are in no window. unread: how many took too much time or memory. parsed: how many had
    to be parsed.
    """

    probe: NegativesProbe
    options: NegativeOptions
    papers: Mapping[str, int]
    domains: Mapping[str, str]
    without_year: int
    unread: int
    parsed: int

    def parts(self) -> SetParts:
        """Positives and negatives as pairs of an experiment, by part; each line of a premise is a piece of evidence.

        A proposition that several windows have is one of the windows' pairs each.
        """
        found: SetParts = {part: [] for part in SPLITS}
        for bundle in self.probe.bundles:
            part = found[split_of(bundle, self.options.seed)]
            for item in items_of(bundle):
                premise, hypothesis = item.premise, item.hypothesis
                label = HOLDS if item.holds else DOES_NOT_HOLD
                domain = self.domains[bundle.window]
                words = len(premise.split()) + len(hypothesis.split())
                part.append(ExperimentText(item.key, "", premise, hypothesis, label, domain, "", "", words))
        return found

    def notes(self) -> list[str]:
        """Sentences on what was left out, and on windows with too few papers."""
        notes = []
        if self.without_year:
            notes.append(tr("{papers} without a year could not be used.", papers=count(self.without_year, "paper")))
        if self.unread:
            notes.append(
                tr("{papers} took too much time or memory and could not be used.", papers=count(self.unread, "paper"))
            )
        made = {bundle.window for bundle in self.probe.bundles}
        empty = [name for name in self.papers if name not in made]
        few = [name for name, papers in self.papers.items() if papers < FEW_PAPERS]
        if few:
            sizes = [self.papers[name] for name in few]
            which = tr("{few} has {papers}", few=few[0], papers=count(sizes[0], "paper"))
            if len(few) > 1:
                which = tr(
                    "{few:,} of {papers:,} windows have {sizes:,} to {sizes_2:,} papers",
                    few=len(few),
                    papers=len(self.papers),
                    sizes=min(sizes),
                    sizes_2=max(sizes),
                )
            notes.append(
                tr(
                    "{which}: too few to find what papers do not say. A set worth the name needs some thousands "
                    "of papers of one field; fewer than {few_papers:,} give a sample of it.",
                    which=which,
                    few_papers=FEW_PAPERS,
                )
            )
        if empty:
            names = ", ".join(empty[:5]) + (tr(" and {empty:,} more", empty=len(empty) - 5) if len(empty) > 5 else "")
            notes.append(tr("No negative could be made in {names}.", names=names))
        return notes


def read_negatives(
    project: Project,
    filter: PairFilter,
    options: NegativeOptions,
    progress: Progress,
    *,
    wordnet: Path | None = None,
    workers: int | None = None,
    may_parse: bool = True,
) -> Negatives:
    """The negatives of the papers of the filter's domains, by default of all papers.

    `UserError` where WordNet or a language model is missing, where the filter has other conditions than domains or
    matches no paper, and, without `may_parse`, where papers are still to be parsed.
    """
    if replace(filter, domains=frozenset()) != PairFilter():
        raise UserError(
            tr("Negatives are made of whole papers: only a domain can be chosen."), hint=tr("Use --domain NAME.")
        )
    verbs = WordNet.load(wordnet)
    PropositionReader.name_of()
    with project.read_transaction() as stores:
        papers = [one for one in stores.papers.summaries() if not filter.domains or one.domain in filter.domains]
    windows = {one.md5: window for one in papers if (window := _window(one, options.window))}
    if not windows and papers:
        raise UserError(
            tr("None of these papers has a year."), hint=tr("Use windows by domain alone, or give papers years.")
        )
    if not papers:
        raise UserError(tr("There are no papers to find propositions in."), hint=_PAPERS)
    source = PropositionSource(project, workers=workers, may_parse=may_parse)

    def said() -> Iterator[SourcedProposition]:
        for paper in source.read(windows, progress):
            for number, one in paper.said:
                yield SourcedProposition(windows[paper.paper], f"{paper.paper}:{number}", one)

    def tick(done: int, total: int) -> None:
        if done % 100 == 0:
            progress.tick(done, total, tr("looking for negatives"))

    probe = build_negatives(said(), verbs, options, tick)
    return Negatives(
        probe,
        options,
        dict(sorted(Counter(windows.values()).items())),
        {windows[one.md5]: one.domain for one in papers if one.md5 in windows},
        len(papers) - len(windows),
        len(source.unread),
        source.parsed,
    )


def _window(paper: PaperSummary, kind: WindowKind) -> str:
    """The name of the paper's window; "" where it is in none."""
    domain = paper.domain or NO_DOMAIN
    if kind is WindowKind.DOMAIN:
        return domain
    return "" if paper.year is None else f"{domain} {paper.year}"
