import { beforeEach, describe, expect, it } from "vitest";
import type { Clause } from "../../src/query/index-model/clause.js";
import { at, not, text } from "../differential/clauses.js";
import {
  type EngineUnderTest,
  putAll,
  type RecordEngine,
  species,
  tinyDraft,
  tinyRecord,
} from "../support/engines/engine-under-test.js";
import { openForEachTest } from "../support/engines/open-for-each-test.js";

const above = (path: string, value: number): Clause => ({
  kind: "range",
  paths: [`metadata.${path}`],
  type: "number",
  from: { value, inclusive: false },
});
const group = (path: string, ...of: Clause[]): Clause => ({
  kind: "element",
  path: `metadata.${path}`,
  of: of.length === 1 ? of[0]! : { kind: "all", of },
});

const RECORDS = {
  a: {
    samples: [
      { name: "lysozyme", concentration: { value: 5 }, steps: [{ name: "heat", duration: 3 }, { name: "cool" }] },
      { name: "albumin", concentration: { value: 20 }, source: { id: "sp:562" }, note: "cloudy liquid" },
    ],
  },
  b: {
    samples: [
      { name: "albumin", concentration: { value: 5 }, steps: [{ name: "heat", tags: ["slow"] }] },
      { steps: [{ name: "cool", duration: 9, odd: { deep: "steam" } }] },
    ],
  },
  c: { title: "albumin heat", keywords: ["lysozyme"], results: [{ type: "albumin" }] },
};

/** What every index must find where all that is said must hold in one element of an array of objects. */
export function elementSearchContract(under: EngineUnderTest<RecordEngine>): void {
  describe(`same-element contract: ${under.name}`, () => {
    let engine: RecordEngine;
    openForEachTest(under, (opened) => {
      engine = opened;
    });
    beforeEach(async () => {
      const bodies = Object.entries(RECORDS).map(([id, metadata]) => tinyRecord(id, metadata));
      await putAll(engine, bodies, [species("sp:562", "Escherichia coli", ["gut germ"])]);
    });

    const find = async (clause: Clause, scope: "public" | "owner" = "public"): Promise<string> => {
      const models = ["tiny"];
      const { hits, total } = await engine.index.searchRecords({
        clause,
        scope: scope === "public" ? { kind: "public", models } : { kind: "owner", owner: "1", models },
        facets: [],
        sort: "newest",
        page: { offset: 0, limit: 100 },
      });
      expect(total).toBe(hits.length);
      return hits.map(({ id }) => id).join(" ");
    };

    it("asks for words and numbers of one element, not of two", async () => {
      const [albumin, much] = [at("samples.name", "albumin"), above("samples.concentration.value", 10)];
      expect(await find({ kind: "all", of: [albumin, much] })).toBe("a");
      expect(await find(group("samples", albumin, much))).toBe("a");
      expect(await find(group("samples", at("samples.name", "lysozyme"), much))).toBe("");
      expect(await find(group("samples", albumin, not(much)))).toBe("b");
    });

    it("counts what lies in deeper elements to the outer one, and lets groups nest", async () => {
      const heat = at("samples.steps.name", "heat");
      const long = above("samples.steps.duration", 1);
      expect(await find(group("samples", at("samples.name", "lysozyme"), heat))).toBe("a");
      expect(await find(group("samples", at("samples.name", "albumin"), heat))).toBe("b");
      expect(await find(group("samples", group("samples.steps", heat, long)))).toBe("a");
      expect(await find(group("samples", at("samples.name", "albumin"), group("samples.steps", heat, long)))).toBe("");
      expect(await find(group("samples.steps", not(heat)))).toBe("b a");
      expect(await find(group("samples", not(group("samples.steps", not(heat)))))).toBe("b a");
      expect(await find(group("samples.steps", group("samples", heat)))).toBe("");
    });

    it("takes NOT for an element that lacks it, which must exist", async () => {
      expect(await find(group("samples", not(at("samples.name", "albumin"))))).toBe("b a");
      expect(await find(not(group("samples", at("samples.name", "albumin"))))).toBe("c");
      expect(await find(group("results", not(text("albumin"))))).toBe("");
      expect(await find(group("samples", { kind: "everything" }))).toBe("b a");
      expect(await find(group("samples", { kind: "nothing" }))).toBe("");
    });

    it("takes bare words for all text of the element, declared or not, and of what it cites", async () => {
      expect(await find(group("samples", text("albumin"), text("heat")))).toBe("b");
      expect(await find(group("samples", text("cloudy", "liquid")))).toBe("a");
      expect(await find(group("samples", text("steam"), text("cool")))).toBe("b");
      expect(await find(group("samples", text("heat", "cool")))).toBe("");
      expect(await find(group("samples", text("gut"), text("albumin")))).toBe("a");
      expect(await find(group("results", text("albumin")))).toBe("c");
      expect(await find(group("results", text("lysozyme")))).toBe("");
      const fuzzy: Clause = { kind: "fuzzy", place: { in: "text" }, word: "claudy", edits: 1 };
      expect(await find(group("samples", fuzzy))).toBe("a");
      expect(await find(group("samples", { kind: "prefix", place: { in: "text" }, words: ["cloudy", "l"] }))).toBe("a");
      expect(await find(group("samples", { kind: "wildcard", place: { in: "text" }, pattern: "st*m" }))).toBe("b");
    });

    it("asks whether the element has a value, and what it cites", async () => {
      const duration: Clause = { kind: "exists", paths: ["metadata.samples.steps.duration"] };
      expect(await find(group("samples", duration, at("samples.name", "lysozyme")))).toBe("a");
      expect(await find(group("samples", duration, at("samples.name", "albumin")))).toBe("");
      const cites: Clause = { kind: "cites", vocabularies: ["species"], id: "sp:562", within: false };
      expect(await find(group("samples", cites, at("samples.name", "albumin")))).toBe("a");
      expect(await find(group("samples", cites, at("samples.name", "lysozyme")))).toBe("");
      expect(await find(group("samples", { ...cites, sites: ["metadata.samples.source"] }))).toBe("a");
      expect(await find(group("results", cites))).toBe("");
    });

    it("finds nothing outside of the element, nor in one that no record has", async () => {
      expect(await find(group("samples", at("title", "albumin")))).toBe("");
      expect(await find(group("results", at("samples.name", "albumin")))).toBe("");
      expect(await find(group("no.such.path", text("albumin")))).toBe("");
    });

    it("follows edits and keeps to what the caller may see", async () => {
      await putAll(engine, [tinyRecord("a", { samples: [{ name: "other" }] }), tinyDraft("d", RECORDS.a)]);
      const lysozyme = group("samples", at("samples.name", "lysozyme"), at("samples.steps.name", "cool"));
      expect(await find(lysozyme)).toBe("");
      expect(await find(lysozyme, "owner")).toBe("d");
    });
  });
}
