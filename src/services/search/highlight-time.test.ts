import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type OpenServices, openServices } from "../../../test/support/open-services.js";
import { makeRecord } from "../../../test/support/records.js";
import type { Actor } from "../../core/actor.js";
import { LIMITS } from "../../core/limits.js";
import { MarkingTime } from "./shown-hits.js";

let bindery: OpenServices;
let alice: Actor;
beforeAll(async () => {
  bindery = await openServices({ searchTimeoutMs: 300 });
  alice = await bindery.actor("alice", "records:write");
});
afterAll(() => bindery.dispose());

/** Different words that are alike. */
const words = (from: number): string =>
  Array.from({ length: 2_700 }, (_, i) => `mark${(from + i).toString(26).padStart(30, "a")}`).join(" ");

describe("marking the matches of a search", () => {
  it("ends with the time of the query: hits that are left come without marks, and the answer says so", async () => {
    for (let n = 0; n < 12; n++) {
      const notes = Array.from({ length: 5 }, (_, i) => words(n * 20_000 + i * 3_000));
      await bindery.createDraft(alice, "mst", JSON.stringify({ metadata: { ...makeRecord(n).metadata, notes } }));
    }
    const q = Array.from({ length: 60 }, (_, i) => `mark${"a".repeat(20)}${i}~2`).join(" OR ");
    const window = { size: "12" };
    const asked = { own: true, window, q: `mark* OR ${q}`, highlight: true, filters: {} } as never;
    const began = performance.now();
    const { hits, warnings, total } = await bindery.searchRecords(alice, asked);
    const took = performance.now() - began;
    expect([total, hits.length]).toEqual([12, 12]);
    expect(warnings.map(({ code }) => code)).toContain("HIGHLIGHT_LEFT_OUT");
    expect(hits.filter(({ highlight }) => highlight === undefined).length).toBeGreaterThan(0);
    expect(took).toBeLessThan(8_000);
  });

  it("has at least a moment, however long the search took, and then none", () => {
    const time = new MarkingTime(-1_000);
    expect(time.run(() => "marked")).toBe("marked");
    const spin = (): never => {
      for (;;) time.check();
    };
    expect(time.run(spin)).toBeUndefined();
    expect(time.run(() => "marked")).toBeUndefined();
    expect(time.warnings[0]?.message).toContain("2 hits");
    expect(LIMITS.markedTextLengthMax).toBeGreaterThan(100_000);
  });
});
