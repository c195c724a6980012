import type { AuditAction, AuditEntry } from "../../core/audit-entry.js";
import type { Vocabulary } from "../../core/catalog/types.js";
import type { StoredTerm, TermContent } from "../../core/term.js";
import type { WriteTransaction } from "../../ports/store.js";
import type { WrittenTerm } from "../api/vocabulary-services.js";
import { checkTargets } from "./read-term-body.js";

/** The transaction in which an item is written, and its audit log. */
export interface TermWriting {
  readonly tx: Pick<WriteTransaction, "terms">;
  note(entry: AuditEntry): Promise<void>;
}

/**
 * Puts another content in the place of an item's, and notes it where it is another one.
 * @throws BODY_INVALID where its parent or successor is not there
 */
export async function writeTerm(
  { tx, note }: TermWriting,
  vocabulary: Vocabulary,
  before: StoredTerm,
  content: TermContent,
  action: AuditAction = "term.put",
): Promise<WrittenTerm> {
  const { name } = vocabulary;
  await checkTargets(tx.terms, vocabulary, content, targetsOf(before.json));
  const outcome = await tx.terms.put(name, content);
  const written = (await tx.terms.getExact(name, content.id))!;
  const { revision } = written.term;
  if (outcome !== "unchanged") await note({ action, kind: "term", place: name, id: content.id, revision });
  return written;
}

function targetsOf(json: string): { readonly parent?: string; readonly replaced_by?: string } {
  const { parent, replaced_by } = JSON.parse(json) as {
    readonly parent?: { readonly id: string };
    readonly replaced_by?: string;
  };
  return {
    ...(parent === undefined ? {} : { parent: parent.id }),
    ...(replaced_by === undefined ? {} : { replaced_by }),
  };
}
