import { addAll } from "../../core/collections.js";
import { BinderyError } from "../../core/errors.js";
import { countEdits } from "../../core/nearest.js";
import { startSlices } from "../../core/slices.js";
import type { Clock } from "../../ports/environment.js";
import type { SearchIndex, WordScope } from "../../ports/search-index.js";
import type { FieldLookup } from "../../query/fields/field-lookup.js";
import { andClauses, type Clause, notClause, orClauses } from "../../query/index-model/clause.js";
import { printQuery } from "../../query/parse/print.js";
import type { QueryNode } from "../../query/parse/tree.js";
import {
  asOneName,
  hasPhrase,
  isCorrectable,
  joinedWords,
  onlyWord,
  printCorrected,
  replaceWords,
  type SuspectWord,
  singularOrPlural,
  splitWord,
  suspectWords,
  withoutFields,
} from "../../query/resolve/corrections.js";
import { resolveQuery } from "../../query/resolve/resolve.js";
import { analyse } from "../../query/text/analyse.js";
import { greekSpellings } from "../../query/text/greek-spellings.js";
import type { SearchAnswer } from "../api/searches.js";
import type { PreparedQuery } from "./read-query.js";

/** The searches for other queries in place of one with no hits or few. */
export interface AlternativeSearch {
  readonly fields: FieldLookup;
  readonly where: WordScope;
  /** Whether the request is for the first page of hits. */
  readonly isFirstPage: boolean;
  /** Whether facets or other parameters exclude hits. If so, the words may not be the reason for an empty result. */
  readonly hasFilters: boolean;
  /**
   * Returns the body of a hit in the caller's own scope, if there is one.
   * @param filtered whether the filters of the request are applied
   */
  findOne(clause: Clause, filtered: boolean): Promise<string | undefined>;
  /** Returns the number of hits of each clause in the caller's own scope, with the filters of the request. */
  count(clauses: readonly Clause[]): Promise<readonly number[]>;
  /** Whether several clauses are counted together, in about the time for one. */
  readonly countsTogether: boolean;
}

/** Maximum number of searches for one query. */
const SEARCHES_MAX = 8;
/** Maximum number of words of a query that are examined. */
const SUSPECTS_MAX = 3;
/** Maximum number of similar words that are tried for one word. */
const NEAR_MAX = 3;
const SUGGESTIONS_MAX = 3;
/** With fewer hits than this, the other number of a word (singular, plural) may have been meant. */
const FEW_HITS = 10;
/** The other number of a word is suggested if it has at least this many times as many hits. */
const MORE_HITS_FACTOR = 2;
/** No search starts after this time, because the answer waits for them. */
const BUDGET_MICROS = 1_000_000;

/** Words with at least this many letters may have two edits. */
const LONG_WORD_LENGTH = 8;
/** Maximum number of words within two edits that are read, to find those that are near enough. */
const CANDIDATES_MAX = 10;

/** The parts of the service that look for other words. */
interface Parts {
  readonly index: Pick<SearchIndex, "nearestWords" | "knownWords">;
  readonly clock: Clock;
}

/** The interpretation of a query, as the answer shows it. */
interface DescribedQuery {
  readonly query: SearchAnswer<unknown>["query"];
  /** As in `SearchAnswer`. */
  readonly isUnsettled: boolean;
}

/**
 * Returns the interpretation of a query. If the query found nothing or little, the result suggests queries that find
 * more. If it found much and may be a pasted text, the first page suggests the text as a phrase.
 */
export async function describeQuery(
  parts: Parts,
  read: PreparedQuery,
  total: number,
  alternatives: AlternativeSearch,
): Promise<DescribedQuery> {
  const mayBePasted = alternatives.isFirstPage && read.pasted()?.isProse === true;
  if (read.isEmpty || (total >= FEW_HITS && !mayBePasted)) return { query: read.query, isUnsettled: read.usesNow };
  const { suggestions, isUnsettled } = await findSuggestions(parts, read, total, alternatives);
  return { query: suggestions.length === 0 ? read.query : { ...read.query, suggestions }, isUnsettled };
}

