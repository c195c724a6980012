import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { WARNING_REPORTER } from "../../src/core/background.js";
import type { RecordBody } from "../../src/core/record.js";
import type { RecordPage, RecordSearch, TermSearch } from "../../src/ports/search-index.js";
import { text } from "../differential/clauses.js";
import { type ClusterEngine, clusterUnderTest } from "../support/engines/cluster-under-test.js";
import { putOne, tinyDraft, tinyRecord } from "../support/engines/engine-under-test.js";
import { openForEachTest } from "../support/engines/open-for-each-test.js";
import { HAS_OPENSEARCH } from "../support/services/opensearch.js";
import { HAS_POSTGRES } from "../support/services/postgres.js";

/** Changed records or terms that are judged beside the index. */
const OVERLAY_MAX = 5;

const PUBLIC = { kind: "public", models: ["tiny"] } as const;
const DRAFTS_OF_BEN = { kind: "readable", models: ["tiny"], user: "2" } as const;

/** The relay runs only where a test says so: what is written meanwhile the index does not have. */
describe.skipIf(!HAS_POSTGRES || !HAS_OPENSEARCH)("an index that is far behind its store", () => {
  const under = clusterUnderTest({ shards: 2, overlayMax: OVERLAY_MAX });
  let engine: ClusterEngine;
  openForEachTest(under, (opened) => {
    engine = opened;
  });

  const feed = async (): Promise<void> => {
    const relay = engine.search.startRelay(WARNING_REPORTER);
    while (await engine.indexSource.isBehind()) await sleep(10);
    await relay.stop();
  };
  const put = (...bodies: readonly RecordBody[]): Promise<void> =>
    engine.store.transaction(async (tx) => {
      for (const body of bodies) await putOne(engine, tx, body);
    });
  const numbered = (first: number, count: number): readonly RecordBody[] =>
    Array.from({ length: count }, (_, i) => tinyRecord(`r${first + i}`, { title: `number ${first + i}` }));
  const asked = (changes: Partial<RecordSearch>): RecordSearch => ({
    ...{ clause: text("number"), scope: PUBLIC, facets: [], sort: "oldest", page: { offset: 0, limit: 100 } },
    ...changes,
  });
  const search = (changes: Partial<RecordSearch> = {}): Promise<RecordPage> =>
    engine.index.searchRecords(asked(changes));
  const idsOf = ({ hits }: RecordPage): string => hits.map(({ id }) => id).join(" ");
  const exact = async (changes: Partial<RecordSearch> = {}): Promise<string> => {
    const found = await search({ ...changes, mayBeBehind: true });
    expect([found.behind, found.total]).toEqual([undefined, found.hits.length]);
    expect(idsOf(await search(changes))).toBe(idsOf(found));
    return idsOf(found);
  };
  const REFUSED = { code: "SEARCH_UNAVAILABLE" };

  it("answers without the last changes and says so, where it is asked to; else it refuses", async () => {
    await put(...numbered(0, 4));
    await feed();
    await put(...numbered(4, OVERLAY_MAX));
    expect(await exact()).toBe("r0 r1 r2 r3 r4 r5 r6 r7 r8");
    await put(...numbered(9, 1));
    await expect(search()).rejects.toMatchObject(REFUSED);
    const snapshot = await engine.index.openSnapshot();
    await expect(snapshot.index.searchRecords(asked({ mayBeBehind: true }))).rejects.toMatchObject(REFUSED);
    snapshot.close();
    const found = await search({ mayBeBehind: true });
    expect([idsOf(found), found.total, found.behind]).toEqual(["r0 r1 r2 r3", 4, OVERLAY_MAX + 1]);
    await feed();
    expect(await exact()).toBe("r0 r1 r2 r3 r4 r5 r6 r7 r8 r9");
  });

  it("judges no more bytes beside it than as many records have as may be judged", async () => {
    await put(...numbered(0, 1));
    await feed();
    const large = (id: string) => tinyRecord(id, { title: `number ${"yyyyyyyyy ".repeat(9_000)}` });
    await put(large("l1"));
    expect(await exact()).toBe("r0 l1");
    await put(large("l2"));
    await expect(search()).rejects.toMatchObject(REFUSED);
    const found = await search({ mayBeBehind: true });
    expect([idsOf(found), found.total, found.behind]).toEqual(["r0", 1, 2]);
    await feed();
    expect(await exact()).toBe("r0 l1 l2");
  });

  it("shows nobody what was withdrawn, handed over or is shared no more, and the bodies of now", async () => {
    const ofBen = { parent: { id: "p", owner: { user: "2" } } };
    await put(...numbered(0, 4), tinyDraft("own", { title: "number" }, ofBen), tinyDraft("given", { title: "number" }));
    await engine.store.transaction(({ shares }) => shares.put("given", "2", "read"));
    await feed();
    expect(await exact({ scope: DRAFTS_OF_BEN })).toBe("r0 r1 r2 r3 own given");
    await put(...numbered(10, OVERLAY_MAX));
    await engine.store.transaction(async (tx) => {
      await tx.records.delete("r1", "published");
      await tx.shares.delete("given", "2");
      await putOne(engine, tx, tinyDraft("own", { title: "number" }));
      await putOne(engine, tx, tinyRecord("r2", { title: "other" }, { versions: OLD }));
      await putOne(engine, tx, tinyRecord("r3", { title: "number three" }));
    });
    const found = await search({ scope: DRAFTS_OF_BEN, mayBeBehind: true });
    expect(idsOf(found)).toBe("r0 r3");
    expect(found.hits[1]!.json).toContain("number three");
    // The total is the index's.
    expect([found.total, found.behind! > OVERLAY_MAX]).toEqual([6, true]);
  });

  const OLD = { index: 1, is_latest: false, is_latest_draft: false };

  it("goes on by cursors, though hits are missing from the pages", async () => {
    await put(...numbered(0, 6));
    await feed();
    await put(...numbered(10, OVERLAY_MAX));
    await engine.store.transaction(async ({ records }) => {
      for (const id of ["r0", "r1", "r3"]) await records.delete(id, "published");
    });
    const pages: string[] = [];
    for (let after: RecordPage["next"] | null = null; after !== undefined; ) {
      const found: RecordPage = await search({ mayBeBehind: true, page: { after, limit: 2 } });
      pages.push(idsOf(found));
      after = found.next;
    }
    expect(pages).toEqual(["", "r2", "r4 r5"]);
  });

  it("answers nothing where far more has changed", async () => {
    await put(...numbered(0, 1));
    await feed();
    await put(...numbered(1, 10 * OVERLAY_MAX));
    expect((await search({ mayBeBehind: true })).behind).toBe(10 * OVERLAY_MAX);
    await put(...numbered(100, 1));
    await expect(search({ mayBeBehind: true })).rejects.toMatchObject(REFUSED);
    await feed();
    expect((await search()).total).toBe(2 + 10 * OVERLAY_MAX);
  });

  it("answers for terms alike, and for records exactly beside them", async () => {
    const putTerms = (ids: readonly string[]): Promise<void> =>
      engine.store.transaction(async ({ terms }) => {
        for (const id of ids) {
          await terms.put("species", { id, title: { en: `Name ${id}` }, synonyms: [], props: {}, status: "active" });
        }
      });
    const ids = (first: number, count: number) => Array.from({ length: count }, (_, i) => `sp:${first + i}`);
    await put(...numbered(0, 1));
    await putTerms(ids(10, 2));
    await feed();
    await putTerms(ids(20, OVERLAY_MAX + 1));
    const common = { vocabulary: "species", facets: [], lang: "en", page: { offset: 0, limit: 100 } } as const;
    const searching: TermSearch = { ...common, clause: text("name"), sort: "title" };
    await expect(engine.index.searchTerms(searching)).rejects.toMatchObject(REFUSED);
    await expect(engine.index.suggestTerms({ ...common, text: "nam" })).rejects.toMatchObject(REFUSED);
    const found = await engine.index.searchTerms({ ...searching, mayBeBehind: true });
    const offered = await engine.index.suggestTerms({ ...common, text: "nam", mayBeBehind: true });
    for (const { hits, total, behind } of [found, offered]) {
      expect([hits.map(({ id }) => id), total, behind]).toEqual([["sp:10", "sp:11"], 2, OVERLAY_MAX + 1]);
    }
    expect(await exact()).toBe("r0");
    await feed();
    const all = await engine.index.searchTerms({ ...searching, mayBeBehind: true });
    expect([all.total, all.behind]).toEqual([OVERLAY_MAX + 3, undefined]);
  });
});
