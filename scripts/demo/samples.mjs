/** Series of samples, and what is done with the data of all techniques. */
import { handy, inUnit, molar, parseAmount } from "./amounts.mjs";
import { steps, surroundings } from "./data.mjs";
import { kindOf } from "./entities.mjs";
import { rounded } from "./random.mjs";

/**
 * Concentrations around the affinity, from low to high, each two- or threefold.
 * @returns {{ value: number, unit: string }[]}
 */
export function seriesOf({ pair, entities, random }, count) {
  const added = entities[1];
  if (added.type.startsWith("Complex")) return dilutions(count);
  const middle = middleOf(pair);
  const factor = random.pick([2, 2, 3]);
  const from = -Math.floor(count / 2);
  const molarities = Array.from({ length: count }, (_, i) => middle * factor ** (from + i));
  const { unit } = handy(molarities.at(-1));
  return molarities.map((molarity) => inUnit(molarity, unit));
}

/** How much of what is held: far below the affinity, and no less than can be seen. */
export function heldOf({ pair, entities }) {
  const held = entities[0];
  if (held.type.startsWith("Complex")) return { value: 1, unit: "mg/mL" };
  return handy(Math.min(Math.max(middleOf(pair) / 5, 2e-9), 5e-5));
}

/** A share of a sample that nobody knows the molarity of. */
export const shareOf = (value) => ({ value, unit: "v/v %" });

export const amountOf = (entity, concentration) => ({ entity: { id: entity.id }, concentration });

/** Dissolved, diluted, spun. */
export const prepared = (random) => (random.chance(0.5) ? { preparation_protocol: steps("dissolve") } : {});

export const isLarge = (key) => !["chemicals", "peptides"].includes(kindOf(key));

/** The analysis of all measurements at once. */
export function analysisOf({ technique, results, random, pair }, measurements, model) {
  const [software, version] = random.pick(surroundings.programs[technique]);
  const [quality, type] = random.pick([
    [rounded(random.between(0.95, 0.999)), "R^2"],
    [rounded(random.between(0.4, 3), 2), "red. Chi^2"],
    [rounded(random.between(0.01, 0.2), 2), "SEM"],
  ]);
  const fitting = {
    model: pair.found === undefined ? model : "Calibration curve",
    software_name: software,
    software_version: version,
    ...(random.chance(0.6) ? { quality, quality_type: type } : {}),
  };
  return {
    results: results.map(({ id }) => ({ id })),
    measurements: measurements.map(({ id }) => ({ id })),
    ...(random.chance(0.5) ? { data_processing: [PROCESSING[technique]] } : {}),
    data_fitting: fitting,
  };
}

const PROCESSING = {
  bli: { name: "Reference subtraction", description: "The signal of the sensor in plain buffer was taken off." },
  itc: {
    name: "Baseline",
    description: "A baseline was drawn and the peaks were integrated.",
    software_name: "NITPIC",
  },
  mst: { name: "Normalisation", description: "Hot fluorescence was divided by cold fluorescence." },
  spr: {
    name: "Double referencing",
    description: "The empty flow cell and a cycle without analyte were taken off.",
    link_to_source_code: "https://example.org/demo/double-referencing",
  },
};

/** The affinity that the experimenters expected. */
function middleOf({ found, kd, expected = kd }) {
  if (expected !== undefined) return Math.max(molar(parseAmount(expected)), 1e-10);
  const amount = parseAmount(found);
  // Where masses are reported, the standards are made up by molarity all the same.
  return molar(amount) || 5e-9;
}

function dilutions(count) {
  return Array.from({ length: count }, (_value, i) => shareOf(rounded(50 / 2 ** (count - 1 - i))));
}
