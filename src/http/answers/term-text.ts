import type { Vocabulary } from "../../core/catalog/types.js";
import type { StoredTerm } from "../../core/term.js";
import type { EditedField } from "../../core/terms/edited-fields.js";
import { withMember } from "./answer-text.js";
import { termLinks } from "./links.js";

type Linked = Pick<Vocabulary, "name" | "structure">;

/**
 * The text of an item as clients see it in a list. How many records cite it stands behind the item: it changes without
 * the item being written.
 * @param json the item, perhaps with more
 */
export function termText(api: string, vocabulary: Linked, term: StoredTerm, json = term.json): string {
  const links = JSON.stringify(termLinks(api, vocabulary, term));
  // Both members at once: each by itself copies the whole text.
  return `${json.slice(0, -1)},"cited_by":${term.citedBy},"links":${links}}`;
}

interface SingleTerm {
  readonly term: StoredTerm;
  readonly ancestors: readonly { readonly json: string }[];
  readonly edited: readonly EditedField[];
}

/**
 * The text of a single item as clients see it: with what stands above it, and what people changed of it. It is public;
 * the names of these people stand in its history, which curators read.
 */
export function singleTermText(api: string, vocabulary: Linked, { term, ancestors, edited }: SingleTerm): string {
  const lineage = ancestors.map(({ json }) => json).join(",");
  const placed = lineage === "" ? term.json : withMember(term.json, "ancestors", `[${lineage}]`);
  const fields = edited.map(({ field, time }) => ({ field, time }));
  const json = fields.length === 0 ? placed : withMember(placed, "edited", JSON.stringify(fields));
  return termText(api, vocabulary, term, json);
}
