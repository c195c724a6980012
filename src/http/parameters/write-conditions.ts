import { createHash } from "node:crypto";
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
  const once = request.method === "POST" ? onceOf(request) : undefined;
  return { ...(revision === undefined ? {} : { revision }), ...(once === undefined ? {} : { once }) };
}

function onceOf({ headers, method, url, body }: FastifyRequest): Once | undefined {
  const key = headers["idempotency-key"];
  if (key === undefined) return undefined;
  if (typeof key !== "string" || !KEY.test(key)) {
    const message = `Idempotency-Key must have 1 to ${LIMITS.idempotencyKeyLengthMax} printable ASCII characters.`;
    const issue = { field: "Idempotency-Key", pointer: "/Idempotency-Key", code: "PARAMETER_INVALID" };
    throw fail("PARAMETER_INVALID", { issues: [{ ...issue, messages: [message], value: String(key).slice(0, 100) }] });
  }
  const path = url.replace(/\/(?=\?|$)/, "");
  const asked = [method, path, typeof body === "string" ? body : ""].join("\n");
  return { key, request: createHash("sha256").update(asked).digest("hex") };
}

/** Pattern of an `Idempotency-Key`: printable ASCII, without a space at its ends. */
export const KEY_PATTERN = `^[!-~]([ -~]{0,${LIMITS.idempotencyKeyLengthMax - 2}}[!-~])?$`;
const KEY = new RegExp(KEY_PATTERN);
