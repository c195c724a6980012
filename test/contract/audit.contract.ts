import { describe, expect, it } from "vitest";
import { ANONYMOUS, OPERATOR } from "../../src/core/actor.js";
import type { AuditEntry, AuditFilter } from "../../src/core/audit-entry.js";
import type { Engine } from "../../src/ports/engine.js";
import type { EngineUnderTest, TestClock } from "../support/engines/engine-under-test.js";
import { openForEachTest } from "../support/engines/open-for-each-test.js";

const ADA = { kind: "user", user: "1", name: "ada", role: "depositor", token: "7", scopes: ["records:write"] } as const;
const refused = (n: number): AuditEntry => ({
  action: "request",
  kind: "path",
  place: "GET /x",
  id: `r${n}`,
  refused: "ACCESS_DENIED",
});

/** What every store must do with the audit log. */
export function auditContract(under: EngineUnderTest): void {
  describe(`audit contract: ${under.name}`, () => {
    let engine: Engine;
    let clock: TestClock;
    openForEachTest(under, (opened, time) => {
      [engine, clock] = [opened, time];
    });
    const list = (filter: Partial<AuditFilter> = {}) => engine.store.audit.list({ limit: 99, ...filter });
    const targets = async (filter: Partial<AuditFilter>) => (await list(filter)).map(({ target }) => target);

    it("keeps each line with all that it says", async () => {
      await engine.store.transaction(async (tx) => {
        await tx.audit(ADA, { action: "draft.share", kind: "record", place: "mst", id: "a", revision: 3, whom: "2" });
        await tx.audit(ANONYMOUS, { ...refused(1), times: 5 });
      });
      const [second, first] = await list();
      expect(first).toEqual({
        ...{ id: first!.id, time: "2026-11-21T10:00:00.000000+00:00", who: "ada", user: "1", token: "7" },
        ...{ action: "draft.share", kind: "record", place: "mst", target: "a", revision: 3, whom: "2" },
        ...{ outcome: "done", times: 1 },
      });
      expect(second).toEqual({
        ...{ id: second!.id, time: first!.time, who: "anonymous", action: "request", kind: "path", place: "GET /x" },
        ...{ target: "r1", outcome: "ACCESS_DENIED", times: 5 },
      });
    });

    it("filters by each column, alone and together", async () => {
      const done = (id: string): AuditEntry => ({ action: "draft.create", kind: "record", id });
      await engine.store.transaction((tx) => tx.audit(ADA, done("a")));
      clock.micros += 1_000;
      await engine.store.transaction((tx) => tx.audit(OPERATOR, done("b")));
      await engine.store.transaction((tx) => tx.audit(ADA, refused(1)));
      const { id, time } = (await list({ target: "b" }))[0]!;
      expect(await targets({ who: "ada" })).toEqual(["r1", "a"]);
      expect(await targets({ user: "1" })).toEqual(["r1", "a"]);
      expect(await targets({ user: "x" })).toEqual([]);
      expect(await targets({ token: "7" })).toEqual(["r1", "a"]);
      expect(await targets({ token: "x" })).toEqual([]);
      expect(await targets({ action: "draft.create" })).toEqual(["b", "a"]);
      expect(await targets({ outcome: "done" })).toEqual(["b", "a"]);
      expect(await targets({ outcome: "refused" })).toEqual(["r1"]);
      expect(await targets({ since: time })).toEqual(["r1", "b"]);
      expect(await targets({ until: time })).toEqual(["a"]);
      expect(await targets({ before: id })).toEqual(["a"]);
      expect(await targets({ limit: 1 })).toEqual(["r1"]);
      expect(await targets({ who: "ada", outcome: "done" })).toEqual(["a"]);
    });

    it("drops the oldest refusals, and nothing that was done", async () => {
      await engine.store.transaction(async (tx) => {
        for (let n = 0; n < 5; n++) {
          await tx.audit(ADA, { action: "draft.create", kind: "record", id: `d${n}` });
          await tx.audit(ADA, refused(n));
        }
        await tx.dropRefusals(5);
      });
      expect(await targets({ outcome: "refused" })).toHaveLength(5);
      await engine.store.transaction((tx) => tx.dropRefusals(2));
      expect(await targets({ outcome: "refused" })).toEqual(["r4", "r3"]);
      expect(await targets({ outcome: "done" })).toHaveLength(5);
    });
  });
}
