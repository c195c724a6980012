import { inspect } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { freePort } from "../../../../test/support/services/free-port.js";
import { dropIndexes, HAS_OPENSEARCH, newPrefix, searchUrl } from "../../../../test/support/services/opensearch.js";
import { createIndex, listIndexes, refreshIndexes, sendBulk } from "./indexes.js";
import { SearchRefusal } from "./map-error.js";
import { openSearchClient, type SearchClient } from "./search-client.js";

describe.runIf(HAS_OPENSEARCH)("the connection to OpenSearch", () => {
  let client: SearchClient;
  let prefix: string;
  let url: string;
  beforeAll(async () => {
    url = await searchUrl();
    client = openSearchClient({ urls: [url] });
    prefix = newPrefix();
  }, 120_000);
  afterAll(async () => {
    await client.close();
    await dropIndexes(url, prefix);
  });

  const definition = {
    settings: { "index.number_of_shards": 1, "index.number_of_replicas": 0, "index.refresh_interval": "-1" },
    mappings: { dynamic: false, properties: { n: { type: "long" }, k: { type: "keyword" } } },
  };

  it("makes an index once, and lists those of a prefix", async () => {
    expect(await createIndex(client, `${prefix}-a`, definition)).toBe(true);
    expect(await createIndex(client, `${prefix}-a`, definition)).toBe(false);
    expect(await listIndexes(client, `${prefix}-`)).toEqual([`${prefix}-a`]);
  });

  it("lets no older version of a document replace a newer one, and says which documents are refused", async () => {
    const index = `${prefix}-b`;
    await createIndex(client, index, definition);
    const put = (id: string, version: number, document: object) =>
      sendBulk(client, [{ index, id, version, document: JSON.stringify(document) }]);
    expect(await put("x", 5, { n: 5 })).toEqual([]);
    expect(await put("x", 4, { n: 4 })).toEqual([]);
    expect(await put("y", 1, { k: "a".repeat(40_000) })).toEqual([
      { index, id: "y", reason: expect.stringContaining("immense term") },
    ]);
    expect(await sendBulk(client, [{ index, id: "none", version: 6, removed: true }])).toEqual([]);
    expect(await put("none", 5, { n: 0 })).toEqual([]);
    await refreshIndexes(client, [index]);
    const found = await client.send<{ hits: { hits: unknown[] } }>({
      method: "POST",
      path: `/${index}/_search`,
      body: { _source: false, docvalue_fields: ["n"] },
    });
    expect(found.hits.hits).toMatchObject([{ _id: "x", fields: { n: [5] } }]);
  });

  it("sends what is too long for one request in several, and says which document is too long for any", async () => {
    const index = `${prefix}-large`;
    await createIndex(client, index, definition);
    const text = "a".repeat(8 * 1024 * 1024);
    const actions = function* (texts: readonly number[]) {
      for (const [at, times] of texts.entries()) {
        const document = JSON.stringify({ n: at, text: Array(times).fill(text) });
        yield { index, id: `${at}`, version: 1, document };
      }
    };
    expect(await sendBulk(client, actions(Array(14).fill(1)))).toEqual([]);
    expect(await sendBulk(client, actions([13, 1]))).toEqual([
      { index, id: "0", reason: expect.stringContaining("longer") },
    ]);
    await refreshIndexes(client, [index]);
    const path = `/${index}/_count`;
    expect((await client.send<{ readonly count: number }>({ method: "GET", path })).count).toBe(14);
  });

  it("takes no document for written that is for an index that is missing", async () => {
    const settings = (value: string | null) =>
      client.send({
        method: "PUT",
        path: "/_cluster/settings",
        body: { persistent: { "action.auto_create_index": value } },
      });
    await settings(`-${prefix}-gone,+*`);
    try {
      const action = { index: `${prefix}-gone`, id: "x", version: 1, document: "{}" };
      await expect(sendBulk(client, [action])).rejects.toMatchObject({
        code: "SEARCH_UNAVAILABLE",
        params: { reason: expect.stringContaining("bindery reindex") },
      });
    } finally {
      await settings(null);
    }
  });

  it("says that searches are not available where nobody answers, or the index is missing", async () => {
    const search = { method: "POST", path: `/${prefix}-missing/_search`, body: {} } as const;
    await expect(client.send(search)).rejects.toMatchObject({
      code: "SEARCH_UNAVAILABLE",
      params: { reason: expect.stringContaining("bindery reindex") },
    });
    const nobody = openSearchClient({ urls: [`http://127.0.0.1:${await freePort()}`] });
    await expect(nobody.send(search)).rejects.toMatchObject({ code: "SEARCH_UNAVAILABLE" });
    await nobody.close();
  });

  it("gives what was wrong with a request as OpenSearch says it", async () => {
    const search = { method: "POST", path: `/${prefix}-a/_search`, body: { query: { no_such_query: {} } } } as const;
    const refused = await client.send(search).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(SearchRefusal);
    expect(refused).toMatchObject({ status: 400, message: expect.stringContaining("no_such_query") });
  });

  it("keeps requests, which may be megabytes, out of errors and so out of logs", async () => {
    const body = { query: { term: { k: "confidential" } } };
    const failed = await client
      .send({ method: "POST", path: `/${prefix}-missing/_search`, body })
      .catch((error: unknown) => error);
    expect(inspect(failed, { depth: 10 })).toContain("index_not_found");
    expect(inspect(failed, { depth: 10 })).not.toContain("confidential");
  });

  it("gives a request up that nobody waits for any more", async () => {
    const search = { method: "POST", path: `/${prefix}-a/_search`, body: {} } as const;
    await expect(client.send({ ...search, signal: AbortSignal.abort() })).rejects.toThrow();
  });
});
