import type { Vocabulary } from "../../../../core/catalog/types.js";
import { type Nesting, numberNodes } from "../../../../core/terms/term-order.js";
import { currentGeneration } from "../store/generation.js";
import type { BulkLoader } from "./bulk-loader.js";
import type { ParentLinks } from "./refuse-targets.js";

/** `ranked`: row id = rank; `item` is its row in `scratch.item`. `place` is the inverse. */
const SCRATCH_TABLES = `
CREATE TABLE scratch.ranked(id INTEGER PRIMARY KEY, item INTEGER NOT NULL, lo INTEGER, hi INTEGER);
CREATE TABLE scratch.place(item INTEGER PRIMARY KEY, id INTEGER NOT NULL);
`;

/** Number of terms in the new generation, number of active ones, and whether `lo` and `hi` are valid. */
export interface Ranking {
  /** For each rank the place at which its subtree begins, if the hierarchy is a forest. */
  readonly lo?: Uint32Array | undefined;
  readonly ranked: number;
  readonly active: number;
  readonly nested: boolean;
}

/** Ranks the staged terms, loaded and kept. @param links parents of all terms, if they were computed */
export function rankTerms(loader: BulkLoader, vocabulary: Vocabulary, links?: ParentLinks): Ranking {
  const { db } = loader;
  db.raw.exec(SCRATCH_TABLES);
  loader.scratch(() => setAges(loader, vocabulary));
  const itemByRank = itemsByRank(loader);
  const ranked = itemByRank.length - 1;
  const rankByItem = invertRanks(itemByRank);
  const nesting = vocabulary.hierarchy
    ? numberNodes(
        links === undefined ? lookUpParents(loader, rankByItem, ranked) : rankedParents(links, rankByItem, ranked),
      )
    : undefined;
  const { lo, hi } = nesting?.isForest === true ? nesting : NOT_NESTED;
  loader.scratch(() => {
    const rank = db.sql("INSERT INTO scratch.ranked(id, item, lo, hi) VALUES(?, ?, ?, ?)");
    for (let id = 1; id <= ranked; id++) rank.run(id, itemByRank[id], lo[id] ?? null, hi[id] ?? null);
    const place = db.sql("INSERT INTO scratch.place(item, id) VALUES(?, ?)");
    for (let item = 1; item < rankByItem.length; item++) if (rankByItem[item] !== 0) place.run(item, rankByItem[item]);
  });
  const active = db.sql<number>("SELECT count(*) FROM scratch.item WHERE fresh <> 0 AND status = 0").pluck().get()!;
  const isNested = nesting?.isForest ?? true;
  return { ranked, active, nested: isNested, lo: vocabulary.hierarchy && isNested ? lo : undefined };
}

const NOT_NESTED: Pick<Nesting, "lo" | "hi"> = { lo: new Uint32Array(0), hi: new Uint32Array(0) };

/** Sets creation time and revision of existing terms, and the next revision of ids that were deleted. */
function setAges({ db }: BulkLoader, vocabulary: Vocabulary): void {
  const deletedTerms = db
    .sql<{ ext: string; revision: number }>("SELECT ext, revision FROM main.life WHERE vocabulary = ?")
    .all(vocabulary.name);
  const revive = db.sql("UPDATE scratch.item SET revision = ? WHERE ext = ? AND fresh > 0");
  for (const { ext, revision } of deletedTerms) revive.run(revision + 1, ext);
  const generation = currentGeneration(db, vocabulary.name);
  generation
    ?.sql(
      `UPDATE scratch.item AS i SET created = t.created, revision = t.revision + 1
       FROM main.ext_$g e JOIN main.term_$g t ON t.id = e.id
       WHERE i.fresh = 2 AND e.ext = i.ext AND t.ext = i.ext COLLATE BINARY`,
    )
    .run();
}

/** Returns for each rank (from 1) the row of `scratch.item`. */
function itemsByRank({ db }: BulkLoader): Uint32Array {
  const count = db.sql<number>("SELECT count(*) FROM scratch.item WHERE fresh <> 0").pluck().get()!;
  const itemByRank = new Uint32Array(count + 1);
  const inOrder = db.sql<number>(
    "SELECT n FROM scratch.item WHERE fresh <> 0 ORDER BY status, prior DESC, length, ext",
  );
  let id = 0;
  for (const item of inOrder.pluck().iterate() as Iterable<number>) {
    id += 1;
    itemByRank[id] = item;
  }
  return itemByRank;
}

/** Returns for each row of `scratch.item` its rank, 0 if it has none. */
function invertRanks(itemByRank: Uint32Array): Uint32Array {
  let last = 0;
  for (const item of itemByRank) if (item > last) last = item;
  const rankByItem = new Uint32Array(last + 1);
  for (let id = 1; id < itemByRank.length; id++) rankByItem[itemByRank[id]!] = id;
  return rankByItem;
}

/** Returns for each rank that of its parent, 0 if there is none. */
function rankedParents({ parentRows }: ParentLinks, rankByItem: Uint32Array, ranked: number): Uint32Array {
  const parents = new Uint32Array(ranked + 1);
  for (let item = 1; item < rankByItem.length; item++) parents[rankByItem[item]!] = rankByItem[parentRows[item]!]!;
  return parents;
}

/** Rows read into memory in one query. */
const LINKS_AT_ONCE = 50_000;

/** Returns the same by looking up the parents. */
function lookUpParents({ db }: BulkLoader, rankByItem: Uint32Array, ranked: number): Uint32Array {
  const parents = new Uint32Array(ranked + 1);
  const links = db
    .sql<[number, number]>(
      `SELECT c.n, p.n FROM scratch.item c CROSS JOIN scratch.item p ON p.ext = c.parent AND p.fresh <> 0
       WHERE c.n > ? AND c.n <= ? AND c.fresh <> 0`,
    )
    .raw();
  for (let from = 0; from < rankByItem.length; from += LINKS_AT_ONCE) {
    for (const [child, parent] of links.all(from, from + LINKS_AT_ONCE))
      parents[rankByItem[child]!] = rankByItem[parent]!;
  }
  return parents;
}
