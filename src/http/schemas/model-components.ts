/** Shapes of what is said of models, and of bodies by them. */
import { type TSchema, Type } from "typebox";
import { link, ref, search, text, Warnings } from "./components.js";
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

/** Shared schemas, after those of `components.ts`. */
export const MODEL_COMPONENTS: readonly TSchema[] = [
  Model,
  ValidationResult,
  search("ModelList", ref("Model"), "All models."),
];
