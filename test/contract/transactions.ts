import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Engine } from "../../src/ports/engine.js";
import {
  contractCatalog,
  type EngineUnderTest,
  makeClock,
  putOne,
  START_MICROS,
  type TestClock,
  tinyDraft,
  tinyRecord,
} from "./engine-under-test.js";

/** Transactions that begin at once, and how often each of them comes again. */
const WRITERS = 8;
const ROUNDS = 5;

/** What every store must do with transactions that meet: each ends as if it had been alone. */
export function transactionsContract(under: EngineUnderTest): void {
  describe(`transactions contract: ${under.name}`, () => {
    let engine: Engine;
    let clock: TestClock;
    beforeEach(async () => {
      clock = makeClock();
      engine = await under.open({ catalog: contractCatalog(), clock });
    });
    afterEach(async () => {
      await engine.close();
      await under.cleanUp();
    });

    /** Runs it from all writers at once, again and again. */
    const race = async <T>(work: (writer: number, round: number) => Promise<T>): Promise<readonly T[]> => {
      const turns = async (writer: number): Promise<T[]> => {
        const results: T[] = [];
        for (let round = 0; round < ROUNDS; round++) results.push(await work(writer, round));
        return results;
      };
      return (await Promise.all(Array.from({ length: WRITERS }, (_, writer) => turns(writer)))).flat();
    };
    const numbers = Array.from({ length: WRITERS * ROUNDS }, (_, n) => n + 1);
    const ascending = (values: readonly number[]): number[] => [...values].sort((a, b) => a - b);

    it("loses no edit of one record, and gives no revision twice", async () => {
      const revisions = await race(() =>
        engine.store.transaction(async (tx) => {
          const before = await tx.records.get("a", "published");
          const words = before === undefined ? [] : (JSON.parse(before.json).metadata.keywords as string[]);
          await new Promise((resolve) => setTimeout(resolve, 1));
          const revision_id = (await tx.records.lastRevision("a")) + 1;
          await putOne(engine, tx, tinyRecord("a", { keywords: [...words, `w${words.length}`] }, { revision_id }));
          return revision_id;
        }),
      );
      expect(ascending(revisions)).toEqual(numbers);
      const stored = await engine.store.records.get("a", "published");
      expect(JSON.parse(stored!.json).metadata.keywords).toEqual(numbers.map((n) => `w${n - 1}`));
    });

    it("gives each version of one family a number of its own, and one of them the flag of the latest", async () => {
      await race((writer, round) =>
        engine.store.transaction(async (tx) => {
          const siblings = await tx.records.versionsOf("p");
          const latest = siblings.find(({ isLatest }) => isLatest);
          const parent = { id: "p", owner: { user: "1" } };
          const flags = (index: number, is_latest: boolean) => ({
            parent,
            versions: { index, is_latest, is_latest_draft: false },
          });
          if (latest !== undefined) await putOne(engine, tx, tinyRecord(latest.id, {}, flags(latest.version, false)));
          const id = `r${writer}-${round}`;
          await putOne(engine, tx, tinyRecord(id, {}, flags(siblings.length + 1, true)));
        }),
      );
      const versions = await engine.store.records.versionsOf("p");
      expect(versions.map(({ version }) => version)).toEqual(numbers);
      expect(versions.filter(({ isLatest }) => isLatest).map(({ version }) => version)).toEqual([numbers.length]);
    });

    it("lets one of those with the same idempotency key do the work", async () => {
      const outcomes = await race((_, round) =>
        engine.store.transaction(async (tx) => {
          if ((await tx.answers.find("1", `k${round}`)) !== undefined) return "found";
          await tx.answers.keep("1", `k${round}`, { request: "digest", outcome: null });
          return "kept";
        }),
      );
      expect(outcomes.filter((outcome) => outcome === "kept")).toHaveLength(ROUNDS);
    });

    it("gives an id to one of those that ask for it", async () => {
      const outcomes = await race((writer, round) =>
        engine.store.transaction(async (tx) => {
          if (await tx.records.isTaken(`id${round}`)) return "taken";
          await putOne(engine, tx, tinyDraft(`id${round}`, { title: `${writer}` }));
          return "given";
        }),
      );
      expect(outcomes.filter((outcome) => outcome === "given")).toHaveLength(ROUNDS);
    });

    it("gives each a later instant than all that were committed before it began, whatever the clock says", async () => {
      const instants: string[] = [];
      const write = async (id: string): Promise<void> => {
        await engine.store.transaction(async (tx) => {
          instants.push(tx.now);
          await putOne(engine, tx, tinyRecord(id, {}));
        });
      };
      await write("a");
      await write("b");
      clock.micros = START_MICROS - 3_600_000_000;
      await write("c");
      await engine.close();
      engine = await under.open({ catalog: contractCatalog(), clock });
      await write("d");
      expect(instants).toEqual([...new Set(instants)].sort());
      expect(instants[0]! >= "2026-11-21T10:00:00.000000+00:00").toBe(true);
      expect(instants[3]! < "2026-11-21T10:00:00.001000+00:00").toBe(true);
      clock.micros = START_MICROS + 1_000_000;
      await write("e");
      expect(instants[4]! >= "2026-11-21T10:00:01.000000+00:00").toBe(true);
    });
  });
}
