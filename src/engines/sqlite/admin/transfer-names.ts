import type { OtherNames } from "../../transfer/plain-rows.js";

/** A load has the number of the generation that it made. */
export const TABLE_NAMES: OtherNames = { "term_load.id": "g" };
