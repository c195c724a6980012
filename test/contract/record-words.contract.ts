import { describe, expect, it } from "vitest";
import type { Engine } from "../../src/ports/engine.js";
import { type EngineUnderTest, putAll, tinyDraft, tinyRecord } from "../support/engines/engine-under-test.js";
import { openForEachTest } from "../support/engines/open-for-each-test.js";

/** Words of records that every index knows, and finds near to one that it does not have. */
export function recordWordsContract(under: EngineUnderTest): void {
  describe(`near words of records: ${under.name}`, () => {
    let engine: Engine;
    openForEachTest(under, (opened) => {
      engine = opened;
    });
    const near = (word: string, limit = 10) => engine.index.nearestWords({ in: "records" }, word, limit);

    it("leaves out no word that a record has, if it tells at all", async () => {
      const words = ["lysozyme", "lysozymes", "buffer", "buffers"];
      const known = async () => (await engine.index.knownWords?.({ in: "records" }, words)) ?? words;
      await putAll(engine, [tinyRecord("a", { title: "lysozyme", keywords: ["in buffers"] })]);
      expect(await known()).toEqual(expect.arrayContaining(["lysozyme", "buffers"]));
      await putAll(engine, [tinyRecord("b", { title: "lysozymes" })]);
      expect(await known()).toEqual(expect.arrayContaining(["lysozyme", "lysozymes", "buffers"]));
      if (engine.index.knownWords !== undefined) expect(await known()).not.toContain("buffer");
    });

    it("gives the nearest first, then those that more records have, then the first in the alphabet", async () => {
      await putAll(engine, [
        tinyRecord("a", { title: "lysozyme lysozymes" }),
        tinyRecord("b", { title: "lysozymes", keywords: ["lysosome"] }),
        tinyRecord("c", { samples: [{ name: "lysozimes" }, { name: "lysozimes" }] }),
      ]);
      expect(await near("lysozime")).toEqual(["lysozimes", "lysozyme", "lysozymes", "lysosome"]);
      expect(await near("lysozime", 2)).toEqual(["lysozimes", "lysozyme"]);
      expect(await near("albumin")).toEqual([]);
    });

    it("knows typos at the beginning of a word, swapped letters, and words of two letters", async () => {
      await putAll(engine, [tinyRecord("a", { title: "serum ab β" })]);
      expect(await near("zarum")).toEqual(["serum"]);
      expect(await near("esrum")).toEqual(["serum"]);
      expect(await near("cd")).toEqual(["ab"]);
    });

    it("knows the words of drafts, and those of what was there no more", async () => {
      await putAll(engine, [tinyDraft("a", { title: "serum" }), tinyRecord("b", { title: "serums" })]);
      expect(await near("serun")).toEqual(["serum", "serums"]);
      await engine.store.transaction((tx) => tx.records.delete("a", "draft"));
      expect(await near("serun")).toEqual(["serums"]);
      await putAll(engine, [tinyRecord("b", { title: "sera" })]);
      expect(await near("serun")).toEqual(["sera"]);
    });

    it("leaves out what is found by its field only", async () => {
      await putAll(engine, [tinyRecord("a", {})]);
      expect(await near("publishex")).toEqual([]);
      expect(await near("tinx")).toEqual([]);
    });
  });
}
