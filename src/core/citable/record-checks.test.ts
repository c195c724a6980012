import { describe, expect, it } from "vitest";
import { builtInCatalog } from "../../../test/support/catalog.js";
import { seeded } from "../../../test/support/random.js";
import type { JsonObject } from "../json.js";
import { checkRecord, writeCheck } from "./record-checks.js";

const { models } = builtInCatalog();

const TYPES: Readonly<Record<string, string>> = {
  kd: "Constant of dissociation KD",
  ka: "Constant of association KA",
  kon: "Association rate kOn",
  koff: "Dissociation rate kOff",
  dh: "Change in enthalpy deltaH",
  dg: "Change in Gibbs free energy deltaG",
  ds: "Change in entropy deltaS",
};

interface Row {
  readonly error?: number;
  readonly of?: readonly string[];
  readonly copies?: readonly number[];
}

function result(type: string, value: number | undefined, unit?: string, { error, of = ["a", "b"], copies }: Row = {}) {
  return {
    id: `${type}-${of.join("")}`,
    type: TYPES[type] ?? type,
    entities_involved: of.map((id, i) => ({ entity: { id, name: id.toUpperCase() }, copy_number: copies?.[i] ?? 1 })),
    ...(value === undefined ? {} : { value }),
    ...(unit === undefined ? {} : { unit }),
    ...(error === undefined ? {} : { value_error: { lower: error, upper: error, is_relative: false } }),
  };
}

interface Parts {
  readonly entities?: readonly object[];
  readonly method?: object;
  readonly ph?: number;
}

function outcomes(model: string, results: readonly object[], { entities = [], method = {}, ph }: Parts = {}) {
  const metadata = {
    general_parameters: {
      entities_of_interest: entities,
      chemical_environments: ph === undefined ? [] : [{ id: "buffer", ph }],
      results,
    },
    method_specific_parameters: method,
  } as unknown as JsonObject;
  return checkRecord(metadata, models.get(model)!);
}

/** Returns the outcomes of a check as `status factor: text`. */
const of = (check: string, ...args: Parameters<typeof outcomes>): readonly string[] =>
  outcomes(...args)
    .filter((each) => each.check === check)
    .map((each) => `${each.status} ${each.factor ?? ""}: ${writeCheck(each)}`);

const kinetics = (kd: number, unit: string, row: Row = {}) => [
  result("kon", 2e5, "M^-1 s^-1"),
  result("koff", 4e-4, "s^-1"),
  result("kd", kd, unit, row),
];

