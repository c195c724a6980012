import { OPERATOR } from "../../../core/actor.js";
import type { Catalog } from "../../../core/catalog/types.js";
import type { OnProgress, Repair } from "../../../ports/store-admin.js";
import { nonZeroCounts, type RepairCounts, repairEntries, repairInRounds } from "../../verify/repair-rounds.js";
import { noteAudit } from "../accounts/audit-log.js";
import type { Change } from "../connection/change.js";
import type { Pool } from "../connection/sql.js";
import type { OpenTransaction, RunTransaction } from "../connection/write-transaction.js";
import { termLocksOf } from "../terms/term-locks.js";
import {
  correctCitations,
  correctCounters,
  correctDrafts,
  correctHead,
  dropLeftovers,
  endShares,
} from "./correct-tables.js";
import type { DatabasePlan } from "./database-plan.js";
import { rebuildFlags, rebuildRecord } from "./rebuild-record.js";
import { rebuildVocabulary } from "./rebuild-vocabulary.js";
import { verifyDatabase } from "./run-checks.js";

interface Repairing {
  readonly pool: Pool;
  readonly catalog: Catalog;
  readonly transaction: RunTransaction;
}

/** Verifies, rebuilds and verifies again, until all agrees that can. Services go on meanwhile. */
export async function repairDatabase(repairing: Repairing, onProgress: OnProgress): Promise<Repair> {
  const { pool, catalog, transaction } = repairing;
  return repairInRounds(
    () => verifyDatabase(pool, catalog, onProgress),
    async ({ plan }) => {
      const done = nonZeroCounts(await rebuildAll(repairing, plan));
      await transaction(async (tx) => {
        for (const entry of repairEntries(done)) await noteAudit(tx, OPERATOR, entry);
      });
      return done;
    },
  );
}

/** The head of the feed first, without which nothing can be written; what follows from records after these. */
async function rebuildAll({ pool, catalog, transaction }: Repairing, plan: DatabasePlan): Promise<RepairCounts> {
  const { tables } = plan;
  const each = <T>(items: Iterable<T>, work: (tx: OpenTransaction, item: T) => Promise<boolean>): Promise<number> =>
    count(items, (item) => transaction((tx) => work(tx, item)));
  if (tables.has("feed")) await correctHead(pool);
  let terms = 0;
  for (const name of plan.vocabularies) {
    const vocabulary = catalog.vocabularies.get(name);
    if (vocabulary !== undefined) terms += await rebuildVocabulary(pool, transaction, vocabulary);
  }
  const leftovers = await count(plan.leftovers, (number) => dropLeftovers(pool, number));
  const records = await each(plan.records, (tx, id) => rebuildRecord(tx, catalog, id));
  const counters = tables.has("counters") ? await correctCounters(pool, transaction) : 0;
  const versions = await each(plan.parents, (tx, parent) => rebuildFlags(tx, catalog, parent));
  const citations = tables.has("citations") ? await correctCitations(transaction) : 0;
  const drafts = tables.has("drafts") ? await correctDrafts(transaction) : 0;
  const shares = tables.has("shares") ? await endShares(pool, transaction) : 0;
  // Last, so that what was noted by then is seen.
  const changes = await each(plan.changes, noteMissing);
  const feed = tables.has("feed") ? 1 : 0;
  return { feed, terms, leftovers, records, counters, versions, citations, drafts, shares, changes };
}

async function count<T>(items: Iterable<T>, work: (item: T) => Promise<boolean>): Promise<number> {
  let done = 0;
  for (const item of items) done += (await work(item)) ? 1 : 0;
  return done;
}

/** Adds a change, unless the record or term was written since, which has a change that says so. */
async function noteMissing(tx: OpenTransaction, change: Change): Promise<boolean> {
  const expected = change.action === "removed" ? undefined : change.revision;
  if ((await lockedRevision(tx, change)) !== expected) return false;
  tx.note(change);
  return true;
}

/** The present revision of what a change is of; undefined where it is gone. It stays so. */
async function lockedRevision({ sql, locks }: OpenTransaction, change: Change): Promise<number | undefined> {
  const { kind, place, id, state = null } = change;
  if (kind === "record") await locks.family(id);
  else await termLocksOf(locks).toWrite(place);
  const row =
    kind === "record"
      ? await sql.row<{ readonly revision: number }>("SELECT revision FROM rec WHERE pid = $1 AND state = $2", [
          ...[id, state],
        ])
      : await sql.row<{ readonly revision: number }>("SELECT revision FROM term WHERE vocabulary = $1 AND ext = $2", [
          ...[place, id],
        ]);
  return row?.revision;
}
