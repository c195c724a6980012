/** Schemas of the service itself: its links, its models and their fields, the change feed. */
import { type TSchema, Type } from "typebox";
import { FACET_KIND_NAMES } from "../../core/catalog/facet-kinds/facet-kinds.js";
import { choice, instant, link, ref, search, text, Warnings } from "./components.js";
import { ANY_OBJECT } from "./responses.js";

const Service = Type.Object(
  {
    name: text("Name of the program.", ["Bindery"]),
    version: text("Version of the program; see CHANGELOG.md.", ["0.1.0"]),
    links: Type.Object({
      self: link("The service."),
      docs: link("The API reference as a page."),
      openapi: link("The API as an OpenAPI 3.1 document."),
      models: link("All models of records."),
      vocabularies: link("All vocabularies."),
      search: link("Search of the published records."),
      changes: link("The change feed."),
    }),
    warnings: Type.Optional(Warnings),
  },
  { $id: "Service", description: "The service itself." },
);

/** Schema of the service. */
export const SERVICE_COMPONENTS: readonly TSchema[] = [Service];

const Change = Type.Object(
  {
    seq: Type.Integer({
      minimum: 1,
      description: "Increases in commit order; all changes of one import have the same number.",
    }),
    time: instant("When it was committed."),
    kind: choice(["record", "term"]),
    action: choice(["published", "created", "updated", "removed"], {
      description: "Records are published, updated and removed; terms are created, updated and removed.",
    }),
    id: text("Id of the record or term.", ["zv0gv-btp27"]),
    model: Type.Optional(text("Only for records.", ["mst"])),
    vocabulary: Type.Optional(text("Only for terms.", ["organisms"])),
    revision_id: Type.Integer({ minimum: 1, description: "The revision after the change." }),
    links: Type.Object({ self: link("The current record or term; returns 410 after its removal.") }),
  },
  { $id: "Change", description: "A change of a published record or of a term." },
);

const ChangePage = Type.Object(
  {
    changes: Type.Array(ref("Change")),
    next: text("The value of `since` for the next request; always present."),
    warnings: Type.Optional(Warnings),
  },
  { $id: "ChangePage", description: "Changes in commit order." },
);

/** Schemas of the change feed. */
export const CHANGE_COMPONENTS: readonly TSchema[] = [Change, ChangePage];

const Model = Type.Object(
  {
    id: text("Name of the model.", ["mst"]),
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
    values: Type.Optional(Type.Array(Type.Unknown(), { description: "The possible values, if they are a list." })),
    example: text("A query with the field.", ["kd:>0M"]),
    models: Type.Optional(Type.Array(Type.String(), { description: "Models that have it; absent: all." })),
  },
  { $id: "Field", description: "A name of the query language." },
);

const UnitComponent = Type.Object(
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

/** Schemas of models, their fields and units, and of validations. */
export const MODEL_COMPONENTS: readonly TSchema[] = [
  Model,
  ValidationResult,
  search("ModelList", ref("Model"), "All models."),
  FieldComponent,
  search("FieldList", ref("Field"), "All fields."),
  UnitComponent,
  search("UnitList", ref("Unit"), "All units."),
];
