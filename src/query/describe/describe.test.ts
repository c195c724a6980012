/** What is told of the parts of a query, beside where they stand: queries without them, and cures. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { builtInCatalog } from "../../../test/support/catalog.js";
import { arbitraryQueryText } from "../../../test/support/query-arbitraries.js";
import { tinyModel, tinyVocabulary } from "../../../test/support/tiny-catalog.js";
import { LIMITS } from "../../core/limits.js";
import { recordFields } from "../fields/field-lookup.js";
import { parseQuery } from "../parse/parse.js";
import { printQuery } from "../parse/print.js";
import { resolveQuery } from "../resolve/resolve.js";
import { positionsIn } from "../text/positions.js";
import { makeCures } from "./cures.js";
import { describeParts, withoutPart } from "./describe-parts.js";
import { findWarnings, hasNoNewWarnings } from "./unit-offers.js";

const fields = recordFields([tinyModel()], [tinyVocabulary()]);

const describeText = (text: string) =>
  describeParts(parseQuery(text, fields).parts, {
    text,
    fields,
    fieldLabel: (name) => name.toUpperCase(),
    nowMicros: 0,
  });

describe("parts", () => {
  it("say what they are, in the groups that they stand in", () => {
    expect(describeText("samples:(concentration.value:<5mM AND steps:(duration:>60))")).toMatchObject([
      {
        kind: "group",
        field: "samples",
        label: "SAMPLES",
        element: "metadata.samples",
        parts: [
          {
            kind: "quantity",
            bounds: [{ op: "<", value: "5", unit: "mM" }],
            canonical: { to: 0.005, unit: "M" },
            query: { kind: "group", field: "samples", of: { kind: "range", field: "concentration.value" } },
          },
          { kind: "operator", operator: "AND" },
          {
            kind: "group",
            field: "steps",
            element: "metadata.samples.steps",
            parts: [{ kind: "range", bounds: [{ op: ">", value: "60" }], canonical: { from: 60 } }],
          },
        ],
      },
    ]);
  });

  it.each([
    ["brackets around brackets", `${"(".repeat(2_000)}a${")".repeat(2_000)}`],
    ["brackets that are never closed", `${"(".repeat(4_000)}a`],
    ["brackets among invisible characters", `${"(\u200b".repeat(2_000)}a`],
    ["brackets of fields", `${"title:(".repeat(500)}a${")".repeat(500)}`],
    ["brackets with words beside them", `${"(b ".repeat(200)}a${")".repeat(200)}`],
    ["negated brackets", `${"-(".repeat(1_300)}a${")".repeat(1_300)}`],
  ])("nest no deeper than a query may, whatever it is made of: %s", (_, text) => {
    const depthOf = (parts: ReturnType<typeof describeText>): number =>
      Math.max(0, ...parts.map(({ parts: inner = [] }) => 1 + depthOf(inner)));
    expect(depthOf(describeText(text))).toBe(LIMITS.queryDepthMax);
  });

  it("tell dates as instants, and those beyond all dates not at all", () => {
    expect(describeText("measured:2024-05")[0]).toMatchObject({
      canonical: { from: "2024-05-01T00:00:00.000Z", to: "2024-06-01T00:00:00.000Z" },
    });
    expect(describeText("measured:>now-999999999w")[0]?.canonical).toEqual({});
  });

  it("tell words that cannot be compared as words", () => {
    expect(describeText("ph:>abc")[0]).toMatchObject({ kind: "field", field: "ph", match: "words" });
    expect(describeText("title:abc")[0]).toMatchObject({ kind: "field", match: "words", value: "abc" });
  });
});

describe("a query without one of its parts", () => {
  it.each([
    ["a b c", 1, "a c"],
    ["a AND b AND c", 2, "a AND c"],
    ["a b", 0, "b"],
    ["a OR b c", 2, "a OR c"],
    ["a b OR c", 1, "a OR c"],
    ["NOT a OR -b", 1, "-b"],
    ["a -b OR c", 2, "a OR c"],
    ["a OR NOT b AND c", 3, "a OR c"],
    ["a (b c) d", 1, "a d"],
    ['a "b c"~5 d', 1, "a d"],
    ["a\\  b", 1, "a\\ "],
    ["a", 0, undefined],
    ["a AND ...", 0, undefined],
  ])("keeps what the others say: %s, part %i", (text, index, expected) => {
    expect(withoutPart(text, parseQuery(text, fields).parts, index)).toBe(expected);
  });

  it("has the tree of the others, and says nothing new", () => {
    const leaves = fc.array(fc.constantFrom("a", "-b", "title:c", "(d OR e)", "ph:>1", "NOT f", '"g h"'), {
      minLength: 2,
      maxLength: 6,
    });
    fc.assert(
      fc.property(leaves, fc.infiniteStream(fc.constantFrom(" ", " AND ", " OR ")), fc.nat(), (words, joints, n) => {
        const [first = "", ...others] = words;
        const text = others.reduce<string>((left, word) => left + joints.next().value + word, first);
        const { parts, warnings } = parseQuery(text, fields);
        const operands = parts.flatMap((part, i) => (part.kind === "operator" ? [] : [i]));
        const left = withoutPart(text, parts, operands[n % operands.length]!)!;
        const rest = words.toSpliced(n % operands.length, 1);
        expect(words.length - 1).toBe(parseQuery(left, fields).parts.filter(({ kind }) => kind !== "operator").length);
        for (const word of rest) expect(left).toContain(word.replace("NOT ", ""));
        expect(hasNoNewWarnings(findWarnings(left, fields, 0), warnings)).toBe(true);
      }),
    );
  });
});

describe("a number without a unit", () => {
  it.each([
    ["kd:<5", "kd:<5nM"],
    ["kd:5 lysozyme", "kd:5nM lysozyme"],
    ["KD:<5 kd:>1", "KD:<5nM kd:>1nM"],
    ["5 < kd", "kd:>5nM"],
    ["kd < 5 OR 7 < kd", "kd:<5nM OR kd:>7nM"],
    ["lysozyme OR 5 < kd", "lysozyme OR kd:>5nM"],
    ["kd:<5 kd:>10nM", "kd:<5nM kd:>10nM"],
    ["kd:<5 kd:<7nM", "kd:<5nM kd:<7nM"],
    ["kd:(<5 OR >7nM)", "(kd:<5nM OR kd:>7nM)"],
    ["kd:(<5 OR >7)", "(kd:<5nM OR kd:>7nM)"],
    ["kd:(>1 AND <5)", "kd:{1nM TO 5nM}"],
    ["kd:(>1 AND <7nM) kd:5", "kd:(>1 AND <7nM) kd:5nM"],
    ["kd:[1 TO 5]", "kd:[1nM TO 5nM]"],
    ["K-d:<5", "K-d:<5nM"],
    ["NOT kd:<5 (a OR kd:7)", "NOT kd:<5nM (a OR kd:7nM)"],
    ["1 < kd < 10", "kd:{1nM TO 10nM}"],
    ["kd:1,000", "kd:1000nM"],
    ["samples:(name:a concentration:<5)", "samples:(name:a concentration:<5nM)"],
    ["samples:(5 < concentration)", "samples:(concentration:>5nM)"],
    ["\u200bkd:\u200b<5 kd\u200b:7 nM", "\u200bkd:<5nM kd\u200b:7 nM"],
    [`${"(".repeat(30)}kd:<5`, `${"(".repeat(30)}kd:<5nM`],
  ])("is offered one: %s", (text, expected) => {
    const { tree, parts, warnings: parsed } = parseQuery(text, fields);
    const { warnings: resolved } = resolveQuery(tree, fields, 0);
    const warning = resolved.find(({ code }) => code === "QUERY_UNIT_MISSING")!;
    const warnings = [...parsed, ...resolved];
    const findCures = makeCures({ text, parts, warnings, fields, nowMicros: 0 });
    const cures = findCures(warning, { from: 0, to: text.length });
    expect(cures.find(({ unit }) => unit === "nM")?.q).toBe(expected);
  });
});

describe("fields whose numbers lack a unit", () => {
  const models = [...builtInCatalog().models.values()];
  const real = recordFields(models, []);
  const offersOf = (text: string, lookup = real) => {
    const { tree, parts, warnings: parsed } = parseQuery(text, lookup);
    const warnings = [...parsed, ...resolveQuery(tree, lookup, 0).warnings];
    const findCures = makeCures({ text, parts, warnings, fields: lookup, nowMicros: 0 });
    const missing = warnings.filter(({ code }) => code === "QUERY_UNIT_MISSING");
    return new Map(missing.map((each) => [each.value, findCures(each, { from: 0, to: text.length })]));
  };
  const queryWith = (text: string, name: string, unit: string) =>
    offersOf(text)
      .get(name)
      ?.find((cure) => cure.unit === unit)?.q;

  it.each([
    ["kd:<5 koff:>0.1", "kd", "nM", "kd:<5nM koff:>0.1"],
    ["kd:<5 koff:>0.1", "koff", "s^-1", 'kd:<5 koff:>"0.1s^-1"'],
    ["kd:<5 OR (mw:>50 kd:1)", "kd", "µM", "kd:<5µM OR (mw:>50 kd:1µM)"],
    ["kd:<5 OR (mw:>50 kd:1)", "mw", "kDa", "kd:<5 OR (mw:>50kDa kd:1)"],
    ["KD:<5 K-d:>1 dh:<-50", "KD", "nM", "KD:<5nM K-d:>1nM dh:<-50"],
    ["KD:<5 K-d:>1 dh:<-50", "K-d", "nM", "KD:<5nM K-d:>1nM dh:<-50"],
    ["KD:<5 K-d:>1 dh:<-50", "dh", "kJ/mol", 'KD:<5 K-d:>1 dh:<"-50kJ/mol"'],
  ])("have units of their own: in %s, %s:%s", (text, name, unit, expected) => {
    expect(queryWith(text, name, unit)).toBe(expected);
  });

  it("have all units of each dimension that their models declare", () => {
    const [first, ...others] = models;
    const dimensions = ["mass_concentration"];
    const kd = { ...first!.fields.get("kd")!, dimensions };
    const quantities = first!.quantities.map((each) => {
      if (each.name !== "kd") return each;
      const { leaf } = each;
      return { ...each, leaf: { ...leaf, quantity: { ...leaf.quantity, dimensions } } };
    });
    const changed = { ...first!, quantities, fields: new Map([...first!.fields, ["kd", kd] as const]) };
    const lookup = recordFields([changed, ...others], []);
    const unitsOf = (dimension: string) =>
      [...lookup.units.units.values()].filter((unit) => unit.dimension === dimension).map(({ name }) => name);
    const offered = offersOf("kd:<5", lookup)
      .get("kd")!
      .map(({ unit }) => unit);
    expect(new Set(offered)).toEqual(new Set([...unitsOf("molarity"), ...unitsOf("mass_concentration")]));
  });

  it("have units a few at a time, and the others when the first ones have theirs", () => {
    const names = ["kd", "koff", "kon", "dh", "mw", "temperature"];
    const all = names.map((name) => `${name}:<5`).join(" ");
    const withOffers = (text: string) => [...offersOf(text)].filter(([, cures]) => cures.length > 0);
    expect(withOffers(all).map(([name]) => name)).toEqual(names.slice(0, 4));
    let text = all;
    while (withOffers(text).length > 0) text = withOffers(text)[0]![1][0]!.q;
    expect(findWarnings(text, real, 0)).toEqual([]);
  });

  it("have units in a query of as many clauses as there may be", () => {
    const clauses = Array.from({ length: 256 }, (_, i) => `${i % 2 === 0 ? "kd" : "koff"}:${i}`);
    const [offer] = offersOf(clauses.join(" ")).get("kd")!;
    expect(offer!.q.match(new RegExp(`:\\d+${offer!.unit}`, "g"))).toHaveLength(128);
  });
});

describe("cures", () => {
  it.each([
    ["title:[a TO b", ["title:[a TO b]"]],
    ["a -", ["a "]],
    ["samples.nam:x", ["samples.name:x", "samples.id:x", "samples.nam\\:x"]],
    ["(a AND)", ["(a )", "(a \\AND)"]],
    ["AND", ["", "\\AND"]],
    ["a ((b", ["a ((b))"]],
  ])("are offered: %s", (text, expected) => {
    const { parts, warnings, places } = parseQuery(text, fields);
    const [warning] = warnings;
    const cures = makeCures({ text, parts, warnings, fields, nowMicros: 0 })(warning!, places.get(warning!)!);
    expect(cures.map(({ q }) => q)).toEqual(expected);
  });

  it("have a place for every warning of a text", () => {
    fc.assert(
      fc.property(arbitraryQueryText, (text) => {
        const { warnings, places } = parseQuery(text, fields);
        for (const warning of warnings) expect([warning, places.get(warning)]).toEqual([warning, expect.anything()]);
      }),
    );
  });
});

it("tells places in code points", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.nat(20), (text, points) => {
      const { toPoints, toUnits } = positionsIn(text);
      const units = toUnits(points);
      expect(units).toBe([...text].slice(0, points).join("").length);
      expect(toPoints(units)).toBe(Math.min(points, [...text].length));
    }),
  );
});

it("prints what it describes", () => {
  for (const { query } of describeText('a title:"b c" (d OR e)')) {
    if (query !== undefined) expect(parseQuery(printQuery(query), fields).tree).toEqual(query);
  }
});
