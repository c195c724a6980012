/** Conditional requests: `ETag`, `If-Match`, `If-None-Match`, and `Idempotency-Key`. */
import { createHash, type Hash } from "node:crypto";
import type { FastifyRequest } from "fastify";
import { fail } from "../../core/errors.js";
import { LIMITS } from "../../core/limits.js";
import type { Conditions, Once } from "../../services/api/records.js";

/** Returns the `ETag` of a revision. */
export function formatETag(revision: number): string {
  return `"${revision}"`;
}

/** Returns the `ETag` of a document without a revision: a digest of its text or of its UTF-8. */
export function contentETag(text: string | Uint8Array): string {
  return `"${createHash("sha256").update(text).digest("base64url").slice(0, TAG_LENGTH)}"`;
}

/**
 * Suffix that compressing proxies and servers add to a tag: `"3-gzip"` (Apache), `"3-br"`, `"3--gzip"` (Jetty),
 * `"3;gzip"`, `"3"-gzip`. The tags of this service do not depend on the content coding.
 */
const CODING = "(?:--?|;)(?:x-)?(?:gzip|br|brotli|zstd|deflate|df|compress|gz)";
const CODED = new RegExp(`(?:${CODING}"|"${CODING})$`, "i");

/** Removes the suffix of a proxy from a tag. */
const originalTag = (tag: string): string => tag.trim().replace(CODED, '"');

/** Returns whether `If-None-Match` contains a tag, so that the client has this content. */
export function hasETag(header: string | undefined, tag: string): boolean {
  return header?.split(",").some((part) => ["*", tag, `W/${tag}`].includes(originalTag(part))) ?? false;
}

/**
 * Returns the revision or revisions in `If-Match`, quoted or bare; undefined without the header, or for `*`. A weak tag
 * and a tag with the suffix of a coding are read as the original tag: proxies that compress change tags, and a revision
 * has only one body.
 *
 * @throws PARAMETER_INVALID for anything else
 */
export function parseIfMatch(header: string | undefined): number | readonly number[] | undefined {
  const text = header?.trim();
  if (text === undefined || text === "*") return undefined;
  const revisions = text.split(",").map((tag) => revisionOf(originalTag(tag)));
  if (revisions.every((revision) => revision !== undefined)) return revisions.length === 1 ? revisions[0] : revisions;
  const message = 'If-Match must be the revision that you read, as in the ETag ("3"), a list of them, or *.';
  const issue = { field: "If-Match", pointer: "/If-Match", code: "PARAMETER_INVALID", messages: [message] };
  throw fail("PARAMETER_INVALID", { issues: [{ ...issue, value: text.slice(0, 100) }] });
}

function revisionOf(tag: string): number | undefined {
  const digits = REVISION.exec(tag)?.[1] ?? REVISION_BARE.exec(tag)?.[0];
  return digits === undefined ? undefined : Number(digits);
}

/** Returns whether `If-None-Match` contains a revision, so that the client has it. */
export function hasRevision(header: string | undefined, revision: number): boolean {
  if (header === undefined) return false;
  const tags = header.split(",").map(originalTag);
  return tags.some((tag) => tag === "*" || REVISION.exec(tag)?.[1] === String(revision) || tag === String(revision));
}

/** Length of a tag: 132 bits of the digest. */
const TAG_LENGTH = 22;

const REVISION = /^(?:W\/)?"(\d{1,15})"$/;
const REVISION_BARE = /^\d{1,15}$/;

const TAG = `(?:(?:W/)?"[0-9]{1,15}(?:"|${CODING}"|"${CODING})|[0-9]{1,15})`;

/** The values that `parseIfMatch` accepts, as a pattern of JSON Schema. */
export const IF_MATCH_PATTERN = `^(?:\\*|${TAG}(?: *, *${TAG})*)$`;

/** Reads the conditions of a write: `If-Match`, and for a POST `Idempotency-Key`. @throws PARAMETER_INVALID */
export function readConditions(request: FastifyRequest): Conditions {
  const revision = parseIfMatch(request.headers["if-match"]);
  const once = readIdempotencyKey(request);
  return { revision, once };
}

function readIdempotencyKey(request: FastifyRequest): Once | undefined {
  const { headers, bodyDigest } = request;
  const key = headers["idempotency-key"];
  if (request.method !== "POST" || key === undefined) return undefined;
  if (typeof key !== "string" || !KEY.test(key)) {
    const message = `Idempotency-Key must have 1 to ${LIMITS.idempotencyKeyLengthMax} printable ASCII characters.`;
    const issue = { field: "Idempotency-Key", pointer: "/Idempotency-Key", code: "PARAMETER_INVALID" };
    throw fail("PARAMETER_INVALID", { issues: [{ ...issue, messages: [message], value: String(key).slice(0, 100) }] });
  }
  return { key, request: bodyDigest ?? startDigest(request)!.digest("hex") };
}

/**
 * Starts the digest of a POST with an `Idempotency-Key`: SHA-256 of method, path and body. The bytes of the body are
 * added as they arrive, because the digest of 10 MB takes longer than other requests should wait.
 */
export function startDigest({ headers, method, url }: FastifyRequest): Hash | undefined {
  if (method !== "POST" || headers["idempotency-key"] === undefined) return undefined;
  const path = url.replace(/\/(?=\?|$)/, "");
  return createHash("sha256").update(`${method}\n${path}\n`);
}

/** Pattern of an `Idempotency-Key`: printable ASCII, without a space at its ends. */
export const KEY_PATTERN = `^[!-~]([ -~]{0,${LIMITS.idempotencyKeyLengthMax - 2}}[!-~])?$`;
const KEY = new RegExp(KEY_PATTERN);
