import type { JsonObject } from "../../src/core/json.js";

/** What a small record says; the rest of it is always the same. */
export interface SmallContent {
  readonly model: "mst" | "bli";
  readonly title: string;
  readonly rights: "open" | "embargoed" | "restricted";
  /** False: one field that must be there is not, so that the draft has one error. */
  readonly isValid: boolean;
}

/** The field that is missing where a record is not valid. */
export const MISSING_FIELD = "metadata.general_parameters.record_information.publisher";

/** A body with as little as makes it valid: quickly stored, quickly found. It cites two starter items. */
export function smallRecord({ model, title, rights, isValid }: SmallContent): { readonly metadata: JsonObject } {
  const substance = {
    name: "Water",
    type: "Chemical",
    basic_information: { id: "inchikey:XLYOFNOQVPJJNP-UHFFFAOYSA-N" },
    concentration: { value: 1, unit: "mM" },
  };
  const person = { given_name: "Ada", family_name: "Lovelace" };
  const general = {
    schema_version: "0.10.1",
    record_information: {
      title,
      access_rights: rights,
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
    technique: TECHNIQUES[model],
    instrument: { id: "ins:2" },
    collection_start_time: "2024-05-17",
    entities_of_interest: [
      { id: "entity", name: "Entity", type: "Chemical", basic_information: substance.basic_information },
    ],
    chemical_environments: [{ id: "buffer", name: "Buffer", solvent: [substance], ph: 7, constituents: [substance] }],
  };
  return { metadata: { general_parameters: general, method_specific_parameters: { schema_version: "0.9.10" } } };
}

const TECHNIQUES = {
  mst: "Microscale thermophoresis/Temperature related intensity change (MST/TRIC)",
  bli: "Bio-layer interferometry (BLI)",
} as const;
