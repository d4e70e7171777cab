"""The settings of a project: all of them, with key, type and default, and the store that reads and writes them.

Their table has two more rows: `last_pair`, the highest id that a pair has had, which `storage.pairs.store` keeps, and
how far was mined before papers were removed (`storage.mining.runs`).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from sqlalchemy import Connection, delete, select
from sqlalchemy.dialects.sqlite import insert

from miner import codec
from miner.records import Label
from miner.splits import PaperSplit
from storage.annotation.annotation_rounds import Targets
from storage.annotation.sent_assignments import SentAssignment
from storage.dataset.corpus_origin import CorpusOrigin
from storage.dataset.export_options import ExportOptions
from storage.dataset.gold_rule import GoldRules
from storage.errors import translate_decoding_errors
from storage.pairs.filters import PairFilter
from storage.schema import SettingRow

if TYPE_CHECKING:
    from miner.audit.report import AuditReport
    from miner.mining.settings import MiningSettings
    from miner.parsing.sentences.parameters import SplitterParameters

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Setting(Generic[T]):
    """A setting: its `key` in the file, and its value if nobody has set it.

    load: makes the value from JSON data; raises ValueError if it is invalid. dump: makes JSON data from the value.
    """

    key: str
    default: T
    load: Callable[[Any], T]
    dump: Callable[[T], Any] = field(default=codec.to_data)

    def of(self, account: str) -> Setting[T]:
        """The same setting for one account on one computer, because people pass project files on to each other."""
        return Setting(f"{self.key}:{account}", self.default, self.load, self.dump)


@dataclass(frozen=True, slots=True)
class LabelNoise:
    """The estimated proportions of pairs with distant label i (rows) and true class j (columns).

    run: the suggestion run that they were estimated from. found_rarely: the classes of which the run suggests
    fewer than half of the labels.
    """

    run: int
    matrix: tuple[tuple[float, ...], ...]
    found_rarely: tuple[Label, ...] = ()


@dataclass(frozen=True, slots=True)
class SuggestionSets:
    """From which probability on each class belongs to the suggestion for a pair.

    run: of the suggestions. least: by the percentage of pairs whose class may be missing, the probability of each class
    in the order of `Label`. power: to raise the run's probabilities to, and scale them to sum 1, before they are
    compared. answers: how many answers decided it; 0 if the model's card did.
    """

    run: int
    least: dict[str, tuple[float, ...]]
    power: float = 1.0
    answers: int = 0

    def __post_init__(self) -> None:
        rows = self.least.values()
        if not 0 < self.power < 1000 or not all(len(row) == len(Label) for row in rows):
            raise ValueError("no sets of suggestions")


def _mining_settings(data: Any) -> MiningSettings:
    from miner.mining.settings import MiningSettings  # imported here to keep the opening of a project fast

    return codec.from_data(MiningSettings, data)


def _audit(data: Any) -> AuditReport | None:
    """None if the data is invalid: the audit can be made again."""
    from miner.audit.report import AuditReport

    try:
        return codec.from_data(AuditReport, data)
    except ValueError:
        return None


def _sentences(data: Any) -> SplitterParameters:
    from miner.parsing.sentences.parameters import SplitterParameters

    return SplitterParameters.from_data(data)


def _sentences_data(value: SplitterParameters | None) -> Any:
    return None if value is None else value.to_data()


def _windows(data: Any) -> dict[str, list[str]]:
    """Empty if the data is invalid: it can be computed again."""
    try:
        return codec.from_data(dict[str, list[str]], data)
    except ValueError:
        return {}


def _names(data: Any) -> dict[str, str]:
    """Empty if the data is invalid: the names only make messages clearer."""
    try:
        return codec.from_data(dict[str, str], data)
    except ValueError:
        return {}


def _filters(data: Any) -> dict[str, PairFilter]:
    """Without filters of a newer program, which have unknown fields."""
    found = {}
    for name, one in sorted(data.items()) if isinstance(data, dict) else ():
        try:
            found[name] = codec.from_data(PairFilter, one)
        except ValueError:
            continue
    return found


def _filters_data(filters: Mapping[str, PairFilter]) -> Any:
    return {name: one.to_data() for name, one in filters.items()}


def _export_options(data: Any) -> ExportOptions | None:
    """None if the data is invalid."""
    try:
        return ExportOptions.from_data(data)
    except ValueError:
        return None


def _export_options_data(options: ExportOptions | None) -> Any:
    return options and options.to_data()


_text: Callable[[Any], str] = partial(codec.from_data, str)
_boolean: Callable[[Any], bool] = partial(codec.from_data, bool)

ANNOTATOR = Setting("annotator", "", _text)
"""The key of the annotator, for each account; "" if it was never set."""
GUIDELINES = Setting("guidelines", "", _text)
"""The project's own rules for annotators, as plain text or Markdown."""
TARGETS = Setting("targets", Targets(), partial(codec.from_data, Targets))
"""How many gold pairs the benchmark is to have."""
GOLD = Setting("gold", GoldRules(), partial(codec.from_data, GoldRules))
"""How gold labels come from answers to pairs of dev and test."""
SPLIT: Setting[PaperSplit | None] = Setting("split", None, partial(codec.from_data, PaperSplit))
"""How the project's papers are split; None if they are not. Whoever changes it calls `paper_splits.refresh_all`."""
GOLD_EVERYWHERE: Setting[bool | None] = Setting("gold everywhere", None, _boolean)
"""Whether the rules of gold hold for all pairs: in projects of earlier versions that are not split yet."""
LAST_SPLIT_EXPORT: Setting[ExportOptions | None] = Setting(
    "export in splits", None, _export_options, _export_options_data
)
"""The options of the last export with a split of its own, in a project whose papers are not split."""
ASSIGNMENT: Setting[SentAssignment | None] = Setting("assignment", None, partial(codec.from_data, SentAssignment))
"""What an answer file is for; None in other projects."""
BLIND = Setting("blind", True, _boolean)
"""Whether phrase and distant label are hidden until a pair is answered."""
ERRORS_BLIND = Setting("errors blind", False, _boolean)
"""Whether, of an error to read, label and the system's answer are hidden until the annotator asks for them."""
MINING: Setting[MiningSettings | None] = Setting("mining", None, _mining_settings)
"""The project's mining settings; None if nobody has changed them."""
CORPUS = Setting("corpus", tuple[CorpusOrigin, ...](), partial(codec.from_data, tuple[CorpusOrigin, ...]))
"""What was pulled from a corpus, in turn; all from the same state of the same one."""
SENTENCES: Setting[SplitterParameters | None] = Setting("sentences", None, _sentences, _sentences_data)
"""The parameters of the sentence splitter that were learnt from the project's own papers."""
SENTENCE_WINDOWS = Setting("sentence_windows", dict[str, list[str]](), _windows)
"""A cache of the abbreviations found in windows of the papers' text, by digest of the window."""
PAIR_FILTERS = Setting("pair_filters", dict[str, PairFilter](), _filters, _filters_data)
"""Saved filters, by name."""
RENAMED_LISTS = Setting("renamed lists", dict[str, str](), _names)
"""The present names of lists of pairs, by names that they had before."""
LAST_EXPORT: Setting[ExportOptions | None] = Setting("export", None, _export_options, _export_options_data)
"""The options of the last export."""
LAST_EXPORT_FOLDER = Setting("export folder", "", _text)
"""The folder of the last export, for each account: it must not come from another person's file."""
AUDIT: Setting[AuditReport | None] = Setting("audit", None, _audit)
"""The last artefact audit."""
LABEL_NOISE: Setting[LabelNoise | None] = Setting("noise", None, partial(codec.from_data, LabelNoise))
"""The estimated noise of the distant labels."""
SUGGESTION_SETS: Setting[SuggestionSets | None] = Setting("sets", None, partial(codec.from_data, SuggestionSets))
"""When a suggestion names one class, two or none."""
PARSE_AGAIN_OFFERED = Setting("parse again", "", _text)
"""The versions for which window or command line (each by its name) have offered to parse papers again."""
SAMPLE_PAPERS_MISSING = Setting("sample", False, _boolean)
"""Whether this is a sample project whose papers were not added yet."""


