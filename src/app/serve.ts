import type { Server } from "node:http";
import { type AddressInfo, createServer } from "node:net";
import type { Logger } from "pino";
import { publicUrlOf } from "../config/derived.js";
import type { Config } from "../config/schema.js";
import { buildServer } from "../http/server.js";
import { webPages } from "../web/pages.js";
import { openCatalog } from "./compose.js";
import { lockData } from "./open-engines.js";
import { startThreads } from "./start-threads.js";
import { StartupError } from "./startup-error.js";
import { spreadServices } from "./threads.js";

/** A server that answers. */
export interface RunningServer {
  /** Where it listens: `http://127.0.0.1:8080`. */
  readonly url: string;
  /** Stops accepting, finishes what runs, ends the threads and gives the data folder back. */
  close(): Promise<void>;
}

/** Connections that still talk this long after the end was asked for are cut. */
const DRAIN_MS = 20_000;

/** A free port may be taken by somebody else between finding it and listening on it. */
const FREE_PORT_ATTEMPTS = 5;

/**
 * Starts the whole service: the data folder, the threads, then HTTP. Where nothing can be written (disk
 * full or read-only) but a database is there, it serves reads, and writes are answered 503.
 *
 * @throws StartupError, or another Error whose message says what is wrong
 */
export async function startServer(config: Config, logger: Logger): Promise<RunningServer> {
  const closers: (() => unknown)[] = [];
  const closeAll = async (): Promise<void> => {
    for (const close of closers.splice(0).reverse()) await close();
  };
  try {
    const catalog = openCatalog(config);
    closers.push(await lockData(config));
    const { here, ...remotes } = await startThreads(config, catalog, logger, closers);
    const services = spreadServices(here.services, remotes);
    const server = await listen(config, (publicUrl) =>
      buildServer({ services, catalog, config: { publicUrl }, logger, pages: webPages }),
    );
    closers.push(() => drain({ server: server.server, close: () => server.close() }));
    return {
      url: publicUrlOf({ ...config, publicUrl: "" }, (server.server.address() as AddressInfo).port),
      close: closeAll,
    };
  } catch (error) {
    await closeAll();
    throw error;
  }
}

type Build = (publicUrl: string) => ReturnType<typeof buildServer>;

async function listen(config: Config, build: Build): Promise<ReturnType<typeof buildServer>> {
  for (let attempt = 1; ; attempt++) {
    let server: ReturnType<typeof buildServer> | undefined;
    try {
      // Links need the port before the server listens.
      const port = config.port === 0 ? await findFreePort(config.host) : config.port;
      server = build(publicUrlOf(config, port));
      await server.listen({ host: config.host, port });
      return server;
    } catch (error) {
      await server?.close();
      const wasTaken = config.port === 0 && codeOf(error) === "EADDRINUSE";
      if (!wasTaken || attempt === FREE_PORT_ATTEMPTS) throw explainListen(error, config);
    }
  }
}

function findFreePort(host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", reject);
    probe.listen(0, host, () => {
      const { port } = probe.address() as AddressInfo;
      probe.close(() => resolve(port));
    });
  });
}

/** Finishes what runs; whoever still talks after `DRAIN_MS` is cut off. */
async function drain({ server, close }: { server: Server; close(): Promise<void> }): Promise<void> {
  // A connection that was busy when the end was asked for becomes idle only later.
  const sweep = setInterval(() => server.closeIdleConnections(), 50);
  const end = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
  await close();
  clearInterval(sweep);
  clearTimeout(end);
}

function explainListen(error: unknown, { host, port }: Config): unknown {
  switch (codeOf(error)) {
    case "EADDRINUSE":
      return new StartupError(
        `Port ${port} on ${host} is in use by another program; set BINDERY_PORT to another one (0 takes a free one).`,
      );
    case "EACCES":
      return new StartupError(`This user may not listen on port ${port}; set BINDERY_PORT to one above 1023.`);
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return new StartupError(`${host} is no address of this machine; set BINDERY_HOST to one that is.`);
    default:
      return error;
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}
