import type { BackgroundReporter } from "../../core/background.js";
import type { Catalog } from "../../core/catalog/types.js";
import { fail } from "../../core/errors.js";
import { formatInstant } from "../../core/time.js";
import type { Engine, Leadership, StoreStats } from "../../ports/engine.js";
import type { Clock } from "../../ports/environment.js";
import type { IndexSource } from "../../ports/index-source.js";
import type { SearchIndex } from "../../ports/search-index.js";
import type { Store } from "../../ports/store.js";
import { makeJumpGuard, watchLastChange } from "../background/clock-jump.js";
import type { SecretBox } from "../files/secret-box.js";
import { makeShareReader, makeShareWriter, makeUserReader, makeUserWriter } from "./accounts/accounts.js";
import { dropRefusals, makeAnswers, makeAuditReader, noteAudit } from "./accounts/write-log.js";
import { makeDatabaseAdmin } from "./admin/database-admin.js";
import { makeChangeReader, makeDataChanges } from "./changes/change-feed.js";
import { makeWebhookReader, makeWebhookWriter } from "./changes/webhook-store.js";
import { makeLeadership } from "./connection/advisory-leadership.js";
import { measureOffset, REFUSED_MICROS, watchClock } from "./connection/clock-offset.js";
import { prepareTables, readCursorKey, type TableRights } from "./connection/migrate.js";
import type { Pool } from "./connection/sql.js";
import { checkWrites, makeTransactions, newCounts } from "./connection/write-transaction.js";
import { makeIndexLoads } from "./index-source/index-loads.js";
import { makeIndexSource } from "./index-source/source-view.js";
import { makeImportKeeper, makeImportReader, makeRecordReader } from "./records/record-reader.js";
import { makeRecordWriter, prepareIndex } from "./records/record-writer.js";
import { followAll } from "./terms/follow-terms.js";
import { makeTermHistoryKeeper, makeTermHistoryReader } from "./terms/history-table.js";
import { makeDumpKeeper, makeDumpReader, makeLoadTerms, prepareLine } from "./terms/load-terms.js";
import { makeTermFinder } from "./terms/term-finder.js";
import { makeTermWriter } from "./terms/term-writer.js";
import { followDeclarations } from "./verify/rebuild-vocabularies.js";

export { loadDatabase } from "./admin/dump-and-load.js";
export { migrate } from "./connection/migrate.js";
export { openPool, type PoolOptions } from "./connection/open-pool.js";
export type { Pool } from "./connection/sql.js";

interface PostgresOptions {
  readonly pool: Pool;
  readonly catalog: Catalog;
  readonly clock: Clock;
  /** Prepares the tables with these rights; `true`: all of them. Absent: another thread has. */
  readonly migrates?: boolean | TableRights;
  /** Writes nothing while the clock is too far from that of the database; absent: tests decide what time it is. */
  readonly checksClock?: boolean;
  /** Maximum jump of the clock, see `makeJumpGuard`; absent if the clock is not checked. */
  readonly clockJumpMaxMicros?: number;
  /** Seals the secrets of webhooks; all nodes of a service have the same key. */
  readonly secrets: SecretBox;
  /** Receives reports of the work that no request waits for; absent if another process does it. */
  readonly background?: BackgroundReporter;
}

/** Engine on PostgreSQL. The search index is separate from it. */
export interface PostgresEngine extends Engine {
  readonly leadership: Leadership;
  /** Source from which the search index is filled. */
  readonly indexSource: IndexSource;
}

/** Maximum duration of a transaction of many writes. */
const HOLD_MS = 40;

/** Makes the index of a store without a search engine: searches fail with an error that names the missing setting. */
function makeSearchUnavailable(close: () => Promise<void>): SearchIndex {
  const refuse = async (): Promise<never> => {
    throw fail("SEARCH_UNAVAILABLE", { setting: "BINDERY_SEARCH_URL" });
  };
  return {
    searchRecords: refuse,
    searchTerms: refuse,
    suggestTerms: refuse,
    // Errors then suggest no similar words.
    nearestWords: async () => [],
    openSnapshot: refuse,
    close,
  };
}

