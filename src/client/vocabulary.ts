import type { AnyRecord, SearchAnswer, ValidationResult } from "./answers.js";
import type { FoundTerm } from "./found-term.js";
import { type ChangeOptions, conditional, type PostOptions } from "./model.js";
import type { Models } from "./models/index.js";
import { type CitationQuery, makeSearchable, type Searchable, type TermQuery } from "./search-query.js";
import type { CallOptions, Transport } from "./send.js";
import type { NewTerm, Term, TermChange, TermPatch } from "./term-answers.js";

/** What one request may ask for. */
const IDS_MAX = 200;

/** The items of one vocabulary. */
export interface VocabularyClient<Props, Known = Models> extends Searchable<Term<Props>, TermQuery> {
  /** Items for what was typed so far, best first; 10 where no `size` is asked for. */
  suggest(
    text: string,
    query?: { readonly size?: number; readonly lang?: string },
    options?: CallOptions,
  ): Promise<readonly Term<Props>[]>;
  /**
   * What the authority of the vocabulary itself finds, 20 items on a page: for what is not loaded. An item is added
   * when a record that cites it is saved. A token is needed; 404 where the service asks no authority for it.
   */
  lookUp(q: string, query?: { readonly page?: number }, options?: CallOptions): Promise<SearchAnswer<FoundTerm<Props>>>;
  /** One item, by its id, an alias, or an id that it replaced. */
  get(id: string, options?: CallOptions): Promise<Term<Props>>;
  /**
   * Any number of items, in the order asked, each once, with 200 in a request. Replaced ids are followed; `unknown` are
   * those that no item has.
   */
  getMany(
    ids: Iterable<string>,
    options?: CallOptions,
  ): Promise<{ readonly terms: readonly Term<Props>[]; readonly unknown: readonly string[] }>;
  /**
   * The records that cite an item: published ones, and the drafts among them that the user may read. An edited record
   * is there twice.
   */
  citations(id: string): Searchable<AnyRecord<Known>, CitationQuery>;
  /** Says of an item what adding it would say, and stores nothing: `warnings` name items that may be the same. */
  validate(term: NewTerm<Props>, options?: CallOptions): Promise<Omit<ValidationResult, "metadata">>;
  /** Adds an item; `warnings` name items that may be the same. */
  create(term: NewTerm<Props>, options?: Omit<PostOptions, "revision">): Promise<Term<Props>>;
  /** Replaces what one says of an item. What was read can be sent back. */
  replace(
    id: string,
    term: Omit<NewTerm<Props>, "id" | "parent"> & { readonly parent?: string | { readonly id: string } },
    options?: ChangeOptions,
  ): Promise<Term<Props>>;
  /** Changes single fields by a JSON merge patch: what it does not name stays, null removes. */
  patch(id: string, changes: TermPatch<Props>, options?: ChangeOptions): Promise<Term<Props>>;
  /** Has another item stand for this one, which is deprecated. */
  merge(id: string, into: string, options?: PostOptions): Promise<Term<Props>>;
  /** Confirms an item that a depositor added. `search({ confirmed: false })` finds those that wait. */
  confirm(id: string, options?: PostOptions): Promise<Term<Props>>;
  /** How an item changed, newest first, a page at a time; for curators. */
  history(
    id: string,
    page?: { readonly page?: number; readonly size?: number },
    options?: CallOptions,
  ): Promise<{ readonly changes: readonly TermChange[]; readonly total: number }>;
  /** Removes an item that nothing cites. */
  remove(id: string, options?: ChangeOptions): Promise<void>;
}

export function makeVocabularyClient<Props, Known>(transport: Transport, name: string): VocabularyClient<Props, Known> {
  const { send } = transport;
  const items = `/api/vocabularies/${encodeURIComponent(name)}`;
  const of = (id: string): string => `${items}/${encodeURIComponent(id)}`;
  type Answer = SearchAnswer<Term<Props>>;

  return {
    ...makeSearchable<Term<Props>, TermQuery>(transport, items),

    async suggest(text, query, options) {
      const asked = { ...query, suggest: text, facets: "none" };
      return (await send<Answer>("GET", items, { ...options, query: asked })).hits.hits;
    },
    lookUp: (q, query, options) => send("GET", `${items}/lookup`, { ...options, query: { ...query, q } }),
    get: (id, options) => send("GET", of(id), options),
    async getMany(ids, options) {
      const asked = [...new Set(ids)];
      const terms = new Map<string, Term<Props>>();
      const unknown: string[] = [];
      for (let i = 0; i < asked.length; i += IDS_MAX) {
        const query = { ids: asked.slice(i, i + IDS_MAX) };
        const { hits, warnings = [] } = await send<Answer>("GET", items, { ...options, query });
        for (const term of hits.hits) if (!terms.has(term.id)) terms.set(term.id, term);
        for (const { code, value } of warnings) if (code === "UNKNOWN_ID") unknown.push(String(value));
      }
      return { terms: [...terms.values()], unknown };
    },
    citations: (id) => makeSearchable<AnyRecord<Known>, CitationQuery>(transport, `${of(id)}/citations`),
    validate: (term, options) => send("POST", items, { ...options, query: { validate: "only" }, body: term }),
    create: (term, options) => send("POST", items, { ...conditional(options), body: term }),
    replace: (id, term, options) => send("PUT", of(id), { ...conditional(options), body: term }),
    patch: (id, changes, options) => send("PATCH", of(id), { ...conditional(options), body: changes }),
    merge: (id, into, options) => send("POST", `${of(id)}/actions/merge`, { ...conditional(options), body: { into } }),
    confirm: (id, options) => send("POST", `${of(id)}/actions/confirm`, conditional(options)),
    async history(id, page, options) {
      const { hits } = await send<SearchAnswer<TermChange>>("GET", `${of(id)}/history`, { ...options, query: page });
      return { changes: hits.hits, total: hits.total };
    },
    remove: (id, options) => send("DELETE", of(id), conditional(options)),
  };
}
