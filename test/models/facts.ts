import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";

/** What is said of one place of a model, in words that facts and schemas have in common. */
export interface Said {
  readonly type: string;
  readonly isRequired: boolean;
  /** In alphabetical order. */
  readonly allowed?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  /** Name of the vocabulary, and what is copied of a term, in alphabetical order. */
  readonly term?: readonly string[];
  /** Path of the list, and what is copied of its object. */
  readonly reference?: readonly string[];
}

/**
 * By path below `metadata`; `[]` means the items of a list, `[][]` those of a list within it, `(type: Polymer)` what
 * the alternative holds.
 */
export type Places = ReadonlyMap<string, Said>;

/** A property or a definition as the files of facts write it. */
interface Fact {
  readonly type?: string;
  readonly required?: boolean;
  readonly use?: string;
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly properties?: Facts;
  readonly items?: Fact;
  readonly schemas?: Facts;
  readonly discriminator?: string;
  readonly "vocabulary-type"?: string;
  readonly model?: string;
  readonly keys?: readonly (string | { readonly key: string })[];
}
type Facts = Readonly<Record<string, Fact>>;

const TYPES: Readonly<Record<string, string>> = {
  ...{ keyword: "string", date: "string (date)", url: "string (uri)" },
  ...{ double: "number", integer: "integer", boolean: "boolean" },
};

/** All that a fact may say: another key would be left out of the comparison without a word. `nested` is of an index. */
const KEYS: readonly string[] = [
  ...["type", "required", "use", "enum", "minimum", "maximum", "minItems", "nested", "properties", "items"],
  ...["schemas", "discriminator", "vocabulary-type", "model", "keys"],
];

/** Where the objects stand that a relation names. */
const RELATIONS: Readonly<Record<string, string>> = {
  "#entity": "metadata.general_parameters.entities_of_interest",
  "#chemical-environment": "metadata.general_parameters.chemical_environments",
  "#result": "metadata.general_parameters.results",
  "#itc-measurement": "metadata.method_specific_parameters.measurements",
  "#mst-measurement": "metadata.method_specific_parameters.measurements",
  "#bli-measurement": "metadata.method_specific_parameters.measurements",
  "#bli-sensor": "metadata.method_specific_parameters.sensors",
  "#bli-protocol-step": "metadata.method_specific_parameters.measurement_protocol",
  "#plate": "metadata.method_specific_parameters.plates",
  "#spr-measurement": "metadata.method_specific_parameters.measurements",
  "#spr-measurement-step": "metadata.method_specific_parameters.measurement_protocol",
  "#spr-measurement-position": "metadata.method_specific_parameters.measurement_positions",
};

/** Reads what the facts in this folder say of a model. */
export function readFacts(folder: string, model: string): Places {
  const read = (name: string): unknown => parse(readFileSync(join(folder, `${name}.yaml`), "utf8"));
  const { metadata, definitions } = read(model) as { metadata: Facts; definitions: Facts };
  const places = new Map<string, Said>();
  addProperties(metadata, "", { ...(read("shared-definitions") as Facts), ...definitions }, places);
  return places;
}

function addProperties(properties: Facts, path: string, definitions: Facts, places: Map<string, Said>): void {
  for (const [key, fact] of Object.entries(properties)) {
    const name = key.replace(/\[\]$/, "");
    const place = path === "" ? name : `${path}.${name}`;
    if (name === key) {
      addPlace(fact, place, fact.required === true, definitions, places);
      continue;
    }
    const { minItems, required, ...item } = fact;
    places.set(place, {
      type: "array",
      isRequired: required === true,
      ...(minItems === undefined ? {} : { minItems }),
    });
    addPlace(item, `${place}[]`, true, definitions, places);
  }
}

function addPlace(fact: Fact, path: string, isRequired: boolean, definitions: Facts, places: Map<string, Said>): void {
  const unread = Object.keys(fact).filter((key) => !KEYS.includes(key));
  if (unread.length > 0) throw new Error(`${path}: nothing here reads ${unread.join(", ")}`);
  if (fact.type === "array") {
    // Lists within lists: the name ends in [] for the outer one, and `items` says what the inner one holds.
    places.set(path, { type: "array", isRequired });
    addPlace(fact.items!, `${path}[]`, true, definitions, places);
  } else if (fact.type === "vocabulary") {
    const term = [fact["vocabulary-type"]!, ...copiedOf(fact).sort()];
    places.set(path, { type: "term", isRequired, term });
  } else if (fact.type === "relation") {
    places.set(path, { type: "reference", isRequired, reference: [RELATIONS[fact.model!]!, ...copiedOf(fact)] });
  } else if (fact.use !== undefined) {
    const used = definitions[fact.use]!;
    const isSaidThere = used.required === true;
    addPlace(withBase(used, fact.use, definitions), path, isRequired || isSaidThere, definitions, places);
  } else if (fact.schemas !== undefined) {
    places.set(path, { type: "object", isRequired });
    addAlternatives(fact, path, definitions, places);
  } else if (fact.properties !== undefined) {
    places.set(path, { type: "object", isRequired });
    addProperties(fact.properties, path, definitions, places);
  } else places.set(path, { type: TYPES[fact.type!]!, isRequired, ...valuesOf(fact) });
}

function addAlternatives(fact: Fact, path: string, definitions: Facts, places: Map<string, Said>): void {
  for (const [word, branch] of Object.entries(fact.schemas!)) {
    const used = definitions[branch.use!]!;
    const place = `${path}(${fact.discriminator}: ${word})`;
    if (used.schemas === undefined)
      addProperties({ ...used.properties, ...fact.properties }, place, definitions, places);
    else
      addAlternatives(
        { ...used, ...(fact.properties ? { properties: fact.properties } : {}) },
        place,
        definitions,
        places,
      );
  }
}

/** Copies of alternatives have lost that an `id` is required; their base definition still says it. */
function withBase(fact: Fact, name: string, definitions: Facts): Fact {
  const id = definitions[`${name}_base`]?.properties?.id;
  return fact.schemas === undefined || id === undefined ? fact : { ...fact, properties: { id } };
}

function copiedOf({ keys = [] }: Fact): string[] {
  const names = keys.map((key) => (typeof key === "string" ? key.replace(/^props\./, "") : key.key));
  return names.filter((name) => name !== "id" && name !== "title");
}

function valuesOf({ enum: allowed, minimum, maximum }: Fact): Partial<Said> {
  return {
    ...(allowed === undefined ? {} : { allowed: [...allowed].sort() }),
    ...(minimum === undefined ? {} : { minimum }),
    ...(maximum === undefined ? {} : { maximum }),
  };
}
