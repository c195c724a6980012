import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sharedData } from "../support/shared-data.js";
import { readExpectations } from "./expectations.js";
import { describeJudged, judgeAll, measure } from "./judge.js";
import { ALL_DUMPS, openWhole } from "./open-whole.js";

/** What scientists type, asked of whole dumps: minutes, so TEST_LONG=1 only, and where the dumps are. */
const SHARED = sharedData();
const isWanted = process.env.TEST_LONG === "1";
const print = (text: string): boolean => process.stderr.write(`${text}\n`);
if (isWanted && SHARED === undefined) print("Skipped: the dumps of authorities are not here.");

describe.skipIf(!isWanted || SHARED === undefined)("ranking on whole dumps", { timeout: 3_600_000 }, () => {
  let whole: Awaited<ReturnType<typeof openWhole>>;
  beforeAll(async () => {
    whole = await openWhole(SHARED!, ALL_DUMPS);
  }, 3_600_000);
  afterAll(() => whole.dispose());

  it("puts first what scientists mean", async () => {
    const { judged, absent } = await judgeAll(whole.services, readExpectations());
    print(describeJudged(judged));
    print(`not in the data: ${[...new Set(absent.map(({ text, item }) => `"${text}" (${item})`))].join(", ")}`);
    const all = measure(judged);
    expect(all.queries).toBeGreaterThan(600);
    expect(all.mrr).toBeGreaterThan(0.88);
    // What the data do not know by this name no ranking finds.
    const { mrr, asExpected } = measure(judged.filter(({ isNamed }) => isNamed));
    expect(mrr).toBeGreaterThan(0.94);
    expect(asExpected).toBeGreaterThan(0.94);
  });
});
