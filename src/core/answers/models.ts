/** Answers about models, and about the fields and units that queries may name. */

import { Type } from "typebox";
import { type Answer, choice, json, link, text } from "../answer.js";
import { FACET_KIND_NAMES } from "../catalog/facet-kinds/facet-kinds.js";
import { Warnings } from "../issue.js";
import { hitsPage } from "./searches.js";

/** Schema of the links of a model. */
export const ModelLinks = Type.Object({
  self: link("The model."),
  schema: link("JSON Schema of `metadata`."),
  fields: link("The fields that queries may name."),
  example: Type.Optional(link("An example of a body; absent if the model has none.")),
  records: link("Search of its records; POST here to create a draft."),
});
export type ModelLinks = Answer<typeof ModelLinks>;

export const ModelSummary = Type.Object(
  {
    id: text("Name of the model.", ["mst"]),
    title: Type.String(),
    description: Type.String(),
    version: Type.Integer({ minimum: 1, description: "Version of its declaration." }),
    links: ModelLinks,
    warnings: Warnings,
  },
  { $id: "Model", description: "A kind of record." },
);
export type ModelSummary = Answer<typeof ModelSummary>;

export const ModelList = hitsPage("ModelList", ModelSummary, "All models.");

export const ListedField = Type.Object(
  {
    id: text("The name, as in `kd:<10nM`.", ["kd"]),
    label: text("The text to display.", ["KD"]),
    description: Type.Optional(Type.String()),
    aliases: Type.Array(Type.String(), { description: "Other names of the field." }),
    paths: Type.Array(Type.String(), { description: "Its places in a record." }),
    type: choice(["text", "keyword", "number", "date", "quantity", "term", "object"]),
    element: Type.Optional(text("Path of the list whose elements have it: `element:( ... )` applies to one of them.")),
    dimensions: Type.Optional(
      Type.Array(Type.String(), { description: "For a quantity: the dimensions of its units, see /api/units." }),
    ),
    vocabulary: Type.Optional(text("For a cited term: its vocabulary.", ["organisms"])),
    facet: Type.Optional(choice(FACET_KIND_NAMES)),
    values: Type.Optional(Type.Array(json(), { description: "The possible values, if they are a list." })),
    example: text("A query with the field.", ["kd:>0M"]),
    models: Type.Optional(Type.Array(Type.String(), { description: "Models that have it; absent: all." })),
  },
  { $id: "Field", description: "A name of the query language." },
);
export type ListedField = Answer<typeof ListedField>;

export const FieldList = hitsPage("FieldList", ListedField, "All fields.");

export const ListedUnit = Type.Object(
  {
    id: text("Name of the unit.", ["nM"]),
    dimension: text("Only units of the same dimension can be compared.", ["molarity"]),
    dimension_title: Type.String(),
    factor: Type.Number({ description: "(number + offset) × factor is the number in the canonical unit." }),
    offset: Type.Number(),
    synonyms: Type.Array(Type.String(), { description: "Other spellings without spaces." }),
  },
  { $id: "Unit", description: "A unit to and from which numbers are converted." },
);
export type ListedUnit = Answer<typeof ListedUnit>;

export const UnitList = hitsPage("UnitList", ListedUnit, "All units.");
