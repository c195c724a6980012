import type { FastifyReply, FastifyRequest } from "fastify";
import type { PublicPart } from "../../core/feed/feed.js";
import type { Warning } from "../../core/issue.js";
import type { StoredRecord } from "../../core/record.js";
import type { LargeAnswer } from "../../services/api/record-services.js";
import { contentETag, formatETag, hasETag, hasRevision } from "../parameters/etag.js";
import type { ReadQuery } from "../parameters/parameter-reader.js";
import type { SingleQuery } from "../parameters/requests.js";
import { giveBack, isLent } from "./answer-memory.js";
import { withLinks, withMember, withWarnings } from "./answer-text.js";
import { recordLinks } from "./links.js";
import { JSON_TYPE } from "./send-problem.js";

/**
 * Runs work on a large record or body when the turn of its caller comes, and records its duration.
 * @param textLength length of the request's body, which stays in memory meanwhile
 * @throws SEARCHES_TOO_MANY; REQUEST_MALFORMED when the client went away
 */
export type RunLarge = <T extends LargeAnswer>(
  request: FastifyRequest,
  reply: FastifyReply,
  work: () => Promise<T>,
  textLength?: number,
) => Promise<T>;

/** Kept by anybody, but asked for anew each time: what was just changed is right in the very next answer. */
export const PUBLIC = "public, no-cache";
/** Kept by anybody for a year without asking: what stands at this address never changes. */
export const IMMUTABLE = "public, max-age=31536000, immutable";
/** Kept by nobody. */
export const PRIVATE = "private, no-store";

/** Longer texts are sent as bytes: as text they would be joined, measured and copied one after the other. */
const TEXT_LENGTH_MAX = 256 * 1024;

/** Sends JSON: as a text, or in UTF-8. Memory that is lent is given back once nobody reads it. */
export function sendJson(reply: FastifyReply, json: string | Uint8Array): FastifyReply {
  reply.header("content-type", JSON_TYPE);
  if (typeof json === "string" || !isLent(json)) return reply.send(toSend(json));
  const { raw } = reply;
  if (raw.destroyed || raw.socket === null) {
    // A response that waits behind another one of its connection is not told where that ends: it may wait for ever.
    const own = Buffer.from(json);
    giveBack(json);
    return reply.send(own);
  }
  raw.once("close", () => giveBack(json));
  // Fastify takes bytes in shared memory for an object that is to be serialized.
  return reply.serializer(asItIs).send(toSend(json));
}

const asItIs = <T>(payload: T): T => payload;

/** A body in the form that is sent with the least work. */
function toSend(json: string | Uint8Array): string | Buffer {
  if (typeof json !== "string") return asBuffer(json);
  return json.length > TEXT_LENGTH_MAX ? Buffer.from(json) : json;
}

/** The same bytes in the same memory. */
export const asBuffer = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength);

/** A whole answer that everybody gets. */
export interface PublicAnswer {
  /** JSON, unless `headers` say otherwise. */
  readonly body: string | Uint8Array;
  /** Beside those of every public answer; with them its media type. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Its `Link` header; "" or absent: none. */
  readonly link?: string;
  /** Of a single resource: its ETag. */
  readonly revision?: number | undefined;
  /** The ETag of what has no revision. */
  readonly etag?: string;
  /** Could `Accept` have asked for another format? */
  readonly isNegotiated?: boolean;
  /** What it was made of: as long as this is the same, the answer is. Absent: who knows. */
  readonly parts?: readonly PublicPart[] | undefined;
}

/** Sends an answer that everybody gets, or 304 where the client has it, and lets it be kept (`edge/kept-answers`). */
export function sendPublic(request: FastifyRequest, reply: FastifyReply, answer: PublicAnswer): FastifyReply {
  request.keep?.(answer);
  reply.header("cache-control", PUBLIC);
  if (answer.link) reply.header("link", answer.link);
  if (answer.isNegotiated) reply.header("vary", "accept");
  const { body, headers, revision, etag } = answer;
  if (headers !== undefined) reply.headers(headers);
  if (revision !== undefined && sendNotModified(request, reply, revision)) return reply;
  if (etag !== undefined) {
    reply.header("etag", etag);
    if (hasETag(request.headers["if-none-match"], etag)) return reply.code(304).send();
  }
  return headers === undefined ? sendJson(reply, body) : reply.send(toSend(body));
}

/** Has the client this revision already? Then the answer is 304, and this sends it. */
export function sendNotModified(request: FastifyRequest, reply: FastifyReply, revision: number): boolean {
  reply.header("etag", formatETag(revision));
  if (!hasRevision(request.headers["if-none-match"], revision)) return false;
  reply.code(304).send();
  return true;
}

/** A JSON text that changes with the catalog only, and the tag of its content. */
export interface Document {
  readonly text: string;
  readonly etag: string;
}

export function makeDocument(value: unknown): Document {
  const text = JSON.stringify(value);
  return { text, etag: contentETag(text) };
}

/** Sends a public document, or 304 where the client has it. Warnings are members of it, as of every answer. */
export function sendDocument(
  request: FastifyRequest,
  reply: FastifyReply,
  { text, etag }: Document,
  warnings: readonly Warning[],
): FastifyReply {
  const said = withWarnings(text, warnings);
  const tag = warnings.length === 0 ? etag : contentETag(said);
  reply.header("cache-control", PUBLIC).header("etag", tag);
  return hasETag(request.headers["if-none-match"], tag) ? reply.code(304).send() : sendJson(reply, said);
}

/** The text of one record or draft as clients see it. */
export function recordText(
  api: string,
  record: StoredRecord,
  { values, warnings }: Pick<ReadQuery<typeof SingleQuery.parameters>, "values" | "warnings">,
): string {
  const linked = withLinks(record.json, recordLinks(api, record));
  // Bindery has no requests (of access, of review); clients of the platform ask for them all the same.
  return withWarnings(values.expand ? withMember(linked, "expanded", '{"requests":[]}') : linked, warnings);
}
