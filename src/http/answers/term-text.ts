import type { Vocabulary } from "../../core/catalog/types.js";
import type { StoredTerm } from "../../core/term.js";
import type { EditedField } from "../../core/terms/edited-fields.js";
import type { TermsBelow } from "../../services/api/vocabulary-services.js";
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
  readonly below?: TermsBelow;
  readonly edited: readonly EditedField[];
}

/**
 * Returns the JSON text of a single item for clients: with its ancestors, the numbers of items below it, and the fields
 * that people changed. The names of these people are in its history, which only curators read.
 */
export function singleTermText(api: string, vocabulary: Linked, answer: SingleTerm): string {
  const { term, ancestors, below, edited } = answer;
  let { json } = term;
  if (ancestors.length > 0) json = withMember(json, "ancestors", `[${ancestors.map((each) => each.json).join(",")}]`);
  if (below !== undefined) json = withMember(json, "below", JSON.stringify(below));
  const fields = edited.map(({ field, time }) => ({ field, time }));
  if (fields.length > 0) json = withMember(json, "edited", JSON.stringify(fields));
  return termText(api, vocabulary, term, json);
}
