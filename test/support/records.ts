import type { JsonObject } from "../../src/core/json.js";
import { type SeededRandom, seeded, zipfText } from "./random.js";

export interface RecordOptions {
  readonly seed?: number;
  readonly title?: string;
  /** Gives the id of a cited organism; by default one of four starter items. */
  readonly organism?: (random: SeededRandom) => string;
  /** Gives the value of a result. */
  readonly value?: (random: SeededRandom) => number;
}

/**
 * Bodies of `mst` records, valid, shaped like MBDB's own example: some 200 leaves and 50 array elements, 7 to 9 kB
 * with the cited terms filled in. They cite starter items only. The same n gives the same record.
 */
export function makeRecord(
  n: number,
  { seed = 1, title, organism = starterOrganism, value = anyValue }: RecordOptions = {},
): {
  readonly metadata: JsonObject;
} {
  const random = seeded(seed * 7_919 + n * 31);
  const results = Array.from({ length: 2 }, (_, i) => ({
    id: `result-${i}`,
    name: zipfText(random, 5),
    type: random.pick(["Constant of dissociation KD", "Concentration", "Half maximal effective concentration EC50"]),
    entities_involved: [
      { entity: { id: "entity-serum" }, copy_number: -1 },
      { entity: { id: "entity-assembly" }, copy_number: random.integer(1, 4) },
    ],
    value: rounded(value(random)),
    unit: random.pick(["nM", "µM", "mM"]),
  }));
  return {
    metadata: {
      general_parameters: {
        schema_version: "0.10.1",
        record_information: recordInformation(random, title ?? `${zipfText(random, 6)} ${n}`),
        depositors: depositors(random),
        funding_references: GRANTS.slice(0, random.integer(1, GRANTS.length)).map((id) => ({ id })),
        technique: "Microscale thermophoresis/Temperature related intensity change (MST/TRIC)",
        instrument: { id: `ins:${random.integer(1, 12)}` },
        collection_start_time: day(random),
        entities_of_interest: [serum(random, organism), assembly(random, organism)],
        chemical_environments: [buffer(random)],
        results,
      },
      method_specific_parameters: methodParameters(random, results),
    },
  };
}

/** One JSON line per record, numbers `from` to `from + count - 1`. */
export function recordLines(count: number, { from = 0, seed = 1 } = {}): string {
  const lines = Array.from({ length: count }, (_, i) => JSON.stringify(makeRecord(from + i, { seed })));
  return `${lines.join("\n")}\n`;
}

const GRANTS = [
  "oa:corda__h2020::f219b1de6eeb4e5c5b2ad39010832d79",
  "oa:aka_________::0138cbca472312ad7dd56c2cdb8a55c2",
];
const AFFILIATIONS = ["ror:042nb2s44", "ror:02j46qs45", "ror:024d6js02"];
const ORGANISMS = ["taxid:562", "taxid:9606", "taxid:10090", "taxid:12374"];
const starterOrganism = (random: SeededRandom): string => random.pick(ORGANISMS);
const anyValue = (random: SeededRandom): number => Math.exp(random.next() * 12 - 4);

const CHEMICALS = [
  "inchikey:XLYOFNOQVPJJNP-UHFFFAOYSA-N",
  "inchikey:LFQSCWFLJHTTHZ-UHFFFAOYSA-N",
  "inchikey:QKNYBSVHEMOAJP-UHFFFAOYSA-N",
];

function recordInformation(random: SeededRandom, title: string): JsonObject {
  return {
    publisher: "MBDB",
    resource_type_general: "Dataset",
    resource_type: "MST",
    ...rightsOf(random.pick(ACCESS_RIGHTS)),
    title,
    deposition_date: day(random),
    date_available: day(random),
    subject_category: "Biophysics",
  };
}

export const ACCESS_RIGHTS = ["open", "embargoed", "restricted"] as const;

/** What a record says of its rights of access, and what follows from them. */
export function rightsOf(access_rights: (typeof ACCESS_RIGHTS)[number]): JsonObject {
  if (access_rights === "restricted") {
    return { access_rights, copyright: "The depositors retains copyright to the data files and metadata" };
  }
  const license = { name: "CC0 1.0 Universal", url: "https://creativecommons.org/publicdomain/zero/1.0/" };
  return { access_rights, copyright: "Anyone is free to distribute the data and metadata", license };
}

function depositors(random: SeededRandom): JsonObject {
  const person = (): JsonObject => ({
    given_name: zipfText(random, 1),
    family_name: zipfText(random, 1),
    affiliations: [{ id: random.pick(AFFILIATIONS) }],
  });
  return {
    depositor: person(),
    principal_contact: { ...person(), identifiers: ["orcid:0000-0002-1825-0097"] },
    contributors: [person(), person()],
  };
}

