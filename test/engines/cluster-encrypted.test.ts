import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Bindery, startBindery } from "../support/bindery.js";
import { eventually, publish } from "../support/deposit.js";
import type { SearchBody } from "../support/http-client.js";
import { LOCALHOST_CERTIFICATE } from "../support/localhost-certificate.js";
import { makeRecord } from "../support/records.js";
import { type HttpsFront, startHttpsFront } from "../support/services/https-front.js";
import { HAS_OPENSEARCH, searchUrl } from "../support/services/opensearch.js";
import { HAS_POSTGRES } from "../support/services/postgres.js";
import { newSharedStore, type SharedStore } from "../support/services/shared-store.js";

const PASSWORD = "S3cret-word";
const WRONG = "Wr0ng-word";

describe.skipIf(!HAS_POSTGRES || !HAS_OPENSEARCH)("a service whose OpenSearch wants https and a password", () => {
  let folder: string;
  let shared: SharedStore;
  let front: HttpsFront;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "bindery-encrypted-"));
    shared = await newSharedStore(folder);
    front = await startHttpsFront(await searchUrl(), "bindery", PASSWORD);
    writeFileSync(join(folder, "ca.pem"), LOCALHOST_CERTIFICATE.cert);
  }, 120_000);
  afterAll(async () => {
    await front?.close();
    await shared?.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Runs a service, then says all that it, `status` and `config` have printed. */
  const withService = async (url: string, work: (service: Bindery) => Promise<void>): Promise<string> => {
    const file = join(folder, "search-url");
    writeFileSync(file, `${url}\n`);
    const { BINDERY_SEARCH_URL: _, ...env } = shared.env;
    const search = { BINDERY_SEARCH_URL_FILE: file, BINDERY_SEARCH_CA: join(folder, "ca.pem") };
    const service = await startBindery({ env: { ...env, ...search, BINDERY_LOG_LEVEL: "debug" } });
    try {
      await work(service);
      const said = [
        await service.cli("status"),
        await service.cli("config"),
        (await service.client.get("/readyz")).text,
      ];
      return `${service.output()}${JSON.stringify(said)}`;
    } finally {
      await service.dispose();
    }
  };

  it("says that it is refused where the password is wrong, and shows it nowhere", async () => {
    const shown = await withService(front.urlFor("bindery", WRONG), async ({ client, output }) => {
      expect((await client.get("/api/records/")).status).toBe(503);
      await eventually(async () => expect(output()).toContain("refuses the user or the password"));
    });
    expect(shown).toContain("Feeding the search index from the store failed");
    expect(shown).not.toContain(WRONG);
  }, 60_000);

  it("starts where the URL lacks the encryption, and says what to do", async () => {
    const shown = await withService(front.urlFor("bindery", PASSWORD).replace("https:", "http:"), async (service) => {
      const { client, output } = service;
      await eventually(async () => expect(output()).toContain("BINDERY_SEARCH_URL has to begin with https://"));
      const searched = await client.get<{ readonly message: string }>("/api/records/");
      expect(searched).toMatchObject({ status: 503, body: { code: "SEARCH_UNAVAILABLE" } });
      const { client: depositor } = await service.user("ada");
      expect((await depositor.post("/api/records/mst/", makeRecord(2))).status).toBe(201);
      expect((await client.get("/readyz")).text).toContain("BINDERY_SEARCH_URL has to begin with https://");
    });
    expect(shown).not.toContain(PASSWORD);
  }, 60_000);

  it("searches with the right one, and shows it nowhere", async () => {
    const shown = await withService(front.urlFor("bindery", PASSWORD), async (service) => {
      while ((await service.client.get("/api/records/")).status === 503) await sleep(50);
      const { client } = await service.user("ada");
      const { id } = await publish(client, makeRecord(1));
      expect((await client.get<SearchBody>(`/api/records/?q=id:${id}`)).body.hits.total).toBe(1);
    });
    expect(shown).toContain("used by searches");
    expect(shown).not.toContain(PASSWORD);
  }, 60_000);
});
