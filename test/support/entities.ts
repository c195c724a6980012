/** Entities of interest that say as little as makes them valid. They cite starter items. */
import type { JsonObject } from "../../src/core/json.js";

/** An item of `chemicals`. */
export const ETHANOL = "inchikey:LFQSCWFLJHTTHZ-UHFFFAOYSA-N";

export function chemical(id: string, name: string): JsonObject {
  return { id, name, type: "Chemical", basic_information: { id: ETHANOL } };
}

/** @param organism id of the item that it comes from */
export function polymer(id: string, name: string, organism: string): JsonObject {
  return {
    ...{ id, name, type: "Polymer", polymer_type: "polypeptide(L)", expression_source_type: "Natively" },
    molecular_weight: { value: -1, unit: "kDa" },
    source_organism: { id: organism },
  };
}
