/** What queries about numbers with units find, by the reference evaluator. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalPath } from "../../src/core/catalog/places.js";
import type { JsonObject } from "../../src/core/json.js";
import { recordFields } from "../../src/query/fields/field-lookup.js";
import { recordLeaves } from "../../src/query/index-model/record-leaves.js";
import { parseQuery } from "../../src/query/parse/parse.js";
import { printQuery } from "../../src/query/parse/print.js";
import { resolveQuery } from "../../src/query/resolve/resolve.js";
import { matches } from "../support/reference-evaluator.js";
import { tinyModel, tinyRecord, tinyVocabulary } from "../support/tiny-catalog.js";

const RECORDS: Readonly<Record<string, JsonObject>> = {
  a: { results: [{ type: "KD", value: 0.01, unit: "µM", sample: { id: "x", name: "buffer" } }] },
  b: {
    results: [
      { type: "KD", value: 10, unit: "nM" },
      { type: "other", value: 5, unit: "nM" },
    ],
  },
  c: {
    results: [
      { type: "KD", value: 3, unit: "mM" },
      { type: "kOn", value: 2e5, unit: "1/Ms" },
    ],
  },
  d: {
    results: [
      { type: "KD", value: 4, unit: "furlongs" },
      { type: "KD", value: -1e-9, unit: "M^2" },
    ],
  },
  e: { samples: [{ concentration: { value: 250, unit: "µM" } }, { concentration: { value: 7 } }] },
  f: { samples: [{ concentration: { value: 25, unit: "°C" } }, { concentration: { value: 2, unit: "Furlongs" } }] },
  g: {
    results: [
      { type: "Hill", value: 1.5 },
      { type: "Hill", value: 3, unit: "unitless" },
      { type: "KD", value: 2 },
    ],
  },
  h: { results: [{ type: "Hill", value: 70, unit: "%" }], samples: [{ concentration: { value: -20, unit: "degC" } }] },
};

const fields = recordFields([tinyModel(), tinyModel("other")], [tinyVocabulary()]);
const leaves = new Map(
  Object.entries(RECORDS).map(([id, metadata]) => [
    id,
    recordLeaves(tinyRecord(id, metadata), tinyModel(), () => undefined),
  ]),
);

const clauseOf = (query: string) => resolveQuery(parseQuery(query, fields).tree, fields, 0);

function found(query: string): string {
  const { clause } = clauseOf(query);
  return [...leaves].flatMap(([id, record]) => (matches(clause, record) ? [id] : [])).join("");
}

const codes = (query: string): readonly string[] =>
  [...parseQuery(query, fields).warnings, ...clauseOf(query).warnings].map(({ code }) => code);

describe("a quantity", () => {
  it.each([
    // Declared names: only the results whose type says so.
    ["kd:<10nM", ""],
    ["kd:<=10nM", "ab"],
    ["kd:<=10 nM", "ab"],
    ["kd:< 11 nM", "ab"],
    ["kd:10nM", "ab"],
    ["kd:10 nM", "ab"],
    ["kd:0.01uM", "ab"],
    ["kd:1e-8 Molar", "ab"],
    ["kd:1e-8 M", "ab"],
    ["KD:[1 nM TO 5 µM]", "ab"],
    ["kd:[1 TO 5 mM]", "c"],
    ["kd:{10nM TO *]", "c"],
    ["kd:(>=1nM AND <10nM)", ""],
    ["kd:(10nM OR 3 mM)", "abc"],
    ["kd:10nM kd:>1nM", "ab"],
    ["-kd:>1nM", "defgh"],
    ["kd:-1e-9M^2", "d"],
    ["kd:-1e-9 M^2", "d"],
    ["kd:<0 M^2", "d"],
    ['kd:<"11 nM"', "ab"],
    ['kd:"10 nM"', ""],
    ["kd:5nM", ""],
    ["_exists_:kd", "abcdg"],
    ["kd:*", "abcdg"],
    ["kon:>1e5 M-1 s-1", "c"],
    ["kon:>1e5 M^-1 s^-1", "c"],
    ["kon:>1e5 1/Ms", "c"],
    ["kon:>1e5/M/s", "c"],
    ["kon:>=0.2 µM^-1 s^-1 x", ""],
    ["kon:>=0.2 1/(µM s)", "c"],
    ["kon:2e5 1/M/s", "c"],
    // Without a unit: as entered; but where numbers without a unit are meant.
    ["kd:10", "b"],
    ["kd:>3", "bd"],
    ["hill:>1", "g"],
    ["hill:1.5", "g"],
    ["hill:0.7", "h"],
    ["hill:70%", "h"],
    ["hill:[70% TO 2]", ""],
    // Paths and objects.
    ["results.value:5nM", "b"],
    ["results.value:5 nM", "b"],
    ["results.value:5", "b"],
    ["results.value:<6 nM", "b"],
    ["results:<6 nM", "b"],
    ["samples.concentration:[200 µM TO 1 mM]", "e"],
    ["samples.concentration:0.25 mM", "e"],
    ["samples.concentration.value:0.25 mM", "e"],
    ["samples.concentration.value:7", "e"],
    ["concentration:<1mM", "e"],
    ["concentration:7", "e"],
    ["samples:(concentration:<1mM)", "e"],
    ["samples.concentration:298.15K", "f"],
    ["samples.concentration:25°C", "f"],
    ["samples.concentration:[20 degC TO 300 K]", "f"],
    ["samples.concentration:(-20°C OR 25 °C)", "fh"],
    ["samples.concentration.value:(-20 OR 25)", "fh"],
    ["samples.concentration.value:-20", "h"],
    // Same element.
    ["results:(kd:<=10nM AND sample.name:buffer)", "a"],
    ["results:(kd:<=10 nM sample.name:buffer)", "a"],
    ["results:(kd:10nM AND type:other)", ""],
    ["results:(value:5 nM AND type:other)", "b"],
    ["results:(NOT kd:>1pm)", "abcdgh"],
    // Units that are not known, or do not fit.
    ["kd:<5furlongs", "d"],
    ["kd:4furlongs", "d"],
    ["kd:>4furlongs", ""],
    ["samples.concentration.value:[1furlongs TO 3 furlongs]", "f"],
    ["samples.concentration:<3FURLONGS", "f"],
    ["samples.concentration:[2 parsecs TO *]", ""],
    ["kd:<10 s", ""],
    ["kd:[1 nM TO 5 s]", ""],
    ["kd:[1 nM TO 5 furlongs]", ""],
    // Not about quantities at all.
    ["kd:<=10nM nM", "b"],
    ["kd:3 OR nM", "bc"],
    ["results:5 nM", "b"],
    ["results:6 nM", ""],
    ["10 nM", "b"],
  ])("%s: %s", (query, ids) => {
    expect(found(query)).toBe(ids);
  });

  it.each([
    ["kd:<10", ["QUERY_UNIT_MISSING"]],
    ["kd:10", ["QUERY_UNIT_MISSING"]],
    ["concentration:7", ["QUERY_UNIT_MISSING"]],
    ["kd:<10 s", ["QUERY_UNIT_MISMATCH"]],
    ["kd:[1 nM TO 5 s]", ["QUERY_UNIT_MISMATCH"]],
    ["kd:<5furlongs", ["QUERY_UNIT_UNKNOWN"]],
    ["concentration:<5 s", ["QUERY_UNIT_MISMATCH"]],
    ["kd:<10nM stated:yes", ["QUERY_VALUE_UNKNOWN"]],
    ["stated:t*", ["QUERY_VALUE_UNKNOWN"]],
    ["-stated:no", ["QUERY_VALUE_UNKNOWN"]],
    ["kd:<10nM stated:true", []],
    ["kd:<10nM", []],
    ["hill:>1", []],
    ["results.value:<10", []],
    ["kd:10 M^2", []],
    ["ph:7^2", ["QUERY_BOOST_IGNORED"]],
    ["ph:<10nM", ["QUERY_RANGE_AS_TEXT"]],
    ["results:5HT", []],
    ["samples:7-9", []],
  ])("%s warns of %j", (query, expected) => {
    expect(codes(query)).toEqual(expected);
  });

  it("says which units fit, and names known ones near to an unknown one", () => {
    expect(clauseOf("kd:<10 s").warnings[0]?.message).toContain("molarity (M), molarity to the power of 2 (M^2)");
    expect(clauseOf("kd:<10").warnings[0]?.message).toContain('"kd:<1 M"');
    expect(clauseOf("kd:<10unitles").warnings[0]?.nearest).toEqual(["unitless"]);
  });
});

describe("amounts", () => {
  const units = tinyModel().units;
  const amount = fc.tuple(
    fc.oneof(fc.constantFrom("0", "-1", "10", "1e-3", "2.5", ".5", "1E5"), fc.double({ noNaN: true }).map(String)),
    fc.constantFrom("", " "),
    fc.constantFrom(...units.units.keys(), "furlongs", "x y", "1/Ms", "mol/L"),
  );

  it("are printed as what parses to the same tree, whatever number, unit and blank", () => {
    const shape = fc.constantFrom("", "<", ">=", "[* TO", "[1 nM TO", "(>1 nM AND <=", "NOT ");
    const name = fc.constantFrom("kd", "results.value", "concentration", "results:(kd", "samples.concentration", "ph");
    fc.assert(
      fc.property(name, shape, amount, (field, before, [number, blank, unit]) => {
        const closing =
          (before.startsWith("[") ? "]" : before.startsWith("(") ? ")" : "") + (field.includes("(") ? ")" : "");
        const prefix = before === "NOT " ? `NOT ${field}:` : `${field}:${before} `.replace(": ", ":");
        const { tree } = parseQuery(`${prefix}${number}${blank}${unit}${closing} end`, fields);
        expect(parseQuery(printQuery(tree), fields).tree).toEqual(tree);
      }),
      { numRuns: 3_000 },
    );
  });

  it("in any unit are in the order of what they are, and equal when they are the same", () => {
    const molar = [...units.units.values()].filter(({ dimension }) => dimension === "molarity");
    const value = fc.tuple(fc.integer({ min: 1, max: 10_000 }), fc.constantFrom(...molar));
    fc.assert(
      fc.property(value, value, ([a, unitA], [b, unitB]) => {
        const record = recordLeaves(
          tinyRecord("x", { results: [{ type: "KD", value: a, unit: unitA.name }] }),
          tinyModel(),
          () => undefined,
        );
        const nano = (n: number, factor: number): bigint => BigInt(n) * BigInt(Math.round(factor * 1e9));
        const [left, right] = [nano(a, unitA.factor), nano(b, unitB.factor)];
        const holds = (op: string): boolean => matches(clauseOf(`kd:${op}${b}${unitB.name}`).clause, record);
        expect([holds("<"), holds(">"), holds("")]).toEqual([left < right, left > right, left === right]);
      }),
    );
  });

  it("in an unknown unit are in the order of their numbers", () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true }), fc.double({ noNaN: true, noDefaultInfinity: true }), (a, b) => {
        fc.pre(Number.isFinite(a));
        const metadata = { results: [{ type: "KD", value: a, unit: "fur\u0000 longs" }] };
        const record = recordLeaves(tinyRecord("x", metadata), tinyModel(), () => undefined);
        const holds = (op: string): boolean => matches(clauseOf(`kd:${op}"${b} fur longs"`).clause, record);
        expect([holds("<"), holds(">"), holds("<=")]).toEqual([a < b, a > b, a <= b]);
      }),
    );
  });
});

describe("a derived quantity", () => {
  const SAMPLE = { id: "x" };
  const DERIVED: Readonly<Record<string, JsonObject>> = {
    a: { results: [{ type: "KA", value: 4e8, unit: "M^-1", sample: SAMPLE }] },
    b: { results: [{ type: "KD", value: 2.5, unit: "nM", sample: SAMPLE }] },
    c: {
      results: [
        { type: "KA", value: 1e6, unit: "M^-1", sample: SAMPLE },
        { type: "KD", value: 50, unit: "nM", sample: SAMPLE },
      ],
    },
    d: {
      results: [
        { type: "KD", value: 50, unit: "nM", sample: SAMPLE },
        { type: "KA", value: 4e8, unit: "M^-1", sample: { id: "y" } },
      ],
    },
    e: { results: [{ type: "KA", value: 0, unit: "M^-1" }], title: "kd" },
    f: { results: [{ type: "Hill", value: 1 }] },
  };
  const indexed = Object.entries(DERIVED).map(
    ([id, metadata]) => [id, recordLeaves(tinyRecord(id, metadata), tinyModel(), () => undefined)] as const,
  );
  const find = (query: string): string => {
    const { clause } = clauseOf(query);
    return indexed.flatMap(([id, record]) => (matches(clause, record) ? [id] : [])).join("");
  };

  it.each([
    ["kd:*", "abcd"],
    ["kd:2.5nM", "abd"],
    ["kd:<10nM", "abd"],
    ["kd:>1M", ""],
    ["-kd:*", "ef"],
    // Nobody entered the number of a derived value, so numbers without a unit are compared with those of others.
    ["kd:<5", "b"],
    ["results:(kd:2.5nM AND ka:*)", "ad"],
    ["results:(kd:2.5nM AND sample.id:y)", "d"],
    ["results:(type:KD AND kd:2.5nM)", "b"],
  ])("is found like a stated one: %s", (query, expected) => {
    expect(find(query)).toBe(expected);
  });

  it.each([
    ["kd:<10nM stated:true", "b"],
    ["STATED:TRUE AND kd:<10nM", "b"],
    ['kd:<10nM stated:"true"', "b"],
    ["kd:* stated:true", "bcd"],
    ["kd:<10nM stated:false", "ad"],
    ["kd:<10nM -stated:true", "ad"],
    ["kd:<10nM NOT stated:false", "b"],
    ["(kd:<10nM OR kd:50nM) stated:true", "bcd"],
    ["-kd:* stated:true", "aef"],
    ["results:(kd:<10nM AND stated:true)", "b"],
    ["results:(kd:<10nM) stated:true", "b"],
    ["results:(kd:<10nM AND stated:false) kd:50nM", "d"],
    ["(kd:<10nM stated:true) OR ka:0", "be"],
    ["kd:<10nM stated:true stated:false", ""],
  ])("is left out, or found alone, by %s", (query, expected) => {
    expect(find(query)).toBe(expected);
  });

  it.each([
    ["stated:true", "bcd"],
    ["stated:false", "ad"],
    ["-stated:false", "bcd"],
    ["title:kd stated:true", ""],
    ["hill:* stated:true", ""],
    ["results:(stated:false)", "ad"],
    ["results:(sample.id:x AND stated:true)", "bcd"],
    ["stated:true OR hill:*", "bcdf"],
    ["stated:perhaps", ""],
  ])("makes %s a condition without a quantity that may be derived", (query, expected) => {
    expect(find(query)).toBe(expected);
  });

  it("has no other meaning of the name than that of a model", () => {
    const own = tinyModel("tiny", {
      fields: new Map([["stated", { name: "stated", path: "metadata.title" }], ...tinyModel().fields]),
    });
    const ownFields = recordFields([own], []);
    const { clause } = resolveQuery(parseQuery("stated:true kd:*", ownFields).tree, ownFields, 0);
    expect(indexed.some(([, record]) => matches(clause, record))).toBe(false);
    const titled = recordLeaves(tinyRecord("x", { ...DERIVED.a, title: "true" }), own, () => undefined);
    expect(matches(clause, titled)).toBe(true);
  });
});

it("is indexed beside the number as it stands, without words", () => {
  const record = recordLeaves(tinyRecord("x", RECORDS.a!), tinyModel(), () => undefined);
  const added = record.leaves.filter(({ path }) => path?.includes("@"));
  const at = { element: 1, weight: "rest", words: [] };
  expect(added).toEqual([
    { path: "metadata.results.@kd=", ...at, number: 0.01 },
    { path: "metadata.results.@kd", ...at, number: 1e-8 },
    { path: "metadata.results.value@molarity", ...at, number: 1e-8 },
  ]);
  const [kd] = tinyModel().quantities;
  expect(canonicalPath(kd!.leaf, "molarity_squared")).toBe("metadata.results.@kd@molarity_squared");
});
