/** Secrets and signatures of webhooks by https://www.standardwebhooks.com, for which there are libraries. */
import { createHmac } from "node:crypto";
import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

const SECRET_PREFIX = "whsec_";

/** Number of random bytes for `makeWebhookSecret`: the size of a SHA-256. */
export const WEBHOOK_SECRET_BYTES = 32;

/** Makes the secret of a webhook. @param bytes WEBHOOK_SECRET_BYTES random bytes */
export function makeWebhookSecret(bytes: Uint8Array): string {
  return SECRET_PREFIX + Buffer.from(bytes).toString("base64");
}

interface SignedMessage {
  /** Id of the delivery, the same for each attempt. */
  readonly id: string;
  /**
   * Time of this attempt, in seconds since 1970. It is signed, so that an intercepted message cannot be replayed later.
   */
  readonly timestamp: number;
  readonly body: string;
}

/** Returns the headers by which a receiver verifies a message. */
export function signatureHeaders(secret: string, { id, timestamp, body }: SignedMessage): Record<string, string> {
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), "base64");
  const signature = createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64");
  return { "webhook-id": id, "webhook-timestamp": String(timestamp), "webhook-signature": `v1,${signature}` };
}

/** The only IPv6 addresses of the public internet (RFC 4291, 2.4). */
const GLOBAL_UNICAST = ipaddr.parseCIDR("2000::/3");

/** The well-known prefix of NAT64 (RFC 6052), followed by the IPv4 address of the target. */
const NAT64 = ipaddr.parseCIDR("64:ff9b::/96");

/**
 * Returns whether an IP address is private. Every address except a unicast address of the public internet counts as
 * private, and so do invalid addresses. IPv4 inside IPv6 is checked as IPv4.
 */
export function isPrivateAddress(address: string): boolean {
  const bare = address.replace(/%.*$/, "");
  // Accepts only the usual notations: the parser would also accept 0x7f000001 and 127.1.
  return isIP(bare) === 0 || !isPublic(ipaddr.process(bare));
}

/** Returns the address in a URL if it is private; undefined for a host name or a public address. */
export function privateAddressIn({ hostname }: URL): string | undefined {
  const host = hostname.replace(/^\[|\]$/g, "");
  return isIP(host) !== 0 && isPrivateAddress(host) ? host : undefined;
}

function isPublic(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  if (address.kind() === "ipv4") return address.range() === "unicast";
  if (address.match(NAT64)) return isPublic(new ipaddr.IPv4(address.toByteArray().slice(-4)));
  return address.range() === "unicast" && address.match(GLOBAL_UNICAST);
}
