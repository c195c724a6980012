import type { Actor } from "../../core/actor.js";
import type { AuditEntry } from "../../core/audit-entry.js";
import { changedFields } from "../../core/catalog/merge-term.js";
import type { Vocabulary } from "../../core/catalog/types.js";
import type { StoredTerm, TermContent } from "../../core/term.js";
import type { WriteTransaction } from "../../ports/store.js";
import type { TermAction } from "../../ports/term-history.js";
import type { WrittenTerm } from "../api/vocabulary-services.js";
import { contentOfTerm } from "./find-term-to-write.js";
import { checkTargets } from "./read-term-body.js";

/** The transaction in which an item is written, who writes it, and the audit log. */
export interface TermWriting {
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
 * Puts another content in the place of an item's, and notes it where it is another one. Whether the item waits for a
 * curator is not for the content to say: only confirming and deprecating it ends that.
 * @throws BODY_INVALID where its parent or successor is not there
 */
export async function writeTerm(
  { tx, actor, note }: TermWriting,
  vocabulary: Vocabulary,
  stored: StoredTerm,
  { confirmed: _, ...said }: TermContent,
  action: keyof typeof HISTORY_ACTIONS = "term.put",
): Promise<WrittenTerm> {
  const { name } = vocabulary;
  const before = contentOfTerm(vocabulary, stored);
  const waits = before.confirmed === false && action !== "term.confirm" && said.status === "active";
  const content: TermContent = { ...said, ...(waits ? { confirmed: false } : {}) };
  const { id } = content;
  await checkTargets(tx.terms, vocabulary, content, before);
  const outcome = await tx.terms.put(name, content);
  const written = (await tx.terms.getExact(name, id))!;
  const { revision } = written.term;
  if (outcome !== "unchanged") {
    await note({ action, kind: "term", place: name, id, revision });
    const fields = changedFields(before, content);
    await tx.history.add(actor, { vocabulary: name, id }, { revision, action: HISTORY_ACTIONS[action], fields });
  }
  return { ...written, edited: await tx.history.edited(name, id) };
}