describe("a KD and its rate constants", () => {
  const check = (...args: Parameters<typeof kinetics>) => of("kd_from_rates", "spr", kinetics(...args));

  it("agree within a factor of 2 without errors, in any units", () => {
    expect(check(2, "nM")).toEqual(["agrees 1: koff / kon is 2 nM, like the KD of 2 nM"]);
    expect(check(0.0039, "µM")).toEqual(["agrees 1.95: koff / kon is 0.002 µM, like the KD of 0.0039 µM"]);
    expect(check(0.55, "nM")).toEqual(["differs 3.64: koff / kon is 2 nM; the KD of 0.55 nM differs by × 3.6"]);
  });

  it("say which result is checked, and how", () => {
    const [first] = outcomes("spr", kinetics(2, "nM"));
    expect(first).toMatchObject({ result: "metadata.general_parameters.results.2", formula: "KD = koff / kon" });
  });

  it("hint at a unit if the ratio is near a power of 1,000", () => {
    const hint = ". The ratio is near a power of 1,000: a unit may be wrong";
    for (const [kd, unit, isNear] of [
      [2, "µM", true],
      [2.4, "pM", true],
      [2, "mM", true],
      [20, "nM", false],
      [200, "nM", false],
    ] as const) {
      expect(check(kd, unit)[0]!.endsWith(hint)).toBe(isNear);
    }
  });

  it("agree within twice their errors if both have one", () => {
    const rates = (error: number) => [
      result("kon", 2e5, "M^-1 s^-1", { error: 0 }),
      result("koff", 4e-4, "s^-1", { error }),
    ];
    const with_ = (kd: number, error: number) =>
      of("kd_from_rates", "spr", [...rates(0.2e-4), result("kd", kd, "nM", { error })])[0];
    // koff / kon is 2 ± 0.1 nM.
    expect(with_(2.2, 0.05)).toMatch(/^agrees 1.1: koff \/ kon is 2 ± 0.1 nM, like/);
    expect(with_(2.3, 0.05)).toMatch(/^differs 1.15/);
    expect(with_(2.3, 0.2)).toMatch(/^agrees/);
    // An error of 0 is none, and rounding explains 1 %.
    expect(of("kd_from_rates", "spr", [...rates(0), result("kd", 3.9, "nM", { error: 0 })])[0]).toMatch(/^agrees 1.95/);
    expect(of("kd_from_rates", "spr", [...rates(1e-9), result("kd", 2.019, "nM", { error: 1e-6 })])[0]).toMatch(
      /^agrees/,
    );
  });

  it("have no outcome for zero, missing or unreadable numbers", () => {
    expect(check(0, "nM")).toEqual([]);
    expect(check(-2, "nM")).toEqual([]);
    expect(check(2, "furlong")).toEqual([]);
    expect(of("kd_from_rates", "spr", [result("kon", 0, "M^-1 s^-1"), ...kinetics(2, "nM").slice(1)])).toEqual([]);
    expect(of("kd_from_rates", "spr", [result("kon", 1e-320, "M^-1 s^-1"), ...kinetics(2, "nM").slice(1)])).toEqual([]);
    expect(of("kd_from_rates", "spr", kinetics(2, "nM").slice(1))).toEqual([]);
    expect(of("kd_from_rates", "spr", [])).toEqual([]);
  });

  it("are compared for each pair of molecules, and in order within one", () => {
    const other = { of: ["b", "c"] };
    const second = [
      result("kon", 1e5, "M^-1 s^-1", other),
      result("koff", 1e-4, "s^-1", other),
      result("kd", 9, "nM", other),
    ];
    expect(of("kd_from_rates", "spr", [...kinetics(2, "nM"), ...second])).toEqual([
      "agrees 1: A, B: koff / kon is 2 nM, like the KD of 2 nM",
      "differs 9: B, C: koff / kon is 1 nM; the KD of 9 nM differs by × 9",
    ]);
    const twice = [...kinetics(2, "nM"), ...kinetics(30, "nM")];
    expect(of("kd_from_rates", "spr", twice).map((each) => each.split(":")[0])).toEqual(["agrees 1", "differs 15"]);
    expect(of("kd_from_rates", "spr", [...kinetics(2, "nM"), result("kd", 3, "nM")])).toEqual([]);
  });

  it("are compared through KA too", () => {
    expect(of("kd_from_rates", "spr", [...kinetics(2, "nM").slice(0, 2), result("ka", 5e8, "M^-1")])).toEqual([
      "agrees 1: koff / kon is 2 nM, like the KD of 2 nM",
    ]);
    expect(of("kd_from_ka", "itc", [result("kd", 2, "nM"), result("ka", 5, "nM^-1")])).toEqual([
      "differs 10: 1 / KA is 0.2 nM; the KD of 2 nM differs by × 10",
    ]);
  });
});

const WARM = { cell_temperature: { value: 25, unit: "°C" } };

describe("energies", () => {
  const energies = (dg: number, unit: string) => [
    result("kd", 1, "nM"),
    result("dh", -60, "kJ/mol"),
    result("ds", -28.9, "J/molK"),
    result("dg", dg, unit),
  ];

  it("agree within an amount, in the unit of the stated one", () => {
    expect(of("dg_from_dh_ds", "itc", energies(-51.4, "kJ/mol"), { method: WARM })).toEqual([
      "agrees : ΔH − TΔS is -51.4 kJ/mol, like the stated ΔG of -51.4 kJ/mol",
    ]);
    expect(of("dg_from_kd", "itc", energies(-51.4, "kJ/mol"), { method: WARM })).toEqual([
      "agrees : RT ln KD is -51.4 kJ/mol, like the ΔG of -51.4 kJ/mol",
    ]);
    expect(of("dg_from_kd", "itc", energies(-11.28, "kcal/mol"), { method: WARM })).toEqual([
      "differs : RT ln KD is -12.3 kcal/mol; the ΔG of -11.28 kcal/mol differs by 1 kcal/mol",
    ]);
  });

  it("differ in sign, and by a factor of 1,000", () => {
    expect(of("dg_from_kd", "itc", energies(51.4, "kJ/mol"), { method: WARM })[0]).toBe(
      "differs : RT ln KD is -51.4 kJ/mol; the ΔG of 51.4 kJ/mol differs by 100 kJ/mol",
    );
    expect(of("dg_from_kd", "itc", energies(-51.4, "J/mol"), { method: WARM })[0]).toMatch(/a unit may be wrong$/);
  });

  it("have an entropic part", () => {
    const withoutEntropy = [result("kd", 1, "nM"), result("dh", -60, "kJ/mol")];
    expect(of("minus_tds", "itc", withoutEntropy, { method: WARM })).toEqual(["note : −TΔS is 8.63 kJ/mol"]);
    expect(of("minus_tds", "itc", energies(-51.4, "kJ/mol"), { method: WARM })).toEqual(["note : −TΔS is 8.62 kJ/mol"]);
  });

  it("are written in the unit of the results", () => {
    const calories = [result("kd", 1, "nM"), result("dh", -14.34, "kcal/mol")];
    expect(of("minus_tds", "itc", calories, { method: WARM })).toEqual(["note : −TΔS is 2.06 kcal/mol"]);
  });

  it("need one temperature", () => {
    expect(of("dg_from_kd", "itc", energies(-51.4, "kJ/mol"))).toEqual([]);
  });
});

