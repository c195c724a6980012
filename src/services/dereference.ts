import type { Model, TermSite } from "../core/catalog/types.js";
import { BinderyError } from "../core/errors.js";
import type { Issue, Warning } from "../core/issue.js";
import { type Json, type JsonObject, own } from "../core/json.js";
import { LIMITS } from "../core/limits.js";
import type { CitedTerm } from "../core/term.js";
import type { SearchIndex } from "../ports/search-index.js";
import type { Citation, TermReader } from "../ports/store.js";
import { referencesOf } from "./cited-terms.js";
import { droppedFields } from "./dropped-fields.js";
import { fieldOf, makeIssue, type Place } from "./issues.js";
import { rewriteSites, siteTree } from "./walk-sites.js";

export interface Dereferenced {
  readonly metadata: JsonObject;
  /** Each cited term once. */
  readonly cited: readonly CitedTerm[];
  readonly issues: readonly Issue[];
  readonly warnings: readonly Warning[];
}

/** Ids of one body for which near terms are looked up: each look-up costs a search in the writer. */
const NEAREST_LOOKUPS_MAX = 5;

/**
 * Fills in the terms that `metadata` cites: an object with a text `id` at a term site becomes exactly
 * `{"@v", "id", "title", <declared fields>}`. What was sent in their place is named in `warnings`; an id that no
 * vocabulary has leaves its element as sent and is an issue. All terms are fetched in one go.
 */
export async function dereference(
  terms: TermReader,
  index: SearchIndex,
  model: Model,
  metadata: JsonObject,
): Promise<Dereferenced> {
  const tree = siteTree(model.termSites);
  const asked = referencesOf(metadata, tree);
  const found = new Map<string, Citation>();
  const citations = asked.length === 0 ? [] : await terms.cite(asked);
  for (const citation of citations) found.set(keyOf(citation.asked.vocabulary, citation.asked.id), citation);

  const cited = new Map<string, CitedTerm>();
  const unknown: Unknown[] = [];
  const warnings: Warning[] = [];
  const filled = rewriteSites(metadata, tree, (element, sites, place) => {
    const id = own(element, "id");
    if (typeof id !== "string") return element;
    for (const site of sites) {
      const citation = found.get(keyOf(site.vocabulary, id));
      if (citation === undefined) continue;
      cited.set(keyOf(site.vocabulary, citation.term.id), citation.term);
      const term = elementOf(citation.term, site);
      warnings.push(...warningsOf(element, term, citation, place));
      return term;
    }
    unknown.push({ place: [...place], vocabulary: sites[0]!.vocabulary, id });
    return element;
  });
  const issues = await unknownTerms(terms, index, unknown);
  return { metadata: filled, cited: [...cited.values()], issues, warnings };
}

/** No vocabulary's name holds a blank. */
const keyOf = (vocabulary: string, id: string): string => `${vocabulary} ${id}`;

/** A term as it stands in a record. */
function elementOf(term: CitedTerm, site: TermSite): JsonObject {
  const copied: [string, Json][] = [];
  for (const name of site.fields) {
    const value = own(term.props, name);
    if (value !== undefined && value !== null) copied.push([name, value]);
  }
  return Object.fromEntries([["@v", term.version], ["id", term.id], ["title", term.title], ...copied]);
}

function warningsOf(sent: JsonObject, made: JsonObject, { asked, term }: Citation, place: Place): Warning[] {
  const warnings: Warning[] = [];
  const field = fieldOf([...place, "id"]);
  // Only other capitals are the same id.
  if (asked.id.toLowerCase() !== term.id.toLowerCase()) {
    const message = `"${asked.id}" is now "${term.id}", which stands in its place.`;
    warnings.push({ code: "TERM_REPLACED", message, field, value: asked.id });
  }
  if (term.status === "deprecated") {
    const message = `"${term.id}" of ${term.vocabulary} is deprecated and has no successor.`;
    warnings.push({ code: "TERM_DEPRECATED", message, field, value: asked.id });
  }
  const whose = `${term.vocabulary} has for "${term.id}"`;
  // A client's @v is discarded without a word: it sends back what it once read.
  warnings.push(...droppedFields(sent, made, ["@v", "id"], "TERM_FIELD_REPLACED", whose, place));
  return warnings;
}

interface Unknown {
  readonly place: Place;
  readonly vocabulary: string;
  readonly id: string;
}

async function unknownTerms(terms: TermReader, index: SearchIndex, unknown: readonly Unknown[]): Promise<Issue[]> {
  const known = new Map<
    string,
    Pick<Issue, "messages" | "nearest"> & { readonly code: "TERM_GONE" | "TERM_UNKNOWN" }
  >();
  const issues: Issue[] = [];
  for (const { place, vocabulary, id } of unknown) {
    const key = keyOf(vocabulary, id);
    const looksUp = known.size < NEAREST_LOOKUPS_MAX;
    if (!known.has(key)) {
      const isGone = looksUp && (await terms.get(vocabulary, id)) !== undefined;
      const nearest = looksUp ? await nearestOf(index, vocabulary, id) : [];
      const [first] = nearest;
      const what = isGone ? `"${id}" was removed from ${vocabulary}` : `${vocabulary} has no item "${id}"`;
      const cure = first === undefined ? "." : `; the nearest is ${first.id} (${first.title}).`;
      known.set(key, { code: isGone ? "TERM_GONE" : "TERM_UNKNOWN", messages: [what + cure], nearest });
    }
    const { code, messages, nearest = [] } = known.get(key)!;
    issues.push(makeIssue([...place, "id"], code, messages, { value: id, ...(nearest.length > 0 ? { nearest } : {}) }));
  }
  return issues;
}

/** A look-up that takes too long is no reason to refuse a deposit. */
async function nearestOf(
  index: SearchIndex,
  vocabulary: string,
  id: string,
): Promise<readonly { id: string; title: string }[]> {
  try {
    return await index.nearestTerms(vocabulary, id, LIMITS.nearestMax);
  } catch (error) {
    if (error instanceof BinderyError && error.code === "QUERY_TOO_COSTLY") return [];
    throw error;
  }
}
