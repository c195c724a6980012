import type { JsonObject } from "../../src/core/json.js";
import { type ACCESS_RIGHTS, rightsOf } from "./records.js";

/** What a small record says; the rest of it is always the same. */
export interface SmallContent {
  readonly model: keyof typeof METHODS;
  readonly title: string;
  readonly rights: (typeof ACCESS_RIGHTS)[number];
  /** False: one field that must be there is not, so that the draft has one error. */
  readonly isValid: boolean;
}

/** The field that is missing where a record is not valid. */
export const MISSING_FIELD = "metadata.general_parameters.record_information.publisher";

/** A body with as little as makes it valid: quickly stored, quickly found. It cites two starter items. */
export function smallRecord({ model, title, rights, isValid }: SmallContent): { readonly metadata: JsonObject } {
  const person = { given_name: "Ada", family_name: "Lovelace" };
  const { technique, ...method } = METHODS[model];
  const general = {
    schema_version: "0.10.1",
    record_information: {
      title,
      ...rightsOf(rights),
      ...(isValid ? { publisher: "MBDB" } : {}),
      resource_type_general: "Dataset",
      resource_type: model.toUpperCase(),
      subject_category: "Biophysics",
      deposition_date: "2024-05-17",
    },
    depositors: {
      depositor: person,
      principal_contact: { ...person, identifiers: ["orcid:0000-0002-1825-0097"] },
    },
    technique,
    instrument: { id: "ins:2" },
    collection_start_time: "2024-05-17",
    entities_of_interest: [{ id: "entity", name: "Entity", ...WATER }],
    chemical_environments: [
      { id: "buffer", name: "Buffer", solvent: [{ name: "Water", ...WATER, concentration: SOME }], ph: 7 },
    ],
  };
  return { metadata: { general_parameters: general, method_specific_parameters: method } };
}

const WATER = { type: "Chemical", basic_information: { id: "inchikey:XLYOFNOQVPJJNP-UHFFFAOYSA-N" } };
const SOME = { value: 1, unit: "mM" };
const amounts = [{ entity: { id: "entity" }, concentration: SOME }];
const chemical_environment = { id: "buffer" };
const supplier = { name: "Supplier" };
const named = { id: "one", name: "One" };
const one = { id: "one" };
const step = {
  ...named,
  type: "Association",
  start_time: { value: 0, unit: "seconds" },
  time_length: { value: 1, unit: "minutes" },
};
const speed = { value: 400, unit: "RPM" };

/** What a record of each model must say of its method. */
const METHODS = {
  mst: {
    technique: "Microscale thermophoresis/Temperature related intensity change (MST/TRIC)",
    schema_version: "0.9.10",
    experiment_type: "Affinity",
    signal_type: "TRIC/MST",
    excitation_led_color: "RED (ex 605-645nm, em 660-720nm)",
    excitation_led_power: 40,
    ir_mst_laser_power: 20,
    measurements: [
      {
        ...named,
        position: "1",
        sample: { targets: amounts, ligands: amounts, chemical_environment, measurement_container: "other" },
      },
    ],
  },
  bli: {
    technique: "Bio-layer interferometry (BLI)",
    schema_version: "0.9.7",
    experiment_type: "Affinity",
    plates: [{ ...named, wells: "96", type: "Plate", supplier }],
    sensors: [{ ...named, supplier }],
    measurement_protocol: [{ ...step, shaking_speed: speed }],
    measurements: [
      {
        ...named,
        sensor: one,
        measurement_protocol_step: one,
        sample: { plate: one, well_position: "A1", chemical_environment },
      },
    ],
  },
  itc: {
    technique: "Isothermal Titration Calorimetry (ITC)",
    schema_version: "0.1.0",
    cell_temperature: { value: 25, unit: "°C" },
    cell_volume: { value: 0.2, unit: "ml" },
    reference_power: { value: 10, unit: "µcal/s" },
    stirring_speed: speed,
    measurements: [
      {
        ...named,
        sample_in_cell: { targets: amounts, chemical_environment },
        sample_in_syringe: { targets: amounts, chemical_environment },
      },
    ],
  },
  spr: {
    technique: "Surface plasmon resonance (SPR)",
    schema_version: "0.9.6",
    experiment_type: "Affinity",
    sensor: { supplier },
    measurement_positions: [{ ...named, flow_cell: "1" }],
    measurement_protocol: [{ ...step, flow: { rate: 30, unit: "µl/s", path: [[one]] } }],
    measurements: [
      {
        ...named,
        measurement_position: one,
        samples: [{ measurement_step: one, chemical_environment, analytes: amounts }],
      },
    ],
  },
};
