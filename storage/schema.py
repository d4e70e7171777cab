"""The tables, a class each, as `migrations/` creates them (a test compares the two); private to storage.

How storage uses SQLAlchemy:
- The classes are the schema, and simple statements are written with them: `select(PaperRow.id).where(...)`.
- Such statements are Core's, run on a `Connection`: there is no session, and no object of these classes is ever made.
- SQL is text, run by `exec_driver_sql`, where it is tuned to an index, reads many rows, or asks what SQLite alone has.
- Filters are compiled to SQL in one place, `storage.pairs.query`; as text, because it is tuned.
- Values are passed as parameters. Only our own constants are formatted into text, never what a person entered.
"""

from __future__ import annotations

from typing import cast

from sqlalchemy import REAL, Computed, ForeignKey, ForeignKeyConstraint, Index, Table, Text, UniqueConstraint, text
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column


class Base(DeclarativeBase):
    type_annotation_map = {str: Text}  # noqa: RUF012  the base class wants a plain mapping


class SettingRow(Base):
    """One of the project's settings, as JSON."""

    __tablename__ = "settings"
    key: Mapped[str] = mapped_column(primary_key=True)
    value: Mapped[str]


class PaperRow(Base):
    """One paper, or one imported data set. `kind` says what `sha256` is of: pdf, tei, papers or dataset.

    digest: of the text, then of the metadata as parsed (`storage.convert.paper_digest`), so that a different parse is
    noticed.
    edited: the names of the metadata that a person set (JSON), which no parse overwrites.
    source_md5: of a stand-in, the MD5 of the paper that it stands for, by which it is ordered, split and exported.
    split: train, dev or test, by the split of the project's papers (`storage.pairs.paper_splits`).
    hidden_words: how many words were left out because they are invisible on the pages.
    repaired_characters, repaired_fonts: how many characters the fonts had wrong, and how many fonts.
    words, unknown_words, unknown_lines: how many words could be looked up and are no words, and the worst lines (JSON).
    sources: where each field's value comes from (JSON, by field).
    to_check: the names of what the parser was not sure of (JSON, see `miner.parsing.checks`). A person who sets or
    confirms it has it in `edited`.

    The index `papers_in_order`, of `source_md5` or `md5`, is missing here: SQLAlchemy cannot read back an expression.
    """

    __tablename__ = "papers"
    id: Mapped[int] = mapped_column(primary_key=True)
    md5: Mapped[str] = mapped_column(unique=True)
    sha256: Mapped[str]
    kind: Mapped[str]
    title: Mapped[str]
    authors: Mapped[str]
    year: Mapped[int | None]
    doi: Mapped[str | None]
    domain: Mapped[str]
    pages: Mapped[int | None]
    parser: Mapped[str]
    parser_version: Mapped[str]
    splitter: Mapped[str]
    digest: Mapped[str]
    edited: Mapped[str]
    source_md5: Mapped[str | None]
    hidden_words: Mapped[int] = mapped_column(default=0, server_default="0")
    licence: Mapped[str] = mapped_column(default="", server_default="")
    repaired_characters: Mapped[int] = mapped_column(default=0, server_default="0")
    repaired_fonts: Mapped[int] = mapped_column(default=0, server_default="0")
    split: Mapped[str | None]
    journal: Mapped[str] = mapped_column(default="", server_default="")
    keywords: Mapped[str] = mapped_column(default="[]", server_default="[]")
    language: Mapped[str] = mapped_column(default="", server_default="")
    words: Mapped[int] = mapped_column(default=0, server_default="0")
    unknown_words: Mapped[int] = mapped_column(default=0, server_default="0")
    unknown_lines: Mapped[str] = mapped_column(default="[]", server_default="[]")
    sources: Mapped[str] = mapped_column(default="{}", server_default="{}")
    to_check: Mapped[str] = mapped_column(default="[]", server_default="[]")


