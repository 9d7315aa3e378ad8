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
    # 2: work: plans, tasks, what was done for them, who does it, and the documents it follows
    """
CREATE TABLE plans (
  number INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  acceptance TEXT NOT NULL,
  category TEXT NOT NULL,
  governance_level TEXT NOT NULL,
  state TEXT NOT NULL,
  depends_on TEXT NOT NULL,
  owned_by TEXT NOT NULL,
  parent TEXT NOT NULL,
  created_at TEXT NOT NULL,
  modified_at TEXT NOT NULL,
  completed_at TEXT NOT NULL,
  abandoned_at TEXT NOT NULL,
  purged_at TEXT NOT NULL
);
CREATE TABLE tasks (
  number INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  plan TEXT NOT NULL,
  name TEXT NOT NULL,
  expected_output TEXT NOT NULL,
  state TEXT NOT NULL,                -- planned, active, review, completed, failed; blocked is computed
  ahead INTEGER NOT NULL,
  delegated_by TEXT NOT NULL,
  assigned_to TEXT NOT NULL,
  claimed_by TEXT NOT NULL,
  allowed_tools TEXT NOT NULL,
  paths TEXT NOT NULL,
  depends_on TEXT NOT NULL,
  gate TEXT NOT NULL,                 -- [after, reason], or null
  discovered_from TEXT NOT NULL,
  decisions TEXT NOT NULL,
  artifacts TEXT NOT NULL,
  evidence TEXT NOT NULL,
  tests_run TEXT NOT NULL,
  failure TEXT NOT NULL,
  stale_after INTEGER NOT NULL,
  created_at TEXT NOT NULL,
  modified_at TEXT NOT NULL,
  started_at TEXT NOT NULL,
  completed_at TEXT NOT NULL,
  archived_at TEXT NOT NULL
);
CREATE INDEX tasks_by_plan ON tasks (plan);
CREATE TABLE checkpoints (
  number INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  task TEXT NOT NULL,
  tool TEXT NOT NULL,
  at TEXT NOT NULL,
  summary TEXT NOT NULL,
  files TEXT NOT NULL,
  session TEXT NOT NULL
);
CREATE INDEX checkpoints_by_task ON checkpoints (task);
CREATE TABLE delegations (
  number INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  sender TEXT NOT NULL,
  receiver TEXT NOT NULL,
  task TEXT NOT NULL,
  expected_output TEXT NOT NULL,
  context TEXT NOT NULL,
  allowed_tools TEXT NOT NULL,
  allowed_actions TEXT NOT NULL,
  state TEXT NOT NULL,
  depth INTEGER NOT NULL,
  parent_session TEXT NOT NULL,
  child_session TEXT NOT NULL,
  created_at TEXT NOT NULL,
  expires_at TEXT NOT NULL,
  ended_at TEXT NOT NULL
);
CREATE INDEX delegations_by_task ON delegations (task);
CREATE TABLE artifacts (
  number INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  type TEXT NOT NULL,
  path TEXT NOT NULL,
  title TEXT NOT NULL,
  state TEXT NOT NULL,
  sections TEXT NOT NULL,
  parent TEXT NOT NULL,
  parent_hash TEXT NOT NULL,
  superseded_by TEXT NOT NULL,
  tasks TEXT NOT NULL,
  entries TEXT NOT NULL,
  created_at TEXT NOT NULL,
  modified_at TEXT NOT NULL,
  implemented_at TEXT NOT NULL,
  validated_at TEXT NOT NULL,
  purged_at TEXT NOT NULL
);
""",
    # 3: sessions, what happened in them, what was refused, what was halted
    """
CREATE TABLE sessions (
  id TEXT PRIMARY KEY,
  state TEXT NOT NULL,
  level INTEGER NOT NULL,
  parent TEXT NOT NULL,
  children TEXT NOT NULL,             -- this and other lists are JSON
  role TEXT NOT NULL,
  agent TEXT NOT NULL,
  phase TEXT NOT NULL,
  language TEXT NOT NULL,
  task TEXT NOT NULL,
  injected INTEGER NOT NULL,
  compactions TEXT NOT NULL,
  anchors_survived TEXT NOT NULL,
  entries_created TEXT NOT NULL,
  tools_used TEXT NOT NULL,           -- a JSON list of tool and number
  files_modified TEXT NOT NULL,
  tasks_completed TEXT NOT NULL,
  delegations TEXT NOT NULL,
  first_tool TEXT NOT NULL,
  violations INTEGER NOT NULL,
  cancels INTEGER NOT NULL,
  strict INTEGER NOT NULL,
  prompt_score REAL NOT NULL,
  scored_at TEXT NOT NULL,
  purify INTEGER NOT NULL,
  exports INTEGER NOT NULL,
  messages INTEGER NOT NULL,
  compaction_seen TEXT NOT NULL,
  watched_since TEXT NOT NULL,
  started_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  idle_at TEXT NOT NULL,
  resumed_at TEXT NOT NULL
);
CREATE INDEX sessions_by_time ON sessions (updated_at);

CREATE TABLE events (
  number INTEGER PRIMARY KEY,
  session TEXT NOT NULL,
  at TEXT NOT NULL,
  kind TEXT NOT NULL,
  key TEXT NOT NULL,                  -- the same for what is the same
  score REAL NOT NULL,
  detail TEXT NOT NULL
);
CREATE INDEX events_by_session ON events (session, kind, at);

CREATE TABLE violations (
  number INTEGER PRIMARY KEY,
  session TEXT NOT NULL,
  at TEXT NOT NULL,
  rule TEXT NOT NULL,
  tool TEXT NOT NULL,
  target TEXT NOT NULL,
  decision TEXT NOT NULL,
  enforced INTEGER NOT NULL,
  what TEXT NOT NULL
);
CREATE INDEX violations_by_session ON violations (session, at);

CREATE TABLE halts (
  id TEXT PRIMARY KEY,
  session TEXT NOT NULL,
  rule TEXT NOT NULL,
  what TEXT NOT NULL,
  why TEXT NOT NULL,
  how_to_resume TEXT NOT NULL,
  chain TEXT NOT NULL,
  task TEXT NOT NULL,
  evidence TEXT NOT NULL,
  at TEXT NOT NULL,
  resumed_at TEXT NOT NULL
);
CREATE INDEX halts_by_session ON halts (session) WHERE resumed_at = '';
""",
    # 4: the foremost and the latest, without sorting everything
    """
CREATE INDEX entries_foremost ON entries (pinned DESC, confidence DESC, max(modified_at, validated_at) DESC, id)
  WHERE purged_at = '' AND superseded_by = '';
CREATE INDEX changes_by_time ON changes (at);
""",
)

VERSION = len(MIGRATIONS)
_TABLE = re.compile(r"^CREATE (VIRTUAL )?TABLE (\w+)", re.MULTILINE)


def statements(step: str) -> list[str]:
    return [statement for statement in re.split(r";$", step, flags=re.MULTILINE) if statement.strip()]


def tables(*, virtual: bool) -> list[str]:
    """Names of the tables all steps together make."""
    return [name for step in MIGRATIONS for kind, name in _TABLE.findall(step) if bool(kind) == virtual]
