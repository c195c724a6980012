/**
 * Random clauses about what given records hold: their paths, words, numbers, keywords and cited terms. So they find
 * something far more often than queries over all names, and meet every path that an index is given, named or not.
 */
import fc from "fast-check";
import {
  andClauses,
  type Bound,
  type Clause,
  notClause,
  orClauses,
  type TextScope,
} from "../../src/query/index-model/clause.js";
import type { RecordLeaves } from "../../src/query/index-model/leaves.js";
import { foldKeyword } from "../../src/query/text/analyse.js";

/** What was found at one path. */
interface Sample {
  readonly path: string;
  readonly words: Set<string>;
  readonly phrases: (readonly string[])[];
  readonly numbers: Set<number>;
  readonly keywords: Set<string>;
}

/** What clauses about one array of objects, or (path "") about whole records, are made from. */
interface Part {
  readonly path: string;
  readonly samples: readonly Sample[];
  readonly cites: readonly { readonly vocabulary: string; readonly id: string; readonly site: string }[];
  /** Arrays of objects below. */
  readonly parts: readonly string[];
}

/** Values kept of one path. */
const VALUES_MAX = 30;

/** What clauses need to know beyond the records. */
export interface ClauseContext {
  readonly isDate: (path: string) => boolean;
  /** Ids above a cited one; absent: no clause asks for descendants. */
  readonly ancestorsOf?: (vocabulary: string, id: string) => readonly string[];
}

/** @param depth of nesting; groups nest as deep as it */
export function arbitraryClause(
  records: readonly RecordLeaves[],
  context: ClauseContext,
  depth = 4,
): fc.Arbitrary<Clause> {
  const parts = partsOf(records);
  const leaves = new Map([...parts].map(([path, part]) => [path, leafOf(part, context)]));
  const made = new Map<string, fc.Arbitrary<Clause>>();
  const clauseIn = (path: string, levels: number): fc.Arbitrary<Clause> => {
    const key = `${levels} ${path}`;
    const known = made.get(key);
    if (known !== undefined) return known;
    const leaf = leaves.get(path)!;
    if (levels === 0) return leaf;
    const inner = clauseIn(path, levels - 1);
    const some = fc.array(inner, { minLength: 2, maxLength: 3 });
    const below = parts
      .get(path)!
      .parts.map((part) => clauseIn(part, levels - 1).map((of): Clause => ({ kind: "element", path: part, of })));
    const clause = fc.oneof(
      { weight: 4, arbitrary: leaf },
      { weight: 3, arbitrary: some.map(andClauses) },
      { weight: 2, arbitrary: some.map(orClauses) },
      { weight: 2, arbitrary: inner.map(notClause) },
      ...(below.length === 0 ? [] : [{ weight: 5, arbitrary: fc.oneof(...below) }]),
    );
    made.set(key, clause);
    return clause;
  };
  return clauseIn("", depth);
}

function partsOf(records: readonly RecordLeaves[]): ReadonlyMap<string, Part> {
  const elementPaths = [...new Set(records.flatMap(({ elements }) => elements.map(({ path }) => path)))].sort();
  const samples = samplesOf(records);
  const cites = new Map(records.flatMap((record) => record.cites).map((cite) => [`${cite.site} ${cite.id}`, cite]));
  const isUnder = (path: string, group: string): boolean => group === "" || path.startsWith(`${group}.`);
  const partOf = (path: string): Part => ({
    path,
    samples: samples.filter((sample) => isUnder(sample.path, path)),
    cites: [...cites.values()].filter(({ site }) => site === path || isUnder(site, path)),
    parts: elementPaths.filter((element) => element !== path && isUnder(element, path)),
  });
  return new Map(["", ...elementPaths].map((path) => [path, partOf(path)]));
}

function samplesOf(records: readonly RecordLeaves[]): readonly Sample[] {
  const samples = new Map<string, Sample>();
  for (const leaf of records.flatMap(({ leaves }) => leaves)) {
    if (leaf.path === null) continue;
    const empty: Sample = { path: leaf.path, words: new Set(), phrases: [], numbers: new Set(), keywords: new Set() };
    const sample = samples.get(leaf.path) ?? empty;
    samples.set(leaf.path, sample);
    for (const word of leaf.words) sample.words.add(word);
    if (leaf.words.length > 1 && sample.phrases.length < VALUES_MAX) sample.phrases.push(leaf.words);
    if (leaf.number !== undefined && sample.numbers.size < VALUES_MAX) sample.numbers.add(leaf.number);
    if (leaf.keyword !== undefined && sample.keywords.size < VALUES_MAX) sample.keywords.add(leaf.keyword);
  }
  return [...samples.values()];
}

