import type { Actor } from "../../core/actor.js";
import type { Vocabulary } from "../../core/catalog/types.js";
import { addAll } from "../../core/collections.js";
import { BinderyError, fail } from "../../core/errors.js";
import type { Issue, Warning } from "../../core/issue.js";
import { LIMITS } from "../../core/limits.js";
import { requireTermWrite } from "../../core/may.js";
import type { TermContent } from "../../core/term.js";
import { parseStoredTerm, titleIn } from "../../core/terms/term-row.js";
import type { TermReader } from "../../ports/store.js";
import { type MatchableValues, matchableValues } from "../../query/ranking/matching-value.js";
import { typosMax } from "../../query/ranking/typed-words.js";
import { makeEditTest } from "../../query/text/edit-distance.js";
import type { Conditions, ValidationResult } from "../api/records.js";
import type { TermDetails } from "../api/vocabularies.js";
import type { Deps } from "../context/deps.js";
import { findVocabulary } from "../context/find-model.js";
import { emptyIfUnavailable } from "../context/index-availability.js";
import { requireTermRoom } from "../context/quotas.js";
import { parseEarly } from "../context/run-write.js";
import { useCase } from "../context/use-case.js";
import { makeIssue } from "../input/issues.js";
import { checkTargets, readTermBody } from "./term-body.js";

/**
 * Adds a term to a vocabulary; `warnings` lists similar terms. With the id of a deleted term, revisions continue.
 * @throws TERM_EXISTS
 */
export const createTerm = useCase({ thread: "writer" }, (deps) => {
  const { runWrite, catalog } = deps;
  return async (
    actor: Actor,
    name: string,
    body: string,
    { once }: Conditions = {},
  ): Promise<TermDetails & Pick<ValidationResult, "warnings">> => {
    const vocabulary = findVocabulary(catalog, name);
    requireTermWrite(actor, vocabulary, "add");
    const parse = parseEarly(() => readTermBody(vocabulary, body));
    const content = contentIfValid(parse);
    const warnings = content === undefined ? [] : await warnOfSimilarTerms(deps, vocabulary, content);
    return runWrite({ actor, once }, async (tx, note) => {
      const content = markUnconfirmed(actor, parse());
      const stored = await idInUse(tx.terms, name, content.id);
      if (stored !== undefined) throw fail("TERM_EXISTS", { vocabulary: name, id: content.id, stored });
      await requireTermRoom(deps.quotas, tx.history, actor);
      await checkTargets(tx.terms, vocabulary, content, {});
      await tx.terms.put(name, content);
      const written = (await tx.terms.getExact(name, content.id))!;
      const { id } = content;
      const { revision } = written.term;
      await note({ action: "term.put", kind: "term", place: name, id, revision });
      await tx.history.add(actor, { vocabulary: name, id }, { revision, action: "created", fields: [] });
      return { ...written, edited: [], warnings };
    });
  };
});

/** Marks an active term that a depositor adds as unconfirmed, so that a curator sees it. */
function markUnconfirmed(actor: Actor, { confirmed: _, ...content }: TermContent): TermContent {
  const isUnconfirmed = actor.kind === "user" && actor.role === "depositor" && content.status === "active";
  return { ...content, ...(isUnconfirmed ? { confirmed: false } : {}) };
}

function contentIfValid(parse: () => TermContent): TermContent | undefined {
  try {
    return parse();
  } catch {
    // The transaction parses again and reports the error, after it has checked that the caller may write.
    return undefined;
  }
}

/** Returns the id of the term that an id leads to: directly, in other capitals, or as an alias; undefined if none. */
async function idInUse(terms: TermReader, vocabulary: string, id: string): Promise<string | undefined> {
  const lookup = await terms.get(vocabulary, id);
  if (lookup?.kind === "found") return lookup.term.id;
  if (lookup?.kind === "moved") return (await terms.getExact(vocabulary, id))?.term.id ?? lookup.to;
  return undefined;
}

