/**
 * The text of `answer.outcome`. That of an answer about a record begins with the record: an index over the first
 * characters finds the answers about it, and a dump of the store needs no other value.
 */
import type { Json } from "../../core/json.js";
import type { AnswerSubject, KeptAnswer } from "../../ports/store.js";

/** The expression of the index `answer_about`, which statements must repeat. Both engines understand it. */
export const ABOUT = "substr(outcome, 1, 64)";

const BEGINNING = '{"about":';

const aboutText = ({ id, state }: AnswerSubject): string => `${state}:${id}`;

/** Returns the text of an outcome. One about no record has no member beside it, as before there was `about`. */
export function outcomeText({ about, outcome }: Omit<KeptAnswer, "request">): string {
  return JSON.stringify(about === undefined ? outcome : { about: aboutText(about), outcome });
}

export function keptAnswer({ request, outcome }: { readonly request: string; readonly outcome: string }): KeptAnswer {
  const value = JSON.parse(outcome) as Json;
  if (!outcome.startsWith(BEGINNING)) return { request, outcome: value };
  const { about, outcome: kept } = value as { readonly about: string; readonly outcome: Json };
  const [state, id] = about.split(":") as [AnswerSubject["state"], string];
  return { request, about: { id, state }, outcome: kept };
}

/** Returns the least value of `ABOUT` that an answer about a record has, and the least one above all of them. */
export function aboutRange(about: AnswerSubject): readonly [from: string, below: string] {
  const start = `${BEGINNING}${JSON.stringify(aboutText(about))}`;
  return [`${start},`, `${start}-`];
}