function leafOf({ samples, cites }: Part, context: ClauseContext): fc.Arbitrary<Clause> {
  const of = (fits: (sample: Sample) => boolean, make: (sample: Sample) => fc.Arbitrary<Clause>) => {
    const fitting = samples.filter(fits);
    return fitting.length === 0 ? [] : [fc.constantFrom(...fitting).chain(make)];
  };
  const exists = of(
    () => true,
    ({ path }) => otherPaths(path, samples).map((paths) => ({ kind: "exists", paths })),
  );
  const words = of(
    (sample) => sample.words.size > 0,
    (sample) => fc.tuple(placeOf(sample, samples), fc.constantFrom(...sample.words)).chain(aboutWord),
  );
  const phrases = of(
    (sample) => sample.phrases.length > 0,
    (sample) => fc.tuple(placeOf(sample, samples), fc.constantFrom(...sample.phrases), fc.nat(3)).map(phrase),
  );
  const numbers = of(
    (sample) => sample.numbers.size > 0,
    (sample) =>
      fc
        .tuple(otherPaths(sample.path, samples), ends(fc.constantFrom(...sample.numbers)))
        .map(([paths, [from, to]]): Clause => {
          const type = context.isDate(sample.path) ? "date" : "number";
          return {
            kind: "range",
            paths: paths.filter((path) => context.isDate(path) === (type === "date")),
            type,
            ...from,
            ...to,
          };
        }),
  );
  const keywords = of(
    (sample) => sample.keywords.size > 0,
    (sample) =>
      fc
        .tuple(otherPaths(sample.path, samples), ends(fc.constantFrom(...[...sample.keywords].map(foldKeyword))))
        .map(([paths, [from, to]]) => ({ kind: "range", paths, type: "keyword", ...from, ...to })),
  );
  const terms = cites.length === 0 ? [] : [fc.constantFrom(...cites).chain((cite) => aboutTerm(cite, context))];
  const everything = fc.constant<Clause>({ kind: "everything" });
  return fc.oneof(everything, ...exists, ...words, ...words, ...phrases, ...numbers, ...numbers, ...keywords, ...terms);
}

/** The path, and sometimes others with it. */
const otherPaths = (path: string, samples: readonly Sample[]): fc.Arbitrary<readonly string[]> =>
  fc
    .option(fc.constantFrom(...samples.map((sample) => sample.path)), { nil: path, freq: 2 })
    .map((other) => [...new Set([path, other])]);

const placeOf = ({ path }: Sample, samples: readonly Sample[]): fc.Arbitrary<TextScope> =>
  fc.oneof(
    fc.constant<TextScope>({ in: "text" }),
    otherPaths(path, samples).map((paths): TextScope => ({ in: "paths", paths })),
  );

function aboutWord([place, word]: [TextScope, string]): fc.Arbitrary<Clause> {
  const letters = [...word];
  const at = fc.nat(letters.length - 1);
  return fc.oneof(
    fc.constant<Clause>({ kind: "words", place, words: [word] }),
    at.map((i): Clause => ({ kind: "prefix", place, words: [letters.slice(0, i + 1).join("")] })),
    at.map((i): Clause => {
      const pattern = letters.map((letter, k) => (k === i && k > 0 ? "?" : letter)).join("");
      return { kind: "wildcard", place, pattern: `${pattern}${i % 2 === 0 ? "*" : ""}` };
    }),
    fc
      .tuple(at, fc.constantFrom("", "a", "x", "é"), fc.constantFrom(1 as const, 2 as const))
      .map(([i, other, edits]): Clause => {
        const changed = [...letters.slice(0, i), other, ...letters.slice(i + 1)].join("");
        return { kind: "fuzzy", place, word: changed === "" ? word : changed, edits };
      }),
  );
}

function phrase([place, words, skip]: [TextScope, readonly string[], number]): Clause {
  const some = words.slice(Math.min(skip, words.length - 1));
  return skip === 3 ? { kind: "prefix", place, words: some } : { kind: "words", place, words: some };
}

type Ends = readonly [{ readonly from?: Bound }, { readonly to?: Bound }];

function ends(value: fc.Arbitrary<number | string>): fc.Arbitrary<Ends> {
  const bound = fc.record({ value, inclusive: fc.boolean() });
  const from = fc.option(bound, { nil: undefined }).map((made) => (made === undefined ? {} : { from: made }));
  const to = fc.option(bound, { nil: undefined }).map((made) => (made === undefined ? {} : { to: made }));
  return fc.tuple(from, to);
}

function aboutTerm({ vocabulary, id, site }: Part["cites"][number], context: ClauseContext): fc.Arbitrary<Clause> {
  const ids = fc.constantFrom(id, ...(context.ancestorsOf?.(vocabulary, id) ?? []));
  const sites = site === "" ? fc.constant({}) : fc.constantFrom({}, { sites: [site] });
  const within = context.ancestorsOf === undefined ? fc.constant(false) : fc.boolean();
  return fc
    .tuple(ids, sites, within)
    .map(([asked, at, below]) => ({ kind: "cites", vocabularies: [vocabulary], id: asked, ...at, within: below }));
}
