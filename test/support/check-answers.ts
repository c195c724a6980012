/** Checks answers against the OpenAPI document of the service (`test/golden/openapi.json`). */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { fullFormats } from "ajv-formats/dist/formats.js";
import { isObject, type Json, type JsonObject } from "../../src/core/json.js";
import { parseRecordId } from "../../src/core/record.js";
import { API_TYPES } from "../../src/http/parameters/request-headers.js";
import { ROOT } from "./bindery.js";

/** The checked parts of an answer. */
export interface SentAnswer {
  readonly method: string;
  /** As in the request line. */
  readonly path: string;
  readonly status: number;
  readonly type: string | undefined;
  /** Body. Undefined if it is unknown: a stream or a compressed answer. */
  readonly text: string | undefined;
}

interface DeclaredResponse {
  readonly content?: Readonly<Record<string, { readonly schema: JsonObject }>>;
}

interface Operation {
  readonly operationId: string;
  readonly responses: Readonly<Record<string, DeclaredResponse>>;
}

/** An operation with the segments of its path. Segments in braces are parameters. */
interface Route {
  readonly method: string;
  readonly segments: readonly string[];
  readonly operation: Operation;
}

interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, JsonObject>> };
}

/** Checks answers, and collects the responses of the document that occurred. */
export interface AnswerCheck {
  /** Returns the deviations from the document; none for a path that the document lacks. */
  check(answer: SentAnswer): readonly string[];
  /** Documented responses that occurred without deviations: `readRecord 200`. */
  readonly checked: ReadonlySet<string>;
}

const NDJSON = "application/x-ndjson";

/** The document. Objects with declared members are closed, so that undeclared members are deviations. */
const document = JSON.parse(readFileSync(join(ROOT, "test/golden/openapi.json"), "utf8"), (_, value: Json) => {
  const isClosed = isObject(value) && isObject(value.properties ?? null) && Object.keys(value.properties!).length > 0;
  return isClosed ? { additionalProperties: false, ...value } : value;
}) as OpenApi;

const routes: readonly Route[] = Object.entries(document.paths).flatMap(([path, operations]) =>
  Object.entries(operations).map(([method, operation]) => ({
    method: method.toUpperCase(),
    segments: path.split("/"),
    operation,
  })),
);

const ajv = new Ajv2020({ allErrors: true, strict: false, formats: fullFormats });
ajv.addSchema({ $id: "openapi", components: document.components });
const validators = new Map<string, ValidateFunction>();

/** All documented responses except errors: `readRecord 200`. */
export const DOCUMENTED_RESPONSES: readonly string[] = routes.flatMap(({ operation: { operationId, responses } }) =>
  Object.keys(responses).flatMap((status) => (/XX$/.test(status) ? [] : [`${operationId} ${status}`])),
);

export function makeAnswerCheck(): AnswerCheck {
  const checked = new Set<string>();
  return {
    checked,
    check(answer) {
      const operation = operationOf(answer);
      if (operation === undefined) return [];
      const { operationId, responses } = operation;
      const status = [String(answer.status), `${String(answer.status)[0]}XX`].find((key) => key in responses);
      if (status === undefined) return [`${operationId} documents no status ${answer.status}`];
      const problems = problemsOf(answer, responses[status]!);
      if (problems.length === 0) checked.add(`${operationId} ${status}`);
      return problems.map((problem) => `${operationId} ${answer.status}: ${problem}`);
    },
  };
}

/** Returns the operation of a path. If several match, the one with the fewest parameters. */
function operationOf({ method, path }: SentAnswer): Operation | undefined {
  const segments = path
    .replace(/[?#].*/s, "")
    .replace(/(?<=.)\/$/, "")
    .split("/");
  // The model of a record may be left out before further segments.
  const [, api, records, id = ""] = segments;
  if (`${api}/${records}` === "api/records" && segments.length > 4 && parseRecordId(id) !== undefined) {
    segments.splice(3, 0, "model");
  }
  const fits = (name: string, i: number): boolean => name === segments[i] || (isParameter(name) && segments[i] !== "");
  const fitting = routes.filter((route) => {
    return route.method === method && route.segments.length === segments.length && route.segments.every(fits);
  });
  const parametersOf = (route: Route): number => route.segments.filter(isParameter).length;
  return fitting.sort((a, b) => parametersOf(a) - parametersOf(b))[0]?.operation;
}

const isParameter = (segment: string): boolean => segment.startsWith("{");

function problemsOf({ type = "", text }: SentAnswer, { content }: DeclaredResponse): readonly string[] {
  if (text === undefined) return [];
  if (content === undefined) return text === "" ? [] : ["it has a body"];
  const mediaType = type.split(";")[0]!;
  const declared = content[API_TYPES.includes(mediaType) ? "application/json" : mediaType];
  if (declared === undefined) return [`its type is ${mediaType}`];
  const { schema } = declared;
  if (mediaType === NDJSON && schema.$ref !== undefined) {
    return text.split("\n").flatMap((line) => (line === "" ? [] : mismatches(JSON.parse(line), schema)));
  }
  return /[/+]json$/.test(mediaType) ? mismatches(JSON.parse(text), schema) : [];
}

/** Returns the deviations of a value from a schema. Each schema is compiled once. */
function mismatches(value: unknown, schema: JsonObject): readonly string[] {
  const key = JSON.stringify(schema).replaceAll('"#/components', '"openapi#/components');
  const validate = validators.get(key) ?? ajv.compile(JSON.parse(key) as object);
  validators.set(key, validate);
  validate(value);
  return (validate.errors ?? []).map(
    ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
  );
}
