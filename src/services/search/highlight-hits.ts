import { LRUCache } from "lru-cache";
import type { Vocabulary } from "../../core/catalog/types.js";
import type { Warning } from "../../core/issue.js";
import { LIMITS } from "../../core/limits.js";
import { type StoredRecord, storedBody } from "../../core/record.js";
import { type Slices, startSlices } from "../../core/slices.js";
import type { StoredTerm, TermContent } from "../../core/term.js";
import { storedItem } from "../../core/terms/term-row.js";
import type { TermReference } from "../../ports/store.js";
import {
  type CitedTerms,
  highlightRecord,
  highlightTerm,
  matchedElements,
  readShown,
  type ShownRecord,
} from "../../query/highlight/highlight.js";
import type { Clause } from "../../query/index-model/clause.js";
import { anyOf } from "../../query/index-model/clauses.js";
import { readTyped } from "../../query/ranking/typed-words.js";
import { analyse } from "../../query/text/analyse.js";
import type { RecordHit, RecordSearchRequest, TermHit } from "../api/search-services.js";
import type { Deps } from "../context/deps.js";

/** Hits of a page; `warnings` say that some were left without marks because there was no time for them. */
export interface Marked<Hit> {
  readonly hits: readonly Hit[];
  readonly warnings: readonly Warning[];
}

/** Records with what of each of them matched, as far as it is wanted and time allows. */
type RecordHighlighter = (
  hits: readonly StoredRecord[],
  clause: Clause,
  wanted: Pick<RecordSearchRequest, "highlight" | "matchedIn">,
  time: MarkingTime,
) => Promise<Marked<RecordHit>>;

/** Marking takes at least this long before it is ended: a search may have waited for data to be loaded. */
const MARKING_MS_MIN = 200;

class TimeIsOver extends Error {}

/** The time that is left of a query for marking its hits. What others do between two slices does not count. */
export class MarkingTime {
  readonly #limitMs: number;
  readonly #startedAt = performance.now();
  #leftMs: number | undefined;
  #workSince = 0;
  /** Hits that were left without marks. */
  #skippedHits = 0;

  /** @param limitMs of the query, which begins now */
  constructor(limitMs: number) {
    this.#limitMs = limitMs;
  }

  /** @throws TimeIsOver */
  readonly check = (): void => {
    if (performance.now() - this.#workSince > this.#left) throw new TimeIsOver();
  };

  get #left(): number {
    this.#leftMs ??= Math.max(MARKING_MS_MIN, this.#limitMs - (performance.now() - this.#startedAt));
    return this.#leftMs;
  }

