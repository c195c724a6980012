import type { Actor } from "../../core/actor.js";
import type { AuditEntry } from "../../core/audit-entry.js";
import { changedFields } from "../../core/catalog/patch-term.js";
import type { Vocabulary } from "../../core/catalog/types.js";
import { type BinderyError, fail } from "../../core/errors.js";
import { type JsonObject, mergePatch } from "../../core/json.js";
import { LIMITS } from "../../core/limits.js";
import { requireTermWrite } from "../../core/may.js";
import type { StoredTerm, TermContent } from "../../core/term.js";
import { parseStoredTerm } from "../../core/terms/term-row.js";
import type { TermReader, WriteTransaction } from "../../ports/store.js";
import type { TermAction } from "../../ports/terms.js";
import type { Conditions } from "../api/records.js";
import type { TermAddress, TermDetails } from "../api/vocabularies.js";
import { findVocabulary } from "../context/find-model.js";
import { checkRevision, parseEarly } from "../context/run-write.js";
import { useCase } from "../context/use-case.js";
import { checkBody } from "../input/check-body.js";
import { makeIssue } from "../input/issues.js";
import { readJson, readMembers, readText } from "../input/read-json.js";
import { checkTargets, checkTermValue, readTermBody } from "./term-body.js";

/** Replaces the content of a term. The same content makes no revision. */
export const replaceTerm = useCase(
  { thread: "writer" },
  ({ runWrite, catalog }) =>
    async (
      actor: Actor,
      address: TermAddress,
      body: string,
      { revision: expectedRevision }: Conditions = {},
    ): Promise<TermDetails> => {
      const vocabulary = findVocabulary(catalog, address.vocabulary);
      requireTermWrite(actor, vocabulary, "change");
      const parse = parseEarly(() => readTermBody(vocabulary, body, address.id));
      return runWrite({ actor }, async (tx, note) => {
        const stored = await findTermToWrite(tx.terms, address, expectedRevision);
        return writeTerm({ tx, actor, note }, vocabulary, stored, parse());
      });
    },
);

/**
 * Changes fields of a term. A patch without effect makes no new revision.
 * @param body a JSON merge patch (RFC 7396) of the term
 */
export const patchTerm = useCase(
  { thread: "writer" },
  ({ runWrite, catalog }) =>
    async (
      actor: Actor,
      address: TermAddress,
      body: string,
      { revision: expectedRevision }: Conditions = {},
    ): Promise<TermDetails> => {
      const vocabulary = findVocabulary(catalog, address.vocabulary);
      requireTermWrite(actor, vocabulary, "change");
      const parse = parseEarly(() => {
        const patch = readJson(body);
        checkBody(patch);
        return patch;
      });
      return runWrite({ actor }, async (tx, note) => {
        const stored = await findTermToWrite(tx.terms, address, expectedRevision);
        const patched = mergePatch(parseStoredTerm<JsonObject>(stored), parse());
        return writeTerm({ tx, actor, note }, vocabulary, stored, checkTermValue(vocabulary, patched, address.id));
      });
    },
);

/** Confirms a term that a depositor added; for curators. A confirmed term does not change. */
export const confirmTerm = useCase(
  { thread: "writer" },
  ({ runWrite, catalog }) =>
    async (
      actor: Actor,
      address: TermAddress,
      { revision: expectedRevision, once }: Conditions = {},
    ): Promise<TermDetails> => {
      const vocabulary = findVocabulary(catalog, address.vocabulary);
      requireTermWrite(actor, vocabulary, "change");
      return runWrite({ actor, once }, async (tx, note) => {
        const stored = await findTermToWrite(tx.terms, address, expectedRevision);
        const { confirmed: _, ...content } = contentOfTerm(vocabulary, stored);
        return writeTerm({ tx, actor, note }, vocabulary, stored, content, "term.confirm");
      });
    },
);

