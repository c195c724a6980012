import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { builtInCatalog } from "../../../test/support/catalog.js";
import type { JsonObject } from "../json.js";
import { derivedQuantities } from "./derived-quantities.js";
import { valuesAt } from "./values-at.js";

const { models } = builtInCatalog();
const RESULTS = "metadata.general_parameters.results";

const TYPES: Readonly<Record<string, string>> = {
  kd: "Constant of dissociation KD",
  ka: "Constant of association KA",
  kon: "Association rate kOn",
  koff: "Dissociation rate kOff",
  dh: "Change in enthalpy deltaH",
  dg: "Change in Gibbs free energy deltaG",
  ds: "Change in entropy deltaS",
};

type Row = readonly [name: string, value: number, unit: string, of?: readonly string[], error?: JsonObject];

const PAIR = ["a", "b"];

function resultOf([name, value, unit, of = PAIR, error]: Row, i: number): JsonObject {
  const involved = of.map((id) => ({ entity: { id }, copy_number: 1 }));
  const result = { id: `r${i}`, name, type: TYPES[name]!, entities_involved: involved, value, unit };
  return error === undefined ? result : { ...result, value_error: error };
}

/** An ITC record with some results, measured at these temperatures. */
const itcOf = (rows: readonly Row[], temperature?: JsonObject): JsonObject => ({
  general_parameters: { results: rows.map(resultOf) },
  method_specific_parameters: temperature === undefined ? {} : { cell_temperature: temperature },
});

const WARM = { value: 25, unit: "°C" };

function derive(rows: readonly Row[], temperature?: JsonObject): readonly string[] {
  const metadata = itcOf(rows, temperature);
  const results = valuesAt({ metadata }, RESULTS);
  return derivedQuantities(metadata, models.get("itc")!).map(({ name, value, from, element }) => {
    const number = Number(value.number.toPrecision(5));
    return `${name} ${number} ${value.dimension} (${from.join(", ")}) at ${results.indexOf(element)}`;
  });
}

const sum = { lower: 0.1, upper: 0.2, is_relative: true };

