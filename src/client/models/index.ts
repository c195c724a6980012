// Made from the catalog by `npm run docs`; change the schemas there.

import type { BliMetadata } from "./bli.js";
import type { ItcMetadata } from "./itc.js";
import type { MstMetadata } from "./mst.js";
import type { SprMetadata } from "./spr.js";

export type * from "./bli.js";
export type * from "./entities.js";
export type * from "./general.js";
export type * from "./itc.js";
export type * from "./methods.js";
export type * from "./mst.js";
export type * from "./people.js";
export type * from "./protocols.js";
export type * from "./quality.js";
export type * from "./quantities.js";
export type * from "./results.js";
export type * from "./spr.js";
export type * from "./vocabularies.js";

/** The metadata of a record as one sends them, by the name of the model. */
export interface Models {
  bli: BliMetadata;
  itc: ItcMetadata;
  mst: MstMetadata;
  spr: SprMetadata;
}
