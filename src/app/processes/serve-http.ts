import type { Server } from "node:http";
import { type AddressInfo, createServer } from "node:net";
import type { Registry } from "prom-client";
import { publicUrlOf, trustedProxiesOf } from "../../config/derived.js";
import type { Config } from "../../config/schema.js";
import type { ServiceState } from "../../core/background.js";
import { parseRateLimits } from "../../core/rate-limits.js";
import { buildServer, type ServerOptions } from "../../http/server.js";
import type { MakeLargePage } from "../../web/large-pages.js";
import type { OperatorSite } from "../../web/operator-site.js";
import { webPages } from "../../web/pages.js";
import type { Composition } from "../composition/compose.js";
import { readVersion } from "../composition/package-root.js";
import { StartupError } from "../composition/startup-errors.js";
import { makeReporter } from "../monitoring/background-reports.js";
import { watchBlocks } from "../monitoring/metrics.js";
import type { Setup } from "../threads/start-threads.js";
import { dispatchServices, type WorkerThreads } from "../threads/start-threads.js";

/** Time after which a stop cuts connections that are still busy, in milliseconds. */
export const DRAIN_MS = 20_000;

/** Number of free ports that are tried. Another program may take one before this process listens on it. */
const FREE_PORT_ATTEMPTS = 5;

/** The parts that answer HTTP. */
interface HttpParts {
  readonly local: Pick<Composition, "services" | "caches" | "dataChanges">;
  readonly threads: WorkerThreads;
  readonly registry: Registry;
  /** Returns the state that `/readyz` reports. */
  state(): Promise<ServiceState>;
  /** Returns the metrics of all processes; absent: this is the only process. */
  readonly metricsText?: () => Promise<string>;
}

/** Starts to answer HTTP with these services. @returns the port. @throws StartupError if it cannot listen */
export async function serveHttp(
  setup: Setup,
  { local, threads, registry, state, metricsText }: HttpParts,
): Promise<number> {
  const { config, catalog, logger, closers } = setup;
  const background = makeReporter((report) => setup.reports("http", report));
  const rateLimits = parseRateLimits(config.rateLimits);
  const makeLargePage: MakeLargePage = async (job) =>
    (await threads.pages.call("makeLargePage", [job])) as Awaited<ReturnType<MakeLargePage>>;
  closers.push(watchBlocks(registry, logger));
  const operatorSite = await openSite(config);
  const services = dispatchServices(local.services, threads, background.onDamage);
  const options: Omit<ServerOptions, "config"> = {
    services,
    answers: services,
    kept: { changes: local.dataChanges, cache: local.caches.open("answers") },
    catalog,
    logger,
    pages: (app, pageOptions) => webPages(app, { ...pageOptions, caches: local.caches, makeLargePage, operatorSite }),
    version: readVersion(),
    state,
    background,
    trustedProxies: trustedProxiesOf(config),
    metrics: {
      registry,
      audience: config.metrics,
      text: metricsText ?? (() => registry.metrics()),
      ...(config.metricsToken === "" ? {} : { token: config.metricsToken }),
      isBehindProxy: config.publicUrl !== "" || config.trustedProxies !== "",
    },
    connections: { all: config.connections, perAddress: config.connectionsPerAddress },
    rateLimits,
  };
  const server = await listen(config, (publicUrl) =>
    buildServer({ ...options, config: { publicUrl, citeUrl: config.citeUrl } }),
  );
  closers.push(() => drain({ server: server.server, close: () => server.close() }));
  return (server.server.address() as AddressInfo).port;
}

/**
 * Reads the operator's site, if there is one. Without it, the process does not load the parser of YAML.
 * @throws StartupError that lists all mistakes of its folder
 */
export async function openSite({ site }: Config): Promise<OperatorSite | undefined> {
  return site === "" ? undefined : (await import("../composition/read-site.js")).readSite(site);
}

type BuildServer = (publicUrl: string) => ReturnType<typeof buildServer>;

async function listen(config: Config, build: BuildServer): Promise<ReturnType<typeof buildServer>> {
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
      const wasTaken = config.port === 0 && errorCode(error) === "EADDRINUSE";
      if (!wasTaken || attempt === FREE_PORT_ATTEMPTS) throw explainListen(error, config);
    }
  }
}

/** Returns a port that is free now. */
export function findFreePort(host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", reject);
    probe.listen(0, host, () => {
      const { port } = probe.address() as AddressInfo;
      probe.close(() => resolve(port));
    });
  });
}

/** Stops a server once its requests are answered. Cuts connections that are still busy after `DRAIN_MS`. */
async function drain({ server, close }: { server: Server; close(): Promise<void> }): Promise<void> {
  // A connection that is busy now becomes idle later.
  const sweep = setInterval(() => server.closeIdleConnections(), 50);
  const cutTimer = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
  await close();
  clearInterval(sweep);
  clearTimeout(cutTimer);
}

function explainListen(error: unknown, { host, port }: Config): unknown {
  switch (errorCode(error)) {
    case "EADDRINUSE":
      return new StartupError(
        `Port ${port} on ${host} is in use by another program; set BINDERY_PORT to another one (0 takes a free one).`,
      );
    case "EACCES":
      return new StartupError(
        `This user is not allowed to listen on port ${port}; set BINDERY_PORT to one above 1023.`,
      );
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return new StartupError(`${host} is not an address of this machine; set BINDERY_HOST to one of its addresses.`);
    default:
      return error;
  }
}

function errorCode(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}
