"""The tables, a class each, as `migrations/` creates them (a test compares the two); private to storage.

How storage uses SQLAlchemy:
- The classes are the schema, and simple statements are written with them: `select(PaperRow.id).where(...)`.
- Such statements are Core's, run on a `Connection`: there is no session, and no object of these classes is ever made.
- SQL is text, run by `exec_driver_sql`, where it is tuned to an index, reads many rows, or asks what SQLite alone has.
- Filters are compiled to SQL in one place, `storage.pairs.query`; as text, because it is tuned.
- Values are passed as parameters. Only our own constants are formatted into text, never what a person entered.
"""

from storage.schema.annotation import (
    AnnotationRoundPairRow,
    RoundPairRow,
    RoundRow,
    SetupEventRow,
)
from storage.schema.base import Base, columns_of, table_of
from storage.schema.experiments import (
    CellResultRow,
    TestItemRow,
    TestPartRow,
    TestTextRow,
)
from storage.schema.histories import ActionRow, KindEventRow, LabelEventRow, TaxonomyRow
from storage.schema.models import SuggestionRunRow
from storage.schema.pairs import PAIRS, FunnelRow, MiningRunRow, PairListRow, PairRow
from storage.schema.papers import (
    DATA_SET,
    FILES,
    PAPERS,
    PARAGRAPHS,
    SECTIONS,
    FileRow,
    PaperEventRow,
    PaperRow,
    ParagraphRow,
    ParserFailureRow,
    ParserOutputRow,
    RemovedPaperRow,
    SectionRow,
)
from storage.schema.project import ReleaseFileRow, ReleaseRow, SettingRow

__all__ = [
    "DATA_SET",
    "FILES",
    "PAIRS",
    "PAPERS",
    "PARAGRAPHS",
    "SECTIONS",
    "ActionRow",
    "AnnotationRoundPairRow",
    "Base",
    "CellResultRow",
    "FileRow",
    "FunnelRow",
    "KindEventRow",
    "LabelEventRow",
    "MiningRunRow",
    "PairListRow",
    "PairRow",
    "PaperEventRow",
    "PaperRow",
    "ParagraphRow",
    "ParserFailureRow",
    "ParserOutputRow",
    "ReleaseFileRow",
    "ReleaseRow",
    "RemovedPaperRow",
    "RoundPairRow",
    "RoundRow",
    "SectionRow",
    "SettingRow",
    "SetupEventRow",
    "SuggestionRunRow",
    "TaxonomyRow",
    "TestItemRow",
    "TestPartRow",
    "TestTextRow",
    "columns_of",
    "table_of",
]
