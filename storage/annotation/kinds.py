"""Annotators' answers about the kinds of reasoning of pairs: an append-only history. The latest of each one counts."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import blake2b
from typing import Any, NamedTuple

from sqlalchemy import Connection, insert, select
from sqlalchemy.dialects.sqlite import insert as insert_or

from miner import codec
from miner.kinds.questionnaire import Answers, PairKinds, kinds
from miner.kinds.taxonomy import Direction, Taxonomy, parse_taxonomy
from storage.convert import read_all, utc_text
from storage.dataset.candidates import exclusion_reason
from storage.dataset.options import ExportOptions, Preset
from storage.errors import translate_decoding_errors
from storage.pairs import pair_kinds
from storage.pairs.pair_kinds import KINDS_PILOT_KEYS
from storage.schema import KindEventRow, TaxonomyRow

_LATEST = f"""
    SELECT {{columns}}
    FROM kind_events e LEFT JOIN annotators ON annotators.key = annotator
    WHERE {{condition}} AND new IS NOT NULL AND coalesce(role, 'annotator') = 'annotator'
        AND pair_key NOT IN ({KINDS_PILOT_KEYS})
        AND e.id = (SELECT max(id) FROM kind_events WHERE pair_key = e.pair_key AND annotator = e.annotator)
        AND NOT EXISTS (SELECT 1 FROM pairs WHERE pairs.key = pair_key AND status = 'bad')
"""
_KINDS_COLUMNS = "pair_key, annotator, relation, categories, direction, complete"
_PAIRS_OF_TAXONOMIES = _LATEST.format(columns="taxonomy, count(DISTINCT pair_key)", condition="1") + "GROUP BY taxonomy"
_OF_PAIRS = """
    SELECT pair_key, annotator, new FROM json_each(?) JOIN kind_events e ON e.pair_key = value
    WHERE new IS NOT NULL AND taxonomy = ?
        AND e.id = (SELECT max(id) FROM kind_events WHERE pair_key = e.pair_key AND annotator = e.annotator)
    ORDER BY annotator
"""
_PAIRS = """
    SELECT pairs.key, premise, hypothesis, premise_words, hypothesis_words,
        coalesce(gold, iif(run IS NULL, distant_label, NULL)) AS gold, distant_label AS distant,
        coalesce(phrase, '') AS phrase
    FROM json_each(?) JOIN pairs ON pairs.key = value WHERE pairs.current
"""
_LEFT_OUT = f"""
    SELECT {exclusion_reason(ExportOptions(Preset.TAXINLI))}, count(*)
    FROM json_each(?) JOIN pairs ON pairs.key = value GROUP BY 1 ORDER BY 2 DESC, 1
"""
_REVERSED = """
    SELECT pair_key, annotator, {which}(id) FROM kind_events WHERE action = ? GROUP BY pair_key, annotator ORDER BY 3
