/**
 * The client of a Bindery service, for browsers and Node. It needs nothing but `fetch`. docs/client.md shows its use.
 */
import type { AnyRecord, ModelSummary, VocabularySummary } from "./answers.js";
import { type ModelClient, makeModelClient } from "./model.js";
import type { Models } from "./models/index.js";
import type { Vocabularies } from "./models/vocabularies.js";
import type { QueryText } from "./query-text.js";
import { makeSearchable, type OwnQuery, type ReadOptions, type RecordQuery, type Searchable } from "./search-query.js";
import { type CallOptions, type ClientOptions, makeTransport, type Send } from "./send.js";
import { makeVocabularyClient, type VocabularyClient } from "./vocabulary.js";

export type * from "./answers.js";
export { BinderyError } from "./error.js";
export type { FoundTerm } from "./found-term.js";
export type { ChangeOptions, ModelClient, PostOptions } from "./model.js";
export type { Cited, CitedTerm, Received, Referred, Titles } from "./models/citations.js";
export type * from "./models/index.js";
export type * from "./query-text.js";
export type * from "./search-query.js";
export type { CallOptions, ClientOptions, QueryValue, Request, Send } from "./send.js";
export type * from "./term-answers.js";
export type { VocabularyClient } from "./vocabulary.js";

/** Searches of its own are over all models. `Known` maps models to the metadata that one sends. */
export interface Client<Known = Models> extends Searchable<AnyRecord<Known>, RecordQuery> {
  /** The caller's own drafts and records of all models, and those shared with the caller. */
  readonly mine: Searchable<AnyRecord<Known>, OwnQuery>;
  /** How the text of a query is read, part by part, and how it can go on. */
  readQuery(q: string, options?: ReadOptions & CallOptions): Promise<QueryText>;
  /** A published record of any model. */
  read(id: string, options?: CallOptions): Promise<AnyRecord<Known>>;
  /** What models there are. */
  models(options?: CallOptions): Promise<readonly ModelSummary[]>;
  /** The records of one model. */
  model<Name extends keyof Known & string>(name: Name): ModelClient<Name, Known>;
  /** What vocabularies there are. */
  vocabularies(options?: CallOptions): Promise<readonly VocabularySummary[]>;
  /** The items of one vocabulary. */
  vocabulary<Name extends keyof Vocabularies>(name: Name): VocabularyClient<Vocabularies[Name], Known>;
  vocabulary(name: string): VocabularyClient<Record<string, unknown>, Known>;
  /** Anything else of the interface, with the same token, retries and errors. */
  readonly send: Send;
}

/**
 * Makes a client; it asks for nothing yet.
 *
 *     const bindery = createClient({ url: "https://records.example.org", token });
 *     for await (const record of bindery.model("mst").all({ q: "lysozyme" })) …
 *
 * @throws TypeError where `url` is none
 */
export function createClient<Known = Models>(options: ClientOptions): Client<Known> {
  const transport = makeTransport(options);
  const { send } = transport;
  const listed = async <Hit>(path: string, call?: CallOptions): Promise<readonly Hit[]> =>
    (await send<{ hits: { hits: readonly Hit[] } }>("GET", path, call)).hits.hits;

  return {
    ...makeSearchable<AnyRecord<Known>, RecordQuery>(transport, "/api/records"),
    mine: makeSearchable<AnyRecord<Known>, OwnQuery>(transport, "/api/user/search"),
    readQuery: (q, { model, vocabulary, at, totals, lang, ...call } = {}) => {
      const query = { q, model, vocabulary, at, lang, ...(totals === false ? { totals: "none" } : {}) };
      return send("GET", "/api/query", { ...call, query });
    },
    read: (id, call) => send("GET", `/api/records/${encodeURIComponent(id)}`, call),
    models: (call) => listed("/api/models", call),
    model: <Name extends keyof Known & string>(name: Name) => makeModelClient<Name, Known>(transport, name),
    vocabularies: (call) => listed("/api/vocabularies", call),
    vocabulary: <Props>(name: string) => makeVocabularyClient<Props, Known>(transport, name),
    send,
  };
}
