import { fail } from "../../core/errors.js";
import type { Bound, Clause, Place } from "../../query/clause.js";
import { anyOf, type Columns, type Match, NONE, phrase } from "./match.js";
import { allPlans, anyPlan, EVERYTHING, matchPlan, NOTHING, notPlan, type Plan } from "./plan.js";
import { citesToken, existsToken, siteToken, wordToken } from "./tokens.js";
import type { ValueTest } from "./vals.js";

type Of<K extends Clause["kind"]> = Extract<Clause, { kind: K }>;

export interface CompileContext {
  /** Id of a path, undefined where no record holds it. */
  idOf(path: string): number | undefined;
  /** All tokens of the index that begin with `beginning` and whose rest fits the pattern. */
  expand(beginning: string, rest: string): readonly string[];
  /** Where unfielded text is looked for, unless it stands under NOT; absent: everywhere. */
  readonly columns?: Columns;
}

/** Holds it what no word of our analysis does: signs of our own tokens, quotes, capitals that FTS5 would fold? */
const isNoWord = (word: string): boolean => word === "" || /[^0-9a-z\u0080-\u{10ffff}]/u.test(word);

/** Words in one MATCH; more are asked for in several. */
const ALTERNATIVES_MAX = 512;

/**
 * Compiles a clause for the tables of records.
 * @throws BinderyError FEATURE_UNSUPPORTED for what the manifest says is not there
 */
export function compileQuery(clause: Clause, context: CompileContext): Plan {
  switch (clause.kind) {
    case "everything":
      return EVERYTHING;
    case "nothing":
      return NOTHING;
    case "words":
      return matchPlan(text(clause.place, clause.words, false, context));
    case "prefix":
      return matchPlan(text(clause.place, clause.words, true, context));
    case "wildcard":
      return wildcard(clause, context);
    case "range":
      return range(clause, context);
    case "exists":
      return matchPlan(atPaths(clause.paths, context, (p) => phrase([existsToken(p)])));
    case "cites":
      return matchPlan(cites(clause, context));
    case "all":
      return allPlans(clause.of.map((part) => compileQuery(part, context)));
    case "any":
      return anyPlan(clause.of.map((part) => compileQuery(part, context)));
    case "not": {
      const { columns: _, ...everywhere } = context;
      return notPlan(compileQuery(clause.of, everywhere));
    }
    case "fuzzy":
      throw fail("FEATURE_UNSUPPORTED", { feature: "fuzzy words" });
    case "element":
      throw fail("FEATURE_UNSUPPORTED", { feature: "conditions on the same element" });
  }
}

/** Alternatives of phrases never nest, so there is always an expression. */
const either = (matches: readonly Match[]): Match => anyOf(matches) ?? NONE;

function atPaths(paths: readonly string[], context: CompileContext, make: (p: number) => Match): Match {
  return either(knownPaths(paths, context).map(make));
}

function knownPaths(paths: readonly string[], { idOf }: CompileContext): number[] {
  return paths.map(idOf).filter((p) => p !== undefined);
}

function text(place: Place, words: readonly string[], asPrefix: boolean, context: CompileContext): Match {
  if (words.length === 0 || words.some(isNoWord)) return NONE;
  if (place.in === "text") return phrase(words, asPrefix, context.columns);
  const tokens = (p: number): string[] => words.map((word) => wordToken(p, word));
  return atPaths(place.paths, context, (p) => phrase(tokens(p), asPrefix));
}

/** FTS5 has no wildcards inside a word: the words are taken from the index, beginning with what stands before. */
function wildcard({ place, pattern }: Of<"wildcard">, context: CompileContext): Plan {
  const beginning = pattern.slice(0, pattern.search(/[*?]|$/u));
  if (isNoWord(pattern.replace(/[*?]/gu, ""))) return NOTHING;
  const rest = pattern.slice(beginning.length);
  const words =
    place.in === "text"
      ? context.expand(beginning, rest)
      : knownPaths(place.paths, context).flatMap((p) => context.expand(wordToken(p, beginning), rest));
  const columns = place.in === "text" ? context.columns : undefined;
  const matches: Match[] = [];
  for (let i = 0; i < words.length; i += ALTERNATIVES_MAX) {
    matches.push(either(words.slice(i, i + ALTERNATIVES_MAX).map((word) => phrase([word], false, columns))));
  }
  return matches.length <= 1 ? matchPlan(matches[0] ?? NONE) : { kind: "alternatives", matches };
}

function cites({ vocabularies, id, sites, within }: Of<"cites">, context: CompileContext): Match {
  if (within) throw fail("FEATURE_UNSUPPORTED", { feature: "descendants of a term" });
  const places = sites && knownPaths(sites, context);
  return either(
    vocabularies.flatMap((vocabulary) =>
      places === undefined
        ? [phrase([citesToken(vocabulary, id)])]
        : places.map((p) => phrase([siteToken(p, vocabulary, id)])),
    ),
  );
}

function range({ paths, type, from, to }: Of<"range">, context: CompileContext): Plan {
  const known = knownPaths(paths, context);
  if (known.length === 0) return NOTHING;
  const test: ValueTest =
    type === "keyword"
      ? { paths: new Set(known), text: textTest(from, to) }
      : { paths: new Set(known), number: numberTest(from, to) };
  return { kind: "scan", narrow: either(known.map((p) => phrase([existsToken(p)]))), test };
}

function numberTest(from: Bound | undefined, to: Bound | undefined): (value: number) => boolean {
  const low = from === undefined ? Number.NEGATIVE_INFINITY : Number(from.value);
  const high = to === undefined ? Number.POSITIVE_INFINITY : Number(to.value);
  const takesLow = from?.inclusive ?? true;
  const takesHigh = to?.inclusive ?? true;
  return (value) => (takesLow ? value >= low : value > low) && (takesHigh ? value <= high : value < high);
}

function textTest(from: Bound | undefined, to: Bound | undefined): (folded: Buffer) => boolean {
  const low = from && Buffer.from(String(from.value), "utf8");
  const high = to && Buffer.from(String(to.value), "utf8");
  const takesLow = from?.inclusive ? 0 : 1;
  const takesHigh = to?.inclusive ? 0 : -1;
  return (folded) =>
    (low === undefined || folded.compare(low) >= takesLow) && (high === undefined || folded.compare(high) <= takesHigh);
}
