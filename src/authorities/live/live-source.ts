/** Addresses and answers of an authority for live look-ups. Nothing here opens a connection. */

import type { LiveAuthorityName } from "../../core/background.js";
import { isObject, type Json, type JsonObject } from "../../core/json.js";
import type { DumpEntry, LivePage, LiveTerm } from "../../ports/authorities.js";

/** A deliberate answer of an authority: 200, or a refusal that says that there is no such thing. */
export interface JsonAnswer {
  readonly status: 200 | 400 | 404;
  readonly body: Json;
}

/**
 * Reads JSON of the authority.
 * @param path steps below its address; they are encoded, so that no id leads to another place
 * @throws WrongAnswer, AuthorityUnavailableError, PassingFailure
 */
export type GetJson = (
  path: readonly string[],
  query?: Readonly<Record<string, string | number>>,
) => Promise<JsonAnswer>;

/** Data that identifies the service to authorities that require it. */
export interface Introduction {
  /** Address of the operator; "" if it is not configured. */
  readonly email: string;
}

/** Requests to an authority for single terms, and the mapping of its answers. */
export interface LiveSource {
  readonly name: LiveAuthorityName;
  /** Name of the authority for people. */
  readonly title: string;
  /** Ids of its terms in vocabularies. */
  readonly ids: RegExp;
  /** Number of requests that it allows per second. */
  readonly perSecond: number;
  find(get: GetJson, id: string, us: Introduction): Promise<LiveTerm>;
  /** Searches terms. @param page from 1, of `LIMITS.lookupPageSize` terms */
  search(get: GetJson, text: string, page: number, us: Introduction): Promise<LivePage>;
}

/** An answer that differs from the documentation of the authority. */
export class WrongAnswer extends Error {
  override readonly name = "WrongAnswer";
}

/** Answer for an id that the authority does not have. */
export const MISSING_TERM: LiveTerm = { kind: "missing" };
/** Answer for a search without hits. */
export const EMPTY_LIVE_PAGE: LivePage = { items: [], total: 0 };

/** Returns the object of an answer. @throws WrongAnswer */
export function parseObject({ body }: Pick<JsonAnswer, "body">): JsonObject {
  if (!isObject(body)) throw new WrongAnswer("the answer is no JSON object");
  return body;
}

/** Returns a number of hits, which authorities write as a number or as text. @throws WrongAnswer */
export function parseCount(value: Json | undefined, name: string): number {
  const count = typeof value === "string" && value !== "" ? Number(value) : value;
  if (typeof count === "number" && Number.isSafeInteger(count) && count >= 0) return count;
  throw new WrongAnswer(`"${name}" is no number of hits`);
}

/** Returns the term that a mapper of dumps made of one record. @throws WrongAnswer if there is none */
export function requireTerm(entry: DumpEntry): JsonObject {
  if ("item" in entry) return entry.item;
  throw new WrongAnswer("reason" in entry ? entry.reason : "it is no item");
}

/** Returns the terms of a list; invalid entries do not affect the others. */
export const selectTerms = (entries: readonly DumpEntry[]): readonly JsonObject[] =>
  entries.flatMap((entry) => ("item" in entry ? [entry.item] : []));

/** Returns an id without its prefix, as the authority writes it. */
export const bareId = (id: string): string => id.slice(id.indexOf(":") + 1);

/** Place for mappers of dumps, which an answer does not have. */
export const NO_PLACE = { part: "", line: 1 };
