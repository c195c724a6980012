import type { RecordOf, SearchAnswer, ValidationResult } from "./answers.js";
import type { Received } from "./models/citations.js";
import { makeSearchable, type OwnQuery, type RecordQuery, type Searchable } from "./search-query.js";
import type { CallOptions, Transport } from "./send.js";

/** Of a change of what one has read. */
export interface ChangeOptions extends CallOptions {
  /** The `revision_id` that was read: when somebody has changed it since, nothing is done (`REVISION_STALE`). */
  readonly revision?: number | undefined;
}

/** Of a POST. */
export interface PostOptions extends ChangeOptions {
  /**
   * Makes the call one with an earlier call of the same key and body, for 24 hours, even by another process. Without
   * it each call has a key of its own.
   */
  readonly idempotencyKey?: string | undefined;
}

/** The records of one model. Metadata are typed as complete: what a form has of them so far needs a cast. */
export interface ModelClient<Name extends keyof Known & string, Known>
  extends Searchable<RecordOf<Name, Known>, RecordQuery> {
  /** The caller's own drafts and records, and those shared with the caller. */
  readonly mine: Searchable<RecordOf<Name, Known>, OwnQuery>;

  /** A published record. */
  read(id: string, options?: CallOptions): Promise<RecordOf<Name, Known>>;
  /** The latest version of a published record, by the id of any version or of their `parent`. */
  readLatest(id: string, options?: CallOptions): Promise<RecordOf<Name, Known>>;
  /** All published versions of a record, newest first. */
  versions(
    id: string,
    query?: { readonly page?: number; readonly size?: number },
    options?: CallOptions,
  ): Promise<SearchAnswer<RecordOf<Name, Known>>>;
  readDraft(id: string, options?: CallOptions): Promise<RecordOf<Name, Known>>;

  /** Says what a draft of these metadata would say, and stores nothing. Takes anything. */
  validate(metadata: unknown, options?: CallOptions): Promise<ValidationResult<Received<Known[Name]>>>;
  /** Saves a draft. What is wrong with it is saved all the same, and told in `errors`. */
  deposit(metadata: Known[Name], options?: Omit<PostOptions, "revision">): Promise<RecordOf<Name, Known>>;
  /** Replaces the metadata of a draft. */
  replaceDraft(id: string, metadata: Known[Name], options?: ChangeOptions): Promise<RecordOf<Name, Known>>;
  /** Makes a draft public. Throws `DRAFT_INVALID` with all that is wrong with it. */
  publish(id: string, options?: PostOptions): Promise<RecordOf<Name, Known>>;
  /** Opens a draft of a published record, a copy that keeps its id; again gives the same draft. */
  edit(id: string, options?: PostOptions): Promise<RecordOf<Name, Known>>;
  /** Opens a draft of the next version of a record, a copy with an id of its own; again gives the same draft. */
  newVersion(id: string, options?: PostOptions): Promise<RecordOf<Name, Known>>;
  /** Throws a draft away; what is published stays. */
  deleteDraft(id: string, options?: ChangeOptions): Promise<void>;
  /** Takes a published record back. What is left is a tombstone with the reason. */
  retract(id: string, options?: ChangeOptions & { readonly reason?: string }): Promise<void>;

  /** The JSON Schema of the metadata, complete in itself: parts stand once in `$defs`, or `resolved` in place. */
  schema(options?: CallOptions & { readonly refs?: "kept" | "resolved" }): Promise<Record<string, unknown>>;
  /** Whole metadata, as one deposits them. */
  example(options?: CallOptions): Promise<Known[Name]>;
}

export function makeModelClient<Name extends keyof Known & string, Known>(
  transport: Transport,
  name: Name,
): ModelClient<Name, Known> {
  type Hit = RecordOf<Name, Known>;
  const { send } = transport;
  const records = `/api/records/${encodeURIComponent(name)}`;
  const model = `/api/models/${encodeURIComponent(name)}`;
  const of = (id: string): string => `${records}/${encodeURIComponent(id)}`;

  return {
    ...makeSearchable<Hit, RecordQuery>(transport, records),
    mine: makeSearchable<Hit, OwnQuery>(transport, `/api/user/records/${encodeURIComponent(name)}`),

    read: (id, options) => send("GET", of(id), options),
    readLatest: (id, options) => send("GET", `${of(id)}/versions/latest`, options),
    versions: (id, query, options) => send("GET", `${of(id)}/versions`, { ...options, query }),
    readDraft: (id, options) => send("GET", `${of(id)}/draft`, options),

    validate: (metadata, options) =>
      send("POST", records, { ...options, query: { validate: "only" }, body: { metadata } }),
    deposit: (metadata, options) => send("POST", records, { ...conditional(options), body: { metadata } }),
    replaceDraft: (id, metadata, options) =>
      send("PUT", `${of(id)}/draft`, { ...conditional(options), body: { metadata } }),
    publish: (id, options) => send("POST", `${of(id)}/draft/actions/publish`, conditional(options)),
    edit: (id, options) => send("POST", `${of(id)}/draft`, conditional(options)),
    newVersion: (id, options) => send("POST", `${of(id)}/versions`, conditional(options)),
    deleteDraft: (id, options) => send("DELETE", `${of(id)}/draft`, conditional(options)),
    retract: (id, { reason, ...options } = {}) => {
      const body = reason === undefined ? {} : { body: { removal_reason: reason } };
      return send("DELETE", of(id), { ...conditional(options), ...body });
    },

    schema: ({ refs, ...options } = {}) => send("GET", `${model}/schema`, { ...options, query: { refs } }),
    example: async (options) => (await send<{ metadata: Known[Name] }>("GET", `${model}/example`, options)).metadata,
  };
}

/** The headers of a change. */
export function conditional({ signal, revision, idempotencyKey }: PostOptions = {}): {
  readonly signal: AbortSignal | undefined;
  readonly headers: Readonly<Record<string, string>>;
} {
  const headers = {
    ...(revision === undefined ? {} : { "if-match": `"${revision}"` }),
    ...(idempotencyKey === undefined ? {} : { "idempotency-key": idempotencyKey }),
  };
  return { signal, headers };
}
