/**
 * Long lists of hits travel between threads as one list for each of their members: to clone ten thousand objects takes
 * longer than to make them.
 */

/** A result as it travels: without `hits` where they stand in `columns`. */
export interface PackedResult {
  readonly result: unknown;
  /** What each member is in each hit, by the name of the member. */
  readonly columns?: Readonly<Record<string, readonly unknown[]>>;
}

type Hit = Readonly<Record<string, unknown>>;

/** Fewer hits are not worth it. */
const HITS_MIN = 100;

/** Makes a result fit to travel fast. */
export function packResult(result: unknown): PackedResult {
  const hits = (result as { readonly hits?: readonly Hit[] } | null | undefined)?.hits;
  if (!Array.isArray(hits) || hits.length < HITS_MIN) return { result };
  const names = Object.keys(hits[0]!);
  const isAlike = (hit: Hit): boolean =>
    Object.keys(hit).length === names.length && names.every((name) => Object.hasOwn(hit, name));
  if (!hits.every(isAlike)) return { result };
  const columns = Object.fromEntries(names.map((name) => [name, hits.map((hit: Hit) => hit[name])]));
  return { result: { ...(result as object), hits: undefined }, columns };
}

/** The result again. */
export function unpackResult({ result, columns }: PackedResult): unknown {
  if (columns === undefined) return result;
  const named = Object.entries(columns);
  const hits = named[0]![1].map((_, i) => {
    const hit: Record<string, unknown> = {};
    for (const [name, values] of named) hit[name] = values[i];
    return hit;
  });
  return { ...(result as object), hits };
}
