import type { Vocabulary } from "../../core/catalog/types.js";
import { own } from "../../core/json.js";
import type { StoredTerm, TermContent } from "../../core/term.js";
import { storedItem } from "../../core/terms/term-row.js";
import type { TermFinder } from "../../ports/store.js";

/** How texts write the ids of a registry of organisations, and how vocabularies do. */
interface Registry {
  readonly form: RegExp;
  /** @param match of `form`, in lower case */
  readonly id: (match: string) => string;
}

/** Four digits, four times, as ISNI writes a number. */
const inFours = (digits: string): string => digits.match(/.{4}/g)!.join(" ");

const REGISTRIES: readonly Registry[] = [
  // By its address or prefix, or alone: a term must have it, so a number of nine digits is no harm.
  { form: /(?<![\p{L}\p{N}])0[a-hj-km-np-tv-z\d]{6}\d{2}(?![\p{L}\p{N}])/giu, id: (match) => `ror:${match}` },
  { form: /(?<![\p{L}\p{N}])grid\.\d+\.[\da-f]+/giu, id: (match) => match },
  {
    form: /(?<![\p{L}\p{N}])(?:\d{4}[\s-]?){3}\d{3}[\dx](?![\p{L}\p{N}])/giu,
    id: (match) => `isni:${inFours(match.replaceAll(/[\s-]/g, "").toUpperCase())}`,
  },
  { form: /(?<=wikidata(?::|\.org\/(?:wiki|entity)\/))q\d+/giu, id: (match) => `wikidata:${match.toUpperCase()}` },
  { form: /(?<=(?:fundref:|10\.13039\/))\d+/giu, id: (match) => `fundref:${match}` },
];

/** Ids of one affiliation that are looked up. */
const IDS_MAX = 8;

/**
 * Finds the organisations whose ids an affiliation contains, in the order of the text: ROR ids, which lead to the
 * successor of a merged organisation, and identifiers of GRID, ISNI, Wikidata and the Funder Registry.
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

/** The term that has an id, or declares it as another identifier. */
async function termOf(
  terms: TermFinder,
  { name, identifiers }: Vocabulary,
  id: string,
): Promise<StoredTerm | undefined> {
  const [itself] = await terms.getMany(name, [id]);
  if (itself !== undefined) return itself.term;
  const [near] = await terms.nearest(name, id, 1);
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

/** An identifier without what people write in other ways: capitals and blanks. */
const letters = (id: string): string => id.toLowerCase().replaceAll(/[\s-]/g, "");
