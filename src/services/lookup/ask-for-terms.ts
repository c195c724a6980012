import { hasIdForm } from "../../core/catalog/schema-keywords.js";
import type { Vocabulary } from "../../core/catalog/types.js";
import { LIMITS } from "../../core/limits.js";
import type { TermContent } from "../../core/term.js";
import {
  AuthorityAwayError,
  AWAY_REASONS,
  type LiveAuthorities,
  type LiveAuthority,
} from "../../ports/live-authorities.js";
import type { TermReader, TermReference } from "../../ports/store.js";
import type { LookedUp } from "../api/prepare-services.js";
import type { Deps } from "../context/deps.js";
import { liveContent } from "./live-content.js";

/** A term that an authority has and the vocabulary has not. */
export interface FoundTerm {
  readonly vocabulary: string;
  readonly content: TermContent;
}

/** What authorities said. */
export interface AskedTerms {
  /** In an order in which they can be added: a successor stands before what it replaced. */
  readonly found: readonly FoundTerm[];
  /** Of each id that was asked for. */
  readonly lookedUp: readonly LookedUp[];
}

type AskDeps = Pick<Deps, "catalog" | "live" | "background"> & {
  readonly store: { readonly terms: Pick<TermReader, "get"> };
};

/**
 * Asks authorities for ids that no term has: those of the right form, of vocabularies whose authority is enabled. What
 * was removed from a vocabulary is not asked for. Nothing is written. It never fails because of an authority.
 */
export async function askForTerms(deps: AskDeps, unknown: readonly TermReference[]): Promise<AskedTerms> {
  const asked: Question[] = [];
  for (const reference of unknown) {
    const question = questionOf(deps, reference);
    if (question === undefined) continue;
    const isNew = (await deps.store.terms.get(reference.vocabulary, reference.id)) === undefined;
    if (isNew) asked.push(question);
  }
  const answers = await Promise.all(
    asked.map((question, i) => (i < LIMITS.lookupIdsMax ? ask(deps, question) : leftOut(question))),
  );
  const found = new Map<string, FoundTerm>();
  for (const { terms } of answers) for (const term of terms) found.set(`${term.vocabulary} ${term.content.id}`, term);
  return { found: [...found.values()], lookedUp: answers.map(({ said }) => said) };
}

/** The authority that is asked for terms of a vocabulary; undefined: none is. */
export function authorityOf(live: LiveAuthorities, { authority }: Vocabulary): LiveAuthority | undefined {
  return authority === undefined ? undefined : live.get(authority);
}

interface Question {
  readonly authority: LiveAuthority;
  readonly vocabulary: Vocabulary;
  readonly id: string;
}

function questionOf({ catalog, live }: AskDeps, { vocabulary: name, id }: TermReference): Question | undefined {
  const vocabulary = catalog.vocabularies.get(name);
  const authority = vocabulary && authorityOf(live, vocabulary);
  if (vocabulary === undefined || authority === undefined) return undefined;
  return hasIdForm(vocabulary, id) && authority.hasForm(id) ? { authority, vocabulary, id } : undefined;
}

interface Answer {
  readonly terms: readonly FoundTerm[];
  readonly said: LookedUp;
}

async function ask(deps: AskDeps, question: Question): Promise<Answer> {
  const { authority, vocabulary, id } = question;
  const said = { vocabulary: vocabulary.name, id, authority: authority.title };
  try {
    const content = await find(deps, question);
    if (content === undefined) return { terms: [], said: { ...said, outcome: "missing" } };
    const successor = await successorOf(deps, question, content);
    const terms = [...(successor === undefined ? [] : [successor]), content];
    return {
      terms: terms.map((each) => ({ vocabulary: vocabulary.name, content: each })),
      said: { ...said, outcome: "found" },
    };
  } catch (error) {
    if (!(error instanceof AuthorityAwayError)) throw error;
    return { terms: [], said: { ...said, outcome: "away", reason: AWAY_REASONS[error.reason] } };
  }
}

/** @throws AuthorityAwayError */
async function find(
  { background }: AskDeps,
  { authority, vocabulary, id }: Question,
): Promise<TermContent | undefined> {
  const answer = await authority.find(id);
  if (answer.kind === "missing") return undefined;
  const content = liveContent(vocabulary, answer.item);
  if (!("reason" in content)) return content;
  const error = new AuthorityAwayError("unreadable", 0, `${id} of ${authority.title}: ${content.reason}`);
  background.onBackgroundError(`lookup-${authority.name}`, error);
  throw error;
}

/** The term that replaced one, where that is not there yet; it is asked for only once, whatever replaced it in turn. */
async function successorOf(
  deps: AskDeps,
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

function leftOut({ authority, vocabulary, id }: Question): Answer {
  const reason = `is asked for ${LIMITS.lookupIdsMax} ids of a record at a time`;
  return { terms: [], said: { vocabulary: vocabulary.name, id, authority: authority.title, outcome: "away", reason } };
}
