import type { FastifyInstance, FastifyRequest, onRequestHookHandler } from "fastify";
import { LRUCache } from "lru-cache";
import { Counter, type Registry } from "prom-client";
import type { PublicPart } from "../../core/feed/feed.js";
import type { PublicChanges } from "../../services/api/change-services.js";
import { isLent } from "../answers/answer-memory.js";
import { asBuffer, type PublicAnswer, sendPublic } from "../answers/reply.js";
import { makeAskedBefore } from "./asked-before.js";
import { onRequestOf } from "./request-context.js";

/** What answers are kept by. */
export interface KeptAnswers {
  readonly changes: PublicChanges;
  /** Memory for them, in bytes; 0 keeps none. */
  readonly bytes: number;
}

interface Kept {
  readonly answer: PublicAnswer;
  /** What its body was compressed to, for those who asked for it so. */
  readonly coded: Map<string, Buffer>;
  readonly parts: readonly PublicPart[];
  /** It was made of what was public at this moment or later. */
  readonly moment: number;
}

/** A larger part of the memory is not for a single answer. */
const SHARE_MAX = 1 / 16;

/** What an answer takes beside its text and its URL. An estimate, on the safe side. */
const ENTRY_BYTES = 400;

/**
 * Keeps answers of the routes that say so (`config.isKept`), by URL and `Accept`, from the second request on: to keep
 * what is asked once would cost each such request, and push out what is asked again. An answer is sent again only while
 * nothing that it was made of has changed, which is looked up for each request: it is never older than a write that was
 * acknowledged before. All that comes before (headers, authentication, rate limits) and after (compression, log) is
 * done for each request. Comes after `addAuthentication`; what is kept waits for no turn of a search.
 */
export function addKeptAnswers(app: FastifyInstance, { changes, bytes }: KeptAnswers, registry?: Registry): void {
  const answers = makeStore(bytes);
  const askedBefore = makeAskedBefore();
  const count = countAnswers(registry);
  app.decorateRequest("keep");
  app.decorateRequest("coded");
  const sendKept: onRequestHookHandler = (request, reply, done) => {
    const key = keyOf(request);
    const kept = answers.get(key);
    const moment = kept !== undefined || askedBefore(key) ? momentOf(changes) : undefined;
    const isRight = kept !== undefined && moment !== undefined && changes.areSame(kept.parts, kept.moment);
    count(isRight ? "kept" : "made");
    if (moment === undefined) return done();
    if (isRight) {
      request.coded = kept.coded;
      sendPublic(request, reply, kept.answer);
      return;
    }
    request.keep = (answer) => {
      const { parts } = answer;
      // What it was made of may have changed since: it is then kept in vain, and made again.
      if (parts === undefined) return;
      const kept = { ...answer, body: toKeep(answer.body) };
      answers.set(key, { answer: kept, parts, moment, coded: new Map() }, { size: bytesOf(key, kept) });
    };
    done();
  };
  app.addHook("onRoute", (route) => {
    if (route.config?.isKept === true) onRequestOf(route, sendKept);
  });
}

/** In bytes. Node sends a text that is no longer in one piece with its headers, from the stack. */
const TEXT_BYTES_MAX = 16 * 1024;

/** A body as it is sent with the least work, in memory that is not lent. */
function toKeep(body: string | Uint8Array): string | Buffer {
  if (typeof body === "string") return body.length > TEXT_BYTES_MAX ? Buffer.from(body) : body;
  const bytes = asBuffer(body);
  if (bytes.length <= TEXT_BYTES_MAX) return bytes.toString();
  return isLent(body) ? Buffer.from(bytes) : bytes;
}

function makeStore(bytes: number): LRUCache<string, Kept> {
  // The library takes no budget of 0; no answer is as small as 1.
  const [maxSize, maxEntrySize] = [bytes, bytes * SHARE_MAX].map((size) => Math.max(1, Math.floor(size)));
  return new LRUCache<string, Kept>({ maxSize: maxSize!, maxEntrySize: maxEntrySize! });
}

/** What an answer depends on of its request. */
function keyOf({ url, headers }: FastifyRequest): string {
  const { accept } = headers;
  return accept === undefined || accept === "*/*" ? url : `${accept}\n${url}`;
}

/** Now, as changes count it; undefined where the store cannot be read: the request itself will say why. */
function momentOf(changes: PublicChanges): number | undefined {
  try {
    return changes.look();
  } catch {
    return undefined;
  }
}

/** Each unit of a text may take two bytes; what all codings make of a body takes less than the body again. */
function bytesOf(key: string, { body, link = "" }: PublicAnswer & { readonly body: string | Buffer }): number {
  const own = typeof body === "string" ? 2 * body.length : body.length;
  return ENTRY_BYTES + 2 * (key.length + link.length) + own + body.length;
}

function countAnswers(registry: Registry | undefined): (source: "kept" | "made") => void {
  if (registry === undefined) return () => undefined;
  const counter = new Counter({
    name: "bindery_public_answers_total",
    help: "Public answers that may be kept, by whether a kept one was sent or one was made.",
    labelNames: ["source"],
    registers: [registry],
  });
  const [kept, made] = [counter.labels("kept"), counter.labels("made")];
  return (source) => (source === "kept" ? kept : made).inc();
}
