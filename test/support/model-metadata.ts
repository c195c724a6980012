/**
 * Random metadata in the shape of a model: from its leaves and arrays of objects, with missing values, lists where one
 * value is declared, nested lists, values of other types than the declared one, undeclared parts, and hostile words.
 */
import type { Leaf, Model } from "../../src/core/catalog/types.js";
import type { Json, JsonObject } from "../../src/core/json.js";
import { FAMILY_NAMES, GIVEN_NAMES, WRITTEN_TYPES, WRITTEN_UNITS } from "./pasted-queries.js";
import type { SeededRandom } from "./random.js";

/** What random values are drawn from. */
export interface MetadataSource {
  readonly random: SeededRandom;
  readonly words: readonly string[];
  /** Ids of the items that a term site may cite. */
  idsOf(vocabulary: string): readonly string[];
}

/** A place in a model: an object with its keys, a leaf, or both where alternatives of a schema differ. */
interface Place {
  readonly path: string;
  readonly keys: Map<string, Place>;
  leaf?: Leaf;
}

const NUMBERS = [-1, 0, 0.5, 1, 2.5, 7, 7.4, 10, 50, 150, 1000, 1e-9, 1e300];
const DATES = ["2024", "2024-05", "2024-05-17", "2023-12-31", "2024-05-17T10:00:00Z", "2023-02-29", "1969-12-31"];
const UNITS = ["nM", "µM", "uM", "mM", "M", "kDa", "g/mol", "°C", "K", "%", "mg/mL", "furlong", "NM", ""];
const ALL_UNITS = [...UNITS, ...UNITS, ...WRITTEN_UNITS];
const TYPES = [
  "Constant of dissociation KD",
  "Constant of association KA",
  "Concentration",
  "Enthalpy",
  "Chemical",
  "Polymer",
  "Other",
  ...WRITTEN_TYPES,
];

/** Makes metadata for a model, always another. Its parts are looked up once. */
export function metadataOf(model: Model): (source: MetadataSource) => JsonObject {
  const elementPaths = new Set(model.elementPaths);
  const sites = new Map(model.termSites.map((site) => [site.path, site]));
  const root = placesOf(model);
  return (source) => {
    const { random, words } = source;
    const text = (): string => Array.from({ length: random.integer(1, 3) }, () => random.pick(words)).join(" ");
    const chance = (share: number): boolean => random.next() < share;

    const valueAt = (place: Place, depth: number): Json => {
      if (chance(0.04)) return strange(source, text);
      if (!elementPaths.has(place.path)) return oneAt(place, depth);
      const elements = Array.from({ length: random.integer(0, 2) }, () => oneAt(place, depth));
      // One object where an array is declared, and arrays within the array.
      if (chance(0.05)) return elements[0] ?? null;
      return chance(0.05) ? [elements, elements[0] ?? []] : elements;
    };
    const oneAt = (place: Place, depth: number): Json => {
      const site = sites.get(place.path);
      if (site !== undefined) {
        // An id is a text or missing: facets over a hierarchy promise nothing of others.
        const id = chance(0.9) ? { id: random.pick(source.idsOf(site.vocabulary)) } : {};
        const copied = site.fields.map((name): [string, Json] => [name, random.pick(words)]);
        const title = { en: text() };
        return { "@v": "00000000-0000-5000-8000-000000000000::1", ...id, title, ...Object.fromEntries(copied) };
      }
      if (place.leaf !== undefined && (place.keys.size === 0 || chance(0.5)))
        return leafValue(place.leaf, source, text);
      const kept = [...place.keys].filter(() => chance(depth < 2 ? 0.9 : 0.45));
      const made = kept.map(([key, child]): [string, Json] => [key, valueAt(child, depth + 1)]);
      if (chance(0.03)) made.push(["undeclared", { title: text(), steps: [{ name: text() }] }]);
      return Object.fromEntries(made);
    };
    return oneAt(root, 0) as JsonObject;
  };
}

function placesOf(model: Model): Place {
  const root: Place = { path: "metadata", keys: new Map() };
  for (const leaf of model.leaves.values()) {
    const [first, ...keys] = leaf.path.split(".");
    // What is no property name is made by the index itself.
    if (first !== "metadata" || keys.some((key) => key.includes("@"))) continue;
    let place = root;
    for (const key of keys) {
      const child = place.keys.get(key) ?? { path: `${place.path}.${key}`, keys: new Map() };
      place.keys.set(key, child);
      place = child;
    }
    place.leaf = leaf;
  }
  return root;
}

function leafValue(leaf: Leaf, { random }: MetadataSource, text: () => string): Json {
  const one = (): Json => {
    if (leaf.type === "number") return random.pick(NUMBERS);
    if (leaf.type === "date") return random.pick(DATES);
    if (leaf.path.endsWith(".unit")) return random.pick(ALL_UNITS);
    if (leaf.path.endsWith(".given_name")) return random.pick([...GIVEN_NAMES, text()]);
    if (leaf.path.endsWith(".family_name")) return random.pick([...FAMILY_NAMES, text()]);
    if (leaf.path.endsWith(".type")) return random.pick([...TYPES, text()]);
    return text();
  };
  return random.next() < 0.15 ? [one(), [one()], null] : one();
}

function strange({ random }: MetadataSource, text: () => string): Json {
  return random.pick<Json>([
    null,
    "",
    true,
    7.4,
    "7.4",
    [],
    {},
    text(),
    [text(), [text(), null]],
    { name: text(), value: 7 },
    [{ name: text(), unit: "nM", value: 2.5 }],
  ]);
}
