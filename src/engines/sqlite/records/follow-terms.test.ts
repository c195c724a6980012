import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { eventually } from "../../../../test/support/deposit.js";
import {
  contractCatalog,
  makeClock,
  putAll,
  tinyDraft,
  tinyRecord,
} from "../../../../test/support/engines/engine-under-test.js";
import type { ChangePlace } from "../../../core/feed/feed.js";
import type { TermContent } from "../../../core/term.js";
import type { RecordScope, RecordSearch } from "../../../ports/search-index.js";
import type { Clause } from "../../../query/index-model/clause.js";
import { openSqlite, type SqliteEngine } from "../index.js";

let folder: string;
let engine: SqliteEngine;
const open = (tendsIndex = false): SqliteEngine =>
  openSqlite({
    folder,
    catalog: contractCatalog(),
    clock: makeClock(),
    role: "writer",
    searchTimeoutMs: 5_000,
    fewRows: 2,
    runsReindexing: tendsIndex,
  });
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "bindery-follow-"));
  engine = open();
});
afterEach(async () => {
  await engine.close();
  rmSync(folder, { recursive: true, force: true });
});

const put = (id: string, title: string, more: Partial<TermContent> = {}) =>
  engine.store.transaction((tx) =>
    tx.terms.put("species", { id, title: { en: title }, props: {}, status: "active", ...more }),
  );
const replaced = (id: string, title: string, by: string) => put(id, title, { status: "deprecated", replaced_by: by });
const citing = (id: string) => ({ organism: { id, title: { en: `Title of ${id} when it was cited` } } });

const PUBLIC: RecordScope = { kind: "public", models: ["tiny"] };
const search = (clause: Clause, scope: RecordScope = PUBLIC, facets: RecordSearch["facets"] = []) =>
  engine.index.searchRecords({ clause, scope, facets, sort: "newest", page: { offset: 0, limit: 1_000 } });
const idsOf = async (clause: Clause, scope?: RecordScope): Promise<string> =>
  (await search(clause, scope)).hits.map(({ id }) => id).join(" ");
const cites = (id: string, within = false): Clause => ({ kind: "cites", vocabularies: ["species"], id, within });
const words = (...all: string[]): Clause => ({ kind: "words", place: { in: "text" }, words: all });
const titled = (word: string): Clause => ({
  kind: "words",
  place: { in: "paths", paths: ["metadata.organism.title.en"] },
  words: [word],
});
const counted = async (kind: "terms" | "tree"): Promise<Record<string, number>> => {
  const buckets = kind === "terms" ? ({ kind } as const) : ({ kind, vocabulary: "species" } as const);
  const facet = { name: "organism", buckets, paths: ["metadata.organism.id"], size: 20, selected: [] };
  const { facets } = await search({ kind: "everything" }, PUBLIC, [facet]);
  return Object.fromEntries(facets[0]!.buckets.map(({ key, count }) => [key, count]));
};
const changesAfter = async (after: ChangePlace): Promise<readonly string[]> => {
  const { changes, isEnd } = await engine.store.changes.page({ after, limit: 1_000 });
  expect(isEnd).toBe(true);
  return changes.map(({ kind, action, id }) => `${kind} ${action} ${id}`);
};
const verified = async () => {
  const { findings, notes } = await engine.admin.verify(() => undefined);
  return { findings, notes };
};

