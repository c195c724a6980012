import { fail } from "./errors.js";
import type { Issue } from "./issue.js";
import { isObject, type JsonObject, storedDamaged, storedObject } from "./json.js";
import { LIMITS } from "./limits.js";
import type { AsCited } from "./term.js";

/** A draft may have problems and is seen by those entitled to it; a published record is public. */
export type RecordState = "draft" | "published";

/**
 * A record as clients see it, without `links` (made when it is read, so that a new public URL rewrites nothing)
 * and without `warnings` (said once, by the write that caused them).
 */
export interface RecordBody<Metadata = JsonObject> {
  readonly id: string;
  readonly model: string;
  /** ISO 8601 UTC with microseconds: `2026-11-21T10:00:00.123456+00:00`. */
  readonly created: string;
  readonly updated: string;
  /** From 1, one more for each stored change of anything the body shows. */
  readonly revision_id: number;
  readonly state: RecordState;
  readonly is_draft: boolean;
  readonly is_published: boolean;
  readonly parent: { readonly id: string; readonly owner: { readonly user: string } };
  readonly versions: { readonly index: number; readonly is_latest: boolean; readonly is_latest_draft: boolean };
  readonly files: { readonly enabled: boolean };
  readonly metadata: Metadata;
  /** Problems of a draft; absent where there are none. */
  readonly errors?: readonly Issue[];
  /** Of a published record: the terms that a refresh replaced, as they were cited; absent where there are none. */
  readonly as_cited?: readonly AsCited[];
}

/** A body without what its owner writes, and without what is said of that. */
export type RecordHead = Omit<RecordBody, "metadata" | "errors" | "as_cited">;

/** JSON text in the place of its value: what may be megabytes is neither parsed nor written out again. */
export class RawJson {
  constructor(readonly text: string) {}
}

/** The JSON text of a body. */
export function recordText(body: RecordBody<JsonObject | RawJson>): string {
  const { metadata } = body;
  if (!(metadata instanceof RawJson)) return JSON.stringify(body);
  const members = Object.entries(body).filter(([, value]) => value !== undefined);
  const texts = members.map(([key, value]) => `"${key}":${value === metadata ? metadata.text : JSON.stringify(value)}`);
  return `{${texts.join(",")}}`;
}

/**
 * What the text of a body says beside its metadata, its errors and `as_cited`, which are its last members: nothing that
 * a client writes stands before them.
 */
export function headOf({ id, json }: Pick<StoredRecord, "id" | "json">): RecordHead {
  return storedObject<RecordHead>(`${json.slice(0, startOfMetadata(json))}}`, "record", id);
}

/** The text of a body with another head before its metadata and what follows on them. */
export function withHead(json: string, head: RecordHead): string {
  return JSON.stringify(head).slice(0, -1) + json.slice(startOfMetadata(json));
}

/** Where the comma before the member stands. */
const startOfMetadata = (json: string): number => json.indexOf(',"metadata":');

/**
 * A record as a store returns it: what is needed to decide and to link, and the body as the text that was stored.
 * Whoever needs the body itself parses `json`; an answer only joins it.
 */
export interface StoredRecord {
  readonly id: string;
  readonly parent: string;
  readonly model: string;
  readonly state: RecordState;
  /** Has this id a published record too (a draft), or is it one? */
  readonly isPublished: boolean;
  readonly owner: string;
  readonly revision: number;
  /** JSON text of the RecordBody. */
  readonly json: string;
}

/** Parses the body of a stored record. @throws BinderyError STORE_DAMAGED, which names the record */
export function storedBody({ id, json }: Pick<StoredRecord, "id" | "json">): RecordBody {
  const body = storedObject<JsonObject>(json, "record", id);
  if (!isBody(body)) throw storedDamaged("record", id, "its text is not a record");
  return body;
}

/** Has the value the members that every record has? */
export function isBody(value: unknown): value is RecordBody {
  if (!isObject(value)) return false;
  const { parent, versions, metadata } = value;
  const texts = [value.id, value.model, value.created, value.updated];
  if (!texts.every((text) => typeof text === "string")) return false;
  if (!Number.isInteger(value.revision_id) || (value.state !== "draft" && value.state !== "published")) return false;
  if (!isObject(parent) || typeof parent.id !== "string" || !isObject(parent.owner)) return false;
  if (typeof parent.owner.user !== "string" || !isObject(metadata)) return false;
  return isObject(versions) && Number.isInteger(versions.index) && typeof versions.is_latest === "boolean";
}

/** Returns the length of an answer with one record more. @throws ANSWER_TOO_LARGE */
export function lengthWith(length: number, { json }: Pick<StoredRecord, "json">): number {
  const sum = length + json.length;
  if (sum > LIMITS.answerTextLengthMax) throw fail("ANSWER_TOO_LARGE", { max: LIMITS.answerTextLengthMax });
  return sum;
}
