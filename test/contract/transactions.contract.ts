import { describe, expect, it } from "vitest";
import { FIRST_PLACE } from "../../src/core/feed/feed.js";
import type { Engine } from "../../src/ports/engine.js";
import {
  type EngineUnderTest,
  putOne,
  START_MICROS,
  type TestClock,
  tinyDraft,
  tinyRecord,
} from "../support/engines/engine-under-test.js";
import { openForEachTest } from "../support/engines/open-for-each-test.js";

/** Transactions that begin at once, and how often each of them comes again. */
const WRITERS = 8;
const ROUNDS = 5;

/** Runs it from all writers at once, again and again. */
export async function race<T>(work: (writer: number, round: number) => Promise<T>): Promise<readonly T[]> {
  const turns = async (writer: number): Promise<T[]> => {
    const results: T[] = [];
    for (let round = 0; round < ROUNDS; round++) results.push(await work(writer, round));
    return results;
  };
  return (await Promise.all(Array.from({ length: WRITERS }, (_, writer) => turns(writer)))).flat();
}

/** Puts a record; some writers fail before they wrote anything, some after it. @returns its id, or how it failed */
export async function putOrFail(engine: Engine, writer: number, round: number): Promise<string> {
  const id = `w${writer}r${round}`;
  const work = engine.store.transaction(async (tx) => {
    if (writer % 3 === 1) throw new Error("refused");
    const index = (await tx.records.listVersions("p")).length + 1;
    const parent = { id: "p", owner: { user: "1" } };
    const versions = { index, is_latest: false, is_latest_draft: false };
    await putOne(engine, tx, tinyRecord(id, { title: `title ${id}` }, { parent, versions }));
    if (writer % 3 === 2) throw new Error("changed my mind");
    return id;
  });
  return work.catch((error: Error) => error.message);
}

/** What every store must do with transactions that meet: each ends as if it had been alone. */
export function transactionsContract(under: EngineUnderTest): void {
  describe(`transactions contract: ${under.name}`, () => {
    let engine: Engine;
    let clock: TestClock;
    const reopen = openForEachTest(under, (opened, time) => {
      [engine, clock] = [opened, time];
    });

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
          const siblings = await tx.records.listVersions("p");
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
      const versions = await engine.store.records.listVersions("p");
      expect(versions.map(({ version }) => version)).toEqual(numbers);
      expect(versions.filter(({ isLatest }) => isLatest).map(({ version }) => version)).toEqual([numbers.length]);
    });

    it("lets one of those with the same idempotency key do the work", async () => {
      const outcomes = await race((_, round) =>
        engine.store.transaction(async (tx) => {
          if ((await tx.answers.find("1", `k${round}`)) !== undefined) return "found";
          await tx.answers.keep("1", `k${round}`, { request: "digest", outcome: {} });
          return "kept";
        }),
      );
      expect(outcomes.filter((outcome) => outcome === "kept")).toHaveLength(ROUNDS);
    });

    it("makes one record of a document that several import", async () => {
      const outcomes = await race((writer, round) =>
        engine.store.transaction(async (tx) => {
          const document = { model: "tiny", owner: "1", key: `document ${round}` };
          const before = await tx.imports.find(document);
          if (before !== undefined) return before.id;
          await new Promise((resolve) => setTimeout(resolve, 1));
          await tx.imports.keep(document, { id: `w${writer}`, digest: "" });
          return `w${writer} now`;
        }),
      );
      expect(outcomes.filter((outcome) => outcome.endsWith("now"))).toHaveLength(ROUNDS);
    });

    it("lets nobody add to what a user owns until whoever counted it is done", async () => {
      const counts = await race((writer, round) =>
        engine.store.transaction(async (tx) => {
          if (writer % 2 === 0) {
            await putOne(engine, tx, tinyDraft(`w${writer}r${round}`, {}));
            return [];
          }
          const before = await tx.records.countOwned("1");
          await new Promise((resolve) => setTimeout(resolve, 3));
          return [[before, await tx.records.countOwned("1")]];
        }),
      );
      const drafts = (WRITERS / 2) * ROUNDS;
      expect(await engine.store.records.countOwned("1")).toEqual({ drafts, published: 0 });
      for (const [before, after] of counts.flat()) expect(after).toEqual(before);
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

    it("ends each as if alone, whatever fails beside it, and tells of the changes in their order", async () => {
      const outcomes = await race((...turn) => putOrFail(engine, ...turn));
      const count = (outcome: string): number => outcomes.filter((each) => each === outcome).length;
      expect([count("refused"), count("changed my mind")]).toEqual([3 * ROUNDS, 2 * ROUNDS]);
      const written = outcomes.filter((outcome) => outcome.startsWith("w"));
      const versions = await engine.store.records.listVersions("p");
      expect(versions.map(({ version }) => version)).toEqual(written.map((_, n) => n + 1));
      const ids = versions.map(({ id }) => id);
      expect([...ids].sort()).toEqual([...written].sort());
      const { changes } = await engine.store.changes.page({ after: FIRST_PLACE, limit: 100 });
      expect(changes.map(({ id }) => id)).toEqual(ids);
      const times = changes.map(({ time }) => time);
      expect(times).toEqual([...new Set(times)].sort());
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
      await reopen();
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
