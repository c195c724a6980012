import type { Vocabulary } from "../../core/catalog/types.js";
import type { Warning } from "../../core/issue.js";
import { LIMITS } from "../../core/limits.js";
import type { TermContent } from "../../core/term.js";
import { storedItem, titleIn } from "../../core/terms/term-row.js";
import { typosIn } from "../../query/ranking/typos.js";
import { type MatchableValues, matchableValues } from "../../query/ranking/what-matched.js";
import { makeEditTest } from "../../query/text/edit-distance.js";
import type { Deps } from "../context/deps.js";
import { emptyIfUnavailable } from "../context/no-hits.js";

type Value = MatchableValues["titles"][number];

/** Titles and identifiers of an item that are looked for: each costs a search. */
const LOOKUPS_MAX = 5;

/** Items found by one of them that are compared. */
const COMPARED_MAX = 10;

/**
 * Warns of items that may be the one that somebody adds: those with the same identifier, with the same title or a
 * synonym that is the same, and those whose title is a typo away. A search that takes too long is no reason to refuse
 * an item.
 */
export async function findAlike(
  { index }: Pick<Deps, "index">,
  vocabulary: Vocabulary,
  content: TermContent,
): Promise<readonly Warning[]> {
  const ours = matchableValues(content, vocabulary);
  const [lang = "en"] = vocabulary.languages;
  const page = { offset: 0, limit: COMPARED_MAX };
  const warnings = new Map<string, Warning>();
  for (const { text } of lookedFor(ours).slice(0, LOOKUPS_MAX)) {
    const asked = { vocabulary: vocabulary.name, text, facets: [], lang, page };
    const { hits } = await index.suggestTerms(asked).catch(emptyIfUnavailable);
    for (const { id, json } of hits) {
      if (id === content.id || warnings.has(id) || warnings.size >= LIMITS.nearestMax) continue;
      const found = storedItem<TermContent>({ id, json });
      const alike = likeness(ours, matchableValues(found, vocabulary));
      if (alike === undefined) continue;
      const title = titleIn(found.title, lang, vocabulary);
      const { field, text: value, what } = alike;
      const message = `The vocabulary already has "${id}" (${title}), ${what}. Is it the same?`;
      warnings.set(id, { code: "TERM_ALIKE", message, field, value, nearest: [{ id, title }] });
    }
  }
  return [...warnings.values()];
}

const identifiersOf = ({ ids: [_id, ...identifiers] }: MatchableValues): readonly Value[] => identifiers;

const lookedFor = (ours: MatchableValues): readonly Value[] =>
  [...identifiersOf(ours), ...ours.titles].filter(({ words }) => words.length > 0);

/** In what one item is like another one: the strongest reason. */
function likeness(ours: MatchableValues, theirs: MatchableValues): (Value & { readonly what: string }) | undefined {
  const find = (mine: readonly Value[], others: readonly Value[], test: (a: string, b: string) => boolean) =>
    mine.find(({ words }) => words.length > 0 && others.some((other) => test(words.join(" "), other.words.join(" "))));
  const isSame = (a: string, b: string): boolean => a === b;
  const identifier = find(identifiersOf(ours), theirs.ids, isSame);
  if (identifier !== undefined) return { ...identifier, what: `with the same identifier "${identifier.text}"` };
  const title = find(ours.titles, [...theirs.titles, ...theirs.names], isSame);
  if (title !== undefined) return { ...title, what: "with the same title or synonym" };
  const near = find(ours.titles, theirs.titles, isNear);
  return near && { ...near, what: "with a similar title" };
}

/** A typo apart; numbers are meant as they are typed. */
function isNear(a: string, b: string): boolean {
  const edits = typosIn(a);
  const digitsOf = (text: string): string => text.replace(/\P{N}+/gu, " ");
  return edits > 0 && digitsOf(a) === digitsOf(b) && makeEditTest(a, edits)(b);
}
