/**
 * The text of `answer.outcome`. That of an answer about a record begins with the record: an index over the first
 * characters finds the answers about it, and a dump of the store needs no other value.
 */
import { type JsonObject, storedDamaged, storedObject } from "../../core/json.js";
import type { AnswerSubject, KeptAnswer } from "../../ports/store.js";

/** The expression of the index `answer_about`, which statements must repeat. Both engines understand it. */
export const ABOUT = "substr(outcome, 1, 64)";

const SUBJECT = "The kept answer of the Idempotency-Key";

const BEGINNING = '{"about":';

const aboutText = ({ id, state }: AnswerSubject): string => `${state}:${id}`;

/** Returns the text of an outcome. One about no record has no member beside it, as before there was `about`. */
export function outcomeText({ about, outcome }: Omit<KeptAnswer, "request">): string {
  return JSON.stringify(about === undefined ? outcome : { about: aboutText(about), outcome });
}

/** @throws BinderyError STORE_DAMAGED. A damaged answer is not forgotten: the write would be repeated. */
export function keptAnswer(
  { request, outcome }: { readonly request: string; readonly outcome: string },
  key: string,
): KeptAnswer {
  const value = storedObject<JsonObject>(outcome, SUBJECT, key);
  if (!outcome.startsWith(BEGINNING)) return { request, outcome: value };
  const { about, outcome: kept } = value;
  if (typeof about !== "string" || kept === undefined) throw storedDamaged(SUBJECT, key, "it names no record");
  const [state, id] = about.split(":") as [AnswerSubject["state"], string];
  return { request, about: { id, state }, outcome: kept };
}

/** Returns the least value of `ABOUT` that an answer about a record has, and the least one above all of them. */
export function aboutRange(about: AnswerSubject): readonly [from: string, below: string] {
  const start = `${BEGINNING}${JSON.stringify(aboutText(about))}`;
  return [`${start},`, `${start}-`];
}
