import type { FastifyReply, FastifyRequest } from "fastify";
import type { DataPart } from "../../core/feed/feed.js";
import type { Warning } from "../../core/issue.js";
import type { StoredRecord } from "../../core/record.js";
import type { RecordFormat } from "../../formats/records/record-format.js";
import type { ExportAnswer, LargeAnswer } from "../../services/api/records.js";
import { contentETag, formatETag, hasETag, hasRevision } from "../parameters/request-headers.js";
import { isPlace, releasePlace } from "./answer-memory.js";
import { withLinks, withMember, withWarnings } from "./answer-text.js";
import { recordLinks } from "./links.js";
import type { SearchBody } from "./search-answers.js";
import { JSON_TYPE } from "./send-problem.js";

/**
 * Runs work on a large record or body in the turn of its caller, and records its duration.
 * @param textLength length of the request's body, which stays in memory while it waits
 * @throws SEARCHES_TOO_MANY; REQUEST_MALFORMED if the client disconnected
 */
export type RunLarge = <T extends LargeAnswer>(
  request: FastifyRequest,
  reply: FastifyReply,
  work: () => Promise<T>,
  textLength?: number,
) => Promise<T>;

/** Shared caches may store the answer but must revalidate it each time, so a change shows in the next answer. */
export const PUBLIC = "public, no-cache";
/** Shared caches may use the answer for a year without revalidation: the content of this URL never changes. */
export const IMMUTABLE = "public, max-age=31536000, immutable";
/** No cache may store the answer. */
export const PRIVATE = "private, no-store";

/** Longer texts are sent as bytes: Node would join, measure and copy such a text in separate steps. */
const TEXT_LENGTH_MAX = 256 * 1024;

/** Sends JSON, as a text or in UTF-8. A place of shared memory is released after the last read. */
export function sendJson(reply: FastifyReply, json: string | Uint8Array): FastifyReply {
  reply.header("content-type", JSON_TYPE);
  if (typeof json === "string" || !isPlace(json)) return reply.send(cheapestBody(json));
  const { raw } = reply;
  if (raw.destroyed || raw.socket === null) {
    // A pipelined response gets no event if the response before it ends the connection, so it could hold the place
    // without end.
    const copy = Buffer.from(json);
    releasePlace(json);
    return reply.send(copy);
  }
  raw.once("close", () => releasePlace(json));
  // Fastify would serialize bytes in shared memory as an object.
  return reply.serializer(identity).send(cheapestBody(json));
}

const identity = <T>(payload: T): T => payload;

/** Returns a body in the form that is cheapest to send. */
function cheapestBody(json: string | Uint8Array): string | Buffer {
  if (typeof json !== "string") return asBuffer(json);
  return json.length > TEXT_LENGTH_MAX ? Buffer.from(json) : json;
}

/** Returns a buffer over the same memory. */
export const asBuffer = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength);

/** Answer that may be kept and sent again. */
export interface KeepableAnswer {
  /** JSON, or a body of the media type in `headers`. */
  readonly body: string | Uint8Array;
  /** Additional headers, among them the media type if it is not JSON. */
  readonly headers?: Readonly<Record<string, string>>;
  /** `Link` header; "" or absent if there is none. */
  readonly link?: string;
  /** Revision of a single resource, which is its ETag. */
  readonly revision?: number | undefined;
  /** ETag of a resource without a revision. */
  readonly etag?: string;
  /** True if the resource has other formats, which `Accept` chooses. */
  readonly isNegotiated?: boolean;
  /** Data from which the answer was made: it does not change while they do not. Absent if unknown. */
  readonly parts?: readonly DataPart[] | undefined;
}

/**
 * Sends an answer, or 304 if the client has it, and offers it to `edge/kept-answers`. Caches of clients and proxies may
 * not store the answers of personal routes.
 */
export function sendKeepable(request: FastifyRequest, reply: FastifyReply, answer: KeepableAnswer): FastifyReply {
  request.keepAnswer?.(answer);
  reply.header("cache-control", request.routeOptions.config.isPersonal === true ? PRIVATE : PUBLIC);
  if (answer.link) reply.header("link", answer.link);
  if (answer.isNegotiated) reply.header("vary", "accept");
  const { body, headers, revision, etag } = answer;
  if (headers !== undefined) reply.headers(headers);
  if (revision !== undefined && sendNotModified(request, reply, revision)) return reply;
  if (etag !== undefined) {
    reply.header("etag", etag);
    if (hasETag(request.headers["if-none-match"], etag)) return reply.code(304).send();
  }
  return headers === undefined ? sendJson(reply, body) : reply.send(cheapestBody(body));
}

