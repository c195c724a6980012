import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Engine } from "../../src/ports/engine.js";
import {
  contractCatalog,
  type EngineUnderTest,
  makeClock,
  putAll,
  START_MICROS,
  type TestClock,
  tinyRecord,
} from "../support/engines/engine-under-test.js";

const HOUR = 3_600_000_000;
const DAY = 24 * HOUR;

/** Tests that a store refuses to write at the time of a clock that jumped. */
export function clockJumpContract(under: EngineUnderTest): void {
  describe(`clock jump contract: ${under.name}`, () => {
    let engine: Engine;
    let clock: TestClock;
    const open = async (clockJumpMaxMicros: number): Promise<void> => {
      engine = await under.open({ catalog: contractCatalog(), clock, clockJumpMaxMicros });
    };
    const reopen = async (clockJumpMaxMicros: number): Promise<void> => {
      await engine.close();
      await open(clockJumpMaxMicros);
    };
    beforeEach(async () => {
      clock = makeClock();
      await open(DAY);
    });
    afterEach(async () => {
      await engine.close();
      await under.cleanUp();
    });

    const put = (id: string): Promise<void> => putAll(engine, [tinyRecord(id, { title: id })]);
    const timeOf = async (id: string): Promise<number> => {
      const { created } = JSON.parse((await engine.store.records.get(id, "published"))!.json);
      return Date.parse(created) * 1_000;
    };
    const refusal = (message: RegExp) => ({
      code: "STORE_UNAVAILABLE",
      status: 503,
      message: expect.stringMatching(message),
    });

    it("refuses writes while it is more than a day ahead, reads, and writes at the right time after that", async () => {
      await put("a");
      clock.micros += 30 * HOUR;
      await expect(put("b")).rejects.toMatchObject(refusal(/jumped ahead by 30\.0 h/));
      await expect(engine.store.checkWrites()).rejects.toMatchObject(refusal(/jumped ahead/));
      expect(await engine.store.records.get("a", "published")).toMatchObject({ id: "a" });
      clock.micros = START_MICROS + HOUR;
      await put("b");
      expect(Math.abs((await timeOf("b")) - clock.micros)).toBeLessThan(1_000_000);
    });

    it("takes a smaller jump, and goes on just after it when the clock is back", async () => {
      clock.micros += 20 * HOUR;
      await put("a");
      clock.micros = START_MICROS;
      await put("b");
      expect((await timeOf("b")) - START_MICROS).toBeGreaterThanOrEqual(20 * HOUR);
      expect((await timeOf("b")) - START_MICROS).toBeLessThan(20 * HOUR + 1_000_000);
    });

    it("accepts the clock after a restart, and refuses writes if it goes back by more", async () => {
      await put("a");
      clock.micros += 30 * DAY;
      await reopen(DAY);
      await put("b");
      clock.micros = START_MICROS;
      await expect(put("c")).rejects.toMatchObject(refusal(/last change is dated 2026-12-21T10.*720\.0 h ahead of/));
      await reopen(DAY);
      await expect(put("c")).rejects.toMatchObject(refusal(/720\.0 h ahead of the clock/));
      clock.micros = START_MICROS + 30 * DAY;
      await reopen(DAY);
      await put("c");
    });

    it("writes at any time if the operator allows it", async () => {
      await reopen(0);
      clock.micros += 30 * DAY;
      await put("a");
      clock.micros = START_MICROS;
      await put("b");
      expect(await timeOf("b")).toBeGreaterThan(START_MICROS + 29 * DAY);
    });
  });
}
