"""Reads a pair, its labels and its source from a row of a data set file."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from hashlib import blake2b
from typing import Any

from miner.kinds.questionnaire import PairKinds
from miner.parsing.text import tidy
from miner.records import Answer, Label, Strategy
from storage.annotation.answers import gold_label
from storage.exchange.field_values import (
    NOT_UNICODE,
    as_bool,
    as_flags,
    as_hash,
    as_integer,
    as_list,
    as_object,
    as_probability,
    as_strategy,
    as_tags,
    compact_json,
    short_text,
)
from storage.exchange.kinds_columns import (
    ANNOTATED_DIRECTION,
    ANNOTATED_LABEL,
    NEUTRAL_COLUMNS,
    REASONING_COLUMNS,
    as_direction,
    as_pair_kinds,
    ticked_categories,
)
from storage.exchange.labelled_rows import LabelledRow, SourcePaper
from storage.exchange.table_rows import TableRow

PREMISE = ("sentence1", "premise", "prem")
HYPOTHESIS = ("sentence2", "hypothesis", "hyp")
LABEL = ("label_text", "label")  # in this order: `label` may be a number
ANY_LABEL = ("label", "label_text", "gold_label", "distant_label")
NAMED_PAPER = "data set"
"""The parser of a paper that only an identifier in a data set names."""
MAX_ANSWERS = 99  # of one pair; annotators are numbered with two digits
PAPER_IDS = ("paper_md5", "paper_id", "paperid", "paper", "doc_id", "docid", "article_id", "doi")
"""The columns that say which paper a row is from, the first one that has a value."""

PREDICTIONS = ("prediction", "predictions", "predicted", "predicted_label", "pred", "pred_label", "y_pred")
"""The columns that hold somebody's predictions, unless a person names others too."""

_ID = ("id", "pairid")
_DOMAIN = ("domain", "genre")
_MAX_SENTENCE_LENGTH = 10_000  # in characters; a longer one means a broken file
_MAX_COLUMNS_LENGTH = 20_000  # of all other columns together, as JSON
_INDEX_COLUMNS = frozenset(("", "unnamed: 0"))  # how other programs name a column of row numbers

_LABEL_OF_WORD = {
    "contrasting": Label.CONTRASTING,
    "contrast": Label.CONTRASTING,
    "contradiction": Label.CONTRASTING,  # of SNLI; the original word is stored too
    "reasoning": Label.REASONING,
    "entailment": Label.ENTAILMENT,
    "entailing": Label.ENTAILMENT,  # of MisMatched
    "entails": Label.ENTAILMENT,  # of SciTail
    "neutral": Label.NEUTRAL,
}
_NO_LABEL_WORDS = frozenset(("", "-", "-1", "none", "null", "nan"))  # what data sets write where there is no label
_LABELS = frozenset(map(str, Label))
_NUMBER = re.compile(r"(\d{1,3})(?:\.0)?")
SPLIT_OF_NAME = {"train": "train", "dev": "dev", "val": "dev", "valid": "dev", "validation": "dev", "test": "test"}
_MD5, _SHA256 = re.compile("[0-9a-f]{32}"), re.compile("[0-9a-f]{64}")
_NUMBERED_ANSWER = re.compile(r"label[1-9]\d?")


class NumericLabel(Exception):
    """A label is a number, and its meaning is unknown."""


def find_label(word: str) -> Label | None:
    """The label for a word of a data set; None for an unknown word."""
    return _LABEL_OF_WORD.get(word.strip().casefold())


def read_row(
    row: TableRow, *, split: str | None, domain: str, numbers: Sequence[Label], predictions: Sequence[str] = ()
) -> LabelledRow | str:
    """The pair of a row, or why it has none. Raises `NumericLabel` for a number that `numbers` does not explain.

    predictions: columns of somebody's predictions besides `PREDICTIONS`.
    """
    return row.problem or _RowReader(row.fields, numbers, predictions).read(split, domain)


