/** Raised with every change of the tables and of what readers put in them: an index of another version is made again. */
export const version = 18

/**
 * `sessions.revision` is drawn from one counter for all, so that it grows even where a session leaves and comes back.
 * `summed_revision` is the one that `summary` belongs to. `files.checkpoint` and `checkpoint_state` are where reading goes
 * on, `state` is the reader's at the end, behind the unterminated rest. A line keeps its entries (as tuples) and its faults as JSON:
 * they are only ever read all together, and columns for each member cost more than parsing. `sessions.folder` is where
 * a session was claimed, which for a set that is spread over folders is not its main file's; `sessions.awaited` the id or
 * file of a parent that was not found when it was read. A row of `cuts` says that
 * at a revision the lines of a file behind `kept` were deleted, or an entry there grew; it goes when a later cut goes at
 * least as deep. `openings` holds what a window shows first of a long session, of whichever revision; it is no truth, but
 * spares reading the lines. `subagents` names the main files of sessions that a session started, whether they are known or not.
 */
export const tables = `
  CREATE TABLE counter (revision INTEGER NOT NULL) STRICT;
  INSERT INTO counter VALUES (0);

  CREATE TABLE sessions (
    id INTEGER PRIMARY KEY,
    key TEXT NOT NULL UNIQUE,
    format TEXT NOT NULL,
    agent TEXT,
    path TEXT NOT NULL,
    folder TEXT NOT NULL,
    beside TEXT,
    revision INTEGER NOT NULL,
    summed_revision INTEGER,
    summary TEXT,
    updated TEXT,
    awaited TEXT
  ) STRICT;
  CREATE INDEX sessions_by_folder ON sessions (folder);
  CREATE INDEX sessions_by_path ON sessions (path);
  CREATE INDEX sessions_by_awaited ON sessions (awaited) WHERE awaited IS NOT NULL;

  CREATE TABLE files (
    id INTEGER PRIMARY KEY,
    session INTEGER NOT NULL,
    position INTEGER NOT NULL,
    path TEXT NOT NULL,
    role TEXT NOT NULL,
    framing TEXT NOT NULL,
    checkpoint TEXT,
    checkpoint_state TEXT,
    size INTEGER NOT NULL DEFAULT 0,
    length INTEGER NOT NULL DEFAULT 0,
    modified REAL NOT NULL DEFAULT 0,
    state TEXT NOT NULL DEFAULT '{}',
    UNIQUE (session, position)
  ) STRICT;
  CREATE INDEX files_by_path ON files (path);

  CREATE TABLE lines (
    file INTEGER NOT NULL,
    number INTEGER NOT NULL,
    offset INTEGER NOT NULL,
    length INTEGER NOT NULL,
    frame_offset INTEGER,
    frame_length INTEGER,
    class TEXT NOT NULL,
    entries TEXT,
    faults TEXT,
    PRIMARY KEY (file, number)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE cuts (
    file INTEGER NOT NULL,
    kept INTEGER NOT NULL,
    revision INTEGER NOT NULL,
    PRIMARY KEY (file, kept)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE openings (
    session INTEGER PRIMARY KEY,
    revision INTEGER NOT NULL,
    outline TEXT NOT NULL,
    rows TEXT NOT NULL
  ) STRICT;

  CREATE TABLE subagents (
    file TEXT NOT NULL,
    parent INTEGER NOT NULL,
    PRIMARY KEY (file, parent)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX subagents_by_parent ON subagents (parent);

  CREATE INDEX faulty_lines ON lines (file, number) WHERE faults IS NOT NULL;

  CREATE TABLE folders (path TEXT PRIMARY KEY, claims TEXT NOT NULL) STRICT, WITHOUT ROWID;

  PRAGMA user_version = ${version};
`
