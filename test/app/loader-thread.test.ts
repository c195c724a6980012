import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { openCatalog } from "../../src/app/composition/open-catalog.js";
import { linkThreads, type SupervisedWorker, startWorker } from "../../src/app/threads/workers.js";
import { loadConfig } from "../../src/config/settings.js";
import { ANONYMOUS } from "../../src/core/actor.js";
import type { RecordSearchRequest, SearchAnswer } from "../../src/services/api/searches.js";
import { recordLines } from "../support/records.js";

/** More than are counted one by one. */
const RECORDS = 260;
const LIVES = 0;
const FREEZES = 1;
const FROZEN = 2;

const folder = mkdtempSync(join(tmpdir(), "bindery-slow-"));
const config = loadConfig({ BINDERY_DATA: folder });
const catalog = openCatalog(config);
const remotes: SupervisedWorker[] = [];
let writer: SupervisedWorker;
let search: Mortal;
let loader: Mortal;

/** A thread of the service that can be killed. */
interface Mortal extends SupervisedWorker {
  /** Stops it where it stands. */
  freeze(): Promise<void>;
  /** Lets a frozen thread die; another one is started in its place. */
  die(): void;
}

function start(name: string): Mortal {
  const state = new Int32Array(new SharedArrayBuffer(4));
  const remote = startWorker({
    name,
    file: new URL("./mortal-thread.mjs", import.meta.url),
    data: { config, catalog, state: state.buffer, entry: `${name}-thread.js` },
    logger: pino({ level: "silent" }),
    backlog: { calls: 100, textLength: 1_000_000 },
    reports: () => undefined,
  });
  remotes.push(remote);
  return {
    ...remote,
    async freeze() {
      Atomics.store(state, 0, FREEZES);
      await vi.waitFor(() => expect(Atomics.load(state, 0)).toBe(FROZEN));
    },
    die() {
      Atomics.store(state, 0, LIVES);
      Atomics.notify(state, 0);
    },
  };
}

beforeAll(async () => {
  writer = start("writer");
  await writer.started;
  const file = join(folder, "records.ndjson");
  writeFileSync(file, recordLines(RECORDS));
  await writer.call("addUser", ["alice", "depositor"]);
  await writer.call("importRecords", [{ model: "mst", file, owner: "alice", publish: true }]);
  search = start("search");
  loader = start("loader");
  linkThreads(search, loader);
  await Promise.all([search.started, loader.started]);
});

afterAll(async () => {
  for (const remote of remotes.reverse()) await remote.close();
  rmSync(folder, { recursive: true, force: true });
});

async function find(q: string, facetSize: number): Promise<SearchAnswer<unknown>> {
  const request: RecordSearchRequest = {
    q,
    window: { page: 1, size: 1 },
    filters: {},
    facetSize,
    lang: "en",
    own: false,
    model: "mst",
  };
  return (await search.call("searchRecords", [ANONYMOUS, request])) as SearchAnswer<unknown>;
}

describe("a search that has to wait for the loader thread", () => {
  it("keeps no other search waiting, and is answered by the thread that follows one that died", async () => {
    expect((await find("", 0)).total).toBe(RECORDS);
    await loader.freeze();
    let isAnswered = false;
    const counted = Promise.all([find("", 10), find("", 10)]).finally(() => {
      isAnswered = true;
    });
    for (let i = 0; i < 20; i++) expect((await find("", 0)).total).toBe(RECORDS);
    expect(isAnswered).toBe(false);
    loader.die();
    for (const { total, aggregations } of await counted) {
      expect(total).toBe(RECORDS);
      const counts = Object.values(aggregations ?? {}).map(({ buckets, other }) =>
        buckets.reduce((sum, bucket) => sum + bucket.doc_count, other),
      );
      expect(counts.filter((count) => count >= RECORDS).length).toBeGreaterThan(0);
    }
  });

  it("goes on when the search thread was started again", async () => {
    await search.freeze();
    search.die();
    await vi.waitFor(async () => expect((await find("", 10)).total).toBe(RECORDS), 10_000);
  });
});

it("writes the log back when it is quiet", async () => {
  const wal = join(folder, "bindery.sqlite-wal");
  await writer.call("addUser", ["bob", "depositor"]);
  expect(statSync(wal).size).toBeGreaterThan(0);
  await vi.waitFor(() => expect(statSync(wal).size).toBe(0), 10_000);
});
