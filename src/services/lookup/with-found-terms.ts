import type { CitedTerm } from "../../core/term.js";
import { termUuid } from "../../core/terms/term-version.js";
import type { Citation, TermReader, TermReference } from "../../ports/store.js";
import type { FoundTerm } from "./ask-for-terms.js";

/** Terms as they would be if those that authorities have were added: for metadata that are only validated. */
export function withFoundTerms(terms: TermReader, found: readonly FoundTerm[]): TermReader {
  const added = new Map(found.map((term) => [keyOf({ ...term, id: term.content.id }), term]));
  return {
    ...terms,
    async cite(references) {
      // What replaced an added term may be there already.
      const wanted = references.flatMap((asked) => [asked, ...successorsOf(added.get(keyOf(asked)))]);
      const there = new Map((await terms.cite(wanted)).map((citation) => [keyOf(citation.asked), citation.term]));
      return references.flatMap((asked): Citation[] => {
        const term = there.get(keyOf(asked)) ?? citedOf(added, there, asked);
        return term === undefined ? [] : [{ asked, term }];
      });
    },
  };
}

/** No vocabulary's name holds a blank. */
const keyOf = ({ vocabulary, id }: TermReference): string => `${vocabulary} ${id}`;

function successorsOf(term: FoundTerm | undefined): readonly TermReference[] {
  const id = term?.content.replaced_by;
  return id === undefined ? [] : [{ vocabulary: term!.vocabulary, id }];
}

function citedOf(
  added: ReadonlyMap<string, FoundTerm>,
  there: ReadonlyMap<string, CitedTerm>,
  asked: TermReference,
): CitedTerm | undefined {
  const term = added.get(keyOf(asked));
  const [successor] = successorsOf(term);
  if (successor === undefined) return term && asCited(term);
  const replacing = added.get(keyOf(successor));
  return there.get(keyOf(successor)) ?? asCited(replacing ?? term!);
}

/** Its first revision: no term has had the id. */
function asCited({ vocabulary, content }: FoundTerm): CitedTerm {
  const { id, title, props, status, synonyms = [] } = content;
  const names = synonyms.map(({ name }) => name);
  return { vocabulary, id, version: `${termUuid(vocabulary, id)}::1`, title, props, status, names };
}
