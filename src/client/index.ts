/**
 * Client of a Bindery service, for browsers and Node. It needs only `fetch`. docs/client.md shows its use.
 */
import type { ModelSummary, Molecule, VocabularySummary } from "./answers.js";
import { type AnyRecord, expanding, type ModelClient, makeModelClient, type ReadRecordOptions } from "./model.js";
import type { Models } from "./models/index.js";
import type { Vocabularies } from "./models/vocabularies.js";
import type { QueryText } from "./query-text.js";
import { makeSearchable, type OwnQuery, type ReadOptions, type RecordQuery, type Searchable } from "./search-query.js";
import { type CallOptions, type ClientOptions, makeTransport, type Send } from "./transport.js";
import { makeVocabularyClient, type VocabularyClient } from "./vocabulary.js";

export type * from "./answers.js";
export type { AnyRecord, ChangeOptions, ModelClient, PostOptions, ReadRecordOptions, RecordOf } from "./model.js";
export type { Cited, CitedTerm, Received, Referred, Titles } from "./models/citations.js";
export type * from "./models/index.js";
export type * from "./query-text.js";
export type * from "./search-query.js";
export type * from "./term-answers.js";
export type { CallOptions, ClientOptions, QueryValue, Request, Send } from "./transport.js";
export { BinderyError } from "./transport.js";
export type * from "./vocabulary.js";
export type { VocabularyClient } from "./vocabulary.js";

/** Client, whose search methods cover all models. `Known` maps models to the metadata of requests. */
export interface Client<Known = Models> extends Searchable<AnyRecord<Known>, RecordQuery> {
  /** Drafts and records of all models that the caller owns or that are shared with the caller. */
  readonly mine: Searchable<AnyRecord<Known>, OwnQuery>;
  /** Returns the interpretation of a query by its parts, and possible completions. */
  readQuery(q: string, options?: ReadOptions & CallOptions): Promise<QueryText>;
  /** Returns a published record of any model. */
  read(id: string, options?: ReadRecordOptions): Promise<AnyRecord<Known>>;
  /** Returns what published records say about a molecule. @param id in any form: `uniprot:P00698`, an InChIKey */
  molecule(id: string, options?: CallOptions): Promise<Molecule>;
  /** Lists the models. */
  models(options?: CallOptions): Promise<readonly ModelSummary[]>;
  /** Returns the client of the records of a model. */
  model<Name extends keyof Known & string>(name: Name): ModelClient<Name, Known>;
  /** Lists the vocabularies. */
  vocabularies(options?: CallOptions): Promise<readonly VocabularySummary[]>;
  /** Returns the client of the terms of a vocabulary. */
  vocabulary<Name extends keyof Vocabularies>(name: Name): VocabularyClient<Vocabularies[Name], Known>;
  vocabulary(name: string): VocabularyClient<Record<string, unknown>, Known>;
  /** Sends any other request, with the same token, retries and errors. */
  readonly send: Send;
}

/**
 * Creates a client without sending a request.
 *
 *     const bindery = createClient({ url: "https://records.example.org", token });
 *     for await (const record of bindery.model("mst").all({ q: "lysozyme" })) …
 *
 * @throws TypeError if `url` is not a URL
 */
export function createClient<Known = Models>(options: ClientOptions): Client<Known> {
  const transport = makeTransport(options);
  const { send } = transport;
  const list = async <Hit>(path: string, call?: CallOptions): Promise<readonly Hit[]> =>
    (await send<{ hits: { hits: readonly Hit[] } }>("GET", path, call)).hits.hits;

  return {
    ...makeSearchable<AnyRecord<Known>, RecordQuery>(transport, "/api/records"),
    mine: makeSearchable<AnyRecord<Known>, OwnQuery>(transport, "/api/user/search"),
    readQuery: (q, { model, vocabulary, at, totals, lang, ...call } = {}) => {
      const query = { q, model, vocabulary, at, lang, ...(totals === false ? { totals: "none" } : {}) };
      return send("GET", "/api/query", { ...call, query });
    },
    read: (id, options) => send("GET", `/api/records/${encodeURIComponent(id)}`, expanding(options)),
    molecule: (id, call) => send("GET", `/api/molecules/${encodeURIComponent(id)}`, call),
    models: (call) => list("/api/models", call),
    model: <Name extends keyof Known & string>(name: Name) => makeModelClient<Name, Known>(transport, name),
    vocabularies: (call) => list("/api/vocabularies", call),
    vocabulary: <Props>(name: string) => makeVocabularyClient<Props, Known>(transport, name),
    send,
  };
}
