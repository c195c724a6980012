import type { Actor } from "../../core/actor.js";
import { fail } from "../../core/errors.js";
import { LIMITS } from "../../core/limits.js";
import { requireUser } from "../../core/may.js";
import type { TermContent } from "../../core/term.js";
import {
  AuthorityUnavailableError,
  type LiveAuthority,
  type LivePage,
  UNAVAILABLE_REASONS,
} from "../../ports/authorities.js";
import type { LookupAnswer, LookupHit } from "../api/vocabularies.js";
import { findVocabulary } from "../context/find-model.js";
import { useCase } from "../context/use-case.js";
import { badParameter } from "../input/issues.js";
import { authorityOf, liveContent } from "./look-up-terms.js";

/**
 * Searches the authority of a vocabulary. Adds nothing to the vocabulary.
 * @param request `q`: text that the authority reads by its own rules; `page`: from 1, with `LIMITS.lookupPageSize`
 *   terms
 * @throws LOOKUP_NOT_FOUND, LOOKUP_UNAVAILABLE, PARAMETER_INVALID
 */
export const searchAuthority = useCase(
  // It waits for somebody else, and looks up what is loaded.
  { thread: "search" },
  (deps) => {
    const { catalog, live, store } = deps;
    return async (
      actor: Actor,
      name: string,
      { q, page }: { readonly q: string; readonly page: number },
    ): Promise<LookupAnswer> => {
      requireUser(actor);
      const vocabulary = findVocabulary(catalog, name);
      const authority = authorityOf(live, vocabulary);
      if (authority === undefined) {
        const enabled = [...catalog.vocabularies.values()].filter((each) => authorityOf(live, each) !== undefined);
        throw fail("LOOKUP_NOT_FOUND", { vocabulary: name, enabled: enabled.map((each) => each.name) });
      }
      const { items, total } = await search(authority, readSearchText(q), page);
      const contents = new Map<string, TermContent>();
      for (const item of items) {
        const content = liveContent(vocabulary, item);
        if (!("reason" in content)) contents.set(content.id, content);
      }
      const loaded = await store.terms.getMany(name, [...contents.keys()]);
      const terms = new Map(loaded.map(({ id, term }) => [id, term]));
      const hits = [...contents.values()].map((content): LookupHit => {
        const term = terms.get(content.id);
        // A former id that leads to another term is not loaded.
        return term?.id === content.id ? { isLoaded: true, term } : { isLoaded: false, content };
      });
      const dropped = items.length - hits.length;
      const warnings =
        dropped === 0 ? [] : [{ code: "LOOKUP_LEFT_OUT", message: describeDropped(dropped, authority.title, name) }];
      return { authority: authority.name, hits, total, warnings };
    };
  },
);

/** @throws PARAMETER_INVALID */
function readSearchText(q: string): string {
  const text = q.trim();
  if (text === "") throw badParameter("q", 'The parameter "q" is required: what the authority is to search for.', q);
  if ([...text].length > LIMITS.lookupCodePointsMax) {
    throw badParameter("q", `The parameter "q" must have at most ${LIMITS.lookupCodePointsMax} characters here.`);
  }
  return text;
}

/** @throws LOOKUP_UNAVAILABLE */
async function search(authority: LiveAuthority, text: string, page: number): Promise<LivePage> {
  try {
    return await authority.search(text, page);
  } catch (error) {
    if (!(error instanceof AuthorityUnavailableError)) throw error;
    const { reason, retrySeconds: seconds } = error;
    throw fail(
      "LOOKUP_UNAVAILABLE",
      { authority: authority.title, reason: UNAVAILABLE_REASONS[reason], seconds },
      error,
    );
  }
}

const describeDropped = (count: number, title: string, vocabulary: string): string =>
  `${count} ${count === 1 ? "term" : "terms"} that ${title} found ${count === 1 ? "does" : "do"} not fit the ` +
  `vocabulary ${vocabulary}, and ${count === 1 ? "was" : "were"} left out.`;