describe("derivedQuantities", () => {
  it("derives KD from KA, and KA from KD", () => {
    expect(derive([["ka", 3e8, "M^-1"]])).toEqual(["kd 3.3333e-9 molarity (ka) at 0"]);
    expect(derive([["ka", 2, "µM^-2"]])).toEqual(["kd 5e-13 molarity_squared (ka) at 0"]);
    expect(derive([["kd", 4, "nM"]])).toEqual(["ka 250000000 per_molarity (kd) at 0"]);
  });

  it("derives nothing that the same pair states, in any unit", () => {
    const names = (rows: readonly Row[]) => derive(rows).map((text) => text.split(" ")[0]);
    expect(
      names([
        ["ka", 3e8, "M^-1"],
        ["kd", 7, "nM", ["b", "a"]],
      ]),
    ).toEqual([]);
    expect(
      names([
        ["ka", 3e8, "M^-1"],
        ["kd", 7, "furlong"],
      ]),
    ).toEqual([]);
    expect(
      names([
        ["ka", 3e8, "M^-1"],
        ["kd", 7, "nM", ["a", "c"]],
      ]),
    ).toEqual(["kd", "ka"]);
  });

  it("derives KD from rates only if neither KD nor KA is stated", () => {
    const rates: readonly Row[] = [
      ["koff", 1e-3, "s^-1"],
      ["kon", 1e6, "M^-1 s^-1"],
    ];
    expect(derive(rates)).toEqual(["kd 1e-9 molarity (koff, kon) at 0", "ka 1000000000 per_molarity (kon, koff) at 1"]);
    expect(derive([...rates, ["ka", 1e8, "M^-1"]])).toEqual(["kd 1e-8 molarity (ka) at 2"]);
    expect(derive([...rates, ["ka", 0, "M^-1"]])).toEqual([]);
    expect(derive([...rates, ["kd", 5, "nM"]])).toEqual(["ka 200000000 per_molarity (kd) at 2"]);
  });

  it("derives one value for each element that a single quantity comes from, and none from ambiguous ones", () => {
    expect(
      derive([
        ["ka", 1e8, "M^-1"],
        ["ka", 1e9, "M^-1"],
      ]),
    ).toEqual(["kd 1e-8 molarity (ka) at 0", "kd 1e-9 molarity (ka) at 1"]);
    expect(
      derive([
        ["koff", 1e-3, "s^-1"],
        ["koff", 2e-3, "s^-1"],
        ["kon", 1e6, "M^-1 s^-1"],
      ]),
    ).toEqual([]);
  });

  it("derives nothing from zero, negative numbers, unknown units and missing numbers", () => {
    expect(derive([["ka", 0, "M^-1"]])).toEqual([]);
    expect(derive([["ka", -5, "M^-1"]])).toEqual([]);
    expect(derive([["ka", 5, "per spoon"]])).toEqual([]);
    expect(derive([["ka", null as unknown as number, "M^-1"]])).toEqual([]);
    expect(derive([["ka", "3e8" as unknown as number, "M^-1"]])).toEqual([]);
    expect(derive([["ka", 1e-320, "M^-1"]])).toEqual([]);
    expect(
      derive([
        ["koff", 0, "s^-1"],
        ["kon", 1e6, "M^-1 s^-1"],
      ]),
    ).toEqual([]);
  });

  it("derives ΔG and −TΔS at the temperature of the record", () => {
    expect(derive([["kd", 1, "nM"]], WARM)).toEqual([
      "ka 1000000000 per_molarity (kd) at 0",
      "dg -51.372 molar_energy (temperature, kd) at 0",
    ]);
    expect(
      derive(
        [
          ["ka", 1e9, "M^-1"],
          ["dh", -60, "kJ/mol"],
        ],
        { value: 298.15, unit: "K" },
      ),
    ).toEqual([
      "kd 1e-9 molarity (ka) at 0",
      "dg -51.372 molar_energy (temperature, ka) at 0",
      "tds 8.6279 molar_energy (temperature, ka, dh) at 0",
    ]);
    expect(
      derive([
        ["dg", -50, "kJ/mol"],
        ["dh", -10, "kcal/mol"],
      ]),
    ).toEqual(["tds -8.16 molar_energy (dg, dh) at 0"]);
    expect(derive([["ds", 0.02, "kJ/molK"]], WARM)).toEqual(["tds -5.963 molar_energy (temperature, ds) at 0"]);
    expect(derive([["kd", 4, "nM^2"]], WARM)).toEqual(["ka 250000000000000000 per_molarity_squared (kd) at 0"]);
  });

  it("needs one known temperature", () => {
    const names = (temperature: JsonObject | undefined) =>
      derive([["kd", 1, "nM"]], temperature).map((text) => text.split(" ")[0]);
    expect(names(undefined)).toEqual(["ka"]);
    expect(names({ value: 25, unit: "degrees" })).toEqual(["ka"]);
    expect(names({ value: 25 })).toEqual(["ka"]);
  });

  it("takes the temperature of the measurement, not that of a regeneration, if there is only one", () => {
    const sprOf = (...samples: readonly (readonly [step: string, temperature: number])[]): JsonObject => ({
      general_parameters: { results: [resultOf(["kd", 1, "nM"], 0)] },
      method_specific_parameters: {
        measurement_protocol: [
          { id: "s1", type: "Association" },
          { id: "s2", type: "Regeneration" },
        ],
        measurements: [
          {
            id: "m",
            samples: samples.map(([id, value]) => ({ measurement_step: { id }, temperature: { value, unit: "°C" } })),
          },
        ],
      },
    });
    const names = (metadata: JsonObject) => derivedQuantities(metadata, models.get("spr")!).map(({ name }) => name);
    expect(names(sprOf(["s1", 25], ["s1", 25], ["s2", 60]))).toEqual(["ka", "dg"]);
    expect(names(sprOf(["s1", 25], ["s1", 37]))).toEqual(["ka"]);
  });

  it("propagates errors; a temperature without an error counts as exact", () => {
    const errors = (rows: readonly Row[]) =>
      derivedQuantities(itcOf(rows, WARM), models.get("itc")!).map(({ name, value: { error } }) => [
        name,
        error && [error.lower, error.upper].map((bound) => Number(bound.toPrecision(4))),
      ]);
    expect(errors([["ka", 1e9, "M^-1", PAIR, sum]])).toEqual([
      ["kd", [2e-10, 1e-10]],
      ["dg", [0.4958, 0.2479]],
    ]);
    expect(errors([["ka", 1e9, "M^-1"]])).toEqual([
      ["kd", undefined],
      ["dg", undefined],
    ]);
  });
});

it("derives a KD for each demo record that only states a KA", () => {
  const lines = readFileSync("demo/generated/itc.jsonl", "utf8").trim().split("\n");
  const records = lines.map((line) => (JSON.parse(line) as { metadata: JsonObject }).metadata);
  const states = (metadata: JsonObject, name: string) =>
    valuesAt({ metadata }, `${RESULTS}.type`).includes(TYPES[name]!);
  const onlyKa = records.filter((metadata) => states(metadata, "ka") && !states(metadata, "kd"));
  const derived = onlyKa.map((metadata) =>
    derivedQuantities(metadata, models.get("itc")!).flatMap(({ name, value }) => (name === "kd" ? [value.number] : [])),
  );
  expect(onlyKa).toHaveLength(15);
  for (const values of derived) expect(values).toEqual([expect.any(Number)]);
});
