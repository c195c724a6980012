import { BinderyError } from "../../core/errors.js";
import { countEdits } from "../../core/nearest.js";
import { startSlices } from "../../core/slices.js";
import type { Clock } from "../../ports/environment.js";
import type { SearchIndex, WordPlace } from "../../ports/search-index.js";
import type { FieldLookup } from "../../query/fields/field-meanings.js";
import type { Clause } from "../../query/index-model/clause.js";
import { allOf, anyOf, notOf } from "../../query/index-model/clauses.js";
import { printQuery } from "../../query/parse/print.js";
import type { QueryNode } from "../../query/parse/tree.js";
import {
  asOneName,
  holdsPhrase,
  isSpelt,
  joinedWords,
  onlyWord,
  otherNumber,
  printCorrected,
  replaceWords,
  type Suspect,
  splitWord,
  suspectWords,
  withoutFields,
} from "../../query/resolve/correct.js";
import { resolveQuery } from "../../query/resolve/resolve.js";
import type { SearchAnswer } from "../api/search-services.js";
import type { ReadQuery } from "./read-query.js";

/** How to search for something else in place of a query that found nothing. */
export interface AlternativeSearch {
  readonly fields: FieldLookup;
  readonly where: WordPlace;
  /** Whether the request is for the first page of hits. */
  readonly isFirstPage: boolean;
  /** Do facets or the like leave hits out, so that the words may not be the reason? */
  readonly hasFilters: boolean;
  /**
   * The body of some hit in the caller's own scope, if there is one.
   * @param filtered with the filters of the request, or without them
   */
  findOne(clause: Clause, filtered: boolean): Promise<string | undefined>;
  /** Number of hits in the caller's own scope, with the filters of the request. */
  count(clause: Clause): Promise<number>;
}

/** Searches at most, words that are looked at, words near to each, and suggestions. */
const SEARCHES_MAX = 8;
const SUSPECTS_MAX = 3;
const NEAR_MAX = 3;
const SUGGESTIONS_MAX = 3;
/** Where fewer hits than this were found, the other number of a word (singular, plural) may have been meant ... */
const FEW_HITS = 10;
/** ... if it finds so many times as many. */
const MANY_TIMES = 2;
/** No search begins when the others took this long: the answer waits for them. */
const BUDGET_MICROS = 1_000_000;

/** Words of eight letters and more may have two edits. */
const LONG_WORD_LENGTH = 8;
/** Of words within two edits, so many are looked at for those that are near enough. */
const ASKED_MAX = 10;

/** What is needed beside the search itself. */
interface Parts {
  readonly index: Pick<SearchIndex, "nearestWords">;
  readonly clock: Clock;
}

/** What an answer says of its query. */
interface Described {
  readonly query: SearchAnswer<unknown>["query"];
  /** As `SearchAnswer` has it. */
  readonly isUnsettled: boolean;
}

/**
 * Returns how a query was read. If it found nothing or little, the result suggests queries that find more. If it found
 * much and may be a pasted text, the first page suggests the text as a phrase.
 */
export async function describeQuery(
  parts: Parts,
  read: ReadQuery,
  total: number,
  alternatives: AlternativeSearch,
): Promise<Described> {
  const mayBePasted = read.pasted?.isProse === true && alternatives.isFirstPage;
  if (read.isEmpty || (total >= FEW_HITS && !mayBePasted)) return { query: read.query, isUnsettled: read.usesNow };
  const { suggestions, isUnsettled } = await didYouMean(parts, read, total, alternatives);
  return { query: suggestions.length === 0 ? read.query : { ...read.query, suggestions }, isUnsettled };
}

/**
 * Queries that find something where one found nothing, best first: its misspelt words replaced by words near to them,
 * taken apart, or joined. Each was searched for in the caller's own scope, with the filters of the request, so that
 * none says what stands only in records that the caller may not see. Nothing is said where the filters are the reason,
 * where every word finds something by itself, or where looking takes too long. Of a query with few hits only the other
 * number of its words is looked for.
 */
async function didYouMean(
  { index, clock }: Parts,
  read: ReadQuery,
  total: number,
  alternatives: AlternativeSearch,
): Promise<Pick<Search, "suggestions" | "isUnsettled">> {
  const search = new Search(index, clock, read, alternatives);
  try {
    if (!(await search.runForPasted(total)) && total < FEW_HITS)
      await (total === 0 ? search.run() : search.runForMore(total));
  } catch (error) {
    // The search itself was answered: looking for better words must not spoil that (QUERY_TOO_COSTLY, for one).
    if (!(error instanceof BinderyError || error instanceof BudgetExhausted)) throw error;
    search.isUnsettled = true;
  }
  return search;
}

