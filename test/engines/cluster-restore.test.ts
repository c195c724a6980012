import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type BackgroundReporter, WARNING_REPORTER } from "../../src/core/background.js";
import type { Catalog } from "../../src/core/catalog/types.js";
import { openSearchClient } from "../../src/engines/opensearch/connection/search-client.js";
import { makeSearchEngine, openOpenSearch } from "../../src/engines/opensearch/index.js";
import { openPool, openPostgres, type PostgresEngine } from "../../src/engines/postgres/index.js";
import type { SeparateIndex } from "../../src/engines/separate-index/index.js";
import type { IndexRelay } from "../../src/engines/separate-index/relay/index-relay.js";
import { beginWriting, ForeignIndexError } from "../../src/engines/separate-index/relay/index-set.js";
import type { IndexState } from "../../src/ports/index-source.js";
import { text } from "../differential/clauses.js";
import { contractCatalog, makeClock, putAll, tinyRecord } from "../support/engines/engine-under-test.js";
import { dropIndexes, HAS_OPENSEARCH, newPrefix, searchUrl } from "../support/services/opensearch.js";
import { copyDatabase, dropDatabase, HAS_POSTGRES, newDatabase } from "../support/services/postgres.js";
import { testSecrets } from "../support/test-secrets.js";
import { withFacets } from "../support/with-facets.js";

/** A service, whose relay runs where a test says so. */
interface Node {
  readonly pool: Awaited<ReturnType<typeof openPool>>;
  readonly store: PostgresEngine;
  readonly search: SeparateIndex;
}

const REFUSED = { code: "SEARCH_UNAVAILABLE" };
const RETIRE_MS = 300;

