import type { Cache } from "../../../../core/caches.js";
import type { Vocabulary } from "../../../../core/catalog/types.js";
import type { Titles } from "../../../../core/term.js";
import { storedTitles, titleIn } from "../../../../core/terms/term-row.js";
import { HOMONYMS_MAX, type ListedTitle } from "../../../../ports/terms.js";
import { nameKey, TITLE_NAME } from "../../../../query/index-model/term-document.js";
import { analyse } from "../../../../query/text/analyse.js";
import { type CachedGeneration, cachedUntilWrite, type Generation } from "./generation.js";

/** A generation with the cache of data read from its tables, if there is one. */
export type MaybeCached = Omit<CachedGeneration, "cache"> & { readonly cache: Cache | undefined };

/** A term as terms below it and facets show it. */
interface TitledTerm {
  readonly parent: string | null;
  /** JSON of its titles. */
  readonly title: string;
  /** JSON of its id and titles. */
  readonly json: string;
}

/** Stands for a missing term. */
const NO_TERM: TitledTerm = { parent: null, title: "", json: "" };

/** Bytes per character: titles are in both texts, with up to two bytes per character. */
const CHARACTER_BYTES = 4;

/** Bytes besides the titles: its ids and the object. */
const TITLED_BYTES = 150;

/** Makes a function that finds terms by id; found ones are cached until the next write. */
export function makeTitledTerms({ generation, cache }: MaybeCached): (id: string) => TitledTerm | undefined {
  const titledById = new Map<string, TitledTerm>();
  const getTitled = (id: string): TitledTerm => {
    if (cache !== undefined) {
      return cachedUntilWrite({ generation, cache }, `titled ${id}`, () => {
        const titled = readTitled(generation, id);
        return [titled, titled.title.length * CHARACTER_BYTES + TITLED_BYTES];
      });
    }
    const titled = titledById.get(id) ?? readTitled(generation, id);
    titledById.set(id, titled);
    return titled;
  };
  return (id) => {
    const titled = getTitled(id);
    return titled === NO_TERM ? undefined : titled;
  };
}

function readTitled(generation: Generation, id: string): TitledTerm {
  const row = generation
    .sql<readonly [parent: string | null, title: string]>(
      `SELECT t.parent, t.title FROM ext_$g e JOIN term_$g t ON t.id = e.id
       WHERE e.ext = ? AND t.ext = ? COLLATE BINARY`,
    )
    .raw()
    .get(id, id);
  if (row === undefined) return NO_TERM;
  const [parent, title] = row;
  return { parent, title, json: `{"id":${JSON.stringify(id)},"title":${title}}` };
}

/** Stands for the homonyms of a term that has none. */
const NO_HOMONYMS: readonly string[] = [];

/** Titles of a term in all languages, and the ids of its homonyms, which are the same for all languages. */
interface TermNames extends Pick<ListedTitle, "homonyms"> {
  readonly titles: Titles;
}

/** Stands for the names of a missing term. */
const NO_NAMES: TermNames = { titles: {}, homonyms: NO_HOMONYMS };

/** Bytes of one id in a cached list of homonyms. */
const ID_BYTES = 80;

/** Returns titles by id, see `TermReader.titles`. They are cached until the next write. */
export function titlesOf(
  context: MaybeCached,
  vocabulary: Vocabulary,
  ids: readonly string[],
  lang: string,
): Map<string, ListedTitle> {
  const { generation, cache } = context;
  const findTitled = makeTitledTerms(context);
  /** Returns the names of a term with the number of their bytes. */
  const read = (id: string): [TermNames, bytes: number] => {
    const titled = findTitled(id);
    if (titled === undefined) return [NO_NAMES, TITLED_BYTES];
    const titles = storedTitles(titled.title, id);
    const homonyms = readHomonyms(generation, id, titles);
    return [{ titles, homonyms }, titled.title.length * CHARACTER_BYTES + homonyms.length * ID_BYTES + TITLED_BYTES];
  };
  const listed = new Map<string, ListedTitle>();
  for (const id of ids) {
    const names =
      cache === undefined ? read(id)[0] : cachedUntilWrite({ generation, cache }, `names ${id}`, () => read(id));
    if (names === NO_NAMES) continue;
    listed.set(id, { text: titleIn(names.titles, lang, vocabulary), homonyms: names.homonyms });
  }
  return listed;
}

function readHomonyms(generation: Generation, id: string, titles: Titles): readonly string[] {
  const keys = new Set(Object.values(titles).flatMap((title) => nameKey(analyse(title)) ?? []));
  const find = generation
    .sql<string>(
      `SELECT t.ext FROM name_$g n CROSS JOIN term_$g t ON t.id = n.id
       WHERE n.key = ? AND n.kind = ${TITLE_NAME} AND t.status = 0 AND t.ext <> ? LIMIT ${HOMONYMS_MAX}`,
    )
    .pluck();
  const others = new Set([...keys].flatMap((key) => find.all(key, id)));
  return others.size === 0 ? NO_HOMONYMS : [...others].slice(0, HOMONYMS_MAX);
}
