import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openSearchClient, type SearchClient } from "../../src/engines/opensearch/connection/search-client.js";
import type { TestUser } from "../support/bindery.js";
import { deposit, eventually, publish } from "../support/deposit.js";
import type { Client } from "../support/http-client.js";
import { makeRecord } from "../support/records.js";
import { startTwoNodes, type TwoNodes } from "../support/service.js";
import { dropIndexes, HAS_OPENSEARCH, newPrefix, searchUrl } from "../support/services/opensearch.js";
import { HAS_POSTGRES } from "../support/services/postgres.js";

/** The least that can be set. */
const OVERLAY_MAX = 100;

interface Found {
  readonly hits: { readonly total: number };
  readonly index?: { readonly behind: number };
}

describe.skipIf(!HAS_POSTGRES || !HAS_OPENSEARCH)("a service whose index takes nothing for a while", () => {
  const prefix = newPrefix();
  let service: TwoNodes;
  let client: SearchClient;
  let ada: TestUser;
  let other: Client;

  beforeAll(async () => {
    const url = await searchUrl();
    client = openSearchClient({ urls: [url] });
    const index = { BINDERY_SEARCH_URL: url, BINDERY_SEARCH_PREFIX: prefix, BINDERY_OVERLAY_MAX: String(OVERLAY_MAX) };
    service = await startTwoNodes(index);
    ada = await service.user("ada");
    other = service.nodes[1];
  }, 120_000);
  afterAll(async () => {
    await service?.dispose();
    await client.close();
    await dropIndexes(await searchUrl(), prefix);
  });

  const block = (isBlocked: boolean) =>
    client.send({ method: "PUT", path: `/${prefix}-*/_settings`, body: { "index.blocks.write": isBlocked } });
  const behindOf = async (): Promise<number> =>
    (await other.get<{ index: { behind_changes: number } }>("/readyz")).body.index.behind_changes;

  it("answers searches without the last changes, says so, and lets nobody keep them", {
    timeout: 300_000,
  }, async () => {
    const search = "/api/records/mst?facets=none";
    const first = await publish(ada.client, makeRecord(0));
    await eventually(async () => expect(await behindOf()).toBe(0));
    // From the second request on the answer is kept.
    for (let n = 0; n < 3; n++) expect((await other.get<Found>(search)).body.hits.total).toBe(1);
    await block(true);
    for (let n = 1; n <= OVERLAY_MAX; n++) await publish(ada.client, makeRecord(n));
    expect((await other.get<Found>(search)).body).toMatchObject({ hits: { total: OVERLAY_MAX + 1 } });
    await publish(ada.client, makeRecord(OVERLAY_MAX + 1));
    // Everybody may read how far the index is behind: drafts are not counted.
    for (let n = 0; n < 3; n++) await deposit(ada.client, makeRecord(n));
    expect(await behindOf()).toBe(OVERLAY_MAX + 1);

    for (let n = 0; n < 3; n++) {
      const { status, headers, body } = await other.get<Found>(search);
      expect([status, body.hits.total]).toEqual([200, 1]);
      expect(headers["bindery-index"]).toBe(`behind=${body.index!.behind}`);
      expect(body.index!.behind).toBe(OVERLAY_MAX + 1);
      expect([headers["cache-control"], headers.etag]).toEqual(["private, no-store", undefined]);
    }
    const ready = await other.get<{ index: { warning?: string } }>("/readyz");
    expect([ready.status, ready.body.index.warning]).toEqual([200, expect.stringContaining("behind")]);
    for (const path of ["/", "/search", "/records/mst?q=lysozyme", "/vocabularies/organisms/taxid:562"]) {
      const page = await other.get(path, { headers: { accept: "text/html" } });
      expect(page.status, path).toBe(200);
      expect(page.text, path).toContain("The search index is catching up");
    }
    // What has to be whole is refused; what is asked for by its id is right.
    expect((await other.get(`${search}&format=ndjson`)).status).toBe(503);
    expect((await other.get(`/api/records/mst?ids=${first.id}`)).status).toBe(503);
    expect((await other.get(`/api/records/mst/${first.id}`)).status).toBe(200);

    await block(false);
    // The relay pauses longer after each error.
    await eventually(async () => expect((await other.get<Found>(search)).body.index).toBeUndefined(), 60_000);
    const { headers, body } = await other.get<Found>(search);
    expect([headers["bindery-index"], body.hits.total]).toEqual([undefined, OVERLAY_MAX + 2]);
    expect((await other.get("/search", { headers: { accept: "text/html" } })).text).not.toContain("is catching up");
  });
});