class FileRow(Base):
    """A file that was added, or a line of one (0: the whole file): its paper, or why it could not be read.

    chosen: the metadata that a person chose for a failed file (`ChosenMetadata`, JSON).
    """

    __tablename__ = "files"
    __table_args__ = (
        UniqueConstraint("path", "line"),
        Index("files_by_paper", "paper_id"),
        Index("files_by_md5", "md5"),
        Index("files_by_sha256", "sha256"),
    )
    id: Mapped[int] = mapped_column(primary_key=True)
    path: Mapped[str]
    line: Mapped[int]
    md5: Mapped[str | None]
    sha256: Mapped[str | None]
    paper_id: Mapped[int | None] = mapped_column(ForeignKey("papers.id", ondelete="CASCADE"))
    code: Mapped[str | None]
    reason: Mapped[str | None]
    hint: Mapped[str | None]
    chosen: Mapped[str | None]


class SectionRow(Base):
    __tablename__ = "sections"
    paper_id: Mapped[int] = mapped_column(ForeignKey("papers.id", ondelete="CASCADE"), primary_key=True)
    ordinal: Mapped[int] = mapped_column(primary_key=True)
    title: Mapped[str]
    kind: Mapped[str]


class ParagraphRow(Base):
    """`sentences` is JSON, [[start, end], ...]; `spans` is packed by `convert.pack_spans`."""

    __tablename__ = "paragraphs"
    __table_args__ = (
        UniqueConstraint("paper_id", "section", "ordinal"),
        ForeignKeyConstraint(["paper_id", "section"], ["sections.paper_id", "sections.ordinal"], ondelete="CASCADE"),
    )
    id: Mapped[int] = mapped_column(primary_key=True)
    paper_id: Mapped[int]
    section: Mapped[int]
    ordinal: Mapped[int]
    text: Mapped[str]
    after_break: Mapped[bool]
    sentences: Mapped[str]
    spans: Mapped[bytes | None]


class MiningRunRow(Base):
    """Papers up to `mined_to`, in order of MD5, are mined by this run. `totals` is its funnel once done (JSON)."""

    __tablename__ = "mining_runs"
    number: Mapped[int] = mapped_column(primary_key=True)
    id: Mapped[str] = mapped_column(unique=True)
    settings: Mapped[str]
    program: Mapped[str]
    language_model: Mapped[str]
    state: Mapped[str]
    mined_to: Mapped[str]
    totals: Mapped[str | None]


class FunnelRow(Base):
    """The number of a paper's candidates by outcome: candidate (all), kept, or dropped (with the reason)."""

    __tablename__ = "funnel"
    paper_id: Mapped[int] = mapped_column(ForeignKey("papers.id", ondelete="CASCADE"), primary_key=True)
    run: Mapped[int] = mapped_column(ForeignKey("mining_runs.number"))
    strategy: Mapped[str] = mapped_column(primary_key=True)
    outcome: Mapped[str] = mapped_column(primary_key=True)
    reason: Mapped[str] = mapped_column(primary_key=True)
    count: Mapped[int]