/**
 * Finds queries with hits for a query without hits, best first: misspelt words are replaced by similar words, split, or
 * joined. Each suggestion is searched in the caller's own scope with the filters of the request, so that none reveals
 * words that are only in records that the caller may not see. There are no suggestions if the filters are the reason,
 * if each word has hits alone, or if the search takes too long. For a query with few hits, only the other number of its
 * words is tried.
 */
async function findSuggestions(
  { index, clock }: Parts,
  read: PreparedQuery,
  total: number,
  alternatives: AlternativeSearch,
): Promise<Pick<Search, "suggestions" | "isUnsettled">> {
  const search = new Search(index, clock, read, alternatives);
  try {
    if (!(await search.runForPasted(total)) && total < FEW_HITS)
      await (total === 0 ? search.run() : search.runForMore(total));
  } catch (error) {
    // The search itself succeeded. An error while looking for suggestions (such as QUERY_TOO_COSTLY) must not fail it.
    if (!(error instanceof BinderyError || error instanceof BudgetExhausted)) throw error;
    search.isUnsettled = true;
  }
  return search;
}

/** The number of searches, or the time for them, is used up. */
class BudgetExhausted extends Error {}

class Search {
  readonly suggestions: string[] = [];
  isUnsettled: boolean;
  readonly #slices = startSlices();
  readonly #endMicros: number;
  #searches = SEARCHES_MAX;

  constructor(
    readonly index: Parts["index"],
    readonly clock: Clock,
    readonly read: PreparedQuery,
    readonly alternatives: AlternativeSearch,
  ) {
    this.isUnsettled = read.usesNow;
    this.#endMicros = clock.nowMicros() + BUDGET_MICROS;
  }

  /**
   * Suggests the text as a phrase if the phrase finds records that the query does not find. A pasted title may contain
   * characters of the syntax. If the query has many hits, the record may be far down among them: then the phrase is
   * also suggested if it only finds a record.
   * @returns whether it was suggested
   */
  async runForPasted(total: number): Promise<boolean> {
    const { clause } = this.read;
    const pasted = this.read.pasted();
    if (pasted === undefined || (total > 0 && !this.alternatives.isFirstPage)) return false;
    const phrase = this.#resolve(pasted.tree);
    const hit = await this.#findOne(total < FEW_HITS ? andClauses([phrase, notClause(clause)]) : phrase, true);
    if (hit !== undefined) this.suggestions.push(printQuery(pasted.tree));
    return hit !== undefined;
  }

  async run(): Promise<void> {
    await this.#offerName();
    await this.#offerOtherWords();
    const anywhere = this.suggestions.length === 0 && !this.read.isTyped ? withoutFields(this.read.tree) : undefined;
    if (anywhere !== undefined) await this.#offer(anywhere, new Map());
  }

