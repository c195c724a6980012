import type { JsonObject } from "../../core/json.js";
import type { TermContent, Titles } from "../../core/term.js";
import { storedItem } from "../../core/terms/term-row.js";
import { type Ancestor, HOMONYMS_MAX, type ListedTitle, type PlacedTerm, type TermReader } from "../../ports/terms.js";

/** Reader for the titles of terms, and for the data that distinguish terms with the same title. */
export type TitleReader = Pick<TermReader, "titles" | "getPlaced">;

/** Maximum length of a prop after a title. */
const TEXT_LENGTH_MAX = 60;

/**
 * Reads the titles of terms as lists show them. If another term of the vocabulary has the same title, a text in
 * brackets distinguishes them, in a list of one term as well: the title of the nearest ancestor that is not an ancestor
 * of the others (`Linaria (Viridiplantae)`), else a prop such as a city or a country, else the id.
 *
 * Costs one read, and a second one only if there are terms with the same title.
 */
export async function titlesApart(
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
  const read = [...new Set(groups.filter(isReadable).flatMap(({ shown, others }) => [...shown, ...others]))];
  const described = new Map<string, Description>();
  for (const placed of await terms.getPlaced(vocabulary, read)) described.set(placed.term.id, describe(placed, lang));
  for (const { title, shown, others } of groups) {
    const same = [...shown, ...others.filter((id) => described.get(id)?.titles.has(title))];
    if (same.length < 2 && others.length < HOMONYMS_MAX) continue;
    for (const id of shown) labels.set(id, `${titles.get(id)!.text} (${markOf(id, same, described)})`);
  }
  return labels;
}

/** Terms that may have the same title. */
interface HomonymGroup {
  /** In lower case. */
  readonly title: string;
  /** Ids of terms whose titles are wanted. */
  readonly shown: readonly string[];
  /** Ids of other terms. Their titles have the same words, and may have other signs. */
  readonly others: readonly string[];
}

/** If there are more terms, their ids distinguish them, and nothing is read. */
const isReadable = ({ shown, others }: HomonymGroup): boolean => shown.length + others.length <= HOMONYMS_MAX;

function homonymGroups(titles: ReadonlyMap<string, ListedTitle>): readonly HomonymGroup[] {
  const byTitle = new Map<string, string[]>();
  for (const [id, { text }] of titles) {
    const key = text.toLowerCase();
    const same = byTitle.get(key);
    if (same === undefined) byTitle.set(key, [id]);
    else same.push(id);
  }
  return [...byTitle].flatMap(([title, shown]) => {
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

function describe({ term, ancestors }: PlacedTerm, lang: string): Description {
  const { title, props } = storedItem<TermContent>(term);
  return {
    titles: new Set(Object.values(title).map((each) => each.toLowerCase())),
    texts: new Set([...ancestors.toReversed().map((each) => titleOf(each, lang)), ...textsOf(props)]),
  };
}

/** Returns the first text of a term that no other term of the group has, else its id. */
function markOf(id: string, same: readonly string[], described: ReadonlyMap<string, Description>): string {
  const others = same.filter((other) => other !== id);
  for (const text of described.get(id)?.texts ?? []) {
    if (!others.some((other) => described.get(other)?.texts.has(text))) return text;
  }
  return id;
}

function titleOf({ id, json }: Ancestor, lang: string): string {
  const { title } = storedItem<{ readonly title: Titles }>({ id, json });
  return title[lang] ?? title.en ?? Object.values(title)[0] ?? id;
}

const textsOf = (props: JsonObject): readonly string[] =>
  Object.values(props).filter((value): value is string => typeof value === "string" && value.length <= TEXT_LENGTH_MAX);