/**
 * Deletes a term without citations and children. Requests for its id are then answered with "gone".
 * @throws TERM_CITED, TERM_HAS_CHILDREN
 */
export const deleteTerm = useCase(
  { thread: "writer" },
  ({ runWrite, catalog }) =>
    async (actor: Actor, address: TermAddress, { revision: expectedRevision }: Conditions = {}): Promise<void> => {
      const vocabulary = findVocabulary(catalog, address.vocabulary);
      requireTermWrite(actor, vocabulary, "delete");
      await runWrite({ actor }, async (tx, note) => {
        const { id, revision } = await findTermToWrite(tx.terms, address, expectedRevision);
        const { name } = vocabulary;
        const count = await tx.terms.citations(name, id);
        if (count > 0) throw fail("TERM_CITED", { vocabulary: name, id, count });
        const children = await tx.terms.children(name, id);
        if (children > 0) throw fail("TERM_HAS_CHILDREN", { vocabulary: name, id, children });
        await tx.terms.delete(name, id);
        await note({ action: "term.delete", kind: "term", place: name, id, revision });
        await tx.history.add(actor, { vocabulary: name, id }, { revision, action: "removed", fields: [] });
      });
    },
);

/** The transaction that writes a term, with the user and the audit log. */
interface TermWriting {
  readonly tx: Pick<WriteTransaction, "terms" | "history">;
  readonly actor: Actor;
  note(entry: AuditEntry): Promise<void>;
}

const HISTORY_ACTIONS = {
  "term.put": "changed",
  "term.merge": "merged",
  "term.confirm": "confirmed",
} as const satisfies Partial<Record<AuditEntry["action"], TermAction>>;

/**
 * Replaces the content of a term, and logs a change. `confirmed` of the content is ignored: an unconfirmed term stays
 * unconfirmed until it is confirmed or deprecated.
 * @throws BODY_INVALID if its parent or successor does not exist
 */
export async function writeTerm(
  { tx, actor, note }: TermWriting,
  vocabulary: Vocabulary,
  stored: StoredTerm,
  { confirmed: _, ...newContent }: TermContent,
  action: keyof typeof HISTORY_ACTIONS = "term.put",
): Promise<TermDetails> {
  const { name } = vocabulary;
  const oldContent = contentOfTerm(vocabulary, stored);
  const isUnconfirmed = oldContent.confirmed === false && action !== "term.confirm" && newContent.status === "active";
  const content: TermContent = { ...newContent, ...(isUnconfirmed ? { confirmed: false } : {}) };
  const { id } = content;
  await checkTargets(tx.terms, vocabulary, content, oldContent);
  const outcome = await tx.terms.put(name, content);
  const written = (await tx.terms.getExact(name, id))!;
  const { revision } = written.term;
  if (outcome !== "unchanged") {
    await note({ action, kind: "term", place: name, id, revision });
    const fields = changedFields(oldContent, content);
    await tx.history.add(actor, { vocabulary: name, id }, { revision, action: HISTORY_ACTIONS[action], fields });
  }
  return { ...written, edited: await tx.history.edited(name, id) };
}

/**
 * Returns the term with exactly this id, even if it was replaced, so that a replacement by mistake can be undone.
 * @throws TERM_NOT_FOUND, also for an alias; TERM_GONE, REVISION_STALE
 */
async function findTermToWrite(
  terms: TermReader,
  { vocabulary, id }: TermAddress,
  expectedRevision: Conditions["revision"],
): Promise<StoredTerm> {
  const lookup = await terms.getExact(vocabulary, id);
  if (lookup === undefined) {
    const isGone = (await terms.get(vocabulary, id))?.kind === "gone";
    throw isGone ? fail("TERM_GONE", { vocabulary, id }) : fail("TERM_NOT_FOUND", { vocabulary, id });
  }
  checkRevision(lookup.term, expectedRevision);
  return lookup.term;
}

