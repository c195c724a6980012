import type { LruCache } from "../../cache/lru-cache.js";
import type { Generation } from "./generation.js";
import { type CachedGeneration, keptUntilWrite } from "./generation-cache.js";

/** A generation, and the cache of what is read from its tables, if there is one. */
export type MaybeCached = Omit<CachedGeneration, "cache"> & { readonly cache: LruCache | undefined };

/** An item as others name it: those below it, and facets. */
interface TitledTerm {
  readonly parent: string | null;
  /** JSON of its titles. */
  readonly title: string;
  /** JSON of its id and titles. */
  readonly json: string;
}

/** Stands for what is no item. */
const NO_ITEM: TitledTerm = { parent: null, title: "", json: "" };

/** Of each character: the titles stand in both texts, and may have two bytes a character. */
const CHARACTER_BYTES = 4;

/** What one takes beside its titles: its ids and the object. */
const TITLED_BYTES = 150;

/** Makes what finds items by id; those that were found are kept until the next write. */
export function makeTitledTerms({ generation, cache }: MaybeCached): (id: string) => TitledTerm | undefined {
  const found = new Map<string, TitledTerm>();
  const find = (id: string): TitledTerm => {
    if (cache !== undefined) {
      return keptUntilWrite({ generation, cache }, `titled ${id}`, () => {
        const titled = readTitled(generation, id);
        return [titled, titled.title.length * CHARACTER_BYTES + TITLED_BYTES];
      });
    }
    const titled = found.get(id) ?? readTitled(generation, id);
    found.set(id, titled);
    return titled;
  };
  return (id) => {
    const titled = find(id);
    return titled === NO_ITEM ? undefined : titled;
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
  if (row === undefined) return NO_ITEM;
  const [parent, title] = row;
  return { parent, title, json: `{"id":${JSON.stringify(id)},"title":${title}}` };
}
