import type { JsonObject } from "../../core/json.js";
import type { TermContent, Titles } from "../../core/term.js";
import { storedItem } from "../../core/terms/term-row.js";
import type { Ancestor, TermReader } from "../../ports/store.js";

/** Reader for the titles of terms, and for the data that distinguish terms with the same title. */
export type TitleReader = Pick<TermReader, "titles" | "getExact">;

/** Maximum number of terms with the same title that are read. If there are more, their ids distinguish them. */
const READ_MAX = 50;

/** Maximum length of a prop after a title. */
const TEXT_LENGTH_MAX = 60;

/**
 * Reads the titles of terms as lists show them. If terms have the same title, a text in brackets distinguishes them:
 * the title of the nearest ancestors that differ (`Linaria (Viridiplantae)`), else a prop such as a city or a country,
 * else the id.
 */
export async function titlesApart(
  terms: TitleReader,
  vocabulary: string,
  ids: readonly string[],
  lang: string,
): Promise<ReadonlyMap<string, string>> {
  const titles = new Map(await terms.titles(vocabulary, ids, lang));
  for (const group of sameTitles(titles)) {
    const marks = await marksOf(terms, vocabulary, group, lang);
    for (const [i, id] of group.entries()) titles.set(id, `${titles.get(id)!} (${marks[i]!})`);
  }
  return titles;
}

/** Returns groups of ids of terms with the same title. Case is ignored. */
function sameTitles(titles: ReadonlyMap<string, string>): readonly (readonly string[])[] {
  const byTitle = new Map<string, string[]>();
  for (const [id, title] of titles) {
    const key = title.toLowerCase();
    const same = byTitle.get(key);
    if (same === undefined) byTitle.set(key, [id]);
    else same.push(id);
  }
  return [...byTitle.values()].filter(({ length }) => length > 1);
}

/** Returns a different text for each term of a group. */
async function marksOf(
  terms: TitleReader,
  vocabulary: string,
  group: readonly string[],
  lang: string,
): Promise<readonly string[]> {
  if (group.length > READ_MAX) return group;
  const described = await Promise.all(group.map((id) => describe(terms, vocabulary, id, lang)));
  const [first] = described;
  for (const name of first!.keys()) {
    const marks = described.map((each) => each.get(name));
    if (marks.every((mark) => mark !== undefined) && new Set(marks).size === marks.length) return marks as string[];
  }
  return group;
}

/** Returns texts that may distinguish a term, by name: its ancestors, the nearest one first, then its props. */
async function describe(
  terms: TitleReader,
  vocabulary: string,
  id: string,
  lang: string,
): Promise<ReadonlyMap<string, string>> {
  const stored = await terms.getExact(vocabulary, id);
  if (stored === undefined) return new Map();
  const above = stored.ancestors.toReversed().map((ancestor, i) => [`above ${i}`, titleOf(ancestor, lang)] as const);
  return new Map([...above, ...textsOf(storedItem<TermContent>(stored.term).props)]);
}

function titleOf({ id, json }: Ancestor, lang: string): string {
  const { title } = storedItem<{ readonly title: Titles }>({ id, json });
  return title[lang] ?? title.en ?? Object.values(title)[0] ?? id;
}

const textsOf = (props: JsonObject): readonly (readonly [name: string, text: string])[] =>
  Object.entries(props).flatMap(([name, value]) =>
    typeof value === "string" && value.length <= TEXT_LENGTH_MAX ? [[name, value] as const] : [],
  );
