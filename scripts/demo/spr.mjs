import { stepsInTurn } from "./bli.mjs";
import { steps } from "./data.mjs";
import { hasRegeneration } from "./general.mjs";
import { amountOf, analysisOf, isLarge, seriesOf, shareOf } from "./samples.mjs";

const CHIPS = [
  ["Carboxymethyl dextran (CM5)", "BR100012", "Amine coupling"],
  ["Carboxymethyl dextran (CM7)", "28953828", "Amine coupling"],
  ["Streptavidin on dextran (SA)", "BR100032", "Biotin capture"],
  ["Nitrilotriacetic acid (NTA)", "BR100034", "His-tag capture"],
];
const LIPID_CHIP = ["Lipophilic groups on dextran (L1)", "BR100558", "Capture of vesicles"];

export function sprParameters(setting) {
  const { entities, environment, instrument, random, temperature, pair } = setting;
  const [held, added, sample] = entities;
  const isLipid = held.type === "Complex substance of chemical origin";
  const [surface, catalogNumber, chemistry] = isLipid ? LIPID_CHIP : random.pick(CHIPS);
  const series =
    sample === undefined || pair.kd !== undefined ? seriesOf(setting, random.integer(4, 6)) : [1, 2, 10].map(shareOf);
  const analyte = pair.kd === undefined && sample !== undefined ? sample : added;
  const measurements = series.map((concentration, i) => ({
    id: `m${i + 1}`,
    name: `Cycle ${i + 1}`,
    measurement_position: { id: "fc2" },
    reference_measurement_position: { id: "fc1" },
    samples: [
      {
        measurement_step: { id: "association" },
        position: `R1 ${"ABCDEFGH"[i]}1`,
        chemical_environment: { id: environment.id },
        analytes: [amountOf(analyte, concentration)],
        temperature,
      },
    ],
  }));
  const maker = instrument.props.manufacturer;
  const immobilization = chemistry === "Amine coupling" ? "couple" : "capture";
  const before = chemistry.startsWith("Biotin") && isLarge(pair.of[0]) ? ["biotinylate"] : [];
  return {
    schema_version: "0.9.6",
    experiment_type: pair.found === undefined ? "Affinity" : "Quantification",
    sensor: {
      id: "chip",
      surface_properties: surface,
      supplier: maker === "Cytiva" ? { name: maker, catalog_number: catalogNumber } : { name: maker },
      sensor_initialization: random.pick(["Air", "Glycerol"]),
      previously_used: random.chance(0.3),
    },
    measurement_positions: [
      { id: "fc1", name: "Flow cell 1", flow_cell: "1" },
      {
        id: "fc2",
        name: "Flow cell 2",
        flow_cell: "2",
        ligand: {
          entity: { id: held.id },
          immobilization_chemistry: chemistry,
          immobilization_protocol: steps(...before, immobilization),
        },
      },
    ],
    measurement_protocol: protocolOf(setting),
    measurements,
    data_analysis: [analysisOf(setting, measurements, pair.kon > 2e7 ? "1:1 with mass transport" : "1:1 Langmuir")],
  };
}

function protocolOf(setting) {
  const { random } = setting;
  const rate = random.chance(0.7)
    ? { rate: random.pick([0.03, 0.05, 0.1]), unit: "mL/min" }
    : { rate: random.pick([0.5, 1]), unit: "µl/s" };
  const flow = { ...rate, direction: "Horizontal", path: [[{ id: "fc1" }, { id: "fc2" }]] };
  const lengths = [
    ["baseline", "Baseline", 60],
    ["association", "Association", random.pick([60, 120, 180])],
    ["dissociation", "Dissociation", random.pick([120, 300, 900])],
    ...(hasRegeneration(setting) ? [["regeneration", "Regeneration", 30]] : []),
  ];
  return stepsInTurn(lengths).map((step) => ({ ...step, flow }));
}
