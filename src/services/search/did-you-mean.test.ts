/** How long queries are looked for that find something; which ones they are, test/http/did-you-mean.test.ts shows. */
import { describe, expect, it } from "vitest";
import { tinyModel, tinyVocabulary } from "../../../test/support/tiny-catalog.js";
import { fail } from "../../core/errors.js";
import type { SearchIndex } from "../../ports/search-index.js";
import { recordFields } from "../../query/fields/field-lookup.js";
import type { Clause } from "../../query/index-model/clause.js";
import { type AlternativeSearch, describeQuery } from "./did-you-mean.js";
import { readQuery } from "./read-query.js";

const fields = recordFields([tinyModel()], [tinyVocabulary()]);
const still = { nowMicros: () => 0 };
const MANY_TYPOS = "aaaaaaaa bbbbbbbb cccccccc dddddddd eeeeeeee";

/** An index where every word has words near to it, and searches as `findOne` says. */
async function describeNothing(
  findOne: AlternativeSearch["findOne"],
  clock = still,
  q = MANY_TYPOS,
  {
    total = 0,
    isFirstPage = true,
    count = async (clauses) => clauses.map(() => 0),
    countsTogether = false,
    knownWords,
  }: Partial<Pick<AlternativeSearch, "isFirstPage" | "count" | "countsTogether">> & {
    readonly total?: number;
    readonly knownWords?: SearchIndex["knownWords"];
  } = {},
) {
  const request = { q, window: { size: 10 }, filters: {}, facetSize: 0, lang: "en" };
  const nearestWords = async (_: unknown, word: string) => ["x", "y", "z"].map((letter) => word.slice(0, -1) + letter);
  const elsewhere: AlternativeSearch = {
    fields,
    where: { in: "records" },
    isFirstPage,
    hasFilters: true,
    findOne,
    count,
    countsTogether,
  };
  return await describeQuery(
    { index: { nearestWords, ...(knownWords && { knownWords }) }, clock },
    readQuery(request, fields, clock),
    total,
    elsewhere,
  );
}

describe("describeQuery", () => {
  it("searches eight times at most", async () => {
    const asked: Clause[] = [];
    const { query } = await describeNothing(async (clause) => {
      asked.push(clause);
      return undefined;
    });
    expect(asked).toHaveLength(8);
    expect(query).not.toHaveProperty("suggestions");
  });

  it.each([
    ["Remark: trypsin -a", 12, true, 1],
    ["Remark: trypsin -a", 12, false, 0],
    ["lysozyme NOT trypsin", 12, true, 0],
    ["lysozyme NOT trypsin", 12, false, 0],
    ["lysozyme trypsin", 12, true, 0],
  ])("looks for %j as a phrase only if it may be pasted: %j hits, first page %j", async (q, total, isFirstPage, n) => {
    let searches = 0;
    await describeNothing(async () => void searches++, still, q, { total, isFirstPage });
    expect(searches).toBe(n);
  });

  it.each([
    ["enzyme lipase", ["enzymes", "lipases"], ["enzymes lipase", "enzyme lipases"]],
    ["enzyme lipase", ["lipases"], ["enzyme lipases"]],
    ["enzyme lipase", [], []],
    // A field may have words that are not in the text, and a Greek letter may be written with its neighbour.
    ["title:enzyme lipase", [], ["enzymes lipase"]],
    ["beta sheet", [], ["betas sheet", "beta sheets"]],
  ])("counts the hits of %j with the other number of a word only if the index has %j", async (q, known, counted) => {
    const clauses: string[] = [];
    const count: AlternativeSearch["count"] = async ([clause]) => [clauses.push(JSON.stringify(clause))];
    const knownWords: SearchIndex["knownWords"] = async (_, words) => words.filter((word) => known.includes(word));
    await describeNothing(async () => undefined, still, q, { total: 3, count, knownWords });
    expect(clauses).toHaveLength(counted.length);
    for (const [i, words] of counted.entries()) {
      for (const word of words.split(" ")) expect(clauses[i]).toContain(word);
    }
  });

  it.each([
    [true, [2]],
    [false, [1, 1]],
  ])("counts the hits with each other number together if an index can: %j", async (countsTogether, sizes) => {
    const batches: number[] = [];
    const count: AlternativeSearch["count"] = async (clauses) => {
      batches.push(clauses.length);
      return clauses.map((clause) => (JSON.stringify(clause).includes("lipases") ? 6 : 5));
    };
    const options = { total: 3, count, countsTogether };
    const { query } = await describeNothing(async () => undefined, still, "enzyme lipase", options);
    expect(batches).toEqual(sizes);
    expect(query.suggestions).toEqual(["enzyme lipases"]);
  });

  it("counts the hits with each other number alone if together they take too long", async () => {
    const count: AlternativeSearch["count"] = async (clauses) => {
      if (clauses.length > 1 || JSON.stringify(clauses).includes("enzymes"))
        throw fail("QUERY_TOO_COSTLY", { clause: "enzymes" });
      return clauses.map(() => 6);
    };
    const { query } = await describeNothing(async () => undefined, still, "lipase enzyme", {
      total: 3,
      count,
      countsTogether: true,
    });
    expect(query.suggestions).toEqual(["lipases enzyme"]);
  });

  it("begins no search after a second", async () => {
    let searches = 0;
    const clock = { nowMicros: () => searches * 400_000 };
    await describeNothing(async () => void searches++, clock);
    expect(searches).toBe(3);
  });

  it("keeps what it has, or nothing, where a search takes too long", async () => {
    const costly = fail("QUERY_TOO_COSTLY", { clause: "aaaaaaaa" });
    const none = await describeNothing(() => Promise.reject(costly));
    const query = { parsed: MANY_TYPOS.replaceAll(" ", " AND "), fallback: false };
    // Next time it may not take so long.
    expect(none).toEqual({ query, isUnsettled: true });
    let offers = 0;
    const some = await describeNothing(
      async (_, filtered) => {
        if (!filtered) return undefined;
        if (++offers > 1) throw costly;
        return "{}";
      },
      still,
      "aaaaaaaa",
    );
    expect(some.query.suggestions).toEqual(["aaaaaaax"]);
  });

  it("hides no mistake of its own", async () => {
    await expect(describeNothing(() => Promise.reject(new TypeError("a mistake")))).rejects.toThrow("a mistake");
  });
});
