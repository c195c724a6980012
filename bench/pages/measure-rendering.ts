/** What a page costs beside the services that it asks: making its view, and writing it as HTML. */
import { randomBytes } from "node:crypto";
import { setImmediate as nextTurn } from "node:timers/promises";
import { pino } from "pino";
import { readVersion } from "../../src/app/composition/package-root.js";
import { readCatalog } from "../../src/app/composition/read-catalog.js";
import { makeCaches } from "../../src/core/caches.js";
import { openSqlite } from "../../src/engines/sqlite/index.js";
import { makeSearchAnswers } from "../../src/http/answers/search-answers.js";
import { makeStreamAnswers } from "../../src/http/answers/stream-answers.js";
import { buildServer } from "../../src/http/server.js";
import { makeOnDemand, makeServices } from "../../src/services/index.js";
import { webPages } from "../../src/web/pages.js";
import { CATALOG_FOLDER, clock } from "../classes/build-records.js";
import { quantile } from "../measure.js";
import { VARIANTS } from "../requests/bench-case.js";

/** Processor time, in milliseconds. */
export interface Rendering {
  readonly p50: number;
  readonly p99: number;
}

/** Makes pages of answers that are there. */
export interface RenderingMeter {
  /** @param page one of those whose answers are there */
  measure(page: (n: number) => string, seconds: number): Promise<Rendering>;
  close(): Promise<void>;
}

/** Memory as a service has it by default; and the first query, which reads the index, may take its time. */
const EFFORT = { searchTimeoutMs: 600_000 };
const CACHE_BYTES = 256 * 2 ** 20;

/** A kind of page is warmed up by making all of them so often. */
const WARM_UP = 3;

/**
 * The whole service in this process and on one thread, which only reads the data folder. It answers for each page once
 * and is closed; the pages are then made of these answers again and again. Rendering is the processor time from the
 * page's first line of code to its finished HTML, with the garbage that is collected meanwhile: views, Preact,
 * encoding, the tag of the content. Hooks and routing, which requests of the API have as well, are no part of it. Time
 * on the clock would be that of other programs, too.
 *
 * @param pages the addresses of each kind of page
 * @throws where one of them is no page
 */
export async function openRenderingMeter(
  folder: string,
  pages: readonly ((n: number) => string)[],
  headers: Readonly<Record<string, string>>,
): Promise<RenderingMeter> {
  const catalog = readCatalog([CATALOG_FOLDER]);
  const engine = openSqlite({
    folder,
    catalog,
    clock,
    role: "reader",
    ...EFFORT,
    caches: makeCaches(() => CACHE_BYTES),
  });
  const watch = new Stopwatch();
  const services = watch.over(
    makeServices({ ...engine, catalog, clock, random: { bytes: randomBytes }, ...makeOnDemand() }),
  );
  const answers = { ...makeSearchAnswers(services, catalog), ...makeStreamAnswers(services, catalog) };
  const config = { publicUrl: "https://bindery.example.org" };
  const logger = pino({ level: "silent" });
  const app = buildServer({
    services,
    answers,
    catalog,
    config,
    version: readVersion(),
    logger,
    pages: async (scope, options) => {
      scope.addHook("preHandler", async () => watch.start());
      scope.addHook("onSend", async () => watch.stop());
      await webPages(scope, options);
    },
  });
  const make = async (url: string): Promise<void> => {
    const { statusCode, body } = await app.inject({ url, headers });
    if (statusCode !== 200) throw new Error(`${url} was answered ${statusCode}: ${body}`);
    // As between requests of a service: until then what stands for a connection keeps all of its answer.
    await nextTurn();
  };
  for (const page of pages) for (const url of variantsOf(page)) await make(url);
  // Its memory would be looked through for garbage, too.
  await engine.close();
  return {
    async measure(page, seconds) {
      const urls = variantsOf(page);
      const times: number[] = [];
      for (let made = 0, end = 0; made <= WARM_UP * VARIANTS || performance.now() < end; made++) {
        await make(urls[made % VARIANTS]!);
        if (made < WARM_UP * VARIANTS) end = performance.now() + seconds * 1_000;
        else times.push(watch.elapsed);
      }
      times.sort((a, b) => a - b);
      return { p50: quantile(times, 0.5), p99: quantile(times, 0.99) };
    },
    close: () => app.close(),
  };
}

const variantsOf = (page: (n: number) => string): readonly string[] =>
  Array.from({ length: VARIANTS }, (_, n) => page(n));

/** Of this process, in milliseconds. */
function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/** Runs while a page is made, and stands while services are asked. */
class Stopwatch {
  /** Of the last page, in milliseconds. */
  elapsed = 0;
  #since = 0;
  #asked = 0;
  /** What services have answered, by their name and what they were asked. */
  readonly #answers = new Map<string, unknown>();

  start(): void {
    this.elapsed = 0;
    this.#since = processorTime();
  }

  stop(): void {
    this.elapsed += processorTime() - this.#since;
  }

  /** The same services, which work for each question once. */
  over<S extends object>(services: S): S {
    return new Proxy(services, {
      get: (target, name, receiver) => {
        const service: unknown = Reflect.get(target, name, receiver);
        return typeof service === "function"
          ? (...asked: unknown[]) => this.#ask(JSON.stringify([name, asked]), () => service(...asked))
          : service;
      },
    });
  }

  async #ask(question: string, work: () => unknown): Promise<unknown> {
    if (this.#asked++ === 0) this.stop();
    try {
      if (!this.#answers.has(question)) this.#answers.set(question, await work());
      return this.#answers.get(question);
    } finally {
      if (--this.#asked === 0) this.#since = processorTime();
    }
  }
}
