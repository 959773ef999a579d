-- The log. Its primary key is the fence: two drivers can't both write the next row of a session.
CREATE TABLE events (
    session TEXT    NOT NULL,
    seq     INTEGER NOT NULL,
    at      INTEGER NOT NULL,
    type    TEXT    NOT NULL,
    version INTEGER NOT NULL,
    body    TEXT    NOT NULL,
    PRIMARY KEY (session, seq)
) STRICT, WITHOUT ROWID;

-- Texts are shared by all sessions, so rows keep their rowid: large bodies would thin out a tree ordered by hash.
CREATE TABLE texts (
    hash BLOB NOT NULL PRIMARY KEY,
    body TEXT NOT NULL
) STRICT;

CREATE TABLE sessions (
    name       TEXT    NOT NULL PRIMARY KEY,
    updated_at INTEGER NOT NULL,
    body       TEXT    NOT NULL
) STRICT, WITHOUT ROWID;

-- AUTOINCREMENT, since the poster of a letter asks for its outcome by id: no id may ever mean another letter.
CREATE TABLE inbox (
    id        INTEGER PRIMARY KEY AUTOINCREMENT,
    session   TEXT    NOT NULL,
    posted_at INTEGER NOT NULL,
    body      TEXT    NOT NULL,
    outcome   TEXT
) STRICT;

-- Covers only what waits, so that taking letters costs the same however many were taken before.
CREATE INDEX inbox_waiting ON inbox (session, id) WHERE outcome IS NULL;

-- The contents that a file may legitimately have. `first` and `last` order the intents of one path; a content that was
-- intended twice keeps both, so that confirming the earlier one drops nothing that may still be written.
CREATE TABLE projections (
    session TEXT    NOT NULL,
    path    TEXT    NOT NULL,
    hash    BLOB    NOT NULL,
    first   INTEGER NOT NULL,
    last    INTEGER NOT NULL,
    PRIMARY KEY (session, path, hash)
) STRICT, WITHOUT ROWID;
