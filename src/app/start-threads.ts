import type { Logger } from "pino";
import type { Config } from "../config/schema.js";
import type { Catalog } from "../core/catalog/types.js";
import { BinderyError } from "../core/errors.js";
import { type Composition, compose } from "./compose.js";
import { StartupError } from "./startup-error.js";
import { linkThreads, type Remote, startWorker } from "./workers.js";

/** What may wait for one thread: above it, requests are answered 503. */
const BACKLOG = { calls: 1_000, textLength: 64 * 1024 * 1024 };

/** What runs in this thread, and the threads beside it. */
export interface Threads {
  readonly here: Composition;
  readonly search: Remote;
  readonly slow: Remote;
  readonly writer: Remote;
}

/**
 * Starts the threads of a server.
 *
 * @param closers gets what ends each of them, in the order of their starts
 * @throws StartupError, or what stopped the start of a thread
 */
export async function startThreads(
  config: Config,
  catalog: Catalog,
  logger: Logger,
  closers: (() => unknown)[],
): Promise<Threads> {
  const start = (name: string, file: string): Remote => {
    const url = new URL(file, import.meta.url);
    const remote = startWorker({ name, file: url, data: { config, catalog }, logger, backlog: BACKLOG });
    closers.push(() => remote.close());
    return remote;
  };
  const writer = start("writer", "./writer-thread.js");
  const refused = await writer.started.then(
    () => undefined,
    (error: Error) => error,
  );
  // A disk that cannot be written still can be read; anything else stops the start.
  if (refused !== undefined && !isUnavailable(refused)) throw refused;
  const search = start("search", "./search-thread.js");
  const slow = start("slow thread", "./slow-thread.js");
  linkThreads(search, slow);
  try {
    const here = await compose(config, catalog, "here");
    closers.push(() => here.close());
    await Promise.all([search.started, slow.started]);
    if (refused !== undefined) logger.error({ err: refused }, `${refused.message} Reads are served meanwhile.`);
    return { here, search, slow, writer };
  } catch (error) {
    if (refused === undefined) throw error;
    throw new StartupError(`The data folder ${config.data} can be neither written nor read: ${refused.message}`);
  }
}

function isUnavailable(error: Error): boolean {
  return error instanceof BinderyError && error.code === "STORE_UNAVAILABLE";
}
