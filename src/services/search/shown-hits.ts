import type { Caches } from "../../core/caches.js";
import type { Vocabulary } from "../../core/catalog/types.js";
import type { Warning } from "../../core/issue.js";
import { isObject, type Json, type JsonObject, own, unescapePointer } from "../../core/json.js";
import { LIMITS } from "../../core/limits.js";
import { type StoredRecord, storedBody } from "../../core/record.js";
import { beginningOf } from "../../core/records/beginning.js";
import { type Slices, startSlices } from "../../core/slices.js";
import type { StoredTerm, TermContent } from "../../core/term.js";
import { parseStoredTerm } from "../../core/terms/term-row.js";
import type { TermReference } from "../../ports/store.js";
import {
  type CitedTerms,
  type HighlightSource,
  highlightRecord,
  highlightTerm,
  matchedElements,
  readHighlightSource,
  readTermHighlightSource,
  type TermHighlightSource,
} from "../../query/highlight/highlight.js";
import { type Clause, orClauses } from "../../query/index-model/clause.js";
import { readTypedText } from "../../query/ranking/typed-words.js";
import { analyse } from "../../query/text/analyse.js";
import type { RecordHit, RecordSearchRequest, TermHit, TermSearchRequest } from "../api/searches.js";
import type { Deps } from "../context/deps.js";

/** Hits of a page with their marks. A warning says how many hits have no marks because there was no time for them. */
interface MarkedHits<Hit> {
  readonly hits: readonly Hit[];
  readonly warnings: readonly Warning[];
}

/** Adds to each record the parts of it that match, if requested and if there is time. */
type RecordHighlighter = (
  hits: readonly StoredRecord[],
  clause: Clause,
  options: Pick<RecordSearchRequest, "highlight" | "matchedIn">,
  time: MarkingTime,
) => Promise<MarkedHits<RecordHit>>;

/** Marking may always take this long, because a search may have waited for data to be loaded. */
const MARKING_MS_MIN = 200;

class MarkingTimeout extends Error {}

/** The time left for marking the hits of a query. Other tasks between two slices do not count. */
export class MarkingTime {
  readonly #limitMs: number;
  readonly #startedAt = performance.now();
  #leftMs: number | undefined;
  #workSince = 0;
  /** Hits that were left without marks. */
  #skippedHits = 0;

  /** @param limitMs time limit of the query, which starts now */
  constructor(limitMs: number) {
    this.#limitMs = limitMs;
  }

  /** @throws MarkingTimeout */
  readonly check = (): void => {
    if (performance.now() - this.#workSince > this.#left) throw new MarkingTimeout();
  };

  get #left(): number {
    this.#leftMs ??= Math.max(MARKING_MS_MIN, this.#limitMs - (performance.now() - this.#startedAt));
    return this.#leftMs;
  }

