import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Engine } from "../../src/ports/engine.js";
import { contractCatalog, type EngineUnderTest, makeClock } from "../support/engines/engine-under-test.js";
import { BACTERIA, item, loadAll, putTerms, rank } from "../support/engines/term-fixtures.js";

/** Tests the look-ups of a store without an index: terms by whole names, and ids similar to an unknown id. */
export function termFinderContract(under: EngineUnderTest): void {
  describe.each(["single writes", "one load"])(`term finder contract: ${under.name}, items by %s`, (way) => {
    let engine: Engine;

    beforeAll(async () => {
      engine = await under.open({ catalog: contractCatalog(), clock: makeClock() });
      // More than one transaction takes: the items get their ranks together.
      const others = Array.from({ length: 1_000 }, (_, n) => item(500_000 + n, `Other ${n}`));
      if (way === "one load") await loadAll(engine, [...others, ...BACTERIA]);
      else await putTerms(engine, BACTERIA);
    });
    afterAll(async () => {
      await engine.close();
      await under.cleanUp();
    });

    const named = async (keys: readonly string[], limit = 5) =>
      (await engine.store.terms.named("species", keys, limit)).map(({ key, term }) => `${key} ${term.id}`);

    it.each([
      ["sp:563", "sp:562"],
      ["sp:8333", "sp:83333"],
      ["sp:56l", "sp:561"],
      ["562", "sp:562"],
      ["cas:58-08-2", "sp:562"],
    ])("finds the id that is similar to the unknown id %s", async (id, nearest) => {
      const found = await engine.store.terms.nearestIds("species", id, 5);
      expect(found).toContain(nearest);
      expect(found.length).toBeLessThanOrEqual(5);
    });

    it.each([
      ["sp:100", "sp:1000 sp:1001"],
      ["SP:49", "sp:4932 sp:4933"],
      ["sp:96066", "sp:9606 sp:9607"],
      ["Homo sapiens", ""],
      ["human", ""],
    ])("finds all ids that are similar to the unknown id %s, the nearest first", async (id, nearest) => {
      expect((await engine.store.terms.nearestIds("species", id, 5)).join(" ")).toBe(nearest);
    });

    it("finds no id that is similar to nonsense, in bounded time", async () => {
      for (const id of ["", "%%%", "x".repeat(100_000), `sp:${"9".repeat(400)}`, "\ud800", "qqqqqqq:zzzzzzz"]) {
        expect(await engine.store.terms.nearestIds("species", id, 5)).toEqual([]);
      }
    });

    it("finds items by their whole names, titles and synonyms", async () => {
      const keys = ["backerhefe", "coli", "escherichia", "colon bacillus", "human", "escherichia c", "562", ""];
      expect(await named(keys)).toEqual([
        "backerhefe sp:4932",
        "coli sp:1001",
        "escherichia sp:561",
        "colon bacillus sp:562",
        "human sp:9606",
      ]);
    });

    it("gives titles by id: in the language asked for, or the first there is", async () => {
      expect(await engine.store.terms.titles("species", ["sp:4932", "sp:562", "sp:404"], "de")).toEqual(
        new Map([
          ["sp:4932", { text: "Bäckerhefe", homonyms: [] }],
          ["sp:562", { text: "Escherichia coli", homonyms: [] }],
        ]),
      );
    });

    it("finds items by the whole names that they have now, the best first", async () => {
      const others = [item(1002, "Human", rank("genus")), item(1003, "human", rank("strain"))];
      await putTerms(engine, others);
      expect(await named(["human"])).toEqual(["human sp:9606", "human sp:1002", "human sp:1003"]);
      expect(await named(["human"], 2)).toEqual(["human sp:9606", "human sp:1002"]);
      await putTerms(engine, [item(9606, "Homo sapiens", rank("species"))]);
      const keys = ["human", "homo sapiens"];
      expect(await named(keys)).toEqual(["human sp:1002", "human sp:1003", "homo sapiens sp:9606"]);
    });
  });
}
