import { beforeEach, describe, expect, it } from "vitest";
import type { Engine } from "../../src/ports/engine.js";
import type { Progress } from "../../src/ports/store-admin.js";
import {
  type EngineUnderTest,
  putAll,
  type TestClock,
  tinyDraft,
  tinyRecord,
} from "../support/engines/engine-under-test.js";
import { openForEachTest } from "../support/engines/open-for-each-test.js";
import { tinyCatalog } from "../support/tiny-catalog.js";

/** What every engine must do for operators, whatever it keeps the store in. */
export function storeAdminContract(under: EngineUnderTest): void {
  describe(`store admin contract: ${under.name}`, () => {
    let engine: Engine;
    let _clock: TestClock;
    const reopen = openForEachTest(under, (opened, time) => {
      [engine, _clock] = [opened, time];
    });
    beforeEach(async () => {
      await engine.store.transaction(async (tx) => {
        await tx.terms.put("species", { id: "sp:1", title: { en: "One" }, props: {}, status: "active" });
        await tx.terms.put("species", {
          id: "sp:2",
          title: { en: "Two" },
          parent: "sp:1",
          props: {},
          status: "active",
        });
      });
      await putAll(engine, [
        tinyRecord("a", { title: "first" }),
        tinyDraft("b", { title: "second" }),
        tinyRecord("c", { title: "third" }, { model: "other" }),
      ]);
    });

    it("reads the records of all states, oldest first", async () => {
      const read: string[] = [];
      for await (const some of engine.admin.readRecords())
        for (const { id, state } of some) read.push(`${id} ${state}`);
      expect(read).toEqual(["a published", "b draft", "c published"]);
    });

    it("counts what is stored of models and vocabularies that the catalog does not have", async () => {
      expect(await engine.admin.findUnserved()).toEqual({ models: [], vocabularies: [] });
      await reopen(tinyCatalog({ vocabularies: new Map() }));
      expect(await engine.admin.findUnserved()).toEqual({
        models: [{ name: "other", published: 1, drafts: 0 }],
        vocabularies: [{ name: "species", items: 2 }],
      });
    });

    it("verifies a store that agrees with itself, and says how far it is", async () => {
      const said: Progress[] = [];
      const { records, terms, changes, findings, counts } = await engine.admin.verify((step) => said.push(step));
      expect({ records, terms, findings, counts }).toEqual({ records: 3, terms: 2, findings: [], counts: {} });
      expect(changes).toBe(5);
      expect(said.length).toBeGreaterThan(0);
      expect(said.every(({ done, of }) => of === 0 || done <= of)).toBe(true);
    });

    it("verifies one moment while others write", async () => {
      let isOver = false;
      const verified = engine.admin.verify(() => undefined).finally(() => (isOver = true));
      let written = 0;
      for (; !isOver; written++) await putAll(engine, [tinyRecord(`w${written}`, { title: `word ${written}` })]);
      const { records, findings } = await verified;
      expect(findings).toEqual([]);
      expect(records).toBeGreaterThanOrEqual(3);
      expect(records).toBeLessThanOrEqual(3 + written);
    });

    it("repairs nothing where nothing is wrong", async () => {
      const { before, repaired, after } = await engine.admin.repair(() => undefined);
      expect({ before: before.findings, repaired, after: after.findings }).toEqual({
        before: [],
        repaired: {},
        after: [],
      });
    });
  });
}
