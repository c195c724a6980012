import { describe, expect, it } from "vitest";
import { Problems, parseYamlDeclaration } from "../declarations/declaration.js";
import { compileUnits, findUnit, type Units } from "./units.js";

const LENGTHS = `length:
  title: Length
  canonical: m
  units:
    m: { factor: 1, synonyms: [metre] }
    nm: { factor: 1e-9 }
`;

function compile(...texts: readonly string[]): { readonly units: Units; readonly problems: readonly string[] } {
  const problems = new Problems();
  const files = texts.flatMap((text, i) => parseYamlDeclaration(`${i + 1}.yaml`, text, problems) ?? []);
  const units = compileUnits(files, problems);
  return { units, problems: problems.list.map(({ file, line, reason }) => `${file}:${line}: ${reason}`) };
}

describe("compileUnits", () => {
  it("gives every unit its dimension, factor and offset", () => {
    const kelvins = "{ K: { factor: 1 }, °F: { factor: 5/9, offset: 459.67 } }";
    const { units, problems } = compile(
      `${LENGTHS}temperature: { title: Temperature, canonical: K, units: ${kelvins} }\n`,
    );
    expect(problems).toEqual([]);
    expect(units.units.get("nm")).toEqual({ name: "nm", dimension: "length", factor: 1e-9, offset: 0 });
    expect(units.units.get("°F")).toEqual({ name: "°F", dimension: "temperature", factor: 5 / 9, offset: 459.67 });
    expect(units.dimensions.get("length")).toMatchObject({ name: "length", title: "Length", canonical: "m" });
  });

  it("lets a later file add dimensions and units, and replace a unit with its spellings", () => {
    const later = "length: { units: { nm: { factor: 2e-9 }, ell: { factor: 1.143 } } }\n";
    const { units, problems } = compile(
      LENGTHS,
      `${later}mood: { title: Mood, canonical: joy, units: { joy: { factor: 1 } } }\n`,
    );
    expect(problems).toEqual([]);
    expect(["nm", "ell", "joy", "metre"].map((text) => findUnit(units, text)?.factor)).toEqual([2e-9, 1.143, 1, 1]);
  });

  it("knows how pages show numbers: in which units, and how these are written", () => {
    const scale = "title: Length, canonical: m, scales: [[nm, { unit: m, from: 10 }]], decimals: true";
    const declared = "m: { factor: 1 }, nm: { factor: 1e-9, label: nano }, ell: { factor: 1.143, shown: m }";
    const { units, problems } = compile(
      `length: { ${scale}, shown: nm, units: { ${declared} } }\n`,
      "length: { units: {} }\n",
    );
    expect(problems).toEqual([]);
    expect(units.dimensions.get("length")).toMatchObject({
      scales: [
        [
          { spelling: "nm", from: 1 },
          { spelling: "m", from: 10 },
        ],
      ],
      shown: "nm",
      isDecimal: true,
    });
    expect([units.units.get("nm")?.label, units.units.get("ell")?.shown]).toEqual(["nano", "m"]);
  });

  it("is plain data, so that it can be handed to threads", () => {
    const { units } = compile(LENGTHS);
    expect(findUnit(structuredClone(units), "metre")?.name).toBe("m");
  });

  it.each([
    [
      "a canonical unit that is none of its units",
      LENGTHS.replace("canonical: m", "canonical: km"),
      /^1\.yaml:1: the canonical unit of "length"/,
    ],
    ["a canonical unit with another factor", LENGTHS.replace("factor: 1,", "factor: 2,"), /^1\.yaml:1: the canonical/],
    ["a factor that is no number", LENGTHS.replace("1e-9", "tiny"), /^1\.yaml:6: the factor must be a number above 0/],
    ["a factor of 0", LENGTHS.replace("1e-9", "0"), /^1\.yaml:6: the factor/],
    [
      "an offset that is no number",
      LENGTHS.replace("factor: 1e-9", "factor: 1e-9, offset: x"),
      /^1\.yaml:6: .*must be a number/,
    ],
    [
      "an unknown key",
      LENGTHS.replace("synonyms", "synonym"),
      /^1\.yaml:5: unknown key "synonym"; did you mean "synonyms"/,
    ],
    ["a missing title", LENGTHS.replace("title: Length", "bare: false"), /^1\.yaml:1: "length\.title" is missing/],
    ["a name that is none", LENGTHS.replace("length:", "Length:"), /^1\.yaml:1: a dimension's name must match/],
    [
      "a spelling of two units",
      LENGTHS.replace("factor: 1e-9", "factor: 1e-9, synonyms: [metre]"),
      /^1\.yaml:6: "metre" of "nm" is already read as "m"/,
    ],
    [
      "a compound spelling of two units",
      LENGTHS.replace("factor: 1e-9", "factor: 1e-9, synonyms: [1/m, m^-1]").replace("[metre]", "[per m]"),
      /is already read as "m"/,
    ],
    [
      "a scale that is no list of lists",
      LENGTHS.replace("canonical", "scales: [m]\n  canonical"),
      /must be lists of units/,
    ],
    ["a step of a scale that is none", LENGTHS.replace("canonical", "scales: [[1]]\n  canonical"), /a step of a scale/],
    [
      "a unit of a scale that is none",
      LENGTHS.replace("canonical", "scales: [[s]]\n  canonical"),
      /"length" has no unit "s"/,
    ],
    ["a scale that descends", LENGTHS.replace("canonical", "scales: [[m, nm]]\n  canonical"), /in ascending order/],
    [
      "a shown unit that is none",
      LENGTHS.replace("canonical", "shown: s\n  canonical"),
      /1\.yaml:3: "length" has no unit "s"/,
    ],
    ["the same of a unit", LENGTHS.replace("1e-9", "1e-9, shown: s"), /1\.yaml:6: "length" has no unit "s"/],
    [
      "a product that is none",
      LENGTHS.replace("canonical", "product: 1 % x\n  canonical"),
      /1\.yaml:3: "1 % x" is not a/,
    ],
    [
      "a product of units of its own dimension",
      LENGTHS.replace("canonical", "product: nm\n  canonical"),
      /1\.yaml:3: "nm" is not a product of units of other dimensions/,
    ],
    ["a spelling without signs", LENGTHS.replace("metre", "'·'"), /^1\.yaml:5: "·" has no sign/],
  ])("notes %s", (_, text, expected) => {
    expect(compile(text).problems.join("\n")).toMatch(expected);
  });

  it("reads canonical units as products of base units", () => {
    const unit = (name: string, canonical: string, more = "") =>
      `${name}: { title: T, canonical: ${canonical}, ${more} units: { ${canonical}: { factor: 1 } } }\n`;
    const { units, problems } = compile(
      "energy: { title: T, canonical: J, units: { J: { factor: 1 }, kJ: { factor: 1e3 } } }\n",
      unit("amount", "mol") + unit("volume", "L") + unit("molarity", "M", "product: mol/L,"),
      unit("squared", "M^2") + unit("molar_energy", "kJ/mol") + unit("activity", "U/L") + unit("share", "L/L"),
      unit("count", "piece", "bare: true,"),
    );
    const products = Array.from(units.products, ([name, { factor, powers }]) => [
      name,
      factor,
      Object.fromEntries(powers),
    ]);
    expect(problems).toEqual([]);
    expect(products).toEqual([
      ["energy", 1, { J: 1 }],
      ["amount", 1, { mol: 1 }],
      ["volume", 1, { L: 1 }],
      ["molarity", 1, { mol: 1, L: -1 }],
      ["squared", 1, { mol: 2, L: -2 }],
      ["molar_energy", 1000, { J: 1, mol: -1 }],
      ["activity", 1, { u: 1, L: -1 }],
      ["share", 1, { "L/L": 1 }],
      ["count", 1, {}],
    ]);
  });

  it("keeps the canonical unit of a dimension", () => {
    expect(compile(LENGTHS, "length: { canonical: nm, units: {} }\n").problems).toEqual([
      '2.yaml:1: the canonical unit of "length" is "m" and stays so',
    ]);
  });
});
