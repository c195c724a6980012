import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { Engine } from "../../src/ports/engine.js";
import type { WriteTransaction } from "../../src/ports/store.js";
import type { EngineUnderTest } from "../support/engines/engine-under-test.js";
import { openForEachTest } from "../support/engines/open-for-each-test.js";
import { item, putTerms } from "../support/engines/term-fixtures.js";

const WRITERS = 6;
const ROUNDS = 8;

/** What every store must keep true while several write terms, or cite them, at once. */
export function termRacesContract(under: EngineUnderTest): void {
  describe(`term races contract: ${under.name}`, () => {
    let engine: Engine;
    const write = <T>(work: (terms: WriteTransaction["terms"]) => Promise<T>): Promise<T> =>
      engine.store.transaction((tx) => work(tx.terms));

    openForEachTest(under, (opened) => {
      engine = opened;
    });

    it.each([
      ["its citation", (terms: WriteTransaction["terms"]) => terms.cite([{ vocabulary: "species", id: "sp:1" }])],
      ["the version of all terms", (terms: WriteTransaction["terms"]) => terms.version()],
    ])("counts who cites a term only after the end of a transaction that read %s", async (_, read) => {
      await putTerms(engine, [item(1, "One")]);
      const events: string[] = [];
      let hasRead = (): void => undefined;
      const isRead = new Promise<void>((resolve) => {
        hasRead = resolve;
      });
      const citing = write(async (terms) => {
        await read(terms);
        hasRead();
        await sleep(200);
        events.push("cited");
      });
      await isRead;
      await write(async (terms) => {
        await terms.citations("species", "sp:1");
        events.push("counted");
      });
      await citing;
      expect(events).toEqual(["cited", "counted"]);
    });

    it("gives each write of an item a revision of its own, and counts each item once", async () => {
      await Promise.all(
        Array.from({ length: WRITERS }, async (_, writer) => {
          for (let round = 0; round < ROUNDS; round++) {
            await write((terms) => terms.put("species", item(1, `${writer} ${round}`)));
            await write((terms) => terms.put("species", item(10 + round, "Each the same")));
          }
        }),
      );
      const revisionOf = async (id: string) => (await engine.store.terms.getExact("species", id))?.term.revision;
      expect(await revisionOf("sp:1")).toBe(WRITERS * ROUNDS);
      expect(await revisionOf("sp:10")).toBe(1);
      expect(await engine.store.terms.count("species")).toBe(1 + ROUNDS);
    });

    it("lets only one of several add an item that was not there", async () => {
      const add = (writer: number): Promise<boolean> =>
        write(async (terms) => {
          if ((await terms.get("species", "sp:1")) !== undefined) return false;
          await terms.put("species", item(1, `Of ${writer}`));
          return true;
        });
      const added = await Promise.all(Array.from({ length: WRITERS }, (_, writer) => add(writer)));
      expect(added.filter(Boolean)).toHaveLength(1);
    });

    it("never puts two items below each other", async () => {
      for (let round = 0; round < ROUNDS; round++) {
        await putTerms(engine, [item(1, "One"), item(2, "Two")]);
        const move = (id: number, below: number): Promise<void> =>
          write(async (terms) => {
            const found = await terms.getExact("species", `sp:${below}`);
            if (found!.ancestors.some((each) => each.id === `sp:${id}`)) return;
            await terms.put("species", item(id, "Moved", { parent: `sp:${below}` }));
          });
        await Promise.all([move(1, 2), move(2, 1)]);
        const parents = await Promise.all(["sp:1", "sp:2"].map((id) => engine.store.terms.children("species", id)));
        expect(parents.sort()).toEqual([0, 1]);
      }
    });

    it("removes no item below which another one was put at the same time", async () => {
      for (let round = 0; round < ROUNDS; round++) {
        await putTerms(engine, [item(1, "One")]);
        const remove = write(async (terms) => {
          if ((await terms.children("species", "sp:1")) === 0) await terms.delete("species", "sp:1");
        });
        const add = write(async (terms) => {
          if ((await terms.getExact("species", "sp:1")) === undefined) return;
          await terms.put("species", item(2, "Below", { parent: "sp:1" }));
        });
        await Promise.all([remove, add]);
        const parent = await engine.store.terms.getExact("species", "sp:1");
        expect(await engine.store.terms.children("species", "sp:1")).toBe(parent === undefined ? 0 : 1);
        await write((terms) => terms.delete("species", "sp:2"));
      }
    });
  });
}
