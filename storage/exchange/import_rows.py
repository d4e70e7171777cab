"""What one row of a data set's file says: a pair, its labels and where it came from."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, NamedTuple

from miner.parsing.text import tidy
from miner.records import Answer, Label, PairFlag, Strategy
from storage.annotation.answers import gold_label
from storage.exchange.table_files import TableRow

PREMISE = ("sentence1", "premise", "prem")
HYPOTHESIS = ("sentence2", "hypothesis", "hyp")
LABEL = ("label_text", "label")  # the word, where a number stands beside it
ANY_LABEL = ("label", "label_text", "gold_label", "distant_label")
MAX_ANSWERS = 99  # of one pair; they are told apart by two digits

_ID = ("id", "pairid")
_DOMAIN = ("domain", "genre")
_LONGEST = 10_000  # characters of a sentence; more is a broken file
_LONGEST_TEXT = 1_000  # of a title, a section and the like
_LONGEST_COLUMNS = 20_000  # of all that is kept as it stands
_DEEPEST = 32  # lists within lists; SQLite reads no more than a thousand
_INDEX = frozenset(("", "unnamed: 0"))  # the names that other programs give a column of row numbers

_WORDS = {
    "contrasting": Label.CONTRASTING,
    "contrast": Label.CONTRASTING,
    "contradiction": Label.CONTRASTING,  # SNLI's; the source's word is kept beside it
    "reasoning": Label.REASONING,
    "entailment": Label.ENTAILMENT,
    "entailing": Label.ENTAILMENT,  # MisMatched's
    "entails": Label.ENTAILMENT,  # SciTail's
    "neutral": Label.NEUTRAL,
}
_NONE = frozenset(("", "-", "-1", "none", "null", "nan"))  # what data sets write where there is no label
_LABELS = frozenset(map(str, Label))
_NUMBER = re.compile(r"(\d{1,3})(?:\.0)?")
SPLIT_OF_NAME = {"train": "train", "dev": "dev", "val": "dev", "valid": "dev", "validation": "dev", "test": "test"}
_NOT_UNICODE = re.compile("[\ud800-\udfff]")
_MD5, _SHA256 = re.compile("[0-9a-f]{32}"), re.compile("[0-9a-f]{64}")
_NUMBERED_ANSWER = re.compile(r"label[1-9]\d?")


class BadRow(NamedTuple):
    line: int
    reason: str


class NumericLabel(Exception):
    """A label is a number, and nobody has said what it means."""


class SourcePaper(NamedTuple):
    """The paper that a row says it is of."""

    md5: str
    sha256: str
    title: str
    doi: str | None
    year: int | None
    parser: str
    parser_version: str


@dataclass(frozen=True, slots=True)
class LabelledRow:
    """A good row. `domain`, `split` and `source_id` as the file says, or the caller.

    `label` is the distant one, or that of a file that does not tell how it was found. `answers` are those of people,
    in the file's order, and `accepted` a suggestion that was accepted; the gold label follows from them. `source` is
    what else the file says (JSON, "" for nothing): `gold_label` that follows from no answers, `annotator_labels` that
    cannot be taken as answers, `section`, `mining_run`, what was suggested, and `columns` that mean nothing to us.
    `remarks` are about what could not be taken as it stands.
    """

    premise: str
    hypothesis: str
    hypothesis_original: str
    label: Label | None
    answers: tuple[Answer, ...] = ()
    accepted: Answer | None = None
    source_label: str | None = None
    source_id: str | None = None
    split: str | None = None
    domain: str = ""
    strategy: Strategy = Strategy.IMPORTED
    phrase: str | None = None
    page: int | None = None
    flags: tuple[PairFlag, ...] = ()
    paper: SourcePaper | None = None
    source: str = ""
    remarks: tuple[str, ...] = ()

    @property
    def settled(self) -> Label | None:
        """What the row says in the end: what its people agree on, else its label; None for nothing."""
        if self.answers:
            return gold_label(self.answers)
        return Label(self.accepted.value) if self.accepted else self.label


def find_label(word: str) -> Label | None:
    """The label that a data set's word means; None for a word we do not know."""
    return _WORDS.get(word.strip().casefold())


def read_row(row: TableRow, *, split: str | None, domain: str, numbers: Sequence[Label]) -> LabelledRow | str:
    """The row's pair, or why it has none; `NumericLabel` for a label that `numbers` would have to explain."""
    return row.problem or _Row(row.fields, numbers).read(split, domain)


