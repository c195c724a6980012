import { describe, expect, it } from "vitest";
import { packResult, unpackResult } from "./pack-result.js";

const travel = (result: unknown) => unpackResult(structuredClone(packResult(result)));

const hits = Array.from({ length: 300 }, (_, i) => ({ id: `sp:${i}`, revision: i % 3, json: `{"id":"sp:${i}"}` }));

describe("a result that travels", () => {
  it.each([
    ["many hits", { hits, total: 7_000, query: { parsed: "" } }],
    ["few hits", { hits: hits.slice(0, 3), total: 3 }],
    ["no hits", { hits: [], total: 0 }],
    ["hits of which some say more", { hits: hits.map((hit, i) => (i === 200 ? { ...hit, matched: {} } : hit)) }],
    ["as many members of other names", { hits: [...hits, { id: "sp:300", revision: 1, text: "{}" }] }],
    ["no list", { actor: "anonymous" }],
    ["a text", "text"],
    ["nothing", undefined],
    ["null", null],
  ])("arrives as it was: %s", (_, result) => {
    expect(travel(result)).toStrictEqual(result);
  });

  it("has its many hits in columns", () => {
    const { result, columns } = packResult({ hits, total: 300 });
    expect(result).toEqual({ total: 300 });
    expect(columns!.id).toEqual(hits.map(({ id }) => id));
  });
});
