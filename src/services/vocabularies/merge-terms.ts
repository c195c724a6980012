import type { Actor } from "../../core/actor.js";
import type { Vocabulary } from "../../core/catalog/types.js";
import { type BinderyError, fail } from "../../core/errors.js";
import { LIMITS } from "../../core/limits.js";
import { requireTermWrite } from "../../core/may.js";
import type { StoredTerm, TermContent } from "../../core/term.js";
import { parseStoredTerm } from "../../core/terms/term-row.js";
import type { TermReader } from "../../ports/store.js";
import type { Conditions } from "../api/records.js";
import type { TermAddress, WrittenTerm } from "../api/vocabularies.js";
import { parseEarly } from "../context/before-transaction.js";
import { findVocabulary } from "../context/find-model.js";
import { useCase } from "../context/use-case.js";
import { makeIssue } from "../input/issues.js";
import { readMembers, readText } from "../input/read-json.js";
import { contentOfTerm, findTermToWrite, type TermWriting, writeTerm } from "./change-terms.js";

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
    ): Promise<WrittenTerm> => {
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