/** Validates a term like a new one; stores nothing. Needs the right to add terms. */
export const validateTerm = useCase(
  // It looks for items that are alike.
  { thread: "search" },
  (deps) => {
    const { store, catalog } = deps;
    return async (actor: Actor, name: string, body: string): Promise<Omit<ValidationResult, "metadata">> => {
      const vocabulary = findVocabulary(catalog, name);
      requireTermWrite(actor, vocabulary, "add");
      const errors: Issue[] = [];
      let warnings: readonly Warning[] = [];
      try {
        const content = readTermBody(vocabulary, body);
        const stored = await idInUse(store.terms, name, content.id);
        if (stored !== undefined) errors.push(idInUseIssue(content.id, stored));
        warnings = await warnOfSimilarTerms(deps, vocabulary, content);
        await checkTargets(store.terms, vocabulary, content, {});
      } catch (error) {
        if (!(error instanceof BinderyError) || error.code !== "BODY_INVALID") throw error;
        addAll(errors, error.issues);
      }
      return { errors, warnings };
    };
  },
);

const idInUseIssue = (id: string, stored: string): Issue =>
  makeIssue(["id"], "TERM_INVALID", [`The vocabulary already has "${stored}"; change it with PUT.`], { value: id });

type Value = MatchableValues["titles"][number];

/** Maximum number of titles and identifiers that are looked up. Each costs a search. */
const LOOKUPS_MAX = 5;

/** Maximum number of terms found by one of them that are compared. */
const COMPARED_MAX = 10;

/**
 * Warns of terms that may be the same as a new one: with the same identifier, with its title as title or synonym, or
 * with a title that differs by typos. A search that takes too long adds no warning.
 */
async function warnOfSimilarTerms(
  { index }: Pick<Deps, "index">,
  vocabulary: Vocabulary,
  content: TermContent,
): Promise<readonly Warning[]> {
  const newValues = matchableValues(content, vocabulary);
  const [lang = "en"] = vocabulary.languages;
  const page = { offset: 0, limit: COMPARED_MAX };
  const warnings = new Map<string, Warning>();
  for (const { text } of valuesToLookUp(newValues).slice(0, LOOKUPS_MAX)) {
    const search = { vocabulary: vocabulary.name, text, facets: [], lang, page };
    const { hits } = await index.suggestTerms(search).catch(emptyIfUnavailable);
    for (const { id, json } of hits) {
      if (id === content.id || warnings.has(id) || warnings.size >= LIMITS.nearestMax) continue;
      const other = parseStoredTerm<TermContent>({ id, json });
      const similarity = findSimilarity(newValues, matchableValues(other, vocabulary));
      if (similarity === undefined) continue;
      const title = titleIn(other.title, lang, vocabulary);
      const { field, text: value, reason } = similarity;
      const message = `The vocabulary already has "${id}" (${title}), ${reason}. Is it the same?`;
      warnings.set(id, { code: "TERM_ALIKE", message, field, value, nearest: [{ id, title }] });
    }
  }
  return [...warnings.values()];
}

const identifiersOf = ({ ids: [_id, ...identifiers] }: MatchableValues): readonly Value[] => identifiers;

const valuesToLookUp = (values: MatchableValues): readonly Value[] =>
  [...identifiersOf(values), ...values.titles].filter(({ words }) => words.length > 0);

/** Returns the value of a term that another term has too, or nearly, with the strongest reason. */
function findSimilarity(a: MatchableValues, b: MatchableValues): (Value & { readonly reason: string }) | undefined {
  const find = (valuesOfA: readonly Value[], valuesOfB: readonly Value[], test: (a: string, b: string) => boolean) =>
    valuesOfA.find(
      ({ words }) => words.length > 0 && valuesOfB.some((other) => test(words.join(" "), other.words.join(" "))),
    );
  const isSame = (a: string, b: string): boolean => a === b;
  const identifier = find(identifiersOf(a), b.ids, isSame);
  if (identifier !== undefined) return { ...identifier, reason: `with the same identifier "${identifier.text}"` };
  const title = find(a.titles, [...b.titles, ...b.names], isSame);
  if (title !== undefined) return { ...title, reason: "with the same title or synonym" };
  const near = find(a.titles, b.titles, isNear);
  return near && { ...near, reason: "with a similar title" };
}

/** Returns whether two texts differ by typos only. Different numbers are not typos. */
function isNear(a: string, b: string): boolean {
  const edits = typosMax(a);
  const digitsOf = (text: string): string => text.replace(/\P{N}+/gu, " ");
  return edits > 0 && digitsOf(a) === digitsOf(b) && makeEditTest(a, edits)(b);
}
