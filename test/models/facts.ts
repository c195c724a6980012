import { readFileSync } from "node:fs";
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

/** The file of facts. Its first lines say how to read it. */
const FACTS = new URL("../data/model-facts.yaml", import.meta.url);

type Fact = string | readonly string[] | Fields;
/** By key; below `by <key>` stand alternatives. */
interface Fields {
  readonly [key: string]: Fact;
}
type Definitions = Readonly<Record<string, Fact>>;

const TYPES: readonly string[] = ["string", "string (date)", "string (uri)", "number", "integer", "boolean"];

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

/** Names of the models that the facts speak of; a model of other origin has none. */
export function modelsWithFacts(): readonly string[] {
  const { shared: _, ...others } = parse(readFileSync(FACTS, "utf8")) as Record<string, Definitions>;
  return Object.keys(others);
}

/** Reads what the facts say of a model. */
export function readFacts(model: string): Places {
  const { shared, [model]: own } = parse(readFileSync(FACTS, "utf8")) as Record<string, Definitions>;
  const { metadata, ...definitions } = own!;
  const places = new Map<string, Said>();
  addFields(metadata as Fields, "", { ...shared, ...definitions }, places);
  return places;
}

function addFields(fields: Fields, path: string, definitions: Definitions, places: Map<string, Said>): void {
  const { own, choice } = split(fields);
  if (choice !== undefined) {
    addAlternatives(choice, own, path, definitions, places);
    return;
  }
  for (const [key, fact] of Object.entries(own)) {
    const [, name, lists, mark] = /^(\w+)((?:\[\])*)(!?)$/.exec(key)!;
    let place = path === "" ? name! : `${path}.${name}`;
    let isRequired = mark === "!";
    for (let left = lists!; left !== ""; left = left.slice("[]".length)) {
      // Of a list of lists, the outer one has an item at least.
      places.set(place, { type: "array", isRequired, ...(left === lists ? { minItems: 1 } : {}) });
      place += "[]";
      isRequired = true;
    }
    addPlace(fact, place, isRequired, definitions, places);
  }
}

interface Choice {
  readonly by: string;
  readonly alternatives: Readonly<Record<string, string>>;
}

function split(fields: Fields): { readonly own: Fields; readonly choice: Choice | undefined } {
  const entries = Object.entries(fields);
  const own = Object.fromEntries(entries.filter(([key]) => !key.startsWith("by ")));
  const [found] = entries.filter(([key]) => key.startsWith("by "));
  if (found === undefined) return { own, choice: undefined };
  return { own, choice: { by: found[0].slice("by ".length), alternatives: found[1] as Choice["alternatives"] } };
}

function addAlternatives(
  { by, alternatives }: Choice,
  common: Fields,
  path: string,
  definitions: Definitions,
  places: Map<string, Said>,
): void {
  for (const [word, name] of Object.entries(alternatives)) {
    addFields({ ...common, ...(definitions[name] as Fields) }, `${path}(${by}: ${word})`, definitions, places);
  }
}

function addPlace(
  fact: Fact,
  path: string,
  isRequired: boolean,
  definitions: Definitions,
  places: Map<string, Said>,
): void {
  if (typeof fact !== "string") {
    if (isList(fact)) places.set(path, { type: "string", isRequired, allowed: [...fact].sort() });
    else {
      places.set(path, { type: "object", isRequired });
      addFields(fact, path, definitions, places);
    }
  } else if (Object.hasOwn(definitions, fact)) addPlace(definitions[fact]!, path, isRequired, definitions, places);
  else places.set(path, leafOf(fact, isRequired));
}

const isList = (fact: Exclude<Fact, string>): fact is readonly string[] => Array.isArray(fact);

function leafOf(fact: string, isRequired: boolean): Said {
  const [kind, what, ...copied] = fact.split(" ");
  if (kind === "term") return { type: "term", isRequired, term: [what!, ...copied.sort()] };
  if (kind === "reference") return { type: "reference", isRequired, reference: [RELATIONS[what!]!, "name"] };
  const { type, minimum, maximum } = /^(?<type>.*?)( (?<minimum>[-\d.]*?)\.\.(?<maximum>[\d.]*))?$/.exec(fact)!.groups!;
  if (!TYPES.includes(type!)) throw new Error(`nothing defines ${fact}`);
  return {
    ...{ type: type!, isRequired },
    ...(minimum ? { minimum: Number(minimum) } : {}),
    ...(maximum ? { maximum: Number(maximum) } : {}),
  };
}
