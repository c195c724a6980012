import { expect, it } from "vitest";
import { builtInCatalog } from "../../../test/support/catalog.js";
import type { JsonObject } from "../json.js";
import { measuredPart } from "./describe-record.js";
import { valuesAt } from "./values-at.js";

const { models } = builtInCatalog();
const PH = "metadata.general_parameters.chemical_environments.ph";
const SAMPLES = "metadata.method_specific_parameters.measurements.samples";

/** An SPR record whose samples flowed in steps of these kinds, each in its own buffer at its own temperature. */
function sprOf(samples: readonly (readonly [kind: string, ph: number, temperature: number])[]): JsonObject {
  return {
    general_parameters: {
      chemical_environments: [{ id: "storage", ph: 5 }, ...samples.map(([, ph], i) => ({ id: `e${i}`, ph }))],
    },
    method_specific_parameters: {
      measurement_protocol: samples.map(([type], i) => ({ id: `s${i}`, type })),
      measurements: [
        {
          id: "m",
          samples: samples.map(([, , value], i) => ({
            measurement_step: { id: `s${i}` },
            chemical_environment: { id: `e${i}` },
            temperature: { value, unit: "°C" },
          })),
        },
      ],
    },
  };
}

it.each([
  [[["Association", 7.4, 25]], [7.4], [25]],
  [
    [
      ["Association", 7.4, 25],
      ["Regeneration", 1.5, 60],
    ],
    [7.4],
    [25],
  ],
  [
    [
      ["Regeneration", 1.5, 60],
      ["Dissociation", 8, 15],
    ],
    [8],
    [15],
  ],
  [
    [
      ["Wash", 2, 40],
      ["Load", 4.5, 37],
      ["Activation", 5.5, 30],
      ["Baseline", 7.4, 25],
    ],
    [7.4],
    [25],
  ],
  [
    [
      ["Association", 7, 10],
      ["Association", 8, 20],
    ],
    [7, 8],
    [10, 20],
  ],
  // Nothing says what was measured: all buffers count.
  [[["Regeneration", 1.5, 60]], [5, 1.5], []],
] as const)("of %j the pH is %j and the temperature %j", (samples, ph, temperatures) => {
  const part = { metadata: measuredPart(sprOf(samples), models.get("spr")!) };
  expect(valuesAt(part, PH)).toEqual(ph);
  expect(valuesAt(part, `${SAMPLES}.temperature.value`)).toEqual(temperatures);
});

it.each(["bli", "mst", "itc"])("of %s the buffers count that measurements name", (name) => {
  const model = models.get(name)!;
  const { metadata } = model.example as { readonly metadata: JsonObject };
  const general = metadata.general_parameters as JsonObject;
  const buffers = general.chemical_environments as JsonObject[];
  const more = { ...general, chemical_environments: [{ ...buffers[0]!, id: "labelling", ph: 9.25 }, ...buffers] };
  const part = measuredPart({ ...metadata, general_parameters: more }, model);
  expect(valuesAt({ metadata: part }, PH)).not.toContain(9.25);
  expect(valuesAt({ metadata: part }, PH).length).toBeGreaterThan(0);
});
