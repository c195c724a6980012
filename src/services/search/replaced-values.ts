/** Values of facets that are ids: one that another replaced stands for its successor, as it does in records. */
import type { Warning } from "../../core/issue.js";
import { messagesIn } from "../../core/messages/en.js";
import type { TermReader, TermReference } from "../../ports/store.js";
import type { SearchRequest } from "../api/search-services.js";
import type { SearchedFacet } from "./facets.js";

type Filters = SearchRequest["filters"];

/**
 * The filters of a search with the successor of each id that was replaced, and a warning for each: facets count records
 * that cite a replaced id under its successor.
 */
export async function followReplaced(
  terms: Pick<TermReader, "cite">,
  facets: readonly SearchedFacet[],
  { filters, lang }: Pick<SearchRequest, "filters" | "lang">,
): Promise<{ readonly filters: Filters; readonly warnings: readonly Warning[] }> {
  const followed: Record<string, readonly string[]> = { ...filters };
  const warnings: Warning[] = [];
  for (const { name, vocabularies } of facets) {
    const selected = Object.hasOwn(filters, name) ? filters[name]! : [];
    if (selected.length === 0 || vocabularies.length === 0) continue;
    const successors = await successorsOf(terms, vocabularies, selected);
    followed[name] = selected.map((id) => successors.get(id) ?? id);
    for (const [id, successor] of successors) {
      const message = messagesIn(lang).TERM_REPLACED({ id, successor });
      warnings.push({ code: "TERM_REPLACED", message, parameter: name, value: id });
    }
  }
  return { filters: followed, warnings };
}

/** An id that one of the vocabularies has, and another one replaced, stays. Only other capitals are the same id. */
async function successorsOf(
  terms: Pick<TermReader, "cite">,
  vocabularies: readonly string[],
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const references = vocabularies.flatMap((vocabulary) => ids.map((id): TermReference => ({ vocabulary, id })));
  const successors = new Map<string, string>();
  const kept = new Set<string>();
  for (const { asked, term } of await terms.cite(references)) {
    if (asked.id.toLowerCase() === term.id.toLowerCase()) kept.add(asked.id);
    else if (!successors.has(asked.id)) successors.set(asked.id, term.id);
  }
  for (const id of kept) successors.delete(id);
  return successors;
}
