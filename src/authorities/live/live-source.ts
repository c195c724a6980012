/** How one authority is asked: addresses, and what its answers mean. Nothing here opens a connection. */

import type { LiveAuthorityName } from "../../core/background.js";
import { isObject, type Json, type JsonObject } from "../../core/json.js";
import type { DumpEntry } from "../../ports/authorities.js";
import type { LiveItem, LivePage } from "../../ports/live-authorities.js";

/** An answer that an authority gave on purpose: 200, or a refusal that says that there is no such thing. */
export interface JsonAnswer {
  readonly status: 200 | 400 | 404;
  readonly body: Json;
}

/**
 * Reads JSON of the authority.
 * @param path steps below its address; they are encoded, so that no id leaves its place
 * @throws WrongAnswer, AuthorityAwayError, PassingFailure
 */
export type GetJson = (
  path: readonly string[],
  query?: Readonly<Record<string, string | number>>,
) => Promise<JsonAnswer>;

/** What identifies the service to authorities, as they ask for it. */
export interface Introduction {
  /** Where the operator can be reached; "" if it is not said. */
  readonly email: string;
}

export interface LiveSource {
  readonly name: LiveAuthorityName;
  /** As the authority calls itself. */
  readonly title: string;
  /** Ids of items as vocabularies have them. */
  readonly ids: RegExp;
  /** Requests that it allows in a second. */
  readonly perSecond: number;
  find(get: GetJson, id: string, us: Introduction): Promise<LiveItem>;
  /** @param page from 1, of `LIMITS.lookupPageSize` items */
  search(get: GetJson, text: string, page: number, us: Introduction): Promise<LivePage>;
}

/** An answer that is not what the authority documents. */
export class WrongAnswer extends Error {
  override readonly name = "WrongAnswer";
}

export const MISSING: LiveItem = { kind: "missing" };
export const NOTHING: LivePage = { items: [], total: 0 };

/** The object that an answer is. @throws WrongAnswer */
export function objectIn({ body }: Pick<JsonAnswer, "body">): JsonObject {
  if (!isObject(body)) throw new WrongAnswer("the answer is no JSON object");
  return body;
}

/** A number of hits; authorities write it as a number or as text. @throws WrongAnswer */
export function countIn(value: Json | undefined, name: string): number {
  const count = typeof value === "string" && value !== "" ? Number(value) : value;
  if (typeof count === "number" && Number.isSafeInteger(count) && count >= 0) return count;
  throw new WrongAnswer(`"${name}" is no number of hits`);
}

/** What a mapper of dumps made of one record. @throws WrongAnswer where it is no item */
export function itemOf(entry: DumpEntry): JsonObject {
  if ("item" in entry) return entry.item;
  throw new WrongAnswer("reason" in entry ? entry.reason : "it is no item");
}

/** Those of a list that are items; what is none is no fault of the others. */
export const itemsOf = (entries: readonly DumpEntry[]): readonly JsonObject[] =>
  entries.flatMap((entry) => ("item" in entry ? [entry.item] : []));

/** The id as the authority has it: behind the prefix. */
export const bareId = (id: string): string => id.slice(id.indexOf(":") + 1);

/** What mappers of dumps need of a place; an answer has none. */
export const NO_PLACE = { part: "", line: 1 };
