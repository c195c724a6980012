import type { Vocabulary } from "../../core/catalog/types.js";
import { own } from "../../core/json.js";
import type { StoredTerm, TermContent } from "../../core/term.js";
import { storedItem } from "../../core/terms/term-row.js";
import type { TermFinder } from "../../ports/store.js";
import { nearestTerms } from "../search/near-terms.js";

/** A registry of organisations: the form of its ids in texts, and their form in vocabularies. */
interface Registry {
  readonly form: RegExp;
  /** Returns the id as in vocabularies. @param match text that matches `form`, in lower case */
  readonly id: (match: string) => string;
}

/** Divides an ISNI into groups of four digits. */
const inFours = (digits: string): string => digits.match(/.{4}/g)!.join(" ");

const REGISTRIES: readonly Registry[] = [
  // ROR ids, also without address or prefix. Only ids of terms count, so other texts of this form do no harm.
  { form: /(?<![\p{L}\p{N}])0[a-hj-km-np-tv-z\d]{6}\d{2}(?![\p{L}\p{N}])/giu, id: (match) => `ror:${match}` },
  { form: /(?<![\p{L}\p{N}])grid\.\d+\.[\da-f]+/giu, id: (match) => match },
  {
    form: /(?<![\p{L}\p{N}])(?:\d{4}[\s-]?){3}\d{3}[\dx](?![\p{L}\p{N}])/giu,
    id: (match) => `isni:${inFours(match.replaceAll(/[\s-]/g, "").toUpperCase())}`,
  },
  { form: /(?<=wikidata(?::|\.org\/(?:wiki|entity)\/))q\d+/giu, id: (match) => `wikidata:${match.toUpperCase()}` },
  { form: /(?<=(?:fundref:|10\.13039\/))\d+/giu, id: (match) => `fundref:${match}` },
];

/** Maximum number of ids of one affiliation that are looked up. */
const IDS_MAX = 8;

/**
 * Finds the organisations whose ids an affiliation contains, in the order of the text: ROR ids, and identifiers of
 * GRID, ISNI, Wikidata and the Funder Registry. The ROR id of a merged organisation finds its successor.
 */
export async function findByIds(
  terms: TermFinder,
  vocabulary: Vocabulary,
  text: string,
): Promise<readonly StoredTerm[]> {
  const found = new Map<string, StoredTerm>();
  for (const id of idsIn(text)) {
    const term = await termOf(terms, vocabulary, id);
    if (term !== undefined) found.set(term.id, term);
  }
  return [...found.values()];
}

function idsIn(text: string): readonly string[] {
  const places = REGISTRIES.flatMap(({ form, id }) =>
    [...text.matchAll(form)].map((match) => ({ at: match.index, id: id(match[0].toLowerCase()) })),
  );
  return [...new Set(places.sort((a, b) => a.at - b.at).map(({ id }) => id))].slice(0, IDS_MAX);
}

/** Returns the term with an id, or with this text among its other identifiers. */
async function termOf(
  terms: TermFinder,
  { name, identifiers }: Vocabulary,
  id: string,
): Promise<StoredTerm | undefined> {
  const [itself] = await terms.getMany(name, [id]);
  if (itself !== undefined) return itself.term;
  const [near] = await nearestTerms(terms, name, id);
  const [other] = near === undefined ? [] : await terms.getMany(name, [near.id]);
  if (other === undefined) return undefined;
  const { props } = storedItem<TermContent>(other.term);
  return identifiers.some((prop) => hasValue(props, prop, id)) ? other.term : undefined;
}

function hasValue(props: TermContent["props"], prop: string, id: string): boolean {
  const value = own(props, prop);
  const values = Array.isArray(value) ? value : [value];
  return values.some((each) => typeof each === "string" && letters(each) === letters(id));
}

/** Returns an identifier in lower case, without blanks and hyphens, for comparisons. */
const letters = (id: string): string => id.toLowerCase().replaceAll(/[\s-]/g, "");
