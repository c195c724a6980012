import type { Database } from "better-sqlite3";
import { ABOUT } from "../../rows/answer-rows.js";
import { CHANGE_TABLES, DRAFT_SUMS, MERGE_SETTINGS, RECORD_TABLES, USER_TABLES, WORD_TABLE } from "./record-tables.js";
import { TERM_TABLES } from "./vocabulary-tables.js";

/**
 * The life of records and what is known of writes. `rec.version`: place among the versions under the parent, from 1,
 * which is read from the index alone. `taken.revision`: the counter of an id, which outlives its rows. `tombstone`:
 * retracted ids; `json` is what clients see of one. `access`: who else may use a draft (`permission`: read or write);
 * it ends with the draft. `answer`: what a write with an Idempotency-Key answered; `request` is the digest of what was
 * asked, `outcome` JSON. `audit`: who did what, or was refused it (`outcome`: done, or a code of the error catalogue)
 * so many `times`; the ids of user and token are NULL for nobody and for the operator; `whom` is the user to whom it
 * was given, or from whom it was taken.
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

/** What the change feed shows, so that it passes over drafts without reading them. */
const FEED_TABLES = `
CREATE INDEX change_shown ON change(seq) WHERE (kind = 'term' OR state = 'published');
`;

/**
 * `webhook.place`: JSON, how far the feed was queued for it; `delivered` and `failed`: when that last was so.
 * `delivery`: what is queued (`state` 0), or was given up (1); `seq` and `entry` are those of its change, `subject` is
 * the record or item, `change` JSON, `due` in milliseconds. Ids are not used twice: receivers know deliveries by them.
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
 * `token.parent`: the token that made it, with which it ends; NULL: the operator made it. Of older tokens the audit log
 * knows which token made them. Those of a token that was revoked end now: a token that leaked gives nothing any more.
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

/** `user.disabled`: the instant from which on the user's tokens are refused; NULL: they are not. */
const DISABLED_USERS = "ALTER TABLE user ADD COLUMN disabled TEXT;";

/**
 * `imported`: which record an import made of a document. `key` says which document: by its id, by the key that the
 * model declares, or by a digest of the metadata; `digest` is what it said. A row outlives its record.
 */
const IMPORT_TABLE = `
CREATE TABLE imported(
  model TEXT NOT NULL, owner INTEGER NOT NULL, key TEXT NOT NULL, pid TEXT NOT NULL, digest TEXT NOT NULL,
  PRIMARY KEY(model, owner, key)) WITHOUT ROWID;
`;

/**
 * `doc.sum`: see checksum.ts; NULL in bodies that were stored before, to which background-checksums.ts adds it later:
 * this must not wait for all of them to be read. The row in `meta` says where it has to begin.
 */
const CHECKSUMS = `
ALTER TABLE doc ADD COLUMN sum INTEGER;
INSERT INTO meta(name, value) SELECT 'bodies without checksum up to', max(id) FROM doc HAVING max(id) IS NOT NULL;
`;

/**
 * Terms that changed since records which cite them were indexed. A change gives the row a new number, so that whoever
 * is at work on an older one does not take it for done.
 */
const STALE_TERM_TABLE = `
CREATE TABLE stale_term(
  id INTEGER PRIMARY KEY AUTOINCREMENT, vocabulary TEXT NOT NULL, ext TEXT NOT NULL, UNIQUE(vocabulary, ext));
`;

/**
 * `redirect`: ids that are no items, by generation: an authority merged them into `successor`, or withdrew them (NULL).
 * `dump`: the last dump of each authority that was loaded into a vocabulary; `loaded` in microseconds.
 */
