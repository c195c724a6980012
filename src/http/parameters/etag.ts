import { createHash } from "node:crypto";
import { fail } from "../../core/errors.js";

/** The `ETag` of a resource at a revision. */
export function formatETag(revision: number): string {
  return `"${revision}"`;
}

/** The `ETag` of a document that has no revision: the same for the same text, or its UTF-8, only. */
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
const sentTag = (tag: string): string => tag.trim().replace(CODED, '"');

/** Does `If-None-Match` say that the client has what this tag stands for? */
export function hasETag(header: string | undefined, tag: string): boolean {
  return header?.split(",").some((each) => ["*", tag, `W/${tag}`].includes(sentTag(each))) ?? false;
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
  const revisions = text.split(",").map((tag) => revisionOf(sentTag(tag)));
  if (revisions.every((revision) => revision !== undefined)) return revisions.length === 1 ? revisions[0] : revisions;
  const message = 'If-Match must be the revision that you read, as in the ETag ("3"), a list of them, or *.';
  const issue = { field: "If-Match", pointer: "/If-Match", code: "PARAMETER_INVALID", messages: [message] };
  throw fail("PARAMETER_INVALID", { issues: [{ ...issue, value: text.slice(0, 100) }] });
}

function revisionOf(tag: string): number | undefined {
  const digits = REVISION.exec(tag)?.[1] ?? REVISION_BARE.exec(tag)?.[0];
  return digits === undefined ? undefined : Number(digits);
}

/** Does `If-None-Match` say that the client has this revision already? */
export function hasRevision(header: string | undefined, revision: number): boolean {
  if (header === undefined) return false;
  const tags = header.split(",").map(sentTag);
  return tags.some((tag) => tag === "*" || REVISION.exec(tag)?.[1] === String(revision) || tag === String(revision));
}

/** 132 bits of the digest. */
const TAG_LENGTH = 22;

const REVISION = /^(?:W\/)?"(\d{1,15})"$/;
const REVISION_BARE = /^\d{1,15}$/;

const TAG = `(?:(?:W/)?"[0-9]{1,15}(?:"|${CODING}"|"${CODING})|[0-9]{1,15})`;

/** The values that `parseIfMatch` accepts, as a pattern of JSON Schema. */
export const IF_MATCH_PATTERN = `^(?:\\*|${TAG}(?: *, *${TAG})*)$`;
