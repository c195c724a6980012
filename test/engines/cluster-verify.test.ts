import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { StoreAdmin } from "../../src/ports/store-admin.js";
import { type ClusterEngine, clusterUnderTest } from "../support/engines/cluster-under-test.js";
import { contractCatalog, makeClock, putAll, tinyDraft, tinyRecord } from "../support/engines/engine-under-test.js";
import { fillStore } from "../support/engines/fill-store.js";
import { item, putTerms } from "../support/engines/term-fixtures.js";
import { HAS_OPENSEARCH, searchUrl } from "../support/services/opensearch.js";
import { HAS_POSTGRES } from "../support/services/postgres.js";

const SILENT = (): void => undefined;

describe.skipIf(!HAS_POSTGRES || !HAS_OPENSEARCH)("a verification of store and index", { timeout: 120_000 }, () => {
  const under = clusterUnderTest({ shards: 2, stepMs: 20 });
  let engine: ClusterEngine;
  let admin: StoreAdmin;
  beforeEach(async () => {
    engine = await under.open({ catalog: contractCatalog(), clock: makeClock() });
    admin = engine.search.adminOf(engine.admin, engine.store);
  }, 120_000);
  afterEach(async () => {
    await engine.close();
    await under.cleanUp();
  });

  const untilLevel = async (): Promise<void> => {
    while (await engine.indexSource.isBehind()) await sleep(20);
  };

  /** Changes a document behind the back of the relay, with a version that it will not be behind. */
  const meddle = async (method: "PUT" | "DELETE", place: string, id: string, document?: object): Promise<void> => {
    const { name, applied } = (await engine.indexSource.states())[0]!;
    const body = document === undefined ? {} : { body: JSON.stringify(document) };
    const path = `${name}-${place}/_doc/${encodeURIComponent(id)}`;
    const answer = await fetch(
      `${await searchUrl()}/${path}?version=${applied}&version_type=external_gte&refresh=true`,
      { method, headers: { "content-type": "application/json" }, ...body },
    );
    expect(answer.ok).toBe(true);
  };

  it("finds that all agrees, while the index follows and where it is behind", async () => {
    await fillStore(engine, 40);
    expect((await admin.verify(SILENT)).findings).toEqual([]);
    await untilLevel();
    const { findings, notes } = await admin.verify(SILENT);
    expect([findings, notes]).toEqual([[], []]);
  });

  it("finds and mends documents that are missing, that are others, or of nothing in the store", async () => {
    await putTerms(engine, [item("sp:1", "Alpha"), item("sp:2", "Beta", { parent: "sp:1" })]);
    await putAll(engine, [
      tinyRecord("a", { title: "one" }),
      tinyDraft("d", { title: "two" }),
      tinyRecord("b", { title: "three", organism: { id: "sp:2" } }),
      tinyRecord("c", { title: "four" }),
    ]);
    await untilLevel();
    await meddle("DELETE", "records", "d~draft");
    await meddle("PUT", "records", "b~published", { id: "b", state: "published", row: 3, sum: "other" });
    await meddle("PUT", "records", "z~published", { id: "z", state: "published", row: 2, sum: "stray" });
    await meddle("DELETE", "terms-species", "sp:2");
    await meddle("PUT", "terms-species", "sp:9", { id: "sp:9", sum: "stray" });

    const { before, repaired, after } = await admin.repair(SILENT);
    expect(before.counts).toEqual({ "index.records": 3, "index.terms": 2 });
    expect(before.findings.map(({ where, found, place }) => `${where}: ${found}, ${place}`).sort()).toEqual([
      "b (published): another, between",
      "d (draft): none, between",
      "species/sp:2: none, between",
      "species/sp:9: a document, between",
      "z (published): a document, between",
    ]);
    expect(repaired).toEqual({ "index.records": 3, "index.terms": 2 });
    expect([after.counts, after.findings]).toEqual([{}, []]);
    const audited = await engine.store.audit.list({ limit: 10 });
    expect(audited.map(({ action, place, times }) => `${action} ${place} ${times}`)).toEqual(
      expect.arrayContaining(["store.repair index.records 3", "store.repair index.terms 2"]),
    );
  });

  it("finds that it cannot compare where the index does not answer", async () => {
    const { name } = (await engine.indexSource.states())[0]!;
    await fetch(`${await searchUrl()}/${name}-records`, { method: "DELETE" });
    const { counts, findings } = await admin.verify(SILENT);
    expect(counts).toEqual({ "index.available": 1 });
    // Whoever feeds it may have noticed already.
    expect(findings[0]).toMatchObject({
      place: "index",
      found: expect.stringMatching(/bindery reindex|is being made/u),
    });
    await expect.poll(() => admin.verify(SILENT), { timeout: 30_000 }).toMatchObject({ findings: [], notes: [] });
  });
});
