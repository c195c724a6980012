import type { Vocabulary } from "../../../../core/catalog/types.js";
import { type Nesting, nest } from "../../../../core/terms/pre-order.js";
import { currentGeneration } from "../store/generation.js";
import type { BulkLoader } from "./bulk-loader.js";
import type { ParentLinks } from "./link-parents.js";

/** Row id = rank. `item`: its row in `scratch.item`; `place` is the same the other way round. */
const SCRATCH_TABLES = `
CREATE TABLE scratch.ranked(id INTEGER PRIMARY KEY, item INTEGER NOT NULL, lo INTEGER, hi INTEGER);
CREATE TABLE scratch.place(item INTEGER PRIMARY KEY, id INTEGER NOT NULL);
`;

/** How many items there are in the new generation, how many of them active, and whether `lo` and `hi` are right. */
export interface Ranking {
  /** By rank where its subtree begins, in a hierarchy that is one. */
  readonly lo?: Uint32Array;
  readonly ranked: number;
  readonly active: number;
  readonly nested: boolean;
}

/** Ranks what is staged: what was loaded and what is kept. @param links the parents of all, where they are known */
export function rankItems(loader: BulkLoader, vocabulary: Vocabulary, links?: ParentLinks): Ranking {
  const { db } = loader;
  db.raw.exec(SCRATCH_TABLES);
  loader.scratch(() => setAges(loader, vocabulary));
  const itemOf = itemsInOrder(loader);
  const ranked = itemOf.length - 1;
  const rankOf = placesOf(itemOf);
  const nesting = vocabulary.hierarchy
    ? nest(links === undefined ? parentsOf(loader, rankOf, ranked) : rankedParents(links, rankOf, ranked))
    : undefined;
  const { lo, hi } = nesting?.isForest === true ? nesting : NOT_NESTED;
  loader.scratch(() => {
    const rank = db.sql("INSERT INTO scratch.ranked(id, item, lo, hi) VALUES(?, ?, ?, ?)");
    for (let id = 1; id <= ranked; id++) rank.run(id, itemOf[id], lo[id] ?? null, hi[id] ?? null);
    const place = db.sql("INSERT INTO scratch.place(item, id) VALUES(?, ?)");
    for (let item = 1; item < rankOf.length; item++) if (rankOf[item] !== 0) place.run(item, rankOf[item]);
  });
  const active = db.sql<number>("SELECT count(*) FROM scratch.item WHERE fresh <> 0 AND status = 0").pluck().get()!;
  const isNested = nesting?.isForest ?? true;
  return { ranked, active, nested: isNested, ...(vocabulary.hierarchy && isNested ? { lo } : {}) };
}

const NOT_NESTED: Pick<Nesting, "lo" | "hi"> = { lo: new Uint32Array(0), hi: new Uint32Array(0) };

/** What was there has an age, and an id that is gone its last revision. */
function setAges({ db }: BulkLoader, vocabulary: Vocabulary): void {
  const lives = db
    .sql<{ ext: string; revision: number }>("SELECT ext, revision FROM main.life WHERE vocabulary = ?")
    .all(vocabulary.name);
  const revive = db.sql("UPDATE scratch.item SET revision = ? WHERE ext = ? AND fresh > 0");
  for (const { ext, revision } of lives) revive.run(revision + 1, ext);
  const generation = currentGeneration(db, vocabulary.name);
  generation
    ?.sql(
      `UPDATE scratch.item AS i SET created = t.created, revision = t.revision + 1
       FROM main.ext_$g e JOIN main.term_$g t ON t.id = e.id
       WHERE i.fresh = 2 AND e.ext = i.ext AND t.ext = i.ext COLLATE BINARY`,
    )
    .run();
}

/** By rank (from 1) the row of `scratch.item`. */
function itemsInOrder({ db }: BulkLoader): Uint32Array {
  const count = db.sql<number>("SELECT count(*) FROM scratch.item WHERE fresh <> 0").pluck().get()!;
  const itemOf = new Uint32Array(count + 1);
  const inOrder = db.sql<number>(
    "SELECT n FROM scratch.item WHERE fresh <> 0 ORDER BY status, prior DESC, length, ext",
  );
  let id = 0;
  for (const item of inOrder.pluck().iterate() as Iterable<number>) {
    id += 1;
    itemOf[id] = item;
  }
  return itemOf;
}

/** By row of `scratch.item` its rank; 0: it has none. */
function placesOf(itemOf: Uint32Array): Uint32Array {
  let last = 0;
  for (const item of itemOf) if (item > last) last = item;
  const rankOf = new Uint32Array(last + 1);
  for (let id = 1; id < itemOf.length; id++) rankOf[itemOf[id]!] = id;
  return rankOf;
}

/** By rank that of the parent; 0: there is none. */
function rankedParents({ above }: ParentLinks, rankOf: Uint32Array, ranked: number): Uint32Array {
  const parents = new Uint32Array(ranked + 1);
  for (let item = 1; item < rankOf.length; item++) parents[rankOf[item]!] = rankOf[above[item]!]!;
  return parents;
}

/** Rows read into memory together. */
const LINKS_AT_ONCE = 50_000;

/** The same, where they have to be looked up. */
function parentsOf({ db }: BulkLoader, rankOf: Uint32Array, ranked: number): Uint32Array {
  const parents = new Uint32Array(ranked + 1);
  const links = db
    .sql<[number, number]>(
      `SELECT c.n, p.n FROM scratch.item c CROSS JOIN scratch.item p ON p.ext = c.parent AND p.fresh <> 0
       WHERE c.n > ? AND c.n <= ? AND c.fresh <> 0`,
    )
    .raw();
  for (let from = 0; from < rankOf.length; from += LINKS_AT_ONCE) {
    for (const [child, parent] of links.all(from, from + LINKS_AT_ONCE)) parents[rankOf[child]!] = rankOf[parent]!;
  }
  return parents;
}
