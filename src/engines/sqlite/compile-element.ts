import { fail } from "../../core/errors.js";
import type { Clause } from "../../query/clause.js";
import { either, inSeveral, pathPhrases, type TextClause } from "./compile-leaf.js";
import type { CompileContext } from "./compile-query.js";
import { type Match, phrase } from "./match.js";
import type { ElementGroup, ElementPlan } from "./plan.js";
import { existsToken, siteToken } from "./tokens.js";
import { rangeTest, type ValueTest } from "./vals.js";

type Of<K extends Clause["kind"]> = Extract<Clause, { kind: K }>;

/**
 * Compiles what one element of an array of objects must fulfil, for the rows of elements.
 * @returns undefined where no record has such an element
 * @throws BinderyError FEATURE_UNSUPPORTED for what the manifest says is not there
 */
export function compileElement({ path, of }: Of<"element">, context: CompileContext): ElementGroup | undefined {
  const id = context.idOf(path);
  if (id === undefined) return undefined;
  return { path: id, under: new Set([id, ...context.below(path)]), of: compileInside(of, path, context) };
}

const matching = (matches: readonly Match[]): ElementPlan => ({ kind: "match", matches: inSeveral(matches) });

function compileInside(clause: Clause, path: string, context: CompileContext): ElementPlan {
  const { idOf } = context;
  const known = (paths: readonly string[]): number[] => paths.map(idOf).filter((p) => p !== undefined);
  switch (clause.kind) {
    case "everything":
      return { kind: "all", of: [] };
    case "nothing":
      return { kind: "any", of: [] };
    case "all":
    case "any":
      return { kind: clause.kind, of: clause.of.map((part) => compileInside(part, path, context)) };
    case "not": {
      const { columns: _, ...everywhere } = context;
      return { kind: "not", of: compileInside(clause.of, path, everywhere) };
    }
    case "element": {
      const group = compileElement(clause, context);
      return group === undefined ? { kind: "any", of: [] } : { kind: "element", group };
    }
    case "exists":
      return matching(known(clause.paths).map((p) => phrase([existsToken(p)])));
    case "cites":
      return cites(
        clause,
        clause.sites === undefined ? [...known([path]), ...context.below(path)] : known(clause.sites),
      );
    case "range":
      return range(known(clause.paths), rangeTest(clause));
    default:
      if (clause.place.in === "text") return text(clause, path, context);
      return matching(known(clause.place.paths).flatMap((p) => pathPhrases(clause, context, p)));
  }
}

/** The text of an element is that of all values below it, which have their paths in its tokens. */
function text(clause: TextClause, path: string, context: CompileContext): ElementPlan {
  const of = context.textBelow(path, context.columns).map(
    ({ paths, models }): ElementPlan => ({
      kind: "match",
      matches: inSeveral(paths.flatMap((p) => pathPhrases(clause, context, p))),
      ...(models === undefined ? {} : { models }),
    }),
  );
  return { kind: "any", of };
}

function cites({ vocabularies, id, within }: Of<"cites">, sites: readonly number[]): ElementPlan {
  if (within) throw fail("FEATURE_UNSUPPORTED", { feature: "descendants of a term" });
  return matching(vocabularies.flatMap((vocabulary) => sites.map((p) => phrase([siteToken(p, vocabulary, id)]))));
}

function range(paths: readonly number[], fits: Omit<ValueTest, "paths">): ElementPlan {
  if (paths.length === 0) return { kind: "any", of: [] };
  const narrow = either(paths.map((p) => phrase([existsToken(p)])));
  return { kind: "scan", narrow, test: { ...fits, paths: new Set(paths) } };
}
