import type { FacetBuckets } from "../../query/buckets.js";
import type { Db } from "./database.js";
import type { Keys } from "./keys.js";
import type { Memory } from "./memory.js";
import { currentGeneration } from "./terms/generation.js";
import type { Lineage } from "./terms/lineage.js";

/** The buckets of a facet, and which of them the rows of `key` count in. */
export interface Tally {
  /** Number of buckets. */
  readonly size: number;
  /** The buckets of key k stand in `buckets` from `starts[k]` to `starts[k + 1]`. */
  readonly starts: Uint32Array;
  readonly buckets: Uint32Array;
  /** Has each key one bucket at most, and no other key of its path the same? */
  readonly isFlat: boolean;
  /** Key of a bucket, as it is shown. */
  keyOf(bucket: number): string;
  /** The item above another one, in a tree. */
  parentOf(id: string): string | undefined;
  /** The item below whose bucket is that of an item without one of its own: all that it has lies there. */
  aliasOf(id: string): string | undefined;
}

export interface TallyContext {
  readonly db: Db;
  readonly keys: Keys;
  readonly lineage: Lineage;
  readonly memory: Memory;
}

type Keyed = Extract<FacetBuckets, { kind: "terms" | "tree" }>;

/** What a bucket and its key take in memory, at a guess. */
const BUCKET_BYTES = 120;

/** @param paths of the facet; the same text at two of them is one bucket */
export function makeTally(buckets: Keyed, paths: readonly number[], context: TallyContext): Tally {
  const { db, keys, memory } = context;
  const end = keys.end();
  const generation = buckets.kind === "tree" ? currentGeneration(db, buckets.vocabulary) : undefined;
  const state = [end, generation?.g, generation?.writes].join(" ");
  const name = `tally ${JSON.stringify([buckets, paths])}`;
  const kept = memory.get<{ readonly state: string; readonly tally: Tally }>(name);
  if (kept?.state === state) return kept.tally;
  const tally =
    buckets.kind === "tree" ? treeTally(buckets.vocabulary, paths, context, end) : flatTally(paths, keys, end);
  const bytes = tally.size * BUCKET_BYTES + tally.starts.byteLength + tally.buckets.byteLength;
  memory.keep(name, { state, tally }, bytes);
  return tally;
}

function flatTally(paths: readonly number[], keys: Keys, end: number): Tally {
  const tally = tallyOf(paths, keys, end, (text) => [text]);
  return { ...tally, isFlat: true, parentOf: () => undefined, aliasOf: () => undefined };
}

function treeTally(vocabulary: string, paths: readonly number[], { keys, lineage }: TallyContext, end: number): Tally {
  const ids = textsAt(paths, keys, end);
  const above = lineage.ancestorsOf(vocabulary, ids);
  const parents = new Map<string, string>();
  for (const [id, ancestors] of above) {
    for (const [i, ancestor] of ancestors.entries()) parents.set(i === 0 ? id : ancestors[i - 1]!, ancestor);
  }
  const aliases = aliasesIn(parents, new Set(ids));
  const tally = tallyOf(paths, keys, end, (id) => [id, ...(above.get(id) ?? [])].filter((item) => !aliases.has(item)));
  return { ...tally, isFlat: false, parentOf: (id) => parents.get(id), aliasOf: (id) => aliases.get(id) };
}

/** Items that nobody cites and that have one child: they count what the child does. A lineage is mostly of such. */
function aliasesIn(parents: ReadonlyMap<string, string>, cited: ReadonlySet<string>): ReadonlyMap<string, string> {
  const onlyChild = new Map<string, string | undefined>();
  for (const [child, parent] of parents) onlyChild.set(parent, onlyChild.has(parent) ? undefined : child);
  const aliases = new Map<string, string>();
  for (const item of onlyChild.keys()) {
    const passed = new Set<string>();
    let at = item;
    for (let child = onlyChild.get(at); !cited.has(at) && child !== undefined; child = onlyChild.get(at)) {
      if (passed.has(at)) break;
      passed.add(at);
      at = child;
    }
    if (at !== item && !passed.has(at)) aliases.set(item, at);
  }
  return aliases;
}

function textsAt(paths: readonly number[], keys: Keys, end: number): string[] {
  const wanted = new Set(paths);
  const texts: string[] = [];
  for (let key = 0; key < end; key++) if (wanted.has(keys.pathOf(key))) texts.push(keys.textOf(key));
  return texts;
}

function tallyOf(
  paths: readonly number[],
  keys: Keys,
  end: number,
  bucketsOf: (text: string) => readonly string[],
): Pick<Tally, "size" | "starts" | "buckets" | "keyOf"> {
  const wanted = new Set(paths);
  const names: string[] = [];
  const numbers = new Map<string, number>();
  const starts = new Uint32Array(end + 1);
  const placed: number[] = [];
  for (let key = 0; key < end; key++) {
    starts[key] = placed.length;
    if (!wanted.has(keys.pathOf(key))) continue;
    for (const name of bucketsOf(keys.textOf(key))) {
      const number = numbers.get(name) ?? names.push(name) - 1;
      numbers.set(name, number);
      placed.push(number);
    }
  }
  starts[end] = placed.length;
  return { size: names.length, starts, buckets: Uint32Array.from(placed), keyOf: (bucket) => names[bucket]! };
}
