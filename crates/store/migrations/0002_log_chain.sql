-- Each event carries a hash over itself and all before it in its session, so that a missing, changed or moved one is noticed.
-- It is computed for the events that are there already when this is run.
ALTER TABLE events ADD COLUMN chain BLOB;

-- Where the log of a session ends: how many events it has, and the hash of the last.
ALTER TABLE sessions ADD COLUMN events INTEGER NOT NULL DEFAULT 0;
ALTER TABLE sessions ADD COLUMN head BLOB;

-- 1 on the last event of a commit: a log that is cut there is one that once was.
ALTER TABLE events ADD COLUMN closes INTEGER NOT NULL DEFAULT 0;

-- A hash over the whole row.
ALTER TABLE sessions ADD COLUMN seal BLOB;
