"""Which tables have checksums, of which columns, and how a row of each is called in an error.

How each table of a project is verified; a test compares this with the schema:

- Checksums (`CHECKED`): what was mined, imported, set, planned, sent, released or measured, and cannot be derived.
- Seals (`storage.integrity.history_chain.HISTORIES`): what people have done, and `history_seals` itself.
- Derived again and compared: `pair_kinds`, and in `pairs` labels, mended sentences and splits, and splits in `papers`
  (`storage.verification`); `sections` and `paragraphs` with the digest of the paper's text (`PaperStore.find_changed`).
- Compared with an index, by SQLite's own check: foreign keys and what else an index has, such as `pairs.paper_id`,
  `ordinal` and `current`, or an action's annotator and state. `doctor` compares the full-text index with the pairs.
- Verified when it is read: the content of `release_files`, by its SHA-256; `parser_outputs`; `last_commit`, with a WAL.
- Not verified, since it decides no more than what is offered next or can be made again: queues (`rounds`,
  `round_pairs`), titles and times of `actions`, `parser_failures`; and `suggestions`, of which there may be ten
  million: their labels, confidence and doubt are in indices, their probabilities are not.
"""

from __future__ import annotations

from typing import NamedTuple

_PLACES = ("premise_section", "premise_paragraph", "premise_sentence")
_OTHER_PLACES = ("hypothesis_section", "hypothesis_paragraph", "hypothesis_sentence")
_SOURCE = ("source_id", "source_label", "source", "own_split")
_PARSED = ("pages", "parser", "parser_version", "splitter", "digest", "source_md5", "hidden_words", "words")
_DESCRIBED = ("title", "authors", "year", "doi", "domain", "licence", "journal", "keywords", "language")


class CheckedTable(NamedTuple):
    """A table with checksums of these columns.

    name: SQL for what a row is called in an error, of columns that hardly change: a backup that has the row is looked
    for by it.
    """

    name: str
    columns: tuple[str, ...]


def _table(name: str, columns: str) -> CheckedTable:
    return CheckedTable(name, tuple(columns.split()))


CHECKED = {
    "pairs": CheckedTable(
        "key",
        (
            *("key", "premise", "hypothesis", "hypothesis_original", "strategy", "distant_label", "phrase", "flags"),
            *("page", *_PLACES, *_OTHER_PLACES, *_SOURCE, "run"),
        ),
    ),
    "papers": CheckedTable("md5", ("md5", "sha256", "kind", *_DESCRIBED, *_PARSED, "edited", "sources", "to_check")),
    "settings": _table("key", "key value"),
    "mining_runs": _table("'run ' || number", "number id settings program language_model state mined_to totals"),
    "funnel": _table(
        "'counts of the paper ' || coalesce((SELECT md5 FROM papers WHERE papers.id = paper_id), paper_id)",
        "paper_id run strategy outcome reason count",
    ),
    "files": _table("'file ' || id", "path line md5 sha256 code reason hint chosen"),
    "removed_papers": _table("md5 || iif(part, ', part ' || part, '')", "action md5 part content"),
    "annotators": _table("key", "id key name role"),
    "annotation_rounds": _table("'round ' || number", "id uid number kind seed created_at plan is_open asks taxonomy"),
    "annotation_round_pairs": _table("'pair ' || pair_key", "round pair_key ordinal domain label annotator"),
    "assignments": _table(
        "'assignment of ' || annotator || ' ' || uid", "id uid round annotator state sent_at merged_at digest"
    ),
    "merged_answers": _table("'merged answer ' || id", "id assignment pair_key at answer earlier earlier_at action"),
    "taxonomies": _table("digest", "digest name text"),
    "pair_lists": _table("name", "id name made_at"),
    "listed_pairs": _table("'pair ' || pair_key", "list pair_key"),
    "precision_draws": _table("'draw ' || id", "id seed domains pairs last_pair"),
    "precision_sample": _table("'pair ' || pair_key", "draw pair_key probability"),
    "releases": _table("'release ' || name", "id name created_at program options counts history"),
    "release_files": _table("'file ' || name || ' of release ' || release", "release name rows size sha256"),
    "release_splits": _table("'split of ' || coalesce(nullif(pair_key, ''), md5)", "release md5 pair_key split"),
    "models": _table("'model ' || digest", "id digest name kind folder card labels added_at"),
    "training_runs": _table(
        "'training run ' || id",
        "id name state settings fingerprint data versions started_at ended_at metrics history problem folder model_id",
    ),
    "suggestion_runs": _table(
        "'run of suggestions ' || id",
        "id model_id temperature state device program started_at ended_at pairs held_out",
    ),
    "experiments": _table(
        "'experiment ' || id",
        "id name recipe text folder sources state program started_at ended_at problem forgotten",
    ),
    "experiment_cells": _table(
        "'cell ' || position || ' of experiment ' || experiment",
        "experiment position key run mapping system train test seed part problem failure",
    ),
    "cell_results": _table("'result of cell ' || key", "key predictor finished_at"),
    "predictors": _table("'system ' || id", "id digest title device seconds kind work notes versions made_at"),
    "predictions": _table(
        "'prediction of system ' || predictor || ' for ' || hex(text_hash)",
        "predictor text_hash probabilities class",
    ),
    "test_parts": _table("'test part ' || id", "id digest"),
    "test_items": _table(
        "'test pair ' || pair_key", "part position pair_key text_hash class domain strategy phrase words kinds"
    ),
    "test_texts": _table("'text ' || hex(text_hash)", "text_hash premise hypothesis"),
}
"""The tables with checksums. Whoever adds a column or a table adds a migration that computes its checksums (0017)."""

VALUES = {
    "text_hash": "hex(text_hash)",
    "probabilities": "hex(probabilities)",
    "content": "checksum(content)",
    **{name: f"printf('%.9g', {name})" for name in ("probability", "temperature", "seconds", "work")},
}
"""By column the SQL for what of it the checksum is of, where this is not the value: of bytes, and of fractions, which
versions of SQLite may word differently."""
