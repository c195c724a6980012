import type { SearchAnswer, ValidationResult } from "./answers.js";
import { type AnyRecord, type ChangeOptions, conditional, type PostOptions } from "./model.js";
import type { Titles } from "./models/citations.js";
import type { Models } from "./models/index.js";
import { type CitationQuery, makeSearchable, type Searchable, type TermQuery } from "./search-query.js";
import type { FoundTerm, Term, TermChange } from "./term-answers.js";
import type { CallOptions, Transport } from "./transport.js";

/** Maximum number of ids in a request. */
const IDS_MAX = 200;

/** Client of the terms of a vocabulary. */
export interface VocabularyClient<Props, Known = Models> extends Searchable<Term<Props>, TermQuery> {
  /** Returns terms for unfinished text, best first; `size` is 10 by default. */
  suggest(
    text: string,
    query?: { readonly size?: number; readonly lang?: string },
    options?: CallOptions,
  ): Promise<readonly Term<Props>[]>;
  /**
   * Searches the authority of the vocabulary for terms that are not loaded, 20 on a page. A term is added when a record
   * that cites it is saved. Needs a token; 404 if the service uses no authority for the vocabulary.
   */
  lookUp(q: string, query?: { readonly page?: number }, options?: CallOptions): Promise<SearchAnswer<FoundTerm<Props>>>;
  /** Returns a term by its id, an alias, or an id that it replaced. */
  get(id: string, options?: CallOptions): Promise<Term<Props>>;
  /**
   * Returns any number of terms, in the given order, each once, with 200 in a request. Replaced ids are followed;
   * `unknown` has the unknown ids.
   */
  getMany(
    ids: Iterable<string>,
    options?: CallOptions,
  ): Promise<{ readonly terms: readonly Term<Props>[]; readonly unknown: readonly string[] }>;
  /**
   * Searches the records that cite a term: published ones, and drafts that the user may read. An edited record occurs
   * twice.
   */
  citations(id: string): Searchable<AnyRecord<Known>, CitationQuery>;
  /** Validates a term without storing it: `warnings` name terms that may be the same. */
  validate(term: NewTerm<Props>, options?: CallOptions): Promise<Omit<ValidationResult, "metadata">>;
  /** Adds a term; `warnings` name terms that may be the same. */
  create(term: NewTerm<Props>, options?: Omit<PostOptions, "revision">): Promise<Term<Props>>;
  /** Replaces the content of a term, for example with a changed answer. */
  replace(
    id: string,
    term: Omit<NewTerm<Props>, "id" | "parent"> & { readonly parent?: string | { readonly id: string } },
    options?: ChangeOptions,
  ): Promise<Term<Props>>;
  /** Changes single fields by a JSON merge patch: other fields do not change, null removes. */
  patch(id: string, changes: TermPatch<Props>, options?: ChangeOptions): Promise<Term<Props>>;
  /** Replaces this term, which becomes deprecated, by another one. */
  merge(id: string, into: string, options?: PostOptions): Promise<Term<Props>>;
  /** Confirms a term of a depositor. `search({ confirmed: false })` finds unconfirmed ones. */
  confirm(id: string, options?: PostOptions): Promise<Term<Props>>;
  /** Returns the changes of a term, newest first, by pages; for curators. */
  history(
    id: string,
    page?: { readonly page?: number; readonly size?: number },
    options?: CallOptions,
  ): Promise<{ readonly changes: readonly TermChange[]; readonly total: number }>;
  /** Deletes a term without citations. */
  remove(id: string, options?: ChangeOptions): Promise<void>;
}

/** Creates the client of the terms of a vocabulary. */
export function makeVocabularyClient<Props, Known>(transport: Transport, name: string): VocabularyClient<Props, Known> {
  const { send } = transport;
  const termsPath = `/api/vocabularies/${encodeURIComponent(name)}`;
  const termPath = (id: string): string => `${termsPath}/${encodeURIComponent(id)}`;
  type Answer = SearchAnswer<Term<Props>>;

  return {
    ...makeSearchable<Term<Props>, TermQuery>(transport, termsPath),

    async suggest(text, query, options) {
      const parameters = { ...query, suggest: text, facets: "none" };
      return (await send<Answer>("GET", termsPath, { ...options, query: parameters })).hits.hits;
    },
    lookUp: (q, query, options) => send("GET", `${termsPath}/lookup`, { ...options, query: { ...query, q } }),
    get: (id, options) => send("GET", termPath(id), options),
    async getMany(ids, options) {
      const unique = [...new Set(ids)];
      const terms = new Map<string, Term<Props>>();
      const unknown: string[] = [];
      for (let i = 0; i < unique.length; i += IDS_MAX) {
        const query = { ids: unique.slice(i, i + IDS_MAX) };
        const { hits, warnings = [] } = await send<Answer>("GET", termsPath, { ...options, query });
        for (const term of hits.hits) if (!terms.has(term.id)) terms.set(term.id, term);
        for (const { code, value } of warnings) if (code === "UNKNOWN_ID") unknown.push(String(value));
      }
      return { terms: [...terms.values()], unknown };
    },
    citations: (id) => makeSearchable<AnyRecord<Known>, CitationQuery>(transport, `${termPath(id)}/citations`),
    validate: (term, options) => send("POST", termsPath, { ...options, query: { validate: "only" }, body: term }),
    create: (term, options) => send("POST", termsPath, { ...conditional(options), body: term }),
    replace: (id, term, options) => send("PUT", termPath(id), { ...conditional(options), body: term }),
    patch: (id, changes, options) => send("PATCH", termPath(id), { ...conditional(options), body: changes }),
    merge: (id, into, options) =>
      send("POST", `${termPath(id)}/actions/merge`, { ...conditional(options), body: { into } }),
    confirm: (id, options) => send("POST", `${termPath(id)}/actions/confirm`, conditional(options)),
    async history(id, page, options) {
      const { hits } = await send<SearchAnswer<TermChange>>("GET", `${termPath(id)}/history`, {
        ...options,
        query: page,
      });
      return { changes: hits.hits, total: hits.total };
    },
    remove: (id, options) => send("DELETE", termPath(id), conditional(options)),
  };
}

/** Term in a request. */
export interface NewTerm<Props = Record<string, unknown>> {
  /** Id in the form that the vocabulary declares. */
  id: string;
  title: Titles;
  props?: Props;
  /** Texts, or texts with their kinds. */
  synonyms?: readonly (string | { name: string; kind?: string; lang?: string })[];
  /** Id of the parent, if the vocabulary is a hierarchy. */
  parent?: string;
  status?: "active" | "deprecated";
  replaced_by?: string;
}

/** Changes of a term: null removes a field, a language of the title, or a prop. */
export interface TermPatch<Props = Record<string, unknown>> {
  title?: Readonly<Record<string, string | null>>;
  props?: { readonly [Name in keyof Props]?: Props[Name] | null };
  /** Replacement of the whole list. */
  synonyms?: NewTerm["synonyms"] | null;
  parent?: string | null;
  status?: "active" | "deprecated" | null;
  replaced_by?: string | null;
}
