"""The tables as `migrations/` makes them (a test compares the two); private to storage.

Each is declared once: by the record that its rows become (`table_of`) in the module of the record, or here by a class.
Indices, foreign keys and defaults are in the migrations alone.

How storage uses SQLAlchemy:
- Simple statements are Core's, run on a `Connection`: there is no session, and no object of these classes is ever made.
- SQL is text, run by `exec_driver_sql`, where it is tuned to an index, reads many rows, or asks what SQLite alone has.
- Rows become records by the names of their columns: `storage.convert.read_all`.
- Filters are compiled to SQL in one place, `storage.pairs.query`; as text, because it is tuned.
- Values are passed as parameters. Only our own constants are formatted into text, never what a person entered.
"""

from __future__ import annotations

from collections.abc import Collection
from types import NoneType
from typing import Any, cast, get_args

from sqlalchemy import REAL, Boolean, Column, Dialect, Integer, LargeBinary, Table, Text, TypeDecorator
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column
from sqlalchemy.types import TypeEngine

from storage.convert import field_types, stored_value

DATA_SET = "dataset"  # the kind of a stand-in paper for the pairs of an imported file


class Base(DeclarativeBase):
    type_annotation_map = {str: Text, float: REAL}  # noqa: RUF012  the base class wants a plain mapping


class Checked:
    """A table with checksums of what was stored in its rows (`storage.integrity.checked_tables`)."""

    checksum: Mapped[int | None]


