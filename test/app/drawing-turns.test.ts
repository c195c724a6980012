/** The thread that draws structures: what ends it, and whose structure is next. */
import { pino } from "pino";
import { afterAll, describe, expect, it } from "vitest";
import { startDrawing } from "../../src/app/threads/start-drawing.js";
import { LIMITS } from "../../src/core/limits.js";

const MEMORY_MIB = 32;
const drawing = startDrawing(
  { logger: pino({ level: "silent" }), reports: () => undefined },
  { file: new URL("./drawing-worker.mjs", import.meta.url), memoryMiB: MEMORY_MIB },
);
const { draw } = drawing;
afterAll(() => drawing.close());

describe("the thread that draws", () => {
  it("is ended by a structure that needs too much memory, and draws the next one", async () => {
    const [hungry, next] = await Promise.all([draw("memory"), draw("1")]);
    expect(hungry).toEqual({ reason: `it takes more than ${MEMORY_MIB} MiB to draw` });
    expect(next).toEqual({ svg: "1" });
  });

  it("draws for each caller in turn, however many structures one of them has waiting", async () => {
    const order: string[] = [];
    const drawFor = async (caller: string, ms: number): Promise<void> => {
      await draw(String(ms), caller);
      order.push(caller);
    };
    const many = Array.from({ length: 20 }, () => drawFor("a", 20));
    await Promise.all([...many, drawFor("b", 1), drawFor("c", 1), drawFor("b", 2)]);
    // The first one is being drawn when the others come.
    expect(order.slice(0, 6)).toEqual(["a", "a", "b", "c", "a", "b"]);
  });

  it("refuses further structures of one caller, and draws those of others", async () => {
    const { structuresWaitingPerCallerMax: max } = LIMITS;
    // One is being drawn, and the others wait.
    const accepted = Array.from({ length: max + 1 }, () => draw("10", "a"));
    await expect(draw("1", "a")).rejects.toMatchObject({
      code: "STORE_UNAVAILABLE",
      message: expect.stringContaining(`${max} of your structures wait to be drawn`),
    });
    expect(await draw("1", "b")).toEqual({ svg: "1" });
    await Promise.all(accepted);
    expect(await draw("1", "a")).toEqual({ svg: "1" });
  });
});
