"""Papers and pairs for tests, made of numbers; and the journey from papers to pairs as the jobs make it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from hashlib import md5, sha256
from importlib.resources import files
from pathlib import Path

from miner.kinds.questionnaire import Answers, PairKinds
from miner.kinds.taxonomy import RELATION, Direction
from miner.mining.identity import pair_key
from miner.parsing.files import FileKind
from miner.records import (
    Box,
    DropReason,
    Funnel,
    Label,
    MinedPaper,
    Pair,
    Paper,
    PaperPosition,
    Paragraph,
    Section,
    Sentence,
    Span,
    Strategy,
)
from storage.annotation.imported_kinds import store_kinds
from storage.mining.runs import PendingPaper
from storage.pairs.filters import PairFilter
from storage.pairs.table import PairTableRow
from storage.papers.files import FileSource
from storage.project import Project
from storage.stores import Stores

LABELS = (Label.CONTRASTING, Label.REASONING, Label.ENTAILMENT)


def paper(name: str, *, domain: str = "biology", parser: str = "embedded", version: str = "1", text: str = "") -> Paper:
    text = text or f"Cells of {name} grow – fast. However, they die."
    end = text.index(". ") + 1
    sentences = (Sentence(0, end), Sentence(end + 1, len(text)))
    spans = (Span(0, end, Box(1, 72.0, 90.5, 300.25, 102.0)), Span(end, len(text), Box(2, 72.0, 10.0, 200.0, 22.0)))
    return Paper(
        md5=md5(name.encode()).hexdigest(),
        sha256=sha256(name.encode()).hexdigest(),
        title=f"On {name}",
        authors=("Ada Ünal", "B. Q."),
        year=2019,
        domain=domain,
        pages=2,
        parser=parser,
        parser_version=version,
        sections=(Section("Abstract", ()), Section("Introduction", (Paragraph(text, sentences, spans, True),))),
    )


def pdf(name: str) -> FileSource:
    return FileSource(Path(f"/papers/{name}.pdf"), FileKind.PDF)


def pair(
    owner: str,
    premise: str,
    hypothesis: str,
    strategy: Strategy = Strategy.LINKED,
    label: Label | None = Label.CONTRASTING,
    number: int = 0,
) -> Pair:
    """A pair of the paper with MD5 `owner`."""
    return Pair(
        key=pair_key(owner, premise, hypothesis, strategy),
        premise=premise,
        hypothesis=hypothesis.removeprefix("However, "),
        hypothesis_original=hypothesis,
        strategy=strategy,
        distant_label=label,
        phrase="However" if strategy is Strategy.LINKED else None,
        premise_at=PaperPosition(1, 0, number),
        hypothesis_at=PaperPosition(1, 0, number + 1),
        page=1,
    )


def mined(pairs: Iterable[Pair]) -> MinedPaper:
    """The pairs, and a funnel that says one more linked candidate was too short."""
    pairs = tuple(pairs)
    kept = Counter(pair.strategy for pair in pairs)
    return MinedPaper(
        pairs, Funnel(kept + Counter({Strategy.LINKED: 1}), kept, {DropReason(Strategy.LINKED, "too_short"): 1})
    )


def some_pairs(owner: str) -> MinedPaper:
    """Three linked pairs, one of each class, a neutral one, and a sentence pair that all papers share."""
    linked = [
        pair(owner, f"{owner} premise {n}.", f"However, {n}.", label=label, number=n) for n, label in enumerate(LABELS)
    ]
    linked.append(pair(owner, "Copyright holds.", "However, it ends!", number=8))
    neutral = pair(owner, f"{owner} one.", f"{owner} two.", Strategy.BOTH_RANDOM, Label.NEUTRAL)
    return mined([*linked, neutral])


def as_many(linked: Mapping[Label, int]) -> int:
    return sum(linked.values())


def add(project: Project, names: Iterable[str]) -> None:
    for name in names:
        with project.transaction() as stores:
            stores.papers.save(paper(name), pdf(name))


def remove(stores: Stores, *md5s: str) -> None:
    """Remove papers as people do."""
    stores.paper_removals.remove(stores.actions.begin("", "Remove papers", datetime.now(UTC)), md5s)


def search(stores: Stores, words: str) -> list[PairTableRow]:
    """The pairs that the table shows for these words."""
    return stores.pair_table.rows(stores.pair_table.ids(PairFilter(text=words)))


def start_run(project: Project, id: str = "run") -> int:
    with project.transaction() as stores:
        return stores.mining_runs.start(id, "{}", program="1", language_model="")


def next_papers(project: Project, run: int) -> list[PendingPaper]:
    with project.read_transaction() as stores:
        return list(stores.mining_runs.next_papers(run, limit=1000))


def mine(project: Project, id: str = "run") -> int:
    """Mine `some_pairs` of every paper whose pending it is, a transaction each; the run's number."""
    run = start_run(project, id)
    for pending in next_papers(project, run):
        with project.transaction(bulk=True) as stores:
            assert stores.pairs.replace_for(pending, some_pairs(pending.md5), as_many) is not None
    with project.transaction() as stores:
        assert stores.mining_runs.finish(run)
    return run


def reasoned(ticked: str, direction: str = "", relation: str = "reasoning") -> Answers:
    """Answers about kinds: the letters ticked of what the reasoning is about, and the letter of the direction."""
    letters = {"outside": "e", "way": "r", "reasoning": ticked, "connectives": ""}
    letters |= {"direction": direction} if direction else {}
    return {RELATION: frozenset([relation]), **{question: frozenset(given) for question, given in letters.items()}}


def answer_about_kinds(project: Project, key: str, who: str, answers: Answers) -> None:
    """One annotator's answers about the kinds of a pair, as an action of its own."""
    text = files("miner.kinds").joinpath("taxonomy.toml").read_text(encoding="utf-8")
    at = datetime(2026, 7, 1, tzinfo=UTC)
    with project.transaction() as stores:
        taxonomy = stores.kinds.put_taxonomy(text)
        stores.kinds.answer(taxonomy, key, who, answers, at, action=stores.actions.begin(who, "Answer", at))


def say_kinds(project: Project) -> None:
    """Two annotators say of every pair which kinds of reasoning it needs."""
    with project.transaction() as stores:
        keys = stores.pair_table.keys(stores.pair_table.ids(PairFilter()))
        said = PairKinds("entailment", frozenset({"lexical", "world"}), Direction.BOTH, complete=True)
        other = PairKinds("neutral", frozenset(), None, complete=True)
        rows = ((key, who, kinds) for key in keys for who, kinds in (("anna", said), ("ben", other)))
        store_kinds(stores._connection, rows, "2026-07-01T00:00:00+00:00")
