import { fail } from "./errors.js";
import { isObject, type JsonObject, storedDamaged, storedObject } from "./json.js";
import { LIMITS } from "./limits.js";
import type { RecordBody, RecordState, TombstoneBody } from "./record-body.js";

export type { RecordBody, RecordState, TombstoneBody };

/** A body without the metadata and the data about them. */
export type RecordHead = Omit<RecordBody, "metadata" | "errors" | "as_cited">;

/** JSON text instead of a value, so that megabytes need not be parsed and written again. */
export class RawJson {
  constructor(readonly text: string) {}
}

/** Returns the JSON text of a body. */
export function recordText(body: RecordBody<JsonObject | RawJson>): string {
  const { metadata } = body;
  if (!(metadata instanceof RawJson)) return JSON.stringify(body);
  const members = Object.entries(body).filter(([, value]) => value !== undefined);
  const texts = members.map(([key, value]) => `"${key}":${value === metadata ? metadata.text : JSON.stringify(value)}`);
  return `{${texts.join(",")}}`;
}

/**
 * Parses the head of a body from its text, without its metadata, its errors and `as_cited`. These are its last members,
 * and nothing before them is written by clients.
 */
export function headOf({ id, json }: Pick<StoredRecord, "id" | "json">): RecordHead {
  return storedObject<RecordHead>(`${json.slice(0, startOfMetadata(json))}}`, "record", id);
}

/** Replaces the head in the text of a body. */
export function withHead(json: string, head: RecordHead): string {
  return JSON.stringify(head).slice(0, -1) + json.slice(startOfMetadata(json));
}

/** Returns the index of the comma before the member `metadata`. */
const startOfMetadata = (json: string): number => json.indexOf(',"metadata":');

/**
 * A record from a store: the data that are needed to check rights and to make links, and the text of the body. Code
 * that needs the body parses `json`; answers only copy it.
 */
export interface StoredRecord {
  readonly id: string;
  readonly parent: string;
  readonly model: string;
  readonly state: RecordState;
  /** Whether it is a published record, or a draft of one. */
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

/** Returns whether the value has the members of every record. */
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

/** Crockford's base 32: no i, l, o, u. */
const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";
const FORM = /^[0-9a-hjkmnp-tv-z]{5}-[0-9a-hjkmnp-tv-z]{5}$/;

/** Number of random bytes for `makeRecordId`. */
export const RECORD_ID_BYTES = 5;

/**
 * Makes the id of a record or parent: eight random characters and two check digits, `zv0gv-btp27`.
 * @param bytes RECORD_ID_BYTES random bytes
 */
export function makeRecordId(bytes: Uint8Array): string {
  let n = 0;
  for (const byte of bytes.subarray(0, RECORD_ID_BYTES)) n = n * 256 + byte;
  let random = "";
  for (let rest = n, i = 0; i < 8; i++) {
    random = ALPHABET[rest % 32] + random;
    rest = Math.floor(rest / 32);
  }
  const id = random + checkDigits(n);
  return `${id.slice(0, 5)}-${id.slice(5)}`;
}

/** Returns the stored form of an id in any case; undefined if the text is not an id or its check digits are wrong. */
export function parseRecordId(text: string): string | undefined {
  const id = text.toLowerCase();
  if (!FORM.test(id)) return undefined;
  let n = 0;
  for (const letter of id.slice(0, 5) + id.slice(6, 9)) n = n * 32 + ALPHABET.indexOf(letter);
  return id.endsWith(checkDigits(n)) ? id : undefined;
}

/** Returns check digits by MOD 97-10 (ISO 7064), as in Invenio. 100·n stays below 2^53. */
function checkDigits(n: number): string {
  return String(98 - ((100 * n) % 97)).padStart(2, "0");
}

/** A tombstone in a store, which is permanent. */
export interface Tombstone {
  readonly parent: string;
  readonly owner: string;
  /** The index of the version, from 1. */
  readonly version: number;
  /** The last revision of the id. */
  readonly revision: number;
  readonly body: TombstoneBody;
}
