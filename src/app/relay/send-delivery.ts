/** Sends one delivery once: signed, to public addresses only, and within a time limit. */
import { lookup as resolveName } from "node:dns";
import { Agent, type ClientRequest, request as requestHttp } from "node:http";
import { request as requestHttps, Agent as SecureAgent } from "node:https";
import type { LookupFunction } from "node:net";
import { LIMITS } from "../../core/limits.js";
import { isPrivateAddress, privateAddressIn, signatureHeaders } from "../../core/webhook-delivery.js";
import { changeText } from "../../http/answers/answer-text.js";
import type { Delivery, Webhook } from "../../services/api/changes.js";

/** A webhook with its secret. */
export type SignedWebhook = Webhook & { readonly secret: string };

/** Sends a delivery. @returns undefined, or a short reason for a failure, without any text of the receiver */
export type Send = (webhook: SignedWebhook, delivery: Delivery, signal: AbortSignal) => Promise<string | undefined>;

interface SenderOptions {
  /** Base of the links in deliveries. */
  readonly api: string;
  /** Whether addresses may be private. */
  readonly allowsPrivate: boolean;
  /** Time limit from the look-up of the name to the end of the answer, in milliseconds. */
  readonly timeoutMs: number;
}

/** Sends deliveries over kept connections. */
export interface Sender {
  readonly send: Send;
  /** Closes idle connections, which are kept for further deliveries. */
  close(): void;
}

const ERROR_LENGTH_MAX = 200;

/** Makes a sender. */
export function makeSender(options: SenderOptions): Sender {
  const { api, timeoutMs } = options;
  const agents = { "http:": new Agent({ keepAlive: true }), "https:": new SecureAgent({ keepAlive: true }) };
  const lookup = options.allowsPrivate ? undefined : lookUpPublic;

  const send: Send = async (webhook, delivery, signal) => {
    const url = new URL(webhook.url);
    // An address in the URL itself needs no look-up of a name, so it is checked here.
    const address = privateAddressIn(url);
    if (lookup !== undefined && address !== undefined) return refusal(address);
    const body = `{"id":${JSON.stringify(delivery.id)},"change":${changeText(api, delivery.change)}}`;
    const isSecure = url.protocol === "https:";
    const open = (): ClientRequest =>
      (isSecure ? requestHttps : requestHttp)(url, {
        method: "POST",
        agent: agents[isSecure ? "https:" : "http:"],
        headers: { ...deliveryHeaders(webhook, delivery, body), "content-length": Buffer.byteLength(body) },
        signal,
        lookup,
      });
    const deadline = performance.now() + timeoutMs;
    const firstTry = await exchange(open, body, timeoutMs);
    // The receiver may have closed the kept connection in the meantime, which is not a failure.
    const lastTry = firstTry.isStale ? await exchange(open, body, deadline - performance.now()) : firstTry;
    return lastTry.error?.slice(0, ERROR_LENGTH_MAX);
  };
  return {
    send,
    close: () => {
      for (const agent of Object.values(agents)) agent.destroy();
    },
  };
}

function deliveryHeaders({ secret }: SignedWebhook, { id, change }: Delivery, body: string): Record<string, string> {
  return {
    "content-type": "application/json",
    "user-agent": "Bindery",
    "bindery-event": `${change.kind}.${change.action}`,
    ...signatureHeaders(secret, { id, timestamp: Math.floor(Date.now() / 1_000), body }),
  };
}

/** The outcome of one HTTP request. */
interface Exchange {
  readonly error?: string | undefined;
  /** Whether the request was sent on a kept connection that the receiver had closed. */
  readonly isStale: boolean;
}

function exchange(open: () => ClientRequest, body: string, limitMs: number): Promise<Exchange> {
  return new Promise((resolve) => {
    const request = open();
    let status: number | undefined;
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      request.destroy();
    }, limitMs);
    const end = (error?: NodeJS.ErrnoException): void => {
      clearTimeout(timer);
      const isStale =
        !isLate && request.reusedSocket && status === undefined && ["ECONNRESET", "EPIPE"].includes(error?.code ?? "");
      const failure = status === undefined ? explainError(error, isLate) : explainStatus(status);
      resolve({ isStale, error: failure });
    };
    request.on("response", (response) => {
      status = response.statusCode ?? 0;
      let bytesRead = 0;
      response.on("data", (chunk: Buffer) => {
        bytesRead += chunk.length;
        if (bytesRead > LIMITS.webhookAnswerBytesMax) request.destroy();
      });
      // The status decides the outcome, even if the rest of the answer is not received.
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

function explainError(error: NodeJS.ErrnoException | undefined, isLate: boolean): string {
  if (isLate) return "it took too long";
  if (error instanceof PrivateAddressError) return error.message;
  return error?.code ?? error?.name ?? "the connection was closed";
}

class PrivateAddressError extends Error {}

const refusal = (address: string): string => `${address} is a private address; BINDERY_WEBHOOK_PRIVATE=on allows it`;

/**
 * Looks up a name for a connection, and refuses the name if any of its addresses is private. The connection uses the
 * addresses that were checked here, so a later change of the name has no effect.
 */
const lookUpPublic: LookupFunction = (hostname, options, callback) => {
  resolveName(hostname, { ...options, all: true }, (error, addresses) => {
    if (error !== null) return callback(error, [], 0);
    const privateAddress = addresses.find(({ address }) => isPrivateAddress(address));
    if (privateAddress !== undefined) return callback(new PrivateAddressError(refusal(privateAddress.address)), [], 0);
    if (options.all === true) return callback(null, addresses);
    const [{ address, family }] = addresses as [{ address: string; family: number }];
    callback(null, address, family);
  });
};
