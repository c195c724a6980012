import type { Below, BelowRequest } from "../../../ports/index-source.js";
import type { Sql } from "../connection/sql.js";
import { itemsBelow } from "../terms/items-below.js";
import { movedTerms } from "../terms/moved-terms.js";
import { largeTermsOf } from "./large-terms.js";
import { lineageOf } from "./lineage.js";
import { Regions } from "./regions.js";

/**
 * What stands below an id, in terms of what an index has of a vocabulary; undefined: it cannot be said by so few ids.
 *
 * Each document has the *region* of its item: the nearest large term above it, of those that the index was made with.
 * Whatever ids these are, an item other than A is below A if and only if its region is A or below A, where A is large;
 * or it is reached from A going down without passing a large term, or its region is one that is reached so, or below
 * one. What is below what among large terms, and what is reached, is read from this view S of the store; so nothing but
 * the region that the document of x has may be an old one. That of an item that is judged beside the index is read too.
 *
 * Let x be any other item, whose document was made of a view V, and let x, x1, ..., xk be what is above x in S up to
 * its region xk. If the document has another region, some of x, ..., x(k-1) has got another parent after V; not x,
 * which has not changed. Let xj be the first of them: x(j-1) was its child before and after. Who gives an item another
 * parent notes it as moved where a child stays with it, in the same transaction (`noteMoved`). While the note is there,
 * x is reached from xj going down without passing a large term, and so its region is that of xj, read from S. When the
 * note is gone, x was noted as changed since (`followMoved`): then its document is made of a view after that, or it is
 * judged beside the index.
 */
export async function below(
  sql: Sql,
  index: string,
  { vocabulary, id, limit, changed }: BelowRequest,
): Promise<Below | undefined> {
  const large = await largeTermsOf(sql, index, vocabulary);
  const near = large.has(id) ? [id] : await itemsBelow(sql, vocabulary, [id], large, limit + 1);
  if (near === undefined) return undefined;
  const reached = near.filter((each) => large.has(each));
  if (reached.length === 0) return { ids: without(near, id), regions: [], elsewhere: [] };

  const { parentOf } = await lineageOf(
    sql,
    [...large].map((each) => ({ vocabulary, id: each })),
  );
  const isBelow = makeBelow(id, (at) => parentOf(vocabulary, at));
  const regions = new Set([...large].filter((each) => each === id || isBelow(each)));
  const moved = (await movedTerms(sql, vocabulary)).filter((each) => !large.has(each));
  const parents = changed.flatMap(({ parent }) => parent ?? []);
  const regionOf = await new Regions(sql, vocabulary, large).read([...moved, ...parents]);
  const isInside = (at: string): boolean => regions.has(regionOf(at) ?? "");
  const [inside, elsewhere] = [
    await itemsBelow(sql, vocabulary, moved.filter(isInside), large, limit),
    await itemsBelow(
      sql,
      vocabulary,
      moved.filter((each) => !isInside(each)),
      large,
      limit,
    ),
  ];
  if (inside === undefined || elsewhere === undefined) return undefined;
  const changedBelow = changed.filter(({ parent }) => parent !== undefined && isInside(parent));
  const ids = new Set([...near, ...inside, ...changedBelow.map((each) => each.id)]);
  return { ids: without([...ids], id), regions: [...regions], elsewhere };
}

/** See `SourceView.belowMoved`. */
export async function belowMoved(sql: Sql, index: string, vocabulary: string): Promise<ReadonlySet<string>> {
  const large = await largeTermsOf(sql, index, vocabulary);
  const moved = (await movedTerms(sql, vocabulary)).filter((each) => !large.has(each));
  return new Set(await itemsBelow(sql, vocabulary, moved, large, Number.MAX_SAFE_INTEGER - 1));
}

const without = (ids: readonly string[], id: string): readonly string[] => ids.filter((each) => each !== id);

/** Says whether ids are below one; what it has found of others on the way it knows. A circle ends where it began. */
function makeBelow(ancestor: string, parentOf: (id: string) => string | undefined): (id: string) => boolean {
  const known = new Map<string, boolean>();
  return (id) => {
    const path: string[] = [];
    let at: string | undefined = id;
    while (at !== undefined && !known.has(at)) {
      path.push(at);
      known.set(at, false);
      at = parentOf(at);
      if (at === ancestor) break;
    }
    const isBelow = at !== undefined && (at === ancestor || known.get(at)!);
    for (const each of path) known.set(each, isBelow);
    return isBelow;
  };
}