const titration = (id: string, cell: number, syringe: number) => ({
  id,
  sample_in_cell: { targets: [{ entity: { id: "a" }, concentration: { value: cell, unit: "µM" } }] },
  sample_in_syringe: { targets: [{ entity: { id: "b" }, concentration: { value: syringe, unit: "µM" } }] },
});

describe("a titration", () => {
  const method = {
    ...WARM,
    measurements: [titration("t1", 40, 400), titration("t2", 40, 400), titration("t3", 0, 400)],
  };

  it("has a c-value, with the stoichiometry if there is one", () => {
    const kd = result("kd", 1, "µM");
    expect(of("c_value", "itc", [kd], { method })).toEqual(["agrees : The c-value is 40 (1 to 1000 is measurable)"]);
    const sites = result("Stoichiometry", undefined, undefined, { copies: [1, 0.9] });
    expect(of("c_value", "itc", [kd, sites], { method })).toEqual([
      "agrees : The c-value is 36 (1 to 1000 is measurable)",
    ]);
    expect(of("c_value", "itc", [result("ka", 1e9, "M^-1")], { method })[0]).toMatch(/^differs : The c-value is 40000/);
    expect(of("c_value", "itc", [result("kd", 1, "µM", { of: ["c", "d"] })], { method })).toEqual([]);
    // A dimer that falls apart has none.
    const dilution = {
      measurements: [{ ...titration("t1", 40, 400), sample_in_syringe: titration("t1", 40, 400).sample_in_cell }],
    };
    expect(of("c_value", "itc", [kd], { method: dilution })).toEqual([]);
  });

  it("is repeated, and has a control without the partner", () => {
    expect(of("titrations", "itc", [result("kd", 1, "µM")], { method })).toEqual([
      "note : 1 concentration in the cell, 2 titrations",
    ]);
    expect(of("controls", "itc", [], { method })).toEqual(["agrees : With a titration into buffer"]);
    expect(of("controls", "itc", [], { method: WARM })).toEqual(["note : No titration into buffer is described"]);
  });

  it.each([
    [[1, 0.97], "agrees : The stoichiometry of 1 : 0.97 is about 1 : 1"],
    [[2.1, 1], "agrees : The stoichiometry of 2.1 : 1 is about 2 : 1"],
    [[1, 1.5], "agrees : The stoichiometry of 1 : 1.5 is about 2 : 3"],
    [[1, 8.4], "differs : The stoichiometry of 1 : 8.4 is not near a ratio of whole numbers"],
    [[1, -1], undefined],
    [[0, 1], undefined],
  ])("has a stoichiometry of %j", (copies, expected) => {
    const sites = result("Stoichiometry", undefined, undefined, { copies });
    expect(of("stoichiometry", "itc", [sites])[0]).toBe(expected);
  });
});

const capillary = (id: string, ligand: string, value: number, unit = "nM") => ({
  id,
  sample: { ligands: [{ entity: { id: ligand }, concentration: { value, unit } }] },
});

describe("a series of concentrations", () => {
  const method = {
    measurements: [
      capillary("m1", "b", 1),
      capillary("m2", "b", 1),
      capillary("m3", "b", 20),
      capillary("m4", "b", 0),
      capillary("m5", "c", 500),
      capillary("m6", "b", 3, "mg/mL"),
    ],
  };

  it("spans the KD, or not, with the molecules of the result only", () => {
    const span = (kd: number) => of("concentrations_around_kd", "mst", [result("kd", kd, "nM")], { method })[0];
    expect(span(10)).toBe("agrees : Concentrations from 0.1 to 2 × KD");
    expect(span(0.1)).toBe("differs : KD is outside of the concentrations: they are 10 to 200 × KD");
    expect(of("concentrations", "mst", [result("kd", 10, "nM")], { method })).toEqual([
      "note : 2 concentrations, 1 to 2 measurements of each",
    ]);
  });

  it("is that of the analysis of the result", () => {
    const data_analysis = [{ results: [{ id: "kd-ab" }], measurements: [{ id: "m1" }, { id: "m2" }] }];
    expect(of("concentrations", "mst", [result("kd", 10, "nM")], { method: { ...method, data_analysis } })).toEqual([
      "note : 1 concentration, 2 measurements of each",
    ]);
  });
});

