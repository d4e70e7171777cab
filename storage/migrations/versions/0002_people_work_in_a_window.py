"""What people do in a window: answers and marks as actions that can be undone, and what holds now beside each pair.

`status`, `gold`, `contested`, `flagged` and `noted` of a pair follow from the history (`storage.verdicts` computes
them, and must be called by whoever appends to it); they stand in the pair's row so that filters need no join. So do the
sentences' lengths in words and the overlap, in percent, for the same reason.
"""

import itertools
import re
from collections import Counter
from typing import Any

from alembic import op

revision = "0002"
down_revision = "0001"

_WORD = re.compile(r"\w+")

_FACETS = """
    paper_id, ordinal,
    current
    + 2 * (CASE status WHEN 'settled' THEN 1 WHEN 'unsettled' THEN 2 WHEN 'bad' THEN 3 ELSE 0 END)
    + 8 * (CASE distant_label WHEN 'contrasting' THEN 1 WHEN 'reasoning' THEN 2 WHEN 'entailment' THEN 3
        WHEN 'neutral' THEN 4 ELSE 0 END)
    + 64 * (CASE gold WHEN 'contrasting' THEN 1 WHEN 'reasoning' THEN 2 WHEN 'entailment' THEN 3
        WHEN 'neutral' THEN 4 ELSE 0 END)
    + 512 * (CASE status
        WHEN 'settled' THEN CASE gold WHEN 'contrasting' THEN 1 WHEN 'reasoning' THEN 2 WHEN 'entailment' THEN 3
            WHEN 'neutral' THEN 4 ELSE 0 END
        WHEN 'open' THEN CASE distant_label WHEN 'contrasting' THEN 1 WHEN 'reasoning' THEN 2
            WHEN 'entailment' THEN 3 WHEN 'neutral' THEN 4 ELSE 0 END
        ELSE 0 END)
    + 4096 * (CASE strategy WHEN 'linked' THEN 1 WHEN 'both_random' THEN 2 WHEN 'first_random' THEN 3
        WHEN 'second_random' THEN 4 WHEN 'implicit' THEN 5 WHEN 'imported' THEN 6 ELSE 0 END)
    + 32768 * flagged + 65536 * noted + 131072 * contested
    + 262144 * (instr(flags, '"crosses_paragraph"') > 0)
    + 524288 * (instr(flags, '"premise_has_phrase"') > 0)
    + 1048576 * (instr(flags, '"no_comma"') > 0),
    overlap, premise_words, hypothesis_words, phrase, split
"""

