import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { CARD_READINGS, SEARCH_CARD } from "./help-pages.js";

/** Rows of the tables of docs/search-card.md: what is written, and what it says of it. */
const rows = readFileSync("docs/search-card.md", "utf8")
  .split("\n")
  .flatMap((line) => {
    const [, written, said] = /^\| `([^|]+)` \| ([^|]+) \| \d+ \|$/.exec(line) ?? [];
    return written === undefined ? [] : [{ written, said: said! }];
  });

it("is the card of the documentation, line by line", () => {
  const shown = [
    ...SEARCH_CARD.map(({ q, finds }) => ({ written: q, said: finds })),
    ...CARD_READINGS.map(({ q, read }) => ({ written: q, said: `\`${read}\`` })),
  ];
  expect(rows.length).toBeGreaterThan(15);
  expect(shown).toEqual(rows);
});
