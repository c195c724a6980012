import type { Database } from "better-sqlite3";
import { ABOUT } from "../../rows/write-log-rows.js";
import { postingsTable, replacedIndex, TERM_TABLES } from "./vocabulary-tables.js";

/**
 * `word`: all words of records, numbered in order of arrival, so that a reader sees at once which words are new to it.
 * A word that no record has any more finds nothing; sweeps remove it, see record-words.ts.
 */
const WORD_TABLE = "CREATE TABLE word(id INTEGER PRIMARY KEY AUTOINCREMENT, word TEXT NOT NULL UNIQUE);";

/** Characters that tokens contain besides letters and digits, see record-tokens.ts. */
export const TOKEN_SIGNS = "_?~@=#:%^";

/** The tokenizer only splits at blanks, because its input comes from Bindery's own text analysis. */
const TOKENIZE = `"ascii tokenchars '${TOKEN_SIGNS}'"`;

/**
 * Tables of records and their index. A row id of `rec` is the place in the order in which records were first committed
 * and is never reused. `state` 0 is a draft, 1 is published. `twin` (`other_state` since its migration): whether the
 * other state of this pid has a row too. `cites`: JSON `[[vocabulary, id], ...]`, each term once. `elements`: number of
 * its rows in `elem`. `vals`, `texts`: see packed-values.ts. Columns that are read most come first; the others are on
 * pages of their own. `rec_seen` answers every question of visibility without the wide rows.
 */
const RECORD_TABLES = `
CREATE TABLE rec(
  id INTEGER PRIMARY KEY AUTOINCREMENT, pid TEXT NOT NULL, parent TEXT NOT NULL, state INTEGER NOT NULL,
  twin INTEGER NOT NULL, latest INTEGER NOT NULL, model TEXT NOT NULL, owner TEXT NOT NULL, created INTEGER NOT NULL,
  updated INTEGER NOT NULL, revision INTEGER NOT NULL, cites TEXT NOT NULL, elements INTEGER NOT NULL,
  vals BLOB NOT NULL, texts BLOB NOT NULL);
CREATE UNIQUE INDEX rec_pid ON rec(pid, state);
CREATE INDEX rec_parent ON rec(parent, latest);
CREATE INDEX rec_public ON rec(state, latest, model, id);
CREATE INDEX rec_owner ON rec(owner, id, state, latest, twin, model);
CREATE INDEX rec_seen ON rec(id, state, latest, twin, model, owner);
CREATE TABLE taken(id TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE TABLE doc(id INTEGER PRIMARY KEY, json TEXT NOT NULL);
CREATE TABLE path(id INTEGER PRIMARY KEY AUTOINCREMENT, path TEXT NOT NULL UNIQUE);
CREATE TABLE key(id INTEGER PRIMARY KEY AUTOINCREMENT, path INTEGER NOT NULL, value TEXT NOT NULL,
  UNIQUE(path, value));
CREATE VIRTUAL TABLE leaf USING fts5(paths, title, heavy, rest, content='', contentless_delete=1, tokenize=${TOKENIZE});
CREATE VIRTUAL TABLE elem USING fts5(t, content='', contentless_delete=1, tokenize=${TOKENIZE});
CREATE VIRTUAL TABLE leaf_word USING fts5vocab(leaf, row);
`;

/**
 * SQL for the content of `draft_usage`, computed from the rows of drafts. It reads the size of a text without the text.
 */
export const DRAFT_SUMS = `SELECT rec.owner, count(*) AS drafts, coalesce(sum(octet_length(doc.json)), 0) AS bytes
  FROM rec LEFT JOIN doc ON doc.id = rec.id WHERE rec.state = 0 GROUP BY rec.owner`;

/**
 * FTS5 does not merge segments during a deposit; segment-merges.ts does it between them. Crisis merges stay enabled,
 * far below the maximum of 2,000 segments.
 */
const MERGE_SETTINGS = ["leaf", "elem"]
  .map((table) => `INSERT INTO ${table}(${table}, rank) VALUES('automerge', 0), ('crisismerge', 1000);`)
  .join("\n");

/**
 * `change`: every change of a record or term in commit order; times strictly increase. `kind`: record or term; `place`:
 * model or vocabulary; `state`: of a record; `rec`: its row. An import is one row whose `id` is the number of the
 * import, with its entries in `change_term`: a large import writes them before it knows its place in this order.
 */
