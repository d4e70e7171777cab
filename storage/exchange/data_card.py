"""The data card of an exported data set: README.md as the Hugging Face hub reads it.

Metadata in YAML first (https://github.com/huggingface/hub-docs/blob/main/datasetcard.md), then the text. It depends on
the project and the options alone; there is no date in it.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from miner.dataset_statistics import DataSetStatistics, GoldAgreement
from miner.parsing.licences import ARXIV, is_redistributable
from miner.records import Label
from storage.dataset.gold import GoldRule
from storage.dataset.leaks import LeakReport
from storage.dataset.options import ExportOptions, FileFormat
from storage.exchange.export_files import WrittenFile
from storage.exchange.export_rows import DELIMITED, FieldKind, field_kinds
from storage.exchange.manifest import Manifest, PaperRecord

CARD = "README.md"
HUB_SPLITS = {"train": "train", "dev": "validation", "test": "test"}
_SIZES = (  # the hub's categories, by their upper bound
    (1_000, "n<1K"),
    (10_000, "1K<n<10K"),
    (100_000, "10K<n<100K"),
    (1_000_000, "100K<n<1M"),
    (10_000_000, "1M<n<10M"),
    (100_000_000, "10M<n<100M"),
)
_HUB_LICENCES = {"CC0-1.0": "cc0-1.0", "CC-BY-4.0": "cc-by-4.0", "CC-BY-3.0": "cc-by-3.0", "CC-BY-2.0": "cc-by-2.0"}
_HUB_LICENCES |= {f"CC-BY-{kind}-4.0": f"cc-by-{kind.lower()}-4.0" for kind in ("SA", "NC", "ND", "NC-SA", "NC-ND")}
_DEFINITIONS = {
    Label.CONTRASTING: "one sentence contradicts, compares with, criticises, juxtaposes or limits the other",
    Label.REASONING: "the first gives the reason, cause or condition for the result or conclusion in the second",
    Label.ENTAILMENT: "one generalises, specifies or has an equivalent meaning with the other",
    Label.NEUTRAL: "the two are semantically independent",
}
_FIELD_TEXTS = {
    "id": "identity of the pair",
    "pairID": "identity of the pair",
    "sentence1": "premise",
    "premise": "premise",
    "sentence2": "hypothesis, without its linking phrase",
    "hypothesis": "hypothesis, without its linking phrase",
    "label": "the gold label where people settled the pair, else the distant one",
    "label_text": "the label's name",
    "gold_label": "the label that people agree on and the rule of gold accepts",
    "annotator_labels": "the answers of the annotators",
    "distant_label": "the label that the linking phrase, or the drawing of a neutral pair, stands for",
    "accepted_suggestion": "the gold label is a model's that a person accepted",
    "suggested_label": "a model's label",
    "suggestion_confidence": "its calibrated probability",
    "suggestion_model": "digest of the model's files",
    "Domain": "domain of the paper",
    "genre": "domain of the paper",
    "domain": "domain of the paper",
    "strategy": "how the pair was made: by a linking phrase, by one of three neutral draws, or imported",
    "linking_phrase": "the phrase that was removed from the hypothesis",
    "sentence2_original": "the hypothesis as the paper has it",
    "edited": "whether a person completed a sentence from the paper",
    "sentence1_mined": "the premise before that",
    "sentence2_mined": "the hypothesis before that",
    "crosses_paragraph": "whether the premise ends the paragraph before",
    "flags": "what the mining noticed",
    "split": "train, dev or test",
    "paper_sha256": "SHA-256 of the paper's file",
    "paper_md5": "MD5 of the paper's PDF, which identifies it",
    "title": "title of the paper",
    "doi": "DOI of the paper",
    "year": "year of the paper",
    "licence": "licence of the paper",
    "section": "heading of the premise's section",
    "page": "page of the hypothesis",
    "parser": "what read the paper",
    "parser_version": "its version",
    "mining_run": "identity of the mining run: settings, program, rules and language model",
    "source_id": "the pair's id in an imported data set",
    "source_label": "its label there",
    "source_columns": "its other columns there",
}


@dataclass(frozen=True, slots=True)
class CardFacts:
    """What the card says.

    files: data files by split, "" for a single file. papers: exported pairs by MD5. agreement: more Markdown about the
    annotators, "" for none.
    """

    manifest: Manifest
    options: ExportOptions
    files: Mapping[str, WrittenFile]
    rows: int
    counts: Mapping[tuple[str, str, str], int]
    left_out: Mapping[str, int]
    papers: Mapping[str, int]
    unnamed: int
    statistics: DataSetStatistics
    leaks: LeakReport | None
    roles: Mapping[str, int]
    agreement: str = ""

    @property
    def used(self) -> list[PaperRecord]:
        """The papers that pairs come from."""
        return [paper for paper in self.manifest.papers if self.papers.get(paper.md5)]

    @property
    def licences(self) -> Counter[str]:
        """Pairs by licence of their paper; "" for unknown."""
        found = Counter({"": self.unnamed} if self.unnamed else {})
        for paper in self.used:
            found[paper.licence] += self.papers[paper.md5]
        return found


def data_card(facts: CardFacts) -> str:
    """The whole README.md."""
    return f"---\n{_yaml(hub_metadata(facts))}---\n\n" + "\n\n".join(_sections(facts)) + "\n"


def hub_metadata(facts: CardFacts) -> dict[str, Any]:
    """The hub's metadata: configs, features, sizes, language, licence and what annotated the data."""
    options = facts.options
    known = list(facts.licences)
    one = _HUB_LICENCES.get(known[0]) if len(known) == 1 else None
    licence = {"license": one} if one else {"license": "other", "license_name": "as-the-papers"}
    splits = [(HUB_SPLITS.get(split, "train"), file) for split, file in facts.files.items()]
    made_by = ["machine-generated", *(["expert-generated"] if facts.statistics.annotated else [])]
    config: dict[str, Any] = {
        "config_name": "default",
        "data_files": [{"split": split, "path": file.name} for split, file in splits],
    }
    if options.format is FileFormat.TSV:
        config["sep"] = "\t"
    return {
        "pretty_name": title(options),
        "language": ["en"],
        **licence,
        "task_categories": ["text-classification"],
        "task_ids": ["natural-language-inference"],
        "annotations_creators": made_by,
        "language_creators": ["found"],
        "multilinguality": ["monolingual"],
        "source_datasets": ["original"],
        "size_categories": [next((name for limit, name in _SIZES if facts.rows < limit), "n>100M")],
        "tags": ["scientific-nli", "croissant", "pairwright"],
        "configs": [config],
        "dataset_info": {
            "config_name": "default",
            "features": [hub_feature(name, kind, options) for name, kind in field_kinds(options.preset).items()],
            "splits": [{"name": split, "num_bytes": file.size, "num_examples": file.rows} for split, file in splits],
            "download_size": sum(file.size for _, file in splits),
            "dataset_size": sum(file.size for _, file in splits),
        },
    }


