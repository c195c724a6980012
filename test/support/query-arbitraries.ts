/**
 * Random records of the tiny catalog, and random query trees about them, over a small vocabulary of hostile words: so
 * small that trees often match something.
 */

import fc from "fast-check";
import type { Json, JsonObject } from "../../src/core/json.js";
import type { CurrentTerm } from "../../src/core/term.js";
import { allNodes, anyNodes, notNode, type QueryNode, type RangeBound } from "../../src/query/parse/tree.js";
import { analyse } from "../../src/query/text/analyse.js";

/** Names that trees may use, by what they are good for. */
export interface FieldNames {
  /** Any leaf or object: for text. */
  readonly text: readonly string[];
  /** Leaves with values that ranges are about: numbers, dates, keywords. */
  readonly ordered: readonly string[];
  /** Names with sites that cite terms. */
  readonly sites: readonly string[];
  /** Ids of terms; absent: those of the tiny vocabulary. */
  readonly ids?: readonly string[];
  /** Arrays of objects, each with the names within. Empty where groups are not wanted. */
  readonly groups: Readonly<Record<string, FieldNames>>;
}

const NO_GROUPS = { groups: {} } as const;

const STEPS: FieldNames = {
  text: ["name", "tags", "samples.steps.name"],
  ordered: ["duration"],
  sites: [],
  ...NO_GROUPS,
};

/** Names of the model `tiny`. */
export const TINY_NAMES: FieldNames = {
  text: [
    ...["title", "TITLE", "metadata.title", "depositor", "depositor.name", "keywords", "is_calibrated", "organism"],
    ...["organism.title", "organism.synonyms", "samples", "samples.name", "samples.steps", "samples.steps.tags", "id"],
    ...["results.type", "results.sample", "results.value", "ph", "measured", "state", "model", "parent.id"],
    "stated",
  ],
  ordered: [
    ...["ph", "measured", "created", "samples.concentration.value", "samples.steps.duration", "results.value", "title"],
    ...["keywords", "kd", "ka", "kon", "hill", "concentration", "samples.concentration"],
  ],
  sites: ["organism", "organism.id", "samples", "samples.source", "metadata.samples.source.id"],
  groups: {
    samples: {
      text: ["name", "source", "source.title", "steps.tags", "samples.name", "title"],
      ordered: ["concentration.value", "prepared", "steps.duration", "name"],
      sites: ["source"],
      groups: { steps: STEPS, "samples.steps": STEPS },
    },
    "samples.steps": STEPS,
    results: {
      text: ["type", "sample.name", "stated"],
      ordered: ["value", "kd", "ka", "hill"],
      sites: [],
      ...NO_GROUPS,
    },
  },
};

/** Names of the vocabulary `species`. */
export const TINY_TERM_NAMES: FieldNames = {
  text: ["id", "title", "title.en", "title.de", "synonyms", "parent", "status", "rank", "props.rank", "codes"],
  ordered: ["genome_size", "title", "props.genome_size", "rank"],
  sites: ["id"],
  ids: ["sp:0", "sp:1", "sp:2", "sp:7", "sp:45", "sp:562", "SP:90", "sp:3", "sp:99999"],
  groups: {},
};

/** Words and bits of words that have gone wrong somewhere. */
export const WORDS = [
  ...["a", "b", "ab", "abc", "lysozyme", "Lysozyme", "lysozime", "7", "7.4", "-1", "0", "2024", "IL-6", "TNFα", "αβ"],
  ...["µM", "ß", "SS", "É", "東京", "京", "AND", "OR", "NOT", "NEAR", "TO", "null", "true", "__proto__", "a_b", "x:y"],
  ...["sp:562", "H₂O", "5'-GMP", "a/b", "&&", "𝼀x", "published"],
];
const SIGNS = [" ", "-", '"', "*", "?", "~", "^2", "(", ")", "\\", ":", "[", "]", "{", "}", "\ud800", "\u0000", "%"];
const NUMBERS = [-1, 0, 1, 2, 2.5, 7, 7.4, 10, 1e300, -0.5];
const DATES = ["2024", "2024-05", "2024-05-17", "2024-05-17T10:00:00Z", "2023-02-29", "1969-12-31"];
const AMOUNTS = [
  "1 mM",
  "10nM",
  "0.01 µM",
  "1e-9 M^2",
  "-1 furlongs",
  "2.5FURLONGS",
  "25°C",
  "70%",
  "1e5 1/Ms",
  "2 1/M",
];
const UNITS = ["M", "mM", "µM", "uM", "nM", "M^2", "furlongs", "Furlongs", "°C", "K", "s", "%", "1/Ms", "1/M", ""];
/** Ids that queries ask for, some of them only above what is cited, or nowhere. */
const SPECIES = ["sp:562", "sp:561", "sp:7", "sp:543", "sp:1", "sp:99"];

