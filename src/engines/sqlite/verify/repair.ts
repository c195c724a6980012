import { OPERATOR } from "../../../core/actor.js";
import type { Catalog } from "../../../core/catalog/types.js";
import type { OnProgress, Repair, Verification } from "../../../ports/store-admin.js";
import { facetPaths } from "../../../query/index-model/indexed-paths.js";
import { noteAudit } from "../accounts/audit-log.js";
import { openDatabase } from "../connection/database.js";
import { makeWriter } from "../connection/write-connection.js";
import { OPEN_GATE } from "../connection/write-gate.js";
import { makePathDictionary, registerPaths } from "../documents/path-dictionary.js";
import { addChecksums } from "../records/background-checksums.js";
import { followStale } from "../records/follow-terms.js";
import { openBulkLoader } from "../vocabulary/load/bulk-loader.js";
import { heartbeatTime } from "../vocabulary/store/make-generation.js";
import type { RepairPlan } from "./repair-plan.js";
import { rebuildIndexes, repairRecords } from "./repair-records.js";
import type { RepairContext } from "./repair-steps.js";
import { repairTerms } from "./repair-terms.js";
import { type Verified, verifyStore } from "./verify.js";

/** What one round leaves (a full-text table to be filled again, what was found behind it) the next one repairs. */
const ROUNDS_MAX = 4;

/** Verifies, plan and verifies again, until all agrees that can. */
export async function repairStore(folder: string, catalog: Catalog, onProgress: OnProgress): Promise<Repair> {
  const first = verifyStore(folder, catalog, onProgress);
  const repaired: Record<string, number> = {};
  let last = first;
  for (
    let round = 1;
    round <= ROUNDS_MAX && (isMendable(last.verification) || (round === 1 && last.plan.hasUnsummed));
    round++
  ) {
    if (round > 1) refill(last);
    const counts = await repair(folder, catalog, last.plan);
    for (const [kind, times] of Object.entries(counts)) repaired[kind] = (repaired[kind] ?? 0) + times;
    last = verifyStore(folder, catalog, onProgress);
  }
  return { before: first.verification, repaired, after: last.verification };
}

const isMendable = ({ findings }: Verification): boolean => findings.some((finding) => finding.isMendable);

/**
 * Repairs everything but indexes of SQLite. These come first, in a round of their own: what the checks read through an
 * index that lacks rows looks as if it were missing, and a repair of that would remove what is there.
 */
async function repairAll(repair: RepairContext, plan: RepairPlan): Promise<void> {
  // Items first: the index of records takes the names of what they cite from them.
  await repairTerms(repair, plan);
  await repairRecords(repair, plan);
  repair.count("checksums", await addChecksums(repair.writer));
}

/** Rows of the index that were made again and are wrong still: their table is damaged. */
function refill({ verification: { counts }, plan: { tables } }: Verified): void {
  const isWrong = ["index.text", "index.rows", "index.strays"].some((check) => (counts[check] ?? 0) > 0);
  if (isWrong) tables.add("leaf").add("elem");
}

/** @returns how often each kind of repair was done */
async function repair(folder: string, catalog: Catalog, plan: RepairPlan): Promise<Record<string, number>> {
  const db = openDatabase(folder, "writer");
  const writer = makeWriter(db, { nowMicros: heartbeatTime }, { gate: OPEN_GATE });
  const counts: Record<string, number> = {};
  const count = (kind: string, times: number): void => {
    if (times > 0) counts[kind] = (counts[kind] ?? 0) + times;
  };
  try {
    registerPaths(db, catalog);
    const loader = openBulkLoader(writer);
    try {
      const writing = { db: loader.db, catalog, paths: makePathDictionary(loader.db), facetPaths: facetPaths(catalog) };
      const repair = { writer, loader, writing, catalog, count };
      if (plan.indexes.size > 0) await rebuildIndexes(repair, plan.indexes);
      else await repairAll(repair, plan);
      await followStale(loader, catalog);
    } finally {
      loader.close();
    }
    await writer.run((now) => {
      for (const [kind, times] of Object.entries(counts)) {
        noteAudit(db, now, OPERATOR, { action: "store.repair", kind: "store", place: kind, times });
      }
    });
    return counts;
  } finally {
    await writer.idle();
    db.close();
  }
}
