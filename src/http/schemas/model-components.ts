/** Shapes of what is said of models, and of bodies by them. */
import { type TSchema, Type } from "typebox";
import { choice, link, ref, search, text, Warnings } from "./components.js";
import { ANY_OBJECT } from "./responses.js";

const Model = Type.Object(
  {
    id: text("Its name.", ["mst"]),
    title: Type.String(),
    description: Type.String(),
    version: Type.Integer({ minimum: 1, description: "Version of its declaration." }),
    links: Type.Object({
      self: link("The model."),
      schema: link("JSON Schema of `metadata`."),
      fields: link("The fields that queries may name."),
      example: Type.Optional(link("An example of a body; absent if the model has none.")),
      records: link("Search of its records; POST here to create a draft."),
    }),
    warnings: Type.Optional(Warnings),
  },
  { $id: "Model", description: "A kind of record." },
);

const ValidationResult = Type.Object(
  {
    valid: Type.Boolean({ description: "Whether it could be published." }),
    errors: Type.Array(ref("Issue")),
    warnings: Type.Array(ref("Warning")),
    metadata: Type.Unsafe({
      ...ANY_OBJECT,
      description: "The metadata as it would be stored, with cited terms filled in.",
    }),
  },
  { $id: "ValidationResult", description: "The result of validating a body with validate=only." },
);

const FieldComponent = Type.Object(
  {
    id: text("The name, as in `kd:<10nM`.", ["kd"]),
    label: text("What people call it.", ["KD"]),
    description: Type.Optional(Type.String()),
    aliases: Type.Array(Type.String(), { description: "Other names for the same." }),
    paths: Type.Array(Type.String(), { description: "Where it stands in a record." }),
    type: choice(["text", "keyword", "number", "date", "quantity", "term", "object"]),
    element: Type.Optional(text("Path of the list whose elements have it: `element:( ... )` is about one of them.")),
    dimensions: Type.Optional(
      Type.Array(Type.String(), { description: "Of a quantity: what it compares with; of the units, see /api/units." }),
    ),
    vocabulary: Type.Optional(text("Of a cited term: its vocabulary.", ["organisms"])),
    facet: Type.Optional(choice(["terms", "tree", "year", "histogram"])),
    values: Type.Optional(
      Type.Array(Type.Unknown(), { description: "The values that it takes, if these are a list." }),
    ),
    example: text("A query with it.", ["kd:>0M"]),
    models: Type.Optional(Type.Array(Type.String(), { description: "Models that have it; absent: all." })),
  },
  { $id: "Field", description: "A name of the query language." },
);

const UnitComponent = Type.Object(
  {
    id: text("As it is declared.", ["nM"]),
    dimension: text("What it compares with.", ["molarity"]),
    dimension_title: Type.String(),
    factor: Type.Number({ description: "(number + offset) × factor is the number in the canonical unit." }),
    offset: Type.Number(),
    synonyms: Type.Array(Type.String(), { description: "Other spellings of one word." }),
  },
  { $id: "Unit", description: "A unit that numbers are converted by." },
);

/** Shared schemas, after those of `components.ts`. */
export const MODEL_COMPONENTS: readonly TSchema[] = [
  Model,
  ValidationResult,
  search("ModelList", ref("Model"), "All models."),
  FieldComponent,
  search("FieldList", ref("Field"), "All fields."),
  UnitComponent,
  search("UnitList", ref("Unit"), "All units."),
];