/** Sends 304 if the client has this revision. @returns whether it was sent */
function sendNotModified(request: FastifyRequest, reply: FastifyReply, revision: number): boolean {
  reply.header("etag", formatETag(revision));
  if (!hasRevision(request.headers["if-none-match"], revision)) return false;
  reply.code(304).send();
  return true;
}

/** JSON text that changes only with the catalog, and its ETag. */
export interface CatalogDocument {
  readonly text: string;
  readonly etag: string;
}

/** Prints a document as JSON and computes its ETag. */
export function makeCatalogDocument(value: unknown): CatalogDocument {
  const text = JSON.stringify(value);
  return { text, etag: contentETag(text) };
}

/** Sends a public document, or 304 if the client has it. Warnings are appended as a member. */
export function sendCatalogDocument(
  request: FastifyRequest,
  reply: FastifyReply,
  { text, etag }: CatalogDocument,
  warnings: readonly Warning[],
): FastifyReply {
  const json = withWarnings(text, warnings);
  const tag = warnings.length === 0 ? etag : contentETag(json);
  reply.header("cache-control", PUBLIC).header("etag", tag);
  return hasETag(request.headers["if-none-match"], tag) ? reply.code(304).send() : sendJson(reply, json);
}

/** Members that an answer with a record has in addition. */
interface AddedMembers {
  readonly isExpanded: boolean;
  /** JSON text of the outcomes of checks. */
  readonly checks?: string | undefined;
  readonly warnings: readonly Warning[];
}

/** Returns the JSON text of a single record or draft. */
export function recordAnswerText(
  api: string,
  record: StoredRecord,
  { isExpanded, checks, warnings }: AddedMembers,
): string {
  const linked = withLinks(record.json, recordLinks(api, record));
  // Bindery has no requests (for access or review), but Invenio's clients read this member.
  const expanded = isExpanded ? withMember(linked, "expanded", '{"requests":[]}') : linked;
  return withWarnings(checks === undefined ? expanded : withMember(expanded, "checks", checks), warnings);
}

/** Sends a page of hits that must not be cached: it is personal, or lacks recent changes. */
export function sendPrivateSearch(reply: FastifyReply, { bytes, link, behind }: SearchBody): FastifyReply {
  if (link !== "") reply.header("link", link);
  if (behind !== undefined) reply.header("bindery-index", `behind=${behind}`);
  return sendJson(reply.header("cache-control", PRIVATE).header("vary", "accept"), bytes);
}

/** Sends a page of hits that may be kept. @param parts data from which it was made */
export function sendSearch(
  request: FastifyRequest,
  reply: FastifyReply,
  body: SearchBody,
  parts: readonly DataPart[],
): FastifyReply {
  const { bytes, link, isUnsettled, behind } = body;
  if (behind !== undefined) return sendPrivateSearch(reply, body);
  return sendKeepable(request, reply, {
    body: bytes,
    link,
    isNegotiated: true,
    parts: isUnsettled ? undefined : parts,
  });
}

/** Media types with a charset parameter. Documents of other types declare it inside, or are UTF-8 by definition. */
const WITH_CHARSET = /^text\/|^application\/(?:x-bibtex|x-ndjson|x-research-info-systems)$/;

/** Returns the `Content-Type` for a media type. */
export function withCharset(mediaType: string): string {
  return WITH_CHARSET.test(mediaType) ? `${mediaType}; charset=utf-8` : mediaType;
}

/** Makes a text from a record; from a large record on the page thread, in the turn of its caller. */
export async function writeExport<Kind extends ExportAnswer>(
  runLarge: RunLarge,
  request: FastifyRequest,
  reply: FastifyReply,
  write: (mayBeLarge: boolean) => Promise<Kind>,
): Promise<{ readonly record: Kind["record"]; readonly text: string }> {
  const answer = await write(false);
  const { record, text = "" } = answer.text === undefined ? await runLarge(request, reply, () => write(true)) : answer;
  return { record, text };
}

/** Sends a record in a format, or 304 if the client has it. */
export function sendExport(
  request: FastifyRequest,
  reply: FastifyReply,
  { mediaType }: Pick<RecordFormat, "mediaType">,
  text: string,
): FastifyReply {
  const tag = contentETag(text);
  reply.header("etag", tag).header("vary", "accept").header("content-type", withCharset(mediaType));
  return hasETag(request.headers["if-none-match"], tag) ? reply.code(304).send() : reply.send(text);
}
