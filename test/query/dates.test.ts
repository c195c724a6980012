/** What dates in a query find: whole units, leap days, ends of months, offsets, and dates in quotes. */
import { describe, expect, it } from "vitest";
import { recordFields, termFields } from "../../src/query/fields/field-lookup.js";
import { recordLeaves } from "../../src/query/index-model/record-leaves.js";
import { parseQuery } from "../../src/query/parse/parse.js";
import { resolveQuery } from "../../src/query/resolve/resolve.js";
import { matches } from "../support/reference-evaluator.js";
import { tinyModel, tinyRecord, tinyVocabulary } from "../support/tiny-catalog.js";

/** 2026-03-31T12:00:00Z: a month before is no day of February. */
const NOW = Date.UTC(2026, 2, 31, 12) * 1000;

const MEASURED = {
  a: "2024-02-29",
  b: "2024-03-01",
  c: "2024-02-28T23:30:00-01:00",
  d: "2024-02",
  e: "2026-02-28T12:00:00Z",
  f: "2026-03-01",
};

const fields = recordFields([tinyModel()], [tinyVocabulary()]);
const leaves = Object.entries(MEASURED).map(
  ([id, measured]) => [id, recordLeaves(tinyRecord(id, { measured }), tinyModel(), () => undefined)] as const,
);

function found(query: string): string {
  const { clause } = resolveQuery(parseQuery(query, fields).tree, fields, NOW);
  return leaves.flatMap(([id, one]) => (matches(clause, one) ? [id] : [])).join("");
}

describe("a date finds", () => {
  it.each([
    ["measured:2024-02-29", "ac"],
    ["measured:2024-02-29T00:30:00Z", "c"],
    ["measured:2024-02-29T01:30:00+01:00", "c"],
    ["measured:2024-02", "acd"],
    ["measured:2024", "abcd"],
    ["measured:>2024-02", "bef"],
    ["measured:<=2024-02-29", "acd"],
    ["measured:[2024-02-29 TO 2024-03]", "abc"],
    ["measured:{2024-02-29 TO 2024-03}", ""],
    ["measured:2023-02-29", ""],
    ["measured:>=now-1M", "ef"],
    ["measured:<now-1M", "abcd"],
    ["measured:>now-1M-1s", "ef"],
    ["measured:>now-30d", ""],
    ["measured:>=now-31d", "ef"],
    ["measured:>=now-2y-1M", "bef"],
    // In quotes too: where the service wrote the date it has no words.
    ['measured:"2024-02-29"', "ac"],
    ['created:"2026-11-21"', "abcdef"],
    ['created:"2026"', "abcdef"],
    ['created:"2026-11-20"', ""],
    ['measured:"02"', "acde"],
    ['measured:"2024 02 29"', "a"],
  ])("%s: %s", (query, ids) => expect(found(query)).toBe(ids));
});

it("in quotes is text where no date is meant", () => {
  const { clause } = resolveQuery(parseQuery('title:"2026-11-21"', fields).tree, fields, NOW);
  expect(clause).toMatchObject({ kind: "words", words: ["2026", "11", "21"] });
  expect(termFields(tinyVocabulary()).find("created")).toBeUndefined();
});
