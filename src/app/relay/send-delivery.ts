/** One try of one delivery: signed, to public addresses only, and never longer than it may take. */
import { lookup as resolveName } from "node:dns";
import { Agent, type ClientRequest, request as requestHttp } from "node:http";
import { request as requestHttps, Agent as SecureAgent } from "node:https";
import type { LookupFunction } from "node:net";
import { LIMITS } from "../../core/limits.js";
import { isPrivateAddress, privateAddressIn, signatureHeaders } from "../../core/webhook-delivery.js";
import { changeText } from "../../http/answers/answer-text.js";
import type { Delivery, Webhook } from "../../services/api/change-services.js";

/** A webhook whose secret is there. */
export type SignedWebhook = Webhook & { readonly secret: string };

/** @returns why it failed, in a few words without anything that the receiver said; undefined: it was delivered */
export type Send = (webhook: SignedWebhook, delivery: Delivery, signal: AbortSignal) => Promise<string | undefined>;

interface SenderOptions {
  /** Base of the links in what is sent. */
  readonly api: string;
  /** May addresses be private? */
  readonly allowsPrivate: boolean;
  /** Milliseconds from the look-up of the name to the end of the answer. */
  readonly timeoutMs: number;
}

export interface Sender {
  readonly send: Send;
  /** Closes connections that are kept. */
  close(): void;
}

const ERROR_LENGTH_MAX = 200;

export function makeSender(options: SenderOptions): Sender {
  const { api, timeoutMs } = options;
  const agents = { "http:": new Agent({ keepAlive: true }), "https:": new SecureAgent({ keepAlive: true }) };
  const lookup = options.allowsPrivate ? undefined : lookUpPublic;

  const send: Send = async (webhook, delivery, signal) => {
    const url = new URL(webhook.url);
    // No name is looked up of an address that stands in the URL itself.
    const address = privateAddressIn(url);
    if (lookup !== undefined && address !== undefined) return refusal(address);
    const body = `{"id":${JSON.stringify(delivery.id)},"change":${changeText(api, delivery.change)}}`;
    const isSecure = url.protocol === "https:";
    const open = (): ClientRequest =>
      (isSecure ? requestHttps : requestHttp)(url, {
        method: "POST",
        agent: agents[isSecure ? "https:" : "http:"],
        headers: { ...headersOf(webhook, delivery, body), "content-length": Buffer.byteLength(body) },
        signal,
        ...(lookup === undefined ? {} : { lookup }),
      });
    const until = performance.now() + timeoutMs;
    const first = await exchange(open, body, timeoutMs);
    // A connection that was kept may have been closed by the other side just then: that is no failure.
    const failed = first.isStale ? await exchange(open, body, until - performance.now()) : first;
    return failed.error?.slice(0, ERROR_LENGTH_MAX);
  };
  return {
    send,
    close: () => {
      for (const agent of Object.values(agents)) agent.destroy();
    },
  };
}

function headersOf({ secret }: SignedWebhook, { id, change }: Delivery, body: string): Record<string, string> {
  return {
    "content-type": "application/json",
    "user-agent": "Bindery",
    "bindery-event": `${change.kind}.${change.action}`,
    ...signatureHeaders(secret, { id, timestamp: Math.floor(Date.now() / 1_000), body }),
  };
}

interface Exchange {
  readonly error?: string;
  /** Did a connection that had been kept turn out to be closed? */
  readonly isStale: boolean;
}

function exchange(open: () => ClientRequest, body: string, limitMs: number): Promise<Exchange> {
  return new Promise((resolve) => {
    const request = open();
    let status: number | undefined;
    let isLate = false;
    const late = setTimeout(() => {
      isLate = true;
      request.destroy();
    }, limitMs);
    const end = (error?: NodeJS.ErrnoException): void => {
      clearTimeout(late);
      const isStale =
        !isLate && request.reusedSocket && status === undefined && ["ECONNRESET", "EPIPE"].includes(error?.code ?? "");
      const why = status === undefined ? explain(error, isLate) : explainStatus(status);
      resolve({ isStale, ...(why === undefined ? {} : { error: why }) });
    };
    request.on("response", (response) => {
      status = response.statusCode ?? 0;
      let read = 0;
      response.on("data", (chunk: Buffer) => {
        read += chunk.length;
        if (read > LIMITS.webhookAnswerBytesMax) request.destroy();
      });
      // The status has decided; how the rest of the answer ends does not matter.
      response.on("close", () => end());
      response.on("error", () => end());
    });
    request.on("error", end);
    request.on("close", () => end());
    request.end(body);
  });
}

function explainStatus(status: number): string | undefined {
  if (status >= 200 && status < 300) return undefined;
  return status >= 300 && status < 400 ? `HTTP ${status}: redirects are not followed` : `HTTP ${status}`;
}

function explain(error: NodeJS.ErrnoException | undefined, isLate: boolean): string {
  if (isLate) return "it took too long";
  if (error instanceof PrivateAddressError) return error.message;
  return error?.code ?? error?.name ?? "the connection was closed";
}

class PrivateAddressError extends Error {}

const refusal = (address: string): string => `${address} is a private address; BINDERY_WEBHOOK_PRIVATE=on allows it`;

/**
 * Looks a name up for a connection, and refuses it where any of its addresses is private. The connection is made to
 * what was looked at here, so a name that changes its mind meanwhile gains nothing.
 */
const lookUpPublic: LookupFunction = (hostname, options, callback) => {
  resolveName(hostname, { ...options, all: true }, (error, addresses) => {
    if (error !== null) return callback(error, [], 0);
    const bad = addresses.find(({ address }) => isPrivateAddress(address));
    if (bad !== undefined) return callback(new PrivateAddressError(refusal(bad.address)), [], 0);
    if (options.all === true) return callback(null, addresses);
    const [{ address, family }] = addresses as [{ address: string; family: number }];
    callback(null, address, family);
  });
};