  /** Runs a part of the marking. @returns undefined if there is no time for it */
  run<T>(work: () => T): T | undefined {
    if (this.#left <= 0) return this.skip();
    this.#workSince = performance.now();
    try {
      return work();
    } catch (error) {
      if (!(error instanceof MarkingTimeout)) throw error;
      this.#leftMs = 0;
      return this.skip();
    } finally {
      this.#leftMs = this.#left - (performance.now() - this.#workSince);
    }
  }

  /** Leaves one hit without marks. */
  skip(): undefined {
    this.#skippedHits += 1;
    return undefined;
  }

  get warnings(): readonly Warning[] {
    if (this.#skippedHits === 0) return [];
    const message =
      `Marking took too long: ${this.#skippedHits} hits are shown without marks. The hits themselves are complete; ` +
      "request fewer on a page, or mark a simpler query.";
    return [{ code: "HIGHLIGHT_LEFT_OUT", message, parameter: "highlight" }];
  }
}

/** Bytes that a parsed record takes per UTF-16 unit of its JSON, with its words grouped; measured with MST records. */
const PARSED_BYTES_PER_UNIT = 20;

/**
 * Makes a function that highlights records in slices. The cited terms of all records are read at once. Parsing a record
 * costs more than finding matches in it, and the next page, order or filter shows many of the same records. Parsed
 * records are therefore cached, by their JSON.
 */
export function makeRecordHighlighter({
  store,
  catalog,
  caches,
}: Pick<Deps, "store" | "catalog" | "caches">): RecordHighlighter {
  const parsedRecords = caches.open("highlights");
  const read = ({ id, json, model }: StoredRecord): HighlightSource => {
    const cached = parsedRecords.get<HighlightSource>(json);
    if (cached !== undefined) return cached;
    const shown = readHighlightSource(storedBody({ id, json }), catalog.models.get(model)!);
    parsedRecords.set(json, shown, PARSED_BYTES_PER_UNIT * json.length);
    return shown;
  };
  return async (hits, clause, { highlight = false, matchedIn }, time) => {
    if (!highlight && matchedIn === undefined) return { hits, warnings: [] };
    const slices = startSlices();
    const parsedHits = await mapInSlices(slices, hits, (hit) => ({
      hit,
      shown: hit.json.length > LIMITS.markedRecordLengthMax ? time.skip() : time.run(() => read(hit)),
    }));
    const shown = parsedHits.flatMap((each) => each.shown ?? []);
    const terms = { ...(await readCitedTerms(store, shown, clause)), check: time.check };
    const marked = await mapInSlices(slices, parsedHits, ({ hit, shown: record }): RecordHit => {
      const marks =
        record &&
        time.run(() => {
          const list = matchedIn?.[hit.model];
          const matched = list === undefined ? undefined : matchedElements(record, clause, list, terms);
          return {
            highlight: highlight ? highlightRecord(record, clause, terms) : undefined,
            matched,
          };
        });
      return { ...hit, ...marks };
    });
    return { hits: marked, warnings: time.warnings };
  };
}

/** Reads the cited terms of records that a clause needs. */
export function readCitedTerms(
  store: Pick<Deps["store"], "terms">,
  records: readonly HighlightSource[],
  clause: Clause,
): Promise<CitedTerms> {
  return readTermsOf(store, citedReferences(records), hasSubtree(clause));
}

/** Maps elements in slices, so that other tasks run in between. */
async function mapInSlices<T, R>(slices: Slices, elements: readonly T[], map: (element: T) => R): Promise<R[]> {
  const results: R[] = [];
  for (const element of elements) {
    await slices.pause();
    results.push(map(element));
  }
  return results;
}

const termKey = (vocabulary: string, id: string): string => `${vocabulary} ${id}`;

function citedReferences(records: readonly HighlightSource[]): readonly TermReference[] {
  const cited = new Map<string, TermReference>();
  for (const { vocabulary, id } of records.flatMap(({ leaves }) => leaves.cites)) {
    cited.set(termKey(vocabulary, id), { vocabulary, id });
  }
  return [...cited.values()];
}

async function readTermsOf(
  store: Pick<Deps["store"], "terms">,
  references: readonly TermReference[],
  withLineages: boolean,
): Promise<CitedTerms> {
  const names = new Map<string, readonly string[]>();
  for (const { reference, term } of await store.terms.cite(references)) {
    // A record is also found by the titles of a successor, which it does not contain.
    const titles = reference.id === term.id ? [] : Object.values(term.title);
    names.set(termKey(reference.vocabulary, reference.id), [...titles, ...term.names]);
  }
  const ancestors = new Map<string, readonly string[]>();
  for (const { vocabulary, id } of withLineages ? references : []) {
    const lookup = await store.terms.get(vocabulary, id);
    if (lookup?.kind !== "found") continue;
    ancestors.set(
      termKey(vocabulary, id),
      lookup.ancestors.map((ancestor) => ancestor.id),
    );
  }
  return {
    termSynonyms: (vocabulary, id) => names.get(termKey(vocabulary, id)) ?? [],
    isDescendant: (vocabulary, id, ancestor) => ancestors.get(termKey(vocabulary, id))?.includes(ancestor) === true,
  };
}

/** Returns whether a clause asks for records that cite a term of a subtree. */
function hasSubtree(clause: Clause): boolean {
  switch (clause.kind) {
    case "all":
    case "any":
      return clause.of.some(hasSubtree);
    case "not":
    case "element":
      return hasSubtree(clause.of);
    default:
      return clause.kind === "cites" && clause.within;
  }
}

/** The JSON of a term as clients see it. */
type TermBody = Omit<TermContent, "parent" | "status"> & {
  readonly parent?: { readonly id: string };
  readonly status?: TermContent["status"];
};

/** Adds to each term the parts of it that match, if requested. A suggestion also matches beginnings and typos. */
type TermHighlighter = <Hit extends StoredTerm>(
  hits: readonly Hit[],
  vocabulary: Vocabulary,
  search: Pick<TermSearchRequest, "highlight" | "suggest"> & { readonly clause: Clause },
  time: MarkingTime,
) => Promise<MarkedHits<Hit & Pick<TermHit, "highlight">>>;

/** Makes a function that highlights terms. Parsed terms are cached like records. */
export function makeTermHighlighter({ caches }: Pick<Deps, "caches">): TermHighlighter {
  const parsedTerms = caches.open("highlights");
  const read = (hit: StoredTerm, vocabulary: Vocabulary): TermHighlightSource => {
    const key = `${vocabulary.name} ${hit.json}`;
    const cached = parsedTerms.get<TermHighlightSource>(key);
    if (cached !== undefined) return cached;
    const { parent, status = "active", ...body } = parseStoredTerm<TermBody>(hit);
    const content: TermContent = { ...body, status, ...(parent === undefined ? {} : { parent: parent.id }) };
    const source = readTermHighlightSource(content, vocabulary);
    parsedTerms.set(key, source, PARSED_BYTES_PER_UNIT * hit.json.length);
    return source;
  };
  return async (hits, vocabulary, { clause, highlight = false, suggest = "" }, time) => {
    if (!highlight) return { hits, warnings: [] };
    const typed = suggest.trim();
    const beginnings = readTypedText(typed).beginnings?.clause;
    const tolerant = [...(beginnings === undefined ? [] : [beginnings]), similarWords(typed)];
    const marked = await mapInSlices(startSlices(), hits, (hit) => {
      return { ...hit, highlight: time.run(() => highlightTerm(read(hit, vocabulary), clause, tolerant, time.check)) };
    });
    return { hits: marked, warnings: time.warnings };
  };
}

/** Returns the typos that suggestions tolerate: one edit in words of four letters or more, two from eight. */
function similarWords(text: string): Clause {
  const words = analyse(text).filter((word) => word.length >= 4);
  return orClauses(
    words.map((word) => ({ kind: "fuzzy", place: { in: "text" }, word, edits: word.length >= 8 ? 2 : 1 })),
  );
}

/** Length up to which lists contain a whole record, in UTF-16 units. Cutting it would take longer. */
const WHOLE_LENGTH_MAX = 32 * 1024;

/** Bytes of a string per UTF-16 unit, at most. */
const BEGINNING_BYTES_PER_UNIT = 2;

/** The part of a large record that a list shows. */
type HitBeginning = Required<Pick<RecordHit, "json" | "elementsLeft">>;

/**
 * Makes a function that cuts large records of a list to their beginnings, so that any list is small. Each large record
 * is parsed in a separate slice.
 */
export function makeHitBeginnings(caches: Caches): (hits: readonly RecordHit[]) => Promise<readonly RecordHit[]> {
  const beginnings = caches.open("beginnings");
  const cut = (hit: RecordHit): HitBeginning => {
    const { json } = hit;
    const cached = beginnings.get<HitBeginning>(json);
    if (cached !== undefined) return cached;
    const body = storedBody(hit);
    const limits = { values: LIMITS.listValuesMax, textLength: LIMITS.listTextLengthMax };
    const { metadata, listLengths } = beginningOf(body.metadata, limits);
    const elementsLeft = countLeft(metadata, listLengths);
    const beginning = { json: JSON.stringify({ ...body, metadata }), elementsLeft };
    beginnings.set(json, beginning, BEGINNING_BYTES_PER_UNIT * beginning.json.length);
    return beginning;
  };
  return async (hits) => {
    const slices = startSlices();
    const shown: RecordHit[] = [];
    for (const hit of hits) {
      if (hit.json.length <= WHOLE_LENGTH_MAX) {
        shown.push(hit);
        continue;
      }
      await slices.pause();
      shown.push({ ...hit, ...cut(hit) });
    }
    return shown;
  };
}

/** Counts the elements that lists lack, by path (the pointer without element numbers). */
function countLeft(metadata: JsonObject, listLengths: ReadonlyMap<string, number>): ReadonlyMap<string, number> {
  const left = new Map<string, number>();
  for (const [pointer, length] of listLengths) {
    const steps = pointer.split("/").slice(1).map(unescapePointer);
    let list: Json | undefined = { metadata };
    for (const step of steps) {
      list = Array.isArray(list) ? list[Number(step)] : isObject(list) ? own(list, step) : undefined;
    }
    if (!Array.isArray(list)) continue;
    const path = steps.filter((step) => !/^\d+$/.test(step)).join(".");
    left.set(path, (left.get(path) ?? 0) + length - list.length);
  }
  return left;
}
