import { handy, molar, parseAmount } from "./amounts.mjs";
import { amountOf, analysisOf, prepared } from "./samples.mjs";

/** Millilitres of the cell by the name of the instrument. */
const CELLS = [
  [/VP-ITC/, 1.4],
  [/Nano|Affinity/, 0.19],
  [/./, 0.2],
];

export function itcParameters(setting) {
  const { entities, environment, instrument, random, temperature, pair } = setting;
  const [held, added, sample] = entities;
  const cell = CELLS.find(([name]) => name.test(instrument.title.en))[1];
  const isLargeCell = cell > 1;
  const injections = random.pick(isLargeCell ? [25, 28, 30] : [13, 16, 19, 20]);
  const volume = isLargeCell ? 10 : 2;
  const molarity = concentrationOf(setting);
  const measurements = Array.from({ length: random.integer(1, 3) }, (_, i) => ({
    id: `m${i + 1}`,
    name: `Titration ${i + 1}`,
    sample_in_cell: {
      targets: [amountOf(held, molarity)],
      chemical_environment: { id: environment.id },
      ...prepared(random),
    },
    sample_in_syringe: {
      targets: [
        sample === undefined ? amountOf(added, tenfold(molarity)) : amountOf(sample, { value: 50, unit: "v/v %" }),
      ],
      chemical_environment: { id: environment.id },
    },
  }));
  const isSingle = random.chance(0.12);
  const model = pair.dh > 0 ? "One set of sites, entropy-driven" : "One set of sites";
  return {
    schema_version: "0.1.0",
    measurements,
    injection_mode: isSingle
      ? { type: "Single injection", volume: { value: isLargeCell ? 280 : 38, unit: "µl" } }
      : {
          type: "Titration",
          number_injections: injections,
          injection_parameters: [
            { n_injections: 1, volume: { value: volume / 5, unit: "µl" } },
            { n_injections: injections - 1, volume: { value: volume, unit: "µl" } },
          ],
        },
    cell_temperature: temperature,
    cell_volume: { value: cell, unit: "ml" },
    reference_power: random.chance(0.7)
      ? { value: random.integer(5, 11), unit: "µcal/s" }
      : { value: 40, unit: "µJ/s" },
    stirring_speed: { value: random.pick([300, 307, 500, 750, 1000]), unit: "RPM" },
    feedback_mode: random.pick(["High", "High", "Low", "None"]),
    data_analysis: [
      { type: random.chance(0.85) ? "Simple model" : "Complex model", ...analysisOf(setting, measurements, model) },
    ],
  };
}

/** Some tens of times the affinity in the cell, within what dissolves. */
function concentrationOf({ entities, pair }) {
  if (entities[0].type.startsWith("Complex")) return { value: 5, unit: "mg/mL" };
  const affinity = pair.kd === undefined ? 1e-5 : molar(parseAmount(pair.kd));
  return handy(Math.min(Math.max(affinity * 20, 1e-5), 2e-4));
}

function tenfold({ value, unit }) {
  return unit === "mg/mL" ? { value: 1, unit: "mM" } : { value: value * 10, unit };
}
