import type { BinderyRecord, SearchAnswer, ValidationResult } from "./answers.js";
import type { Received } from "./models/citations.js";
import type { Models } from "./models/index.js";
import { makeSearchable, type OwnQuery, type RecordQuery, type Searchable } from "./search-query.js";
import type { CallOptions, Transport } from "./transport.js";

/** Record of a model: `RecordOf<"mst">`. `Known` maps models to the metadata of requests. */
export type RecordOf<Name extends keyof Known & string, Known = Models> = BinderyRecord<Name, Received<Known[Name]>>;

/** Record of any model, which `model` names. */
export type AnyRecord<Known = Models> = { [Name in keyof Known & string]: RecordOf<Name, Known> }[keyof Known & string];

/** Options of reading a record or draft. */
export interface ReadRecordOptions extends CallOptions {
  /** Adds the outcomes of the checks that the model declares, as `checks`. Default: false. */
  readonly checks?: boolean | undefined;
}

/** Options of a change. */
export interface ChangeOptions extends CallOptions {
  /** Expected `revision_id`: if the current one differs, the change fails with `REVISION_STALE`. */
  readonly revision?: number | undefined;
}

/** Options of a POST. */
export interface PostOptions extends ChangeOptions {
  /**
   * Key for 24 hours: a call with the same key and body as an earlier one, even of another process, is not repeated.
   * Default: a new key for each call.
   */
  readonly idempotencyKey?: string | undefined;
}

/** Client of the records of a model. Metadata are typed as complete: those of an unfinished form need a cast. */
export interface ModelClient<Name extends keyof Known & string, Known>
  extends Searchable<RecordOf<Name, Known>, RecordQuery> {
  /** Drafts and records that the caller owns or that are shared with the caller. */
  readonly mine: Searchable<RecordOf<Name, Known>, OwnQuery>;

  /** Returns a published record. */
  read(id: string, options?: ReadRecordOptions): Promise<RecordOf<Name, Known>>;
  /** Returns the latest version of a published record, by the id of any version or of their `parent`. */
  readLatest(id: string, options?: CallOptions): Promise<RecordOf<Name, Known>>;
  /** Returns all published versions of a record, newest first. */
  versions(
    id: string,
    query?: { readonly page?: number; readonly size?: number },
    options?: CallOptions,
  ): Promise<SearchAnswer<RecordOf<Name, Known>>>;
  readDraft(id: string, options?: ReadRecordOptions): Promise<RecordOf<Name, Known>>;

  /** Validates metadata of any form without storing them. */
  validate(metadata: unknown, options?: CallOptions): Promise<ValidationResult<Received<Known[Name]>>>;
  /** Saves a draft, even if it has problems, which are in `errors`. */
  deposit(metadata: Known[Name], options?: Omit<PostOptions, "revision">): Promise<RecordOf<Name, Known>>;
  /** Replaces the metadata of a draft. */
  replaceDraft(id: string, metadata: Known[Name], options?: ChangeOptions): Promise<RecordOf<Name, Known>>;
  /** Publishes a draft. Throws `DRAFT_INVALID` with all problems. */
  publish(id: string, options?: PostOptions): Promise<RecordOf<Name, Known>>;
  /** Opens a draft of a published record: a copy with the same id. Repeated calls return the same draft. */
  edit(id: string, options?: PostOptions): Promise<RecordOf<Name, Known>>;
  /** Opens a draft of the next version of a record: a copy with a new id. Repeated calls return the same draft. */
  newVersion(id: string, options?: PostOptions): Promise<RecordOf<Name, Known>>;
  /** Deletes a draft; the published record remains. */
  deleteDraft(id: string, options?: ChangeOptions): Promise<void>;
  /** Retracts a published record. A tombstone with the reason remains. */
  retract(id: string, options?: ChangeOptions & { readonly reason?: string }): Promise<void>;

  /** Returns the complete JSON Schema of the metadata, with parts in `$defs`, or in place if `resolved`. */
  schema(options?: CallOptions & { readonly refs?: "kept" | "resolved" }): Promise<Record<string, unknown>>;
  /** Returns an example of complete metadata. */
  example(options?: CallOptions): Promise<Known[Name]>;
}

/** Creates the client of the records of a model. */
export function makeModelClient<Name extends keyof Known & string, Known>(
  transport: Transport,
  name: Name,
): ModelClient<Name, Known> {
  type Hit = RecordOf<Name, Known>;
  const { send } = transport;
  const recordsPath = `/api/records/${encodeURIComponent(name)}`;
  const modelPath = `/api/models/${encodeURIComponent(name)}`;
  const recordPath = (id: string): string => `${recordsPath}/${encodeURIComponent(id)}`;

  return {
    ...makeSearchable<Hit, RecordQuery>(transport, recordsPath),
    mine: makeSearchable<Hit, OwnQuery>(transport, `/api/user/records/${encodeURIComponent(name)}`),

    read: (id, options) => send("GET", recordPath(id), expanding(options)),
    readLatest: (id, options) => send("GET", `${recordPath(id)}/versions/latest`, options),
    versions: (id, query, options) => send("GET", `${recordPath(id)}/versions`, { ...options, query }),
    readDraft: (id, options) => send("GET", `${recordPath(id)}/draft`, expanding(options)),

    validate: (metadata, options) =>
      send("POST", recordsPath, { ...options, query: { validate: "only" }, body: { metadata } }),
    deposit: (metadata, options) => send("POST", recordsPath, { ...conditional(options), body: { metadata } }),
    replaceDraft: (id, metadata, options) =>
      send("PUT", `${recordPath(id)}/draft`, { ...conditional(options), body: { metadata } }),
    publish: (id, options) => send("POST", `${recordPath(id)}/draft/actions/publish`, conditional(options)),
    edit: (id, options) => send("POST", `${recordPath(id)}/draft`, conditional(options)),
    newVersion: (id, options) => send("POST", `${recordPath(id)}/versions`, conditional(options)),
    deleteDraft: (id, options) => send("DELETE", `${recordPath(id)}/draft`, conditional(options)),
    retract: (id, { reason, ...options } = {}) => {
      const body = reason === undefined ? {} : { body: { removal_reason: reason } };
      return send("DELETE", recordPath(id), { ...conditional(options), ...body });
    },

    schema: ({ refs, ...options } = {}) => send("GET", `${modelPath}/schema`, { ...options, query: { refs } }),
    example: async (options) =>
      (await send<{ metadata: Known[Name] }>("GET", `${modelPath}/example`, options)).metadata,
  };
}

/** Returns the options of a request that reads a record. */
export function expanding({ checks, ...options }: ReadRecordOptions = {}) {
  return checks === true ? { ...options, query: { expand: "checks" } } : options;
}

/** Returns the headers of a change. */
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
