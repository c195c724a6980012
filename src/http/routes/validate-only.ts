/** `?validate=only` of the POST that makes drafts: the same body is validated, and nothing is made. */
import type { FastifyRequest } from "fastify";
import type { Warning } from "../../core/issue.js";
import type { ValidationResult } from "../../services/api/record-services.js";
import { readParameters } from "../parameters/parameter-reader.js";
import type { Query } from "../parameters/query-string.js";
import { CreateQuery } from "../parameters/requests.js";

/** Is this a request to check a body? Bad values are nothing of that; `readCreate` refuses them. */
export function isValidateOnly({ query }: Pick<FastifyRequest, "query">): boolean {
  return (query as Query).get("validate")?.[0] === "only";
}

/** Reads the parameters of the POST. @returns its warnings. @throws PARAMETER_INVALID */
export function readCreate(query: Query): readonly Warning[] {
  const { values, sent, warnings } = readParameters(CreateQuery, query);
  if (values.validate === undefined || !sent.has("expand")) return warnings;
  const message = "expand has no effect with validate=only, which returns no record.";
  return [...warnings, { code: "PARAMETER_IGNORED", message, parameter: "expand" }];
}

/** The text of the answer; both lists are always there. */
export function validationText({ errors, warnings, metadata }: ValidationResult, others: readonly Warning[]): string {
  const said = JSON.stringify({ valid: errors.length === 0, errors, warnings: [...others, ...warnings] });
  return `${said.slice(0, -1)},"metadata":${metadata}}`;
}