STATEMENTS = (
    """
    CREATE TABLE actions (
        id INTEGER NOT NULL PRIMARY KEY,
        at TEXT NOT NULL,
        annotator TEXT NOT NULL,
        title TEXT NOT NULL,
        state TEXT NOT NULL CHECK (state IN ('done', 'undone', 'dropped', 'reversal')),
        reverses INTEGER REFERENCES actions (id)
    )
    """,
    "CREATE INDEX actions_by_annotator ON actions (annotator, state, id)",
    """
    CREATE TABLE mark_events (
        id INTEGER NOT NULL PRIMARY KEY,
        pair_key TEXT NOT NULL,
        annotator TEXT NOT NULL,
        at TEXT NOT NULL,
        kind TEXT NOT NULL CHECK (kind IN ('flag', 'note', 'bad')),
        old TEXT,
        new TEXT,
        action INTEGER REFERENCES actions (id)
    )
    """,
    "CREATE INDEX mark_events_by_pair ON mark_events (pair_key, kind, annotator, id)",
    "CREATE INDEX mark_events_by_action ON mark_events (action)",
    """
    CREATE TRIGGER mark_events_are_kept BEFORE DELETE ON mark_events BEGIN
        SELECT RAISE(ABORT, 'marks are append-only');
    END
    """,
    """
    CREATE TRIGGER mark_events_are_fixed BEFORE UPDATE ON mark_events BEGIN
        SELECT RAISE(ABORT, 'marks are append-only');
    END
    """,
    """
    CREATE TABLE paper_events (
        id INTEGER NOT NULL PRIMARY KEY,
        md5 TEXT NOT NULL,
        field TEXT NOT NULL,
        old TEXT,
        new TEXT,
        action INTEGER REFERENCES actions (id)
    )
    """,
    "CREATE INDEX paper_events_by_action ON paper_events (action)",
    """
    CREATE TABLE removed_papers (
        action INTEGER NOT NULL REFERENCES actions (id),
        md5 TEXT NOT NULL,
        part INTEGER NOT NULL,
        content BLOB NOT NULL,
        PRIMARY KEY (action, md5, part)
    ) WITHOUT ROWID
    """,
    "ALTER TABLE label_events ADD COLUMN action INTEGER REFERENCES actions (id)",
    "CREATE INDEX label_events_by_action ON label_events (action) WHERE action IS NOT NULL",
    "ALTER TABLE pairs ADD COLUMN status TEXT NOT NULL DEFAULT 'open'",
    "ALTER TABLE pairs ADD COLUMN gold TEXT",
    "ALTER TABLE pairs ADD COLUMN contested BOOLEAN NOT NULL DEFAULT 0",
    "ALTER TABLE pairs ADD COLUMN flagged BOOLEAN NOT NULL DEFAULT 0",
    "ALTER TABLE pairs ADD COLUMN noted BOOLEAN NOT NULL DEFAULT 0",
    "ALTER TABLE pairs ADD COLUMN premise_words INTEGER NOT NULL DEFAULT 0",
    "ALTER TABLE pairs ADD COLUMN hypothesis_words INTEGER NOT NULL DEFAULT 0",
    "ALTER TABLE pairs ADD COLUMN overlap INTEGER NOT NULL DEFAULT 0",
    """
    ALTER TABLE pairs ADD COLUMN label TEXT AS (
        CASE status WHEN 'settled' THEN gold WHEN 'open' THEN distant_label END
    ) VIRTUAL
    """,
    "DROP INDEX pairs_in_order",
    # No id of a pair is given twice: `storage.pairs`.
    "INSERT INTO settings SELECT 'last_pair', last FROM (SELECT max(id) AS last FROM pairs) WHERE last IS NOT NULL",
)

INDICES = (  # once the pairs are filled in: entry by entry it would take half as long again
    # All that pairs are filtered, sorted and counted by, small things packed into one number: `storage.facets`. Reading
    # it takes half the time of reading them as columns. Pairs come in this order when they are mined.
    f"CREATE INDEX pairs_in_order ON pairs ({_FACETS})",
    f"CREATE INDEX pairs_judged ON pairs ({_FACETS}) WHERE status <> 'open' OR flagged OR noted",
    "CREATE INDEX pairs_gone ON pairs (current) WHERE current = 0",
)


def upgrade() -> None:
    connection = op.get_bind()
    for statement in STATEMENTS:
        connection.exec_driver_sql(statement)
    driver: Any = connection.connection.driver_connection  # sqlite3's
    driver.create_function("count_words", 1, lambda text: len(text.split()), deterministic=True)
    driver.create_function("overlap", 2, _overlap, deterministic=True)
    connection.exec_driver_sql(
        "UPDATE pairs SET premise_words = count_words(premise), hypothesis_words = count_words(hypothesis), "
        "overlap = overlap(premise, hypothesis)"
    )
    answers = connection.exec_driver_sql("SELECT pair_key, answer FROM answers ORDER BY pair_key").all()
    for key, group in itertools.groupby(answers, lambda row: row[0]):
        votes = Counter(answer for _, answer in group)
        [(answer, most)] = votes.most_common(1)
        gold = answer if most * 2 > votes.total() and answer != "unclear" else None
        connection.exec_driver_sql(
            "UPDATE pairs SET status = ?, gold = ?, contested = ? WHERE key = ?",
            ("settled" if gold else "unsettled", gold, len(votes) > 1, key),
        )
    for statement in INDICES:
        connection.exec_driver_sql(statement)


def _overlap(premise: str, hypothesis: str) -> int:
    words = _WORD.findall(hypothesis.casefold())
    known = set(_WORD.findall(premise.casefold()))
    return round(100 * sum(word in known for word in words) / len(words)) if words else 0