class StoredText(TypeDecorator[Any]):
    """Text, or what is stored as text: statements convert their values by `stored_value`; rows are left as stored."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: Any, dialect: Dialect) -> Any:
        return stored_value(value)


_TYPES: dict[type, type[TypeEngine[Any]]] = {int: Integer, bool: Boolean, float: REAL, bytes: LargeBinary}


def table_of(name: str, record: type, computed: Collection[str] = (), **columns: Any) -> Table:
    """The table whose rows become records of this type. A field is the column of its name.

    computed: fields that are no columns. columns: what the table has beside the fields, with types.
    """
    own = {field: kind for field, kind in field_types(record).items() if field not in computed}
    return Table(name, Base.metadata, *(_column(name, kind) for name, kind in (columns | own).items()))


def columns_of(table: Table, record: type) -> list[Column[Any]]:
    """The columns of a table that are fields of a record."""
    return [table.c[field] for field in field_types(record) if field in table.c]


def _column(name: str, kind: Any) -> Column[Any]:
    nullable = NoneType in get_args(kind)
    [plain] = [one for one in get_args(kind) if one is not NoneType] if nullable else [kind]
    return Column(name, _TYPES.get(plain, StoredText), nullable=nullable)


class FileRow(Checked, Base):
    """A file that was added, or a line of one (0: the whole file): its paper, or why it could not be read.

    chosen: the metadata that a person chose for a failed file (`ChosenMetadata`, JSON).
    """

    __tablename__ = "files"
    id: Mapped[int] = mapped_column(primary_key=True)
    path: Mapped[str]
    line: Mapped[int]
    md5: Mapped[str | None]
    sha256: Mapped[str | None]
    paper_id: Mapped[int | None]
    code: Mapped[str | None]
    reason: Mapped[str | None]
    hint: Mapped[str | None]
    chosen: Mapped[str | None]


class SectionRow(Base):
    __tablename__ = "sections"
    paper_id: Mapped[int] = mapped_column(primary_key=True)
    ordinal: Mapped[int] = mapped_column(primary_key=True)
    title: Mapped[str]
    kind: Mapped[str]


class ParagraphRow(Base):
    """`sentences` is JSON, [[start, end], ...]; `spans` is packed by `miner.parsing.spans.pack_spans`."""

    __tablename__ = "paragraphs"
    id: Mapped[int] = mapped_column(primary_key=True)
    paper_id: Mapped[int]
    section: Mapped[int]
    ordinal: Mapped[int]
    text: Mapped[str]
    after_break: Mapped[bool]
    sentences: Mapped[str]
    spans: Mapped[bytes | None]


class PaperEventRow(Base):
    """A field of a paper that a person changed: one of `PaperMetadata`, or `edited` itself.

    old, new: JSON, a list with the value; of `edited` the list of names.
    """

    __tablename__ = "paper_events"
    id: Mapped[int] = mapped_column(primary_key=True)
    md5: Mapped[str]
    field: Mapped[str]
    old: Mapped[str | None]
    new: Mapped[str | None]
    action: Mapped[int | None]


class RemovedPaperRow(Checked, Base):
    """A removed paper: its rows by table as gzipped JSON (part 0), and its pairs in batches (parts from 1)."""

    __tablename__ = "removed_papers"
    action: Mapped[int] = mapped_column(primary_key=True)
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


class PairRow(Checked, Base):
    """A pair of sentences.

    ordinal: the position among the paper's pairs.
    current: false for a pair that is no longer mined, but has answers.
    premise_hash, hypothesis_hash: of the sentences in the paper (`miner.mining.identity.sentence_hash`).
    split: train, dev or test (`storage.pairs.paper_splits`); own_split: what a data set's file says.
    source_id, source_label, source: what a data set's file says of an imported pair (JSON: `exchange.import_rows`).
    overlap: the percentage of the hypothesis' words that the premise has too.
    label: the label that an export has.

    These follow from people's answers and marks (`storage.pairs.judgement`):
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
    """

    __tablename__ = "pairs"
    id: Mapped[int] = mapped_column(primary_key=True)
    key: Mapped[str]
    paper_id: Mapped[int]
    run: Mapped[int | None]
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
    status: Mapped[str]
    gold: Mapped[str | None]
    contested: Mapped[bool]
    flagged: Mapped[bool]
    noted: Mapped[bool]
    premise_words: Mapped[int]
    hypothesis_words: Mapped[int]
    overlap: Mapped[int]
    label: Mapped[str | None]
    accepted: Mapped[bool]
    source: Mapped[str | None]
    votes: Mapped[int]
    majority: Mapped[str | None]
    edited: Mapped[bool]
    mined_premise: Mapped[str | None]
    mined_hypothesis: Mapped[str | None]
    own_split: Mapped[str | None]


class PairListRow(Checked, Base):
    """A list of pairs that somebody has put together and named, such as a region of a data map."""

    __tablename__ = "pair_lists"
    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str]
    made_at: Mapped[str]


class ActionRow(Base):
    """One thing a person did. `state`: done; undone; dropped, undone for good; or reversal, an undo or redo itself."""

    __tablename__ = "actions"
    id: Mapped[int] = mapped_column(primary_key=True)
    at: Mapped[str]
    annotator: Mapped[str]
    title: Mapped[str]
    state: Mapped[str]
    reverses: Mapped[int | None]


class LabelEventRow(Base):
    """An answer given, changed or withdrawn (`new` is None); triggers forbid to change or delete one.

    `via`: answer, or accepted where a suggestion was accepted.
    """

    __tablename__ = "label_events"
    id: Mapped[int] = mapped_column(primary_key=True)
    pair_key: Mapped[str]
    annotator: Mapped[str]
    at: Mapped[str]
    seen: Mapped[str]
    old: Mapped[str | None]
    new: Mapped[str | None]
    action: Mapped[int | None]
    via: Mapped[str]


class TaxonomyRow(Checked, Base):
    """The file of a taxonomy that people answered by, under the digest of its text."""

    __tablename__ = "taxonomies"
    digest: Mapped[str] = mapped_column(primary_key=True)
    name: Mapped[str]
    text: Mapped[str]


class KindEventRow(Base):
    """An annotator changed their answers about a pair's kinds from `old` to `new` (JSON by question); NULL is none.

    The other columns follow from `new`. The table is append-only.
    """

    __tablename__ = "kind_events"
    id: Mapped[int] = mapped_column(primary_key=True)
    pair_key: Mapped[str]
    annotator: Mapped[str]
    at: Mapped[str]
    taxonomy: Mapped[str]
    old: Mapped[str | None]
    new: Mapped[str | None]
    relation: Mapped[str | None]
    categories: Mapped[str]
    direction: Mapped[str | None]
    complete: Mapped[bool]
    action: Mapped[int | None]


class SetupEventRow(Base):
    """A decision about annotation that an action changed, from `old` to `new` (JSON); None: there was, or is, none.

    subject: what it is about, see `storage.annotation.setup`. Rows never change.
    """

    __tablename__ = "setup_events"
    id: Mapped[int] = mapped_column(primary_key=True)
    subject: Mapped[str]
    old: Mapped[str | None]
    new: Mapped[str | None]
    action: Mapped[int]


class RoundRow(Base):
    """A queue of an annotator in Review. `filter` (JSON) and `pair_order` say how its pairs were selected.

    turn: highest for the current queue, second highest for the previous one.
    """

    __tablename__ = "rounds"
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
    round: Mapped[int] = mapped_column(primary_key=True)
    pair_key: Mapped[str] = mapped_column(primary_key=True)
    ordinal: Mapped[int]
    skipped: Mapped[int | None]


class PrecisionDrawRow(Checked, Base):
    """A draw of pairs whose answers tell how precise the distant labels are; rows never change.

    domains: what it is limited to (JSON; [] for all). pairs: how many it was made from. last_pair: the highest id that
    a pair had had.
    """

    __tablename__ = "precision_draws"
    id: Mapped[int] = mapped_column(primary_key=True)
    seed: Mapped[int]
    domains: Mapped[str]
    pairs: Mapped[int]
    last_pair: Mapped[int]


class PrecisionSampleRow(Checked, Base):
    """A pair in the sample that a draw could have drawn, with the probability by that draw; rows never change."""

    __tablename__ = "precision_sample"
    draw: Mapped[int] = mapped_column(primary_key=True)
    pair_key: Mapped[str] = mapped_column(primary_key=True)
    probability: Mapped[float]


class SuggestionRunRow(Checked, Base):
    """A run of suggestions. state: running, complete (then its suggestions are current) or replaced.

    device: its arithmetic, as `SuggestionRun` says.
    """

    __tablename__ = "suggestion_runs"
    id: Mapped[int] = mapped_column(primary_key=True)
    model_id: Mapped[int]
    temperature: Mapped[float]
    state: Mapped[str]
    device: Mapped[str]
    program: Mapped[str]
    started_at: Mapped[str]
    ended_at: Mapped[str | None]
    pairs: Mapped[int]
    held_out: Mapped[bool]


class CellResultRow(Checked, Base):
    """A finished cell, by its key: all its pairs have predictions of the predictor."""

    __tablename__ = "cell_results"
    key: Mapped[str] = mapped_column(primary_key=True)
    predictor: Mapped[int]
    finished_at: Mapped[str]


class SettingRow(Checked, Base):
    """One of the project's settings, as JSON."""

    __tablename__ = "settings"
    key: Mapped[str] = mapped_column(primary_key=True)
    value: Mapped[str]


class ReleaseRow(Checked, Base):
    """A released data set; rows never change. `options` and `counts` are JSON.

    history: `storage.integrity.history_chain.last_seal` when it was made; "" without one, and of earlier programs.
    """

    __tablename__ = "releases"
    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str]
    created_at: Mapped[str]
    program: Mapped[str]
    options: Mapped[str]
    counts: Mapped[str]
    history: Mapped[str]


# For bulk inserts.
FILES, SECTIONS, PARAGRAPHS, PAIRS = (
    cast(Table, row.__table__) for row in (FileRow, SectionRow, ParagraphRow, PairRow)
)
