import { type BackgroundReporter, WARNING_REPORTER } from "../../../src/core/background.js";
import { openOpenSearch } from "../../../src/engines/opensearch/index.js";
import { SCHEMA } from "../../../src/engines/postgres/connection/open-pool.js";
import { openPool, openPostgres, type Pool, type PostgresEngine } from "../../../src/engines/postgres/index.js";
import type { SeparateIndex } from "../../../src/engines/separate-index/index.js";
import type { RecordWriter, Store } from "../../../src/ports/store.js";
import type { AssumedTerm } from "../../../src/query/index-model/leaves.js";
import { dropIndexes, newPrefix, searchUrl } from "../services/opensearch.js";
import { newDatabase } from "../services/postgres.js";
import { testSecrets } from "../test-secrets.js";
import type { EngineUnderTest } from "./engine-under-test.js";

const CONNECTIONS = 12;

/** No answer here is a matter of time, however busy the machine. */
const SEARCH_TIMEOUT_MS = 600_000;

export interface ClusterOptions {
  readonly shards: number;
  /** How long a step of the relay takes at least; absent: it only makes the index, and stops. */
  readonly stepMs?: number;
  /** Changed items that a search judges at most; loads of as many make a generation. */
  readonly overlayMax?: number;
  /** A term with more items below it is a large one; absent: as services have it. */
  readonly largeAbove?: number;
  /** Ids that a search names at most of what stands below one; absent: as services have it. */
  readonly belowMax?: number;
  /** Terms that one search for all steps of a ranking visits at most; absent: as services have it. */
  readonly visitedMax?: number;
  /** Of an OpenSearch that a test breaks; absent: that of the run. */
  readonly urls?: () => Promise<readonly string[]>;
  /** Hears of what the relay cannot do; absent: each error is a warning of the process. */
  readonly background?: BackgroundReporter;
  /** Returns whether the store does what no request waits for, such as ranking vocabularies after an upgrade. */
  readonly tends?: () => boolean;
}

/** A node of a cluster: its store, its index, and the relay. */
export interface ClusterEngine extends PostgresEngine {
  readonly search: SeparateIndex;
  /** As services have it: who puts a record has read the terms that it cites. */
  readonly plainStore: Store;
  readonly pool: Pool;
}

/** PostgreSQL with OpenSearch beside it, which is fed meanwhile. */
export function clusterUnderTest({
  shards,
  stepMs,
  overlayMax = 5_000,
  largeAbove,
  belowMax,
  visitedMax,
  urls = async () => [await searchUrl()],
  background = WARNING_REPORTER,
  tends = () => false,
}: ClusterOptions): EngineUnderTest<ClusterEngine> {
  const fed = stepMs === undefined ? "all judged beside it" : `fed every ${stepMs} ms`;
  let databaseUrl: string | undefined;
  const prefix = newPrefix();
  const open = async () => {
    databaseUrl ??= await newDatabase();
    return openPool({ url: databaseUrl, connections: CONNECTIONS });
  };
  return {
    name: `PostgreSQL and OpenSearch, ${shards} shards, ${fed}`,
    isRemote: true,
    open: async ({ catalog, clock }) => {
      const pool = await open();
      const engine = await openPostgres({
        ...{ pool, catalog, clock, migrates: true, secrets: testSecrets() },
        ...(tends() && { background }),
      });
      const source = engine.indexSource;
      const search = openOpenSearch({
        ...{ urls: await urls(), source, catalog, prefix, shards },
        ...{ overlayMax, searchTimeoutMs: SEARCH_TIMEOUT_MS, stepMs: stepMs ?? 0 },
        ...(largeAbove === undefined ? {} : { largeAbove }),
        ...(belowMax === undefined ? {} : { belowMax }),
        ...(visitedMax === undefined ? {} : { visitedMax }),
      });
      const relay = search.startRelay(background);
      while (!(await source.states()).some(({ isCurrent }) => isCurrent)) {
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
      if (stepMs === undefined) await relay.stop();
      const close = async (): Promise<void> => {
        await relay.stop();
        await search.close();
        await engine.close();
      };
      return {
        ...engine,
        store: withCitedTerms(engine.store),
        plainStore: engine.store,
        pool,
        index: search.index,
        search,
        close,
      };
    },
    cleanUp: async () => {
      const pool = await open();
      await pool.run(`DROP SCHEMA ${SCHEMA} CASCADE`);
      await pool.close();
      await dropIndexes((await urls())[0]!, prefix);
    },
  };
}

/**
 * Some tests of records say what a cited term is, and have no vocabulary to put it into. Here the index is made of what
 * the store has: so they are put first.
 */
function withCitedTerms(store: Store): Store {
  const assumed = new WeakMap<object, readonly AssumedTerm[]>();
  return {
    ...store,
    prepareIndex: (leaves, terms) => {
      const index = store.prepareIndex(leaves, terms);
      assumed.set(index, terms);
      return index;
    },
    transaction: (work, extent) =>
      store.transaction(async (tx) => {
        const put: RecordWriter["put"] = async (body, index) => {
          for (const { vocabulary, id, term } of assumed.get(index) ?? []) {
            if (term === undefined || (await tx.terms.getExact(vocabulary, id)) !== undefined) continue;
            const synonyms = term.names.map((name) => ({ name, kind: "synonym" }));
            await tx.terms.put(vocabulary, { id, title: term.titles[0]!, synonyms, props: {}, status: "active" });
          }
          return tx.records.put(body, index);
        };
        return work({ ...tx, records: { ...tx.records, put } });
      }, extent),
  };
}