const AUTHORITY_TABLES = `
CREATE TABLE redirect(g INTEGER NOT NULL, ext TEXT NOT NULL, successor TEXT, PRIMARY KEY(g, ext)) WITHOUT ROWID;
CREATE TABLE dump(
  vocabulary TEXT NOT NULL, authority TEXT NOT NULL, release TEXT, file TEXT NOT NULL, sha256 TEXT NOT NULL,
  bytes INTEGER NOT NULL, loaded INTEGER NOT NULL, PRIMARY KEY(vocabulary, authority)) WITHOUT ROWID;
`;

/**
 * `term_source`: what items of a vocabulary came from (an authority, or files under a name); `bit` is its place in
 * `term_N.sources`, a number whose bits say which sources have the item. Items that people added have none.
 * `term_load`: the loads that changed items and succeeded, by generation; `time` in microseconds.
 * `term_history`: how single items changed. What a load changed stands there before the load is done: it counts once
 * its `load` is in `term_load`, which has its time and source. `time`, `user` (NULL: the operator) and `who` are those
 * of a write of a person. `changes` is JSON: `[{"field", "from"?, "to"?}]`. The last index finds what people changed.
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
 * What a transaction adds to a full-text table is kept in memory up to so many bytes, so that a large one leaves one
 * segment and not many, which would have to be merged.
 */
const FLUSH_SETTINGS = ["leaf", "elem"]
  .map((table) => `INSERT INTO ${table}(${table}, rank) VALUES('hashsize', ${16 * 2 ** 20});`)
  .join("\n");

/**
 * `new_word`: words of records that have no place in `word` yet, see note-words.ts. They are numbered as those were,
 * and keep their numbers there. A word may stand here twice.
 */
const NEW_WORD_TABLE = `
CREATE TABLE new_word(id INTEGER PRIMARY KEY AUTOINCREMENT, word TEXT NOT NULL);
INSERT INTO sqlite_sequence(name, seq) SELECT 'new_word', seq FROM sqlite_sequence WHERE name = 'word';
`;

/**
 * `rec_text`: the texts of a record's values, see packed-values.ts. Beside `vals` in the row of `rec` they filled a
 * page with each record, and whoever reads the values of all records read five times as much. The rows are written
 * anew: without a column they would stay on as many pages.
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

/** Answers say which record they are about, see answer-rows.ts. */
const ANSWER_SUBJECTS = `
UPDATE answer SET outcome = '{"about":"' || json_extract(outcome, '$.value.record.state') || ':'
  || json_extract(outcome, '$.value.record.id') || '","outcome":' || outcome || '}'
  WHERE json_extract(outcome, '$.value.record.id') IS NOT NULL;
CREATE INDEX answer_about ON answer(${ABOUT});
`;

/**
 * `change.shown`: the number that the change feed gives a public change; NULL for any other change. Numbers that
 * clients know stay valid: the changes until now keep `seq` as their number, also those of drafts, because cursors may
 * point to them. `cursor key` encrypts the cursors of searches, see cursor.ts.
 */
const PUBLIC_NUMBERS = `
ALTER TABLE change ADD COLUMN shown INTEGER;
UPDATE change SET shown = seq;
DROP INDEX change_shown;
CREATE UNIQUE INDEX change_shown ON change(shown) WHERE shown IS NOT NULL;
INSERT INTO meta(name, value) VALUES('cursor key', lower(hex(randomblob(32))));
`;

/**
 * `draft_usage`: how many drafts each user (by id) owns, and the bytes of their bodies (`doc.json`) together. A user
 * without drafts has no row, or one with zeros. The index finds the terms that a user created.
 */
const DRAFT_USAGE = `
CREATE TABLE draft_usage(
  owner TEXT PRIMARY KEY, drafts INTEGER NOT NULL, bytes INTEGER NOT NULL) WITHOUT ROWID;
INSERT INTO draft_usage ${DRAFT_SUMS};
CREATE INDEX term_history_made ON term_history(user) WHERE action = 'created' AND load IS NULL;
`;

/**
 * The number of a migration is its place here: only ever add at the end. A line with `$g` is run for each generation
 * that there is, see `migrate`.
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