const CHANGE_TABLES = `
CREATE TABLE change(
  seq INTEGER PRIMARY KEY AUTOINCREMENT, time INTEGER NOT NULL, kind TEXT NOT NULL, action TEXT NOT NULL,
  place TEXT NOT NULL, id TEXT, state TEXT, revision INTEGER, rec INTEGER);
CREATE TABLE change_term(
  import INTEGER NOT NULL, n INTEGER NOT NULL, id TEXT NOT NULL, action TEXT NOT NULL, revision INTEGER NOT NULL,
  PRIMARY KEY(import, n)) WITHOUT ROWID;
`;

const USER_TABLES = `
CREATE TABLE user(id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE, role TEXT NOT NULL,
  created TEXT NOT NULL);
CREATE TABLE token(
  id INTEGER PRIMARY KEY AUTOINCREMENT, user INTEGER NOT NULL, name TEXT NOT NULL, scopes TEXT NOT NULL,
  digest TEXT NOT NULL UNIQUE, created TEXT NOT NULL, expires TEXT, revoked TEXT, last_used TEXT);
CREATE INDEX token_user ON token(user, id);
`;

/**
 * Tables for the life of records and for writes. `rec.version`: place among the versions under the parent, from 1;
 * queries read it from the index alone. `taken.revision`: revision counter of an id, which outlives its rows.
 * `tombstone`: retracted ids; `json` is what clients see. `access`: users who share a draft (`permission`: read or
 * write); a share ends with the draft. `answer`: the stored answer to a write with an Idempotency-Key; `request` is the
 * digest of the request, `outcome` JSON. `audit`: who did what or was refused (`outcome`: done, or a code of the error
 * catalogue), repeated `times`; the ids of user and token are NULL for anonymous callers and for the operator; `whom`
 * is the user who gained or lost something by it.
 */
const LIFE_TABLES = `
ALTER TABLE rec ADD COLUMN version INTEGER NOT NULL DEFAULT 1;
DROP INDEX rec_parent;
CREATE INDEX rec_parent ON rec(parent, version, state, latest, pid, created);
ALTER TABLE taken ADD COLUMN revision INTEGER NOT NULL DEFAULT 0;
UPDATE taken SET revision = coalesce((SELECT max(rec.revision) FROM rec WHERE rec.pid = taken.id), 0);
CREATE TABLE tombstone(
  id TEXT PRIMARY KEY, parent TEXT NOT NULL, model TEXT NOT NULL, owner TEXT NOT NULL, version INTEGER NOT NULL,
  revision INTEGER NOT NULL, removed INTEGER NOT NULL, json TEXT NOT NULL) WITHOUT ROWID;
CREATE INDEX tombstone_parent ON tombstone(parent, version);
CREATE TABLE access(
  pid TEXT NOT NULL, user INTEGER NOT NULL, permission TEXT NOT NULL, created INTEGER NOT NULL,
  PRIMARY KEY(pid, user)) WITHOUT ROWID;
CREATE INDEX access_user ON access(user, pid);
CREATE TABLE answer(
  token INTEGER NOT NULL, key TEXT NOT NULL, request TEXT NOT NULL, time INTEGER NOT NULL, outcome TEXT NOT NULL,
  PRIMARY KEY(token, key)) WITHOUT ROWID;
CREATE INDEX answer_time ON answer(time);
CREATE TABLE audit(
  id INTEGER PRIMARY KEY AUTOINCREMENT, time INTEGER NOT NULL, user INTEGER, token INTEGER, who TEXT NOT NULL,
  action TEXT NOT NULL, kind TEXT NOT NULL, place TEXT, target TEXT, revision INTEGER, whom INTEGER,
  outcome TEXT NOT NULL, times INTEGER NOT NULL DEFAULT 1);
CREATE INDEX audit_user ON audit(user, id);
CREATE INDEX audit_target ON audit(target, id);
CREATE INDEX audit_refused ON audit(id) WHERE outcome <> 'done';
`;

/** Index of the changes that the change feed shows, so that it skips drafts without reading them. */
const FEED_TABLES = `
CREATE INDEX change_shown ON change(seq) WHERE (kind = 'term' OR state = 'published');
`;

/**
 * `webhook.place`: JSON, the position in the feed up to which deliveries were queued; `delivered` and `failed`: when a
 * delivery last succeeded or failed. `delivery`: deliveries that are queued (`state` 0) or were given up (1); `seq` and
 * `entry` are those of the change, `subject` is the record or term, `change` JSON, `due` in milliseconds. Ids are never
 * reused, because receivers identify deliveries by them.
 */
