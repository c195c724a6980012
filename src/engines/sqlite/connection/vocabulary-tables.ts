/**
 * Tables that outlive the generations of a vocabulary.
 * `generation`: which tables are current; `state` is building, current or dropping. Row ids up to `ranked` are in rank
 * order, `active` of them active; `next` is the next row id; `writes` counts single writes, so that caches know their
 * age; `nested` says whether `lo` and `hi` are valid outside of `cut`; `owner` and `touched` (microseconds) say who
 * builds it and when it last showed a sign of life.
 * `use`: number of published records (`n`) and drafts that cite a term, and the change (`seq`) that last changed them.
 * `life`: ids of terms that were deleted or replaced by a successor, with their last revision.
 */
export const TERM_TABLES = `
CREATE TABLE generation(
  g INTEGER PRIMARY KEY AUTOINCREMENT, vocabulary TEXT NOT NULL, state TEXT NOT NULL, ranked INTEGER NOT NULL,
  active INTEGER NOT NULL, next INTEGER NOT NULL, count INTEGER NOT NULL, writes INTEGER NOT NULL,
  nested INTEGER NOT NULL, signature TEXT NOT NULL, owner TEXT NOT NULL, touched INTEGER NOT NULL);
CREATE UNIQUE INDEX generation_current ON generation(vocabulary) WHERE state = 'current';
CREATE UNIQUE INDEX generation_building ON generation(vocabulary) WHERE state = 'building';
CREATE TABLE use(vocabulary TEXT NOT NULL, ext TEXT NOT NULL, n INTEGER NOT NULL, drafts INTEGER NOT NULL,
  seq INTEGER NOT NULL, PRIMARY KEY(vocabulary, ext)) WITHOUT ROWID;
CREATE INDEX use_seq ON use(vocabulary, seq);
CREATE TABLE life(vocabulary TEXT NOT NULL, ext TEXT NOT NULL, revision INTEGER NOT NULL, state TEXT NOT NULL,
  successor TEXT, PRIMARY KEY(vocabulary, ext)) WITHOUT ROWID;
`;

/** Tables of one generation whose rows are deleted in steps. */
export const STEPPED_TABLES = [
  "ext",
  "created",
  "title",
  "name",
  "val",
  "child",
  "term",
  "hot",
  "column",
  "postings",
] as const;

/** Full-text tables of one generation; a rowid is the row number in `term`. */
export const TEXT_TABLES = ["term_fts", "term_at"] as const;

/** Signs that tokens of `term_at` contain besides letters and digits, see term-tokens.ts. */
export const PATH_TOKEN_SIGNS = "_?.%";

/**
 * Returns the tables of generation `g`.
 * `term`: one row per term. A row id is its rank when the generation was made (status, prior, shorter title, id), later
 * rows have higher ids; `title` is JSON, `rest` the term's JSON text without id, type, title, parent and the braces;
 * `lo`, `hi`: pre-order interval of the subtree; `sources`: bits of the sources that have the term, see `term_source`.
 * Its indexes are tables of their own, because a sorted table can be filled by appending: `ext` (ids,
 * case-insensitive), `created`, `title` (sort keys), `name` (whole names; kind 0 identifier, 1 title, 2 synonym), `val`
 * (numbers and keys of facets), `child` (parent to children). `term_fts`: words; `term_at`: words by path, see
 * term-tokens.ts.
 *
 * Computed once from the ranked rows: `postings` (posting lists of `term_fts`, see term-postings.ts), `hot` (sets of
 * rows of common tokens) and `column`, both see saved-data.ts. Changes by single writes: `dead` (ranked rows that were
 * deleted), `cut` (subtrees that are no longer in their interval, by their top term).
 */