/**
 * Opens the store in a PostgreSQL database.
 * @throws BinderyError STORE_UNAVAILABLE; Error with a clear message, see `migrate`
 */
export async function openPostgres(options: PostgresOptions): Promise<PostgresEngine> {
  const { pool, catalog, clock, secrets, background } = options;
  const { migrates = false } = options;
  const rights = migrates === true ? { migrates: true, creates: true } : migrates;
  const isNew = rights !== false && (await prepareTables(pool, rights));
  const checksClock = options.checksClock === true;
  const counts = newCounts();
  const transaction = makeTransactions({
    pool,
    clock,
    counts,
    offsetMaxMicros: checksClock ? REFUSED_MICROS : undefined,
    jumps: options.clockJumpMaxMicros === undefined ? undefined : makeJumpGuard(clock, options.clockJumpMaxMicros),
  });
  const watching = background && checksClock ? watchClock(pool, clock, background) : undefined;
  const readLast = () => readLastTime(pool);
  const lastChangeWatch = background && checksClock ? watchLastChange(readLast, clock, background) : undefined;
  const following = background && followDeclarations({ pool, catalog, transaction, background });
  const close = async (): Promise<void> => {
    await Promise.all([following?.stop(), watching?.stop(), lastChangeWatch?.stop()]);
    await pool.close();
  };
  const loads = makeIndexLoads(pool);
  const store: Store = {
    records: makeRecordReader(pool),
    terms: makeTermFinder(pool, catalog),
    users: makeUserReader(pool),
    shares: makeShareReader(pool),
    audit: makeAuditReader(pool),
    changes: makeChangeReader(pool),
    imports: makeImportReader(pool),
    dumps: makeDumpReader(pool),
    history: makeTermHistoryReader(pool),
    webhooks: makeWebhookReader(pool, secrets),
    prepareIndex,
    prepareTerms: (vocabulary, lines) => lines.map((line) => prepareLine(catalog, vocabulary, line)),
    transaction: (work) =>
      transaction((tx) =>
        work({
          now: formatInstant(tx.now),
          holdMs: HOLD_MS,
          records: makeRecordWriter(tx),
          terms: makeTermWriter(tx, catalog),
          users: makeUserWriter(tx),
          shares: makeShareWriter(tx),
          answers: makeAnswers(tx),
          imports: makeImportKeeper(tx),
          dumps: makeDumpKeeper(tx),
          history: makeTermHistoryKeeper(tx),
          webhooks: makeWebhookWriter(tx, secrets),
          audit: (actor, entry) => noteAudit(tx, actor, entry),
          dropRefusals: (keep) => dropRefusals(tx, keep),
        }),
      ),
    loadTerms: makeLoadTerms({ pool, catalog, transaction, indexing: loads }),
    followTerms: () => followAll(pool, transaction),
    cursorKey: () => readCursorKey(pool),
    check: async () => void (await pool.row("SELECT 1")),
    checkWrites: () => checkWrites(transaction),
    close,
  };
  const index = makeSearchUnavailable(close);
  const admin = makeDatabaseAdmin(pool, catalog, transaction);
  const leadership = makeLeadership(pool);
  const indexSource = makeIndexSource(pool, catalog, transaction, leadership, loads);
  const clockOffset = async (): Promise<number> => (await measureOffset(pool, clock)).micros / 1e6;
  const storeStats = (): StoreStats => ({ waiting: pool.waiting(), ...counts });
  const dataChanges = makeDataChanges();
  return { store, index, admin, dataChanges, leadership, clockOffset, storeStats, indexSource, isNew, close };
}

/** Reads the time of the last change; 0 if there is none. */
async function readLastTime(pool: Pool): Promise<number> {
  return (await pool.row<{ readonly time: number }>("SELECT time FROM feed_head"))?.time ?? 0;
}