class _RowReader:
    """Reads the fields of a row, by name in lower case. Fields that nothing has read are stored as they are."""

    def __init__(self, fields: Mapping[str, object], numbers: Sequence[Label], predictions: Sequence[str]) -> None:
        self._names = {name.strip().casefold(): name for name in fields}
        self._fields = fields
        self._numbers = numbers
        self._prediction_names = dict.fromkeys((*PREDICTIONS, *(name.strip().casefold() for name in predictions)))
        self._unread = {name for name in self._names if name not in _INDEX_COLUMNS}
        self._source: dict[str, Any] = {}  # JSON
        self._remarks: list[str] = []

    def read(self, split: str | None, domain: str) -> LabelledRow | str:
        try:
            premise = self._sentence("premise", PREMISE)
            hypothesis = self._sentence("hypothesis", HYPOTHESIS)
            mined_premise = self._mined_sentence("sentence1_mined", premise)
            mined_hypothesis = self._mined_sentence("sentence2_mined", hypothesis)
            original = self._sentence(
                "sentence2_original", ("sentence2_original",), otherwise=mined_hypothesis or hypothesis
            )
            if not any(name in self._names for name in ANY_LABEL):
                raise _InvalidRow("no label")
            found = self._labels()
        except _InvalidRow as exc:
            return str(exc)
        row_id = self._first_text(_ID)
        paper = self._paper()
        for name in ("section", "mining_run"):
            self._add_source(name, self._text(name))
        self._suggestion()
        self._add_source("tags", self._read("tags", as_tags) or None)
        kinds = self._kinds(found["label"])
        self._read("crosses_paragraph", lambda value: True)  # the flags have it too
        predictions = tuple(self._predictions())
        is_edited = mined_premise is not None or mined_hypothesis is not None
        self._read("edited", lambda value: True if as_bool(value) is is_edited else None)
        return LabelledRow(
            premise,
            hypothesis,
            original,
            **found,
            source_id=self._text("source_id") or row_id,
            split=self._read("split", lambda value: SPLIT_OF_NAME.get(str(value).lower())) or split,
            domain=self._first_text(_DOMAIN) or domain,
            strategy=self._read("strategy", as_strategy) or Strategy.IMPORTED,
            phrase=self._text("linking_phrase"),
            page=self._read("page", lambda value: as_integer(value, 1, 100_000)),
            flags=self._read("flags", as_flags) or (),
            paper=paper,
            source=self._source_json(),
            mined_premise=mined_premise,
            mined_hypothesis=mined_hypothesis,
            kinds=kinds,
            predictions=predictions,
            remarks=tuple(self._remarks),
        )

    def _get(self, name: str) -> object:
        return self._fields[self._names[name]] if name in self._names else None

    def _read(self, name: str, read: Callable[[object], Any]) -> Any:
        """The value that `read` makes of a field; None if it cannot, and then the field is stored as it is."""
        value = self._get(name)
        found = None if value in (None, "") else read(value)
        if found is not None or value in (None, ""):
            self._unread.discard(name)
        return found

    def _text(self, name: str) -> str | None:
        text: str | None = self._read(name, short_text)
        return text

    def _first_text(self, names: Sequence[str]) -> str | None:
        return next((text for name in names if (text := self._text(name))), None)

    def _sentence(self, kind: str, names: Sequence[str], otherwise: str | None = None) -> str:
        name = next((name for name in names if self._get(name) not in (None, "")), names[0])
        value = self._get(name)
        self._unread.discard(name)
        if otherwise is not None and value in (None, ""):
            return otherwise
        if not isinstance(value, str) or not (sentence := tidy(value)):
            raise _InvalidRow(f"no {kind}")
        if NOT_UNICODE.search(value):
            raise _InvalidRow(f"the {kind} is not UTF-8 text")
        if len(sentence) > _MAX_SENTENCE_LENGTH:
            raise _InvalidRow(f"the {kind} has {len(sentence):,} characters: is a quote not closed?")
        return sentence

    def _mined_sentence(self, name: str, sentence: str) -> str | None:
        """What was mined in place of a mended sentence; None where nobody mended it."""
        mined = self._sentence(name, (name,), otherwise=sentence)
        return None if mined == sentence else mined

    def _labels(self) -> dict[str, Any]:
        """The fields of `LabelledRow` about labels."""
        given, word = self._label(LABEL)
        gold, gold_word = self._label(("gold_label",))
        distant, _ = self._label(("distant_label",))
        says_distant = "distant_label" in self._names  # as in our own exports
        label = distant if says_distant else given
        answers = self._answers()
        # SNLI's form has one column for gold and distant labels; those that nobody gave have no answers.
        is_distant = answers == () and "annotator_labels" in self._names and not says_distant
        accepted = self._read("accepted_suggestion", as_bool) is True and gold is not None
        if answers and "gold_label" in self._names and gold_label(answers) is not gold:
            self._remark(
                "the gold label is not what most annotators say; both are kept, but neither counts as an answer"
            )
            self._source["annotator_labels"] = [answer.value for answer in answers]
            answers = ()
        if gold is not None and not answers and not accepted:
            label = label or gold
            if not is_distant:
                self._source["gold_label"] = gold.value
        if says_distant and word and given is not (gold or label):
            self._remark("the label is neither the gold nor the distant label; those two are kept")
        known = self._text("source_label")
        return {
            "label": label,
            "answers": answers or (),
            "accepted": Answer(gold.value) if accepted and gold and not answers else None,
            "source_label": known if says_distant else word or gold_word or None,
        }

    def _label(self, names: Sequence[str]) -> tuple[Label | None, str]:
        """The label of the first field that has one, and the word in the file."""
        self._unread.difference_update(names)
        for name in names:
            value = self._get(name)
            word = "" if value is None else str(value).strip()
            if word.casefold() in _NO_LABEL_WORDS:
                continue
            if (label := self._meaning(word)) is None:
                raise _InvalidRow(f"unknown label {word[:40]!r}")
            return label, word
        return None, ""

    def _meaning(self, word: str) -> Label | None:
        if number := _NUMBER.fullmatch(word):
            if not self._numbers:
                raise NumericLabel(word)
            place = int(number[1])
            return self._numbers[place] if place < len(self._numbers) else None
        return find_label(word)

    def _predictions(self) -> Iterator[tuple[str, Label]]:
        """What is predicted, by column. The columns stay among those that are kept as they are."""
        for name in self._prediction_names:
            value = self._get(name)
            word = "" if value is None else str(value).strip()
            if word.casefold() in _NO_LABEL_WORDS:
                continue
            try:
                label = self._meaning(word)
            except NumericLabel:
                label = None
            if label is None:
                self._remark(f"{self._names[name]} is none of the four relations; kept as it is, not as a prediction")
            else:
                yield self._names[name], label

    def _answers(self) -> tuple[Answer, ...] | None:
        """The annotators' answers; None if one of them is not a valid answer, and then they are stored as they are."""
        numbered = sorted(filter(_NUMBERED_ANSWER.fullmatch, self._names), key=lambda name: (len(name), name))
        if "annotator_labels" in self._names:
            words = as_list(self._get("annotator_labels"))
        else:
            words = [self._get(name) for name in numbered]
        if words is None:
            return None
        texts = [str(word).strip() for word in words if word is not None]
        answers = [_answer(word) for word in texts if word.casefold() not in _NO_LABEL_WORDS]
        if None in answers or len(answers) > MAX_ANSWERS:
            self._remark("the annotators' labels are kept as they are, because one of them is unknown")
            return None
        self._unread.discard("annotator_labels")
        self._unread.difference_update(numbered if "annotator_labels" not in self._names else ())
        return tuple(answer for answer in answers if answer is not None)

    def _kinds(self, label: Label | None) -> tuple[PairKinds, ...]:
        """What annotators say of kinds: each of them, as in our own exports, or one for columns like TaxiNLI's."""
        given: tuple[PairKinds, ...] = self._read("annotator_kinds", as_pair_kinds) or ()
        if "annotator_kinds" in self._names:
            self._unread.difference_update(("direction", "distant_direction", ANNOTATED_DIRECTION, "kinds"))
            return given[:MAX_ANSWERS]
        columns = dict(REASONING_COLUMNS)
        if not self._names.keys() >= set(columns.values()):
            return ()
        columns |= {name: column for name, column in NEUTRAL_COLUMNS.items() if column in self._names}
        self._unread.difference_update(columns.values())
        values = {column: self._get(column) for column in columns.values()}
        said = self._read(ANNOTATED_LABEL, lambda value: find_label(str(value)) or ("" if value == "-" else None))
        direction = self._read(ANNOTATED_DIRECTION, lambda value: as_direction(value) or ("" if value == "-" else None))
        if not (relation := said or label):
            return ()
        return (PairKinds(relation.value, ticked_categories(values, columns), direction or None, complete=True),)

    def _paper(self) -> SourcePaper | None:
        """The paper that the row names, by its MD5 or any identifier, of which a hash then takes the MD5's place.

        Pairs are split by it. The column with the identifier is kept beside the pair.
        """
        md5 = self._read("paper_md5", lambda value: as_hash(value, _MD5))
        named = "" if md5 else next((text for name in PAPER_IDS if (text := self._identifier(name))), "")
        if not (md5 or named):
            return None
        return SourcePaper(
            md5=md5 or blake2b(f"paper\0{named}".encode(), digest_size=16).hexdigest(),
            sha256=self._read("paper_sha256", lambda value: as_hash(value, _SHA256)) or "",
            title=self._text("title") or "",
            doi=self._text("doi"),
            year=self._read("year", lambda value: as_integer(value, 0, 9999)),
            parser=self._text("parser") or (NAMED_PAPER if named else ""),
            parser_version=self._text("parser_version") or "",
            licence=self._text("licence") or "",
            journal=self._text("journal") or "",
        )

    def _identifier(self, name: str) -> str:
        """An identifier as the file has it, "" for none; the field stays among those that are kept as they are."""
        value = self._get(name)
        return (short_text(value) or "") if value not in (None, "") else ""

    def _suggestion(self) -> None:
        self._add_source(
            "suggested_label", self._read("suggested_label", lambda value: value if str(value) in _LABELS else None)
        )
        self._add_source("suggestion_confidence", self._read("suggestion_confidence", as_probability))
        self._add_source("suggestion_model", self._text("suggestion_model"))

    def _add_source(self, name: str, value: object) -> None:
        if value is not None:
            self._source[name] = value

    def _remark(self, text: str) -> None:
        self._remarks.append(text)

    def _source_json(self) -> str:
        """`source`, with the columns that nothing has read."""
        columns = self._read("source_columns", as_object) or {}
        unread = [self._names[name] for name in self._names if name in self._unread]
        columns |= {name: self._fields[name] for name in unread if self._fields[name] not in (None, "")}
        if columns and (text := compact_json(columns)) is not None and len(text) <= _MAX_COLUMNS_LENGTH:
            self._source["columns"] = columns
        elif columns:
            self._remark(
                f"the other columns are left out; more than {_MAX_COLUMNS_LENGTH:,} characters, or no plain values"
            )
        return (compact_json(self._source) or "") if self._source else ""


class _InvalidRow(Exception):
    """The row has no valid pair; the message says why."""


def _answer(word: str) -> Answer | None:
    if word.casefold() == Answer.UNCLEAR:
        return Answer.UNCLEAR
    label = find_label(word)
    return None if label is None else Answer(label.value)