def hub_feature(name: str, kind: FieldKind, options: ExportOptions) -> dict[str, Any]:
    """A field as `dataset_info` has it; lists are text in CSV and TSV."""
    if kind is FieldKind.CLASS:
        return {
            "name": name,
            "dtype": {"class_label": {"names": {str(n): label.value for n, label in enumerate(Label)}}},
        }
    if kind is FieldKind.TEXTS and options.format not in DELIMITED:
        return {"name": name, "list": "string"}
    types = {FieldKind.BOOLEAN: "bool", FieldKind.INTEGER: "int64", FieldKind.NUMBER: "float64"}
    return {"name": name, "dtype": types.get(kind, "string")}


def title(options: ExportOptions) -> str:
    return options.name or "Scientific NLI pairs"


def _sections(facts: CardFacts) -> Iterator[str]:
    options, manifest = facts.options, facts.manifest
    yield f"# {_text(title(options))}"
    yield (
        f"{facts.rows:,} pairs of sentences from {_count(len(facts.used), 'paper')}, each with one of four relations "
        "(scientific natural-language inference, as in SciNLI). Both sentences of a pair are from one paper. The pairs "
        f"were made by {manifest.program}; `manifest.json` says from what, and rebuilds the same files from the same "
        "papers: `pairwright rebuild manifest.json --papers DIR --out OUT`."
    )
    yield "## What is in it"
    yield _counts_table(facts)
    yield "\n".join(f"- `{label.value}`: {text}." for label, text in _DEFINITIONS.items())
    yield _table(
        ("field", "what it is"), [(f"`{name}`", _FIELD_TEXTS.get(name, "")) for name in field_kinds(options.preset)]
    )
    if options.format in DELIMITED:
        escaped = (
            "Cells that a spreadsheet would take for formulas (they begin with =, +, -, @, a tab or a line break) have "
            "an apostrophe before them; Pairwright's import takes it away again."
        )
        lists = "Lists are written as JSON."
        yield f"{lists} {escaped}" if options.safe_cells else lists
    yield "## Statistics"
    yield _statistics_table(facts.statistics)
    yield (
        "Words are tokens, punctuation included; overlap is the share of the hypothesis' tokens that the premise has "
        "too (SciNLI, Table 3; MSciNLI, Table 2). Where a split of a domain has more than 5,000 pairs, a random sample "
        "of it was measured."
    )
    yield "## How the pairs were made"
    yield "\n".join(_mining_lines(facts))
    yield "## Gold labels"
    yield "\n\n".join(_gold_parts(facts))
    yield "## Splits"
    yield "\n".join(_split_lines(facts))
    yield "## What was left out"
    left_out = [(reason, f"{pairs:,}") for reason, pairs in facts.left_out.items()]
    yield _table(("reason", "pairs"), left_out) if left_out else "Nothing."
    yield "## Licences"
    yield "\n\n".join(_licence_parts(facts))
    yield "## Papers"
    yield _papers_table(facts)
    yield "## Limits"
    yield (
        "- Labels of pairs that nobody settled come from linking phrases (distant supervision), and some are wrong.\n"
        "- Text was read from PDFs, TEI or JSON by a parser; sentences may hold its mistakes.\n"
        "- Neutral pairs are drawn at random from one paper, and a few may be related all the same.\n"
        "- Domain, year and licence are as the files state them or as people entered them."
    )


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


