import { createHash, type Hash } from "node:crypto";
import type { FastifyRequest } from "fastify";
import { fail } from "../../core/errors.js";
import { LIMITS } from "../../core/limits.js";
import type { Conditions, Once } from "../../services/api/record-services.js";
import { parseIfMatch } from "./etag.js";

/**
 * What the headers of a write say of when it may be done: `If-Match`, and of a POST `Idempotency-Key`.
 * @throws PARAMETER_INVALID
 */
export function conditionsOf(request: FastifyRequest): Conditions {
  const revision = parseIfMatch(request.headers["if-match"]);
  const once = onceOf(request);
  return { ...(revision === undefined ? {} : { revision }), ...(once === undefined ? {} : { once }) };
}

function onceOf(request: FastifyRequest): Once | undefined {
  const { headers, bodyDigest } = request;
  const key = headers["idempotency-key"];
  if (request.method !== "POST" || key === undefined) return undefined;
  if (typeof key !== "string" || !KEY.test(key)) {
    const message = `Idempotency-Key must have 1 to ${LIMITS.idempotencyKeyLengthMax} printable ASCII characters.`;
    const issue = { field: "Idempotency-Key", pointer: "/Idempotency-Key", code: "PARAMETER_INVALID" };
    throw fail("PARAMETER_INVALID", { issues: [{ ...issue, messages: [message], value: String(key).slice(0, 100) }] });
  }
  return { key, request: bodyDigest ?? startDigest(request)!.digest("hex") };
}

/**
 * Starts the digest of a POST with an `Idempotency-Key`: SHA-256 of method, path and body. The bytes of the body are
 * added as they arrive, because the digest of 10 MB takes longer than other requests should wait.
 */
export function startDigest({ headers, method, url }: FastifyRequest): Hash | undefined {
  if (method !== "POST" || headers["idempotency-key"] === undefined) return undefined;
  const path = url.replace(/\/(?=\?|$)/, "");
  return createHash("sha256").update(`${method}\n${path}\n`);
}

/** Pattern of an `Idempotency-Key`: printable ASCII, without a space at its ends. */
export const KEY_PATTERN = `^[!-~]([ -~]{0,${LIMITS.idempotencyKeyLengthMax - 2}}[!-~])?$`;
const KEY = new RegExp(KEY_PATTERN);
