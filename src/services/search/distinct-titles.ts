import type { JsonObject } from "../../core/json.js";
import type { TermContent, Titles } from "../../core/term.js";
import { parseStoredTerm } from "../../core/terms/term-row.js";
import {
  type Ancestor,
  HOMONYMS_MAX,
  type ListedTitle,
  type TermReader,
  type TermWithAncestors,
} from "../../ports/terms.js";

/** Reader for the titles of terms, and for the data that distinguish terms with the same title. */
export type TitleReader = Pick<TermReader, "titles" | "getPlaced">;

/** Maximum length of a prop after a title. */
const TEXT_LENGTH_MAX = 60;

/** Maximum number of terms read to distinguish the titles of one list: about 10 ms in SQLite. */
const READ_MAX = 1_000;

/**
 * Reads the titles of terms as lists show them. If another term of the vocabulary has the same title, a text in
 * brackets distinguishes them, in a list of one term as well: the title of the nearest ancestor that is not an ancestor
 * of the others (`Linaria (Viridiplantae)`), else a prop such as a city or a country, else the id. If a title has more
 * than `HOMONYMS_MAX` terms, or a list needs more than `READ_MAX`, the id is used.
 *
 * Costs one read, and a second one only if there are terms with the same title.
 */
export async function readDistinctTitles(
  terms: TitleReader,
  vocabulary: string,
  ids: readonly string[],
  lang: string,
): Promise<ReadonlyMap<string, string>> {
  const titles = await terms.titles(vocabulary, ids, lang);
  const labels = new Map<string, string>();
  for (const [id, { text }] of titles) labels.set(id, text);
  const groups = homonymGroups(titles);
  if (groups.length === 0) return labels;
  const described = new Map<string, Description>();
  for (const placed of await terms.getPlaced(vocabulary, idsToRead(groups))) {
    described.set(placed.term.id, describe(placed, lang));
  }
  for (const { title, shown, others } of groups) {
    const same = [...shown, ...others.filter((id) => described.get(id)?.titles.has(title))];
    const isRead = shown.every((id) => described.has(id));
    if (same.length < 2 && isRead) continue;
    for (const id of shown) labels.set(id, `${titles.get(id)!.text} (${distinctionOf(id, same, described)})`);
  }
  return labels;
}

/** Terms that may have the same title. */
interface HomonymGroup {
  /** In lower case. */
  readonly title: string;
  /** Ids of the terms in the list. */
  readonly shown: readonly string[];
  /** Ids of other terms. Their titles have the same words, and may have other signs. */
  readonly others: readonly string[];
}

/** Returns the ids of the terms to read: all terms of a group, or none if there are too many. */
function idsToRead(groups: readonly HomonymGroup[]): readonly string[] {
  const ids = new Set<string>();
  for (const { shown, others } of groups) {
    const count = shown.length + others.length;
    if (count > HOMONYMS_MAX || ids.size + count > READ_MAX) continue;
    for (const id of [...shown, ...others]) ids.add(id);
  }
  return [...ids];
}

function homonymGroups(titles: ReadonlyMap<string, ListedTitle>): readonly HomonymGroup[] {
  const idsByTitle = new Map<string, string[]>();
  for (const [id, { text }] of titles) {
    const key = text.toLowerCase();
    const same = idsByTitle.get(key);
    if (same === undefined) idsByTitle.set(key, [id]);
    else same.push(id);
  }
  return [...idsByTitle].flatMap(([title, shown]) => {
    const homonyms = shown.flatMap((id) => titles.get(id)!.homonyms);
    if (shown.length + homonyms.length < 2) return [];
    const others = new Set(homonyms);
    for (const id of shown) others.delete(id);
    return [{ title, shown, others: [...others] }];
  });
}

interface Description {
  /** Titles of the term in all languages, in lower case. */
  readonly titles: ReadonlySet<string>;
  /** Texts that may distinguish the term: the titles of its ancestors, the nearest one first, then its props. */
  readonly texts: ReadonlySet<string>;
}

function describe({ term, ancestors }: TermWithAncestors, lang: string): Description {
  const { title, props } = parseStoredTerm<TermContent>(term);
  const titles = new Set(Object.values(title).map((each) => each.toLowerCase()));
  const texts = [...ancestors.toReversed().map((each) => ancestorTitle(each, lang)), ...propTexts(props)];
  // A parent with the same title, such as a genus above its subgenus, distinguishes nothing.
  return { titles, texts: new Set(texts.filter((text) => !titles.has(text.toLowerCase()))) };
}

/** Returns the first text of a term that no other term of the group has, else its id. */
function distinctionOf(id: string, same: readonly string[], described: ReadonlyMap<string, Description>): string {
  const others = same.filter((other) => other !== id);
  for (const text of described.get(id)?.texts ?? []) {
    if (!others.some((other) => described.get(other)?.texts.has(text))) return text;
  }
  return id;
}

function ancestorTitle({ id, json }: Ancestor, lang: string): string {
  const { title } = parseStoredTerm<{ readonly title: Titles }>({ id, json });
  return title[lang] ?? title.en ?? Object.values(title)[0] ?? id;
}

const propTexts = (props: JsonObject): readonly string[] =>
  Object.values(props).filter((value): value is string => typeof value === "string" && value.length <= TEXT_LENGTH_MAX);
