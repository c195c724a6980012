import { type Actor, OPERATOR } from "../../core/actor.js";
import { applyTermPatch } from "../../core/catalog/patch-term.js";
import { hasIdForm } from "../../core/catalog/schema-keywords.js";
import type { Vocabulary } from "../../core/catalog/types.js";
import { fail } from "../../core/errors.js";
import type { JsonObject } from "../../core/json.js";
import { LIMITS } from "../../core/limits.js";
import { requireUser } from "../../core/may.js";
import type { CitedTerm, TermContent } from "../../core/term.js";
import { termUuid } from "../../core/terms/term-version.js";
import {
  AuthorityUnavailableError,
  type LiveAuthorities,
  type LiveAuthority,
  type LivePage,
  UNAVAILABLE_REASONS,
} from "../../ports/authorities.js";
import type { Citation, TermReader, TermReference } from "../../ports/store.js";
import type { AuthorityAnswer, PrepareServices } from "../api/preparation.js";
import type { LookupAnswer, LookupHit } from "../api/vocabularies.js";
import type { Deps } from "../context/deps.js";
import { findVocabulary } from "../context/find-model.js";
import { useCase } from "../context/use-case.js";
import { badParameter } from "../input/issues.js";
import { checkPatch } from "../rules/check-patch.js";
import { declaredOnly } from "../rules/declared-only.js";

/** A term that an authority has and the vocabulary lacks. */
interface AuthorityTerm {
  readonly vocabulary: string;
  readonly content: TermContent;
}

/** Answers of authorities. */
interface LookupAnswers {
  /** In an order in which they can be added: a term comes after its successor. */
  readonly terms: readonly AuthorityTerm[];
  /** One for each requested id. */
  readonly lookups: readonly AuthorityAnswer[];
}

type LookupDeps = Pick<Deps, "catalog" | "live" | "background"> & {
  readonly store: { readonly terms: Pick<TermReader, "get"> };
};

/**
 * Looks up unknown ids at authorities: ids with a valid form, of vocabularies whose authority is enabled. Ids of terms
 * that were deleted from a vocabulary are left out. Writes nothing, and never fails because of an authority.
 */
export async function lookUpTerms(deps: LookupDeps, unknown: readonly TermReference[]): Promise<LookupAnswers> {
  const questions: Question[] = [];
  for (const reference of unknown) {
    const question = questionOf(deps, reference);
    if (question === undefined) continue;
    const isNew = (await deps.store.terms.get(reference.vocabulary, reference.id)) === undefined;
    if (isNew) questions.push(question);
  }
  const answers = await Promise.all(
    questions.map((question, i) => (i < LIMITS.lookupIdsMax ? answer(deps, question) : notAsked(question))),
  );
  const termsByKey = new Map<string, AuthorityTerm>();
  for (const { terms } of answers) for (const term of terms) termsByKey.set(termKey(term), term);
  return { terms: [...termsByKey.values()], lookups: answers.map(({ lookup }) => lookup) };
}

/** Returns a unique key: the name of a vocabulary has no blank. */
const termKey = ({ vocabulary, content }: AuthorityTerm): string => `${vocabulary} ${content.id}`;

/** Returns the authority that is queried for terms of a vocabulary, or undefined. */
function authorityOf(live: LiveAuthorities, { authority }: Vocabulary): LiveAuthority | undefined {
  return authority === undefined ? undefined : live.get(authority);
}

interface Question {
  readonly authority: LiveAuthority;
  readonly vocabulary: Vocabulary;
  readonly id: string;
}

function questionOf({ catalog, live }: LookupDeps, { vocabulary: name, id }: TermReference): Question | undefined {
  const vocabulary = catalog.vocabularies.get(name);
  const authority = vocabulary && authorityOf(live, vocabulary);
  if (vocabulary === undefined || authority === undefined) return undefined;
  return hasIdForm(vocabulary, id) && authority.hasForm(id) ? { authority, vocabulary, id } : undefined;
}

interface Answer {
  readonly terms: readonly AuthorityTerm[];
  readonly lookup: AuthorityAnswer;
}

async function answer(deps: LookupDeps, question: Question): Promise<Answer> {
  const { authority, vocabulary, id } = question;
  const lookup = { vocabulary: vocabulary.name, id, authority: authority.title };
  try {
    const content = await find(deps, question);
    if (content === undefined) return { terms: [], lookup: { ...lookup, outcome: "missing" } };
    const successor = await lookUpSuccessor(deps, question, content);
    const terms = [...(successor === undefined ? [] : [successor]), content];
    return {
      terms: terms.map((each) => ({ vocabulary: vocabulary.name, content: each })),
      lookup: { ...lookup, outcome: "found" },
    };
  } catch (error) {
    if (!(error instanceof AuthorityUnavailableError)) throw error;
    return { terms: [], lookup: { ...lookup, outcome: "unavailable", reason: UNAVAILABLE_REASONS[error.reason] } };
  }
}