class PairRow(Base):
    """A pair of sentences.

    ordinal: the position among the paper's pairs.
    current: false for a pair that is no longer mined, but has answers.
    premise_hash, hypothesis_hash: of the sentences in the paper (`miner.mining.identity.sentence_hash`).
    split: train, dev or test (`storage.pairs.paper_splits`); own_split: what a data set's file says.
    source_id, source_label, source: what a data set's file says of an imported pair (JSON: `exchange.import_rows`).
    overlap: the percentage of the hypothesis' words that the premise has too.
    label: the label that an export has.

    These follow from people's answers and marks (`storage.pairs.status`):
    status: open (no answers), settled (a majority), unsettled (no majority, or for "unclear"), discarded (a majority
    that the rule of gold does not accept) or bad (marked as bad).
    majority: the label that people agree on. gold: the same, unless the rule of gold discards it.
    contested: annotators disagree.
    accepted: every answer is an accepted suggestion.
    flagged, noted: somebody has flagged the pair, or written a note.
    votes: how many answers of annotators count for the gold label.

    These follow from `text_events` (`storage.pairs.mended_texts`); `premise`, `hypothesis`, the counts of words and
    `overlap` are of the mended text, the hashes of the mined one:
    edited: a person has mended premise or hypothesis.
    mined_premise, mined_hypothesis: what was mined, or imported, in place of the mended sentence; None where it holds.

    The indices `pairs_in_order` and `pairs_judged` are missing here: SQLAlchemy cannot read back an expression
    (`storage.pairs.facets`).
    """

    __tablename__ = "pairs"
    __table_args__ = (
        Index("pairs_gone", "current", sqlite_where=text("current = 0")),
        Index("pairs_by_text", "premise_hash", "hypothesis_hash"),
        Index("pairs_with_own_split", "paper_id", "own_split", sqlite_where=text("own_split IS NOT NULL")),
    )
    id: Mapped[int] = mapped_column(primary_key=True)
    key: Mapped[str] = mapped_column(unique=True)
    paper_id: Mapped[int] = mapped_column(ForeignKey("papers.id", ondelete="CASCADE"))
    run: Mapped[int | None] = mapped_column(ForeignKey("mining_runs.number"))
    current: Mapped[bool]
    ordinal: Mapped[int]
    premise: Mapped[str]
    hypothesis: Mapped[str]
    hypothesis_original: Mapped[str]
    strategy: Mapped[str]
    distant_label: Mapped[str | None]
    phrase: Mapped[str | None]
    premise_section: Mapped[int]
    premise_paragraph: Mapped[int]
    premise_sentence: Mapped[int]
    hypothesis_section: Mapped[int]
    hypothesis_paragraph: Mapped[int]
    hypothesis_sentence: Mapped[int]
    page: Mapped[int | None]
    flags: Mapped[str]
    premise_hash: Mapped[int]
    hypothesis_hash: Mapped[int]
    split: Mapped[str | None]
    source_id: Mapped[str | None]
    source_label: Mapped[str | None]
    status: Mapped[str] = mapped_column(default="open", server_default="open")
    gold: Mapped[str | None]
    contested: Mapped[bool] = mapped_column(default=False, server_default="0")
    flagged: Mapped[bool] = mapped_column(default=False, server_default="0")
    noted: Mapped[bool] = mapped_column(default=False, server_default="0")
    premise_words: Mapped[int] = mapped_column(server_default="0")
    hypothesis_words: Mapped[int] = mapped_column(server_default="0")
    overlap: Mapped[int] = mapped_column(server_default="0")
    label: Mapped[str | None] = mapped_column(
        Computed("CASE status WHEN 'settled' THEN gold WHEN 'open' THEN distant_label END", persisted=False)
    )
    accepted: Mapped[bool] = mapped_column(default=False, server_default="0")
    source: Mapped[str | None]
    votes: Mapped[int] = mapped_column(default=0, server_default="0")
    majority: Mapped[str | None]
    edited: Mapped[bool] = mapped_column(default=False, server_default="0")
    mined_premise: Mapped[str | None]
    mined_hypothesis: Mapped[str | None]
    own_split: Mapped[str | None]


class LabelEventRow(Base):
    """An answer given, changed or withdrawn (`new` is None); triggers forbid to change or delete one.

    `via`: answer, or accepted where a suggestion was accepted.
    """

    __tablename__ = "label_events"
    __table_args__ = (
        Index("label_events_by_pair", "pair_key", "annotator", "id"),
        Index("label_events_by_action", "action", sqlite_where=text("action IS NOT NULL")),
    )
    id: Mapped[int] = mapped_column(primary_key=True)
    pair_key: Mapped[str]
    annotator: Mapped[str]
    at: Mapped[str]
    seen: Mapped[str]
    old: Mapped[str | None]
    new: Mapped[str | None]
    action: Mapped[int | None] = mapped_column(ForeignKey("actions.id"))
    via: Mapped[str] = mapped_column(default="answer", server_default="answer")


