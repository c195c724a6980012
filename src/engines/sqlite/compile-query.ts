import { fail } from "../../core/errors.js";
import type { Clause } from "../../query/clause.js";
import { compileElement } from "./compile-element.js";
import { either, inSeveral, pathPhrases, type TextClause, textPhrases } from "./compile-leaf.js";
import type { TextBelow } from "./element-text.js";
import type { IndexWords } from "./expand-words.js";
import { type Columns, type Match, NONE, phrase } from "./match.js";
import { allPlans, anyPlan, EVERYTHING, matchPlan, NOTHING, notPlan, type Plan } from "./plan.js";
import { citesToken, existsToken, siteToken } from "./tokens.js";
import { rangeTest } from "./vals.js";

type Of<K extends Clause["kind"]> = Extract<Clause, { kind: K }>;

export interface CompileContext extends IndexWords {
  /** Id of a path, undefined where no record holds it. */
  idOf(path: string): number | undefined;
  /** Ids of all paths below one. */
  below(path: string): readonly number[];
  readonly textBelow: TextBelow;
  /** Where unfielded text is looked for, unless it stands under NOT; absent: everywhere. */
  readonly columns?: Columns;
}

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
    case "prefix":
      return matchPlan(either(text(clause, context)));
    case "wildcard":
    case "fuzzy": {
      const matches = inSeveral(text(clause, context));
      return matches.length <= 1 ? matchPlan(matches[0] ?? NONE) : { kind: "alternatives", matches };
    }
    case "range":
      return range(clause, context);
    case "exists":
      return matchPlan(either(knownPaths(clause.paths, context).map((p) => phrase([existsToken(p)]))));
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
    case "element": {
      const group = compileElement(clause, context);
      return group === undefined ? NOTHING : { kind: "element", group };
    }
  }
}

function knownPaths(paths: readonly string[], { idOf }: CompileContext): number[] {
  return paths.map(idOf).filter((p) => p !== undefined);
}

function text(clause: TextClause, context: CompileContext): readonly Match[] {
  if (clause.place.in === "text") return textPhrases(clause, context, context.columns);
  return knownPaths(clause.place.paths, context).flatMap((p) => pathPhrases(clause, context, p));
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

function range(clause: Of<"range">, context: CompileContext): Plan {
  const known = knownPaths(clause.paths, context);
  if (known.length === 0) return NOTHING;
  const narrow = either(known.map((p) => phrase([existsToken(p)])));
  return { kind: "scan", narrow, test: { ...rangeTest(clause), paths: new Set(known) } };
}