class _Row:
    """The fields of one row, by name in lower case; each is taken once, and what is left is kept as it stands."""

    def __init__(self, fields: Mapping[str, object], numbers: Sequence[Label]) -> None:
        self._names = {name.strip().casefold(): name for name in fields}
        self._fields = fields
        self._numbers = numbers
        self._left = {name for name in self._names if name not in _INDEX}
        self._source: dict[str, Any] = {}  # JSON
        self._remarks: list[str] = []

    def read(self, split: str | None, domain: str) -> LabelledRow | str:
        try:
            premise = self._sentence("premise", PREMISE)
            hypothesis = self._sentence("hypothesis", HYPOTHESIS)
            original = self._sentence("sentence2_original", ("sentence2_original",), otherwise=hypothesis)
            if not any(name in self._names for name in ANY_LABEL):
                raise _Bad("no label")
            found = self._labels()
        except _Bad as exc:
            return str(exc)
        row_id = self._first_text(_ID)
        paper = self._paper()
        for name in ("section", "mining_run"):
            self._keep(name, self._text(name))
        self._suggestion()
        self._take("crosses_paragraph", lambda value: True)  # a flag says so too
        return LabelledRow(
            premise,
            hypothesis,
            original,
            **found,
            source_id=self._text("source_id") or row_id,
            split=self._take("split", lambda value: SPLIT_OF_NAME.get(str(value).lower())) or split,
            domain=self._first_text(_DOMAIN) or domain,
            strategy=self._take("strategy", _strategy) or Strategy.IMPORTED,
            phrase=self._text("linking_phrase"),
            page=self._take("page", lambda value: _whole(value, 1, 100_000)),
            flags=self._take("flags", _flags) or (),
            paper=paper,
            source=self._kept(),
            remarks=tuple(self._remarks),
        )

    def _get(self, name: str) -> object:
        return self._fields[self._names[name]] if name in self._names else None

    def _take(self, name: str, read: Callable[[object], Any]) -> Any:
        """What `read` makes of a field, which is then used up; a field it can make nothing of stays as it is."""
        value = self._get(name)
        found = None if value in (None, "") else read(value)
        if found is not None or value in (None, ""):
            self._left.discard(name)
        return found

    def _text(self, name: str) -> str | None:
        text: str | None = self._take(name, _short_text)
        return text

    def _first_text(self, names: Sequence[str]) -> str | None:
        return next((text for name in names if (text := self._text(name))), None)

    def _sentence(self, kind: str, names: Sequence[str], otherwise: str | None = None) -> str:
        name = next((name for name in names if self._get(name) not in (None, "")), names[0])
        value = self._get(name)
        self._left.discard(name)
        if otherwise is not None and value in (None, ""):
            return otherwise
        if not isinstance(value, str) or not (sentence := tidy(value)):
            raise _Bad(f"no {kind}")
        if _NOT_UNICODE.search(value):
            raise _Bad(f"the {kind} is not UTF-8 text")
        if len(sentence) > _LONGEST:
            raise _Bad(f"the {kind} has {len(sentence):,} characters: is a quote not closed?")
        return sentence

    def _labels(self) -> dict[str, Any]:
        """The fields of `LabelledRow` that are about labels."""
        given, word = self._label(LABEL)
        gold, gold_word = self._label(("gold_label",))
        distant, _ = self._label(("distant_label",))
        says_distant = "distant_label" in self._names  # as our own files do
        label = distant if says_distant else given
        answers = self._answers()
        accepted = self._take("accepted_suggestion", _truth) is True and gold is not None
        if answers and "gold_label" in self._names and gold_label(answers) is not gold:
            self._remark("the gold label is not what most annotators say; both are kept, neither settles the pair")
            self._source["annotator_labels"] = [answer.value for answer in answers]
            answers = ()
        if gold is not None and not answers and not accepted:
            self._source["gold_label"] = gold.value
            label = label or gold
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
        """The label of the first of the fields that has one, and the word that stood there."""
        self._left.difference_update(names)
        for name in names:
            value = self._get(name)
            word = "" if value is None else str(value).strip()
            if word.casefold() in _NONE:
                continue
            if (label := self._meaning(word)) is None:
                raise _Bad(f"unknown label {word[:40]!r}")
            return label, word
        return None, ""

    def _meaning(self, word: str) -> Label | None:
        if number := _NUMBER.fullmatch(word):
            if not self._numbers:
                raise NumericLabel(word)
            place = int(number[1])
            return self._numbers[place] if place < len(self._numbers) else None
        return find_label(word)

    def _answers(self) -> tuple[Answer, ...] | None:
        """What annotators say; None, and kept as it stands, where one of them is no answer that we know."""
        numbered = sorted(filter(_NUMBERED_ANSWER.fullmatch, self._names), key=lambda name: (len(name), name))
        if "annotator_labels" in self._names:
            words = _listed(self._get("annotator_labels"))
        else:
            words = [self._get(name) for name in numbered]
        if words is None:
            return None
        said = [str(word).strip() for word in words if word is not None]
        answers = [_answer(word) for word in said if word.casefold() not in _NONE]
        if None in answers or len(answers) > MAX_ANSWERS:
            self._remark("what annotators say is kept as it stands; not all of it is an answer we know")
            return None
        self._left.discard("annotator_labels")
        self._left.difference_update(numbered if "annotator_labels" not in self._names else ())
        return tuple(answer for answer in answers if answer is not None)

    def _paper(self) -> SourcePaper | None:
        if (md5 := self._take("paper_md5", lambda value: _hash(value, _MD5))) is None:
            return None
        return SourcePaper(
            md5=md5,
            sha256=self._take("paper_sha256", lambda value: _hash(value, _SHA256)) or "",
            title=self._text("title") or "",
            doi=self._text("doi"),
            year=self._take("year", lambda value: _whole(value, 0, 9999)),
            parser=self._text("parser") or "",
            parser_version=self._text("parser_version") or "",
        )

    def _suggestion(self) -> None:
        self._keep(
            "suggested_label", self._take("suggested_label", lambda value: value if str(value) in _LABELS else None)
        )
        self._keep("suggestion_confidence", self._take("suggestion_confidence", _share))
        self._keep("suggestion_model", self._text("suggestion_model"))

    def _keep(self, name: str, value: object) -> None:
        if value is not None:
            self._source[name] = value

    def _remark(self, text: str) -> None:
        self._remarks.append(text)

    def _kept(self) -> str:
        """`source`, with the columns that are left."""
        columns = self._take("source_columns", lambda value: value if isinstance(value, dict) else None) or {}
        left = [self._names[name] for name in self._names if name in self._left]
        columns |= {name: self._fields[name] for name in left if self._fields[name] not in (None, "")}
        if columns and (text := _json(columns)) is not None and len(text) <= _LONGEST_COLUMNS:
            self._source["columns"] = columns
        elif columns:
            self._remark(
                f"the other columns are left out; more than {_LONGEST_COLUMNS:,} characters, or no plain values"
            )
        return (_json(self._source) or "") if self._source else ""