function serum(random: SeededRandom, organism: (random: SeededRandom) => string): JsonObject {
  return {
    id: "entity-serum",
    name: zipfText(random, 2),
    type: "Complex substance of biological origin",
    derived_from: "Body fluid",
    fluid: { id: "cf:2" },
    health_status: zipfText(random, 1),
    source_organism: { id: organism(random) },
    additional_specifications: [zipfText(random, 9)],
    preparation_protocol: steps(random, 2),
    storage: { temperature: { value: -80, unit: "°C" }, storage_preparation: steps(random, 1) },
  };
}

function assembly(random: SeededRandom, organism: (random: SeededRandom) => string): JsonObject {
  const component = (n: number): JsonObject => ({
    name: `${zipfText(random, 2)} ${n}`,
    type: "Polymer",
    molecular_weight: { value: random.integer(5, 90), unit: "kDa" },
    copy_number: random.integer(1, 4),
    polymer_type: "polypeptide(L)",
    source_organism: { id: organism(random) },
    variant: random.pick(["WT", "V2A", "K17M"]),
    sequence: sequence(random, 150),
    expression_source_type: random.pick(["Natively", "Recombinantly", "Synthetically"]),
    external_databases: [`Uniprot:P${random.integer(10_000, 99_999)}`],
    modifications: { chemical: [{ type: zipfText(random, 2), protocol: steps(random, 3) }] },
  });
  return {
    id: "entity-assembly",
    name: zipfText(random, 2),
    type: "Molecular assembly",
    external_databases: [`pdb:${random.integer(1, 9)}${sequence(random, 3)}`],
    quality_controls: {
      purity: { assessed: "Yes", method: "SDS-PAGE", purity_percentage: ">99 %" },
      homogeneity: { assessed: "No" },
    },
    molecular_weight: { value: rounded(random.next() * 90 + 10), unit: "kDa" },
    components: [component(1), component(2)],
  };
}

function buffer(random: SeededRandom): JsonObject {
  const substance = (unit: string): JsonObject => ({
    name: zipfText(random, 1),
    type: "Chemical",
    basic_information: { id: random.pick(CHEMICALS) },
    concentration: { value: random.integer(1, 150), unit },
  });
  return {
    id: "environment",
    name: zipfText(random, 2),
    solvent: [substance("w/w %"), substance("v/v %")],
    ph: rounded(random.next() * 6 + 4),
    constituents: [substance("mM"), substance("mM"), substance("w/v %")],
  };
}

function methodParameters(random: SeededRandom, results: readonly JsonObject[]): JsonObject {
  const measurements = Array.from({ length: 3 }, (_, i) => ({
    id: `position-${i}`,
    name: zipfText(random, 5),
    position: String(i + 1),
    sample: {
      targets: [{ entity: { id: "entity-assembly" }, concentration: { value: 1, unit: "nM" } }],
      ligands: [{ entity: { id: "entity-serum" }, concentration: { value: 10 * 2 ** i, unit: "mg/mL" } }],
      chemical_environment: { id: "environment" },
      measurement_container: "Monolith Standard Capillary",
    },
  }));
  return {
    schema_version: "0.9.10",
    experiment_type: random.pick(["Affinity", "Concentration"]),
    signal_type: "TRIC/MST",
    excitation_led_color: "RED (ex 605-645nm, em 660-720nm)",
    excitation_led_power: random.integer(1, 100),
    ir_mst_laser_power: random.integer(1, 100),
    data_analysis: [
      {
        results: results.map(({ id }) => ({ id: id! })),
        data_fitting: { model: "1:1", software_name: zipfText(random, 3) },
        measurements: measurements.map(({ id }) => ({ id })),
      },
    ],
    measurements,
  };
}

function steps(random: SeededRandom, count: number): JsonObject[] {
  return Array.from({ length: count }, () => ({ name: zipfText(random, 2), description: zipfText(random, 14) }));
}

function sequence(random: SeededRandom, length: number): string {
  return Array.from({ length }, () => random.pick([..."ACDEFGHIKLMNPQRSTVWY"])).join("");
}

function day(random: SeededRandom): string {
  const two = (n: number): string => String(n).padStart(2, "0");
  return `${random.integer(2015, 2025)}-${two(random.integer(1, 12))}-${two(random.integer(1, 28))}`;
}

function rounded(value: number): number {
  return Number(value.toPrecision(3));
}