class MarkEventRow(Base):
    """A flag, a note, tags or why a pair is bad: set, changed or removed (`new` is None). Rows never change."""

    __tablename__ = "mark_events"
    __table_args__ = (
        Index("mark_events_by_pair", "pair_key", "kind", "annotator", "id"),
        Index("mark_events_by_action", "action"),
        Index("mark_events_tags", "pair_key", "annotator", "id", sqlite_where=text("kind = 'tag'")),
    )
    id: Mapped[int] = mapped_column(primary_key=True)
    pair_key: Mapped[str]
    annotator: Mapped[str]
    at: Mapped[str]
    kind: Mapped[str]
    old: Mapped[str | None]
    new: Mapped[str | None]
    action: Mapped[int | None] = mapped_column(ForeignKey("actions.id"))


class TextEventRow(Base):
    """A sentence that a person mended, from `old` to `new`; `field` is premise or hypothesis.

    new: None is the mined text, whatever that is by now. Rows never change.
    """

    __tablename__ = "text_events"
    __table_args__ = (
        Index("text_events_by_pair", "pair_key", "field", "id"),
        Index("text_events_by_action", "action"),
    )
    id: Mapped[int] = mapped_column(primary_key=True)
    pair_key: Mapped[str]
    annotator: Mapped[str]
    at: Mapped[str]
    field: Mapped[str]
    old: Mapped[str]
    new: Mapped[str | None]
    action: Mapped[int | None] = mapped_column(ForeignKey("actions.id"))


class AnnotatorRow(Base):
    """A person who annotates. `key` is what histories hold and never changes; `role` says what their answers are."""

    __tablename__ = "annotators"
    id: Mapped[int] = mapped_column(primary_key=True)
    key: Mapped[str] = mapped_column(unique=True)
    name: Mapped[str] = mapped_column(unique=True)
    role: Mapped[str]


class AnnotationRoundRow(Base):
    """Pairs that were drawn for several annotators. `plan` (JSON) says how; `kind`: benchmark, pilot or estimate.

    asks: relation or kinds; taxonomy: of the questions about kinds.
    """

    __tablename__ = "annotation_rounds"
    id: Mapped[int] = mapped_column(primary_key=True)
    uid: Mapped[str] = mapped_column(unique=True)
    number: Mapped[int] = mapped_column(unique=True)
    kind: Mapped[str]
    seed: Mapped[int]
    created_at: Mapped[str]
    plan: Mapped[str]
    is_open: Mapped[bool]
    asks: Mapped[str] = mapped_column(default="relation", server_default="relation")
    taxonomy: Mapped[str | None] = mapped_column(ForeignKey("taxonomies.digest"))


class AnnotationRoundPairRow(Base):
    """A pair of an annotation round, with the domain and distant label that it was drawn for.

    annotator: whose pair it is; None for everybody who answers the round.
    """

    __tablename__ = "annotation_round_pairs"
    __table_args__ = (Index("annotation_round_pairs_by_pair", "pair_key"),)
    round: Mapped[int] = mapped_column(ForeignKey("annotation_rounds.id", ondelete="CASCADE"), primary_key=True)
    pair_key: Mapped[str] = mapped_column(primary_key=True)
    ordinal: Mapped[int]
    domain: Mapped[str]
    label: Mapped[str | None]
    annotator: Mapped[str | None]


class AssignmentRow(Base):
    """An annotator's part of an annotation round. state: open (answered here), sent (as a file) or merged.

    digest: of the keys and texts of the pairs in the file that was sent last (`storage.exchange.answer_files`).
    """

    __tablename__ = "assignments"
    __table_args__ = (UniqueConstraint("round", "annotator"),)
    id: Mapped[int] = mapped_column(primary_key=True)
    uid: Mapped[str] = mapped_column(unique=True)
    round: Mapped[int] = mapped_column(ForeignKey("annotation_rounds.id", ondelete="CASCADE"))
    annotator: Mapped[str]
    state: Mapped[str]
    sent_at: Mapped[str | None]
    merged_at: Mapped[str | None]
    digest: Mapped[str | None]


