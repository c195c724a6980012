import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";

/** An affiliation, and the organisations that people found it to name: none where they found none. */
export interface MatchingCase {
  readonly text: string;
  readonly ids: readonly string[];
}

const idOf = (address: string): string => address.replace("https://ror.org/", "ror:");

const read = (shared: string, name: string): unknown =>
  JSON.parse(gunzipSync(readFileSync(join(shared, "authorities/ror", name))).toString());

/** Affiliations of papers: 3,000. */
export function readAffiliations(shared: string): readonly MatchingCase[] {
  const cases = read(shared, "affiliation-matching-crossref-2024-02-19.json.gz");
  return (cases as { affiliation: string; ror_ids: string[] }[]).map(({ affiliation, ror_ids }) => ({
    text: affiliation,
    ids: ror_ids.map(idOf),
  }));
}

/** Names of organisations: 1,000. */
export function readNames(shared: string): readonly MatchingCase[] {
  const cases = read(shared, "name-matching.json.gz");
  return (cases as { affiliation: string; "ror-id": string }[]).map((each) => ({
    text: each.affiliation,
    ids: [idOf(each["ror-id"])],
  }));
}
