"""Models, their training and what they suggest; and answers that were accepted suggestions are known as such.

`accepted` of a pair follows from the history like `status` and `gold` do: its answers are accepted suggestions alone.
"""

from alembic import op

revision = "0003"
down_revision = "0002"

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
    + 1048576 * (instr(flags, '"no_comma"') > 0)
    + 2097152 * accepted,
    overlap, premise_words, hypothesis_words, phrase, split
"""

STATEMENTS = (
    """
    CREATE TABLE models (
        id INTEGER NOT NULL PRIMARY KEY,
        digest TEXT NOT NULL UNIQUE,
        name TEXT NOT NULL,
        kind TEXT NOT NULL CHECK (kind IN ('starter', 'project', 'folder', 'hub')),
        folder TEXT NOT NULL,
        card TEXT NOT NULL,
        labels TEXT,
        added_at TEXT NOT NULL
    )
    """,
    """
    CREATE TABLE training_runs (
        id INTEGER NOT NULL PRIMARY KEY,
        name TEXT NOT NULL,
        state TEXT NOT NULL CHECK (state IN ('running', 'paused', 'done', 'failed', 'cancelled')),
        settings TEXT NOT NULL,
        fingerprint TEXT NOT NULL,
        data TEXT NOT NULL,
        versions TEXT NOT NULL,
        started_at TEXT NOT NULL,
        ended_at TEXT,
        metrics TEXT NOT NULL,
        history TEXT NOT NULL,
        problem TEXT NOT NULL,
        folder TEXT NOT NULL,
        model_id INTEGER REFERENCES models (id)
    )
    """,
    """
    CREATE TABLE suggestion_runs (
        id INTEGER NOT NULL PRIMARY KEY,
        model_id INTEGER NOT NULL REFERENCES models (id),
        temperature REAL NOT NULL,
        state TEXT NOT NULL CHECK (state IN ('running', 'complete', 'replaced')),
        device TEXT NOT NULL,
        program TEXT NOT NULL,
        started_at TEXT NOT NULL,
        ended_at TEXT,
        pairs INTEGER NOT NULL,
        held_out BOOLEAN NOT NULL
    )
    """,
    # One that is shown, and one that is to be.
    "CREATE UNIQUE INDEX suggestion_runs_alive ON suggestion_runs (state) WHERE state IN ('running', 'complete')",
    # The pair comes first, so that suggestions go with it at once. Numbers are ten-thousandths.
    """
    CREATE TABLE suggestions (
        pair INTEGER NOT NULL REFERENCES pairs (id) ON DELETE CASCADE,
        run INTEGER NOT NULL REFERENCES suggestion_runs (id),
        label INTEGER NOT NULL CHECK (label BETWEEN 0 AND 3),
        confidence INTEGER NOT NULL,
        contrasting INTEGER NOT NULL,
        reasoning INTEGER NOT NULL,
        entailment INTEGER NOT NULL,
        neutral INTEGER NOT NULL,
        doubt INTEGER,
        margin INTEGER,
        fold INTEGER,
        PRIMARY KEY (pair, run)
    ) WITHOUT ROWID
    """,
    # Both hold all that a filter asks of a suggestion.
    "CREATE INDEX suggestions_by_confidence ON suggestions (run, confidence, pair, label, doubt)",
    "CREATE INDEX suggestions_by_doubt ON suggestions (run, doubt, pair, label, confidence)",
    """
    CREATE TRIGGER suggestions_of_changed_pairs AFTER UPDATE OF premise, hypothesis, distant_label, current ON pairs
    WHEN old.premise IS NOT new.premise OR old.hypothesis IS NOT new.hypothesis
        OR old.distant_label IS NOT new.distant_label OR NOT new.current
    BEGIN
        DELETE FROM suggestions WHERE pair = old.id;
    END
    """,
    """
    ALTER TABLE label_events ADD COLUMN via TEXT NOT NULL DEFAULT 'answer' CHECK (via IN ('answer', 'accepted'))
    """,
    "DROP VIEW answers",
    """
    CREATE VIEW answers AS
    SELECT pair_key, annotator, new AS answer, at, via FROM label_events e
    WHERE new IS NOT NULL AND id = (
        SELECT max(id) FROM label_events WHERE pair_key = e.pair_key AND annotator = e.annotator
    )
    """,
    "ALTER TABLE pairs ADD COLUMN accepted BOOLEAN NOT NULL DEFAULT 0",
    "DROP INDEX pairs_in_order",
    "DROP INDEX pairs_judged",
    f"CREATE INDEX pairs_in_order ON pairs ({_FACETS})",
    f"CREATE INDEX pairs_judged ON pairs ({_FACETS}) WHERE status <> 'open' OR flagged OR noted",
)


def upgrade() -> None:
    connection = op.get_bind()
    for statement in STATEMENTS:
        connection.exec_driver_sql(statement)