const WEBHOOK_TABLES = `
CREATE TABLE webhook(
  id INTEGER PRIMARY KEY AUTOINCREMENT, url TEXT NOT NULL, secret TEXT NOT NULL, filter TEXT NOT NULL,
  created INTEGER NOT NULL, place TEXT NOT NULL, delivered INTEGER, failed INTEGER, error TEXT);
CREATE TABLE delivery(
  id INTEGER PRIMARY KEY AUTOINCREMENT, webhook INTEGER NOT NULL, seq INTEGER NOT NULL, entry INTEGER NOT NULL,
  subject TEXT NOT NULL, change TEXT NOT NULL, state INTEGER NOT NULL, attempts INTEGER NOT NULL, due INTEGER NOT NULL,
  error TEXT, failed INTEGER);
CREATE INDEX delivery_due ON delivery(webhook, state, due, id);
CREATE INDEX delivery_subject ON delivery(webhook, subject, state, id);
`;

/**
 * `token.parent`: the token that created this one, with which it ends; NULL: the operator created it. For older tokens
 * the audit log has the parent. Descendants of a revoked token end now, so that a leaked token gives no more access.
 */
const TOKEN_PARENTS = `
ALTER TABLE token ADD COLUMN parent INTEGER;
UPDATE token SET parent = (
  SELECT audit.token FROM audit
  WHERE audit.target = CAST(token.id AS TEXT) AND audit.action = 'token.create' AND audit.outcome = 'done');
CREATE INDEX token_parent ON token(parent) WHERE parent IS NOT NULL;
WITH RECURSIVE ended(id, revoked) AS (
  SELECT id, revoked FROM token WHERE revoked IS NOT NULL
  UNION SELECT token.id, ended.revoked FROM token JOIN ended ON token.parent = ended.id)
UPDATE token SET revoked = (SELECT max(ended.revoked) FROM ended WHERE ended.id = token.id)
  WHERE revoked IS NULL AND id IN (SELECT id FROM ended);
`;

/** `user.disabled`: instant from which the user's tokens are refused; NULL: they are accepted. */
const DISABLED_USERS = "ALTER TABLE user ADD COLUMN disabled TEXT;";

/**
 * `imported`: the record that an import made from a document. `key` identifies the document: by its id, by the key that
 * the model declares, or by a digest of the metadata; `digest` is the digest of its content. A row outlives its record.
 */
const IMPORT_TABLE = `
CREATE TABLE imported(
  model TEXT NOT NULL, owner INTEGER NOT NULL, key TEXT NOT NULL, pid TEXT NOT NULL, digest TEXT NOT NULL,
  PRIMARY KEY(model, owner, key)) WITHOUT ROWID;
`;

/**
 * `doc.sum`: see checksums.ts; NULL for bodies that were stored earlier, to which `startChecksumUpdates` adds it later,
 * because a migration must not wait until all of them are read. The row in `meta` says where to begin.
 */
const CHECKSUMS = `
ALTER TABLE doc ADD COLUMN sum INTEGER;
INSERT INTO meta(name, value) SELECT 'bodies without checksum up to', max(id) FROM doc HAVING max(id) IS NOT NULL;
`;

/**
 * `stale_term`: terms that changed after records which cite them were indexed. A change gives the row a new number, so
 * that a task that handles an older change does not mark it as done.
 */
const STALE_TERM_TABLE = `
CREATE TABLE stale_term(
  id INTEGER PRIMARY KEY AUTOINCREMENT, vocabulary TEXT NOT NULL, ext TEXT NOT NULL, UNIQUE(vocabulary, ext));
`;

/**
 * `redirect`: former ids of terms, by generation: an authority merged them into `successor`, or withdrew them (NULL).
 * `dump`: the last dump of each authority that was loaded into a vocabulary; `loaded` in microseconds.
 */
const AUTHORITY_TABLES = `
CREATE TABLE redirect(g INTEGER NOT NULL, ext TEXT NOT NULL, successor TEXT, PRIMARY KEY(g, ext)) WITHOUT ROWID;
CREATE TABLE dump(
  vocabulary TEXT NOT NULL, authority TEXT NOT NULL, release TEXT, file TEXT NOT NULL, sha256 TEXT NOT NULL,
  bytes INTEGER NOT NULL, loaded INTEGER NOT NULL, PRIMARY KEY(vocabulary, authority)) WITHOUT ROWID;
`;

