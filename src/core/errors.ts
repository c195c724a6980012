import type { Actor } from "./actor.js";
import type { Issue } from "./issue.js";
import type { TombstoneBody } from "./record.js";

/** Definition of an error: its HTTP status, and the sentence for the client. */
interface Entry<P> {
  readonly status: number;
  readonly text: (params: P) => string;
}

const entry = <P>(status: number, text: (params: P) => string): Entry<P> => ({ status, text });

interface Listed {
  readonly issues: readonly Issue[];
}

/**
 * All failures that a client can see. Codes are permanent: docs/errors.md lists the retired ones, and no code is used
 * twice. A parameter `issues` becomes the `errors` of the answer.
 */
export const ERRORS = {
  BODY_NOT_JSON: entry(400, (p: { reason: string }) => `The body is not valid JSON: ${p.reason}.`),
  BODY_MISSING: entry(400, () => "This request needs a JSON body."),
  BODY_NOT_UTF8: entry(400, () => "The body is not valid UTF-8."),
  BODY_INVALID: entry(400, (p: Listed) => `The body has ${count(p.issues.length, "problem")}.`),
  BODY_TOO_COMPLEX: entry(400, (p: { limit: string; max: number }) => `The body has more than ${p.max} ${p.limit}.`),
  RECORD_TOO_LONG: entry(
    400,
    (p: { words: number; max: number; fields: readonly string[] }) =>
      `The record has ${p.words} words; the maximum is ${p.max}. Most of them are in ${p.fields.join(", ")}. ` +
      "Shorten these fields, or cite the text where it is published.",
  ),
  RECORD_TOO_LARGE: entry(413, (p: { bytes: number; max: number; fields: readonly string[]; isFilled?: boolean }) =>
    p.isFilled === true
      ? `The terms and names that are filled into the record have more than ${p.max} bytes together. Most of them ` +
        `are in ${p.fields.join(", ")}. Cite less there, or shorten the names that are filled in.`
      : `The texts of the record have ${p.bytes} bytes together; the maximum is ${p.max}. Most of them are in ` +
        `${p.fields.join(", ")}. Shorten these fields, or cite the text where it is published.`,
  ),
  QUOTA_EXCEEDED: entry(413, (p: { used: string; max: number; cure: string; setting: string }) => {
    return `${p.used}; the maximum is ${p.max}. ${p.cure}, or ask the operator for more (${p.setting}).`;
  }),
  BODY_TOO_LARGE: entry(413, (p: { max: number }) => `The body is larger than ${p.max} bytes.`),
  MODEL_MISMATCH: entry(
    400,
    (p: { sent: string; path: string }) =>
      `The body names the model "${p.sent}", the path the model "${p.path}"; use the path of the model of the body.`,
  ),
  REQUEST_MALFORMED: entry(400, (p: { reason: string }) => `This is not a valid HTTP request: ${p.reason}.`),
  HEADER_REPEATED: entry(
    400,
    (p: { header: string }) => `The header ${p.header} was sent more than once; send it once.`,
  ),
  PARAMETER_INVALID: entry(400, (p: Listed) => p.issues[0]?.messages[0] ?? "A parameter is not valid."),
  PAGE_SIZE_TOO_LARGE: entry(
    400,
    (p: { max: number } & Listed) => `A page has at most ${p.max} hits; request several pages.`,
  ),
  PAGE_WINDOW_EXCEEDED: entry(
    400,
    (p: { max: number } & Listed) =>
      `Pages reach only the first ${p.max} hits; to read more, start with cursor=* and follow links.next.`,
  ),
  CURSOR_INVALID: entry(400, (_: Listed) => "The cursor does not belong to this search; start with cursor=*."),
  CHANGE_CURSOR_INVALID: entry(400, (_: Listed) => "since must be a cursor of this feed; start with since=0."),
  QUERY_TOO_LARGE: entry(
    400,
    (p: { limit: string; max: number } & Listed) => `A query can have at most ${p.max} ${p.limit}.`,
  ),
  QUERY_TOO_COSTLY: entry(400, (p: { clause: string }) => `The query takes too long; narrow "${p.clause}".`),
  ANSWER_TOO_LARGE: entry(
    400,
    (p: { max: number }) => `The records have more than ${p.max} characters; request fewer (size), or a stream.`,
  ),
  DRAFT_INVALID: entry(
    400,
    (p: Listed) => `The draft has ${count(p.issues.length, "problem")}; nothing was published.`,
  ),
  TOKEN_MISSING: entry(401, () => "This request needs a token: send Authorization: Bearer <token>."),
  TOKEN_INVALID: entry(401, (p: { hint?: string }) => p.hint ?? "This token is not known to this service."),
  TOKEN_EXPIRED: entry(401, (p: { expired: string; actor: Actor }) => `This token expired at ${p.expired}.`),
  TOKEN_REVOKED: entry(401, (_: { actor: Actor }) => "This token was revoked."),
  USER_DISABLED: entry(
    401,
    (_: { actor: Actor }) => "The user of this token is disabled; ask the operator of this service.",
  ),
  SCOPE_MISSING: entry(403, (p: { scope: string }) => `This token lacks the scope ${p.scope}.`),
  TOKEN_EXCEEDED: entry(
    403,
    (_: Listed) => "A token can create only tokens that have no more rights and expire no later than itself.",
  ),
  ACCESS_DENIED: entry(403, (p: { action: string }) => `You are not allowed to ${p.action}.`),
  PATH_NOT_FOUND: entry(404, (p: { path: string }) => `There is no resource at ${p.path}; see /api/docs.`),
  MODEL_NOT_FOUND: entry(
    404,
    (p: { model: string; known: readonly string[] }) =>
      `There is no model "${p.model}"; the models are ${p.known.join(", ")}.`,
  ),
  FORMAT_NOT_FOUND: entry(
    404,
    (p: { format: string; known: readonly string[] }) =>
      `There is no format "${p.format}"; the formats are json, ${p.known.join(", ")}.`,
  ),
  LOOKUP_NOT_FOUND: entry(
    404,
    (p: { vocabulary: string; enabled: readonly string[] }) =>
      `No authority is asked for terms of ${p.vocabulary}. ` +
      (p.enabled.length === 0
        ? "The operator of this service has not enabled live look-ups (BINDERY_LOOKUP)."
        : `Live look-ups are enabled for ${p.enabled.join(", ")}.`),
  ),
  EXAMPLE_NOT_FOUND: entry(404, (p: { model: string }) => `The model ${p.model} has no example.`),
  VOCABULARY_NOT_FOUND: entry(
    404,
    (p: { vocabulary: string; known: readonly string[] }) =>
      `There is no vocabulary "${p.vocabulary}"; the vocabularies are ${p.known.join(", ")}.`,
  ),
  TERM_NOT_FOUND: entry(
    404,
    (p: { vocabulary: string; id: string } & Partial<Listed>) =>
      `The vocabulary ${p.vocabulary} has no term "${p.id}".${after(p.issues?.[0]?.messages[0])}`,
  ),
  MOLECULE_NOT_FOUND: entry(
    404,
    (p: { id: string } & Partial<Listed>) =>
      `No published record has a molecule with the id "${p.id}".${after(p.issues?.[0]?.messages[0])}`,
  ),
  STRUCTURE_NOT_FOUND: entry(
    404,
    (p: { vocabulary: string; id: string; reason: string }) =>
      `The structure of "${p.id}" of ${p.vocabulary} cannot be drawn: ${p.reason}.`,
  ),
  RECORD_NOT_FOUND: entry(
    404,
    (p: { id: string; hint?: string }) => `No published record has the id "${p.id}".${after(p.hint)}`,
  ),
  DRAFT_NOT_FOUND: entry(
    404,
    (p: { id: string; hint?: string }) => `There is no draft "${p.id}" that you may read.${after(p.hint)}`,
  ),
  GRANT_NOT_FOUND: entry(
    404,
    (p: { id: string; user: string }) => `The draft "${p.id}" is not shared with a user "${p.user}".`,
  ),
  TOKEN_NOT_FOUND: entry(404, (p: { id: string }) => `You have no token with the id "${p.id}".`),
  METHOD_NOT_ALLOWED: entry(
    405,
    (p: { method: string; allowed: readonly string[] }) =>
      `The method ${p.method} is not allowed here; allowed: ${p.allowed.join(", ")}.`,
  ),
  NOT_ACCEPTABLE: entry(
    406,
    (p: { accept: string; served: readonly string[] } & Listed) =>
      `This resource is not available as "${p.accept}". It is available as ${p.served.join(", ")}.`,
  ),
  REQUEST_TIMEOUT: entry(408, () => "The request did not arrive in time."),
  IDEMPOTENCY_KEY_REUSED: entry(
    409,
    () => "This Idempotency-Key was used for a different request within the last 24 hours; use a new one.",
  ),
  IDEMPOTENCY_KEY_BUSY: entry(409, () => "The first request with this Idempotency-Key is still running; try again."),
  TERM_EXISTS: entry(
    409,
    (p: { vocabulary: string; id: string; stored: string }) =>
      `The vocabulary ${p.vocabulary} already has "${p.stored}"; change it with PUT.`,
  ),
  TERM_CITED: entry(
    409,
    (p: { vocabulary: string; id: string; count: number }) =>
      `"${p.id}" of ${p.vocabulary} is cited by ${count(p.count, "record")}, drafts included. Deprecate it instead: ` +
      `PUT it with "status": "deprecated", and with "replaced_by" if it has a successor.`,
  ),
  TERM_HAS_CHILDREN: entry(
    409,
    (p: { vocabulary: string; id: string; children: number }) =>
      `"${p.id}" of ${p.vocabulary} is the parent of ${count(p.children, "term")}. Give them another parent or ` +
      `delete them first, or deprecate this term: PUT it with "status": "deprecated".`,
  ),
  TERM_SOURCES_TOO_MANY: entry(
    409,
    (p: { vocabulary: string; source: string; max: number }) =>
      `The terms of ${p.vocabulary} already come from ${p.max} sources, so "${p.source}" cannot be added; ` +
      "use the name of one of them.",
  ),
  TERM_GONE: entry(
    410,
    (p: { vocabulary: string; id: string }) => `The term "${p.id}" of ${p.vocabulary} was removed.`,
  ),
  RECORD_GONE: entry(410, (p: { tombstone: TombstoneBody }) => `The record "${p.tombstone.id}" was retracted.`),
  CHANGE_CURSOR_GONE: entry(
    410,
    () =>
      "The changes up to this cursor no longer exist, because the store was restored from an older copy. " +
      "Start again with since=0.",
  ),
  TOKENS_TOO_MANY: entry(
    409,
    (p: { max: number }) =>
      `This user already has ${p.max} active tokens, the most that are allowed; revoke those that are not needed: ` +
      "DELETE /api/user/tokens/<id>, or bindery token revoke <id>.",
  ),
  REVISION_STALE: entry(
    412,
    (p: { expected: number | readonly number[]; actual: number }) =>
      `Your change is based on revision ${[p.expected].flat().join(" or ")}, but the current one is ${p.actual}; ` +
      "read it again and repeat the change.",
  ),
  MEDIA_TYPE_UNSUPPORTED: entry(415, (p: { type: string }) => `Send application/json, not "${p.type}".`),
  RATE_LIMITED: entry(
    429,
    (p: { effort: string; max: number; seconds: number; large: number }) =>
      `More than ${p.max} ${p.effort} in a minute${p.large === 0 ? "" : ` (${p.large} of them for large answers)`}; ` +
      `try again in ${count(p.seconds, "second")}.`,
  ),
  SEARCHES_TOO_MANY: entry(
    429,
    (p: { max: number; seconds: number }) =>
      `Too many of your requests wait (maximum: ${p.max}); send fewer, and try again in ${count(p.seconds, "second")}.`,
  ),
  STREAMS_TOO_MANY: entry(
    429,
    (p: { max: number; seconds: number }) =>
      `At most ${p.max} results can be streamed at once; try again in ${count(p.seconds, "second")}, or read pages.`,
  ),
  URL_TOO_LONG: entry(431, (p: { max: number }) => `The URL and the headers together have more than ${p.max} bytes.`),
  FEATURE_UNSUPPORTED: entry(500, (p: { feature: string }) => `This deployment does not support ${p.feature}.`),
  INTERNAL: entry(500, () => "Something went wrong on our side; the log has the details under this request_id."),
  INDEX_LOADING: entry(
    503,
    () =>
      "The data that searches need are still being read into memory, which happens once after a start. " +
      "Try again soon; until then, searches without facets (facets=none) and without quantities are answered.",
  ),
  LOOKUP_UNAVAILABLE: entry(
    503,
    (p: { authority: string; reason: string; seconds: number }) =>
      `${p.authority} ${p.reason}. Try again later; terms that are loaded are found without it.`,
  ),
  SEARCH_UNAVAILABLE: entry(503, (p: { setting: string } | { reason: string }) =>
    "setting" in p
      ? `Searches are not available: this service has no search index. Its operator names one in ${p.setting}. ` +
        "Records and terms can still be read and written by their ids."
      : `Searches are not available at the moment: ${p.reason}. Try again soon; records and terms can still ` +
        "be read and written by their ids.",
  ),
  /** `cure` is for the operator and is not sent to clients. */
  STORE_UNAVAILABLE: entry(
    503,
    (p: { reason: string; cure?: string | undefined }) =>
      `The service cannot do this at the moment: ${p.reason}. Try again soon.`,
  ),
  /** `record` or `row` names the damaged part; without both, the file itself is damaged. */
  STORE_DAMAGED: entry(
    503,
    (p: { part: string; reason: string; record?: string | undefined; row?: string | undefined }) =>
      `${p.part} is damaged: ${p.reason}. Stop the service, copy its data folder, run "bindery verify --repair", and ` +
      'restore a backup if that does not repair it: docs/operating.md, "After a disk fault".',
  ),
} as const;

