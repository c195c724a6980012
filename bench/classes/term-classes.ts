import type { TermSearch } from "../../src/ports/search-index.js";
import type { TermPicks } from "./pick-terms.js";

/** A kind of query over a vocabulary, in several variants. */
export interface TermClass {
  readonly name: string;
  /** As users write it; for suggestions what they have typed. */
  q(n: number): string;
  readonly suggests?: true;
  readonly sort?: TermSearch["sort"];
  readonly offset?: number;
  /** Items of a page; absent: ten. */
  readonly limit?: number;
  /** Only items of this rank. */
  rank?(n: number): string;
  /** The items of each rank are counted. */
  readonly countsRanks?: true;
  ancestor?(n: number): string;
  /** The p99 to reach, in milliseconds. */
  readonly reach: number;
  readonly planned?: string;
}

const QUICK = 2;
const FUZZY = 20;
const PHRASE = 25;

/** Those that most items of a taxonomy have, and rarer ones. */
const RANKS = ["species", "genus", "strain", "subspecies", "no rank"];

const rank = (n: number): string => RANKS[n % RANKS.length]!;

/** The classes for what a vocabulary holds; those that nothing in it fits are left out. */
export function termClasses(picks: TermPicks): readonly TermClass[] {
  const of = (kind: Exclude<keyof TermPicks, "items">, n: number): string => picks[kind][n % picks[kind].length] ?? "";
  const has = (...kinds: Exclude<keyof TermPicks, "items">[]): boolean => kinds.every((kind) => picks[kind].length > 0);
  const one = (name: string, q: TermClass["q"], planned?: string, more: Partial<TermClass> = {}): TermClass => ({
    name,
    q,
    reach: QUICK,
    ...(planned && { planned }),
    ...more,
  });
  const start = (n: number, length: number): string => of("mid", n).slice(0, length);
  return [
    one("everything, title", () => "", "0.013/0.024", { sort: "title" }),
    one("everything, newest", () => "", "0.013/0.024", { sort: "newest" }),
    one("everything, title, page 900", () => "", "0.036/0.08", { sort: "title", offset: 8_990 }),
    one("everything, title, facets", () => "", undefined, { sort: "title", countsRanks: true }),
    one("one rank, title", () => "", undefined, { sort: "title", rank, countsRanks: true }),
    one("one rank, title, page 900", () => "", undefined, { sort: "title", rank, offset: 8_990 }),
    one("one rank, newest", () => "", undefined, { sort: "newest", rank, countsRanks: true }),
    one("common word of one rank", (n) => of("common", n), undefined, { rank, countsRanks: true }),
    one("page of 1,000", () => "", undefined, { sort: "title", limit: 1_000 }),
    one("page of 10,000", () => "", undefined, { sort: "title", limit: 10_000, reach: 25 }),
    one("id", (n) => `"${of("ids", n)}"`, "0.006/0.014"),
    one("whole title", (n) => `"${of("titles", n)}"`, "0.012/0.025"),
    one("rare word", (n) => of("rare", n), "0.059/0.10"),
    one("mid word", (n) => of("mid", n), "0.036/0.06"),
    one("common word", (n) => of("common", n), "0.036/0.06"),
    one("common AND common", (n) => `${of("common", n)} ${of("common", n + 1)}`, "0.055/0.26"),
    one("mid AND common", (n) => `${of("mid", n)} ${of("common", n)}`, "0.042/0.11"),
    one("rare AND common", (n) => `${of("rare", n)} ${of("common", n)}`, "0.011/0.06"),
    one("common AND NOT common", (n) => `${of("common", n)} -${of("common", n + 3)}`, "0.069/0.19"),
    one("OR of three commons", (n) => [0, 1, 2].map((i) => of("common", n + i)).join(" OR "), "0.085/0.59"),
    ...(has("midPairs") ? [one("phrase", (n) => `"${of("midPairs", n)}"`, "0.51/0.83")] : []),
    ...(has("commonPairs")
      ? [one("phrase of two commons", (n) => `"${of("commonPairs", n)}"`, "4.9/7.3 capped", { reach: PHRASE })]
      : []),
    one("prefix of 1 letter", (n) => `${start(n, 1)}*`, "0.04/0.08"),
    one("prefix of 2 letters", (n) => `${start(n, 2)}*`, "0.04/0.08"),
    one("prefix of 4 letters", (n) => `${start(n, 4)}*`, "0.04/0.08"),
    one("word and prefix of 1 letter", (n) => `${of("mid", n)} ${start(n + 1, 1)}*`, "0.045/0.09"),
    one("common word, title order", (n) => of("common", n), "2.3/5.5", { sort: "title" }),
    one("fuzzy word", (n) => `${swapped(of("mid", n))}~`, "5 to 17", { reach: FUZZY }),
    one("fuzzy word, two edits", (n) => `${swapped(of("rare", n))}~2`, "5 to 17", { reach: FUZZY }),
    one("below an item", () => "", undefined, { ancestor: (n) => of("ancestors", n) }),
    one("common word below an item", (n) => of("common", n), undefined, { ancestor: (n) => of("ancestors", n) }),
    one("suggest 1 letter", (n) => start(n, 1), undefined, { suggests: true }),
    one("suggest 3 letters", (n) => start(n, 3), undefined, { suggests: true }),
    one("suggest word and letter", (n) => `${of("mid", n)} ${start(n + 1, 1)}`, undefined, { suggests: true }),
    one("suggest with a typo", (n) => swapped(of("mid", n)), undefined, { suggests: true, reach: FUZZY }),
  ];
}

/** Two neighbouring letters change places. */
function swapped(word: string): string {
  const at = Math.max(1, Math.floor(word.length / 2));
  return `${word.slice(0, at - 1)}${word[at]}${word[at - 1]}${word.slice(at + 1)}`;
}
