import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import type { FastifyInstance } from "fastify";
import { pino } from "pino";
import { readVersion } from "../../src/app/composition/package-root.js";
import type { Role, Scope } from "../../src/core/actor.js";
import { makeCache } from "../../src/core/caches.js";
import { openSqlite } from "../../src/engines/sqlite/index.js";
import { makeSearchAnswers } from "../../src/http/answers/search-answers.js";
import { makeStreamAnswers } from "../../src/http/answers/stream-answers.js";
import { buildServer, type ServerOptions } from "../../src/http/server.js";
import type { Store } from "../../src/ports/store.js";
import type { StreamServices } from "../../src/services/api/searches.js";
import { makeServices } from "../../src/services/index.js";
import type { OperatorServices, Services } from "../../src/services/use-cases.js";
import { webPages } from "../../src/web/pages.js";
import { BUILT_IN_ON_DEMAND, builtInCatalog } from "./catalog.js";
import { makeAnswerCheck } from "./check-answers.js";
import { newStore, type StoreContent } from "./new-store.js";
import { seeded } from "./random.js";

export const PUBLIC_URL = "https://bindery.example.org";

/** As with the default settings. */
const ANSWER_BYTES = 64 * 2 ** 20;

/** The whole service in this process: the real catalog, store and services, no threads, nothing listening. */
export interface InProcessServer {
  readonly app: FastifyInstance;
  readonly services: Services & OperatorServices & StreamServices;
  readonly store: Store;
  /** Lines of the log, parsed. */
  readonly log: readonly Readonly<Record<string, unknown>>[];
  /** Adds a user and makes a token, by default one that deposits. */
  token(
    user: string,
    options?: { readonly role?: Role; readonly scopes?: readonly Scope[]; readonly expires?: string },
  ): Promise<string>;
  close(): Promise<void>;
}

/**
 * @param changes services to be replaced, for what cannot be brought about otherwise (a disk that is full)
 * @param options of the server, where they are not the usual ones
 * @param content of the store
 */
export async function startInProcess(
  changes: Partial<Services> = {},
  publicUrl: string = PUBLIC_URL,
  options: Partial<ServerOptions> = {},
  content: StoreContent = "starters",
): Promise<InProcessServer> {
  const folder = mkdtempSync(join(tmpdir(), "bindery-http-"));
  const catalog = builtInCatalog();
  const clock = { nowMicros: () => Date.now() * 1000 };
  await newStore(folder, content);
  const engine = openSqlite({ folder, catalog, clock, role: "writer", searchTimeoutMs: 10_000 });
  const { store, index, admin, dataChanges } = engine;
  const random = seeded(1);
  const bytes = (count: number): Uint8Array => Uint8Array.from({ length: count }, () => random.integer(0, 255));
  const services = makeServices({ store, index, admin, catalog, clock, random: { bytes }, ...BUILT_IN_ON_DEMAND });

  const log: Record<string, unknown>[] = [];
  const logger = pino({ level: "debug" }, { write: (line: string) => void log.push(JSON.parse(line)) });
  const config = { publicUrl };
  const version = readVersion();
  const kept = { changes: dataChanges, cache: makeCache(ANSWER_BYTES) };
  const served = { ...services, ...changes };
  const answers = { ...makeSearchAnswers(served, catalog), ...makeStreamAnswers(served, catalog) };
  const parts = { services: served, answers, catalog, config, version, logger, pages: webPages, kept };
  const app = buildServer({ ...parts, ...options });
  const mismatches = checkAnswers(app);
  await app.ready();
  return {
    app,
    services,
    store,
    log,
    async token(user, { role = "depositor", scopes = ["records:write"] as const, expires } = {}) {
      await services.addUser(user, role).catch(() => undefined);
      const made = await services.createToken({ user, scopes, ...(expires === undefined ? {} : { expires }) });
      return made.token;
    },
    async close() {
      await app.close();
      await engine.close();
      rmSync(folder, { recursive: true, force: true });
      if (mismatches.length > 0)
        throw new Error(`Answers are not as documented:\n${mismatches.slice(0, 20).join("\n")}`);
    },
  };
}

const textOf = (payload: unknown): string =>
  payload instanceof Uint8Array ? Buffer.from(payload).toString() : String(payload ?? "");

/** Checks all answers by the OpenAPI document. Returns the list of what it does not describe, which grows. */
function checkAnswers(app: FastifyInstance): readonly string[] {
  const mismatches: string[] = [];
  const { check } = makeAnswerCheck();
  app.addHook("onSend", async ({ method, url: path }, reply, payload) => {
    const isText = !(payload instanceof Readable) && !reply.hasHeader("content-encoding");
    const text = isText ? textOf(payload) : undefined;
    const type = reply.getHeader("content-type")?.toString();
    const problems = check({ method, path, status: reply.statusCode, type, text });
    mismatches.push(...problems.map((problem) => `${method} ${path}: ${problem}`));
  });
  return mismatches;
}
