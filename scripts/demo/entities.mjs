/** Turns the rows of substances.yaml into entities as records have them. */
import { cite, steps, substances } from "./data.mjs";
import { rounded } from "./random.mjs";

/** Daltons of a residue, on average. */
const RESIDUE = { peptides: 111, dna: 309, rna: 321, hybrids: 630 };
const NUCLEIC = {
  dna: "polydeoxyribonucleotide",
  rna: "polyribonucleotide",
  hybrids: "polydeoxyribonucleotide/polyribonucleotide hybrid",
};

/** An entity by its key, or the chemical with that title. Its id is the key. */
export function entityOf(key, random) {
  const kind = kindOf(key);
  if (kind === "chemicals") {
    return { id: slug(key), name: key, type: "Chemical", basic_information: cite("chemicals", key) };
  }
  const row = substances[kind][key];
  return { id: slug(key), name: row.name, ...MAKERS[kind](row, random, kind) };
}

/** The table of substances.yaml that has the key. */
export function kindOf(key) {
  return Object.keys(MAKERS).find((kind) => Object.hasOwn(substances[kind], key)) ?? "chemicals";
}

export const slug = (key) =>
  key
    .toLowerCase()
    .normalize("NFKD")
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "");

const MAKERS = {
  proteins: makeProtein,
  peptides: makeSynthetic,
  dna: makeSynthetic,
  rna: makeSynthetic,
  hybrids: makeSynthetic,
  assemblies: makeAssembly,
  fluids: (row, random) => ({
    ...biological(row, "Body fluid", "fluid", random),
    fluid: cite("body_fluids", row.fluid),
    health_status: row.health,
  }),
  fractions: (row, random) => ({
    ...biological(row, "Cell fraction", "cells", random),
    fraction: cite("cell_fractions", row.fraction),
    ...present({ organ: row.organ, tissue: row.tissue, cell_type: row.cell }),
    health_status: row.health,
  }),
  virions: (row, random) => ({
    ...biological(row, "Virion", "virus", random),
    genetic_material: row.genes,
    capsid_type: row.capsid,
    envelope_type: row.envelope,
    ...(row.host ? { host_organism: organism(row.host), host_cell_type: row.cell } : {}),
  }),
  tissues: (row, random) => ({
    ...biological(row, "Solid tissue sample", "tissue", random),
    organ: row.organ,
    homogenized: row.homogenized,
    health_status: row.health,
  }),
  places: ({ kind, at: [latitude, longitude, altitude] }, random) => ({
    type: "Complex substance of environmental origin",
    environment_type: cite("environment_types", kind),
    location: { latitude, longitude, altitude },
    preparation_protocol: steps("place"),
    ...storage(random),
  }),
  lipids: makeLipids,
  goods: ({ product }, random) => ({
    type: "Complex substance of industrial origin",
    product: cite("products", product),
    preparation_protocol: steps("goods"),
    ...storage(random),
  }),
};

function makeProtein(row, random) {
  const isMade = row.made !== undefined;
  return {
    type: "Polymer",
    polymer_type: "polypeptide(L)",
    molecular_weight: weight(row.kDa),
    ...databases(row),
    variant: row.variant ?? "WT",
    source_organism: organism(row),
    expression_source_type: isMade ? "Recombinantly" : "Natively",
    ...(isMade ? { expression_organism: organism(row.made) } : {}),
    ...(row.made === "human" || row.made === "hamster"
      ? { modifications: { biological_postprocessing: [{ type: "N-glycosylation" }] } }
      : {}),
    ...qualityOf(random),
  };
}

function makeSynthetic(row, random, kind) {
  const daltons = row.kDa === undefined ? row.sequence.length * RESIDUE[kind] + 18 : row.kDa * 1000;
  const { chemistry, synthesis } = row;
  const modifications = present({ synthesis: synthesis && [synthesis], chemical: chemistry && [chemistry] });
  return {
    type: "Polymer",
    polymer_type: row.type ?? NUCLEIC[kind] ?? "polypeptide(L)",
    ...present({ sequence: row.sequence }),
    molecular_weight: weight(daltons / 1000),
    ...databases(row),
    ...(row.of ? { source_organism: organism(row) } : {}),
    expression_source_type: "Synthetically",
    ...(Object.keys(modifications).length > 0 ? { modifications } : {}),
    ...(random.chance(0.4) ? { quality_controls: { identity: massOf(random), purity: { assessed: "No" } } } : {}),
  };
}