class MergedAnswerRow(Base):
    """An answer that came in an answer file, "" for one that was withdrawn; it counts until `action` is undone.

    earlier, earlier_at: of a conflict, what the annotator had answered elsewhere when the file was merged.
    """

    __tablename__ = "merged_answers"
    __table_args__ = (
        UniqueConstraint("assignment", "pair_key", "at", "answer"),
        Index("merged_answers_by_action", "action"),
    )
    id: Mapped[int] = mapped_column(primary_key=True)
    assignment: Mapped[int] = mapped_column(ForeignKey("assignments.id", ondelete="CASCADE"))
    pair_key: Mapped[str]
    at: Mapped[str]
    answer: Mapped[str]
    earlier: Mapped[str | None]
    earlier_at: Mapped[str | None]
    action: Mapped[int] = mapped_column(ForeignKey("actions.id"))


class SetupEventRow(Base):
    """A decision about annotation that an action changed, from `old` to `new` (JSON); None: there was, or is, none.

    subject: what it is about, see `storage.annotation.setup`. Rows never change.
    """

    __tablename__ = "setup_events"
    __table_args__ = (Index("setup_events_by_action", "action"),)
    id: Mapped[int] = mapped_column(primary_key=True)
    subject: Mapped[str]
    old: Mapped[str | None]
    new: Mapped[str | None]
    action: Mapped[int] = mapped_column(ForeignKey("actions.id"))


class ReleaseRow(Base):
    """A released data set; rows never change. `options` and `counts` are JSON."""

    __tablename__ = "releases"
    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(unique=True)
    created_at: Mapped[str]
    program: Mapped[str]
    options: Mapped[str]
    counts: Mapped[str]


class ReleaseFileRow(Base):
    """A file of a release, compressed, so that it can be written again byte for byte. sha256: of the plain file."""

    __tablename__ = "release_files"
    release: Mapped[int] = mapped_column(ForeignKey("releases.id"), primary_key=True)
    name: Mapped[str] = mapped_column(primary_key=True)
    rows: Mapped[int]
    size: Mapped[int]
    sha256: Mapped[str]
    content: Mapped[bytes]


class ReleaseSplitRow(Base):
    """The split of a paper in a release (`pair_key` is ""), or of an imported pair without a paper (`md5` is "")."""

    __tablename__ = "release_splits"
    __table_args__ = (
        Index("release_splits_by_md5", "md5", "release"),
        Index("release_splits_by_pair", "pair_key", "release"),
    )
    release: Mapped[int] = mapped_column(ForeignKey("releases.id"), primary_key=True)
    md5: Mapped[str] = mapped_column(primary_key=True)
    pair_key: Mapped[str] = mapped_column(primary_key=True)
    split: Mapped[str]


class RoundRow(Base):
    """A queue of an annotator in Review. `filter` (JSON) and `pair_order` say how its pairs were selected.

    turn: highest for the queue that is on, and then for the one that was on before.
    """

    __tablename__ = "rounds"
    __table_args__ = (Index("rounds_by_annotator", "annotator", "turn"),)
    id: Mapped[int] = mapped_column(primary_key=True)
    annotator: Mapped[str]
    number: Mapped[int]
    pair_order: Mapped[str]
    filter: Mapped[str]
    size: Mapped[int]
    seed: Mapped[int]
    turn: Mapped[int]


class RoundPairRow(Base):
    """A pair of a queue. skipped: its position among the skipped pairs, which come last; None for the others."""

    __tablename__ = "round_pairs"
    round: Mapped[int] = mapped_column(ForeignKey("rounds.id", ondelete="CASCADE"), primary_key=True)
    pair_key: Mapped[str] = mapped_column(primary_key=True)
    ordinal: Mapped[int]
    skipped: Mapped[int | None]


class ActionRow(Base):
    """One thing a person did. `state`: done; undone; dropped, undone for good; or reversal, an undo or redo itself."""

    __tablename__ = "actions"
    __table_args__ = (Index("actions_by_annotator", "annotator", "state", "id"),)
    id: Mapped[int] = mapped_column(primary_key=True)
    at: Mapped[str]
    annotator: Mapped[str]
    title: Mapped[str]
    state: Mapped[str]
    reverses: Mapped[int | None] = mapped_column(ForeignKey("actions.id"))


