/** The declared units: their spellings, against a library, and against the data models they come from. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import Qty from "js-quantities";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { BUILT_IN_CATALOG } from "../../src/app/composition/read-catalog.js";
import { toCanonical } from "../../src/core/units/amounts.js";
import { findUnit, type Unit } from "../../src/core/units/units.js";
import { modelsWithFacts, readFacts } from "../models/facts.js";
import { builtInCatalog } from "../support/catalog.js";

const { models } = builtInCatalog();
const { units } = models.get("mst")!;
const all = [...units.units.values()];
const named = (text: string): string | undefined => findUnit(units, text)?.name;

/** Declared spellings, each with the unit that it names. */
const SPELLINGS = Object.values(
  parse(readFileSync(join(BUILT_IN_CATALOG, "units.yaml"), "utf8")) as Record<string, { units: object }>,
).flatMap((dimension) =>
  Object.entries(dimension.units as Record<string, { synonyms?: readonly string[] }>).flatMap(([name, unit]) =>
    [name, ...(unit.synonyms ?? [])].map((spelling): [string, string] => [spelling, name]),
  ),
);

describe("a unit is read", () => {
  it("in each of its declared spellings", () => {
    expect(SPELLINGS.length).toBeGreaterThan(300);
    expect(SPELLINGS.filter(([spelling, name]) => named(spelling) !== name)).toEqual([]);
  });

  it("whatever blanks, signs of a product, letters for micro and superscripts it is written with", () => {
    const superscript = (text: string): string =>
      text.replace(/\^(-?)(\d)/g, (_, sign: string, digit: string) => (sign ? "⁻" : "") + "⁰¹²³"[Number(digit)]);
    const changes: readonly ((text: string) => string)[] = [
      (text) => text,
      (text) => text.replaceAll("µ", "u"),
      (text) => text.replaceAll("µ", "\u03bc"),
      (text) => ` ${text.replaceAll(" ", "  ")}\u00a0`,
      (text) => text.replaceAll("^", ""),
      (text) => text.replaceAll("^", "**"),
      superscript,
      (text) => text.replace(/\^(-?\d)/g, "^($1)"),
      (text) => (/\d /.test(text) ? text.replaceAll(" ", "·") : text),
      (text) => text.normalize("NFD"),
      (text) => (/^[a-z ]{4,}$/.test(text) ? text.toUpperCase() : text),
    ];
    fc.assert(
      fc.property(fc.constantFrom(...SPELLINGS), fc.subarray([...changes]), ([spelling, name], some) => {
        expect(named(some.reduce((text, change) => change(text), spelling))).toBe(name);
      }),
      { numRuns: 5_000 },
    );
  });

  it.each([
    ["uM", "µM"],
    ["\u00b5M", "µM"],
    ["\u03bcM", "µM"],
    ["Micromolar", "µM"],
    ["mM", "mM"],
    ["nM", "nM"],
    ["nm", "nm"],
    ["KDA", "kDa"],
    ["\u212b", "Å"],
    ["℃", "°C"],
    ["ug/mL", "mg/L"],
    ["mg/ml", "g/L"],
    ["kcal mol-1 K-1", "kcal/molK"],
    ["kJ/(mol·K)", "kJ/molK"],
    ["%(v/v)", "v/v %"],
    ...["M-1 s-1", "1/Ms", "1/M/s", "/M/s", "M⁻¹s⁻¹", "M-1.s-1", "1/(M s)", "per molar per second"].map(
      (text): [string, string] => [text, "M^-1 s^-1"],
    ),
  ])("%s as %s", (text, name) => expect(named(text)).toBe(name));

  it.each(["MM", "mda", "Ml", "foo", "", " ", "M s", "M^", "/", "M^-3 s^-1", "nM nM", "x".repeat(1000), "(((", "M^99"])(
    "%j not at all",
    (text) => expect(named(text)).toBeUndefined(),
  );

  it("from any text without failing", () => {
    fc.assert(fc.property(fc.string({ unit: "binary", maxLength: 80 }), (text) => void named(text)));
  });
});

/** The library's words for ours; it takes powers after a slash, and no brackets. */
const LIBRARY_WORDS: ReadonlyMap<string, string> = new Map([
  ...([
    ["K", "degK"],
    ["Å", "angstrom"],
    ["RPM", "rpm"],
    ["%", "percent"],
    ["unitless", "1"],
    ["minutes", "min"],
  ] as const),
  ...([
    ["hours", "h"],
    ["days", "day"],
    ["weeks", "week"],
    ["kcal/molK", "kcal/mol*degK"],
  ] as const),
  ...([
    ["kJ/molK", "kJ/mol*degK"],
    ["J/molK", "J/mol*degK"],
    ["cal/molK", "cal/mol*degK"],
  ] as const),
]);

/** Its year is that of 2000 in seconds, ours the Julian one; a dalton is a mass to it, to us a molar mass. */
const DIFFERENT = ["years", "months", "Da", "kDa", "MDa", "°C", "°F", "RPS"];

function libraryUnit({ name }: Unit): string {
  const known = LIBRARY_WORDS.get(name);
  if (known !== undefined) return known;
  const below = [...name.matchAll(/([\p{L}µ]+)\^-(\d)/gu)].map(([, word, power]) =>
    power === "1" ? word : `${word}^${power}`,
  );
  return below.length > 0 ? `1/${below.join("*")}` : name;
}

function ratio(unit: Unit): number | undefined {
  const canonical = units.units.get(units.dimensions.get(unit.dimension)!.canonical)!;
  try {
    return Qty(`1 ${libraryUnit(unit)}`)
      .div(Qty(`1 ${libraryUnit(canonical)}`))
      .toBase().scalar;
  } catch {
    return undefined;
  }
}

describe("a factor", () => {
  const compared = all.filter((unit) => !DIFFERENT.includes(unit.name) && ratio(unit) !== undefined);

  it("is that of the library, for each unit that it knows", () => {
    const unknown = all.filter((unit) => !DIFFERENT.includes(unit.name) && !compared.includes(unit));
    expect(unknown.map(({ name }) => name)).toEqual(["w/v %", "w/w %", "v/v %", "v/w %", "% saturated", "RU"]);
    for (const unit of compared) expect(ratio(unit)! / unit.factor, unit.name).toBeCloseTo(1, 10);
  });

  it("and an offset are those of the library for temperatures", () => {
    for (const [ours, theirs] of [
      ["°C", "tempC"],
      ["°F", "tempF"],
      ["K", "tempK"],
    ] as const) {
      for (const degrees of [0, 25, 98.6, 1000]) {
        const expected = Qty(degrees, theirs).to("tempK").scalar;
        expect(toCanonical(degrees, units.units.get(ours)!)).toBeCloseTo(expected, 8);
      }
    }
  });

  it("of a dalton makes a molecule weigh what a mole of it does in grams", () => {
    const grams = Qty("1 Da").to("g").scalar * 6.02214076e23;
    expect(grams).toBeCloseTo(units.units.get("Da")!.factor, 5);
  });
});

describe("the data models", () => {
  it("have no unit that is not declared", () => {
    const places = modelsWithFacts().flatMap((name) => [...readFacts(name)]);
    const units = places.filter(([place]) => /[._]units?$/i.test(place)).flatMap(([, { allowed = [] }]) => allowed);
    expect(new Set(units).size).toBeGreaterThan(60);
    expect([...new Set(units)].filter((unit) => named(unit) === undefined)).toEqual([]);
  });
});