export function generationTables(g: number): string {
  return `
CREATE TABLE term_${g}(
  id INTEGER PRIMARY KEY, ext TEXT NOT NULL, status INTEGER NOT NULL, prior REAL NOT NULL, length INTEGER NOT NULL,
  created INTEGER NOT NULL, revision INTEGER NOT NULL, hash BLOB NOT NULL, parent TEXT, successor TEXT, lo INTEGER,
  hi INTEGER, title TEXT NOT NULL, rest TEXT NOT NULL, sources INTEGER NOT NULL DEFAULT 0);
${replacedIndex(g)}
CREATE TABLE ext_${g}(ext TEXT COLLATE NOCASE NOT NULL, id INTEGER NOT NULL, PRIMARY KEY(ext, id)) WITHOUT ROWID;
CREATE TABLE created_${g}(created INTEGER NOT NULL, ext TEXT NOT NULL, id INTEGER NOT NULL,
  PRIMARY KEY(created, ext, id)) WITHOUT ROWID;
CREATE TABLE title_${g}(lang TEXT NOT NULL, key TEXT NOT NULL, id INTEGER NOT NULL,
  PRIMARY KEY(lang, key, id)) WITHOUT ROWID;
CREATE TABLE name_${g}(key TEXT NOT NULL, kind INTEGER NOT NULL, id INTEGER NOT NULL,
  PRIMARY KEY(key, kind, id)) WITHOUT ROWID;
CREATE TABLE val_${g}(path TEXT NOT NULL, value NOT NULL, id INTEGER NOT NULL,
  PRIMARY KEY(path, value, id)) WITHOUT ROWID;
CREATE TABLE child_${g}(parent TEXT NOT NULL, id INTEGER NOT NULL, PRIMARY KEY(parent, id)) WITHOUT ROWID;
CREATE TABLE cut_${g}(lo INTEGER PRIMARY KEY, hi INTEGER NOT NULL, ext TEXT NOT NULL);
CREATE TABLE dead_${g}(id INTEGER PRIMARY KEY);
CREATE TABLE column_${g}(name TEXT NOT NULL, n INTEGER NOT NULL, data BLOB NOT NULL, UNIQUE(name, n));
CREATE TABLE hot_${g}(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, count INTEGER NOT NULL, all_rows BLOB NOT NULL,
  not_title BLOB, not_names BLOB);
${postingsTable(g)}
${textTables(g)}`;
}

/** Returns the index of the replaced terms of generation `g` by their successor, on one line. */
export const replacedIndex = (g: number | "$g"): string =>
  `CREATE INDEX term_replaced_${g} ON term_${g}(successor) WHERE successor IS NOT NULL;`;

/** Returns the table of the posting lists of generation `g`, on one line. */
export function postingsTable(g: number | "$g"): string {
  const columns = "n INTEGER PRIMARY KEY, first TEXT NOT NULL, tokens TEXT NOT NULL, ends BLOB NOT NULL";
  return `CREATE TABLE postings_${g}(${columns}, postings BLOB NOT NULL);`;
}

/** Returns the full-text tables of generation `g`, each with the list of its words. */
export function textTables(g: number): string {
  return `
CREATE VIRTUAL TABLE term_fts_${g} USING fts5(
  title, names, rest, content='', contentless_delete=1, prefix='1 2 3', tokenize='ascii');
CREATE VIRTUAL TABLE term_at_${g} USING fts5(
  paths, content='', contentless_delete=1, tokenize="ascii tokenchars '${PATH_TOKEN_SIGNS}'");
CREATE VIRTUAL TABLE term_fts_word_${g} USING fts5vocab(term_fts_${g}, row);
CREATE VIRTUAL TABLE term_at_word_${g} USING fts5vocab(term_at_${g}, row);
`;
}

/** Returns SQL that drops a full-text table of generation `g` and the list of its words. */
export function dropText(table: (typeof TEXT_TABLES)[number], g: number): string {
  return `DROP TABLE IF EXISTS ${table}_word_${g}; DROP TABLE IF EXISTS ${table}_${g};`;
}

/** Returns SQL that drops the other tables of generation `g`. It is fast only after their rows were deleted. */
export function dropRest(g: number): string {
  return [...STEPPED_TABLES, "cut", "dead"].map((name) => `DROP TABLE IF EXISTS ${name}_${g};`).join("\n");
}