/** Returns the content of a stored term, without the fields that are computed. */
const contentOfTerm = (vocabulary: Vocabulary, term: StoredTerm): TermContent =>
  checkTermValue(vocabulary, parseStoredTerm<JsonObject>(term), term.id);

/**
 * Merges a term into another one: deprecates it, and moves its children to the other one.
 * @param body `{"into": <id>}`: the term that replaces this one. @throws TERM_HAS_CHILDREN
 */
export const mergeTerm = useCase(
  { thread: "writer" },
  ({ runWrite, catalog }) =>
    async (
      actor: Actor,
      address: TermAddress,
      body: string,
      { revision: expectedRevision, once }: Conditions = {},
    ): Promise<TermDetails> => {
      const vocabulary = findVocabulary(catalog, address.vocabulary);
      requireTermWrite(actor, vocabulary, "change");
      const parse = parseEarly(() => readInto(body));
      return runWrite({ actor, once }, async (tx, note) => {
        const stored = await findTermToWrite(tx.terms, address, expectedRevision);
        const into = await findTarget(tx.terms, vocabulary, stored, parse());
        const writing = { tx, actor, note };
        await moveChildren(writing, vocabulary, stored, into);
        const merged: TermContent = { ...contentOfTerm(vocabulary, stored), status: "deprecated", replaced_by: into };
        return writeTerm(writing, vocabulary, stored, merged, "term.merge");
      });
    },
);

const INTO = '"into" must be the id of the term that replaces this one.';

function readInto(body: string): string {
  const { members, issues } = readMembers(body, ["into"], []);
  const into = readText(members, "into", INTO);
  const allIssues = typeof into === "string" ? issues : [...issues, into];
  if (typeof into !== "string" || allIssues.length > 0) throw fail("BODY_INVALID", { issues: allIssues });
  return into;
}

/** Returns the current id of the term to merge into. @throws BODY_INVALID if it is unknown, deprecated or below `id` */
async function findTarget(terms: TermReader, { name }: Vocabulary, { id }: StoredTerm, into: string): Promise<string> {
  const lookup = await terms.get(name, into);
  if (lookup === undefined || lookup.kind === "gone") {
    throw wrongTarget("TERM_UNKNOWN", `The vocabulary ${name} has no term "${into}".`, into);
  }
  const placed = lookup.kind === "moved" ? await terms.getExact(name, lookup.to) : lookup;
  const target = placed!.term.id;
  if (target === id) throw wrongTarget("TERM_INVALID", `"${into}" leads to "${id}", the term that is merged.`, into);
  if (placed!.ancestors.some((ancestor) => ancestor.id === id)) {
    throw wrongTarget("TERM_INVALID", `"${into}" is a descendant of "${id}"; merge into a term that is not.`, into);
  }
  if (parseStoredTerm<TermContent>(placed!.term).status === "deprecated") {
    throw wrongTarget("TERM_INVALID", `"${target}" is deprecated; merge into a term that is active.`, into);
  }
  return target;
}

const wrongTarget = (code: "TERM_UNKNOWN" | "TERM_INVALID", message: string, value: string): BinderyError =>
  fail("BODY_INVALID", { issues: [makeIssue(["into"], code, [message], { value })] });

/** Moves the children of a term. @throws TERM_HAS_CHILDREN if there are too many for one transaction */
async function moveChildren(
  writing: TermWriting,
  vocabulary: Vocabulary,
  { id }: StoredTerm,
  parent: string,
): Promise<void> {
  const { tx } = writing;
  const { name } = vocabulary;
  const children = await tx.terms.children(name, id);
  if (children > LIMITS.mergeChildrenMax) throw fail("TERM_HAS_CHILDREN", { vocabulary: name, id, children });
  for (const child of await tx.terms.childIds(name, id)) {
    const { term } = (await tx.terms.getExact(name, child))!;
    await writeTerm(writing, vocabulary, term, { ...contentOfTerm(vocabulary, term), parent });
  }
}