export type ErrorCode = keyof typeof ERRORS;
/** The parameters of the message of an error. */
export type ParamsOf<C extends ErrorCode> = Parameters<(typeof ERRORS)[C]["text"]>[0];

/** Failure with a code of `ERRORS`. Only `fail` creates it. */
export class BinderyError extends Error {
  override readonly name = "BinderyError";
  constructor(
    readonly code: ErrorCode,
    readonly params: Readonly<Record<string, unknown>>,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }

  get status(): number {
    return ERRORS[this.code].status;
  }

  /** Problems by field, if there are any: the `errors` of the answer. */
  get issues(): readonly Issue[] {
    return (this.params.issues as readonly Issue[] | undefined) ?? [];
  }
}

/** Returns whether the error means that the data file itself is damaged, and not only one row. */
export function isFileDamage(error: unknown): error is BinderyError {
  if (!(error instanceof BinderyError) || error.code !== "STORE_DAMAGED") return false;
  return error.params.record === undefined && error.params.row === undefined;
}

/** Creates a BinderyError; the compiler checks `params` against `ERRORS`. Use: `throw fail(code, params)`. */
export function fail<C extends ErrorCode>(
  code: C,
  ...[params, cause]: undefined extends ParamsOf<C>
    ? [params?: undefined, cause?: unknown]
    : [ParamsOf<C>, cause?: unknown]
): BinderyError {
  const text = ERRORS[code].text as (params: unknown) => string;
  return new BinderyError(code, (params ?? {}) as Readonly<Record<string, unknown>>, text(params), { cause });
}

const after = (hint: string | undefined): string => (hint === undefined ? "" : ` ${hint}`);

const count = (n: number, noun: string): string => `${n} ${noun}${n === 1 ? "" : "s"}`;