/**
 * `term_source`: sources of the terms of a vocabulary (an authority, or files under a name); `bit` is the bit in
 * `term_N.sources` that says whether the source has the term. Terms that people added have none. `term_load`:
 * successful loads that changed terms, by generation; `time` in microseconds. `term_history`: changes of single terms.
 * Changes of a load are written before the load is done; they count once its `load` is in `term_load`, which has the
 * time and source. `time`, `user` (NULL: the operator) and `who` are those of a write by a person. `changes` is JSON:
 * `[{"field", "from"?, "to"?}]`. The last index finds what people changed.
 */
const CURATION_TABLES = `
ALTER TABLE term_$g ADD COLUMN sources INTEGER NOT NULL DEFAULT 0;
CREATE TABLE term_source(
  vocabulary TEXT NOT NULL, name TEXT NOT NULL, bit INTEGER NOT NULL, PRIMARY KEY(vocabulary, name)) WITHOUT ROWID;
CREATE TABLE term_load(g INTEGER PRIMARY KEY, vocabulary TEXT NOT NULL, source TEXT, time INTEGER NOT NULL);
CREATE TABLE term_history(
  id INTEGER PRIMARY KEY, vocabulary TEXT NOT NULL, ext TEXT NOT NULL, revision INTEGER NOT NULL, action TEXT NOT NULL,
  load INTEGER, time INTEGER, user INTEGER, who TEXT, changes TEXT NOT NULL);
CREATE INDEX term_history_item ON term_history(vocabulary, ext, revision);
CREATE INDEX term_history_load ON term_history(load) WHERE load IS NOT NULL;
CREATE INDEX term_history_edited ON term_history(vocabulary, ext) WHERE load IS NULL AND action <> 'created';
`;

/**
 * Bytes that a transaction keeps in memory for a full-text table, so that a large one writes one segment instead of
 * many that would have to be merged.
 */
const FLUSH_SETTINGS = ["leaf", "elem"]
  .map((table) => `INSERT INTO ${table}(${table}, rank) VALUES('hashsize', ${16 * 2 ** 20});`)
  .join("\n");

/**
 * `new_word`: words of records that are not in `word` yet, see record-words.ts. Both share one sequence of numbers, and
 * words keep theirs. A word may be here twice.
 */
const NEW_WORD_TABLE = `
CREATE TABLE new_word(id INTEGER PRIMARY KEY AUTOINCREMENT, word TEXT NOT NULL);
INSERT INTO sqlite_sequence(name, seq) SELECT 'new_word', seq FROM sqlite_sequence WHERE name = 'word';
`;

/**
 * `rec_text`: the texts of a record's values, see packed-values.ts. Next to `vals` in `rec` they filled a page per
 * record, so reading the values of all records read five times as much. The rows are rewritten, because dropping a
 * column would leave them on as many pages.
 */
const TEXT_TABLE = `
CREATE TABLE rec_text(id INTEGER PRIMARY KEY, texts BLOB NOT NULL);
INSERT INTO rec_text(id, texts) SELECT id, texts FROM rec;
CREATE TABLE narrow(
  id INTEGER PRIMARY KEY AUTOINCREMENT, pid TEXT NOT NULL, parent TEXT NOT NULL, state INTEGER NOT NULL,
  twin INTEGER NOT NULL, latest INTEGER NOT NULL, model TEXT NOT NULL, owner TEXT NOT NULL, created INTEGER NOT NULL,
  updated INTEGER NOT NULL, revision INTEGER NOT NULL, version INTEGER NOT NULL DEFAULT 1, cites TEXT NOT NULL,
  elements INTEGER NOT NULL, vals BLOB NOT NULL);
INSERT INTO narrow SELECT id, pid, parent, state, twin, latest, model, owner, created, updated, revision, version,
  cites, elements, vals FROM rec;
DELETE FROM sqlite_sequence WHERE name = 'narrow';
INSERT INTO sqlite_sequence(name, seq) SELECT 'narrow', seq FROM sqlite_sequence WHERE name = 'rec';
DROP TABLE rec;
ALTER TABLE narrow RENAME TO rec;
CREATE UNIQUE INDEX rec_pid ON rec(pid, state);
CREATE INDEX rec_parent ON rec(parent, version, state, latest, pid, created);
CREATE INDEX rec_public ON rec(state, latest, model, id);
CREATE INDEX rec_owner ON rec(owner, id, state, latest, twin, model);
CREATE INDEX rec_seen ON rec(id, state, latest, twin, model, owner);
`;

