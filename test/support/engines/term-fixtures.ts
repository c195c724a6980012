import type { TermContent } from "../../../src/core/term.js";
import type { Engine } from "../../../src/ports/engine.js";
import type { LoadSummary } from "../../../src/ports/store.js";
import { identifierTail } from "../../../src/query/fields/identifiers.js";
import type { Clause } from "../../../src/query/index-model/clause.js";
import { analyse } from "../../../src/query/text/analyse.js";

/** An item of the vocabulary `species`. @param id a number stands for `sp:<number>` */
export function item(id: number | string, title: string, changes: Partial<TermContent> = {}): TermContent {
  return {
    id: typeof id === "number" ? `sp:${id}` : id,
    title: { en: title },
    props: {},
    status: "active",
    ...changes,
  };
}

const synonyms = (...names: string[]) => ({ synonyms: names.map((name) => ({ name, kind: "synonym" })) });
export const rank = (name: string, more: object = {}) => ({ props: { rank: name, ...more } });

/** Items whose ids, names and ranks are alike. */
export const BACTERIA: readonly TermContent[] = [
  item(561, "Escherichia", rank("genus")),
  item(562, "Escherichia coli", {
    ...rank("species", { codes: ["cas:58-08-2"] }),
    parent: "sp:561",
    ...synonyms("E. coli", "colon bacillus"),
  }),
  item(83333, "Escherichia coli K-12", { ...rank("strain"), parent: "sp:562" }),
  item(83334, "Escherichia coli O157:H7", { ...rank("strain"), parent: "sp:562" }),
  item(1000, "Campylobacter coli", rank("species")),
  item(1001, "Coli", { ...rank("strain"), status: "deprecated" }),
  item(4932, "Saccharomyces cerevisiae", {
    ...rank("species"),
    title: { en: "Saccharomyces cerevisiae", de: "Bäckerhefe" },
    ...synonyms("baker's yeast"),
  }),
  item(4933, "Streptococcus phage cerevisiae", rank("strain")),
  item(9606, "Homo sapiens", { ...rank("species"), ...synonyms("human") }),
  item(9607, "Human metagenome", rank("species")),
];

/** Puts items one after the other, each in a transaction of its own. */
export async function putTerms({ store }: Engine, items: readonly TermContent[]): Promise<void> {
  for (const content of items) await store.transaction((tx) => tx.terms.put("species", content));
}

export async function* stream(items: Iterable<TermContent>): AsyncGenerator<TermContent> {
  yield* items;
}

export function loadAll({ store }: Engine, items: Iterable<TermContent>): Promise<LoadSummary> {
  return store.loadTerms("species", stream(items));
}

/** All words somewhere in the item. */
export function textClause(text: string): Clause {
  const of = analyse(text).map((word): Clause => ({ kind: "words", place: { in: "text" }, words: [word] }));
  return of.length === 1 ? of[0]! : { kind: "all", of };
}

/** Ids in the order of `bestmatch` for plain words, and the total. */
export async function searchAll({ index }: Engine, text: string): Promise<{ ids: readonly string[]; total: number }> {
  const { hits, total } = await index.searchTerms({
    vocabulary: "species",
    clause: textClause(text),
    plain: analyse(text),
    url: identifierTail(text) ?? [],
    facets: [],
    sort: "bestmatch",
    lang: "en",
    page: { offset: 0, limit: 1_000 },
  });
  return { ids: hits.map((hit) => hit.id), total };
}