  async #offerOtherWords(): Promise<void> {
    const { tree, isTyped } = this.read;
    const suspects = suspectWords(tree, isTyped).slice(0, SUSPECTS_MAX);
    if (suspects.length === 0) return;
    if (this.alternatives.hasFilters && (await this.#findOne(this.#resolve(tree), false)) !== undefined) return;
    const wrong: SuspectWord[] = [];
    for (const suspect of suspects) {
      const alone = onlyWord(tree, suspect);
      const isAll = alone.kind === tree.kind && JSON.stringify(alone) === JSON.stringify(tree);
      if (isAll || (await this.#findOne(this.#resolve(alone), false)) === undefined) wrong.push(suspect);
    }
    if (wrong.length === 0) return;
    const ways = new Map<SuspectWord, readonly string[]>();
    for (const suspect of wrong) ways.set(suspect, await this.#nearWords(suspect));
    const joined = wrong.flatMap((suspect) => joinedWords(tree, suspect));
    for (const words of combineWords(ways)) await this.#offer(replaceWords(tree, words), words);
    for (const query of joined) await this.#offer(query, new Map());
    if (this.suggestions.length === 0 && ways.size > 1) await this.#correctEachAlternative(ways);
  }

  /** Suggests the words as the name of a person. As words, initials (`Z. Müller`) find nothing. */
  async #offerName(): Promise<void> {
    const { tree, isTyped } = this.read;
    const isOfRecords = this.alternatives.fields.persons.length > 0;
    const name = isOfRecords && !isTyped ? asOneName(tree) : undefined;
    if (name !== undefined) await this.#offer(name, new Map());
  }

  /** Suggests queries with a word in its other number that have many times as many hits. */
  async runForMore(total: number): Promise<void> {
    const { tree, isTyped } = this.read;
    const suspects = isTyped ? [] : suspectWords(tree, isTyped).slice(0, SUSPECTS_MAX);
    const pairs = await this.#withOtherNumber(suspects);
    const others = pairs.map(([suspect, word]) => replaceWords(tree, new Map([[suspect, word]])));
    const singles = others.map((other) => [other]);
    const batches = this.alternatives.countsTogether && others.length > 1 ? [others] : singles;
    for (const batch of batches) {
      await this.#takeSearch();
      const counts = await this.#count(batch);
      // One of them takes too long: the others are counted before it or after it.
      if (counts === undefined) addAll(batches, singles);
      const better = batch.filter((_, i) => counts !== undefined && counts[i]! >= MORE_HITS_FACTOR * total);
      addAll(
        this.suggestions,
        better.map((other) => printCorrected(other, isTyped)),
      );
    }
  }

  /** Returns the number of hits of each query; undefined if several together fail. @throws if a single one does */
  async #count(queries: readonly QueryNode[]): Promise<readonly number[] | undefined> {
    try {
      return await this.alternatives.count(queries.map((query) => this.#resolve(query)));
    } catch (error) {
      if (queries.length > 1) return undefined;
      throw error;
    }
  }

  /** Returns words with their singular or plural, without those that no text has: a query with one finds no more. */
  async #withOtherNumber(suspects: readonly SuspectWord[]): Promise<readonly (readonly [SuspectWord, string])[]> {
    const others = suspects.map((suspect) => [suspect, singularOrPlural(suspect.word)] as const);
    // A field may have words that are not in the text.
    const words = others.flatMap(([{ leaf }, word]) => (leaf.field === undefined ? [word] : []));
    // Beside the name of a Greek letter, a word also matches as a part of another one.
    const isGreek = greekSpellings([...analyse(this.read.query.parsed), ...words]).length > 1;
    if (words.length === 0 || isGreek || this.index.knownWords === undefined) return others;
    const known = await this.index.knownWords(this.alternatives.where, words);
    return others.filter(([{ leaf }, word]) => leaf.field !== undefined || known.includes(word));
  }

  /**
   * Corrects each word of alternatives (`a OR b`) alone, because no hit may have both words. A query that has hits with
   * one corrected word has hits with several.
   */
  async #correctEachAlternative(ways: ReadonlyMap<SuspectWord, readonly string[]>): Promise<void> {
    const { tree } = this.read;
    const corrected = new Map<SuspectWord, string>();
    for (const [suspect, [word]] of ways) {
      if (word === undefined) continue;
      const replaced = new Map([[suspect, word]]);
      if (await this.#hasHits(replaceWords(tree, replaced), replaced)) corrected.set(suspect, word);
    }
    if (corrected.size > 0) this.suggestions.push(printCorrected(replaceWords(tree, corrected), this.read.isTyped));
  }

  #resolve(tree: QueryNode): Clause {
    const { clause, usesNow } = resolveQuery(tree, this.alternatives.fields, this.clock.nowMicros());
    if (usesNow) this.isUnsettled = true;
    return clause;
  }

  /** Counts one search, after other tasks have run: the last search may have taken long. @throws BudgetExhausted */
  async #takeSearch(): Promise<void> {
    await this.#slices.pause();
    if (this.#searches === 0 || this.clock.nowMicros() > this.#endMicros) throw new BudgetExhausted();
    this.#searches -= 1;
  }

  /** @throws BudgetExhausted */
  async #findOne(clause: Clause, filtered: boolean): Promise<string | undefined> {
    await this.#takeSearch();
    return this.alternatives.findOne(clause, filtered);
  }

  /** Returns the other number of a word and similar words of the index; else two adjacent words that it consists of. */
  async #nearWords(suspect: SuspectWord): Promise<readonly string[]> {
    const { word } = suspect;
    const letters = [...word];
    const edits = letters.length >= LONG_WORD_LENGTH ? 2 : 1;
    const { where } = this.alternatives;
    // The words of records include those of drafts, which change without a publication.
    if (where.in === "records") this.isUnsettled = true;
    await this.#slices.pause();
    const near = await this.index.nearestWords(where, word, CANDIDATES_MAX);
    const isNear = (other: string): boolean =>
      other !== word && isCorrectable(other) && countEdits(letters, [...other]) <= edits;
    const other = singularOrPlural(word);
    const isOtherIndexed =
      near.includes(other) || (countEdits(letters, [...other]) > edits && (await this.#isWord(suspect, other)));
    const words = [...new Set([...(isOtherIndexed ? [other] : []), ...near.filter(isNear)])].slice(0, NEAR_MAX);
    return words.length > 0 ? words : this.#splitWord(suspect);
  }

  async #isWord(suspect: SuspectWord, word: string): Promise<boolean> {
    return (await this.#findOne(this.#resolve(onlyWord(this.read.tree, suspect, word)), false)) !== undefined;
  }

  /** Splits a word. One search tries all ways to split it, and its hit shows which of them is in the index. */
  async #splitWord(suspect: SuspectWord): Promise<readonly string[]> {
    const ways = splitWord(suspect.word);
    if (ways.length === 0) return [];
    const { tree } = this.read;
    const clauses = ways.map((parts) => this.#resolve(onlyWord(tree, suspect, parts.join(" "))));
    const hit = await this.#findOne(orClauses(clauses), false);
    const split = hit === undefined ? undefined : ways.find((parts) => hasPhrase(hit, parts));
    return split === undefined ? [] : [split.join(" ")];
  }

  async #offer(tree: QueryNode, replaced: ReadonlyMap<SuspectWord, string>): Promise<void> {
    const text = printCorrected(tree, this.read.isTyped);
    if (this.suggestions.length === SUGGESTIONS_MAX || this.suggestions.includes(text)) return;
    if (await this.#hasHits(tree, replaced)) this.suggestions.push(text);
  }

  /** Returns whether the query has a hit that contains each of the replacing words. */
  async #hasHits(tree: QueryNode, replaced: ReadonlyMap<SuspectWord, string>): Promise<boolean> {
    const words = [...replaced].map(([suspect, word]) => this.#resolve(onlyWord(this.read.tree, suspect, word)));
    return (await this.#findOne(andClauses([this.#resolve(tree), ...words]), true)) !== undefined;
  }
}

/** Returns the replacements to try: the best word for each suspect, then each other word with the best of the rest. */
function combineWords(ways: ReadonlyMap<SuspectWord, readonly string[]>): readonly ReadonlyMap<SuspectWord, string>[] {
  const best = new Map(
    [...ways].flatMap(([suspect, [first]]) => (first === undefined ? [] : [[suspect, first] as const])),
  );
  if (best.size === 0) return [];
  const alternatives = [...ways].flatMap(([suspect, [, ...words]]) =>
    words.map((word) => new Map([...best, [suspect, word]])),
  );
  return [best, ...alternatives];
}
