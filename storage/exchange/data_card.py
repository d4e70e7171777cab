"""The data card of an exported data set: README.md as the Hugging Face hub shows it.

It depends on the project and the options alone; there is no date in it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from miner.dataset_statistics import CompleteSentences, GoldAgreement, Proportion, VocabularySimilarity
from miner.mining.drop_reasons import FILTERS
from miner.parsing.licences import ARXIV, is_redistributable
from miner.records import NEUTRAL_STRATEGIES, Label, Strategy
from storage.dataset.export_options import LEFT_OUT_REASONS, SplitOptions, TrainLabels
from storage.dataset.gold_rule import GoldRule
from storage.exchange.card_facts import CardFacts, ParserReading
from storage.exchange.export_fields import EXPORT_FIELDS
from storage.exchange.export_rows import DELIMITED
from storage.exchange.hub_metadata import hub_yaml
from storage.exchange.manifest import PaperRecord
from storage.exchange.precision_card import precision_parts

CARD = "README.md"
_MAX_PAPERS = 500  # that are listed; the hub shows no page of megabytes
_MAX_REASONS = 5
_DEFINITIONS = {
    Label.CONTRASTING: "one sentence contradicts, compares with, criticises, juxtaposes or limits the other",
    Label.REASONING: "the first gives the reason, cause or condition for the result or conclusion in the second",
    Label.ENTAILMENT: "one generalises, specifies or has an equivalent meaning with the other",
    Label.NEUTRAL: "the two are semantically independent",
}
_LOADING = """\
```python
from datasets import load_dataset

pairs = load_dataset("PATH")  # of this folder, or its name on the hub
```"""
_FILTER_TEXTS = FILTERS | {"trap": "The phrase does not link the two sentences there, as in “precisely three”."}


def data_card(facts: CardFacts) -> str:
    """The whole README.md."""
    return f"{hub_yaml(facts)}\n" + "\n\n".join(_sections(facts)) + "\n"


def _sections(facts: CardFacts) -> Iterator[str]:
    options = facts.options
    yield f"# {_text(facts.title)}"
    papers = f" from {_count(len(facts.used), 'paper')}" if facts.used else ""
    yield (
        f"{_count(facts.rows, 'sentence pair')}{papers} for scientific natural-language inference, each with one of "
        f"four labels, as in SciNLI.{'' if facts.unnamed else ' Both sentences of a pair are from the same paper.'}"
    )
    yield _LOADING
    yield "## What is in it"
    yield _counts_table(facts)
    if "dev" in facts.files:
        yield "The library `datasets` and the hub call `dev` the `validation` split."
    yield "\n".join(f"- `{label.value}`: {text}." for label, text in _DEFINITIONS.items())
    yield _table(
        ("field", "description"), [(f"`{name}`", field.text) for name, field in EXPORT_FIELDS[options.preset].items()]
    )
    if options.format in DELIMITED:
        escaped = (
            "Cells that a spreadsheet would take for formulas (beginning with =, +, -, @, a tab or a line break) have "
            "an apostrophe before them, which Pairwright removes on import."
        )
        lists = "Lists are written as JSON."
        yield f"{lists} {escaped}" if options.safe_cells else lists
    yield "## Statistics"
    yield _statistics_table(facts)
    yield _statistics_note(facts.measures.complete)
    if facts.measures.similarity is not None and len(facts.measures.similarity.domains) > 1:
        yield from _similarity_parts(facts.measures.similarity)
    if facts.readings:
        yield "## How the papers were read"
        yield _readings_table(facts.readings)
        yield _filtered_text(facts.readings)
    yield "## How the pairs were made"
    yield "\n".join(_mining_lines(facts))
    yield "## Gold labels"
    yield "\n\n".join(_gold_parts(facts))
    if precision := list(precision_parts(facts.precision)):
        yield "## How many distant labels are right"
        yield from precision
    yield "## Splits"
    yield "\n".join(_split_lines(facts))
    yield "## What was left out"
    left_out = [(f"{pairs:,}", LEFT_OUT_REASONS.get(reason, reason)) for reason, pairs in facts.left_out.items()]
    yield _table(("pairs", "which"), left_out) if left_out else "Nothing."
    yield "## Licences"
    yield "\n\n".join(_licence_parts(facts))
    yield "## Limits"
    yield "\n".join(_limits(facts))
    yield "## Papers"
    yield "\n\n".join(_paper_parts(facts))


def _limits(facts: CardFacts) -> Iterator[str]:
    strategies = {strategy for _, _, strategy in facts.counts} - {Strategy.IMPORTED}
    if strategies and facts.has_distant:
        yield "- Labels without annotation come from linking phrases (distant supervision), and some are wrong."
    if facts.used:
        yield "- The text was read from PDF, XML or JSON by a parser, and may contain parsing errors."
    if not strategies.isdisjoint(NEUTRAL_STRATEGIES):
        yield "- Neutral pairs are drawn at random from one paper, and a few may be related after all."
    if facts.unnamed:
        yield "- Sentences and labels of imported pairs are those of their files, whose papers are not known."
    yield "- Domain, year and licence are as the files state them or as people entered them."


def _counts_table(facts: CardFacts) -> str:
    names = [*map(str, Label), ""]
    labels = [name for name in names if name or any(label == "" for _, label, _ in facts.counts)]
    rows = []
    for split, file in facts.files.items():
        by_label = Counter[str]()
        for (of_split, label, _), pairs in facts.counts.items():
            by_label[label] += pairs * (not split or of_split == split)
        rows.append((f"`{file.name}`", *(f"{by_label[label]:,}" for label in labels), f"{file.rows:,}"))
    return _table(("file", *(label or "no label" for label in labels), "all"), rows)


def _statistics_table(facts: CardFacts) -> str:
    statistics, complete = facts.statistics, facts.measures.complete
    columns = ["domain", "split", "pairs", "premise tokens", "hypothesis tokens", "word overlap"]
    columns += ["complete premises", "complete hypotheses"] if complete else []
    rows = []
    for domain in (None, *(statistics.domains if len(statistics.domains) > 1 else ())):
        for split in (None, *statistics.splits):
            means = statistics.means(domain, split)
            if means is None:
                continue
            premise, hypothesis, overlap = (estimate.mean for estimate in means)
            name = "all" if domain is None else _text(domain) or "no domain"
            values = [f"{premise:.2f}", f"{hypothesis:.2f}", f"{100 * overlap:.2f} %"]
            values += map(_share, complete.of(domain, split)) if complete else []
            rows.append((name, split or "all", f"{statistics.count(domain, split):,}", *values))
    return _table(columns, rows)


def _statistics_note(complete: CompleteSentences | None) -> str:
    note = (
        "Tokens are words and punctuation. Word overlap is the share of the hypothesis' tokens that are also in the "
        "premise (SciNLI, Table 3; MSciNLI, Table 2). If a split of a domain has more than 5,000 pairs, a random "
        "sample was measured."
    )
    if complete is None:
        return note
    how = "their parse" if complete.is_parser else "rules"
    sample = f"samples of at most {complete.size:,} pairs"
    return f"{note} Complete sentences were recognised by {how} ({_text(complete.parser)}), in {sample}."


def _similarity_parts(similarity: VocabularySimilarity) -> Iterator[str]:
    names = [_text(domain) or "no domain" for domain in similarity.domains]
    rows = [
        (name, *(f"{value:.2f}" for value in values[: place + 1]), *[""] * (len(names) - place - 1))
        for place, (name, values) in enumerate(zip(names, similarity.cosines, strict=True))
    ]
    yield "Similarity of the domains' vocabularies: cosines of token frequencies (MSciNLI, Table 13)."
    yield _table(("domain", *names), rows)
    pairs = _count(sum(similarity.pairs), f"{similarity.split} pair" if similarity.split else "pair")
    tokens = _count(sum(similarity.tokens), "token")
    yield f"Measured on {tokens} of {pairs}, with the tokenizer of the model that Pairwright comes with."


def _readings_table(readings: Sequence[ParserReading]) -> str:
    columns = ("parser", "papers", "sentences", "with a linking phrase", "kept", "filtered out")
    rows = []
    for reading in readings:
        found, kept = sum(reading.funnel.candidates.values()), sum(reading.funnel.kept.values())
        shares = (f"{part:,} ({_share(Proportion(part, found))})" for part in (kept, found - kept))
        rows.append((_text(reading.parser), f"{reading.papers:,}", f"{reading.sentences:,}", f"{found:,}", *shares))
    return _table(columns, rows)


def _filtered_text(readings: Sequence[ParserReading]) -> str:
    reasons = Counter[str]()
    for reading in readings:
        for dropped, pairs in reading.funnel.dropped.items():
            reasons["trap" if dropped.reason.startswith("trap_") else dropped.reason] += pairs
    if not reasons:
        return "Nothing was filtered out."
    most = sorted(reasons.items(), key=lambda one: (-one[1], one[0]))[:_MAX_REASONS]
    lines = [f"- {pairs:,} by `{reason}`. {_FILTER_TEXTS.get(reason, '')}".rstrip() for reason, pairs in most]
    return "\n".join(("The most frequent reasons for filtering out a pair:", "", *lines))


def _mining_lines(facts: CardFacts) -> Iterator[str]:
    run = facts.manifest.mining
    if run is not None:
        yield f"- Mining run: `{run.run}` by {_text(run.program)}, with the language model {_text(run.language_model)}."
        phrases: dict[str, list[str]] = {}
        for phrase in run.settings.get("phrases", []):
            if isinstance(phrase, dict) and phrase.get("on", True):
                phrases.setdefault(str(phrase.get("label")), []).append(str(phrase.get("text")))
        for label, texts in phrases.items():
            yield f"- Linking phrases for {_text(label)}: {_text(', '.join(texts))}."
    for origin in facts.manifest.corpora:
        which = _text(" ".join(origin.arguments)) or "all papers"
        yield (
            f"- Pulled from the corpus {_text(origin.place)} ({which}), whose shards' note has the SHA-256 "
            f"`{origin.manifest}`; its mining run is `{origin.run}`. Duplicates were left out over the whole corpus."
        )
    strategies = Counter[str]()
    for (_, _, strategy), pairs in facts.counts.items():
        strategies[strategy] += pairs
    yield "- Pairs by strategy: " + ", ".join(f"{pairs:,} {name}" for name, pairs in sorted(strategies.items())) + "."
    for data_set in facts.manifest.data_sets:
        yield f"- Imported data set with SHA-256 `{data_set.sha256}`."
    yield "- `manifest.json` has all settings, versions and checksums." + _rebuilding_text(facts)


def _rebuilding_text(facts: CardFacts) -> str:
    """How others can make the same files again."""
    corpora = facts.manifest.corpora
    if corpora and not any(origin.is_all for origin in corpora):
        return " Whoever has the corpus can pull the same papers again."
    how = "`pairwright rebuild manifest.json --papers DIR --out OUT`"
    needed = ["the papers"] if facts.used else []
    needed += ["the imported files"] if facts.manifest.data_sets else []
    whoever = f"Whoever has {' and '.join(needed)} can make the same files again with {facts.manifest.program}"
    return f" {whoever}: {how}." if needed else ""


def _gold_parts(facts: CardFacts) -> Iterator[str]:
    rules = facts.manifest.gold
    majority = rules.rule is GoldRule.MAJORITY
    which = "" if majority else " It is accepted only if it agrees with the distant label."
    roles = ", ".join(_count(number, role) for role, number in sorted(facts.roles.items())) or "none"
    some = rules.votes > 1 and not facts.manifest.gold_everywhere
    whose, others = (" of dev or test", " Of other pairs any number of votes is enough.") if some else ("", "")
    yield (
        f"The gold label of a pair{whose} is the label that the majority of {_count(rules.votes, 'annotator')} give."
        f"{others}{which} People by role: {roles}."
    )
    agreement = facts.statistics.agreement()
    if agreement[""].annotated:
        rows = [(label or "all", *_agreement_cells(found)) for label, found in agreement.items()]
        yield _table(("distant label", "annotated", "gold = distant", "other gold", "no consensus", "agreement"), rows)
    else:
        yield (
            "No pair was annotated by enough people for a gold label by this rule, so how often gold and distant "
            "labels agree is not known."
        )
    if facts.measures.agreement:
        yield facts.measures.agreement
    if facts.with_kinds:
        yield (
            f"{_count(facts.with_kinds, 'pair')} have {facts.kinds_answers:,} answers about kinds of reasoning and "
            "direction, by TaxiNLI's questionnaire. With the preset `taxinli`, `pairwright kinds FILE` counts them."
        )


def _agreement_cells(found: GoldAgreement) -> tuple[str, ...]:
    return (
        f"{found.annotated:,}",
        f"{found.agreeing:,}",
        f"{found.other:,}",
        f"{found.no_consensus:,}",
        _share(found.agreement),
    )


def _split_lines(facts: CardFacts) -> Iterator[str]:
    options, leaks = facts.options, facts.leaks
    if not options.in_splits:
        yield "The pairs are in one file."
        return
    if options.split is not None:
        yield from _project_split_lines(options.split, facts)
    elif options.shares:
        shares = ", ".join(f"{name} {share:g}" for name, share in options.shares)
        yield f"- By paper, with the same shares in every domain: {shares}. Seed {options.seed}. {_outcome(facts)}"
    elif options.years:
        yield "- By the year of the papers, in each domain."
    else:
        yield "- As the imported files state."
    if options.balance:
        yield f"- The same number of pairs of each class in each split and domain, drawn with seed {options.seed}."
    if leaks is not None:
        near = "" if leaks.near_duplicates is None else f", {_count(leaks.near_duplicates, 'group')} of near-duplicates"
        yield (
            f"- Leaks in these files: {_count(leaks.papers, 'paper')} and "
            f"{_count(leaks.sentences, 'sentence')} in more than one split{near}."
        )


def _outcome(facts: CardFacts) -> str:
    """Which shares of the pairs the splits have, as papers of earlier releases and imported files stay in theirs."""
    pairs: Counter[str] = Counter()
    for (split, *_), number in facts.counts.items():
        pairs[split] += number
    parts = ", ".join(f"{split} {number / pairs.total():.1%}" for split, number in pairs.items())
    return f"Shares of the pairs: {parts.replace('%', ' %')}."


def _project_split_lines(split: SplitOptions, facts: CardFacts) -> Iterator[str]:
    """How pairs got their split, and where the labels of each split come from."""
    clean = "no sentence of dev or test, or near-duplicate, is in train"
    if facts.used:
        yield f"- By paper: no paper is in two splits, and {clean}."
    if facts.unnamed:
        yield f"- Imported pairs without a paper are in the splits of their files; {clean}."
    if "train" in split.names:
        corrected = split.train_labels is TrainLabels.CORRECTED
        is_mined = any(strategy != Strategy.IMPORTED for _, _, strategy in facts.counts)
        how = "distant labels" if is_mined else "those of the imported files"
        how += ", corrected where a person answered" if corrected else ""
        yield f"- Labels of train: {how}."
    if not split.gold:
        yield "- Labels of dev and test: **not all gold**; pairs without a gold label have their distant label."
        return
    limits = ", ".join(f"{name} {limit:,}" for name in ("dev", "test") if (limit := split.limit(name)) is not None)
    people = "; of those that people gave in this project at most so many of each class and domain"
    cut = f"{people}: {limits}" if limits else ""
    yield f"- Labels of dev and test: only gold labels, by several annotators or from an imported data set{cut}."


def _licence_parts(facts: CardFacts) -> Iterator[str]:
    rows = [
        (_text(licence) or "unknown", f"{pairs:,}", "yes" if is_redistributable(licence) else "no")
        for licence, pairs in sorted(facts.licences.items(), key=lambda one: (-one[1], one[0]))
    ]
    yield _table(("licence of the paper", "pairs", "may be redistributed"), rows)
    if facts.used:
        yield _licence_sources(facts.used)
    if facts.options.redistributable_only:
        yield "Pairs of papers whose licence is unknown or does not permit redistribution were left out."
    elif any(not is_redistributable(licence) for licence in facts.licences):
        yield (
            "**Some papers have a licence that does not permit redistribution, or none that is known**: do not publish "
            "this folder as it is. Export with `--redistributable` to leave their pairs out."
        )
    conditions = [
        text
        for part, text in (
            ("NC", "used for non-commercial purposes only"),
            ("SA", "redistributed under the same licence only"),
        )
        if any(part in licence.split("-") for licence in facts.licences)
    ]
    if any(licence.startswith("CC-") for licence in facts.licences):
        attribution = "Creative Commons licences ask for attribution: see “Papers” below."
        yield f"{attribution} Some sentences may be {' and '.join(conditions)}." if conditions else attribution
    if ARXIV in facts.licences:
        yield f"`{ARXIV}` is the licence that lets arXiv, and nobody else, distribute a paper."


def _licence_sources(papers: Sequence[PaperRecord]) -> str:
    """How many papers have a licence stated in their files, set by hand, or unknown."""
    by_hand = sum(bool(paper.licence) and paper.licence_by_hand for paper in papers)
    unknown = sum(not paper.licence for paper in papers)
    stated = len(papers) - by_hand - unknown
    of = "the paper" if len(papers) == 1 else f"the {len(papers):,} papers"
    return f"Licences of {of}: {stated:,} stated in the files, {by_hand:,} set by hand, {unknown:,} unknown."


def _paper_parts(facts: CardFacts) -> Iterator[str]:
    rows = [
        (
            _text(paper.title) or "–",
            str(paper.year or "–"),
            _text(paper.journal) or "–",
            _text(paper.doi or "") or "–",
            _text(paper.licence) or "unknown",
            _text(paper.domain) or "–",
            f"{facts.papers[paper.md5]:,}",
            f"`{paper.sha256}`",
        )
        for paper in facts.used[:_MAX_PAPERS]
    ]
    if facts.unnamed:
        rows.append(("imported pairs", "–", "–", "–", "unknown", "–", f"{facts.unnamed:,}", "–"))
    yield (
        _table(("title", "year", "journal", "DOI", "licence", "domain", "pairs", "SHA-256"), rows) if rows else "None."
    )
    if unchecked := [paper for paper in facts.used if paper.to_check]:
        yield (
            f"Metadata of {_count(len(unchecked), 'paper')}, such as the title or the year, may be wrong and were not "
            "checked: see `to_check` in `manifest.json`."
        )
    if (more := len(facts.used) - _MAX_PAPERS) > 0:
        yield f"And {more:,} more. `manifest.json` lists all papers, with title, authors, DOI and licence."


def _share(found: Proportion) -> str:
    return "–" if found.share is None else f"{100 * found.share:.1f} %"


def _table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _text(text: str) -> str:
    """Text of papers and people, as Markdown that shows it and nothing else."""
    plain = " ".join(text.encode("utf-8", "replace").decode().split())
    return "".join(f"\\{one}" if one in "\\`*_{}[]<>#|!~$&" else one for one in plain)


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
