/**
 * The column `answer.outcome`. The text of an answer about a record begins with the record: an index over the first
 * characters finds the answers about it, and a store dump needs no further column.
 */
import { type JsonObject, storedDamaged, storedObject } from "../../core/json.js";
import type { AnswerSubject, KeptAnswer } from "../../ports/store.js";

/** The expression of the index `answer_about`, which statements must repeat. It is valid in both engines. */
export const ABOUT = "substr(outcome, 1, 64)";

const SUBJECT = "The kept answer of the Idempotency-Key";

const ABOUT_PREFIX = '{"about":';

const aboutText = ({ id, state }: AnswerSubject): string => `${state}:${id}`;

/** Returns the text of an outcome. If it is about no record, the outcome is the whole text, as in earlier versions. */
export function outcomeText({ about, outcome }: Omit<KeptAnswer, "request">): string {
  return JSON.stringify(about === undefined ? outcome : { about: aboutText(about), outcome });
}

/**
 * Parses a row. @throws BinderyError STORE_DAMAGED. A damaged answer is kept, because otherwise the write would be
 * repeated.
 */
export function keptAnswer(
  { request, outcome }: { readonly request: string; readonly outcome: string },
  key: string,
): KeptAnswer {
  const value = storedObject<JsonObject>(outcome, SUBJECT, key);
  if (!outcome.startsWith(ABOUT_PREFIX)) return { request, outcome: value };
  const { about, outcome: kept } = value;
  if (typeof about !== "string" || kept === undefined) throw storedDamaged(SUBJECT, key, "it names no record");
  const [state, id] = about.split(":") as [AnswerSubject["state"], string];
  return { request, about: { id, state }, outcome: kept };
}

/** Returns the least value of `ABOUT` for answers about a record, and the least value greater than all of them. */
export function aboutRange(about: AnswerSubject): readonly [from: string, below: string] {
  const start = `${ABOUT_PREFIX}${JSON.stringify(aboutText(about))}`;
  return [`${start},`, `${start}-`];
}