  /** Does a part of the marking. @returns undefined if there is no time for it */
  run<T>(work: () => T): T | undefined {
    if (this.#left <= 0) return this.skip();
    this.#workSince = performance.now();
    try {
      return work();
    } catch (error) {
      if (!(error instanceof TimeIsOver)) throw error;
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

/** Memory for records that were read to be highlighted, in bytes. */
const READ_BYTES_MAX = 16 * 2 ** 20;

/** What a record that was read takes, by unit of its text. An estimate, on the safe side. */
const BYTES_PER_UNIT = 12;

/**
 * Highlights records in slices. What they cite is fetched in one go. To read a record costs more than to look for
 * matches in it, and the next page, order or filter shows many of the same: what was read stays for a while, by the
 * text of the record.
 */
export function makeRecordHighlighter({ store, catalog }: Pick<Deps, "store" | "catalog">): RecordHighlighter {
  const known = new LRUCache<string, ShownRecord>({ maxSize: READ_BYTES_MAX });
  const read = ({ id, json, model }: StoredRecord): ShownRecord => {
    const before = known.get(json);
    if (before !== undefined) return before;
    const shown = readShown(storedBody({ id, json }), catalog.models.get(model)!);
    known.set(json, shown, { size: BYTES_PER_UNIT * json.length });
    return shown;
  };
  return async (hits, clause, { highlight = false, matchedIn }, time) => {
    if (!highlight && matchedIn === undefined) return { hits, warnings: [] };
    const slices = startSlices();
    const all = await eachInSlices(slices, hits, (hit) => ({
      hit,
      shown: hit.json.length > LIMITS.markedRecordLengthMax ? time.skip() : time.run(() => read(hit)),
    }));
    const shown = all.flatMap((each) => each.shown ?? []);
    const terms = { ...(await readCitedTerms(store, shown, clause)), check: time.check };
    const marked = await eachInSlices(slices, all, ({ hit, shown: record }): RecordHit => {
      const marks =
        record &&
        time.run(() => {
          const list = matchedIn?.[hit.model];
          const matched = list === undefined ? undefined : matchedElements(record, clause, list, terms);
          return {
            ...(highlight ? { highlight: highlightRecord(record, clause, terms) } : {}),
            ...(matched === undefined ? {} : { matched }),
          };
        });
      return { ...hit, ...marks };
    });
    return { hits: marked, warnings: time.warnings };
  };
}

/** What a clause needs to know of what some records cite. */
export function readCitedTerms(
  store: Pick<Deps["store"], "terms">,
  records: readonly ShownRecord[],
  clause: Clause,
): Promise<CitedTerms> {
  return readCited(store, citedBy(records), asksForSubtrees(clause));
}

/** What `work` makes of each. */
async function eachInSlices<T, R>(slices: Slices, all: readonly T[], work: (one: T) => R): Promise<R[]> {
  const made: R[] = [];
  for (const one of all) {
    await slices.pause();
    made.push(work(one));
  }
  return made;
}

const termKey = (vocabulary: string, id: string): string => `${vocabulary} ${id}`;

function citedBy(read: readonly ShownRecord[]): readonly TermReference[] {
  const cited = new Map<string, TermReference>();
  for (const { vocabulary, id } of read.flatMap(({ leaves }) => leaves.cites)) {
    cited.set(termKey(vocabulary, id), { vocabulary, id });
  }
  return [...cited.values()];
}

async function readCited(
  store: Pick<Deps["store"], "terms">,
  references: readonly TermReference[],
  withLineages: boolean,
): Promise<CitedTerms> {
  const names = new Map<string, readonly string[]>();
  for (const { asked, term } of await store.terms.cite(references)) {
    // A record is found by the titles of a successor, which do not stand in it.
    const titles = asked.id === term.id ? [] : Object.values(term.title);
    names.set(termKey(asked.vocabulary, asked.id), [...titles, ...term.names]);
  }
  const above = new Map<string, readonly string[]>();
  for (const { vocabulary, id } of withLineages ? references : []) {
    const found = await store.terms.get(vocabulary, id);
    if (found?.kind !== "found") continue;
    above.set(
      termKey(vocabulary, id),
      found.ancestors.map((ancestor) => ancestor.id),
    );
  }
  return {
    namesOf: (vocabulary, id) => names.get(termKey(vocabulary, id)) ?? [],
    isDescendant: (vocabulary, id, ancestor) => above.get(termKey(vocabulary, id))?.includes(ancestor) === true,
  };
}

function asksForSubtrees(clause: Clause): boolean {
  switch (clause.kind) {
    case "all":
    case "any":
      return clause.of.some(asksForSubtrees);
    case "not":
    case "element":
      return asksForSubtrees(clause.of);
    default:
      return clause.kind === "cites" && clause.within;
  }
}

/** An item's JSON as clients see it. */
type ItemBody = Omit<TermContent, "parent" | "status"> & {
  readonly parent?: { readonly id: string };
  readonly status?: TermContent["status"];
};

/**
 * Items with what of each of them matched, in slices.
 * @param typed the text that suggestions were asked for: they forgive words that are cut short, and typos
 */
export async function highlightTerms<Hit extends StoredTerm>(
  hits: readonly Hit[],
  vocabulary: Vocabulary,
  clause: Clause,
  typed: string,
  time: MarkingTime,
): Promise<Marked<Hit & Pick<TermHit, "highlight">>> {
  const beginnings = readTyped(typed).beginnings?.clause;
  const forgiven = [...(beginnings === undefined ? [] : [beginnings]), similarWords(typed)];
  const marked = await eachInSlices(startSlices(), hits, (hit) => {
    const highlight = time.run(() => {
      const { parent, status = "active", ...body } = storedItem<ItemBody>(hit);
      const content: TermContent = { ...body, status, ...(parent === undefined ? {} : { parent: parent.id }) };
      return highlightTerm(content, vocabulary, clause, forgiven, time.check);
    });
    return { ...hit, ...(highlight === undefined ? {} : { highlight }) };
  });
  return { hits: marked, warnings: time.warnings };
}

/** As suggestions forgive typos: one edit from four letters, two from eight. */
function similarWords(text: string): Clause {
  const words = analyse(text).filter((word) => word.length >= 4);
  return anyOf(words.map((word) => ({ kind: "fuzzy", place: { in: "text" }, word, edits: word.length >= 8 ? 2 : 1 })));
}
