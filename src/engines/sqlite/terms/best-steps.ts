import { analyse } from "../../../query/analyse.js";
import type { Clause } from "../../../query/clause.js";
import { evaluate } from "./evaluate.js";
import { matchTitleStart, type TextColumns } from "./match-words.js";
import type { Step } from "./ranked-page.js";
import { both, unsortedSet, without } from "./row-set.js";
import { IDENTIFIER, nameKey, SYNONYM, TITLE } from "./term-keys.js";
import { matchRows, type SearchContext } from "./term-search.js";

/** The steps of `bestmatch`, best first. Their numbers stand in cursors. */
export const STEPS = {
  identifier: 1,
  wholeTitle: 2,
  wholeName: 3,
  titleStart: 4,
  inTitle: 5,
  inNames: 6,
  anywhere: 7,
} as const;

/**
 * @param words the query's words, where it is nothing but words
 * @param titleStart rows whose title begins as the query does; absent where the query has no words of its own
 */
export function bestSteps(
  context: SearchContext,
  clause: Clause,
  words: readonly string[] | undefined,
  titleStart?: (among: Uint32Array) => Uint32Array,
): Step[] {
  const restricted = (number: number, columns: TextColumns): Step => ({
    number,
    take: (among) => {
      const rows = evaluate(context, clause, columns);
      return rows.except ? without(among, rows.ids) : both(among, rows.ids);
    },
  });
  const steps: Step[] = [
    restricted(STEPS.inTitle, "title"),
    restricted(STEPS.inNames, "names"),
    { number: STEPS.anywhere, take: (among) => among },
  ];
  const key = words && nameKey(words);
  if (words === undefined || key === undefined) return steps;
  const named = (number: number, kind: number): Step => ({
    number,
    take: (among) => both(among, namedRows(context, key, kind)),
  });
  const identified: Step = { number: STEPS.identifier, take: (among) => both(among, identifiedRows(context, words)) };
  const begun = titleStart ?? ((among) => both(among, matchRows(context, "term_fts", matchTitleStart(words, false))));
  return [
    identified,
    named(STEPS.wholeTitle, TITLE),
    named(STEPS.wholeName, SYNONYM),
    { number: STEPS.titleStart, take: begun },
    ...steps,
  ];
}

function namedRows({ generation }: SearchContext, key: string, kind: number): Uint32Array {
  const ids = generation
    .sql<number>("SELECT id FROM name_$g WHERE key = ? AND kind = ? ORDER BY id")
    .pluck()
    .all(key, kind);
  return Uint32Array.from(ids);
}

/** Rows whose id or declared identifier the words are: whole, or without its prefix, or at the end of its URL. */
export function identifiedRows(context: SearchContext, words: readonly string[]): Uint32Array {
  const ids: number[] = [];
  const whole = nameKey(words);
  if (whole !== undefined) ids.push(...namedRows(context, whole, IDENTIFIER));
  const { generation, vocabulary } = context;
  const find = generation.sql<string>("SELECT ext FROM term_$g WHERE id = ?").pluck();
  for (const prefix of vocabulary.idPrefixes) {
    const before = analyse(prefix);
    const local = nameKey(words.slice(before.length));
    if (local === undefined || before.some((word, i) => word !== words[i])) continue;
    // The other identifiers of an item are no ids: each row has to have this one.
    for (const id of namedRows(context, local, IDENTIFIER)) {
      if (nameKey(analyse(find.get(id) ?? "")) === whole) ids.push(id);
    }
  }
  return unsortedSet([...ids, ...urlRows(context, words)]).ids;
}

/** Last words of the host names of URLs that people paste. */
const TOP_LEVELS = new Set([
  "org",
  "com",
  "net",
  "gov",
  "edu",
  "eu",
  "int",
  "info",
  "io",
  "uk",
  "de",
  "cz",
  "fr",
  "jp",
]);

/** An identifier at the end of a URL has so many words at most. */
const URL_TAIL_WORDS = 6;

/** Rows whose identifier ends a URL with these words; none where they are no URL. */
export function urlRows(context: SearchContext, words: readonly string[]): Uint32Array {
  const host = words.findIndex((word, i) => i > 0 && TOP_LEVELS.has(word));
  if (host < 0) return new Uint32Array(0);
  const first = Math.max(host + 1, words.length - URL_TAIL_WORDS);
  for (let from = first; from < words.length; from++) {
    const key = nameKey(words.slice(from));
    const rows = key === undefined ? new Uint32Array(0) : namedRows(context, key, IDENTIFIER);
    if (rows.length > 0) return rows;
  }
  return new Uint32Array(0);
}