class PaperEventRow(Base):
    """A field of a paper that a person changed: one of `PaperMetadata`, or `edited` itself.

    old, new: JSON, a list with the value; of `edited` the list of names.
    """

    __tablename__ = "paper_events"
    __table_args__ = (Index("paper_events_by_action", "action"),)
    id: Mapped[int] = mapped_column(primary_key=True)
    md5: Mapped[str]
    field: Mapped[str]
    old: Mapped[str | None]
    new: Mapped[str | None]
    action: Mapped[int | None] = mapped_column(ForeignKey("actions.id"))


class RemovedPaperRow(Base):
    """A removed paper: its rows by table as gzipped JSON (part 0), and its pairs in batches (parts from 1)."""

    __tablename__ = "removed_papers"
    action: Mapped[int] = mapped_column(ForeignKey("actions.id"), primary_key=True)
    md5: Mapped[str] = mapped_column(primary_key=True)
    part: Mapped[int] = mapped_column(primary_key=True)
    content: Mapped[bytes]


class ParserOutputRow(Base):
    __tablename__ = "parser_outputs"
    key: Mapped[str] = mapped_column(primary_key=True)
    sha256: Mapped[str]
    content: Mapped[bytes]


class ParserFailureRow(Base):
    __tablename__ = "parser_failures"
    key: Mapped[str] = mapped_column(primary_key=True)
    code: Mapped[str]
    reason: Mapped[str]
    hint: Mapped[str]


class ModelRow(Base):
    """A model, identified by the digest of its files. `card` and `labels` are JSON."""

    __tablename__ = "models"
    id: Mapped[int] = mapped_column(primary_key=True)
    digest: Mapped[str] = mapped_column(unique=True)
    name: Mapped[str]
    kind: Mapped[str]
    folder: Mapped[str]
    card: Mapped[str]
    labels: Mapped[str | None]
    added_at: Mapped[str]


class TrainingRunRow(Base):
    """A training run; `settings` to `versions`, `metrics` and `history` are JSON."""

    __tablename__ = "training_runs"
    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str]
    state: Mapped[str]
    settings: Mapped[str]
    fingerprint: Mapped[str]
    data: Mapped[str]
    versions: Mapped[str]
    started_at: Mapped[str]
    ended_at: Mapped[str | None]
    metrics: Mapped[str]
    history: Mapped[str]
    problem: Mapped[str]
    folder: Mapped[str]
    model_id: Mapped[int | None] = mapped_column(ForeignKey("models.id"))


class SuggestionRunRow(Base):
    """A run of suggestions. state: running, complete (then its suggestions are current) or replaced.

    device: its arithmetic, as `SuggestionRun` says.
    """

    __tablename__ = "suggestion_runs"
    __table_args__ = (
        Index("suggestion_runs_alive", "state", unique=True, sqlite_where=text("state IN ('running', 'complete')")),
    )
    id: Mapped[int] = mapped_column(primary_key=True)
    model_id: Mapped[int] = mapped_column(ForeignKey("models.id"))
    temperature: Mapped[float] = mapped_column(REAL)
    state: Mapped[str]
    device: Mapped[str]
    program: Mapped[str]
    started_at: Mapped[str]
    ended_at: Mapped[str | None]
    pairs: Mapped[int]
    held_out: Mapped[bool]


class SuggestionRow(Base):
    """A model's suggestion for a pair. Numbers are in ten-thousandths; label: an index of `Label`."""

    __tablename__ = "suggestions"
    __table_args__ = (
        Index("suggestions_by_confidence", "run", "confidence", "pair", "label", "doubt"),
        Index("suggestions_by_doubt", "run", "doubt", "pair", "label", "confidence"),
    )
    pair: Mapped[int] = mapped_column(ForeignKey("pairs.id", ondelete="CASCADE"), primary_key=True)
    run: Mapped[int] = mapped_column(ForeignKey("suggestion_runs.id"), primary_key=True)
    label: Mapped[int]
    confidence: Mapped[int]
    contrasting: Mapped[int]
    reasoning: Mapped[int]
    entailment: Mapped[int]
    neutral: Mapped[int]
    doubt: Mapped[int | None]
    margin: Mapped[int | None]
    fold: Mapped[int | None]


