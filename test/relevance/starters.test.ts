import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type OpenServices, openServices } from "../support/open-services.js";
import { readExpectations } from "./expectations.js";
import { describeJudged, isMiss, judgeAll } from "./judge.js";

/** What scientists type, asked of the starter items. TEST_LONG=1 asks it of whole dumps (whole-dumps.test.ts). */
let bindery: OpenServices;
beforeAll(async () => {
  bindery = await openServices();
});
afterAll(() => bindery.dispose());

/** What the rules of the ranking put elsewhere, and why. */
const MISSED: Readonly<Record<string, string>> = {
  "Biacore 8K+": "signs are no words: Biacore 8K is named so too, and is shorter",
  melanogaster: "titles that begin with it come first: melanogaster group, melanogaster subgroup",
  "zebra fish": "two words are no typo of one",
};

describe("of the starter items", () => {
  it("the one that is meant comes first, or within the first three where several may be meant", async () => {
    const { judged } = await judgeAll(bindery, readExpectations());
    expect(judged.length).toBeGreaterThan(200);
    const missed = judged.filter((each) => each.isNamed && isMiss(each)).map(({ text }) => text);
    expect([...new Set(missed)].sort(), describeJudged(judged)).toEqual(Object.keys(MISSED).sort());
  });
});

it("the queries are enough, and none is there twice", () => {
  const expectations = readExpectations();
  const texts = expectations.map(({ vocabulary, way, text }) => `${vocabulary} ${way} ${text}`);
  expect(new Set(texts).size).toBe(texts.length);
  expect(new Set(expectations.map(({ text }) => text)).size).toBeGreaterThan(150);
});