describe.skipIf(!HAS_POSTGRES || !HAS_OPENSEARCH)("an index beside a database", { timeout: 120_000 }, () => {
  let prefix: string;
  let databases: string[];
  let closings: (() => Promise<void>)[];
  let heard: string[];
  const background: BackgroundReporter = {
    ...WARNING_REPORTER,
    onBackgroundError: (_, error) => {
      if (error instanceof ForeignIndexError) heard.push(error.message);
    },
  };

  beforeEach(async () => {
    prefix = newPrefix();
    databases = [await newDatabase()];
    closings = [];
    heard = [];
  });
  afterEach(async () => {
    await closeAll();
    for (const database of databases) await dropDatabase(database);
    await dropIndexes(await searchUrl(), prefix);
  });

  const closeAll = async (): Promise<void> => {
    for (const close of closings.splice(0).reverse()) await close();
  };
  const openNode = async (database: string, catalog = contractCatalog(), retireMs = RETIRE_MS): Promise<Node> => {
    const pool = await openPool({ url: database, connections: 8 });
    const store = await openPostgres({ pool, catalog, clock: makeClock(), migrates: true, secrets: testSecrets() });
    const search = openOpenSearch({
      ...{ urls: [await searchUrl()], source: store.indexSource, catalog, prefix, shards: 1 },
      ...{ overlayMax: 100, searchTimeoutMs: 60_000, stepMs: 0, retireMs },
    });
    closings.push(async () => {
      await search.close();
      await store.close();
    });
    return { pool, store, search };
  };
  const startRelay = ({ search }: Node): IndexRelay => {
    const relay = search.startRelay(background);
    closings.push(() => relay.stop());
    return relay;
  };
  const isLevel = async ({ store: { indexSource } }: Node, name: string): Promise<void> => {
    for (;;) {
      const [current] = (await indexSource.states()).filter(({ isCurrent }) => isCurrent);
      const view = await indexSource.openView();
      await view.close();
      if (current?.name === `${prefix}-${name}` && current.applied >= view.head) return;
      await sleep(10);
    }
  };
  const copyOf = async (database: string): Promise<string> => {
    const copy = await copyDatabase(database);
    databases.push(copy);
    return copy;
  };
  const put = ({ store }: Node, id: string, title: string, revision = 1): Promise<void> =>
    putAll(store, [tinyRecord(id, { title }, { revision_id: revision })]);
  const find = async ({ search }: Node, word: string): Promise<string> => {
    const { hits, total } = await search.index.searchRecords({
      ...{ clause: text(word), scope: { kind: "public", models: ["tiny"] }, facets: [], sort: "oldest" },
      page: { offset: 0, limit: 100 },
    });
    expect(hits.length).toBe(total);
    return hits.map(({ id }) => id).join(" ");
  };
  const statesOf = async ({ store }: Node): Promise<readonly string[]> =>
    (await store.indexSource.states()).map(({ name }) => name.slice(prefix.length + 1));
  const indexesOf = async (name: string): Promise<readonly unknown[]> => {
    const answer = await fetch(`${await searchUrl()}/_cat/indices/${prefix}-${name}-*?format=json`);
    return (await answer.json()) as readonly unknown[];
  };

  /** A database with three records in its index, and the copy of it. @returns the URL of the copy */
  const writeAndCopy = async (): Promise<string> => {
    const node = await openNode(databases[0]!);
    startRelay(node);
    for (const n of [0, 1, 2]) await put(node, `r${n}`, `number ${n}`);
    await isLevel(node, "1");
    await closeAll();
    return copyOf(databases[0]!);
  };

  it("is not asked after the database was put back, and another one is made", async () => {
    const older = await writeAndCopy();
    const lost = await openNode(databases[0]!);
    startRelay(lost);
    await put(lost, "r0", "lost 0", 2);
    await put(lost, "r3", "lost 3");
    await put(lost, "r4", "lost 4");
    await isLevel(lost, "1");
    expect(await find(lost, "lost")).toBe("r0 r3 r4");
    await closeAll();

    const node = await openNode(older);
    await expect(find(node, "lost")).rejects.toMatchObject(REFUSED);
    await expect(node.search.index.openSnapshot()).rejects.toMatchObject(REFUSED);
    // With the numbers of the changes that are lost.
    await put(node, "r1", "kept 1", 2);
    await put(node, "r3", "kept 3");
    await expect(find(node, "kept")).rejects.toMatchObject(REFUSED);
    startRelay(node);
    await isLevel(node, "2");
    expect(await find(node, "lost")).toBe("");
    expect(await find(node, "number")).toBe("r0 r2");
    expect(await find(node, "kept")).toBe("r1 r3");
    await put(node, "r4", "kept 4");
    expect(await find(node, "kept")).toBe("r1 r3 r4");
    expect([await statesOf(node), heard]).toEqual([["2"], [expect.stringContaining(`${prefix}-1`)]]);
  });

  it("goes on where the database that was put back has all that was ever sent to it", async () => {
    const node = await openNode(await writeAndCopy());
    expect(await find(node, "number")).toBe("r0 r1 r2");
    startRelay(node);
    await put(node, "r3", "number 3");
    await isLevel(node, "1");
    expect(await find(node, "number")).toBe("r0 r1 r2 r3");
    expect([await statesOf(node), heard]).toEqual([["1"], []]);
  });

  it("is not taken for another one of its name", async () => {
    const copy = await writeAndCopy();
    await dropIndexes(await searchUrl(), prefix);
    const other = await openNode(databases[0]!);
    startRelay(other);
    while (heard.length === 0) await sleep(10);
    await isLevel(other, "1");
    expect(await find(other, "number")).toBe("r0 r1 r2");
    await closeAll();
    const node = await openNode(copy);
    await expect(find(node, "number")).rejects.toMatchObject(REFUSED);
    startRelay(node);
    await isLevel(node, "2");
    expect(await find(node, "number")).toBe("r0 r1 r2");
  });

  it("is not asked by a service whose tables are put back while it runs", async () => {
    await writeAndCopy();
    const node = await openNode(databases[0]!);
    expect(await find(node, "number")).toBe("r0 r1 r2");
    await node.pool.run("CREATE TABLE index_before AS TABLE index_state");
    const relay = startRelay(node);
    await put(node, "r3", "number 3");
    await isLevel(node, "1");
    await relay.stop();
    expect(await find(node, "number")).toBe("r0 r1 r2 r3");
    const columns = "name, current, made, begun, applied, scanned, epoch";
    await node.pool.run("TRUNCATE index_state");
    await node.pool.run(`INSERT INTO index_state(${columns}) SELECT ${columns} FROM index_before`);
    await expect(find(node, "number")).rejects.toMatchObject(REFUSED);
  });

  const send = async (method: string, path: string, body?: object): Promise<void> => {
    const headers = { "content-type": "application/json" };
    const asked = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
    expect((await fetch(`${await searchUrl()}/${prefix}-${path}`, asked)).ok).toBe(true);
  };

  it("is not asked after OpenSearch was put back, and another one is made", async () => {
    await writeAndCopy();
    const [{ epoch, applied }] = (await (await openNode(databases[0]!)).store.indexSource.states()) as [IndexState];
    expect(applied).toBe(3);
    // As far as it was when it had two of the three.
    await send("PUT", "1-mark/_doc/mark", { epoch, begun: 2 });
    const node = await openNode(databases[0]!);
    await expect(find(node, "number")).rejects.toMatchObject(REFUSED);
    await put(node, "r3", "number 3");
    startRelay(node);
    await isLevel(node, "2");
    expect(await find(node, "number")).toBe("r0 r1 r2 r3");
    expect(heard).toEqual([expect.stringContaining("OpenSearch was restored")]);
  });

  it("is fed no more once its mark is below what searches show", async () => {
    await writeAndCopy();
    const { store } = await openNode(databases[0]!);
    const client = openSearchClient({ urls: [await searchUrl()] });
    const { driver } = makeSearchEngine(client, { catalog: contractCatalog() });
    closings.push(() => driver.close());
    const [{ name, epoch }] = (await store.indexSource.states()) as [IndexState];
    await beginWriting({ source: store.indexSource, driver }, name, 3);
    await send("PUT", "1-mark/_doc/mark", { epoch, begun: 2 });
    await expect(beginWriting({ source: store.indexSource, driver }, name, 4)).rejects.toThrow(ForeignIndexError);
  });

  it("is made anew where a part of it was removed, also one that OpenSearch has made again by itself", async () => {
    await writeAndCopy();
    const node = await openNode(databases[0]!);
    await send("DELETE", "1-terms-species");
    await send("PUT", "1-terms-species/_doc/sp:1", { id: "sp:1" });
    startRelay(node);
    await isLevel(node, "2");
    await send("DELETE", "2-records");
    await isLevel(node, "3");
    expect(await find(node, "number")).toBe("r0 r1 r2");
    expect(heard).toEqual([expect.stringContaining(`${prefix}-1`), expect.stringContaining(`${prefix}-2`)]);
  });

  it("is no lost one where a reindex drops it while it is fed", async () => {
    await writeAndCopy();
    const node = await openNode(databases[0]!);
    const ending = new AbortController();
    const interrupted = node.search.reindex(
      { shards: 2 },
      ({ what }) => what === "records" && ending.abort(),
      ending.signal,
    );
    await expect(interrupted).rejects.toThrow();
    expect(await statesOf(node)).toEqual(["1", "2"]);
    startRelay(node);
    await isLevel(node, "1");
    const connection = await node.pool.connect();
    await connection.script("BEGIN");
    await connection.run("DELETE FROM index_state WHERE name = $1", [`${prefix}-2`]);
    await put(node, "r3", "number 3");
    while ((await connection.rows("SELECT FROM pg_locks WHERE NOT granted")).length === 0) await sleep(5);
    await connection.script("COMMIT");
    connection.release();
    await put(node, "r4", "number 4");
    await isLevel(node, "1");
    expect([await statesOf(node), heard]).toEqual([["1"], []]);
  });

  const otherCatalog = (): Catalog =>
    withFacets(contractCatalog(), [{ name: "another", label: "Another", path: "metadata.title", kind: "terms" }]);

  it("that was made for another catalog is not fed beside the one of this catalog", async () => {
    await writeAndCopy();
    const node = await openNode(databases[0]!, otherCatalog(), 600_000);
    startRelay(node);
    await isLevel(node, "2");
    await put(node, "r3", "number 3");
    await isLevel(node, "2");
    const applied = (await node.store.indexSource.states()).map((state) => state.applied);
    expect(applied).toEqual([3, 4]);
    expect(await find(node, "number")).toBe("r0 r1 r2 r3");
  });

  it("is asked by services of its catalog as long as there are any, beside the one of the next catalog", async () => {
    await writeAndCopy();
    const old = await openNode(databases[0]!);
    const oldRelay = startRelay(old);
    const next = await openNode(databases[0]!, otherCatalog(), 600_000);
    await expect(find(next, "number")).rejects.toMatchObject(REFUSED);
    const asked = async ({ search, store }: Node): Promise<readonly unknown[]> => {
      const all = await search.adminOf(store.admin, store.store).indexes();
      return all.map(({ name, isCurrent }) => [name.slice(prefix.length + 1), isCurrent]);
    };
    expect(await asked(next)).toEqual([["1", false]]);
    const made = await next.search.reindex({ retireMs: 0, stepMs: 0 }, () => undefined);
    expect(made.name).toBe(`${prefix}-2`);
    expect([await asked(old), await asked(next)]).toEqual([
      [
        ["1", true],
        ["2", false],
      ],
      [
        ["2", true],
        ["1", false],
      ],
    ]);
    const titles = ["r0", "r1", "r2"];
    const both = async (): Promise<void> => {
      for (const node of [old, next]) expect(await find(node, "number")).toBe(titles.join(" "));
    };
    await both();
    for (const id of ["r3", "r4"]) {
      await put(next, id, `number ${id}`);
      titles.push(id);
      await both();
    }
    const appliedTo = async () => (await old.store.indexSource.states()).map(({ applied }) => applied);
    while ((await appliedTo())[0] !== 5) await sleep(10);
    expect(await appliedTo()).toEqual([5, 3]);
    await oldRelay.stop();
    startRelay(next);
    await put(old, "r5", "number r5");
    titles.push("r5");
    await isLevel(next, "2");
    await both();
    expect([await appliedTo(), await statesOf(next), heard]).toEqual([[5, 6], ["1", "2"], []]);
  });

  it("that was made for another catalog is removed when no search can ask it any more", async () => {
    await writeAndCopy();
    const node = await openNode(databases[0]!, otherCatalog());
    startRelay(node);
    await isLevel(node, "2");
    while ((await statesOf(node)).length > 1) await sleep(20);
    expect(await statesOf(node)).toEqual(["2"]);
    while ((await indexesOf("1")).length > 0) await sleep(20);
    expect(await find(node, "number")).toBe("r0 r1 r2");
    expect(heard).toEqual([]);
  });
});
