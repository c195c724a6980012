import { amountOf, analysisOf, heldOf, prepared, seriesOf, shareOf } from "./samples.mjs";

/** Light by the name of the instrument. */
const LIGHTS = [
  [/Monolith X/, "Spectral shift"],
  [/Dianthus/, "RED (ex 610-645nm, em 680-720nm)"],
  [/^Monolith (NT\.(Automated )?)?Label-?free/i, "UV (ex 260-300nm, em 330-380nm)"],
  [/RED/, "RED (ex 605-645nm, em 660-720nm)"],
  [/BLUE/, "BLUE (ex 460-500nm, em 515-560nm)"],
  [/./, "GREEN (ex 515-550nm, em 565-600nm)"],
];

export function mstParameters(setting) {
  const { entities, environment, instrument, random, temperature, pair } = setting;
  const [held, added, sample] = entities;
  const isAmount = pair.found !== undefined;
  const light = LIGHTS.find(([name]) => name.test(instrument.title.en))[1];
  const signal = light === "Spectral shift" ? light : random.pick(["TRIC/MST", "TRIC/MST", "Initial intensity"]);
  const series =
    isAmount && sample !== undefined ? [1, 2, 5, 10].map(shareOf) : seriesOf(setting, random.integer(5, 8));
  const matrix = !isAmount && sample !== undefined ? [amountOf(sample, { value: 20, unit: "v/v %" })] : [];
  const target = heldOf(setting);
  const container = containerOf(instrument.title.en, random);
  const measurements = series.map((concentration, i) => ({
    id: `m${i + 1}`,
    name: `Capillary ${i + 1}`,
    position: String(i + 1),
    sample: {
      targets: [amountOf(held, target), ...matrix],
      ligands: [amountOf(isAmount ? (sample ?? added) : added, concentration)],
      chemical_environment: { id: environment.id },
      measurement_container: container,
      ...(i === 0 ? prepared(random) : {}),
    },
  }));
  const analysis = analysisOf(setting, measurements, random.pick(["KD model, 1:1", "KD model, 1:1", "Hill equation"]));
  const isShort = random.chance(0.5);
  return {
    schema_version: "0.9.10",
    experiment_type: isAmount ? "Concentration" : "Affinity",
    signal_type: signal,
    excitation_led_color: light,
    excitation_led_power: random.pick([5, 20, 40, 60, 80, 100]),
    ir_mst_laser_power: signal === "TRIC/MST" ? random.pick([20, 40, 60, 80]) : 0,
    temperature,
    measurements,
    data_analysis: [
      {
        ...analysis,
        ...(signal === "TRIC/MST"
          ? {
              f_cold_and_hot: {
                time_unit: "seconds",
                f_cold_start: -1,
                f_cold_end: 0,
                f_hot_start: isShort ? 0.5 : 4,
                f_hot_end: isShort ? 1.5 : 5,
              },
            }
          : {}),
      },
    ],
  };
}

function containerOf(instrument, random) {
  if (/Dianthus/.test(instrument)) return "384-well plate";
  const free = /label-?free/i.test(instrument) && "LabelFree";
  const premium = random.chance(0.3) && "Premium";
  const words = /Automated/.test(instrument)
    ? ["Monolith NT.Automated", free, premium, "Capillary Chip"]
    : ["Monolith", free, premium || (!free && "Standard"), "Capillary"];
  return words.filter(Boolean).join(" ");
}
