"""Annotators with roles, rounds of annotation with assignments, mended sentences, licences, and releases.

`papers.repaired_characters` counts what a PDF's fonts had wrong, `repaired_fonts` those fonts.

`annotators.key` is what the histories of answers and marks hold; `name` can be changed.
`pairs.votes` counts the answers that count; `pairs.majority` is the label that people agree on, `pairs.gold` the same
if the rule of gold accepts it. `pairs.edited` says that a person has mended a sentence, and then `mined_premise` or
`mined_hypothesis` is what had been mined.
"""

from alembic import op

revision = "0006"
down_revision = "0005"

_FACETS = """
    paper_id, ordinal,
    current
    + 2 * (CASE status WHEN 'settled' THEN 1 WHEN 'unsettled' THEN 2 WHEN 'discarded' THEN 3 WHEN 'bad' THEN 4
        ELSE 0 END)
    + 16 * (CASE distant_label WHEN 'contrasting' THEN 1 WHEN 'reasoning' THEN 2 WHEN 'entailment' THEN 3
        WHEN 'neutral' THEN 4 ELSE 0 END)
    + 128 * (CASE gold WHEN 'contrasting' THEN 1 WHEN 'reasoning' THEN 2 WHEN 'entailment' THEN 3
        WHEN 'neutral' THEN 4 ELSE 0 END)
    + 1024 * (CASE status
        WHEN 'settled' THEN CASE gold WHEN 'contrasting' THEN 1 WHEN 'reasoning' THEN 2 WHEN 'entailment' THEN 3
            WHEN 'neutral' THEN 4 ELSE 0 END
        WHEN 'open' THEN CASE distant_label WHEN 'contrasting' THEN 1 WHEN 'reasoning' THEN 2
            WHEN 'entailment' THEN 3 WHEN 'neutral' THEN 4 ELSE 0 END
        ELSE 0 END)
    + 8192 * (CASE strategy WHEN 'linked' THEN 1 WHEN 'both_random' THEN 2 WHEN 'first_random' THEN 3
        WHEN 'second_random' THEN 4 WHEN 'implicit' THEN 5 WHEN 'imported' THEN 6 ELSE 0 END)
    + 65536 * flagged + 131072 * noted + 262144 * contested
    + 524288 * (instr(flags, '"crosses_paragraph"') > 0)
    + 1048576 * (instr(flags, '"premise_has_phrase"') > 0)
    + 2097152 * (instr(flags, '"no_comma"') > 0)
    + 4194304 * accepted + 8388608 * edited,
    overlap, premise_words, hypothesis_words, phrase, split
"""


def _append_only(table: str, noun: str) -> tuple[str, str]:
    return tuple(  # type: ignore[return-value]
        f"""
        CREATE TRIGGER {table}_are_{state} BEFORE {event} ON {table} BEGIN
            SELECT RAISE(ABORT, '{noun} are append-only');
        END
        """
        for state, event in (("kept", "DELETE"), ("fixed", "UPDATE"))
    )