class ExperimentRow(Base):
    """An experiment as its file says it (`recipe`, canonical JSON). state: running, done, stopped or failed.

    text, folder: the file as it was written, and the folder that its paths are relative to; "" where it has none.
    forgotten: a person has forgotten it, which can be undone until it is deleted. sources: digests of models and
    vectors that its systems use, as JSON, by the system's index.
    """

    __tablename__ = "experiments"
    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str]
    recipe: Mapped[str]
    text: Mapped[str]
    folder: Mapped[str]
    sources: Mapped[str]
    state: Mapped[str]
    program: Mapped[str]
    started_at: Mapped[str]
    ended_at: Mapped[str | None]
    problem: Mapped[str]
    forgotten: Mapped[bool] = mapped_column(default=False, server_default="0")


class TestPartRow(Base):
    """The pairs that cells are tested on, identified by a digest of their texts and classes."""

    __test__ = False  # no test of pytest's
    __tablename__ = "test_parts"
    id: Mapped[int] = mapped_column(primary_key=True)
    digest: Mapped[str] = mapped_column(unique=True)


class TestItemRow(Base):
    """A pair of a test part. class: an index of the experiment's classes. words: of both sentences.

    kinds: its kinds of reasoning, with a space between them, where a table of the experiment asks for them.
    """

    __test__ = False
    __tablename__ = "test_items"
    __table_args__ = {"sqlite_with_rowid": False}  # noqa: RUF012
    part: Mapped[int] = mapped_column(ForeignKey("test_parts.id", ondelete="CASCADE"), primary_key=True)
    position: Mapped[int] = mapped_column(primary_key=True)
    pair_key: Mapped[str]
    text_hash: Mapped[bytes]
    class_: Mapped[int] = mapped_column("class")
    domain: Mapped[str]
    strategy: Mapped[str]
    phrase: Mapped[str]
    words: Mapped[int]
    kinds: Mapped[str]


class TestTextRow(Base):
    """The texts of a test pair that the project does not have."""

    __test__ = False
    __tablename__ = "test_texts"
    __table_args__ = {"sqlite_with_rowid": False}  # noqa: RUF012
    text_hash: Mapped[bytes] = mapped_column(primary_key=True)
    premise: Mapped[str]
    hypothesis: Mapped[str]


class ExperimentCellRow(Base):
    """A cell of an experiment, as `miner.experiments.plan` plans it; it is finished if its key has a result.

    problem: why it is not computed. failure: why its last run came to nothing.
    """

    __tablename__ = "experiment_cells"
    __table_args__ = {"sqlite_with_rowid": False}  # noqa: RUF012
    experiment: Mapped[int] = mapped_column(ForeignKey("experiments.id", ondelete="CASCADE"), primary_key=True)
    position: Mapped[int] = mapped_column(primary_key=True)
    key: Mapped[str]
    run: Mapped[str]
    mapping: Mapped[str]
    system: Mapped[int]
    train: Mapped[str]
    test: Mapped[str]
    seed: Mapped[int]
    part: Mapped[int] = mapped_column(ForeignKey("test_parts.id"))
    problem: Mapped[str]
    failure: Mapped[str]


class PredictorRow(Base):
    """What predicted: a run of a system, or a model. digest: the run's key or the model's digest."""

    __tablename__ = "predictors"
    id: Mapped[int] = mapped_column(primary_key=True)
    digest: Mapped[str] = mapped_column(unique=True)
    title: Mapped[str]
    device: Mapped[str]
    seconds: Mapped[float] = mapped_column(REAL)
    kind: Mapped[str]
    work: Mapped[float] = mapped_column(REAL)
    notes: Mapped[str]
    versions: Mapped[str]
    made_at: Mapped[str]


