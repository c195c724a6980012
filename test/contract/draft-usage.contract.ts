import { beforeEach, describe, expect, it } from "vitest";
import type { RecordBody } from "../../src/core/record.js";
import type { Engine } from "../../src/ports/engine.js";
import type { DraftUsage, WriteTransaction } from "../../src/ports/store.js";
import { type EngineUnderTest, putOne, tinyDraft, tinyRecord } from "../support/engines/engine-under-test.js";
import { openForEachTest } from "../support/engines/open-for-each-test.js";
import { tombstone } from "./tombstones.contract.js";

const ownedBy = (user: string): Pick<RecordBody, "parent"> => ({ parent: { id: `parent-${user}`, owner: { user } } });

/** Tests that a store counts the drafts of each user and their bytes. */
export function draftUsageContract(under: EngineUnderTest): void {
  describe(`draft usage contract: ${under.name}`, () => {
    let engine: Engine;
    openForEachTest(under, (opened) => {
      engine = opened;
    });

    const write = <T>(work: (tx: WriteTransaction) => Promise<T>): Promise<T> => engine.store.transaction(work);
    const put = (body: RecordBody): Promise<unknown> => write((tx) => putOne(engine, tx, body));
    const usageOf = (owner: string): Promise<DraftUsage> => write((tx) => tx.records.draftUsage(owner));
    const sizeOf = async (id: string): Promise<number> =>
      Buffer.byteLength((await engine.store.records.get(id, "draft"))!.json);

    /** Each user's counts are those of the drafts that can be read. */
    async function expectCounted(drafts: Readonly<Record<string, readonly string[]>>): Promise<void> {
      for (const [owner, ids] of Object.entries(drafts)) {
        let bytes = 0;
        for (const id of ids) bytes += await sizeOf(id);
        expect([owner, await usageOf(owner)]).toEqual([owner, { drafts: ids.length, bytes }]);
      }
      const { findings } = await engine.admin.verify(() => undefined);
      expect(findings.filter(({ check }) => check === "counters.drafts")).toEqual([]);
    }

    beforeEach(async () => {
      await put(tinyDraft("a", { title: "größer" }, ownedBy("1")));
      await put(tinyDraft("b", { title: "b" }, ownedBy("2")));
      await put(tinyRecord("c", { title: "published" }, ownedBy("1")));
    });

    it("counts drafts, and no published record, in bytes of UTF-8", async () => {
      await expectCounted({ 1: ["a"], 2: ["b"], 3: [] });
      expect((await usageOf("1")).bytes).toBeGreaterThan((await usageOf("2")).bytes);
    });

    it("counts a draft that becomes larger or smaller by the difference", async () => {
      await put(tinyDraft("a", { title: "ä".repeat(5_000) }, { ...ownedBy("1"), revision_id: 2 }));
      await expectCounted({ 1: ["a"] });
      await put(tinyDraft("a", { title: "a" }, { ...ownedBy("1"), revision_id: 3 }));
      await expectCounted({ 1: ["a"], 2: ["b"] });
    });

    it("does not count a draft that is published, deleted or retracted", async () => {
      await write(async (tx) => {
        await putOne(engine, tx, tinyRecord("a", { title: "a" }, { ...ownedBy("1"), revision_id: 2 }));
        await tx.records.delete("a", "draft");
      });
      await write((tx) => tx.records.delete("b", "draft"));
      await write((tx) => tx.records.delete("b", "draft"));
      await expectCounted({ 1: [], 2: [] });
      await put(tinyDraft("a", { title: "edit" }, { ...ownedBy("1"), revision_id: 3 }));
      await expectCounted({ 1: ["a"] });
      await write((tx) => tx.records.bury(tombstone("a", { parent: "parent-1" })));
      await expectCounted({ 1: [] });
    });

    it("counts a draft for its new owner after a new head or a new body", async () => {
      await write(async (tx) => {
        const stored = (await tx.records.get("a", "draft"))!;
        const { metadata: _, ...head } = tinyDraft("a", {}, { parent: { id: "parent-1", owner: { user: "33" } } });
        await tx.records.putHead(stored, { ...head, revision_id: 2 });
      });
      await expectCounted({ 1: [], 33: ["a"] });
      const owner = { parent: { id: "parent-2", owner: { user: "1" } } };
      await put(tinyDraft("b", { title: "given" }, { ...owner, revision_id: 2 }));
      await expectCounted({ 1: ["b"], 2: [] });
    });

    it("counts nothing of a transaction that fails", async () => {
      const failing = write(async (tx) => {
        await putOne(engine, tx, tinyDraft("d", { title: "d" }, ownedBy("1")));
        expect((await tx.records.draftUsage("1")).drafts).toBe(2);
        expect((await tx.records.draftUsage("1", { isExact: true })).drafts).toBe(2);
        throw new Error("refused");
      });
      await expect(failing).rejects.toThrow("refused");
      await expectCounted({ 1: ["a"] });
    });

    it("counts exactly what is written at the same time", async () => {
      const ids = Array.from({ length: 40 }, (_, n) => `w${n}`);
      await Promise.all(ids.map((id, n) => put(tinyDraft(id, { title: id }, ownedBy(n % 2 === 0 ? "1" : "2")))));
      const ofUser = (rest: number): string[] => ids.filter((_, n) => n % 2 === rest);
      await expectCounted({ 1: ["a", ...ofUser(0)], 2: ["b", ...ofUser(1)] });
    });

    it("lets nobody exceed a limit that is checked under the lock", async () => {
      const max = 10;
      const claim = (n: number): Promise<string> =>
        write(async (tx) => {
          const { drafts } = await tx.records.draftUsage("5", { isExact: true });
          if (drafts >= max) throw new Error("full");
          await putOne(engine, tx, tinyDraft(`n${n}`, { title: "n" }, ownedBy("5")));
          return "written";
        }).catch((error: Error) => error.message);
      const results = await Promise.all(Array.from({ length: 30 }, (_, n) => claim(n)));
      expect(results.filter((result) => result === "written")).toHaveLength(max);
      expect((await usageOf("5")).drafts).toBe(max);
    });

    it("names the users with the largest drafts", async () => {
      const user = await write((tx) => tx.users.addUser({ name: "ada", role: "depositor" }));
      await put(tinyDraft("e", { title: "e".repeat(9_000) }, ownedBy(user.id)));
      for (let n = 10; n < 20; n++) await put(tinyDraft(`u${n}`, { title: "u" }, ownedBy(String(n))));
      const { largestUsers } = await engine.admin.status();
      expect(largestUsers).toHaveLength(5);
      expect(largestUsers[0]).toEqual({ user: "ada", ...(await usageOf(user.id)) });
      const sizes = largestUsers.map(({ bytes }) => bytes);
      expect(sizes).toEqual([...sizes].sort((a, b) => b - a));
    });
  });
}
