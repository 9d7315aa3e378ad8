"""The schema of the brain as numbered steps, only ever appended to: what a user has on disk was made by some of them."""

from __future__ import annotations

import re

APPLICATION_ID = 0x69446272  # "iDbr": tells our files from others' databases

MIGRATIONS = (
    # 1: knowledge, anchors, and what happened to them
    """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

CREATE TABLE entries (
  number INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  type TEXT NOT NULL,
  title TEXT NOT NULL,
  content TEXT NOT NULL,
  parent TEXT NOT NULL,
  superseded_by TEXT NOT NULL,
  created_at TEXT NOT NULL,
  modified_at TEXT NOT NULL,
  validated_at TEXT NOT NULL,
  valid_from TEXT NOT NULL,
  valid_to TEXT NOT NULL,
  stale_after INTEGER NOT NULL,
  confidence INTEGER NOT NULL,
  source TEXT NOT NULL,
  origin TEXT NOT NULL,
  access_count INTEGER NOT NULL,
  last_accessed_at TEXT NOT NULL,
  pinned INTEGER NOT NULL,
  purged_at TEXT NOT NULL
);
CREATE INDEX entries_by_parent ON entries (parent) WHERE parent != '';
CREATE INDEX entries_by_successor ON entries (superseded_by) WHERE superseded_by != '';
CREATE UNIQUE INDEX entries_by_origin ON entries (origin) WHERE origin != '';

CREATE TABLE evidence (
  entry TEXT NOT NULL,
  position INTEGER NOT NULL,
  path TEXT NOT NULL,
  line INTEGER NOT NULL,
  end_line INTEGER NOT NULL,
  revision TEXT NOT NULL,
  hash TEXT NOT NULL,
  passage TEXT NOT NULL,
  PRIMARY KEY (entry, position)
) WITHOUT ROWID;
CREATE INDEX evidence_by_path ON evidence (path) WHERE path != '';

-- Links that go both ways: one row each, the lesser id first.
CREATE TABLE links (one TEXT NOT NULL, kind TEXT NOT NULL, other TEXT NOT NULL, PRIMARY KEY (one, kind, other)) WITHOUT ROWID;
CREATE INDEX links_by_other ON links (other);

CREATE TABLE anchors (
  number INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  type TEXT NOT NULL,
  priority TEXT NOT NULL,
  content TEXT NOT NULL,
  file TEXT NOT NULL,
  line INTEGER NOT NULL,
  task TEXT NOT NULL,
  related TEXT NOT NULL,              -- a JSON list of ids
  hash TEXT NOT NULL,
  created_at TEXT NOT NULL,
  modified_at TEXT NOT NULL,
  validated_at TEXT NOT NULL,
  stale_since TEXT NOT NULL,
  superseded_by TEXT NOT NULL,
  purged_at TEXT NOT NULL
);

CREATE TABLE changes (
  number INTEGER PRIMARY KEY,
  at TEXT NOT NULL,
  kind TEXT NOT NULL,
  id TEXT NOT NULL,
  action TEXT NOT NULL,
  by TEXT NOT NULL,
  before TEXT NOT NULL,               -- JSON, only what differs
  after TEXT NOT NULL
);
CREATE INDEX changes_by_id ON changes (id);

-- Rows that were not what they should be, as they were found.
CREATE TABLE quarantine (
  number INTEGER PRIMARY KEY,
  at TEXT NOT NULL,
  origin TEXT NOT NULL,               -- the table
  id TEXT NOT NULL,
  reason TEXT NOT NULL,
  repaired INTEGER NOT NULL,
  row TEXT NOT NULL                   -- JSON
);

CREATE VIRTUAL TABLE recall USING fts5 (title, content, tokenize = 'porter unicode61 remove_diacritics 2');
""",
)

VERSION = len(MIGRATIONS)
_TABLE = re.compile(r"^CREATE (VIRTUAL )?TABLE (\w+)", re.MULTILINE)


def statements(step: str) -> list[str]:
    return [statement for statement in re.split(r";$", step, flags=re.MULTILINE) if statement.strip()]


def tables(*, virtual: bool) -> list[str]:
    """Names of the tables all steps together make."""
    return [name for step in MIGRATIONS for kind, name in _TABLE.findall(step) if bool(kind) == virtual]
