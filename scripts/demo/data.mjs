/** What the made-up records are made of: the tables beside this file and the vocabularies that the demo loads. */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parse } from "yaml";

const here = dirname(fileURLToPath(import.meta.url));
const root = dirname(dirname(here));

const table = (name) => parse(readFileSync(join(here, `${name}.yaml`), "utf8"));

export const substances = table("substances");
export const pairs = table("pairs");
export const surroundings = table("surroundings");

/** The items of a vocabulary as they are after `bindery demo`. */
export function itemsOf(vocabulary) {
  const files = [`catalog/vocabularies/${vocabulary}/starter.jsonl`, `demo/vocabularies/${vocabulary}.jsonl`];
  const texts = files.map((file) => join(root, file)).filter((file) => existsSync(file));
  return texts.flatMap((file) => readFileSync(file, "utf8").trim().split("\n")).map((line) => JSON.parse(line));
}

const byTitle = new Map();

/** Cites the item with that English title. */
export function cite(vocabulary, title) {
  if (!byTitle.has(vocabulary)) {
    byTitle.set(vocabulary, new Map(itemsOf(vocabulary).map((item) => [item.title.en, { id: item.id }])));
  }
  const found = byTitle.get(vocabulary).get(title);
  if (found === undefined) throw new Error(`${vocabulary} has no item "${title}".`);
  return found;
}

/** Steps of a protocol, by the names of their lists. */
export const steps = (...lists) =>
  lists.flatMap((list) => surroundings.steps[list]).map(([name, description]) => ({ name, description }));
