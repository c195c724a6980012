/** Request headers: `Accept`, `If-Match`, `If-None-Match` and `Idempotency-Key`; and `ETag` of answers. */
import { createHash, type Hash } from "node:crypto";
import type { FastifyRequest } from "fastify";
import { fail } from "../../core/errors.js";
import { LIMITS } from "../../core/limits.js";
import type { Conditions, IdempotencyKey } from "../../services/api/records.js";

/** Media types of the API. Invenio's clients request Invenio's own type and get the same JSON. */
export const API_TYPES: readonly string[] = ["application/json", "application/vnd.inveniordm.v1+json"];

/**
 * Aliases of media types, each with the type of its answer. A range with a star matches the type of the answer:
 * `application/json;q=0` also refuses the aliases of JSON.
 */
const ANSWER_TYPES: ReadonlyMap<string, string> = new Map([
  ["application/vnd.inveniordm.v1+json", "application/json"],
  ["text/x-bibtex", "application/x-bibtex"],
  ["application/x-datacite+xml", "application/vnd.datacite.datacite+xml"],
]);

/**
 * Returns whether an `Accept` header accepts one of these media types. The most specific range that matches a type
 * decides (RFC 9110, 12.5.1); parameters other than `q` are ignored.
 */
export function accepts(header: string | undefined, types: readonly string[]): boolean {
  if (header === undefined || header === "*/*" || header.trim() === "" || types.includes(header)) return true;
  const ranges = parseRanges(header);
  return types.some((type) => (matchRange(ranges, type)?.quality ?? 0) > 0);
}

/**
 * Returns the type that a client prefers: by `q`, then an explicitly named type before one that a star matches, then
 * the first one. Undefined if it accepts none of them.
 */
export function preferredType(header: string | undefined, types: readonly string[]): string | undefined {
  if (header === undefined || header.trim() === "") return types[0];
  const ranges = parseRanges(header);
  const rankedTypes = types.map((type) => {
    const range = matchRange(ranges, type);
    return { type, quality: range?.quality ?? 0, stars: range?.name.split("*").length ?? 0 };
  });
  const [best] = rankedTypes.sort((a, b) => b.quality - a.quality || a.stars - b.stars);
  return best !== undefined && best.quality > 0 ? best.type : undefined;
}

type Qualities = ReadonlyMap<string, number>;

/** Returns the most specific range that matches a type. */
function matchRange(ranges: Qualities, type: string): { readonly name: string; readonly quality: number } | undefined {
  const answerType = ANSWER_TYPES.get(type) ?? type;
  const names = [type, answerType, `${answerType.slice(0, answerType.indexOf("/"))}/*`, "*/*"];
  const name = names.find((candidate) => ranges.has(candidate));
  return name === undefined ? undefined : { name, quality: ranges.get(name)! };
}

/** Reads the ranges of an `Accept` header. If ranges differ only by parameters, the highest `q` counts. */
function parseRanges(header: string): Qualities {
  const ranges = new Map<string, number>();
  for (const [range, quality] of parseQualities(header)) {
    // Some clients, such as Java's HttpURLConnection, send one star for any type.
    const name = range === "*" ? "*/*" : range;
    ranges.set(name, Math.max(quality, ranges.get(name) ?? 0));
  }
  return ranges;
}

/** Elements of a list, and parameters of an element. Commas and semicolons in quotes do not separate them. */
const ELEMENT = /(?:"(?:\\.|[^"\\])*"?|[^,"])+/g;
const PARAMETER = /(?:"(?:\\.|[^"\\])*"?|[^;"])+/g;

/** Element of a header such as `Accept`, in lower case. */
interface WeighedElement {
  readonly name: string;
  readonly parameters: readonly string[];
  readonly quality: number;
}

/**
 * Reads the elements of a header such as `Accept-Encoding` with their qualities: `gzip;q=0.5` is gzip with 0.5. The
 * package negotiator does not match `application/json; charset=utf-8`.
 */
export function parseElements(header: string): readonly WeighedElement[] {
  return (header.match(ELEMENT) ?? []).map((text) => {
    const [name = "", ...parameters] = (text.match(PARAMETER) ?? []).map((part) => part.trim().toLowerCase());
    const quality = parameters.find((parameter) => parameter.startsWith("q="));
    return { name, parameters, quality: quality === undefined ? 1 : Number(quality.slice(2)) || 0 };
  });
}

/** Reads the names and qualities in a header such as `Accept-Encoding`: `gzip;q=0.5` is ["gzip", 0.5]. */
export const parseQualities = (header: string): readonly (readonly [string, number])[] =>
  parseElements(header).map(({ name, quality }) => [name, quality]);

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

function readIdempotencyKey(request: FastifyRequest): IdempotencyKey | undefined {
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
