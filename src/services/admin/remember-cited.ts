import type { Citation, TermReader, TermReference } from "../../ports/store.js";

/** Terms that are remembered; beyond them it begins anew. */
const TERMS_MAX = 10_000;

/** A reader that asks for each cited term once: many records in a row cite the same ones again and again. */
export function rememberCited(terms: TermReader): TermReader {
  const known = new Map<string, Citation | undefined>();
  return {
    ...terms,
    async cite(references) {
      if (known.size > TERMS_MAX) known.clear();
      const fresh = references.filter((reference) => !known.has(keyOf(reference)));
      for (const reference of fresh) known.set(keyOf(reference), undefined);
      for (const citation of await terms.cite(fresh)) known.set(keyOf(citation.asked), citation);
      return references.flatMap((reference) => known.get(keyOf(reference)) ?? []);
    },
  };
}

/** No vocabulary's name holds a blank. */
const keyOf = ({ vocabulary, id }: TermReference): string => `${vocabulary} ${id}`;
