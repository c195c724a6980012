import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Catalog, Model } from "../../../core/catalog/types.js";
import { derivationInputs } from "../../../core/citable/derived-quantities.js";
import { facetPaths } from "../../../query/index-model/indexed-paths.js";
import { ANALYSIS_VERSION } from "../../../query/text/analyse.js";
import { type Db, readMeta, writeMeta } from "../connection/database.js";
import { mapError } from "../connection/map-error.js";
import type { Writer } from "../connection/write-connection.js";
import { followAll } from "../records/follow-terms.js";
import { recordWriting, reindexRecord } from "../records/record-index.js";
import { type BulkLoader, eachInSteps, openBulkLoader } from "../vocabulary/load/bulk-loader.js";

/** Time that closing waits for a step to stop. */
const STOP_MS = 1_000;

/** Interval between checks for records that must follow their cited terms. */
const CHECK_INTERVAL_MS = 500;

/** Pause after a failure (a full disk) before the next attempt; it doubles each time. */
const RETRY_MS = 1_000;
const RETRY_MS_MAX = 60_000;

/** Number of records between two saves of the progress. */
const NOTE_EVERY = 100;

/** Stands in place of a signature while the index is made for the given signature, up to a row. */
const UNFINISHED = "unfinished";

/**
 * Rebuilds the index of records that were written with an earlier declaration of their model, so that it follows a
 * changed catalog, and that of records whose cited terms changed, in short transactions. After a stop the next start
 * continues; with another catalog it starts again.
 * @param writer must have no waiting transaction: none may write with the current catalog before the progress is saved
 */
export function startReindexing(writer: Writer, catalog: Catalog): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const { signal } = stopping;
  const reindexAll = async (): Promise<void> => {
    const outdatedModels = [...catalog.models.values()].filter((model) => isOutdated(writer.db, model, catalog));
    if (outdatedModels.length === 0) return;
    await writer.run(() => {
      for (const model of outdatedModels)
        noteProgress(writer.db, model, catalog, lastIndexedRow(writer.db, model, catalog));
    });
    const loader = openBulkLoader(writer, () => signal.aborted);
    try {
      for (const model of outdatedModels) await reindexModel(loader, catalog, model);
    } finally {
      loader.close();
    }
  };
  const run = async (): Promise<void> => {
    let isIndexed = false;
    for (let pause = RETRY_MS; !signal.aborted; ) {
      try {
        if (!isIndexed) await reindexAll();
        isIndexed = true;
        await followAll(writer, catalog, () => signal.aborted);
        writer.background.onBackgroundSuccess("record-index");
        pause = RETRY_MS;
        await sleep(CHECK_INTERVAL_MS, undefined, { signal, ref: false });
      } catch (error) {
        if (signal.aborted) return;
        writer.background.onBackgroundError("record-index", error);
        await sleep(pause, undefined, { signal, ref: false }).catch(() => undefined);
        pause = Math.min(2 * pause, RETRY_MS_MAX);
      }
    }
  };
  const running = run();
  return {
    stop: async () => {
      stopping.abort();
      await Promise.race([running, sleep(STOP_MS, undefined, { ref: false })]);
    },
  };
}

/**
 * Marks models without records as indexed with the current catalog, which later writes use. Otherwise everything that a
 * command writes into a new store would be indexed again at the first start of the service.
 */
export function noteNewModels(db: Db, catalog: Catalog): void {
  const unmarked = [...catalog.models.values()].filter((model) => readMeta(db.raw, metaKey(model)) === undefined);
  if (unmarked.length === 0) return;
  const hasRecords = db.sql<number>("SELECT 1 FROM rec WHERE model = ? LIMIT 1").pluck();
  const note = db.raw.transaction(() => {
    for (const model of unmarked) {
      if (hasRecords.get(model.name) === undefined) writeMeta(db.raw, metaKey(model), indexSignature(model, catalog));
    }
  });
  note.immediate();
}

const isOutdated = (db: Db, model: Model, catalog: Catalog): boolean =>
  readMeta(db.raw, metaKey(model)) !== indexSignature(model, catalog);

/**
 * Rebuilds the index of one model. Concurrent writes use the current model already; indexing them twice does no harm.
 */
async function reindexModel(loader: BulkLoader, catalog: Catalog, model: Model): Promise<void> {
  const { db } = loader;
  const writing = recordWriting(db, catalog);
  const rowsAfter = db.sql<number>("SELECT id FROM rec WHERE model = ? AND id > ? ORDER BY id").pluck();
  const rows = rowsAfter.all(model.name, lastIndexedRow(db, model, catalog));
  let [startedCount, doneCount] = [0, 0];
  const { refusal } = await eachInSteps(loader, rows, (row, now) => {
    startedCount += 1;
    const isIndexed = reindexRecord(writing, row, now);
    doneCount += 1;
    // Progress is not saved beyond a record that throws, so that the next attempt reaches it again.
    if (doneCount === startedCount && doneCount % NOTE_EVERY === 0) noteProgress(db, model, catalog, row);
    return isIndexed;
  });
  if (refusal !== undefined) throw mapError(refusal);
  await loader.steps(() => {
    writeMeta(db.raw, metaKey(model), indexSignature(model, catalog));
    return "done";
  });
}

/** Returns the last row that was indexed with the current catalog before a stop, 0 if none. */
function lastIndexedRow(db: Db, model: Model, catalog: Catalog): number {
  const [state, signature, row] = (readMeta(db.raw, metaKey(model)) ?? "").split(" ");
  return state === UNFINISHED && signature === indexSignature(model, catalog) ? Number(row) : 0;
}

function noteProgress(db: Db, model: Model, catalog: Catalog, row: number): void {
  writeMeta(db.raw, metaKey(model), `${UNFINISHED} ${indexSignature(model, catalog)} ${row}`);
}

const metaKey = ({ name }: Model): string => `index of ${name}`;

/**
 * Raise it when indexes take other data of cited terms: version 2 has current titles and successors; 3 has whether the
 * record cites current versions.
 */
const TERMS_VERSION = 3;

/**
 * Returns a digest of what the index of a record depends on besides its body. If it differs, the index must be rebuilt.
 */
function indexSignature(model: Model, catalog: Catalog): string {
  const leaves = [...model.leaves.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
  const keys = facetPaths(catalog);
  const quantities = model.quantities.map(({ name, path, where = [], value, leaf }) => {
    return { name, path, where: [...where], value, leaf };
  });
  const derived = derivationInputs(model);
  const inputs = [
    ANALYSIS_VERSION,
    TERMS_VERSION,
    leaves.map((leaf) => ({ ...leaf, isKey: keys.has(leaf.path) })),
    [...model.elementPaths].sort(),
    model.termSites.map(({ path, vocabulary }) => `${path} ${vocabulary}`).sort(),
    quantities,
    [...model.units.units.values()],
    ...(derived === undefined ? [] : [derived]),
    ...(model.molecules === undefined ? [] : [model.molecules, keys.has(model.molecules.otherLeaf.path)]),
  ];
  return createHash("sha256").update(JSON.stringify(inputs)).digest("hex").slice(0, 16);
}
