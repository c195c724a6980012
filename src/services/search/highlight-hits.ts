import { LRUCache } from "lru-cache";
import type { Vocabulary } from "../../core/catalog/types.js";
import type { RecordBody, StoredRecord } from "../../core/record.js";
import type { StoredTerm, TermContent } from "../../core/term.js";
import { type Slices, startSlices } from "../../ports/slices.js";
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

/** Records with what of each of them matched, as far as it is wanted. */
export type RecordHighlighter = (
  hits: readonly StoredRecord[],
  clause: Clause,
  wanted: Pick<RecordSearchRequest, "highlight" | "matchedIn">,
) => Promise<readonly RecordHit[]>;

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
  const read = ({ json, model }: StoredRecord): ShownRecord => {
    const before = known.get(json);
    if (before !== undefined) return before;
    const shown = readShown(JSON.parse(json) as RecordBody, catalog.models.get(model)!);
    known.set(json, shown, { size: BYTES_PER_UNIT * json.length });
    return shown;
  };
  return async (hits, clause, { highlight = false, matchedIn }) => {
    if (!highlight && matchedIn === undefined) return hits;
    const slices = startSlices();
    const all = await eachInSlices(slices, hits, (hit) => ({ hit, shown: read(hit) }));
    const shown = all.map((each) => each.shown);
    const terms = await readCitedTerms(store, shown, clause);
    return eachInSlices(slices, all, ({ hit, shown: record }) => {
      const list = matchedIn?.[hit.model];
      const matched = list === undefined ? undefined : matchedElements(record, clause, list, terms);
      return {
        ...hit,
        ...(highlight ? { highlight: highlightRecord(record, clause, terms) } : {}),
        ...(matched === undefined ? {} : { matched }),
      };
    });
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
export function highlightTerms<Hit extends StoredTerm>(
  hits: readonly Hit[],
  vocabulary: Vocabulary,
  clause: Clause,
  typed: string,
): Promise<readonly (Hit & Pick<TermHit, "highlight">)[]> {
  const beginnings = readTyped(typed).beginnings?.clause;
  const forgiven = [...(beginnings === undefined ? [] : [beginnings]), similarWords(typed)];
  return eachInSlices(startSlices(), hits, (hit) => {
    const { parent, status = "active", ...body } = JSON.parse(hit.json) as ItemBody;
    const content: TermContent = { ...body, status, ...(parent === undefined ? {} : { parent: parent.id }) };
    return { ...hit, highlight: highlightTerm(content, vocabulary, clause, forgiven) };
  });
}

/** As suggestions forgive typos: one edit from four letters, two from eight. */
function similarWords(text: string): Clause {
  const words = analyse(text).filter((word) => word.length >= 4);
  return anyOf(words.map((word) => ({ kind: "fuzzy", place: { in: "text" }, word, edits: word.length >= 8 ? 2 : 1 })));
}
