import type { Vocabulary } from "../../../core/catalog/types.js";
import type { TermContent } from "../../../core/term.js";
import type { LoadSummary } from "../../../ports/store.js";
import { currentGeneration } from "./generation.js";
import type { Loader } from "./loader.js";
import { contentHash, rankOf } from "./term-row.js";

/** Items that are compared in one go: a few milliseconds. */
const BATCH_ITEMS = 500;

/** `fresh`: 0 unchanged, 1 new, 2 changed, as the vocabulary was when the item was read. */
const SCRATCH_TABLES = `
CREATE TABLE scratch.item(
  n INTEGER PRIMARY KEY, ext TEXT NOT NULL, fresh INTEGER NOT NULL, status INTEGER, prior REAL, length INTEGER,
  parent TEXT, hash BLOB NOT NULL, content TEXT);
`;

/**
 * Collects what is loaded in `scratch.item` and compares it with what is there. Of an id that comes twice the last
 * one counts.
 * @param breathe called between two batches
 */
export async function stageItems(
  loader: Loader,
  vocabulary: Vocabulary,
  items: AsyncIterable<TermContent>,
  breathe: () => Promise<void>,
): Promise<LoadSummary> {
  loader.db.raw.exec(SCRATCH_TABLES);
  let batch: TermContent[] = [];
  for await (const item of items) {
    batch.push(item);
    if (batch.length < BATCH_ITEMS) continue;
    stageBatch(loader, vocabulary, batch);
    batch = [];
    await breathe();
  }
  stageBatch(loader, vocabulary, batch);
  return summarise(loader);
}

function stageBatch(loader: Loader, vocabulary: Vocabulary, batch: readonly TermContent[]): void {
  const { db } = loader;
  const insert = db.sql(
    "INSERT INTO scratch.item(ext, fresh, status, prior, length, parent, hash, content) VALUES(?, ?, ?, ?, ?, ?, ?, ?)",
  );
  loader.scratch(() => {
    const known = currentGeneration(db, vocabulary.name)
      ?.sql<Buffer>(
        "SELECT t.hash FROM ext_$g e JOIN term_$g t ON t.id = e.id WHERE e.ext = ? AND t.ext = ? COLLATE BINARY",
      )
      .pluck();
    for (const content of batch) {
      const { id } = content;
      const hash = contentHash(content);
      const old = known?.get(id, id);
      if (old?.equals(hash)) {
        insert.run(id, 0, null, null, null, null, hash, null);
      } else {
        const { status, prior, length } = rankOf(content, vocabulary);
        const fresh = old === undefined ? 1 : 2;
        insert.run(id, fresh, status, prior, length, content.parent ?? null, hash, JSON.stringify(content));
      }
    }
  });
}

function summarise(loader: Loader): LoadSummary {
  const { db } = loader;
  return loader.scratch(() => {
    db.raw.exec("CREATE INDEX scratch.item_ext ON item(ext, n)");
    const { items, ids } = db
      .sql<{ items: number; ids: number }>("SELECT count(*) AS items, count(DISTINCT ext) AS ids FROM scratch.item")
      .get()!;
    if (ids < items) {
      db.raw.exec(
        "DELETE FROM scratch.item AS a WHERE EXISTS (SELECT 1 FROM scratch.item b WHERE b.ext = a.ext AND b.n > a.n)",
      );
    }
    const counts = [0, 0, 0];
    const rows = db.sql<{ fresh: number; n: number }>("SELECT fresh, count(*) AS n FROM scratch.item GROUP BY fresh");
    for (const { fresh, n } of rows.all()) counts[fresh] = n;
    return { unchanged: counts[0]!, new: counts[1]!, changed: counts[2]! };
  });
}

/** What is loaded under an id, if that changes it. */
export function stagedContent(loader: Loader, id: string): { content: TermContent; hash: Buffer } | undefined {
  const row = loader.db
    .sql<{ content: string; hash: Buffer }>("SELECT content, hash FROM scratch.item WHERE ext = ? AND fresh > 0")
    .get(id);
  return row && { content: JSON.parse(row.content) as TermContent, hash: row.hash };
}

/** All that the load changes, in the order it came. */
export function stagedContents(loader: Loader): TermContent[] {
  const rows = loader.db.sql<string>("SELECT content FROM scratch.item WHERE fresh > 0 ORDER BY n").pluck().all();
  return rows.map((text) => JSON.parse(text) as TermContent);
}
