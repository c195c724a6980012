import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Catalog, Model } from "../../../core/catalog/types.js";
import { facetPaths } from "../../../query/index-model/indexed-paths.js";
import { ANALYSIS_VERSION } from "../../../query/text/analyse.js";
import { type Db, readMeta, writeMeta } from "../connection/database.js";
import { mapError } from "../connection/map-error.js";
import type { Writer } from "../connection/write-connection.js";
import { followAll } from "../records/follow-terms.js";
import { recordWriting } from "../records/record-index.js";
import { reindexRecord } from "../records/reindex-record.js";
import { type BulkLoader, openBulkLoader } from "../vocabulary/load/bulk-loader.js";
import { eachInSteps } from "../vocabulary/load/each-in-steps.js";

/** How long closing waits for a step to notice it. */
const STOP_MS = 1_000;

/** How often it is looked whether records have to follow their cited terms. */
const LOOK_MS = 500;

/** After a failure (a full disk) it waits so long before it begins anew, and each time twice as long. */
const RETRY_MS = 1_000;
const RETRY_MS_MAX = 60_000;

/** How many records are indexed between two notes of how far it has come. */
const NOTE_EVERY = 100;

/** Instead of a signature: the index is being made by the one that is named, up to a row; the rest by others. */
const UNFINISHED = "unfinished";

/**
 * Makes the index of the records again that were written when their model was another: in short transactions beside
 * all else, so that it follows a changed catalog by itself; and that of records whose cited terms changed. After a stop
 * the next start goes on where it was; with another catalog it begins anew.
 * @param writer has no transaction waiting yet: none may write by the present catalog before it is noted
 */
export function startReindexing(writer: Writer, catalog: Catalog): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const { signal } = stopping;
  const attempt = async (): Promise<void> => {
    const stale = [...catalog.models.values()].filter((model) => isStale(writer.db, model, catalog));
    if (stale.length === 0) return;
    await writer.run(() => {
      for (const model of stale) noteProgress(writer.db, model, catalog, doneUpTo(writer.db, model, catalog));
    });
    const loader = openBulkLoader(writer, () => signal.aborted);
    try {
      for (const model of stale) await reindexModel(loader, catalog, model);
    } finally {
      loader.close();
    }
  };
  const run = async (): Promise<void> => {
    let isMade = false;
    for (let pause = RETRY_MS; !signal.aborted; ) {
      try {
        if (!isMade) await attempt();
        isMade = true;
        await followAll(writer, catalog, () => signal.aborted);
        writer.background.onBackgroundSuccess("record-index");
        pause = RETRY_MS;
        await sleep(LOOK_MS, undefined, { signal, ref: false });
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
 * Notes that the index of models without records is made by the present catalog, as what is written from now on will
 * be: otherwise all that a command writes into a new store would be indexed again at the first start of the service.
 */
export function noteNewModels(db: Db, catalog: Catalog): void {
  const unnoted = [...catalog.models.values()].filter((model) => readMeta(db.raw, metaOf(model)) === undefined);
  if (unnoted.length === 0) return;
  const hasRecords = db.sql<number>("SELECT 1 FROM rec WHERE model = ? LIMIT 1").pluck();
  const note = db.raw.transaction(() => {
    for (const model of unnoted) {
      if (hasRecords.get(model.name) === undefined) writeMeta(db.raw, metaOf(model), signatureOf(model, catalog));
    }
  });
  note.immediate();
}

const isStale = (db: Db, model: Model, catalog: Catalog): boolean =>
  readMeta(db.raw, metaOf(model)) !== signatureOf(model, catalog);

/** What is written meanwhile is indexed by the present model already: doing it twice does no harm. */
async function reindexModel(loader: BulkLoader, catalog: Catalog, model: Model): Promise<void> {
  const { db } = loader;
  const writing = recordWriting(db, catalog);
  const some = db.sql<number>("SELECT id FROM rec WHERE model = ? AND id > ? ORDER BY id").pluck();
  const rows = some.all(model.name, doneUpTo(db, model, catalog));
  let [begun, done] = [0, 0];
  const { refusal } = await eachInSteps(loader, rows, (row, now) => {
    begun += 1;
    const isIndexed = reindexRecord(writing, row, now);
    done += 1;
    // What the file refuses throws: the next attempt has to come to it again.
    if (done === begun && done % NOTE_EVERY === 0) noteProgress(db, model, catalog, row);
    return isIndexed;
  });
  if (refusal !== undefined) throw mapError(refusal);
  await loader.steps(() => {
    writeMeta(db.raw, metaOf(model), signatureOf(model, catalog));
    return "done";
  });
}

/** The last row that was indexed by the present catalog before a stop; 0: none. */
function doneUpTo(db: Db, model: Model, catalog: Catalog): number {
  const [state, signature, row] = (readMeta(db.raw, metaOf(model)) ?? "").split(" ");
  return state === UNFINISHED && signature === signatureOf(model, catalog) ? Number(row) : 0;
}

function noteProgress(db: Db, model: Model, catalog: Catalog, row: number): void {
  writeMeta(db.raw, metaOf(model), `${UNFINISHED} ${signatureOf(model, catalog)} ${row}`);
}

const metaOf = ({ name }: Model): string => `index of ${name}`;

/**
 * Raised where an index takes something else of cited terms: 2 has their present titles, and successors; 3 has whether
 * the record has their present versions.
 */
const TERMS_VERSION = 3;

/** What the index of a record is made by, beside its body: where it differs, the index has to be made again. */
function signatureOf(model: Model, catalog: Catalog): string {
  const leaves = [...model.leaves.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
  const keys = facetPaths(catalog);
  const quantities = model.quantities.map((quantity) => ({ ...quantity, where: [...quantity.where] }));
  const made = [
    ANALYSIS_VERSION,
    TERMS_VERSION,
    leaves.map((leaf) => ({ ...leaf, isKey: keys.has(leaf.path) })),
    [...model.elementPaths].sort(),
    model.termSites.map(({ path, vocabulary }) => `${path} ${vocabulary}`).sort(),
    quantities,
    [...model.units.units.values()],
  ];
  return createHash("sha256").update(JSON.stringify(made)).digest("hex").slice(0, 16);
}
