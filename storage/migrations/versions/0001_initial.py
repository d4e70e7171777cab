"""The first schema."""

from alembic import op

revision = "0001"
down_revision = None

STATEMENTS = (
    "CREATE TABLE settings (key TEXT NOT NULL PRIMARY KEY, value TEXT NOT NULL)",
    """
    CREATE TABLE papers (
        id INTEGER NOT NULL PRIMARY KEY,
        md5 TEXT NOT NULL UNIQUE,
        sha256 TEXT NOT NULL,
        kind TEXT NOT NULL,
        title TEXT NOT NULL,
        authors TEXT NOT NULL,
        year INTEGER,
        doi TEXT,
        domain TEXT NOT NULL,
        pages INTEGER,
        parser TEXT NOT NULL,
        parser_version TEXT NOT NULL,
        splitter TEXT NOT NULL,
        digest TEXT NOT NULL,
        edited TEXT NOT NULL
    )
    """,
    """
    CREATE TABLE files (
        id INTEGER NOT NULL PRIMARY KEY,
        path TEXT NOT NULL,
        line INTEGER NOT NULL,
        md5 TEXT,
        sha256 TEXT,
        paper_id INTEGER REFERENCES papers (id) ON DELETE CASCADE,
        code TEXT,
        reason TEXT,
        hint TEXT,
        UNIQUE (path, line)
    )
    """,
    "CREATE INDEX files_by_paper ON files (paper_id)",
    "CREATE INDEX files_by_md5 ON files (md5)",
    "CREATE INDEX files_by_sha256 ON files (sha256)",
    """
    CREATE TABLE sections (
        paper_id INTEGER NOT NULL REFERENCES papers (id) ON DELETE CASCADE,
        ordinal INTEGER NOT NULL,
        title TEXT NOT NULL,
        kind TEXT NOT NULL,
        PRIMARY KEY (paper_id, ordinal)
    ) WITHOUT ROWID
    """,
    """
    CREATE TABLE paragraphs (
        id INTEGER NOT NULL PRIMARY KEY,
        paper_id INTEGER NOT NULL,
        section INTEGER NOT NULL,
        ordinal INTEGER NOT NULL,
        text TEXT NOT NULL,
        after_break BOOLEAN NOT NULL,
        sentences TEXT NOT NULL,
        spans BLOB,
        UNIQUE (paper_id, section, ordinal),
        FOREIGN KEY (paper_id, section) REFERENCES sections (paper_id, ordinal) ON DELETE CASCADE
    )
    """,
    """
    CREATE VIEW sentences AS
    SELECT p.paper_id, p.section, p.ordinal AS paragraph, s.key AS ordinal,
        json_extract(s.value, '$[0]') AS start, json_extract(s.value, '$[1]') AS "end",
        substr(
            p.text, json_extract(s.value, '$[0]') + 1, json_extract(s.value, '$[1]') - json_extract(s.value, '$[0]')
        ) AS text
    FROM paragraphs p, json_each(p.sentences) s
    """,
    """
    CREATE TABLE mining_runs (
        number INTEGER NOT NULL PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        settings TEXT NOT NULL,
        program TEXT NOT NULL,
        language_model TEXT NOT NULL,
        state TEXT NOT NULL,
        mined_to TEXT NOT NULL,
        totals TEXT
    )
    """,
    """
    CREATE TABLE funnel (
        paper_id INTEGER NOT NULL REFERENCES papers (id) ON DELETE CASCADE,
        run INTEGER NOT NULL REFERENCES mining_runs (number),
        strategy TEXT NOT NULL,
        outcome TEXT NOT NULL,
        reason TEXT NOT NULL,
        count INTEGER NOT NULL,
        PRIMARY KEY (paper_id, strategy, outcome, reason)
    ) WITHOUT ROWID
    """,
    """
    CREATE TABLE pairs (
        id INTEGER NOT NULL PRIMARY KEY,
        key TEXT NOT NULL UNIQUE,
        paper_id INTEGER NOT NULL REFERENCES papers (id) ON DELETE CASCADE,
        run INTEGER REFERENCES mining_runs (number),
        current BOOLEAN NOT NULL,
        ordinal INTEGER NOT NULL,
        premise TEXT NOT NULL,
        hypothesis TEXT NOT NULL,
        hypothesis_original TEXT NOT NULL,
        strategy TEXT NOT NULL,
        distant_label TEXT,
        phrase TEXT,
        premise_section INTEGER NOT NULL,
        premise_paragraph INTEGER NOT NULL,
        premise_sentence INTEGER NOT NULL,
        hypothesis_section INTEGER NOT NULL,
        hypothesis_paragraph INTEGER NOT NULL,
        hypothesis_sentence INTEGER NOT NULL,
        page INTEGER,
        flags TEXT NOT NULL,
        premise_hash INTEGER NOT NULL,
        hypothesis_hash INTEGER NOT NULL,
        split TEXT,
        source_id TEXT,
        source_label TEXT
    )
    """,
    "CREATE INDEX pairs_in_order ON pairs (paper_id, ordinal)",
    "CREATE INDEX pairs_by_text ON pairs (premise_hash, hypothesis_hash)",
    # Rows enter the full-text index by the store that inserts them: before a trigger FTS5 flushes, at every row, which
    # took 2.5 to 4 times as long. Deletes and edits are few and come from many places (cascades too): triggers.
    """
    CREATE VIRTUAL TABLE pairs_text USING fts5 (
        premise, hypothesis, content = 'pairs', content_rowid = 'id', tokenize = 'unicode61 remove_diacritics 2'
    )
    """,
    """
    CREATE TRIGGER pairs_text_after_delete AFTER DELETE ON pairs BEGIN
        INSERT INTO pairs_text (pairs_text, rowid, premise, hypothesis)
        VALUES ('delete', old.id, old.premise, old.hypothesis);
    END
    """,
    """
    CREATE TRIGGER pairs_text_after_update AFTER UPDATE OF premise, hypothesis ON pairs
    WHEN old.premise IS NOT new.premise OR old.hypothesis IS NOT new.hypothesis BEGIN
        INSERT INTO pairs_text (pairs_text, rowid, premise, hypothesis)
        VALUES ('delete', old.id, old.premise, old.hypothesis);
        INSERT INTO pairs_text (rowid, premise, hypothesis) VALUES (new.id, new.premise, new.hypothesis);
    END
    """,
    """
    CREATE TABLE label_events (
        id INTEGER NOT NULL PRIMARY KEY,
        pair_key TEXT NOT NULL,
        annotator TEXT NOT NULL,
        at TEXT NOT NULL,
        seen TEXT NOT NULL,
        old TEXT,
        new TEXT
    )
    """,
    "CREATE INDEX label_events_by_pair ON label_events (pair_key, annotator, id)",
    """
    CREATE TRIGGER label_events_are_kept BEFORE DELETE ON label_events BEGIN
        SELECT RAISE(ABORT, 'answers are append-only');
    END
    """,
    """
    CREATE TRIGGER label_events_are_fixed BEFORE UPDATE ON label_events BEGIN
        SELECT RAISE(ABORT, 'answers are append-only');
    END
    """,
    """
    CREATE VIEW answers AS
    SELECT pair_key, annotator, new AS answer, at FROM label_events e
    WHERE new IS NOT NULL AND id = (
        SELECT max(id) FROM label_events WHERE pair_key = e.pair_key AND annotator = e.annotator
    )
    """,
    "CREATE TABLE parser_outputs (key TEXT NOT NULL PRIMARY KEY, sha256 TEXT NOT NULL, content BLOB NOT NULL)",
    """
    CREATE TABLE parser_failures (
        key TEXT NOT NULL PRIMARY KEY, code TEXT NOT NULL, reason TEXT NOT NULL, hint TEXT NOT NULL
    )
    """,
)


def upgrade() -> None:
    connection = op.get_bind()
    for statement in STATEMENTS:
        connection.exec_driver_sql(statement)