/** @throws AuthorityUnavailableError */
async function find(
  { background }: LookupDeps,
  { authority, vocabulary, id }: Question,
): Promise<TermContent | undefined> {
  const found = await authority.find(id);
  if (found.kind === "missing") return undefined;
  const content = liveContent(vocabulary, found.item);
  if (!("reason" in content)) return content;
  const error = new AuthorityUnavailableError("unreadable", 0, `${id} of ${authority.title}: ${content.reason}`);
  background.onBackgroundError(`lookup-${authority.name}`, error);
  throw error;
}

/** Returns the successor of a term if the vocabulary lacks it. Does not follow the successor of the successor. */
async function lookUpSuccessor(
  deps: LookupDeps,
  { vocabulary }: Question,
  { replaced_by }: TermContent,
): Promise<TermContent | undefined> {
  if (replaced_by === undefined) return undefined;
  const question = questionOf(deps, { vocabulary: vocabulary.name, id: replaced_by });
  if (question === undefined || (await deps.store.terms.get(vocabulary.name, replaced_by)) !== undefined) {
    return undefined;
  }
  return find(deps, question);
}

function notAsked({ authority, vocabulary, id }: Question): Answer {
  const reason = `is asked for ${LIMITS.lookupIdsMax} ids of a record at a time`;
  const lookup = {
    vocabulary: vocabulary.name,
    id,
    authority: authority.title,
    outcome: "unavailable",
    reason,
  } as const;
  return { terms: [], lookup };
}

/**
 * Converts an item of an authority's answer as a load would, if the vocabulary lacks it.
 * @returns the reason if it cannot be a term of the vocabulary
 */
function liveContent(vocabulary: Vocabulary, item: JsonObject): TermContent | { readonly reason: string } {
  const { patch, reasons } = checkPatch(vocabulary, declaredOnly(vocabulary, item));
  return patch === undefined ? { reason: reasons.join("; ") } : applyTermPatch(vocabulary, undefined, patch);
}

/** Adds terms of authorities. Does not change terms that somebody else added or deleted meanwhile. */
async function addFoundTerms({ runWrite }: Pick<Deps, "runWrite">, terms: readonly AuthorityTerm[]): Promise<void> {
  await runWrite({ actor: OPERATOR }, async (tx, note) => {
    for (const { vocabulary: place, content } of terms) {
      if ((await tx.terms.get(place, content.id)) !== undefined) continue;
      await tx.terms.put(place, await withExistingLinks(tx.terms, place, content));
      const { revision } = (await tx.terms.getExact(place, content.id))!.term;
      await note({ action: "term.lookup", kind: "term", place, id: content.id, revision });
    }
  });
}

/** Drops the parent and the successor of a term if they do not exist. */
async function withExistingLinks(terms: TermReader, vocabulary: string, content: TermContent): Promise<TermContent> {
  const { parent, replaced_by, ...rest } = content;
  const exists = async (id: string | undefined): Promise<boolean> =>
    id !== undefined && (await terms.getExact(vocabulary, id)) !== undefined;
  return {
    ...rest,
    ...((await exists(parent)) ? { parent: parent! } : {}),
    ...((await exists(replaced_by)) ? { replaced_by: replaced_by! } : {}),
  };
}

/**
 * Prepares metadata as `deps.prepare` does. If they cite unknown terms, looks these up at authorities, adds the terms
 * that it gets, and prepares the metadata again. All of this happens before the transaction that writes the metadata.
 */
export function makePrepareWithLookup(deps: Deps): PrepareServices["prepareRecord"] {
  return async (job) => {
    const first = await deps.prepare(job);
    if (first.kind === "failed" || first.unknownTerms.length === 0) return first;
    const { terms, lookups } = await lookUpTerms(deps, first.unknownTerms);
    if (lookups.length === 0) return first;
    if (terms.length > 0) await addFoundTerms(deps, terms);
    return deps.prepare({ ...job, lookups });
  };
}

/** Makes a term reader that also returns terms that were found at authorities but not stored. For validation only. */
export function withFoundTerms(terms: TermReader, found: readonly AuthorityTerm[]): TermReader {
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

function successorsOf(term: AuthorityTerm | undefined): readonly TermReference[] {
  const id = term?.content.replaced_by;
  return id === undefined ? [] : [{ vocabulary: term!.vocabulary, id }];
}

function citedTerm(
  added: ReadonlyMap<string, AuthorityTerm>,
  existing: ReadonlyMap<string, CitedTerm>,
  reference: TermReference,
): CitedTerm | undefined {
  const term = added.get(referenceKey(reference));
  const [successor] = successorsOf(term);
  if (successor === undefined) return term && asCited(term);
  return existing.get(referenceKey(successor)) ?? asCited(added.get(referenceKey(successor)) ?? term!);
}

/** Returns a found term as revision 1, because no term has had its id. */
function asCited({ vocabulary, content }: AuthorityTerm): CitedTerm {
  const { id, title, props, status, synonyms = [] } = content;
  const names = synonyms.map(({ name }) => name);
  return { vocabulary, id, version: `${termUuid(vocabulary, id)}::1`, title, props, status, names };
}

/**
 * Searches the authority of a vocabulary. Adds nothing to the vocabulary. The request has `q`, the text, which the
 * authority reads by its own rules, and `page`, from 1, with `LIMITS.lookupPageSize` terms.
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
