/** Tables of what lies beside the store, as `migrations.ts` has them. */

/**
 * What indexes beside the store need. `index_state`: how far each is, see `IndexState`; searches ask the one that is
 * `current`, all others have NULL there; `made` is JSON. `indexed`: one row where there is an index; whoever adds one
 * locks it, and so waits for all writes that did not know of it. `index_failure`: what an index refuses (`place`: '' of
 * a record). `stale_term`: terms that changed, whose citers follow later; those up to the id `after` do already;
 * `moved`: so do the citers of all below them. `term_touched`: terms cited more or less often since change `seq`.
 */
export const INDEX_TABLES = `
CREATE TABLE index_state(
  name text COLLATE "C" PRIMARY KEY, current boolean UNIQUE DEFERRABLE, made text NOT NULL,
  digest text GENERATED ALWAYS AS (md5(made)) STORED, begun bigint NOT NULL, applied bigint NOT NULL, scanned bigint);
CREATE TABLE indexed(yes boolean PRIMARY KEY);
CREATE TABLE index_failure(
  index text COLLATE "C" NOT NULL, kind text COLLATE "C" NOT NULL, place text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL, seq bigint NOT NULL, reason text NOT NULL, PRIMARY KEY(index, kind, place, id));
CREATE TABLE stale_term(
  vocabulary text COLLATE "C" NOT NULL, ext text COLLATE "C" NOT NULL, moved boolean NOT NULL,
  after text COLLATE "C" NOT NULL DEFAULT '', PRIMARY KEY(vocabulary, ext));
CREATE TABLE term_touched(
  seq bigint NOT NULL, vocabulary text COLLATE "C" NOT NULL, ext text COLLATE "C" NOT NULL,
  PRIMARY KEY(seq, vocabulary, ext));
`;

/**
 * `index_vocabulary`: generations of what an index has of a vocabulary, where a load made one; `import` is the last
 * import that it has in it. `term_loading.seq`: the last change when a load began to write; terms that are touched
 * after it are kept for it.
 */
export const GENERATIONS = `
CREATE TABLE index_vocabulary(
  index text COLLATE "C" NOT NULL, vocabulary text COLLATE "C" NOT NULL, generation bigint NOT NULL,
  import bigint NOT NULL, PRIMARY KEY(index, vocabulary));
ALTER TABLE term_loading ADD COLUMN seq bigint;
`;

/**
 * `index_vocabulary.large`: the large terms that documents were made with, see `Below`; `generation` is 0, and `import`
 * too, where no load made one. `moved_term`: items that got another parent while others stood below them, whose
 * documents may say where they stood before; those of them up to the id `after` were noted as changed since.
 */
export const LARGE_TERMS = `
ALTER TABLE index_vocabulary ADD COLUMN large text[] COLLATE "C" NOT NULL DEFAULT '{}';
CREATE TABLE moved_term(
  vocabulary text COLLATE "C" NOT NULL, ext text COLLATE "C" NOT NULL, after text COLLATE "C" NOT NULL DEFAULT '',
  PRIMARY KEY(vocabulary, ext));
`;
