import { describe, expect, it } from "vitest";
import { LIMITS } from "../../src/core/limits.js";
import type { Engine } from "../../src/ports/engine.js";
import type { KeptAnswer } from "../../src/ports/store.js";
import type { EngineUnderTest, TestClock } from "../support/engines/engine-under-test.js";
import { openForEachTest } from "../support/engines/open-for-each-test.js";

const ANSWER: KeptAnswer = { request: "digest", outcome: { id: "a", list: [1, null, "Größe"] } };

/** What every store must do with the answers that are kept for an Idempotency-Key. */
export function idempotencyContract(under: EngineUnderTest): void {
  describe(`idempotency contract: ${under.name}`, () => {
    let engine: Engine;
    let clock: TestClock;
    openForEachTest(under, (opened, time) => {
      [engine, clock] = [opened, time];
    });
    const find = (token: string, key: string) => engine.store.transaction((tx) => tx.answers.find(token, key));
    const keep = (token: string, key: string) => engine.store.transaction((tx) => tx.answers.keep(token, key, ANSWER));

    it("keeps an answer by token and key", async () => {
      await keep("1", "k");
      expect(await find("1", "k")).toEqual(ANSWER);
      expect(await find("2", "k")).toBeUndefined();
      expect(await find("1", "K")).toBeUndefined();
    });

    it("replaces all answers about a record in one state, and no other answer", async () => {
      const about = { id: "a", state: "draft" } as const;
      const [left, gone] = [{ outcome: { id: "gone" } }, { kind: "gone" }];
      const others = [
        { id: "a", state: "published" },
        { id: "a-b", state: "draft" },
        { id: "A", state: "draft" },
      ] as const;
      await engine.store.transaction(async (tx) => {
        for (const token of ["1", "2"]) await tx.answers.keep(token, "k", { request: "digest", about, ...left });
        for (const [i, other] of others.entries()) {
          await tx.answers.keep("1", `other ${i}`, { request: "digest", about: other, ...left });
        }
        await tx.answers.keep("1", "none", ANSWER);
      });
      expect(await find("1", "k")).toEqual({ request: "digest", about, ...left });
      await engine.store.transaction((tx) => tx.answers.replaceAbout(about, gone));
      for (const token of ["1", "2"]) expect(await find(token, "k")).toEqual({ request: "digest", outcome: gone });
      for (const [i, other] of others.entries()) {
        expect(await find("1", `other ${i}`)).toEqual({ request: "digest", about: other, ...left });
      }
      expect(await find("1", "none")).toEqual(ANSWER);
    });

    it("keeps nothing of a transaction that throws", async () => {
      const work = engine.store.transaction(async (tx) => {
        await tx.answers.keep("1", "k", ANSWER);
        throw new Error("changed my mind");
      });
      await expect(work).rejects.toThrow("changed my mind");
      expect(await find("1", "k")).toBeUndefined();
    });

    it("forgets it when its time is over", async () => {
      await keep("1", "k");
      clock.micros += LIMITS.idempotencyHours * 3_600_000_000 - 1_000;
      expect(await find("1", "k")).toEqual(ANSWER);
      clock.micros += 2_000;
      expect(await find("1", "k")).toBeUndefined();
    });

    it("lets one of several transactions with the same key do the work", async () => {
      const work = () =>
        engine.store.transaction(async (tx) => {
          if ((await tx.answers.find("1", "k")) !== undefined) return "found";
          // As others come in between where they can.
          await new Promise((resolve) => setTimeout(resolve, 20));
          await tx.answers.keep("1", "k", ANSWER);
          return "kept";
        });
      expect((await Promise.all([work(), work(), work()])).sort()).toEqual(["found", "found", "kept"]);
    });
  });
}