/** Adds to each answer the record that it is about, see write-log-rows.ts. */
const ANSWER_SUBJECTS = `
UPDATE answer SET outcome = '{"about":"' || json_extract(outcome, '$.value.record.state') || ':'
  || json_extract(outcome, '$.value.record.id') || '","outcome":' || outcome || '}'
  WHERE json_extract(outcome, '$.value.record.id') IS NOT NULL;
CREATE INDEX answer_about ON answer(${ABOUT});
`;

/**
 * `change.shown`: the number of a public change in the change feed; NULL for other changes. Numbers that clients know
 * stay valid: existing changes, including those of drafts, keep `seq` as their number, because cursors may point to
 * them. `cursor key` encrypts the cursors of searches, see cursor.ts.
 */
const PUBLIC_NUMBERS = `
ALTER TABLE change ADD COLUMN shown INTEGER;
UPDATE change SET shown = seq;
DROP INDEX change_shown;
CREATE UNIQUE INDEX change_shown ON change(shown) WHERE shown IS NOT NULL;
INSERT INTO meta(name, value) VALUES('cursor key', lower(hex(randomblob(32))));
`;

/**
 * `draft_usage`: number of drafts of each user (by id), and the total bytes of their bodies (`doc.json`). A user
 * without drafts has no row, or one with zeros. The index finds the terms that a user created.
 */
const DRAFT_USAGE = `
CREATE TABLE draft_usage(
  owner TEXT PRIMARY KEY, drafts INTEGER NOT NULL, bytes INTEGER NOT NULL) WITHOUT ROWID;
INSERT INTO draft_usage ${DRAFT_SUMS};
CREATE INDEX term_history_made ON term_history(user) WHERE action = 'created' AND load IS NULL;
`;

/** Posting lists of vocabularies. Generations that have none are made again, see `startTermLoads`. */
const POSTINGS_TABLE = `
${postingsTable("$g")}
DROP TABLE IF EXISTS word_$g;
`;

/** Renames a column, in its indexes too. Writes no rows. */
const OTHER_STATE_COLUMN = "ALTER TABLE rec RENAME COLUMN twin TO other_state;";

/** Indexes that find the former ids of a term. */
const FORMER_IDS = `
DROP INDEX IF EXISTS term_replaced_$g;
${replacedIndex("$g")}
CREATE INDEX redirect_replaced ON redirect(g, successor) WHERE successor IS NOT NULL;
CREATE INDEX life_replaced ON life(vocabulary, successor) WHERE successor IS NOT NULL;
`;

/**
 * All migrations in order. The number of a migration is its index, so only append. A line with `$g` runs for each
 * existing generation, see `migrate`.
 */
export const MIGRATIONS: readonly string[] = [
  [RECORD_TABLES, MERGE_SETTINGS, CHANGE_TABLES, USER_TABLES, TERM_TABLES, WORD_TABLE].join("\n"),
  LIFE_TABLES,
  FEED_TABLES,
  WEBHOOK_TABLES,
  TOKEN_PARENTS,
  DISABLED_USERS,
  IMPORT_TABLE,
  CHECKSUMS,
  STALE_TERM_TABLE,
  AUTHORITY_TABLES,
  CURATION_TABLES,
  FLUSH_SETTINGS,
  NEW_WORD_TABLE,
  TEXT_TABLE,
  ANSWER_SUBJECTS,
  PUBLIC_NUMBERS,
  DRAFT_USAGE,
  POSTINGS_TABLE,
  OTHER_STATE_COLUMN,
  FORMER_IDS,
];

/** Runs one migration. */
export function migrate(raw: Database, sql: string): void {
  const tables = raw
    .prepare<[string], string>("SELECT name FROM sqlite_schema WHERE type = 'table' AND name GLOB ?")
    .pluck();
  const generations = sql.includes("$g") ? tables.all("term_[0-9]*").map((name) => name.slice("term_".length)) : [];
  const lines = sql.split("\n").flatMap((line) => {
    return line.includes("$g") ? generations.map((g) => line.replaceAll("$g", g)) : [line];
  });
  raw.exec(lines.join("\n"));
}
