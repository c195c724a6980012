/**
 * Every word that a record has, numbered as they came, so that a reader knows at once which ones are later than those
 * it has. A word that no record has any more finds nothing; sweeps remove it, see word-sweeps.ts.
 */
export const WORD_TABLE = "CREATE TABLE word(id INTEGER PRIMARY KEY AUTOINCREMENT, word TEXT NOT NULL UNIQUE);";

/** Characters that stand inside tokens beside letters and digits, see record-tokens.ts. */
export const TOKEN_SIGNS = "_?~@=#:%^";

/** The tokenizer only splits at blanks: what it gets was made by our own text analysis. */
const TOKENIZE = `"ascii tokenchars '${TOKEN_SIGNS}'"`;

/**
 * Row id of a record = order in which records were first committed; never used twice. `state` 0 is a draft, 1 is
 * published. `twin`: the other state of this pid has a row too. `cites`: JSON `[[vocabulary, id], ...]`, each term
 * once. `elements`: how many rows of `elem` it has. `vals`, `texts`: see packed-values.ts. What is read most stands
 * first; the rest is on pages of its own. `rec_seen` answers every question of visibility without the wide rows.
 */
export const RECORD_TABLES = `
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

/** SQL for the content of `draft_usage` from the rows of drafts. It reads the size of a text without the text. */
export const DRAFT_SUMS = `SELECT rec.owner, count(*) AS drafts, coalesce(sum(octet_length(doc.json)), 0) AS bytes
  FROM rec LEFT JOIN doc ON doc.id = rec.id WHERE rec.state = 0 GROUP BY rec.owner`;

/**
 * FTS5 never merges on its own within a deposit: segment-merges.ts does it between them. Crisis merges stay on, far
 * below the wall of 2,000 segments.
 */
export const MERGE_SETTINGS = ["leaf", "elem"]
  .map((table) => `INSERT INTO ${table}(${table}, rank) VALUES('automerge', 0), ('crisismerge', 1000);`)
  .join("\n");

/**
 * Every change of a record or a term, in commit order; the times strictly increase. `kind`: record or term; `place`:
 * model or vocabulary; `state`: of a record; `rec`: its row. An import is one row, whose `id` is the number of the
 * import, with its entries in `change_term`: a large one writes them before it knows its place in this order.
 */
export const CHANGE_TABLES = `
CREATE TABLE change(
  seq INTEGER PRIMARY KEY AUTOINCREMENT, time INTEGER NOT NULL, kind TEXT NOT NULL, action TEXT NOT NULL,
  place TEXT NOT NULL, id TEXT, state TEXT, revision INTEGER, rec INTEGER);
CREATE TABLE change_term(
  import INTEGER NOT NULL, n INTEGER NOT NULL, id TEXT NOT NULL, action TEXT NOT NULL, revision INTEGER NOT NULL,
  PRIMARY KEY(import, n)) WITHOUT ROWID;
`;

export const USER_TABLES = `
CREATE TABLE user(id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE, role TEXT NOT NULL,
  created TEXT NOT NULL);
CREATE TABLE token(
  id INTEGER PRIMARY KEY AUTOINCREMENT, user INTEGER NOT NULL, name TEXT NOT NULL, scopes TEXT NOT NULL,
  digest TEXT NOT NULL UNIQUE, created TEXT NOT NULL, expires TEXT, revoked TEXT, last_used TEXT);
CREATE INDEX token_user ON token(user, id);
`;