class PredictionRow(Base):
    """Probabilities of a pair's classes, packed as little-endian float32; all 0 where there was no answer.

    class: the index of the most probable class, -1 where there was no answer.
    """

    __tablename__ = "predictions"
    __table_args__ = {"sqlite_with_rowid": False}  # noqa: RUF012
    predictor: Mapped[int] = mapped_column(ForeignKey("predictors.id", ondelete="CASCADE"), primary_key=True)
    text_hash: Mapped[bytes] = mapped_column(primary_key=True)
    probabilities: Mapped[bytes]
    class_: Mapped[int] = mapped_column("class")


class CellResultRow(Base):
    """A finished cell, by its key: all its pairs have predictions of the predictor."""

    __tablename__ = "cell_results"
    __table_args__ = {"sqlite_with_rowid": False}  # noqa: RUF012
    key: Mapped[str] = mapped_column(primary_key=True)
    predictor: Mapped[int] = mapped_column(ForeignKey("predictors.id", ondelete="CASCADE"))
    finished_at: Mapped[str]


class PairListRow(Base):
    """A list of pairs that somebody has put together and named, such as a region of a data map."""

    __tablename__ = "pair_lists"
    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(unique=True)
    made_at: Mapped[str]


class ListedPairRow(Base):
    __tablename__ = "listed_pairs"
    __table_args__ = {"sqlite_with_rowid": False}  # noqa: RUF012
    list: Mapped[int] = mapped_column(ForeignKey("pair_lists.id", ondelete="CASCADE"), primary_key=True)
    pair_key: Mapped[str] = mapped_column(primary_key=True)


class TaxonomyRow(Base):
    """A taxonomy of kinds of reasoning that answers were given by: its file's text, under a digest of it."""

    __tablename__ = "taxonomies"
    digest: Mapped[str] = mapped_column(primary_key=True)
    name: Mapped[str]
    text: Mapped[str]


class KindEventRow(Base):
    """An annotator changed their answers about a pair's kinds from `old` to `new` (JSON by question); NULL is none.

    The other columns follow from `new`. The table is append-only.
    """

    __tablename__ = "kind_events"
    __table_args__ = (
        Index("kind_events_by_pair", "pair_key", "annotator", "id"),
        Index("kind_events_by_action", "action"),
    )
    id: Mapped[int] = mapped_column(primary_key=True)
    pair_key: Mapped[str]
    annotator: Mapped[str]
    at: Mapped[str]
    taxonomy: Mapped[str] = mapped_column(ForeignKey("taxonomies.digest"))
    old: Mapped[str | None]
    new: Mapped[str | None]
    relation: Mapped[str | None]
    categories: Mapped[str]
    direction: Mapped[str | None]
    complete: Mapped[bool]
    action: Mapped[int | None] = mapped_column(ForeignKey("actions.id"))


class PairKindsRow(Base):
    """What people say of a pair's kinds, as it follows from `kind_events` (`storage.pairs.pair_kinds`).

    annotators: how many answers count. categories: those that at least half of them have; differing: those that some
    have and others do not; each with a space before and after it. relation: the one that most of them give, of several
    the first by name. direction: the one that more than half of them give.
    """

    __tablename__ = "pair_kinds"
    __table_args__ = {"sqlite_with_rowid": False}  # noqa: RUF012
    pair_key: Mapped[str] = mapped_column(primary_key=True)
    annotators: Mapped[int]
    relation: Mapped[str]
    categories: Mapped[str]
    differing: Mapped[str]
    direction: Mapped[str | None]


DATA_SET = "dataset"  # the kind of a stand-in paper for the pairs of an imported file

PAIRS = cast(Table, PairRow.__table__)  # for bulk inserts
PAPERS, SECTIONS, PARAGRAPHS = (cast(Table, row.__table__) for row in (PaperRow, SectionRow, ParagraphRow))
FILES = cast(Table, FileRow.__table__)