/** Parents of the species; `sp:99` is no item. Records cite all of them, and `sp:0`, which is none either. */
export const TINY_PARENTS: ReadonlyMap<string, string | undefined> = new Map([
  ["sp:1", undefined],
  ["sp:543", "sp:1"],
  ["sp:561", "sp:543"],
  ["sp:562", "sp:561"],
  ["sp:7", "sp:543"],
  ["sp:8", "sp:7"],
  ["sp:9", "sp:99"],
]);

const word = fc.constantFrom(...WORDS);

/** Text as it stands in a record: a few words. */
export const arbitraryText: fc.Arbitrary<string> = fc
  .array(word, { maxLength: 4, size: "max" })
  .map((words) => words.join(" "));

/** Texts that are read into fields where they stand without a backslash. */
const COMPARISONS = ["kd<10nM", "10nM≥kd", "ph=7", "title=a", "pH 7.4", "kd", "7-8", "10nM-1µM", "2020-2022", "<5"];

const textWithWords = fc
  .oneof(
    { weight: 6, arbitrary: word },
    {
      weight: 1,
      arbitrary: fc.array(fc.constantFrom(...WORDS, ...SIGNS), { maxLength: 4 }).map((all) => all.join("")),
    },
    { weight: 1, arbitrary: fc.constantFrom(...COMPARISONS) },
  )
  .filter((text) => analyse(text).length > 0);

/** Any text, full of signs that mean something: for the parser. */
export const arbitraryQueryText: fc.Arbitrary<string> = fc
  .array(
    fc.constantFrom(
      ...WORDS,
      ...SIGNS,
      ...[" AND ", " OR ", " NOT ", " -", " +", "!", "||", "ph:", "title:", "samples:(", "steps:(", "organism.within:"],
      ...[">=", "<", " TO ", "_exists_:", "*:*", "[2024 TO *}", "now-30d", "created:", "foo:[", "samples.name:"],
      ...["kd", "kd:", " = ", "≤", "10 nM", "-100 nM", "measured", "hill ", "-", "ph 7"],
    ),
    { maxLength: 24 },
  )
  .map((all) => all.join(""));

/** A random tree in the form that the parser makes, at most `depth` deep. */
export function arbitraryTree(names: FieldNames, depth = 3): fc.Arbitrary<QueryNode> {
  const leaf = arbitraryLeaf(names);
  if (depth === 0) return leaf;
  const inner = arbitraryTree(names, depth - 1);
  const some = fc.array(inner, { minLength: 2, maxLength: 3 });
  const groups = Object.entries(names.groups).map(([field, within]) =>
    arbitraryTree(within, depth - 1).map((of): QueryNode => ({ kind: "group", field, of })),
  );
  const group = groups.length === 0 ? [] : [{ weight: 5, arbitrary: fc.oneof(...groups) }];
  return fc.oneof(
    { weight: 4, arbitrary: leaf },
    { weight: 3, arbitrary: some.map((of) => allNodes(of)!) },
    { weight: 2, arbitrary: some.map((of) => anyNodes(of)!) },
    { weight: 2, arbitrary: inner.map(notNode) },
    ...group,
  );
}

/** Words and phrases in no field, all of which must match: what whole titles and identifiers are compared with. */
export const arbitraryPlainTree: fc.Arbitrary<QueryNode> = fc
  .array(fc.tuple(textWithWords, fc.boolean()), { minLength: 1, maxLength: 3 })
  .map((texts) => allNodes(texts.map(([text, quoted]) => ({ kind: "text", text, quoted })))!);

function arbitraryLeaf(names: FieldNames): fc.Arbitrary<QueryNode> {
  const fieldOf = (all: readonly string[]): fc.Arbitrary<{ field?: string }> =>
    all.length === 0
      ? fc.constant({})
      : fc.option(fc.constantFrom(...all), { nil: undefined }).map((field) => (field === undefined ? {} : { field }));
  const anywhere = fieldOf(names.text);
  const ordered = fc.constantFrom(...(names.ordered.length === 0 ? ["created"] : names.ordered));
  return fc.oneof(
    { weight: 1, arbitrary: fc.constant<QueryNode>({ kind: "everything" }) },
    {
      weight: 8,
      arbitrary: fc
        .tuple(
          fieldOf([...names.text, ...names.ordered]),
          fc.oneof(textWithWords, fc.constantFrom(...AMOUNTS)),
          fc.boolean(),
        )
        .map(([field, text, quoted]): QueryNode => ({ kind: "text", ...field, text, quoted })),
    },
    {
      weight: 2,
      arbitrary: fc
        .tuple(anywhere, fc.constantFrom("a", "lys", "IL-6", "7", "x:y", "αβ", "-a"))
        .map(([field, text]): QueryNode => ({ kind: "prefix", ...field, text })),
    },
    {
      weight: 2,
      arbitrary: fc
        .tuple(anywhere, fc.constantFrom("a?", "a*c", "lys*me", "lys?zyme", "7*4?", "a?*"))
        .map(([field, pattern]): QueryNode => ({ kind: "wildcard", ...field, pattern })),
    },
    {
      weight: 2,
      arbitrary: fc
        .tuple(
          anywhere,
          fc.constantFrom("lysozime", "lyszoyme", "ba", "abd", "7", "京", "tn", "562x"),
          fc.constantFrom(undefined, 1 as const, 2 as const),
        )
        .map(([field, text, edits]): QueryNode => ({ kind: "fuzzy", ...field, text, ...(edits && { edits }) })),
    },
    {
      weight: 3,
      arbitrary: fc
        .tuple(ordered, fc.array(arbitraryBound, { minLength: 1, maxLength: 3 }))
        .map(([field, bounds]): QueryNode => ({ kind: "range", field, bounds })),
    },
    {
      weight: 1,
      arbitrary: fc
        .constantFrom("id", ...names.text, ...names.ordered)
        .map((field): QueryNode => ({ kind: "exists", field })),
    },
    {
      weight: 2,
      arbitrary: fc
        .tuple(fieldOf(names.sites), fc.constantFrom(...(names.ids ?? [...SPECIES, "SP:562"])), fc.boolean())
        .map(([field, id, within]): QueryNode => {
          return { kind: "cites", ...field, id, within: within && field.field !== undefined };
        }),
    },
  );
}

