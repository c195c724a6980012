import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { LRUCache } from "lru-cache";
import { Counter, type Registry } from "prom-client";
import type { PublicPart } from "../../core/feed/public-parts.js";
import type { PublicChanges } from "../../services/api/public-changes.js";
import { type PublicAnswer, sendPublic } from "../answers/reply.js";
import "./request-context.js";

/** What answers are kept by. */
export interface KeptAnswers {
  readonly changes: PublicChanges;
  /** Memory for them, in bytes; 0 keeps none. */
  readonly bytes: number;
}

interface Kept {
  readonly answer: PublicAnswer;
  readonly parts: readonly PublicPart[];
  /** It was made of what was public at this moment or later. */
  readonly moment: number;
}

/** A larger part of the memory is not for a single answer. */
const SHARE_MAX = 1 / 16;

/** What an answer takes beside its text and its URL. An estimate, on the safe side. */
const ENTRY_BYTES = 400;

/**
 * Keeps answers of the routes that say so (`config.isKept`), by URL and `Accept`. One is sent again only while nothing
 * that it was made of has changed, which is looked up for each request: it is never older than a write that was
 * acknowledged before. All else (authentication, rate limits, headers, log) is done for each request. Comes after
 * `addSearchTurns`: what is kept waits for no turn.
 */
export function addKeptAnswers(app: FastifyInstance, { changes, bytes }: KeptAnswers, registry?: Registry): void {
  const answers = makeStore(bytes);
  const count = countAnswers(registry);
  // A route's HEAD is made of the route itself, whose handler looks already.
  const known = new WeakSet<object>();
  app.decorateRequest("keep");
  app.addHook("onRoute", (route) => {
    const { handler } = route;
    if (route.config?.isKept !== true || known.has(handler)) return;
    const keptOrMade = function (this: FastifyInstance, request: FastifyRequest, reply: FastifyReply) {
      const moment = momentOf(changes);
      if (moment === undefined) return handler.call(this, request, reply);
      const key = keyOf(request);
      const kept = answers.get(key);
      const isRight = kept !== undefined && changes.areSame(kept.parts, kept.moment);
      count(isRight ? "kept" : "made");
      if (isRight) return sendPublic(request, reply, kept.answer);
      request.keep = (answer) => {
        const { parts } = answer;
        // What it was made of may have changed since: it is then kept in vain, and made again.
        if (parts !== undefined) answers.set(key, { answer, parts, moment }, { size: bytesOf(key, answer) });
      };
      return handler.call(this, request, reply);
    };
    known.add(keptOrMade);
    route.handler = keptOrMade;
  });
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

/** Undefined where the store cannot be read: the request itself will say why. */
function momentOf(changes: PublicChanges): number | undefined {
  try {
    return changes.look();
  } catch {
    return undefined;
  }
}

/** Each unit of a text may take two bytes. */
function bytesOf(key: string, { body, link = "" }: PublicAnswer): number {
  return ENTRY_BYTES + 2 * (key.length + link.length) + (typeof body === "string" ? 2 * body.length : body.byteLength);
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