def _statistics_table(statistics: DataSetStatistics) -> str:
    rows = []
    for domain in (None, *(statistics.domains if len(statistics.domains) > 1 else ())):
        for split in (None, *statistics.splits):
            means = statistics.means(domain, split)
            if means is None:
                continue
            premise, hypothesis, overlap = (estimate.mean for estimate in means)
            name = "all" if domain is None else _text(domain) or "no domain"
            values = (f"{premise:.2f}", f"{hypothesis:.2f}", f"{100 * overlap:.2f} %")
            rows.append((name, split or "all", f"{statistics.count(domain, split):,}", *values))
    return _table(("domain", "split", "pairs", "premise words", "hypothesis words", "word overlap"), rows)


def _mining_lines(facts: CardFacts) -> Iterator[str]:
    run = facts.manifest.mining
    if run is not None:
        settings = {name: value for name, value in run.settings.items() if name != "phrases"}
        yield f"- Mining run `{run.run}`, by {_text(run.program)}; language model: {_text(run.language_model)}."
        phrases: dict[str, list[str]] = {}
        for phrase in run.settings.get("phrases", []):
            if isinstance(phrase, dict) and phrase.get("on", True):
                phrases.setdefault(str(phrase.get("label")), []).append(str(phrase.get("text")))
        for label, texts in phrases.items():
            yield f"- Linking phrases of {_text(label)}: {_text(', '.join(texts))}."
        yield f"- Settings: `{json.dumps(settings, sort_keys=True)}`."
    parsers = Counter(f"{paper.parser} {paper.parser_version}, sentences {paper.splitter}" for paper in facts.used)
    for parser, papers in sorted(parsers.items()):
        yield f"- {_count(papers, 'paper')} parsed by {_text(parser)}."
    strategies = Counter[str]()
    for (_, _, strategy), pairs in facts.counts.items():
        strategies[strategy] += pairs
    yield "- Pairs by strategy: " + ", ".join(f"{pairs:,} {name}" for name, pairs in sorted(strategies.items())) + "."
    for data_set in facts.manifest.data_sets:
        yield f"- Imported data set with SHA-256 `{data_set.sha256}`."


def _gold_parts(facts: CardFacts) -> Iterator[str]:
    rules = facts.manifest.gold
    which = "any majority" if rules.rule is GoldRule.MAJORITY else "majorities that agree with the distant label"
    roles = ", ".join(f"{number} {role}" for role, number in sorted(facts.roles.items())) or "none"
    yield (
        f"A pair's gold label is the majority of its annotators' answers ({_count(rules.votes, 'vote')} a pair); the "
        f"benchmark takes {which}. Annotators: {roles}."
    )
    agreement = facts.statistics.agreement()
    if agreement[""].annotated:
        rows = [(label or "all", *_agreement_cells(found)) for label, found in agreement.items()]
        yield _table(("distant label", "annotated", "gold = distant", "other gold", "no consensus", "agreement"), rows)
    else:
        yield "No pair was annotated by enough people: the labels are distant ones, unless a file brought gold labels."
    if facts.agreement:
        yield facts.agreement


