/** Records, drafts and tombstones as they are stored and answered, and their ids. */
import { Type } from "typebox";
import { type Answer, choice, instant, json, openObject, ref, text } from "./answer.js";
import { fail } from "./errors.js";
import { Issue } from "./issue.js";
import { isObject, type JsonObject, storedDamaged, storedObject } from "./json.js";
import { LIMITS } from "./limits.js";

/** Schema of a cited term as it was when the record was published. */
export const AsCited = Type.Object({
  field: text("The place in the metadata.", ["metadata.general_parameters.instrument"]),
  vocabulary: text("Name of the vocabulary.", ["instruments"]),
  term: openObject("The term as it was cited when the record was published, with its version marker `@v`."),
});
/** The copy of a cited term in the metadata of a record, with its place. */
export type AsCited = Answer<typeof AsCited>;

/** Schema of the originally cited terms of a record. */
export const AsCitedList = Type.Array(AsCited, {
  $id: "AsCited",
  description: "For a published record: terms that the operator refreshed later. `metadata` has their current form.",
});

/** Schema of the members of a record that are stored; answers have more. */
export const StoredBody = Type.Object({
  id: text("Ten characters of Crockford's base32; not case-sensitive.", ["zv0gv-btp27"]),
  model: text("Name of the model.", ["mst"]),
  created: instant("When the draft was created, or the record first published."),
  updated: instant("When it last changed."),
  revision_id: Type.Integer({ minimum: 1, description: "Increases by one with each stored change; also the ETag." }),
  state: choice(["draft", "published"]),
  is_draft: Type.Boolean(),
  is_published: Type.Boolean({ description: "For a draft: whether there is a published record with this id." }),
  parent: Type.Object({
    id: text("The same for all versions of a record."),
    owner: Type.Object({ user: text("Id of the user who created it.") }),
  }),
  versions: Type.Object({
    index: Type.Integer({ minimum: 1 }),
    is_latest: Type.Boolean(),
    is_latest_draft: Type.Boolean(),
  }),
  files: Type.Object({ enabled: Type.Boolean() }),
  metadata: openObject(
    "The metadata from the depositor, with the cited terms filled in; the model's schema describes it.",
  ),
  errors: Type.Optional(Type.Array(ref(Issue), { description: "Problems of a draft; absent if there are none." })),
  as_cited: Type.Optional(ref(AsCitedList)),
});

/**
 * The stored body of a record. Clients also see `links` (added when it is read, so that a new public URL rewrites
 * nothing) and `warnings` (returned once, by the write that caused them).
 */
export interface RecordBody<Metadata = JsonObject> extends Omit<Answer<typeof StoredBody>, "metadata"> {
  readonly metadata: Metadata;
}

/** State of a record: a draft may have problems and is private; a published record is valid and public. */
export type RecordState = RecordBody["state"];

export const Tombstone = Type.Object(
  {
    id: text("Id of the retracted record.", ["zv0gv-btp27"]),
    model: text("Name of the model.", ["mst"]),
    title: Type.String(),
    depositors: Type.Optional(json("The depositors in the record.")),
    publisher: Type.String(),
    created: instant("When it was first published."),
    removed: instant("When it was retracted."),
    removal_reason: text("Empty if no reason was given."),
    removed_by: Type.Optional(text("The curator or admin who retracted it; absent if the owner did.")),
  },
  { $id: "Tombstone", description: "What remains of a retracted record." },
);
/** The tombstone of a retracted record for clients. `title` is "" if the record had none. */
export type TombstoneBody = Answer<typeof Tombstone>;

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
 * Parses the head of a body from its text, without its metadata, its errors and `as_cited`. They are the last members
 * of a body, and clients write none of the members before them.
 */
export function parseHead({ id, json }: Pick<StoredRecord, "id" | "json">): RecordHead {
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
