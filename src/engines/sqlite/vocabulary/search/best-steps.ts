import { addAll } from "../../../../core/arrays.js";
import type { Titles } from "../../../../core/term.js";
import type { Clause } from "../../../../query/index-model/clause.js";
import { IDENTIFIER, nameKey, SYNONYM, TITLE } from "../../../../query/index-model/term-keys.js";
import { analyse } from "../../../../query/text/analyse.js";
import { and, andNot, cardinality, type DocIdSet, setOf, setOfSorted } from "../../bitmaps/doc-id-set.js";
import type { MatchSet } from "../../bitmaps/match-set.js";
import { evaluate } from "./evaluate-clause.js";
import { isCommon, phraseRows } from "./match-rows.js";
import { type TextColumns, titleStart } from "./match-words.js";
import type { Step } from "./ranked-page.js";
import type { SearchContext } from "./search-context.js";

/**
 * The steps of `bestmatch`, best first; what is near comes last, in suggestions only. Their numbers stand in cursors.
 */
export const STEPS = {
  identifier: 1,
  wholeTitle: 2,
  wholeName: 3,
  titleStart: 4,
  inTitle: 5,
  inNames: 6,
  anywhere: 7,
  nearInTitle: 8,
  nearInNames: 9,
  nearAnywhere: 10,
} as const;

/** A query that is nothing but words. */
export interface WordsAsked {
  readonly words: readonly string[];
  /** The last words of the URL that it holds (`urlTail`). */
  readonly url: readonly string[];
  /** The words that a title has to begin with; absent where they are the query's. */
  readonly start?: TitleStart;
}

/** @param asked absent where the query is more than words */
export function bestSteps(context: SearchContext, clause: Clause, asked: WordsAsked | undefined): Step[] {
  const restricted = (number: number, columns: TextColumns): Step => ({
    number,
    take: (among) => within(among, evaluate(context, clause, columns)),
  });
  const steps: Step[] = [
    restricted(STEPS.inTitle, "title"),
    restricted(STEPS.inNames, "names"),
    { number: STEPS.anywhere, take: (among) => among },
  ];
  const key = asked && nameKey(asked.words);
  if (asked === undefined || key === undefined) return steps;
  const { words, url, start = { words, isPrefix: false } } = asked;
  const named = (number: number, kind: number): Step => ({
    number,
    take: (among) => and(among, setOfSorted(namedRows(context, key, kind))),
  });
  const identified: Step = {
    number: STEPS.identifier,
    take: (among) => and(among, identifiedRows(context, words, url)),
  };
  return [
    identified,
    named(STEPS.wholeTitle, TITLE),
    named(STEPS.wholeName, SYNONYM),
    titleStartStep(context, clause, start),
    ...steps,
  ];
}

/** Those of the rows that are in the set. */
export const within = (among: DocIdSet, { rows, isComplement: except }: MatchSet): DocIdSet =>
  except ? andNot(among, rows) : and(among, rows);

/** How a title has to begin. */
export interface TitleStart {
  readonly words: readonly string[];
  /** The last word is the beginning of one. */
  readonly isPrefix: boolean;
  /** The whole clause has to hold in titles besides: only a part of it says how they begin. */
  readonly isPart?: boolean;
}

function titleStartStep(context: SearchContext, clause: Clause, start: TitleStart): Step {
  const phrase = titleStart(start.words, start.isPrefix);
  const besides = (rows: DocIdSet): DocIdSet => {
    return start.isPart === true && cardinality(rows) > 0 ? within(rows, evaluate(context, clause, "title")) : rows;
  };
  return {
    number: STEPS.titleStart,
    take: (among) => besides(and(among, phraseRows(context, phrase))),
    try: (among) => {
      // One token is a set; where several are common, knowing where they stand in all rows is dear.
      if (phrase.tokens.length === 1 || !isCommon(context, phrase)) return undefined;
      const first = { ...phrase, tokens: phrase.tokens.slice(0, 1), isPrefix: false };
      return { rows: besides(and(among, phraseRows(context, first))), test: (id) => begins(context, id, start) };
    },
  };
}

/** Does a title of the item begin so? */
function begins({ generation }: SearchContext, id: number, { words, isPrefix }: TitleStart): boolean {
  const titles = generation.sql<string>("SELECT title FROM term_$g WHERE id = ?").pluck().get(id);
  return Object.values(JSON.parse(titles ?? "{}") as Titles).some((title) => {
    const found = analyse(title);
    return words.every((word, i) =>
      isPrefix && i === words.length - 1 ? found[i]?.startsWith(word) : found[i] === word,
    );
  });
}

function namedRows({ generation }: SearchContext, key: string, kind: number): Uint32Array {
  const ids = generation
    .sql<number>("SELECT id FROM name_$g WHERE key = ? AND kind = ? ORDER BY id")
    .pluck()
    .all(key, kind);
  return Uint32Array.from(ids);
}

/**
 * Rows whose id or declared identifier the words are: whole, or without its prefix, or at the end of its URL.
 * @param url the last words of a URL among them (`urlTail`)
 */
export function identifiedRows(context: SearchContext, words: readonly string[], url: readonly string[]): DocIdSet {
  const ids: number[] = [];
  const whole = nameKey(words);
  if (whole !== undefined) addAll(ids, namedRows(context, whole, IDENTIFIER));
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
  return setOf([...ids, ...urlRows(context, url)]);
}

/**
 * Rows whose identifier ends a URL.
 * @param tail its last words (`urlTail`)
 */
export function urlRows(context: SearchContext, tail: readonly string[]): Uint32Array {
  for (let from = 0; from < tail.length; from++) {
    const key = nameKey(tail.slice(from));
    const rows = key === undefined ? new Uint32Array(0) : namedRows(context, key, IDENTIFIER);
    if (rows.length > 0) return rows;
  }
  return new Uint32Array(0);
}
