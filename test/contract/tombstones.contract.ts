import { describe, expect, it } from "vitest";
import type { Tombstone } from "../../src/core/record.js";
import type { Engine } from "../../src/ports/engine.js";
import { type EngineUnderTest, putAll, tinyDraft, tinyRecord } from "../support/engines/engine-under-test.js";
import { openForEachTest } from "../support/engines/open-for-each-test.js";

const PARENT = { id: "p", owner: { user: "1" } };
const versions = (index: number) => ({ index, is_latest: true, is_latest_draft: true });

/** What is left of a record with the parent `p`. */
export function tombstone(id: string, changes: Partial<Tombstone> = {}): Tombstone {
  const removed = "2026-11-21T10:00:00.000000+00:00";
  const body = { id, model: "tiny", title: "t", publisher: "", created: removed, removed, removal_reason: "Größe" };
  return { parent: "p", owner: "1", version: 1, revision: 7, body, ...changes };
}

/** What every store must do with retracted records. */
export function tombstonesContract(under: EngineUnderTest): void {
  describe(`tombstones contract: ${under.name}`, () => {
    let engine: Engine;
    openForEachTest(under, (opened) => {
      engine = opened;
    });
    const bury = (left: Tombstone) => engine.store.transaction((tx) => tx.records.bury(left));

    it("puts a tombstone in the place of a record, of its draft and of all that was shared", async () => {
      await putAll(engine, [
        tinyRecord("a", { title: "gone" }, { parent: PARENT }),
        tinyDraft("a", { title: "gone" }, { parent: PARENT }),
      ]);
      const user = await engine.store.transaction(async (tx) => {
        const { id } = await tx.users.addUser({ name: "ada", role: "depositor" });
        await tx.shares.put("a", id, "read");
        return id;
      });

      const left = tombstone("a");
      await bury(left);
      expect(await engine.store.records.getTombstone("a")).toEqual(left);
      expect(await engine.store.records.get("a", "published")).toBeUndefined();
      expect(await engine.store.records.get("a", "draft")).toBeUndefined();
      expect(await engine.store.shares.permissionOf("a", user)).toBeUndefined();
      expect(await engine.store.records.listVersions("p")).toEqual([]);
      expect(await engine.store.records.lastRevision("a")).toBe(7);
      expect(await engine.store.records.isTaken("a")).toBe(true);
    });

    it("finds by the id of a parent the tombstone of its newest version", async () => {
      expect(await engine.store.records.getTombstone("p")).toBeUndefined();
      await putAll(engine, [
        tinyRecord("a", {}, { parent: PARENT, versions: versions(2) }),
        tinyRecord("b", {}, { parent: PARENT, versions: versions(10) }),
      ]);
      await bury(tombstone("b", { version: 10 }));
      await bury(tombstone("a", { version: 2 }));
      expect(await engine.store.records.getTombstone("p")).toMatchObject({ version: 10, body: { id: "b" } });
      expect(await engine.store.records.getTombstone("a")).toMatchObject({ version: 2, body: { id: "a" } });
      expect(await engine.store.records.getTombstone("c")).toBeUndefined();
    });
  });
}
