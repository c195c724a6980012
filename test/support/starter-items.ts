import { readFileSync } from "node:fs";
import type { Catalog, Vocabulary } from "../../src/core/catalog/types.js";
import type { JsonObject } from "../../src/core/json.js";

/** An item of a vocabulary, as its starter file has it. */
export interface StarterItem {
  readonly id: string;
  readonly title: JsonObject;
  readonly parent?: string;
  readonly props?: JsonObject;
}

/** The items that a vocabulary brings along; none where it brings none. */
export function starterItems({ starterFile }: Vocabulary): readonly StarterItem[] {
  if (starterFile === undefined) return [];
  const lines = readFileSync(starterFile, "utf8").split("\n");
  return lines.filter((line) => line.trim() !== "").map((line) => JSON.parse(line) as StarterItem);
}

/** Ids of the items that a service has at its beginning, by vocabulary. */
export function starterIds({ vocabularies }: Pick<Catalog, "vocabularies">): (vocabulary: string) => readonly string[] {
  const ids = new Map([...vocabularies].map(([name, each]) => [name, starterItems(each).map(({ id }) => id)]));
  return (name) => ids.get(name) ?? [];
}
