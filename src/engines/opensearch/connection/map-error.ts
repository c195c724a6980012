import { errors } from "@opensearch-project/opensearch";
import { BinderyError, fail } from "../../../core/errors.js";

/** OpenSearch understood a request and refused it: a fault of Bindery, or a document that it cannot index. */
export class SearchRefusal extends Error {
  override readonly name = "SearchRefusal";
  constructor(
    readonly status: number,
    /** Type of the error in OpenSearch, such as `mapper_parsing_exception`. */
    readonly type: string,
    reason: string,
    cause?: unknown,
  ) {
    super(`OpenSearch refused (${status} ${type}): ${reason}`, { cause });
  }
}

/** Types for a query with more clauses than OpenSearch allows. */
const CLAUSES: ReadonlySet<string> = new Set(["too_many_clauses", "too_many_nested_clauses"]);

/**
 * Types for a search that was cancelled after its time limit, or that or whose answer is larger than OpenSearch allows.
 */
const TOO_COSTLY: ReadonlySet<string> = new Set([...CLAUSES, "task_cancelled_exception", "too_many_buckets_exception"]);

/** Returns whether the search was too costly, so that a smaller one may succeed. */
export const isTooCostly = (error: unknown): boolean => error instanceof SearchRefusal && TOO_COSTLY.has(error.type);

/** Returns whether the query had more clauses than OpenSearch allows. */
export const hasTooManyClauses = (error: unknown): boolean => error instanceof SearchRefusal && CLAUSES.has(error.type);

/** Reasons that pass or that an operator can mend, by error type. */
const REASONS: Readonly<Record<string, string>> = {
  index_not_found_exception: 'its index is missing; run "bindery reindex"',
  cluster_block_exception: "its index is blocked, because a disk is full or somebody blocked it",
  circuit_breaking_exception: "the search engine has no memory left",
  opensearch_rejected_execution_exception: "the search engine has too much to do",
  no_shard_available_action_exception: "a part of its index is not there",
};

/**
 * Pattern of the missing right in messages of OpenSearch's security plugin; the rest of the message is about the user.
 */
const MISSING_RIGHT = /\bno permissions for \[([^\]]*)\]/u;

const UNAUTHORIZED = 401;

/** Status codes of temporary failures. */
const PASSING = new Set([401, 403, 429, 502, 503, 504]);

/** Translates an error of the client: SEARCH_UNAVAILABLE for what passes or can be mended, otherwise the refusal. */
export function mapError(error: unknown): unknown {
  if (error instanceof BinderyError || !(error instanceof Error)) return error;
  if (error instanceof errors.ResponseError) return mapResponse(error);
  const cause = withoutRequest(error);
  if (error instanceof errors.TimeoutError) return unavailable("the search engine does not answer in time", cause);
  if (isConnectionLost(error)) return unavailable(connectionFault(error), cause);
  return error;
}

/** Reasons by the words of TLS errors, of which the client keeps only the message. The first match counts. */
const CONNECTION_FAULTS: readonly (readonly [words: RegExp, reason: string])[] = [
  [/\baltnames\b/u, "the certificate of the search engine is that of another name than the one in BINDERY_SEARCH_URL"],
  [/\balert certificate required\b/u, "the search engine wants a certificate of this service, which has none"],
  [/\bcertificate\b/iu, "the certificate of the search engine is not trusted; see BINDERY_SEARCH_CA"],
  [
    /\bwrong version number\b|\bpacket length too long\b/u,
    "the search engine does not encrypt: BINDERY_SEARCH_URL has to begin with http://",
  ],
];

const connectionFault = ({ message }: Error): string =>
  CONNECTION_FAULTS.find(([words]) => words.test(message))?.[1] ?? "the search engine does not answer";

/** Returns a copy without the request and its answer, which would be megabytes in a log. */
export function withoutRequest({ name, message }: Error): Error {
  return Object.assign(new Error(message), { name });
}

/** Makes the error of an index that cannot be searched now. */
export function unavailable(reason: string, cause?: unknown): BinderyError {
  return fail("SEARCH_UNAVAILABLE", { reason }, cause);
}

/** Returns whether there was no connection, or it ended. The request may have arrived. */
export const isConnectionLost = (error: unknown): error is Error =>
  error instanceof errors.ConnectionError || error instanceof errors.NoLivingConnectionsError;

interface ErrorBody {
  readonly error?: ErrorCause & {
    readonly root_cause?: readonly ErrorCause[];
    readonly failed_shards?: readonly { readonly reason?: ErrorCause }[];
  };
}

interface ErrorCause {
  readonly type?: string;
  readonly reason?: string;
  readonly caused_by?: ErrorCause;
}

function mapResponse(error: InstanceType<typeof errors.ResponseError>): Error {
  const { statusCode, body } = error as { readonly statusCode: number; readonly body: unknown };
  return mapFailure(statusCode, typeof body === "object" && body !== null ? body : {}, withoutRequest(error));
}

/** Translates a body with an error. @param cause thrown error; undefined if it is one of several answers */
export function mapFailure(status: number, body: object, cause?: Error): Error {
  if (status === UNAUTHORIZED)
    return unavailable("the search engine refuses the user or the password of BINDERY_SEARCH_URL", cause);
  const causes = listCauses((body as ErrorBody).error);
  const known = causes.map(knownReason).find((reason) => reason !== undefined);
  if (known !== undefined) return unavailable(known, cause);
  const first = causes.find(({ type = "" }) => TOO_COSTLY.has(type)) ?? causes.at(-1);
  if (PASSING.has(status) && !TOO_COSTLY.has(first?.type ?? ""))
    return unavailable(`the search engine answered ${status}`, cause);
  return new SearchRefusal(status, first?.type ?? "unknown", first?.reason ?? cause?.message ?? "", cause);
}

/** A request that lacks memory cancels the other parts of its search, whose messages name the cause. */
const NO_MEMORY = /\bData too large\b/u;

/** Returns a reason that passes or that an operator can mend; undefined for other errors. */
export function knownReason({ type = "", reason = "" }: ErrorCause): string | undefined {
  if (type !== "security_exception") return REASONS[NO_MEMORY.test(reason) ? "circuit_breaking_exception" : type];
  const [, right] = MISSING_RIGHT.exec(reason) ?? [];
  return right === undefined
    ? "the search engine refuses the user of BINDERY_SEARCH_URL"
    : `the user of BINDERY_SEARCH_URL lacks the right ${right} in the search engine, see docs/cluster.md`;
}

/** Returns the error and its causes. */
function listCauses(error: ErrorBody["error"]): readonly ErrorCause[] {
  if (error === undefined) return [];
  const chains = [error, ...(error.root_cause ?? []), ...(error.failed_shards ?? []).map(({ reason }) => reason)];
  const causes: ErrorCause[] = [];
  for (const chain of chains)
    for (let current = chain; current !== undefined; current = current.caused_by) causes.push(current);
  return causes;
}
