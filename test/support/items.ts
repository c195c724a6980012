import type { JsonObject } from "../../src/core/json.js";
import { seeded, zipfText } from "./random.js";

/** Ids of generated organisms begin above all real ones. */
const FIRST_TAXID = 90_000_000;

/** Number n (from 0) of the generated items of `organisms`: a child of an earlier one, with two synonyms. */
export function makeOrganism(n: number, seed = 1): JsonObject {
  const random = seeded(seed * 1_000_003 + n);
  const title = capitalise(zipfText(random, random.integer(2, 4)));
  return {
    id: organismId(n),
    title: { en: title },
    props: { rank: random.pick(["species", "genus", "strain", "no rank", "subspecies"]) },
    synonyms: [
      { name: zipfText(random, 2), kind: "synonym" },
      { name: zipfText(random, 1), kind: "common name" },
    ],
    parent: n === 0 ? "taxid:1" : organismId(Math.floor(n / 8)),
  };
}

/** The same right below the root of the starter items, so that it can be imported without the others. */
export const makeLoneOrganism = (n: number): JsonObject => ({ ...makeOrganism(n), parent: "taxid:1" });

/** The id of number n of the generated organisms. */
export function organismId(n: number): string {
  return `taxid:${FIRST_TAXID + n}`;
}

/** JSON lines of generated organisms, from number `from` on. */
export function organismLines(count: number, { from = 0, seed = 1 } = {}): string {
  const lines = Array.from({ length: count }, (_, i) => JSON.stringify(makeOrganism(from + i, seed)));
  return `${lines.join("\n")}\n`;
}

function capitalise(text: string): string {
  return `${text[0]!.toUpperCase()}${text.slice(1)}`;
}