STATEMENTS = (
    """
    CREATE TABLE annotators (
        id INTEGER NOT NULL PRIMARY KEY,
        "key" TEXT NOT NULL UNIQUE,
        name TEXT NOT NULL UNIQUE,
        role TEXT NOT NULL
    )
    """,
    """
    INSERT INTO annotators ("key", name, role)
    SELECT annotator, annotator, 'annotator' FROM (
        SELECT annotator FROM label_events UNION SELECT annotator FROM mark_events
        UNION SELECT annotator FROM rounds
        UNION SELECT value ->> '$' FROM settings
            WHERE "key" LIKE 'annotator:%' AND CASE WHEN json_valid(value) THEN json_type(value) END = 'text'
    ) WHERE annotator <> '' ORDER BY annotator
    """,
    """
    CREATE TABLE annotation_rounds (
        id INTEGER NOT NULL PRIMARY KEY,
        uid TEXT NOT NULL UNIQUE,
        number INTEGER NOT NULL UNIQUE,
        kind TEXT NOT NULL,
        seed INTEGER NOT NULL,
        created_at TEXT NOT NULL,
        plan TEXT NOT NULL,
        is_open BOOLEAN NOT NULL
    )
    """,
    """
    CREATE TABLE annotation_round_pairs (
        round INTEGER NOT NULL REFERENCES annotation_rounds (id) ON DELETE CASCADE,
        pair_key TEXT NOT NULL,
        ordinal INTEGER NOT NULL,
        domain TEXT NOT NULL,
        label TEXT,
        PRIMARY KEY (round, pair_key)
    ) WITHOUT ROWID
    """,
    "CREATE INDEX annotation_round_pairs_by_pair ON annotation_round_pairs (pair_key)",
    """
    CREATE TABLE assignments (
        id INTEGER NOT NULL PRIMARY KEY,
        uid TEXT NOT NULL UNIQUE,
        round INTEGER NOT NULL REFERENCES annotation_rounds (id) ON DELETE CASCADE,
        annotator TEXT NOT NULL,
        state TEXT NOT NULL,
        sent_at TEXT,
        merged_at TEXT,
        digest TEXT,
        UNIQUE (round, annotator)
    )
    """,
    """
    CREATE TABLE merged_answers (
        id INTEGER NOT NULL PRIMARY KEY,
        assignment INTEGER NOT NULL REFERENCES assignments (id) ON DELETE CASCADE,
        pair_key TEXT NOT NULL,
        at TEXT NOT NULL,
        answer TEXT NOT NULL,
        earlier TEXT,
        earlier_at TEXT,
        action INTEGER NOT NULL REFERENCES actions (id),
        UNIQUE (assignment, pair_key, at, answer)
    )
    """,
    "CREATE INDEX merged_answers_by_action ON merged_answers (action)",
    """
    CREATE TABLE setup_events (
        id INTEGER NOT NULL PRIMARY KEY,
        subject TEXT NOT NULL,
        old TEXT,
        new TEXT,
        action INTEGER NOT NULL REFERENCES actions (id)
    )
    """,
    "CREATE INDEX setup_events_by_action ON setup_events (action)",
    *_append_only("setup_events", "decisions about annotation"),
    """
    CREATE TABLE text_events (
        id INTEGER NOT NULL PRIMARY KEY,
        pair_key TEXT NOT NULL,
        annotator TEXT NOT NULL,
        at TEXT NOT NULL,
        field TEXT NOT NULL CHECK (field IN ('premise', 'hypothesis')),
        old TEXT NOT NULL,
        new TEXT,
        action INTEGER REFERENCES actions (id)
    )
    """,
    "CREATE INDEX text_events_by_pair ON text_events (pair_key, field, id)",
    "CREATE INDEX text_events_by_action ON text_events (action)",
    *_append_only("text_events", "mended sentences"),
    """
    CREATE TABLE releases (
        id INTEGER NOT NULL PRIMARY KEY,
        name TEXT NOT NULL UNIQUE,
        created_at TEXT NOT NULL,
        program TEXT NOT NULL,
        options TEXT NOT NULL,
        counts TEXT NOT NULL
    )
    """,
    """
    CREATE TABLE release_files (
        release INTEGER NOT NULL REFERENCES releases (id),
        name TEXT NOT NULL,
        rows INTEGER NOT NULL,
        size INTEGER NOT NULL,
        sha256 TEXT NOT NULL,
        content BLOB NOT NULL,
        PRIMARY KEY (release, name)
    )
    """,
    """
    CREATE TABLE release_splits (
        release INTEGER NOT NULL REFERENCES releases (id),
        md5 TEXT NOT NULL,
        pair_key TEXT NOT NULL,
        split TEXT NOT NULL,
        PRIMARY KEY (release, md5, pair_key)
    ) WITHOUT ROWID
    """,
    *_append_only("releases", "releases"),
    *_append_only("release_files", "releases"),
    *_append_only("release_splits", "releases"),
    "ALTER TABLE papers ADD COLUMN licence TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE papers ADD COLUMN repaired_characters INTEGER NOT NULL DEFAULT 0",
    "ALTER TABLE papers ADD COLUMN repaired_fonts INTEGER NOT NULL DEFAULT 0",
    "ALTER TABLE pairs ADD COLUMN votes INTEGER NOT NULL DEFAULT 0",
    "ALTER TABLE pairs ADD COLUMN majority TEXT",
    "ALTER TABLE pairs ADD COLUMN edited BOOLEAN NOT NULL DEFAULT 0",
    "ALTER TABLE pairs ADD COLUMN mined_premise TEXT",
    "ALTER TABLE pairs ADD COLUMN mined_hypothesis TEXT",
    """
    UPDATE pairs SET votes = (
        SELECT count(*) FROM label_events e WHERE pair_key = pairs."key" AND new IS NOT NULL AND via = 'answer'
            AND id = (SELECT max(id) FROM label_events WHERE pair_key = e.pair_key AND annotator = e.annotator)
    ) WHERE status <> 'open'
    """,
    "UPDATE pairs SET majority = gold WHERE gold IS NOT NULL",
    """
    UPDATE pairs SET status = 'settled', majority = source ->> '$.gold_label', gold = source ->> '$.gold_label'
    WHERE status = 'open' AND json_valid(source) AND source ->> '$.gold_label' <> distant_label
    """,
    "DROP INDEX pairs_in_order",
    "DROP INDEX pairs_judged",
    f"CREATE INDEX pairs_in_order ON pairs ({_FACETS})",
    f"CREATE INDEX pairs_judged ON pairs ({_FACETS}) WHERE status <> 'open' OR flagged OR noted OR edited",
)


def upgrade() -> None:
    connection = op.get_bind()
    for statement in STATEMENTS:
        connection.exec_driver_sql(statement)
