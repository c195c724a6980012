import { beforeEach, describe, expect, it } from "vitest";
import type { Engine } from "../../src/ports/engine.js";
import type { EngineUnderTest, TestClock } from "../support/engines/engine-under-test.js";
import { openForEachTest } from "../support/engines/open-for-each-test.js";
import { item, putTerms, searchAll } from "../support/engines/term-fixtures.js";

/** What every index must find of items that the store has. */
export function termIndexingContract(under: EngineUnderTest): void {
  describe(`term indexing contract: ${under.name}`, () => {
    let engine: Engine;
    let _clock: TestClock;

    const reopen = openForEachTest(under, (opened, time) => {
      [engine, _clock] = [opened, time];
    });
    beforeEach(async () => {
      await putTerms(engine, [item(1, "One")]);
    });

    it("finds nothing of what was rolled back", async () => {
      const failed = engine.store.transaction(async (tx) => {
        await tx.terms.put("species", item(1, "Two"));
        await tx.terms.put("species", item(2, "New"));
        throw new Error("no");
      });
      await expect(failed).rejects.toThrow("no");
      expect((await searchAll(engine, "two")).total).toBe(0);
      expect((await searchAll(engine, "new")).total).toBe(0);
      expect((await searchAll(engine, "one")).ids).toEqual(["sp:1"]);
    });

    it("finds everything after a restart", async () => {
      await reopen();
      expect((await searchAll(engine, "one")).ids).toEqual(["sp:1"]);
    });
  });
}
