import type { Server, ServerResponse } from "node:http";
import { BlockList, isIPv6, type Socket } from "node:net";
import type { FastifyBaseLogger } from "fastify";
import { Counter, Gauge, type Registry } from "prom-client";
import { LIMITS } from "../../core/limits.js";
import { networkOf } from "./request-context.js";

/** Time limits of clients, in milliseconds. */
export interface ClientTimeLimits {
  /** Time for the headers of a request, from the beginning of the connection or of the request. */
  readonly headersMs: number;
  /** Time for a whole request, with its body. */
  readonly requestMs: number;
  /** Time between two requests. */
  readonly keepAliveMs: number;
  /** Time to read any part of an answer. */
  readonly stallMs: number;
  /** Interval of the checks of the first two, and so their maximum delay. */
  readonly checkMs: number;
}

/** Default time limits. */
export const CLIENT_TIME_LIMITS: ClientTimeLimits = {
  headersMs: LIMITS.headersMsMax,
  requestMs: LIMITS.requestMsMax,
  keepAliveMs: LIMITS.keepAliveMs,
  stallMs: LIMITS.answerStallMsMax,
  checkMs: LIMITS.connectionCheckMs,
};

/** Maximum numbers of open connections; further ones are closed as soon as they open. */
export interface ConnectionLimits {
  readonly all: number;
  /** Maximum number from one address; trusted proxies are limited only by the total. */
  readonly perAddress: number;
}

interface GuardOptions {
  readonly limits: ConnectionLimits | undefined;
  readonly trustedProxies: readonly string[];
  readonly stallMs: number;
  readonly registry: Registry | undefined;
  readonly logger: FastifyBaseLogger;
}

/** Closes connections above the limits, and those whose client does not read its answers. */
export function guardConnections(server: Server, options: GuardOptions): void {
  closeStalled(server, options.stallMs);
  const noteRefusal = makeRefusalCount(server, options);
  if (options.limits === undefined) return;
  const { all, perAddress } = options.limits;
  server.maxConnections = all;
  server.on("drop", () => noteRefusal("all"));

  const trusted = makeBlockList(options.trustedProxies);
  const open = new Map<string, number>();
  server.on("connection", (socket: Socket) => {
    const { remoteAddress } = socket;
    if (remoteAddress === undefined || contains(trusted, remoteAddress)) return;
    const network = networkOf(remoteAddress);
    const count = (open.get(network) ?? 0) + 1;
    if (count > perAddress) {
      noteRefusal("address");
      socket.destroy();
      return;
    }
    open.set(network, count);
    socket.once("close", () => {
      const count = (open.get(network) ?? 1) - 1;
      if (count === 0) open.delete(network);
      else open.set(network, count);
    });
  });
}

/**
 * Closes a connection that Node reports as timed out, because no byte went in or out for this time. It stays open if a
 * request is being answered and no data wait to be sent: then it waits for the service (for example for a change), not
 * for the client.
 */
function closeStalled(server: Server, stallMs: number): void {
  // Answers of a connection are sent in the order of their requests: if the last one is sent, all are.
  const last = new WeakMap<Socket, ServerResponse>();
  server.on("request", ({ socket }, response) => void last.set(socket, response));
  server.setTimeout(stallMs, (socket) => {
    const isOurs = last.get(socket)?.writableFinished === false && socket.writableLength === 0;
    if (!isOurs) socket.destroy();
  });
}

type NoteRefusal = (limit: "all" | "address") => void;

/** Counts refused connections, and logs the number at most once a minute. */
function makeRefusalCount(server: Server, { limits, registry, logger }: GuardOptions): NoteRefusal {
  if (registry === undefined) return makeRefusalLog(logger, limits);
  const counter = new Counter({
    name: "bindery_connections_refused_total",
    help: "Connections refused because too many were open, in total or from one address.",
    labelNames: ["limit"],
    registers: [registry],
  });
  new Gauge({
    name: "bindery_connections",
    help: "Open connections.",
    registers: [registry],
    async collect() {
      this.set(await new Promise<number>((resolve) => server.getConnections((_error, count) => resolve(count ?? 0))));
    },
  });
  const log = makeRefusalLog(logger, limits);
  return (limit) => {
    counter.labels(limit).inc();
    log(limit);
  };
}

function makeRefusalLog(logger: FastifyBaseLogger, limits: ConnectionLimits | undefined): NoteRefusal {
  let last = Number.NEGATIVE_INFINITY;
  return (limit) => {
    if (performance.now() - last < LOG_INTERVAL_MS) return;
    last = performance.now();
    logger.warn({ limit, limits }, "Connections were refused because too many are open.");
  };
}

const LOG_INTERVAL_MS = 60_000;

function makeBlockList(proxies: readonly string[]): BlockList {
  const list = new BlockList();
  for (const proxy of proxies) {
    const [address = "", bits] = proxy.split("/");
    const family = isIPv6(address) ? "ipv6" : "ipv4";
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return list;
}

/** (A list of IPv4 addresses also matches them inside IPv6.) */
function contains(list: BlockList, address: string): boolean {
  return list.check(address, isIPv6(address) ? "ipv6" : "ipv4");
}