"""


@dataclass(frozen=True, slots=True)
class KindEvent:
    """An entry of the history: the annotator changed their answers from `old` to `new`; None is no answers.

    kinds: the kinds that `new` gives.
    """

    id: int
    pair_key: str
    annotator: str
    at: datetime
    taxonomy: str
    old: Answers | None
    new: Answers | None
    kinds: PairKinds


class PairWithKinds(NamedTuple):
    """A pair that somebody may have answered about. premise_words, hypothesis_words: how many they have.

    gold: the gold label; of a pair that nobody settled and a data set brought, its label there.
    """

    key: str
    premise: str
    hypothesis: str
    premise_words: int
    hypothesis_words: int
    gold: str | None
    distant: str | None
    phrase: str


class StoredTaxonomy(NamedTuple):
    """A taxonomy under the digest of its text."""

    digest: str
    taxonomy: Taxonomy


class KindStore:
    """The history of answers about kinds."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def put_taxonomy(self, text: str) -> StoredTaxonomy:
        """Store the text of a taxonomy's file, unless it is known; `UserError` if it cannot be used."""
        stored = identify_taxonomy(text)
        values = {"digest": stored.digest, "name": stored.taxonomy.name, "text": text}
        self._connection.execute(insert_or(TaxonomyRow).values(**values).on_conflict_do_nothing())
        return stored

    def has_taxonomy(self, digest: str) -> bool:
        """Whether a taxonomy with this digest is stored."""
        return self._connection.scalar(select(TaxonomyRow.name).where(TaxonomyRow.digest == digest)) is not None

    def taxonomy(self, digest: str) -> Taxonomy:
        """The taxonomy with this digest; `UndecodableValue` where the project has lost it."""
        return parse_taxonomy(self.taxonomy_text(digest))

    @translate_decoding_errors()
    def taxonomy_text(self, digest: str) -> str:
        """The file of the taxonomy with this digest; `UndecodableValue` where the project has lost it."""
        text = self._connection.scalar(select(TaxonomyRow.text).where(TaxonomyRow.digest == digest))
        if text is None:
            raise KeyError(digest)
        return text

    def answer(
        self, taxonomy: StoredTaxonomy, pair_key: str, annotator: str, answers: Answers, at: datetime, *, action: int
    ) -> PairKinds:
        """Store an annotator's answers about a pair, complete or not; {} withdraws them. Returns their kinds."""
        old = self._connection.scalar(
            select(KindEventRow.new)
            .where(KindEventRow.pair_key == pair_key, KindEventRow.annotator == annotator)
            .order_by(KindEventRow.id.desc())
            .limit(1)
        )
        found = kinds(taxonomy.taxonomy, answers)
        values = {
            "pair_key": pair_key,
            "annotator": annotator,
            "at": utc_text(at),
            "taxonomy": taxonomy.digest,
            "old": old,
            "new": answers_text(answers) if answers else None,
            "relation": found.relation,
            "categories": categories_text(found.categories),
            "direction": found.direction,
            "complete": found.complete,
            "action": action,
        }
        self._connection.execute(insert(KindEventRow).values(**values))
        pair_kinds.refresh_keys(self._connection, [pair_key])
        return found

    def answers(self, pair_key: str, annotator: str) -> Answers:
        """The annotator's present answers about a pair; {} without any."""
        events = [event for event in self.history(pair_key) if event.annotator == annotator]
        return events[-1].new or {} if events else {}

    @translate_decoding_errors()
    def of_pairs(self, keys: Sequence[str], taxonomy: str) -> dict[str, dict[str, Answers]]:
        """The present answers to these pairs by pair and annotator, of this taxonomy (its digest)."""
        found: dict[str, dict[str, Answers]] = {key: {} for key in keys}
        for key, annotator, new in self._connection.exec_driver_sql(_OF_PAIRS, (json.dumps(list(keys)), taxonomy)):
            found[key][annotator] = _from_json(new) or {}
        return found

    def all(self, taxonomies: Sequence[str] | None = None) -> dict[str, dict[str, PairKinds]]:
        """The kinds that the present answers give, complete or not, by pair and annotator.

        Only answers of people with the role annotator, without bad pairs and pairs of pilot rounds, as for votes.
        taxonomies: only answers by these (digests).
        """
        found: dict[str, dict[str, PairKinds]] = defaultdict(dict)
        condition = "taxonomy IN (SELECT value FROM json_each(?))" if taxonomies is not None else "? IS NULL"
        statement = _LATEST.format(columns=_KINDS_COLUMNS, condition=condition) + "ORDER BY pair_key, annotator"
        wanted = None if taxonomies is None else json.dumps(taxonomies)
        rows = self._connection.exec_driver_sql(statement, (wanted,))
        with translate_decoding_errors():
            for key, annotator, relation, categories, direction, complete in rows:
                found[key][annotator] = stored_kinds(relation, categories, direction, complete)
        return dict(found)

    def pairs_of_taxonomies(self) -> dict[str, int]:
        """How many pairs have answers by each taxonomy (its digest), of those that `all` gives."""
        with translate_decoding_errors():
            return dict(self._connection.exec_driver_sql(_PAIRS_OF_TAXONOMIES).all())

    def pairs(self, keys: Iterable[str]) -> dict[str, PairWithKinds]:
        """The pairs with these keys that the project still mines, by key."""
        rows = self._connection.exec_driver_sql(_PAIRS, (json.dumps(sorted(keys)),))
        return {pair.key: pair for pair in read_all(PairWithKinds, rows)}

    def left_out(self, keys: Iterable[str]) -> dict[str, int]:
        """How many of these pairs no export has, by reason, as in `LEFT_OUT_REASONS`."""
        rows = self._connection.exec_driver_sql(_LEFT_OUT, (json.dumps(sorted(keys)),))
        return {reason: number for reason, number in rows if reason is not None}

    @translate_decoding_errors()
    def history(self, pair_key: str) -> list[KindEvent]:
        """All answers about a pair that there ever were, the oldest first."""
        query = select(KindEventRow.__table__).where(KindEventRow.pair_key == pair_key).order_by(KindEventRow.id)
        return [
            KindEvent(
                row.id,
                row.pair_key,
                row.annotator,
                datetime.fromisoformat(row.at),
                row.taxonomy,
                _from_json(row.old),
                _from_json(row.new),
                stored_kinds(row.relation, row.categories, row.direction, row.complete),
            )
            for row in self._connection.execute(query)
        ]

    def reverse(self, action: int, reversal: int, at: datetime, *, undo: bool) -> list[str]:
        """Undo or redo what an action did, as part of `reversal`; the keys of the pairs."""
        keys = []
        for event, value in self._values(action, undo=undo):
            now = self._row("pair_key = ? AND annotator = ? ORDER BY id DESC", event["pair_key"], event["annotator"])
            values = {
                **(value or {**_NO_ANSWERS, "taxonomy": event["taxonomy"]}),
                "old": now and now["new"],
                "at": utc_text(at),
                "action": reversal,
            }
            values |= {name: event[name] for name in ("pair_key", "annotator")}
            self._connection.execute(insert(KindEventRow).values(**values))
            keys.append(event["pair_key"])
        return keys

    def _values(self, action: int, *, undo: bool) -> Iterator[tuple[Mapping[Any, Any], dict[str, Any] | None]]:
        """Each pair's first event of an action (its last one for redo), and the row with the answers to go back to."""
        statement = _REVERSED.format(which="min" if undo else "max")
        for key, annotator, id in self._connection.exec_driver_sql(statement, (action,)).all():
            event = self._row("id = ?", id)
            assert event is not None
            before = "pair_key = ? AND annotator = ? AND id < ? ORDER BY id DESC"
            row = self._row(before, key, annotator, id) if undo else event
            yield event, None if row is None else {name: row[name] for name in ("taxonomy", *_NO_ANSWERS)}

    def _row(self, where: str, *values: object) -> Mapping[Any, Any] | None:
        found = self._connection.exec_driver_sql(f"SELECT * FROM kind_events WHERE {where} LIMIT 1", values)
        return found.mappings().first()


