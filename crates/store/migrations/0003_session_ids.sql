-- An id for each session that nobody can guess: made when its log begins, never exported, never shown. What another process
-- leaves for a session, and what its user allowed it, is bound to the id rather than to the name.
CREATE TABLE session_ids (
    session TEXT NOT NULL PRIMARY KEY,
    id      TEXT NOT NULL
) STRICT, WITHOUT ROWID;

INSERT INTO session_ids (session, id) SELECT name, lower(hex(randomblob(16))) FROM sessions;

-- NULL for a letter that was posted before there were ids: nobody knows which session it was for.
ALTER TABLE inbox ADD COLUMN session_id TEXT;
