/** Slices of real data: test/data/NOTICE.md says where they come from. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { JsonObject } from "../../src/core/json.js";

const DATA = join(import.meta.dirname, "../data");

/** Models that have an example record of MBDB. */
export const REAL_MODELS = ["itc", "mst"] as const;
/** Cited by the example records, and not among the starter items. */
export const CITED_AFFILIATIONS = ["ror:02hpadn98", "ror:05gq02987"] as const;
export const REAL_VOCABULARIES = readdirSync(join(DATA, "vocabularies")).map((file) => file.replace(".yaml", ""));

/** The file of YAML documents with terms of a vocabulary. */
export function vocabularyFile(vocabulary: string): string {
  return join(DATA, "vocabularies", `${vocabulary}.yaml`);
}

/** The example record of MBDB as it is deposited. */
export function realRecord(model: string): { readonly metadata: JsonObject } {
  return JSON.parse(readFileSync(join(DATA, "records", `${model}.json`), "utf8")) as { metadata: JsonObject };
}