/** Enough was searched for. */
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
    readonly read: ReadQuery,
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
    const { pasted, clause } = this.read;
    if (pasted === undefined || (total > 0 && !this.alternatives.isFirstPage)) return false;
    const phrase = this.#resolve(pasted.tree);
    const hit = await this.#findOne(total < FEW_HITS ? allOf([phrase, notOf(clause)]) : phrase, true);
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
    const wrong: Suspect[] = [];
    for (const suspect of suspects) {
      const alone = onlyWord(tree, suspect);
      const isAll = alone.kind === tree.kind && JSON.stringify(alone) === JSON.stringify(tree);
      if (isAll || (await this.#findOne(this.#resolve(alone), false)) === undefined) wrong.push(suspect);
    }
    if (wrong.length === 0) return;
    const ways = new Map<Suspect, readonly string[]>();
    for (const suspect of wrong) ways.set(suspect, await this.#nearWords(suspect));
    const joined = wrong.flatMap((suspect) => joinedWords(tree, suspect));
    for (const words of combine(ways)) await this.#offer(replaceWords(tree, words), words);
    for (const one of joined) await this.#offer(one, new Map());
    if (this.suggestions.length === 0 && ways.size > 1) await this.#mendAlternatives(ways);
  }

  /** Suggests the words as the name of a person. As words, initials (`Z. Müller`) find nothing. */
  async #offerName(): Promise<void> {
    const { tree, isTyped } = this.read;
    const isOfRecords = this.alternatives.fields.persons.length > 0;
    const name = isOfRecords && !isTyped ? asOneName(tree) : undefined;
    if (name !== undefined) await this.#offer(name, new Map());
  }

  /** Queries with a word in its other number that find many times as much. */
  async runForMore(total: number): Promise<void> {
    const { tree, isTyped } = this.read;
    const suspects = isTyped ? [] : suspectWords(tree, isTyped).slice(0, SUSPECTS_MAX);
    for (const suspect of suspects) {
      const other = replaceWords(tree, new Map([[suspect, otherNumber(suspect.word)]]));
      await this.#takeSearch();
      if ((await this.alternatives.count(this.#resolve(other))) < MANY_TIMES * total) continue;
      this.suggestions.push(printCorrected(other, isTyped));
    }
  }

  /**
   * Of alternatives (`a OR b`) each may be mended by itself, though no hit has both words. What finds something with
   * one word mended does so with more of them.
   */
  async #mendAlternatives(ways: ReadonlyMap<Suspect, readonly string[]>): Promise<void> {
    const { tree } = this.read;
    const mended = new Map<Suspect, string>();
    for (const [suspect, [word]] of ways) {
      if (word === undefined) continue;
      const one = new Map([[suspect, word]]);
      if (await this.#finds(replaceWords(tree, one), one)) mended.set(suspect, word);
    }
    if (mended.size > 0) this.suggestions.push(printCorrected(replaceWords(tree, mended), this.read.isTyped));
  }

  #resolve(tree: QueryNode): Clause {
    const { clause, usesNow } = resolveQuery(tree, this.alternatives.fields, this.clock.nowMicros());
    if (usesNow) this.isUnsettled = true;
    return clause;
  }

  /** What was asked before may have taken long: others have their turn. @throws BudgetExhausted */
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

  /** The other number of a word, words of the index that are near to it, or two words in a row that it is made of. */
  async #nearWords(suspect: Suspect): Promise<readonly string[]> {
    const { word } = suspect;
    const letters = [...word];
    const edits = letters.length >= LONG_WORD_LENGTH ? 2 : 1;
    const { where } = this.alternatives;
    // The words of records are those of drafts too, which change without anything being published.
    if (where.in === "records") this.isUnsettled = true;
    await this.#slices.pause();
    const near = await this.index.nearestWords(where, word, ASKED_MAX);
    const isNear = (other: string): boolean =>
      other !== word && isSpelt(other) && countEdits(letters, [...other]) <= edits;
    const other = otherNumber(word);
    const isThere =
      near.includes(other) || (countEdits(letters, [...other]) > edits && (await this.#isWord(suspect, other)));
    const enough = [...new Set([...(isThere ? [other] : []), ...near.filter(isNear)])].slice(0, NEAR_MAX);
    return enough.length > 0 ? enough : this.#parts(suspect);
  }

  async #isWord(suspect: Suspect, word: string): Promise<boolean> {
    return (await this.#findOne(this.#resolve(onlyWord(this.read.tree, suspect, word)), false)) !== undefined;
  }

  /** All ways to split are one search; its hit tells which of them it was. */
  async #parts(suspect: Suspect): Promise<readonly string[]> {
    const ways = splitWord(suspect.word);
    if (ways.length === 0) return [];
    const { tree } = this.read;
    const clauses = ways.map((parts) => this.#resolve(onlyWord(tree, suspect, parts.join(" "))));
    const hit = await this.#findOne(anyOf(clauses), false);
    const found = hit === undefined ? undefined : ways.find((parts) => holdsPhrase(hit, parts));
    return found === undefined ? [] : [found.join(" ")];
  }

  async #offer(tree: QueryNode, replaced: ReadonlyMap<Suspect, string>): Promise<void> {
    const text = printCorrected(tree, this.read.isTyped);
    if (this.suggestions.length === SUGGESTIONS_MAX || this.suggestions.includes(text)) return;
    if (await this.#finds(tree, replaced)) this.suggestions.push(text);
  }

  /** Is there a hit, in which each of the words that were put in stands as well? */
  async #finds(tree: QueryNode, replaced: ReadonlyMap<Suspect, string>): Promise<boolean> {
    const words = [...replaced].map(([suspect, word]) => this.#resolve(onlyWord(this.read.tree, suspect, word)));
    return (await this.#findOne(allOf([this.#resolve(tree), ...words]), true)) !== undefined;
  }
}

/** The best word for each, then every other one of them beside the best of the others. */
function combine(ways: ReadonlyMap<Suspect, readonly string[]>): readonly ReadonlyMap<Suspect, string>[] {
  const best = new Map(
    [...ways].flatMap(([suspect, [first]]) => (first === undefined ? [] : [[suspect, first] as const])),
  );
  if (best.size === 0) return [];
  const others = [...ways].flatMap(([suspect, [, ...words]]) =>
    words.map((word) => new Map([...best, [suspect, word]])),
  );
  return [best, ...others];
}