class ProjectSettingStore:
    """Reads and writes the settings of a project."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    @translate_decoding_errors()
    def get(self, setting: Setting[T]) -> T:
        """The stored value, or the setting's default."""
        value = self._connection.scalar(select(SettingRow.value).where(SettingRow.key == setting.key))
        return setting.default if value is None else setting.load(json.loads(value))

    @translate_decoding_errors()
    def of_accounts(self, setting: Setting[T]) -> dict[str, T]:
        """The stored values of a setting that each account has (`Setting.of`), by account."""
        query = select(SettingRow.key, SettingRow.value).where(SettingRow.key.startswith(f"{setting.key}:"))
        rows = self._connection.execute(query)
        return {key.partition(":")[2]: setting.load(json.loads(value)) for key, value in rows}

    def is_stored(self, setting: Setting[Any]) -> bool:
        """Whether somebody has chosen a value, rather than the default."""
        return self._connection.scalar(select(SettingRow.key).where(SettingRow.key == setting.key)) is not None

    def put(self, setting: Setting[T], value: T) -> None:
        """Store a value; None deletes it."""
        if value is None:
            self._connection.execute(delete(SettingRow).where(SettingRow.key == setting.key))
            return
        text = codec.encode(setting.dump(value), ascii_only=True)
        statement = insert(SettingRow).values(key=setting.key, value=text)
        self._connection.execute(statement.on_conflict_do_update(["key"], set_={"value": text}))