const arbitraryBound: fc.Arbitrary<RangeBound> = fc.record({
  op: fc.constantFrom(">=", ">", "<=", "<"),
  text: fc.oneof(fc.constantFrom(...NUMBERS.map(String), ...DATES, "now-30d", "*", "TO", ...AMOUNTS), word),
});

/** Any value where the schema wants a text, now and then. */
const strange: fc.Arbitrary<Json> = fc.oneof(
  fc.constantFrom<Json>(null, "", true, 7.4, [], {}, ["a", ["b", null]], { a: { b: "abc" } }, [{ name: "a" }]),
);

/** Some of the keys, each with a value of its own kind or, seldom, with any. */
function some(values: Readonly<Record<string, fc.Arbitrary<Json>>>): fc.Arbitrary<JsonObject> {
  const mixed = Object.entries(values).map(([key, value]) => [
    key,
    fc.oneof({ weight: 9, arbitrary: value }, { weight: 1, arbitrary: strange }),
  ]);
  return fc.record(Object.fromEntries(mixed), { requiredKeys: [] }) as fc.Arbitrary<JsonObject>;
}

const texts = fc.array(arbitraryText, { maxLength: 3 });
const number = fc.constantFrom(...NUMBERS);
const unit = fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...UNITS) }, { weight: 1, arbitrary: arbitraryText });
const date = fc.constantFrom(...DATES);
const list = (item: fc.Arbitrary<Json>): fc.Arbitrary<Json> => fc.array(item, { maxLength: 3 });

const speciesId = fc.constantFrom("sp:562", "sp:562", ...TINY_PARENTS.keys(), "sp:0");
const speciesParts = {
  "@v": fc.constant("00000000-0000-5000-8000-000000000000::1"),
  title: some({ en: arbitraryText, de: arbitraryText, la: arbitraryText }),
  rank: arbitraryText,
};
/** A cited term, with an id of any type. */
const source = some({ ...speciesParts, id: speciesId });
/** The id is a text or missing: facets over a hierarchy promise nothing of others. */
const organism = fc
  .tuple(some(speciesParts), fc.option(speciesId, { nil: undefined, freq: 9 }))
  .map(([parts, id]): JsonObject => (id === undefined ? parts : { ...parts, id }));
const step = some({ name: arbitraryText, duration: number, tags: texts, other: arbitraryText });
const sample = some({
  id: arbitraryText,
  name: arbitraryText,
  concentration: some({ value: number, unit }),
  prepared: date,
  source,
  steps: list(step),
  undeclared: list(step),
});
const result = some({
  type: fc.constantFrom("KD", "KA", "Hill", "kOn", "a b"),
  value: number,
  unit,
  sample: some({ id: arbitraryText, name: arbitraryText }),
});

/** Metadata for the model `tiny`: missing values, mixed types, undeclared parts, nested lists. */
export const arbitraryMetadata: fc.Arbitrary<JsonObject> = some({
  title: arbitraryText,
  depositor: some({ name: arbitraryText, identifiers: texts }),
  keywords: texts,
  measured: date,
  ph: number,
  is_calibrated: fc.boolean(),
  organism,
  samples: list(sample),
  results: list(result),
  "samples.name": arbitraryText,
  undeclared: fc.oneof(arbitraryText, some({ title: arbitraryText, ph: number })),
});

/** Synonyms of the species that random records cite. */
export function tinyNames(vocabulary: string, id: string): readonly string[] {
  if (vocabulary !== "species") return [];
  return (
    new Map([
      ["sp:562", ["E. coli", "a b", "lysozyme"]],
      ["sp:561", ["abc"]],
    ]).get(id) ?? []
  );
}

/** The same, as an index looks them up. */
export const tinyTerm = (vocabulary: string, id: string): CurrentTerm => {
  return { id, successors: [], titles: [], names: tinyNames(vocabulary, id) };
};
