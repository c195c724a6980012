import { steps } from "./data.mjs";
import { amountOf, analysisOf, isLarge, prepared, seriesOf, shareOf } from "./samples.mjs";

const PLATES = [
  { wells: "96", type: "Flat bottom, black", supplier: { name: "Greiner Bio-One", catalog_number: "655209" } },
  { wells: "384", type: "Tilted bottom, black", supplier: { name: "Sartorius", catalog_number: "18-5080" } },
];

const SENSORS = [
  ["Streptavidin", "18-5019", "Biotin capture"],
  ["Streptavidin", "18-5019", "Biotin capture"],
  ["Super Streptavidin", "18-5057", "Biotin capture"],
  ["Ni-NTA", "18-5101", "His-tag capture"],
  ["Anti-human Fc", "18-5060", "Capture by an antibody"],
];

export function bliParameters(setting) {
  const { entities, environment, random, temperature, pair } = setting;
  const [held, added, sample] = entities;
  const plate = random.pick(PLATES);
  const [surface, catalogNumber, chemistry] = random.pick(SENSORS);
  const supplier = { name: "Sartorius", catalog_number: catalogNumber };
  const speed = { value: random.pick([400, 600, 1000]), unit: "RPM" };
  const series = sample === undefined ? seriesOf(setting, random.integer(4, 6)) : [1, 5, 20].map(shareOf);
  const measurements = series.map((concentration, i) => ({
    id: `m${i + 1}`,
    name: `${concentration.value} ${concentration.unit}`,
    sensor: { id: "s1" },
    measurement_protocol_step: { id: "association" },
    sample: {
      plate: { id: "plate" },
      well_position: `${"ABCDEFGH"[i]}4`,
      chemical_environment: { id: environment.id },
      analytes: [amountOf(sample ?? added, concentration)],
      temperature,
      ...(i === 0 ? prepared(random) : {}),
    },
  }));
  return {
    schema_version: "0.9.7",
    experiment_type: pair.found === undefined ? "Affinity" : "Quantification",
    plates: [{ id: "plate", name: "Plate", ...plate }],
    sensors: [
      {
        id: "s1",
        name: "Sensor",
        ligand: {
          entity: { id: held.id },
          immobilization_chemistry: chemistry,
          immobilization_protocol: steps(
            ...(chemistry.startsWith("Biotin") && isLarge(pair.of[0]) ? ["biotinylate"] : []),
            "load",
          ),
        },
        surface_properties: surface,
        supplier,
        hydration_time: { value: 10, unit: "minutes" },
        previously_used: false,
      },
      { id: "s2", name: "Reference sensor", surface_properties: surface, supplier },
    ],
    measurement_protocol: protocolOf(random, speed),
    measurements,
    data_analysis: [analysisOf(setting, measurements, random.pick(["1:1 Langmuir", "1:1 global", "Steady state"]))],
  };
}

function protocolOf(random, speed) {
  const lengths = [
    ["baseline", "Baseline", 60],
    ["load", "Load", 300],
    ["baseline-2", "Baseline", 120],
    ["association", "Association", random.pick([180, 300, 600])],
    ["dissociation", "Dissociation", random.pick([300, 600, 1800])],
  ];
  return stepsInTurn(lengths).map((step) => ({ ...step, shaking_speed: speed }));
}

/** Each begins where the one before it ends; seconds. */
export function stepsInTurn(lengths) {
  let start = 0;
  return lengths.map(([id, type, seconds]) => {
    const step = {
      id,
      name: id === "baseline-2" ? "Second baseline" : type,
      type,
      start_time: { value: start, unit: "seconds" },
      time_length: { value: seconds, unit: "seconds" },
    };
    start += seconds;
    return step;
  });
}
