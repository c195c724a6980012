import type { Generation } from "./generation.js";

/** Fewer items are looked up one by one, more in one statement. */
const ONE_BY_ONE_MAX = 20;

const ONE = "SELECT n FROM use WHERE vocabulary = ? AND ext = ?";
const SEVERAL = "SELECT u.ext, u.n FROM json_each(?) j CROSS JOIN use u ON u.vocabulary = ? AND u.ext = j.value";

/** How many records cite each of these items, in their order: the latest published version of each record. */
export function citedBy({ vocabulary, sql }: Generation, ids: readonly string[]): readonly number[] {
  if (ids.length <= ONE_BY_ONE_MAX) {
    const one = sql<number>(ONE).pluck();
    return ids.map((id) => one.get(vocabulary, id) ?? 0);
  }
  const rows = sql<readonly [id: string, n: number]>(SEVERAL).raw().all(JSON.stringify(ids), vocabulary);
  const counts = new Map(rows);
  return ids.map((id) => counts.get(id) ?? 0);
}