describe("molecules and conditions", () => {
  const entity = (quality_controls: object, more: object = {}) => ({ id: "a", name: "A", quality_controls, ...more });

  it("are as expected", () => {
    const homogeneity = { assessed: "Yes", expected_number_of_species: 1, number_of_species_observed: 2 };
    expect(of("species", "spr", [], { entities: [entity({ homogeneity })] })).toEqual([
      "differs : A: 2 species observed, 1 expected",
    ]);
    const purity = { assessed: "Yes", purity_percentage: ">95 %", method: "SDS-PAGE" };
    expect(of("purity", "spr", [], { entities: [entity({ purity }), entity({})] })).toEqual([
      "note : A: >95 % pure (SDS-PAGE)",
    ]);
    const identity = { assessed: "Yes", by_intact_mass: { deviation_from_expected_mass: { value: 2.6, unit: "Da" } } };
    const mass = { molecular_weight: { value: 29.2, unit: "kDa" } };
    expect(of("identity", "spr", [], { entities: [entity({ identity }, mass)] })).toEqual([
      "note : A: the mass differs by 89 ppm from the expected one",
    ]);
    expect(of("identity", "spr", [], { entities: [entity({ identity })] })).toEqual([]);
  });

  it("are stated", () => {
    expect(of("stated_conditions", "itc", [], { method: WARM, ph: 7 })).toEqual([
      "agrees : Temperature and pH of the measurement are stated",
    ]);
    expect(of("stated_conditions", "itc", [], {})).toEqual(["note : Not stated: pH, temperature"]);
  });
});

describe("any rates and KD", () => {
  const UNITS = { kd: ["pM", "nM", "µM", "mM", "M"], kon: ["M^-1 s^-1", "mM^-1 s^-1"], koff: ["s^-1"] } as const;
  const FACTORS: Readonly<Record<string, number>> = {
    pM: 1e-12,
    nM: 1e-9,
    µM: 1e-6,
    mM: 1e-3,
    M: 1,
    "M^-1 s^-1": 1,
    "mM^-1 s^-1": 1e3,
    "s^-1": 1,
  };
  const random = seeded(20261130);
  const cases = Array.from({ length: 300 }, () => ({
    kd: 10 ** (random.next() * 10 - 12),
    kon: 10 ** (random.next() * 6 + 2),
    koff: 10 ** (random.next() * 6 - 6),
    isExact: random.next() < 0.5,
    relative: random.next() * 0.3,
  }));

  const checked = ({ kd, kon, koff, isExact, relative }: (typeof cases)[number], pickUnit: typeof random.pick) => {
    const row = (name: keyof typeof UNITS, value: number) => {
      const unit = pickUnit(UNITS[name] as readonly string[]);
      const number = value / FACTORS[unit]!;
      return result(name, number, unit, isExact ? {} : { error: number * relative });
    };
    const [outcome] = outcomes("spr", [row("kd", kd), row("kon", kon), row("koff", koff)]);
    return outcome!;
  };

  it("have the same outcome in all units, and a factor of at least 1 that their ratio gives", () => {
    for (const each of cases) {
      const [first, second] = [checked(each, (list) => list[0]!), checked(each, random.pick)];
      expect([first.status, first.factor]).toEqual([second.status, second.factor]);
      const ratio = each.koff / each.kon / each.kd;
      expect(first.factor! / Math.max(ratio, 1 / ratio)).toBeCloseTo(1, 2);
      expect(first.factor).toBeGreaterThanOrEqual(1);
      if (each.isExact) expect(first.status).toBe(Math.max(ratio, 1 / ratio) <= 2 ? "agrees" : "differs");
      expect(writeCheck(second)).not.toMatch(/NaN|undefined|Infinity/);
    }
  });

  it("agree with themselves, however small their errors are", () => {
    for (const each of cases) expect(checked({ ...each, kd: each.koff / each.kon }, random.pick).status).toBe("agrees");
  });
});