class _Bad(Exception):
    """Why a row has no pair."""


def _answer(word: str) -> Answer | None:
    if word.casefold() == Answer.UNCLEAR:
        return Answer.UNCLEAR
    label = find_label(word)
    return None if label is None else Answer(label.value)


def _listed(value: object) -> list[object] | None:
    """A list, also as text: JSON, as Python prints it, or with commas; None for anything else."""
    if value in (None, ""):
        return []
    if isinstance(value, str):
        words = [word.strip(" '\"") for word in value.strip().removeprefix("[").removesuffix("]").split(",")]
        return [word for word in words if word]
    return value if isinstance(value, list) else None


def _short_text(value: object) -> str | None:
    if not isinstance(value, str | int | float) or isinstance(value, bool):
        return None
    text = tidy(str(value))
    return text if len(text) <= _LONGEST_TEXT else None


def _truth(value: object) -> bool | None:
    return value if isinstance(value, bool) else {"true": True, "false": False}.get(str(value).lower())


def _whole(value: object, least: int, most: int) -> int | None:
    number = int(value) if isinstance(value, str) and re.fullmatch("[0-9]{1,9}", value) else value
    if not isinstance(number, int) or isinstance(number, bool):
        return None
    return number if least <= number <= most else None


def _share(value: object) -> float | None:
    if not isinstance(value, str | int | float):
        return None
    with suppress(ValueError):
        share = float(value)
        return share if 0 <= share <= 1 else None
    return None


def _hash(value: object, pattern: re.Pattern[str]) -> str | None:
    return value if isinstance(value, str) and pattern.fullmatch(value) else None


def _strategy(value: object) -> Strategy | None:
    return Strategy(str(value)) if value in list(Strategy) else None


def _flags(value: object) -> tuple[PairFlag, ...] | None:
    words = _listed(value)
    if words is None or not all(word in list(PairFlag) for word in words):
        return None
    return tuple(PairFlag(str(word)) for word in words)


def _json(value: object) -> str | None:
    """Compact JSON; None for what has none, or is nested too deep."""
    if not _is_shallow(value, _DEEPEST):
        return None
    try:
        text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    except ValueError:
        return None
    return json.dumps(value, allow_nan=False, separators=(",", ":")) if _NOT_UNICODE.search(text) else text


def _is_shallow(value: object, levels: int) -> bool:
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return levels > 0 and all(_is_shallow(part, levels - 1) for part in parts if isinstance(part, dict | list))
