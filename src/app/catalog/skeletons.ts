/**
 * Files of a new model and of a new vocabulary. The model has one example of each feature of models, so that its author
 * edits a working model instead of starting from nothing: its example record can be deposited, published and found.
 */
import { titleFromName } from "../../core/catalog/field-tree.js";

const writeModelYaml = (name: string): string => `name: ${name} # The name of the folder.
title: ${titleFromName(name)}
description: One line about the content of a record.
version: 1 # Informs readers: raise it when the schema changes.
roots: [metadata] # What a query may leave out at the beginning of a path.

# Short names of the query language. A facet is a filter with counts. Matches in fields with a weight rank first.
fields:
  title: { path: metadata.title, weight: title }
  measured: { path: metadata.measured, facet: Year of measurement }
  organism: { path: metadata.organism, facet: Organism }
  sample: { path: metadata.samples.name }
  sample_kind: { path: metadata.samples.kind, facet: Kind of sample }
  temperature: { path: metadata.measurements.temperature, quantity: temperature }
`;

const TEXT = { type: "string", minLength: 1 };

const SAMPLE = {
  title: "Sample",
  type: "object",
  required: ["id", "name", "kind"],
  properties: {
    id: { ...TEXT, title: "Identifier", description: "Identifies the sample within this record." },
    name: { ...TEXT, title: "Name", description: "The name of the sample." },
    kind: { type: "string", title: "Kind", description: "The kind of sample; other fields depend on it." },
  },
  discriminator: { propertyName: "kind" },
  oneOf: [{ $ref: "#/$defs/Protein" }, { $ref: "#/$defs/Chemical" }],
};

const PROTEIN = {
  title: "Protein",
  type: "object",
  required: ["sequence"],
  properties: {
    kind: { const: "Protein" },
    sequence: {
      type: "string",
      pattern: "^[A-Z]+$",
      title: "Sequence",
      description: "Amino acids in one-letter code.",
    },
  },
};

const CHEMICAL = {
  title: "Chemical",
  type: "object",
  properties: {
    kind: { const: "Chemical" },
    formula: { ...TEXT, title: "Formula", description: "Sum formula, e.g. C8H10N4O2." },
  },
};

const TEMPERATURE = {
  title: "Temperature",
  type: "object",
  required: ["value", "unit"],
  properties: {
    value: { type: "number", title: "Value", description: "The number alone." },
    unit: { type: "string", enum: ["K", "°C"], title: "Unit", description: "The unit of the number." },
  },
};

const MEASUREMENT = {
  title: "Measurement",
  type: "object",
  required: ["sample", "temperature"],
  properties: {
    sample: {
      "x-reference": { to: "metadata.samples", fields: ["name"] },
      title: "Sample",
      description: "Identifier of the sample that was measured.",
    },
    temperature: {
      $ref: "#/$defs/Temperature",
      title: "Temperature",
      description: "Temperature of the sample during the measurement.",
    },
  },
};

const makeSchema = (name: string): object => ({
  $schema: "https://json-schema.org/draft/2020-12/schema",
  title: titleFromName(name),
  type: "object",
  required: ["title", "organism", "samples", "measurements"],
  properties: {
    title: { ...TEXT, title: "Title", description: "One line about the measurement." },
    measured: { type: "string", format: "date", title: "Measured on", description: "The day, e.g. 2026-03-04." },
    organism: {
      "x-vocabulary": { name: "organisms", fields: ["rank"] },
      title: "Organism",
      description: "Source of the samples, e.g. taxid:562.",
    },
    samples: {
      type: "array",
      minItems: 1,
      items: { $ref: "#/$defs/Sample" },
      title: "Samples",
      description: "All samples that were measured.",
    },
    measurements: {
      type: "array",
      minItems: 1,
      items: { $ref: "#/$defs/Measurement" },
      title: "Measurements",
      description: "Each sample may be measured several times.",
    },
  },
  $defs: { Sample: SAMPLE, Protein: PROTEIN, Chemical: CHEMICAL, Measurement: MEASUREMENT, Temperature: TEMPERATURE },
});

const EXAMPLE = {
  metadata: {
    title: "Lysozyme and caffeine at room temperature",
    measured: "2026-03-04",
    organism: { id: "taxid:562" },
    samples: [
      { id: "1", name: "Lysozyme", kind: "Protein", sequence: "MKALIVLGLVLLSVTVQG" },
      { id: "2", name: "Caffeine", kind: "Chemical", formula: "C8H10N4O2" },
    ],
    measurements: [
      { sample: { id: "1" }, temperature: { value: 25, unit: "°C" } },
      { sample: { id: "2" }, temperature: { value: 298.15, unit: "K" } },
    ],
  },
};

/** Returns the texts of the files of a new model, by file name. */
export function modelSkeleton(name: string): Readonly<Record<string, string>> {
  return {
    "model.yaml": writeModelYaml(name),
    "metadata.schema.json": `${JSON.stringify(makeSchema(name), null, 2)}\n`,
    "example.json": `${JSON.stringify(EXAMPLE, null, 2)}\n`,
  };
}

const writeVocabularyYaml = (name: string): string => `name: ${name} # The name of the folder.
title: ${titleFromName(name)}
description: One line about the terms of this vocabulary.
id_pattern: "${name}:[1-9][0-9]*" # A regular expression for the whole id.
id_prefixes: [${name}] # A query for ${name}:1 then looks for this id.
languages: [en] # Languages of titles; the first is the default.
props: # Fields of a term other than its title. A facet is a filter with counts.
  code: { title: Code, type: text }
  group: { title: Group, type: text, facet: Group }
identifiers: [code] # Props that identify a term, like its id.
extensible: false # true: any depositor may add terms.
`;

const makeTerms = (name: string): readonly object[] => [
  { id: `${name}:1`, title: { en: "First term" }, props: { code: "A1", group: "examples" }, synonyms: ["term one"] },
  { id: `${name}:2`, title: { en: "Second term" }, props: { code: "A2", group: "examples" } },
];

/** Returns the texts of the files of a new vocabulary with two terms, by file name. */
export function vocabularySkeleton(name: string): Readonly<Record<string, string>> {
  const lines = makeTerms(name).map((term) => `${JSON.stringify(term)}\n`);
  return { "vocabulary.yaml": writeVocabularyYaml(name), "starter.jsonl": lines.join("") };
}
