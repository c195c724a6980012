import { describe, expect, it } from "vitest";
import { OPERATOR } from "../../src/core/actor.js";
import type { FieldChange } from "../../src/core/answers/term-answers.js";
import type { TermContent } from "../../src/core/term.js";
import { termUuid } from "../../src/core/terms/term-version.js";
import type { Engine } from "../../src/ports/engine.js";
import { HOMONYMS_MAX } from "../../src/ports/terms.js";
import { type EngineUnderTest, putAll, type TestClock, tinyRecord } from "../support/engines/engine-under-test.js";
import { openForEachTest } from "../support/engines/open-for-each-test.js";
import { item, loadAll, putTerms } from "../support/engines/term-fixtures.js";

const UUID_562 = "be38968c-29ec-5f3a-a422-b9e01859719e";

/** What every store must do with single items: read, write, delete, resolve ids. */
export function termsContract(under: EngineUnderTest): void {
  describe(`terms contract: ${under.name}`, () => {
    let engine: Engine;
    let _clock: TestClock;
    const put = (content: TermContent) => engine.store.transaction((tx) => tx.terms.put("species", content));
    const erase = (id: string) => engine.store.transaction((tx) => tx.terms.delete("species", id));
    const get = (id: string) => engine.store.terms.get("species", id);
    const read = async (id: string) => {
      const found = await get(id);
      if (found?.kind !== "found") throw new Error(`${id} is ${found?.kind}`);
      return { ...found.term, body: JSON.parse(found.term.json) };
    };
    const lineage = async (id: string) => {
      const found = await get(id);
      return found?.kind === "found" ? found.ancestors.map(({ json }) => JSON.parse(json)) : undefined;
    };

    const reopen = openForEachTest(under, (opened, time) => {
      [engine, _clock] = [opened, time];
    });

    it("gives an item back in the shape that clients see", async () => {
      const synonyms = [{ name: "E. coli", kind: "synonym", lang: "en" }];
      await put(item(561, "Escherichia"));
      await put(
        item(562, "Escherichia coli", { props: { rank: "species", __proto_: [1] }, synonyms, parent: "sp:561" }),
      );
      const { body, ...term } = await read("sp:562");
      expect(term).toMatchObject({ vocabulary: "species", id: "sp:562", revision: 1 });
      expect(body).toEqual({
        id: "sp:562",
        type: "species",
        title: { en: "Escherichia coli" },
        props: { rank: "species", __proto_: [1] },
        "@v": expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}::1$/),
        created: expect.stringMatching(/^2026-11-21T10:00:00\.\d{6}\+00:00$/),
        updated: body.created,
        revision_id: 1,
        synonyms,
        parent: { id: "sp:561", title: { en: "Escherichia" } },
      });
    });

    it("tells whether a term has children, and whether a person may have changed it", async () => {
      await put(item(561, "Escherichia"));
      await put(item(562, "Escherichia coli", { parent: "sp:561" }));
      const add = (action: "created" | "changed") =>
        engine.store.transaction((tx) =>
          tx.history.add(OPERATOR, { vocabulary: "species", id: "sp:562" }, { revision: 1, action, fields: [] }),
        );
      expect(await get("sp:561")).toMatchObject({ hasChildren: true, mayBeEdited: false });
      await add("created");
      expect(await get("sp:562")).toMatchObject({ hasChildren: false, mayBeEdited: false });
      await add("changed");
      expect(await get("sp:562")).toMatchObject({ mayBeEdited: true });
      expect(await get("sp:561")).toMatchObject({ mayBeEdited: false });
    });

    it("tells when terms were merged into others, for several at once", async () => {
      const change = (id: string, revision: number, fields: readonly FieldChange[]) =>
        engine.store.transaction((tx) =>
          tx.history.add(OPERATOR, { vocabulary: "species", id }, { revision, action: "changed", fields }),
        );
      await putTerms(engine, [item(1, "Now"), item(2, "Merged twice"), item(3, "Not merged"), item(4, "Merged once")]);
      await change("sp:2", 2, [{ field: "replaced_by", to: "sp:1" }]);
      await change("sp:2", 3, [{ field: "replaced_by", from: "sp:1" }]);
      await change("sp:3", 2, [{ field: "replaced_by", from: "sp:1" }]);
      await change("sp:3", 3, [{ field: "title.en", to: 'about "replaced_by"' }]);
      await change("sp:2", 4, [{ field: "replaced_by", to: "sp:4" }]);
      await change("sp:4", 2, [
        { field: "status", to: "deprecated" },
        { field: "replaced_by", to: "sp:1" },
      ]);
      const times = await engine.store.history.mergeTimes("species", ["sp:2", "sp:3", "sp:4", "sp:404"]);
      const [newest] = (await engine.store.history.list("species", "sp:2", { offset: 0, limit: 1 })).entries;
      expect([...times.keys()].sort()).toEqual(["sp:2", "sp:4"]);
      expect(times.get("sp:2")).toBe(newest!.time);
      expect(await engine.store.history.mergeTimes("species", [])).toEqual(new Map());
      expect(await engine.store.history.mergeTimes("other", ["sp:2"])).toEqual(new Map());
    });

    it("names a version alike in every store: uuid v5 of vocabulary and id, then the revision", async () => {
      await put(item(562, "Escherichia coli"));
      // Computed apart from our code: python3 -c 'uuid5(uuid5(NAMESPACE_URL, "bindery:term"), "species/sp:562")'
      expect((await read("sp:562")).body["@v"]).toBe(`${UUID_562}::1`);
    });

    it("shows the status of deprecated items only, and keeps names like __proto__", async () => {
      const props = JSON.parse('{"__proto__": {"a": 1}, "constructor": "x"}');
      await put(item(1, "Old", { status: "deprecated", props }));
      const { json, body } = await read("sp:1");
      expect(body.status).toBe("deprecated");
      expect(json).toContain('"props":{"__proto__":{"a":1},"constructor":"x"}');
      await put(item(1, "Old", { props }));
      expect((await read("sp:1")).body).not.toHaveProperty("status");
    });

    it("raises the revision only when the content changes, whatever the order of keys", async () => {
      const props = { rank: "species", codes: ["a", "b"] };
      expect(await put(item(1, "One", { props }))).toBe("new");
      expect(await put(item(1, "One", { props: { codes: ["a", "b"], rank: "species" } }))).toBe("unchanged");
      expect(await put(item(1, "One", { props: { ...props, codes: ["b", "a"] } }))).toBe("changed");
      expect(await put(item(1, "Two", { props }))).toBe("changed");
      const { revision, body } = await read("sp:1");
      expect(revision).toBe(3);
      expect(body["@v"]).toMatch(/::3$/);
      expect(Date.parse(body.created)).toBeLessThanOrEqual(Date.parse(body.updated));
      expect(body.created).not.toBe(body.updated);
    });

    it("goes on with revisions after a deletion, also when an import brings the item back", async () => {
      await put(item(1, "One"));
      await put(item(1, "Other"));
      await erase("sp:1");
      expect(await get("sp:1")).toEqual({ kind: "gone" });
      expect(await engine.store.terms.count("species")).toBe(0);
      expect(await put(item(1, "Other"))).toBe("new");
      expect((await read("sp:1")).revision).toBe(3);
      await erase("sp:1");
      await loadAll(engine, [item(1, "Other")]);
      expect((await read("sp:1")).revision).toBe(4);
      await erase("sp:1");
      await erase("sp:1");
      await erase("sp:never");
      expect(await get("sp:never")).toBeUndefined();
    });

    it("rolls back with the transaction", async () => {
      await put(item(1, "One"));
      const failed = engine.store.transaction(async (tx) => {
        await tx.terms.put("species", item(1, "Two"));
        await tx.terms.put("species", item(2, "New"));
        expect(await tx.terms.get("species", "sp:2")).toMatchObject({ kind: "found" });
        throw new Error("no");
      });
      await expect(failed).rejects.toThrow("no");
      expect((await read("sp:1")).revision).toBe(1);
      expect(await get("sp:2")).toBeUndefined();
    });

    it("keeps everything over a restart", async () => {
      await put(item(1, "One"));
      await reopen();
      expect((await read("sp:1")).body.title).toEqual({ en: "One" });
    });

    it("follows aliases, replaced ids and other capitals", async () => {
      await putTerms(engine, [
        item(562, "Escherichia coli"),
        item(7, "Merged", { replaced_by: "sp:8", status: "deprecated" }),
      ]);
      expect(await get("eco")).toEqual({ kind: "moved", to: "sp:562" });
      expect(await get("ECO")).toEqual({ kind: "moved", to: "sp:562" });
      expect(await get("SP:562")).toMatchObject({ kind: "found", term: { id: "sp:562" } });
      // The successor is not there (yet): the item stands for itself.
      expect(await get("sp:7")).toMatchObject({ kind: "found", term: { id: "sp:7" } });
      await putTerms(engine, [item(8, "Kept", { replaced_by: "sp:9", status: "deprecated" }), item(9, "Last")]);
      expect(await get("sp:7")).toEqual({ kind: "moved", to: "sp:9" });
      await erase("sp:7");
      expect(await get("sp:7")).toEqual({ kind: "moved", to: "sp:9" });
      await erase("sp:562");
      expect(await get("eco")).toEqual({ kind: "gone" });
      expect(await engine.store.terms.get("species", "")).toBeUndefined();
      expect(await engine.store.terms.get("nonsense", "x")).toBeUndefined();
    });

    it("names the ids that lead to a term: merged, deleted and former ones, through others too", async () => {
      const provenance = (id: string, limit = 10) => engine.store.terms.provenance("species", id, limit);
      await putTerms(engine, [
        item(8, "Kept"),
        item(7, "Merged", { replaced_by: "sp:8", status: "deprecated" }),
        item(6, "Merged before", { replaced_by: "sp:7", status: "deprecated" }),
        item(5, "Merged and deleted", { replaced_by: "sp:7", status: "deprecated" }),
        item(4, "Other", { replaced_by: "sp:9", status: "deprecated" }),
      ]);
      await erase("sp:5");
      expect(await provenance("sp:8")).toEqual({ sources: [], formerIds: ["sp:5", "sp:6", "sp:7"] });
      expect((await provenance("sp:8", 2)).formerIds).toEqual(["sp:5", "sp:6"]);
      expect((await provenance("sp:7")).formerIds).toEqual(["sp:5", "sp:6"]);
      expect((await provenance("sp:4")).formerIds).toEqual([]);
      expect(await provenance("sp:404")).toEqual({ sources: [], formerIds: [] });
      expect(await provenance("eco")).toEqual({ sources: [], formerIds: [] });
      // A deleted id that is a term again leads nowhere.
      await put(item(5, "Again"));
      expect((await provenance("sp:8")).formerIds).toEqual(["sp:6", "sp:7"]);
      await put(item(7, "Seven", { replaced_by: "sp:6", status: "deprecated" }));
      expect((await provenance("sp:7")).formerIds).toEqual(["sp:6"]);
    });

    it("prefers the exact id to one in other capitals", async () => {
      await putTerms(engine, [item("sp:Ab", "Capital"), item("sp:ab", "Small")]);
      expect(await get("sp:ab")).toMatchObject({ kind: "found", term: { id: "sp:ab" } });
      expect(await get("sp:Ab")).toMatchObject({ kind: "found", term: { id: "sp:Ab" } });
      expect(await get("sp:AB")).toMatchObject({ kind: "found" });
    });

    it("never walks in a circle", async () => {
      await putTerms(engine, [
        item(1, "One", { replaced_by: "sp:2", status: "deprecated", parent: "sp:2" }),
        item(2, "Two", { replaced_by: "sp:1", status: "deprecated", parent: "sp:1" }),
      ]);
      expect(await get("sp:1")).toMatchObject({ kind: "found", term: { id: "sp:1" } });
      expect((await lineage("sp:1"))?.map(({ id }) => id)).toEqual(["sp:2"]);
    });

    it("fetches several items in the order asked, each once", async () => {
      await putTerms(engine, [item(1, "One"), item(2, "Two", { parent: "sp:1" }), item(562, "Escherichia coli")]);
      const found = await engine.store.terms.getMany("species", ["sp:2", "eco", "sp:3", "sp:1", "sp:2", "sp:562"]);
      expect(found.map(({ id, term }) => [id, term.id])).toEqual([
        ["sp:2", "sp:2"],
        ["eco", "sp:562"],
        ["sp:1", "sp:1"],
      ]);
      expect(JSON.parse(found[0]!.term.json).parent.title).toEqual({ en: "One" });
      expect(await engine.store.terms.getMany("species", ['a"b', "\ud800", "'"])).toEqual([]);
    });

    it("reads several items with what is above them, in the order of the ids", async () => {
      const old = item(3, "Three", { replaced_by: "sp:1", status: "deprecated" });
      await putTerms(engine, [
        item(1, "One"),
        item(2, "Two", { parent: "sp:1" }),
        old,
        item(4, "Four", { parent: "sp:2" }),
      ]);
      const placed = await engine.store.terms.getPlaced("species", ["sp:4", "eco", "sp:3", "sp:1", "sp:2", "\ud800"]);
      expect(placed.map(({ term, ancestors }) => [term.id, ...ancestors.map(({ id }) => id)])).toEqual([
        ["sp:4", "sp:1", "sp:2"],
        ["sp:3"],
        ["sp:1"],
        ["sp:2", "sp:1"],
      ]);
      expect(placed[0]).toEqual(await engine.store.terms.getExact("species", "sp:4"));
      expect(await engine.store.terms.getPlaced("nonsense", ["sp:1"])).toEqual([]);
    });

    it.each(["single writes", "one load"])("finds the homonyms of items, by %s", async (way) => {
      const items = [
        item(1, "Linaria"),
        item(2, "LINARIA"),
        item(3, "Linaria", { status: "deprecated" }),
        item(4, "Other", { synonyms: [{ name: "Linaria", kind: "synonym" }] }),
        item(5, "Toadflax", { title: { en: "Toadflax", de: "Leinkraut" } }),
        item(6, "Leinkraut"),
        item(7, "+"),
        item(8, "+"),
        item(9, "x".repeat(600)),
        ...Array.from({ length: 60 }, (_, i) => item(100 + i, "Environmental samples")),
      ];
      if (way === "one load") await loadAll(engine, items);
      else await putTerms(engine, items);
      const homonymsOf = async (...ids: readonly string[]) => {
        const titles = await engine.store.terms.titles("species", ids, "en");
        return Object.fromEntries([...titles].map(([id, { homonyms }]) => [id, homonyms.toSorted()]));
      };
      expect(await homonymsOf("sp:1", "sp:3", "sp:4", "sp:5", "sp:6", "sp:7", "sp:9", "sp:404", "\ud800")).toEqual({
        ...{ "sp:1": ["sp:2"], "sp:3": ["sp:1", "sp:2"], "sp:4": [], "sp:5": ["sp:6"], "sp:6": ["sp:5"] },
        ...{ "sp:7": [], "sp:9": [] },
      });
      const many = (await homonymsOf("sp:100"))["sp:100"]!;
      expect([new Set(many).size, many.includes("sp:100")]).toEqual([HOMONYMS_MAX, false]);
      await erase("sp:2");
      await put(item(10, "leinkraut"));
      expect(await homonymsOf("sp:1", "sp:6")).toEqual({ "sp:1": [], "sp:6": ["sp:10", "sp:5"] });
      const inTransaction = await engine.store.transaction((tx) => tx.terms.titles("species", ["sp:10"], "en"));
      expect([...inTransaction.get("sp:10")!.homonyms].sort()).toEqual(["sp:5", "sp:6"]);
    });

    it("fetches all that a body cites, with names and version", async () => {
      const synonyms = [{ name: "E. coli", kind: "synonym" }];
      await putTerms(engine, [item(1, "One"), item(562, "Escherichia coli", { synonyms, props: { rank: "species" } })]);
      const citations = await engine.store.transaction((tx) =>
        tx.terms.cite([
          { vocabulary: "species", id: "eco" },
          { vocabulary: "species", id: "sp:1" },
          { vocabulary: "species", id: "sp:1" },
          { vocabulary: "species", id: "sp:404" },
          { vocabulary: "nonsense", id: "sp:1" },
        ]),
      );
      expect(citations).toHaveLength(2);
      expect(citations[0]).toEqual({
        reference: { vocabulary: "species", id: "eco" },
        term: {
          vocabulary: "species",
          id: "sp:562",
          version: `${UUID_562}::1`,
          title: { en: "Escherichia coli" },
          props: { rank: "species" },
          status: "active",
          names: ["E. coli"],
        },
      });
    });

    it("says what an index takes of cited terms: of a replaced one the names of all that it leads to", async () => {
      await putTerms(engine, [
        item(1, "Old", { replaced_by: "sp:2", status: "deprecated", synonyms: [{ name: "elder", kind: "synonym" }] }),
        item(2, "New", { synonyms: [{ name: "younger", kind: "synonym" }] }),
      ]);
      const version = `${termUuid("species", "sp:2")}::1`;
      const asked = ["sp:2", "sp:1", "eco", "sp:9"].map((id) => ({ vocabulary: "species", id }));
      expect(await engine.store.terms.citedNow([...asked, { vocabulary: "nonsense", id: "x" }])).toEqual([
        { ...asked[0], term: { id: "sp:2", version, successors: [], titles: [{ en: "New" }], names: ["younger"] } },
        {
          ...asked[1],
          term: {
            ...{ id: "sp:2", version },
            successors: ["sp:2"],
            titles: [{ en: "Old" }, { en: "New" }],
            names: ["elder", "younger"],
          },
        },
        asked[2],
        asked[3],
        { vocabulary: "nonsense", id: "x" },
      ]);
    });

    it("is of another version after whatever changes a term, and of the same after all else", async () => {
      const { terms } = engine.store;
      const asked = [{ vocabulary: "species", id: "sp:1" }];
      const titles = async () => {
        const [cited] = await terms.cite(asked);
        const [now] = await terms.citedNow(asked);
        return [cited?.term.title.en, now?.term?.titles.map(({ en }) => en).join()];
      };
      const old = item(1, "Eins", { replaced_by: "sp:2", status: "deprecated" });
      const steps: readonly (readonly [step: () => Promise<unknown>, titles: readonly unknown[]])[] = [
        [() => put(item(1, "One")), ["One", "One"]],
        [() => put(item(1, "Uno")), ["Uno", "Uno"]],
        [() => erase("sp:1"), [undefined, undefined]],
        [() => loadAll(engine, [item(1, "Un"), item(2, "Deux")]), ["Un", "Un"]],
        [() => put(old), ["Deux", "Eins,Deux"]],
        [() => put(item(2, "Zwei")), ["Zwei", "Eins,Zwei"]],
      ];
      const versions = new Set([await terms.version()]);
      for (const [n, [step, expected]] of steps.entries()) {
        await step();
        const version = await terms.version();
        expect(await titles()).toEqual(expected);
        await putAll(engine, [tinyRecord(`r${n}`, {})]);
        expect(await engine.store.transaction((tx) => tx.terms.version())).toBe(version);
        expect(await terms.version()).toBe(version);
        expect(await titles()).toEqual(expected);
        versions.add(version);
      }
      expect(versions.size).toBe(steps.length + 1);
    });

    it("shows a parent's present title, and the way from the root", async () => {
      await putTerms(engine, [
        item(1, "Root"),
        item(2, "Middle", { parent: "sp:1" }),
        item(3, "Leaf", { parent: "sp:2" }),
      ]);
      await put(item(2, "Renamed", { parent: "sp:1" }));
      expect((await read("sp:3")).body.parent).toEqual({ id: "sp:2", title: { en: "Renamed" } });
      expect((await read("sp:3")).revision).toBe(1);
      expect(await lineage("sp:3")).toEqual([
        { id: "sp:1", title: { en: "Root" } },
        { id: "sp:2", title: { en: "Renamed" } },
      ]);
    });

    it("refuses a vocabulary that is not declared", async () => {
      await expect(engine.store.transaction((tx) => tx.terms.put("nonsense", item(1, "x")))).rejects.toMatchObject({
        code: "VOCABULARY_NOT_FOUND",
      });
    });

    it("counts items and citations", async () => {
      await putTerms(engine, [item(1, "One"), item(2, "Two")]);
      expect(await engine.store.terms.count("species")).toBe(2);
      expect(await engine.store.terms.citations("species", "sp:1")).toBe(0);
    });
  });
}
