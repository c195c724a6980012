import type { CitedTerm } from "../../core/term.js";
import { termUuid } from "../../core/terms/term-version.js";
import type { Citation, TermReader, TermReference } from "../../ports/store.js";
import type { FoundTerm } from "./look-up-terms.js";

/** Makes a term reader that also returns terms that were found at authorities but not stored. For validation only. */
export function withFoundTerms(terms: TermReader, found: readonly FoundTerm[]): TermReader {
  const added = new Map(found.map((term) => [referenceKey({ ...term, id: term.content.id }), term]));
  return {
    ...terms,
    async cite(references) {
      // The successor of an added term may already exist.
      const withSuccessors = references.flatMap((each) => [each, ...successorsOf(added.get(referenceKey(each)))]);
      const citations = await terms.cite(withSuccessors);
      const existing = new Map(citations.map((citation) => [referenceKey(citation.reference), citation.term]));
      return references.flatMap((reference): Citation[] => {
        const term = existing.get(referenceKey(reference)) ?? citedTerm(added, existing, reference);
        return term === undefined ? [] : [{ reference, term }];
      });
    },
  };
}

/** Returns a unique key: the name of a vocabulary has no blank. */
const referenceKey = ({ vocabulary, id }: TermReference): string => `${vocabulary} ${id}`;

function successorsOf(term: FoundTerm | undefined): readonly TermReference[] {
  const id = term?.content.replaced_by;
  return id === undefined ? [] : [{ vocabulary: term!.vocabulary, id }];
}

function citedTerm(
  added: ReadonlyMap<string, FoundTerm>,
  existing: ReadonlyMap<string, CitedTerm>,
  reference: TermReference,
): CitedTerm | undefined {
  const term = added.get(referenceKey(reference));
  const [successor] = successorsOf(term);
  if (successor === undefined) return term && asCited(term);
  return existing.get(referenceKey(successor)) ?? asCited(added.get(referenceKey(successor)) ?? term!);
}

/** Returns a found term as revision 1, because no term has had its id. */
function asCited({ vocabulary, content }: FoundTerm): CitedTerm {
  const { id, title, props, status, synonyms = [] } = content;
  const names = synonyms.map(({ name }) => name);
  return { vocabulary, id, version: `${termUuid(vocabulary, id)}::1`, title, props, status, names };
}
