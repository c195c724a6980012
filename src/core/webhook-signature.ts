/** Secrets and signatures of webhooks by https://www.standardwebhooks.com: there are libraries to verify them. */
import { createHmac } from "node:crypto";

const SECRET_PREFIX = "whsec_";

/** Random bytes that `makeWebhookSecret` takes: as many as SHA-256 has. */
export const WEBHOOK_SECRET_BYTES = 32;

/** @param bytes WEBHOOK_SECRET_BYTES random ones */
export function makeWebhookSecret(bytes: Uint8Array): string {
  return SECRET_PREFIX + Buffer.from(bytes).toString("base64");
}

interface SignedMessage {
  /** The same for each attempt. */
  readonly id: string;
  /** Of this attempt, in seconds since 1970: signed as well, so that what was overheard cannot be sent again later. */
  readonly timestamp: number;
  readonly body: string;
}

/** The headers that a message is verified by. */
export function signatureHeaders(secret: string, { id, timestamp, body }: SignedMessage): Record<string, string> {
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), "base64");
  const signature = createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64");
  return { "webhook-id": id, "webhook-timestamp": String(timestamp), "webhook-signature": `v1,${signature}` };
}
