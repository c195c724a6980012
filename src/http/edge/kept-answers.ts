import type { FastifyInstance, FastifyRequest, onRequestHookHandler } from "fastify";
import { Counter, type Registry } from "prom-client";
import type { Cache } from "../../core/caches.js";
import type { DataPart } from "../../core/feed/feed.js";
import type { DataChanges } from "../../services/api/changes.js";
import { isPlace } from "../answers/answer-memory.js";
import { asBuffer, type KeepableAnswer, sendKeepable } from "../answers/reply.js";
import { addRequestHook } from "./request-context.js";

/** Dependencies of the kept answers. */
export interface KeptAnswers {
  readonly changes: DataChanges;
  readonly cache: Cache;
}

interface Entry {
  readonly answer: KeepableAnswer;
  /** Compressed bodies by coding. */
  readonly codedBodies: Map<string, Buffer>;
  readonly parts: readonly DataPart[];
  /** Moment before the data of the answer were read. */
  readonly moment: number;
}

/** Maximum share of the memory for a single answer. */
const SHARE_MAX = 1 / 16;

/** Memory of an answer in addition to its texts: a high estimate. */
const ENTRY_BYTES = 200;

/**
 * Keeps answers of routes with `config.isKept`, by URL and `Accept`, and by the caller if they are personal, from the
 * second request on: keeping answers that are requested once would slow down these requests and displace useful
 * answers. An answer is sent again only while its data are unchanged, which is checked for each request: it is never
 * older than a write that was acknowledged earlier. The caller is authenticated before, so the answer to a revoked
 * token is never a kept one.
 * The steps before it (headers, authentication, rate limits) and after it (compression, log) run for each request. Must
 * be added after `addAuthentication`; a kept answer does not wait for the turn of a search.
 */
export function addKeptAnswers(app: FastifyInstance, { changes, cache }: KeptAnswers, registry?: Registry): void {
  const bytesMax = cache.budget * SHARE_MAX;
  const isRepeated = makeRepetitionTest();
  const count = countAnswers(registry);
  app.decorateRequest("keepAnswer");
  app.decorateRequest("codedBodies");
  const sendKept: onRequestHookHandler = (request, reply, done) => {
    const key = cacheKey(request);
    const entry = cache.get<Entry>(key);
    const moment = entry !== undefined || isRepeated(key) ? readMoment(changes) : undefined;
    const isCurrent = entry !== undefined && moment !== undefined && changes.areSame(entry.parts, entry.moment);
    count(isCurrent ? "kept" : "made");
    if (moment === undefined) return done();
    if (isCurrent) {
      request.codedBodies = entry.codedBodies;
      sendKeepable(request, reply, entry.answer);
      return;
    }
    request.keepAnswer = (answer) => {
      const { parts } = answer;
      // If its data changed meanwhile, the kept answer is never used.
      if (parts === undefined) return;
      const ownAnswer = { ...answer, body: toOwnBody(answer.body) };
      const bytes = entryBytes(ownAnswer);
      const kept: Entry = { answer: ownAnswer, parts, moment, codedBodies: new Map() };
      if (bytes <= bytesMax) cache.set(key, kept, bytes);
    };
    done();
  };
  app.addHook("onRoute", (route) => {
    if (route.config?.isKept === true) addRequestHook(route, sendKept);
  });
}

/** Maximum length in bytes of a body that is kept as text: Node sends it in one piece with its headers. */
const TEXT_BYTES_MAX = 16 * 1024;

/** Returns a body in the form that is cheapest to send, in memory that is not lent. */
function toOwnBody(body: string | Uint8Array): string | Buffer {
  if (typeof body === "string") return body.length > TEXT_BYTES_MAX ? Buffer.from(body) : body;
  const bytes = asBuffer(body);
  if (bytes.length <= TEXT_BYTES_MAX) return bytes.toString();
  return isPlace(body) ? Buffer.from(bytes) : bytes;
}

/** Returns a text with everything in a request on which its answer depends. The URL says whether it is personal. */
function cacheKey(request: FastifyRequest): string {
  const { url, headers, actor, routeOptions } = request;
  const { accept } = headers;
  const key = accept === undefined || accept === "*/*" ? url : `${accept}\n${url}`;
  // The services know of a caller only what is in `actor`: among others the role and the scopes of the token.
  return routeOptions.config.isPersonal === true ? `${JSON.stringify(actor)}\n${key}` : key;
}

/** Returns the current moment; undefined if the store cannot be read. Then the request itself reports the error. */
function readMoment(changes: DataChanges): number | undefined {
  try {
    return changes.look();
  } catch {
    return undefined;
  }
}

/** Estimates memory: two bytes for each unit of a text; all compressed bodies together take less than the body. */
function entryBytes({ body, link = "" }: KeepableAnswer & { readonly body: string | Buffer }): number {
  const bodyBytes = typeof body === "string" ? 2 * body.length : body.length;
  return ENTRY_BYTES + 2 * link.length + bodyBytes + body.length;
}

function countAnswers(registry: Registry | undefined): (source: "kept" | "made") => void {
  if (registry === undefined) return () => undefined;
  const counter = new Counter({
    name: "bindery_answers_total",
    help: "Answers of routes whose answers are kept, by whether a kept one was sent or one was made.",
    labelNames: ["source"],
    registers: [registry],
  });
  const [kept, made] = [counter.labels("kept"), counter.labels("made")];
  return (source) => (source === "kept" ? kept : made).inc();
}

/** Maximum number of hashes in a set: 16,384 take about half a megabyte. */
const HASHES_MAX = 16_384;

/**
 * Creates a test that returns whether a text is one of the previous texts: of at least the last 16,384 different ones,
 * and of at most twice as many. Only hashes are stored, so in rare cases another text had the same hash.
 */
export function makeRepetitionTest(): (text: string) => boolean {
  let recent = new Set<number>();
  let older = new Set<number>();
  return (text) => {
    const hash = hashText(text);
    if (recent.has(hash)) return true;
    if (recent.size === HASHES_MAX) {
      older = recent;
      recent = new Set();
    }
    recent.add(hash);
    return older.has(hash);
  };
}

/** Computes the FNV-1a hash (32 bits) of the units of a text. */
function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash;
}
