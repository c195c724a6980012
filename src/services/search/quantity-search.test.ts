/** Numbers with units and compounds, from a deposit to the hits, on the real engine. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type OpenServices, openServices } from "../../../test/support/open-services.js";
import { makeRecord } from "../../../test/support/records.js";
import { ANONYMOUS } from "../../core/actor.js";
import type { JsonObject } from "../../core/json.js";

let bindery: OpenServices;
const names = new Map<string, string>();

const WATER = "inchikey:XLYOFNOQVPJJNP-UHFFFAOYSA-N";
const ETHANOL = "inchikey:LFQSCWFLJHTTHZ-UHFFFAOYSA-N";

interface Case {
  readonly results: readonly (readonly [type: string, value: number, unit?: string])[];
  readonly solvent: readonly [compound: string, value: number, unit: string];
  readonly temperature: readonly [value: number, unit: string];
}

const CASES: Readonly<Record<string, Case>> = {
  tight: {
    results: [
      ["Constant of dissociation KD", 0.01, "µM"],
      ["Association rate kOn", 200_000, "M^-1 s^-1"],
    ],
    solvent: [WATER, 250, "µM"],
    temperature: [25, "°C"],
  },
  loose: {
    results: [
      ["Constant of dissociation KD", 10, "mM"],
      ["Concentration", 10, "nM"],
    ],
    solvent: [ETHANOL, 20, "v/v %"],
    temperature: [310.15, "K"],
  },
  odd: {
    results: [["Hill coefficient", 1.5, "unitless"]],
    solvent: [WATER, 2, "g/L"],
    temperature: [68, "°F"],
  },
};

/** How much was measured is not known, and not found. */
const AMOUNTS = [{ entity: { id: "entity-serum" }, concentration: { value: -1, unit: "mM" } }];
const MEASURED = {
  sample: {
    targets: AMOUNTS,
    ligands: AMOUNTS,
    chemical_environment: { id: "environment" },
    measurement_container: "other",
  },
};

function bodyOf(n: number, { results, solvent, temperature }: Case): string {
  const { metadata } = structuredClone(makeRecord(n)) as { metadata: Record<string, Record<string, unknown>> };
  const [compound, value, unit] = solvent;
  const substance = {
    name: "s",
    type: "Chemical",
    basic_information: { id: compound },
    concentration: { value, unit },
  };
  Object.assign(metadata.general_parameters!, {
    chemical_environments: [{ id: "environment", name: "Buffer", ph: 7, solvent: [substance] }],
    results: results.map(([type, number, of], i) => ({
      id: `result-${i}`,
      name: `result ${i}`,
      type,
      value: number,
      ...(of === undefined ? {} : { unit: of }),
      entities_involved: [{ entity: { id: i === 0 ? "entity-serum" : "entity-assembly" }, copy_number: 1 }],
    })),
  });
  const method = metadata.method_specific_parameters as { data_analysis?: unknown; measurements: [typeof MEASURED] };
  delete method.data_analysis;
  Object.assign(method, {
    temperature: { value: temperature[0], unit: temperature[1] },
    measurements: [{ ...method.measurements[0], ...MEASURED }],
  });
  return JSON.stringify({ metadata } as unknown as JsonObject);
}

beforeAll(async () => {
  bindery = await openServices();
  const alice = await bindery.actor("alice", "records:write");
  for (const [name, one] of Object.entries(CASES)) {
    const { record } = await bindery.createDraft(alice, "mst", bodyOf(names.size, one));
    names.set((await bindery.publishDraft(alice, { model: "mst", id: record.id })).record.id, name);
  }
});
afterAll(() => bindery.dispose());

const PLAIN = { window: { size: 10 }, filters: {}, facetSize: 0, lang: "en" };

describe("searching records finds", () => {
  it.each<[string, string[]]>([
    ["kd:<10nM", []],
    ["kd:<=10nM", ["tight"]],
    ["kd:10 nM", ["tight"]],
    ["kd:[1 nM TO 1 M]", ["loose", "tight"]],
    ["kd:(>=1nM AND <10mM)", ["tight"]],
    ["kon:>1e5 1/Ms", ["tight"]],
    ["results:(kd:<1µM AND entities_involved.entity.id:entity-serum)", ["tight"]],
    ["results:(kd:<1µM AND entities_involved.entity.id:entity-assembly)", []],
    ["results.value:10nM", ["loose", "tight"]],
    ["results.value:10", ["loose"]],
    ["measured_concentration:10nM", ["loose"]],
    ["hill:>1", ["odd"]],
    ["temperature:[20 degC TO 300 K]", ["odd", "tight"]],
    ["temperature:37°C", ["loose"]],
    ["concentration:<1mM", ["tight"]],
    ["chemical_environments:(concentration:<1mM)", ["tight"]],
    ["chemical_environments:(solvent:(concentration:>1 g/L AND chemical_formula:x))", []],
    ["chemical_environments.solvent.concentration:2mg/mL", ["odd"]],
    ["solvent:inchikey:XLYOFNOQVPJJNP", ["odd", "tight"]],
    ["inchikey:LFQSCWFLJHTTHZ", ["loose"]],
    ["-kd:*", ["odd"]],
  ])("%s: %j", async (q, expected) => {
    const models: readonly { model?: string }[] = [{}, { model: "mst" }];
    for (const model of models) {
      const { hits } = await bindery.searchRecords(ANONYMOUS, { ...PLAIN, own: false, q, ...model });
      expect(hits.map(({ id }) => names.get(id)).sort()).toEqual(expected);
    }
  });

  it("what it says that it read", async () => {
    const answer = await bindery.searchRecords(ANONYMOUS, { ...PLAIN, own: false, q: "kd:<10 nM temperature:25 °C" });
    expect(answer).toMatchObject({ query: { parsed: "kd:<10nM AND temperature:25°C", fallback: false }, warnings: [] });
  });
});

describe("searching a vocabulary finds", () => {
  it.each<[string, readonly string[]]>([
    ["molecular_weight:[0.04 kDa TO 0.05 kDa]", [ETHANOL]],
    ["molecular_weight:18.015 g/mol", [WATER]],
    ["inchikey:XLYOFNOQVPJJNP", [WATER]],
    ["id:XLYOFNOQVPJJNP-ZSJDYOACSA-N", [WATER]],
  ])("%s: %j", async (q, expected) => {
    const { hits } = await bindery.searchTerms(ANONYMOUS, { ...PLAIN, vocabulary: "chemicals", q });
    expect(hits.map(({ id }) => id)).toEqual(expect.arrayContaining([...expected]));
  });
});