def _agreement_cells(found: GoldAgreement) -> tuple[str, ...]:
    share = found.agreement.share
    return (
        f"{found.annotated:,}",
        f"{found.agreeing:,}",
        f"{found.other:,}",
        f"{found.no_consensus:,}",
        "–" if share is None else f"{100 * share:.1f} %",
    )


def _split_lines(facts: CardFacts) -> Iterator[str]:
    options, leaks = facts.options, facts.leaks
    if not options.in_splits:
        yield "The pairs are in one file."
        return
    if options.shares:
        shares = ", ".join(f"{name} {share:g}" for name, share in options.shares)
        yield f"- By paper, alike in every domain: {shares}. Seed {options.seed}."
    elif options.years:
        yield "- By the papers' year, per domain."
    else:
        yield "- As the imported files say."
    if options.balance:
        yield f"- As many pairs of each class, per split and domain, drawn with seed {options.seed}."
    if leaks is not None:
        near = "" if leaks.near_duplicates is None else f", {_count(leaks.near_duplicates, 'group')} of near-duplicates"
        yield (
            f"- Leaks, counted in what was written: {_count(leaks.papers, 'paper')} and "
            f"{_count(leaks.sentences, 'sentence')} in more than one split{near}."
        )


def _licence_parts(facts: CardFacts) -> Iterator[str]:
    rows = [
        (licence or "unknown", f"{pairs:,}", "yes" if is_redistributable(licence) else "no")
        for licence, pairs in sorted(facts.licences.items(), key=lambda one: (-one[1], one[0]))
    ]
    yield _table(("licence of the paper", "pairs", "may be passed on"), rows)
    if facts.options.redistributable_only:
        yield "Pairs of papers whose licence does not allow to pass them on, or is unknown, were left out."
    elif any(not is_redistributable(licence) for licence in facts.licences):
        yield (
            "**Some papers do not allow to pass their sentences on, or do not state a licence**: do not publish this "
            "folder as it is. `--redistributable` leaves their pairs out."
        )
    conditions = [
        text
        for part, text in (("NC", "not for commercial use"), ("SA", "under the same licence"))
        if any(part in licence.split("-") for licence in facts.licences)
    ]
    attribution = "CC licences ask to name the papers; the table below does."
    yield f"{attribution} Some sentences may be used only {' and '.join(conditions)}." if conditions else attribution
    if ARXIV in facts.licences:
        yield f"`{ARXIV}` is the licence that lets arXiv, and nobody else, distribute a paper."


def _papers_table(facts: CardFacts) -> str:
    rows = [
        (
            _text(paper.title) or "–",
            str(paper.year or "–"),
            _text(paper.doi or "") or "–",
            _text(paper.licence) or "unknown",
            _text(paper.domain) or "–",
            f"{facts.papers[paper.md5]:,}",
            f"`{paper.sha256}`",
        )
        for paper in facts.used
    ]
    if facts.unnamed:
        rows.append(("imported pairs", "–", "–", "unknown", "–", f"{facts.unnamed:,}", "–"))
    return _table(("title", "year", "DOI", "licence", "domain", "pairs", "SHA-256"), rows) if rows else "None."


def _table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _text(text: str) -> str:
    """Text of papers and people, as Markdown that shows it and nothing else."""
    plain = " ".join(text.encode("utf-8", "replace").decode().split())
    return "".join(f"\\{one}" if one in "\\`*_{}[]<>#|!~$&" else one for one in plain)


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def _yaml(data: Mapping[str, Any], indent: int = 0) -> str:
    """The mapping as YAML. Texts are JSON strings, which YAML reads alike."""
    lines = []
    for name, value in data.items():
        lines += _yaml_lines(f"{'  ' * indent}{name}:", value, indent)
    return "\n".join(lines) + "\n"


def _yaml_lines(head: str, value: Any, indent: int) -> list[str]:
    if isinstance(value, dict):
        return [head, _yaml(value, indent + 1).rstrip("\n")]
    if isinstance(value, list):
        lines = [head]
        for item in value:
            if isinstance(item, dict):
                first, *rest = _yaml(item, indent + 2).rstrip("\n").split("\n")
                lines += [f"{'  ' * (indent + 1)}- {first.strip()}", *rest]
            else:
                lines.append(f"{'  ' * (indent + 1)}- {json.dumps(item, ensure_ascii=False)}")
        return lines
    return [f"{head} {json.dumps(value, ensure_ascii=False)}"]


def split_of_file(file: WrittenFile) -> str:
    """The split that a data file holds; "" for the file of all pairs."""
    stem = Path(file.name).stem
    return stem if stem in HUB_SPLITS else ""