function makeAssembly(row, random) {
  return {
    type: "Molecular assembly",
    molecular_weight: weight(row.kDa),
    ...databases(row),
    components: row.parts.map(([name, uniprot, kDa, copies]) => ({
      name,
      type: "Polymer",
      copy_number: copies,
      ...makeProtein({ ...row, pdb: undefined, uniprot, kDa }, random),
    })),
    ...qualityOf(random),
  };
}

function makeLipids(row, random) {
  const size = { type: "diameter", mean: row.nm, unit: "nm", lower: row.nm * 0.8, upper: row.nm * 1.2 };
  return {
    type: "Complex substance of chemical origin",
    class: "Lipid assembly",
    assembly_type: row.form,
    components: row.of.map(([name, copies]) => ({
      name,
      type: "Chemical",
      copy_number: copies,
      basic_information: cite("chemicals", name),
    })),
    number_of_mono_layers: row.layers,
    ...(row.nm ? { size } : {}),
    preparation_protocol: steps("lipid"),
    ...(random.chance(0.5) ? { storage: { temperature: { value: 4, unit: "°C" } } } : {}),
  };
}

function biological(row, derivedFrom, protocol, random) {
  return {
    type: "Complex substance of biological origin",
    derived_from: derivedFrom,
    source_organism: organism(row),
    preparation_protocol: steps(protocol),
    ...storage(random),
  };
}

/** @param of a key of the table of organisms, or a row that has one (or the NCBI id itself) */
function organism(of) {
  const key = typeof of === "string" ? of : of.of;
  return { id: `taxid:${key === undefined ? of.organism : substances.organisms[key]}` };
}

function databases({ uniprot, pdb }) {
  const ids = [uniprot && `Uniprot:${uniprot}`, pdb && `pdb:${pdb}`].filter(Boolean);
  return ids.length > 0 ? { external_databases: ids } : {};
}

function weight(kDa) {
  if (kDa >= 1000) return { value: rounded(kDa / 1000), unit: "MDa" };
  return kDa < 2 ? { value: rounded(kDa * 1000, 4), unit: "g/mol" } : { value: rounded(kDa, 4), unit: "kDa" };
}

function qualityOf(random) {
  if (!random.chance(0.45)) return {};
  const purity = {
    assessed: "Yes",
    method: random.pick(["SDS-PAGE", "SDS-PAGE", "Capillary Electrophoresis"]),
    purity_percentage: random.pick([">90 %", ">95 %", ">95 %", ">99 %"]),
  };
  const homogeneity = {
    assessed: "Yes",
    method: random.pick(["Dynamic light scattering", "Size exclusion chromatography", "Mass photometry"]),
    expected_number_of_species: 1,
    number_of_species_observed: random.chance(0.85) ? 1 : 2,
  };
  return {
    quality_controls: {
      purity,
      ...(random.chance(0.5) ? { identity: massOf(random) } : {}),
      ...(random.chance(0.6) ? { homogeneity } : {}),
    },
  };
}

const massOf = (random) => ({
  assessed: "Yes",
  by_intact_mass: {
    method: "Mass spectrometry",
    deviation_from_expected_mass: { value: rounded(random.between(0.1, 3), 2), unit: "Da" },
  },
});

/** Frozen at once, in most cases, for some months. */
function storage(random) {
  const temperature = random.pick([
    { value: -80, unit: "°C" },
    { value: -20, unit: "°C" },
    { value: 4, unit: "°C" },
    { value: 193, unit: "K" },
  ]);
  const isFrozen = temperature.value === -80 || temperature.unit === "K";
  const duration = random.pick([
    { value: random.integer(2, 30), unit: "days" },
    { value: random.integer(1, 18), unit: "months" },
  ]);
  return { storage: { temperature, duration, ...(isFrozen ? { storage_preparation: steps("freeze") } : {}) } };
}

/** The entries that have a value. */
export const present = (entries) =>
  Object.fromEntries(Object.entries(entries).filter(([, value]) => value !== undefined));
