import type { Vocabulary } from "../../../../core/catalog/types.js";
import { nest } from "../../../../core/terms/pre-order.js";
import { contentOf, rankOf } from "../../../../core/terms/term-row.js";
import { termSignature } from "../../../../query/index-model/term-signature.js";
import { currentGeneration, type Generation } from "../store/generation.js";
import type { BulkLoader } from "./bulk-loader.js";

/**
 * Row id = rank. `item`: its row in `scratch.item`, if it was loaded; else `old`, its row in the current generation.
 */
const SCRATCH_TABLES = `
CREATE TABLE scratch.ranked(
  id INTEGER PRIMARY KEY, ext TEXT NOT NULL, status INTEGER NOT NULL, parent TEXT, created INTEGER NOT NULL,
  revision INTEGER NOT NULL, item INTEGER, old INTEGER, lo INTEGER, hi INTEGER);
`;

/** How many items there are in the new generation, how many of them active, and whether `lo` and `hi` are right. */
export interface Ranking {
  readonly ranked: number;
  readonly active: number;
  readonly nested: boolean;
}

/** Ranks what was loaded together with all that the current generation has beside it. @param now of the load */
export function rankItems(loader: BulkLoader, vocabulary: Vocabulary, now: number): Ranking {
  const { db } = loader;
  db.raw.exec(SCRATCH_TABLES);
  loader.scratch(() => {
    const generation = currentGeneration(db, vocabulary.name);
    const loaded = generation === undefined ? LOADED_NEW : LOADED;
    const source =
      generation === undefined ? loaded : `${loaded} UNION ALL ${keptItems(loader, generation, vocabulary)}`;
    const sql = `INSERT INTO scratch.ranked(ext, status, parent, created, revision, item, old)
      SELECT ext, status, parent, created, revision, item, old FROM (${source})
      ORDER BY status, prior DESC, length, ext`;
    // The numbers of generations stand in these texts, which are used once: they are not worth keeping.
    db.raw.prepare(sql.replaceAll("$g", String(generation?.g))).run({ now, vocabulary: vocabulary.name });
    db.raw.exec("CREATE UNIQUE INDEX scratch.ranked_ext ON ranked(ext)");
  });
  const counts = db
    .sql<{ ranked: number; active: number }>(
      "SELECT count(*) AS ranked, coalesce(sum(status = 0), 0) AS active FROM scratch.ranked",
    )
    .get()!;
  const nested = !vocabulary.hierarchy || nestItems(loader, counts.ranked);
  return { ...counts, nested };
}

const LOADED_NEW = `
  SELECT i.ext, i.status, i.parent, @now AS created, coalesce(l.revision, 0) + 1 AS revision, i.n AS item,
    NULL AS old, i.prior, i.length
  FROM scratch.item i LEFT JOIN main.life l ON l.vocabulary = @vocabulary AND l.ext = i.ext WHERE i.fresh > 0`;

const LOADED = `
  SELECT i.ext, i.status, i.parent, coalesce(t.created, @now) AS created,
    coalesce(t.revision, l.revision, 0) + 1 AS revision, i.n AS item, NULL AS old, i.prior, i.length
  FROM scratch.item i
  LEFT JOIN main.term_$g t ON t.id = (
    SELECT u.id FROM main.ext_$g e JOIN main.term_$g u ON u.id = e.id
    WHERE e.ext = i.ext AND u.ext = i.ext COLLATE BINARY)
  LEFT JOIN main.life l ON l.vocabulary = @vocabulary AND l.ext = i.ext
  WHERE i.fresh > 0`;

/** Rows written from now on have higher numbers: they are replayed at the end. */
function keptItems({ db }: BulkLoader, generation: Generation, vocabulary: Vocabulary): string {
  let prior = "t.prior";
  let length = "t.length";
  if (generation.signature !== termSignature(vocabulary)) {
    const rank = (ext: unknown, title: unknown, rest: unknown): ReturnType<typeof rankOf> =>
      rankOf(contentOf({ ext: String(ext), parent: null, title: String(title), rest: String(rest) }), vocabulary);
    db.raw.function("prior_of", (ext: unknown, title: unknown, rest: unknown) => rank(ext, title, rest).prior);
    db.raw.function("length_of", (ext: unknown, title: unknown, rest: unknown) => rank(ext, title, rest).length);
    prior = "prior_of(t.ext, t.title, t.rest)";
    length = "length_of(t.ext, t.title, t.rest)";
  }
  return `
    SELECT t.ext, t.status, t.parent, t.created, t.revision, NULL AS item, t.id AS old, ${prior} AS prior,
      ${length} AS length
    FROM main.term_$g t
    WHERE t.id < ${generation.next} AND NOT EXISTS (SELECT 1 FROM scratch.item i WHERE i.ext = t.ext AND i.fresh > 0)`;
}

/** @returns whether parents lead to roots */
function nestItems(loader: BulkLoader, ranked: number): boolean {
  const { db } = loader;
  const parents = new Uint32Array(ranked + 1);
  const links = db
    .sql<[number, number]>(
      "SELECT c.id, p.id FROM scratch.ranked c JOIN scratch.ranked p ON p.ext = c.parent WHERE c.id > ? AND c.id <= ?",
    )
    .raw();
  for (let from = 0; from < ranked; from += LINKS_AT_ONCE) {
    for (const [child, parent] of links.all(from, from + LINKS_AT_ONCE)) parents[child] = parent;
  }
  const { lo, hi, isForest } = nest(parents);
  loader.scratch(() => {
    const update = db.sql("UPDATE scratch.ranked SET lo = ?, hi = ? WHERE id = ?");
    for (let id = 1; isForest && id <= ranked; id++) update.run(lo[id], hi[id], id);
  });
  return isForest;
}

/** Rows read into memory together. */
const LINKS_AT_ONCE = 50_000;
