/** `?validate=only` of the POST that makes drafts: the same body is judged, and nothing is made. */
import type { FastifyRequest } from "fastify";
import type { Warning } from "../../core/issue.js";
import type { ValidationResult } from "../../services/api/validation-services.js";
import { clip, readParameters } from "../parameters/parameter-reader.js";
import type { Query } from "../parameters/query-string.js";
import { VALIDATE } from "../schemas/requests.js";

/** Is this a request to judge a body? Bad values are nothing of that; `readCreate` refuses them. */
export function isValidateOnly({ query }: Pick<FastifyRequest, "query">): boolean {
  return (query as Query).get("validate")?.[0] === VALIDATE[0];
}

/** Reads the parameters of the POST. @returns its warnings. @throws PARAMETER_INVALID */
export function readCreate(query: Query): readonly Warning[] {
  const reader = readParameters(query);
  const isExpanded = reader.flag("expand") !== undefined;
  const validate = reader.one("validate");
  if (validate !== undefined && !VALIDATE.includes(validate)) {
    const message = `The parameter "validate" must be "only", not "${clip(validate)}"; leave it out to create a draft.`;
    reader.refuse(["validate"], "PARAMETER_INVALID", message, { allowed: VALIDATE });
  }
  const warnings = reader.finish();
  if (validate === undefined || !isExpanded) return warnings;
  const message = "expand has no effect with validate=only, which returns no record.";
  return [...warnings, { code: "PARAMETER_IGNORED", message, parameter: "expand" }];
}

/** The text of the answer; both lists are always there. */
export function judgementText({ errors, warnings, metadata }: ValidationResult, others: readonly Warning[]): string {
  const said = JSON.stringify({ valid: errors.length === 0, errors, warnings: [...others, ...warnings] });
  return `${said.slice(0, -1)},"metadata":${metadata}}`;
}
