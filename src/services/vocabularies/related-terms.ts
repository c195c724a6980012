import type { FieldChange, VocabularySource } from "../../core/answers/term-answers.js";
import { hasIdForm } from "../../core/catalog/schema-keywords.js";
import type { Vocabulary } from "../../core/catalog/types.js";
import { isObject, type Json } from "../../core/json.js";
import { LIMITS } from "../../core/limits.js";
import type { StoredTerm } from "../../core/term.js";
import { parseStoredTerm } from "../../core/terms/term-row.js";
import type { TermBody } from "../../core/terms/term-version.js";
import type { TermAction } from "../../ports/terms.js";
import { compoundBlock } from "../../query/fields/identifiers.js";
import type { Deps } from "../context/deps.js";
import { findVocabulary } from "../context/find-model.js";
import { emptyIfUnavailable } from "../context/index-availability.js";
import { useCase } from "../context/use-case.js";
import { readDistinctTitles } from "../search/distinct-titles.js";
import { vocabularySource } from "./read-terms.js";

/** Terms to which the page of a term links, besides its ancestors and descendants, and the origin of the term. */
interface RelatedTerms {
  /**
   * Other active terms with the same title in any language, at most `HOMONYMS_MAX`. The label is the title with a text
   * that distinguishes it.
   */
  readonly homonyms: readonly { readonly term: StoredTerm; readonly label: string }[];
  /**
   * Compounds whose InChIKeys have the same first block: stereoisomers, isotopes and charged forms. The most cited ones
   * come first.
   */
  readonly sameSkeleton: readonly StoredTerm[];
  /** Terms of the vocabulary whose ids are in the props of the term, such as related organisations. */
  readonly linked: readonly StoredTerm[];
  readonly origin: TermOrigin;
}

/** The sources of a term, the ids that lead to it, and its changes. It names no users. */
export interface TermOrigin {
  /** Loaded sources that have the term. Authorities have the dump that was loaded last. */
  readonly sources: readonly { readonly name: string; readonly dump?: VocabularySource | undefined }[];
  /** Ids that lead to the term, at most `FORMER_IDS_MAX`. */
  readonly formerIds: readonly FormerId[];
  /** The newest changes, at most `CHANGES_MAX`. */
  readonly changes: readonly PublicChange[];
  /** Number of all changes. */
  readonly changeCount: number;
}

/** An id that leads to another term. */
export interface FormerId {
  readonly id: string;
  /** The merged term, if it still exists. */
  readonly term?: StoredTerm | undefined;
  /** When it was merged; absent if the histories do not have it. */
  readonly time?: string | undefined;
}

/** A change of a term without the name of its user. */
export interface PublicChange {
  readonly revision: number;
  readonly action: TermAction;
  readonly time: string;
  readonly source?: string | undefined;
  readonly fields: readonly FieldChange[];
}

/** Maximum number of compounds with the same skeleton. */
const COMPOUNDS_MAX = 12;

/** Maximum numbers of former ids and changes of a term. */
const FORMER_IDS_MAX = 20;
const CHANGES_MAX = 20;

/** Finds the terms that are related to a stored term, and its origin. */
export const findRelatedTerms = useCase(
  { thread: "search" },
  (deps) =>
    async (name: string, term: StoredTerm): Promise<RelatedTerms> => {
      const { terms } = deps.store;
      const vocabulary = findVocabulary(deps.catalog, name);
      const lang = vocabulary.languages[0]!;
      const titles = await terms.titles(name, [term.id], lang);
      const homonymIds = titles.get(term.id)?.homonyms ?? [];
      const [homonyms, labels, linked, sameSkeleton, origin] = await Promise.all([
        terms.getMany(name, homonymIds),
        readDistinctTitles(terms, name, homonymIds, lang),
        terms.getMany(name, idsInProps(vocabulary, parseStoredTerm<TermBody>(term).props ?? {})),
        findSameSkeleton(deps.index, vocabulary, term.id),
        readOrigin(deps, name, term.id),
      ]);
      return {
        homonyms: homonyms.map(({ id, term: homonym }) => ({ term: homonym, label: labels.get(id) ?? id })),
        sameSkeleton,
        linked: linked.map((each) => each.term),
        origin,
      };
    },
);

async function readOrigin({ store, authorities }: Deps, name: string, id: string): Promise<TermOrigin> {
  const [{ sources, formerIds }, { entries, total }, dumps] = await Promise.all([
    store.terms.provenance(name, id, FORMER_IDS_MAX),
    store.history.list(name, id, { offset: 0, limit: CHANGES_MAX }),
    store.dumps.list(),
  ]);
  const [merged, mergeTimes] = await Promise.all([
    store.terms.getPlaced(name, formerIds),
    store.history.mergeTimes(name, formerIds),
  ]);
  const mergedById = new Map(merged.map(({ term }) => [term.id, term]));
  return {
    sources: sources.map((source) => {
      const dump = dumps.find(({ vocabulary, authority }) => vocabulary === name && authority === source);
      return { name: source, dump: dump && vocabularySource(dump, authorities) };
    }),
    formerIds: formerIds.map((former) => ({
      id: former,
      term: mergedById.get(former),
      time: mergeTimes.get(former),
    })),
    changes: entries.map(({ revision, action, time, source, fields }) => ({ revision, action, time, source, fields })),
    changeCount: total,
  };
}

async function findSameSkeleton(
  index: Deps["index"],
  { name, idKind, languages }: Vocabulary,
  id: string,
): Promise<readonly StoredTerm[]> {
  const block = idKind === "inchikey" ? compoundBlock(id) : undefined;
  if (block === undefined) return [];
  const found = await index
    .searchTerms({
      vocabulary: name,
      clause: { kind: "words", place: { in: "text" }, words: [block] },
      facets: [],
      sort: "mostcited",
      lang: languages[0]!,
      // The compound itself is one of the hits.
      page: { offset: 0, limit: COMPOUNDS_MAX + 1 },
    })
    .catch(emptyIfUnavailable);
  const others = (found.hits ?? []).filter((hit) => hit.id !== id && compoundBlock(hit.id) === block);
  return others.slice(0, COMPOUNDS_MAX);
}

function idsInProps(vocabulary: Vocabulary, props: Readonly<Record<string, Json>>): readonly string[] {
  const texts = (value: Json): readonly string[] => {
    if (typeof value === "string") return [value];
    return isObject(value) || Array.isArray(value) ? Object.values(value).flatMap(texts) : [];
  };
  const ids = texts(props).filter((text) => hasIdForm(vocabulary, text));
  return [...new Set(ids)].slice(0, LIMITS.idsMax);
}