_NO_ANSWERS: dict[str, Any] = {"new": None, "relation": None, "categories": "", "direction": None, "complete": False}


def categories_text(categories: Iterable[str]) -> str:
    """The categories as they are stored: sorted, each between blanks, so that one can be looked for."""
    return "".join(f" {category} " for category in sorted(categories))


def stored_kinds(relation: str | None, categories: str, direction: str | None, complete: int) -> PairKinds:
    """The kinds that a stored answer gives, of its columns."""
    given = Direction(direction) if direction else None
    return PairKinds(relation, frozenset(categories.split()), given, bool(complete))


def identify_taxonomy(text: str) -> StoredTaxonomy:
    """The taxonomy of a file's text, under the digest that it is stored by; `UserError` if it cannot be used."""
    digest = blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
    return StoredTaxonomy(digest, parse_taxonomy(text))


def answers_text(answers: Answers) -> str:
    """The answers as they are stored; the same text for the same answers."""
    return json.dumps({key: sorted(answer) for key, answer in sorted(answers.items())}, ensure_ascii=False)


def answers_of(text: str) -> Answers:
    """The answers in a text of `answers_text`; `ValueError` if it is not such a text."""
    return codec.decode(dict[str, frozenset[str]], text)


def _from_json(text: str | None) -> Answers | None:
    return None if text is None else answers_of(text)
