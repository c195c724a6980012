import type { Server, ServerResponse } from "node:http";
import { BlockList, isIPv6, type Socket } from "node:net";
import type { FastifyBaseLogger } from "fastify";
import { Counter, Gauge, type Registry } from "prom-client";
import { LIMITS } from "../../core/limits.js";
import { networkOf } from "./network.js";

/** How long clients may take, in milliseconds. */
export interface Patience {
  /** For the headers of a request, from the beginning of the connection or of the request. */
  readonly headersMs: number;
  /** For a whole request, with its body. */
  readonly requestMs: number;
  /** Between two requests. */
  readonly keepAliveMs: number;
  /** To take any part of an answer that is ready. */
  readonly stallMs: number;
  /** How often the first two are looked at: so much later they may be noticed. */
  readonly checkMs: number;
}

export const PATIENCE: Patience = {
  headersMs: LIMITS.headersMsMax,
  requestMs: LIMITS.requestMsMax,
  keepAliveMs: LIMITS.keepAliveMs,
  stallMs: LIMITS.answerStallMsMax,
  checkMs: LIMITS.connectionCheckMs,
};

/** How many connections there may be at once; one more is closed as soon as it opens. */
export interface ConnectionLimits {
  readonly all: number;
  /** From one address; proxies that are trusted may have any number of all. */
  readonly perAddress: number;
}

interface GuardOptions {
  readonly limits: ConnectionLimits | undefined;
  readonly trustedProxies: readonly string[];
  readonly stallMs: number;
  readonly registry: Registry | undefined;
  readonly logger: FastifyBaseLogger;
}

/** Closes connections that are too many, and those whose client does not read what it asked for. */
export function guardConnections(server: Server, options: GuardOptions): void {
  closeStalled(server, options.stallMs);
  const refused = countRefused(server, options);
  if (options.limits === undefined) return;
  const { all, perAddress } = options.limits;
  server.maxConnections = all;
  server.on("drop", () => refused("all"));

  const trusted = listOf(options.trustedProxies);
  const open = new Map<string, number>();
  server.on("connection", (socket: Socket) => {
    const { remoteAddress } = socket;
    if (remoteAddress === undefined || contains(trusted, remoteAddress)) return;
    const network = networkOf(remoteAddress);
    const count = (open.get(network) ?? 0) + 1;
    if (count > perAddress) {
      refused("address");
      socket.destroy();
      return;
    }
    open.set(network, count);
    socket.once("close", () => {
      const left = (open.get(network) ?? 1) - 1;
      if (left === 0) open.delete(network);
      else open.set(network, left);
    });
  });
}

/**
 * Node calls a connection timed out on which no byte went in or out for this long. It is closed, unless a request is
 * being answered and nothing waits to be sent: that one waits for us (for a change, say), not for its client.
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

type Refused = (limit: "all" | "address") => void;

/** Counts refused connections, and says so in the log once a minute at most. */
function countRefused(server: Server, { limits, registry, logger }: GuardOptions): Refused {
  if (registry === undefined) return makeNote(logger, limits);
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
  const note = makeNote(logger, limits);
  return (limit) => {
    counter.labels(limit).inc();
    note(limit);
  };
}

function makeNote(logger: FastifyBaseLogger, limits: ConnectionLimits | undefined): Refused {
  let last = Number.NEGATIVE_INFINITY;
  return (limit) => {
    if (performance.now() - last < NOTE_EVERY_MS) return;
    last = performance.now();
    logger.warn({ limit, limits }, "Connections were refused because too many are open.");
  };
}

const NOTE_EVERY_MS = 60_000;

function listOf(proxies: readonly string[]): BlockList {
  const list = new BlockList();
  for (const proxy of proxies) {
    const [address = "", bits] = proxy.split("/");
    const family = isIPv6(address) ? "ipv6" : "ipv4";
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return list;
}

/** (A list of IPv4 addresses knows them inside IPv6 too.) */
function contains(list: BlockList, address: string): boolean {
  return list.check(address, isIPv6(address) ? "ipv6" : "ipv4");
}