describe("records that cite a replaced term", () => {
  beforeEach(async () => {
    await put("sp:9", "Genus");
    await put("sp:1", "Vetus", { synonyms: [{ name: "Antiquus", kind: "synonym" }] });
    await put("sp:2", "Novus", { parent: "sp:9", synonyms: [{ name: "Recens", kind: "synonym" }] });
    await putAll(engine, [
      tinyRecord("a", citing("sp:1")),
      tinyRecord("b", citing("sp:2")),
      tinyDraft("c", citing("sp:1")),
    ]);
    const synonyms = [{ name: "Antiquus", kind: "synonym" }];
    await put("sp:1", "Vetus", { status: "deprecated", replaced_by: "sp:2", synonyms });
  });

  it("are found under the successor: by its id, below what it is below, in facets and by its words", async () => {
    expect(await idsOf(cites("sp:2"))).toBe("b a");
    expect(await idsOf(cites("sp:1"))).toBe("a");
    expect(await idsOf(cites("sp:9", true))).toBe("b a");
    expect(await idsOf(cites("sp:1", true))).toBe("a");
    expect(await idsOf(cites("sp:2"), { kind: "owner", owner: "1", models: ["tiny"] })).toMatch(/c/);
    expect(await counted("terms")).toEqual({ "sp:2": 2 });
    expect(await counted("tree")).toEqual({ "sp:2": 2 });
    for (const word of ["novus", "recens"]) expect(await idsOf(words(word))).toBe("b a");
    for (const word of ["vetus", "antiquus"]) expect(await idsOf(words(word))).toBe("a");
    expect(await idsOf(titled("novus"))).toBe("b a");
    expect(await verified()).toEqual({ findings: [], notes: [] });
  });

  it("follow the successor where it is renamed, gets a synonym, or is replaced itself", async () => {
    await put("sp:2", "Renamed", { synonyms: [{ name: "Later", kind: "synonym" }] });
    for (const word of ["renamed", "later"]) expect(await idsOf(words(word))).toBe("b a");
    expect(await idsOf(words("recens"))).toBe("");
    await put("sp:3", "Third");
    await replaced("sp:2", "Renamed", "sp:3");
    expect([await idsOf(cites("sp:3")), await idsOf(words("third"))]).toEqual(["b a", "b a"]);
    expect(await counted("terms")).toEqual({ "sp:3": 2 });
    await put("sp:1", "Vetus");
    expect([await idsOf(cites("sp:3")), await counted("terms")]).toEqual(["b", { "sp:1": 1, "sp:3": 1 }]);
    expect(await verified()).toEqual({ findings: [], notes: [] });
  });

  it("stand for themselves where successors lead in a circle, and follow when it is broken", async () => {
    await replaced("sp:2", "Novus", "sp:1");
    expect(await counted("terms")).toEqual({ "sp:1": 1, "sp:2": 1 });
    await put("sp:2", "Novus");
    expect(await counted("terms")).toEqual({ "sp:2": 2 });
    expect(await verified()).toEqual({ findings: [], notes: [] });
  });

  it("keep their body and their revision, and the feed shows no change of them", async () => {
    const { json, revision } = (await engine.store.records.get("a", "published"))!;
    const before = await engine.store.changes.head();
    await put("sp:2", "Renamed");
    expect(await idsOf(words("renamed"))).toBe("b a");
    expect(await engine.store.records.get("a", "published")).toMatchObject({ json, revision });
    expect(await changesAfter(before)).toEqual(["term updated sp:2"]);
  });
});

describe("many citers", () => {
  it("follow beside all else, and verify says so until they do", async () => {
    await put("sp:1", "Vetus");
    await put("sp:2", "Novus");
    await putAll(
      engine,
      Array.from({ length: 60 }, (_, n) => tinyRecord(`r${n}`, citing("sp:1"))),
    );
    const before = await engine.store.changes.head();
    await replaced("sp:1", "Vetus", "sp:2");
    expect((await search(cites("sp:2"))).total).toBe(0);
    const { findings, notes } = await verified();
    expect(findings).toEqual([]);
    expect(notes).toEqual([expect.stringMatching(/^60 records cite terms that changed/)]);
    await engine.close();
    engine = open(true);
    await eventually(async () => expect((await search(cites("sp:2"))).total).toBe(60));
    await eventually(async () => expect(await verified()).toEqual({ findings: [], notes: [] }));
    expect((await search(words("novus"))).total).toBe(60);
    expect(await changesAfter(before)).toEqual(["term updated sp:1"]);
  });

  it("follow before a load ends, whether it is small or large", async () => {
    await put("sp:1", "Vetus");
    await putAll(
      engine,
      Array.from({ length: 60 }, (_, n) => tinyRecord(`r${n}`, citing("sp:1"))),
    );
    const load = (title: string, count: number) =>
      engine.store.loadTerms(
        "species",
        (async function* (): AsyncGenerator<TermContent> {
          for (let n = 1; n <= count; n++) yield { id: `sp:${n}`, title: { en: title }, props: {}, status: "active" };
        })(),
      );
    await load("Small", 1);
    expect((await search(words("small"))).total).toBe(60);
    await load("Large", 1_100);
    expect((await search(words("large"))).total).toBe(60);
    expect((await search(words("small"))).total).toBe(0);
    expect(await verified()).toEqual({ findings: [], notes: [] });
  });
});
