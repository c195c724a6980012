import type { Catalog } from "../../../core/catalog/types.js";
import type { Clause } from "../../../query/index-model/clause.js";
import type { TextWeights } from "../../../query/index-model/leaves.js";
import type { RecordTest } from "../../../query/ranking/record-steps.js";
import { facetFields } from "../documents/facet-fields.js";
import { belowAt, citedAt, elementToken, existsToken } from "../documents/index-tokens.js";
import { deepest, numberPathsOf, type PathDepths, type PathNumbers, pathDepths } from "../documents/path-numbers.js";
import { numberRange, tokenRange } from "./compile-range.js";
import { type TextClause, wordsAt, wordsIn } from "./compile-words.js";
import { allOf, anyOf, EVERYTHING, fieldAt, hasToken, inElement, NOTHING, notOf, type Query } from "./dsl.js";

/** What a compiler of clauses knows of the index and its catalog. */
export interface CompileContext {
  readonly numbers: PathNumbers;
  readonly depthsOf: PathDepths;
  /** How deep elements lie in each other. */
  readonly deepest: number;
  /** Paths whose numbers have fields. */
  readonly numberFields: ReadonlySet<string>;
  /** Names of the fields that facets count. */
  readonly facetFields: ReadonlySet<string>;
  /** Buckets that one answer gives of a tree at most. */
  readonly bucketsMax: number;
}

/** Several facets share what OpenSearch gives in one answer: 65,535 buckets. */
const BUCKETS_MAX = 20_000;

export function compileContext(catalog: Catalog, numbers: PathNumbers): CompileContext {
  return {
    numbers,
    depthsOf: pathDepths(catalog),
    deepest: deepest(catalog),
    numberFields: numberPathsOf(catalog),
    bucketsMax: BUCKETS_MAX,
    facetFields: new Set(facetFields(catalog, numbers).map(({ field }) => field)),
  };
}

/** Where a clause is looked at. */
interface Part {
  /** The depth of the elements that it is about; 0 is the record, which has all that its elements have. */
  readonly depth: number;
  /** In values of which weights unfielded text is looked for, unless it stands under NOT; absent: in all. */
  readonly weights?: TextWeights;
}

const RECORD: Part = { depth: 0 };

/** Compiles a clause about records. */
export function compileQuery(clause: Clause, context: CompileContext, part: Part = RECORD): Query {
  switch (clause.kind) {
    case "everything":
      return EVERYTHING;
    case "nothing":
      return NOTHING;
    case "all":
      return allOf(clause.of.map((of) => compileQuery(of, context, part)));
    case "any":
      return anyOf(clause.of.map((of) => compileQuery(of, context, part)));
    case "not":
      return notOf(compileQuery(clause.of, context, { depth: part.depth }));
    case "element":
      return element(clause, context, part);
    case "exists":
      return atPaths(clause.paths, context, part, (paths, depth) =>
        hasToken(
          fieldAt(depth, "k"),
          paths.map((path) => existsToken(context.numbers.tokenOf(path))),
        ),
      );
    case "range":
      return atPaths(clause.paths, context, part, (paths, depth) =>
        anyOf(paths.map((path) => rangeAt(clause, path, context, depth))),
      );
    case "cites":
      return cites(clause, context, part);
    default:
      return text(clause, context, part);
  }
}

/** Compiles what the hits of a step of `bestmatch` have. */
export function compileTest(test: RecordTest, context: CompileContext): Query {
  switch (test.kind) {
    case "everything":
      return EVERYTHING;
    case "token":
      return test.isPrefix
        ? { prefix: { k: { value: test.token, rewrite: "constant_score" } } }
        : hasToken("k", [test.token]);
    case "clause":
      return compileQuery(test.clause, context, { ...RECORD, weights: test.weights });
  }
}

type Of<K extends Clause["kind"]> = Extract<Clause, { kind: K }>;

/** A path may lie at several depths, each in another model. */
function element({ path, of }: Of<"element">, context: CompileContext, part: Part): Query {
  const token = elementToken(context.numbers.tokenOf(path));
  const depths = context.depthsOf(path).filter((depth) => depth > part.depth);
  return anyOf(
    depths.map((depth) => {
      const inside = compileQuery(of, context, { ...part, depth });
      return inElement(depth, allOf([hasToken(fieldAt(depth, "k"), [token]), inside]));
    }),
  );
}

/** What lies in deeper elements belongs to those around them too. */
function text(clause: TextClause, context: CompileContext, part: Part): Query {
  const { place } = clause;
  if (place.in === "paths") {
    const known = place.paths.filter((path) => context.numbers.numberOf(path) !== undefined);
    return atPaths(known, context, part, (paths, depth) =>
      wordsAt(
        clause,
        fieldAt(depth, "at"),
        paths.map((path) => context.numbers.tokenOf(path)),
      ),
    );
  }
  const columns = part.weights?.map((weight) => (weight === "title" ? "t" : "h")) ?? ["t", "h", "r"];
  return atDepths(depthsFrom(part, context), part, (depth) =>
    wordsIn(
      clause,
      columns.map((column) => fieldAt(depth, column)),
    ),
  );
}

function rangeAt(clause: Of<"range">, path: string, { numbers, numberFields }: CompileContext, depth: number): Query {
  const p = numbers.tokenOf(path);
  if (clause.type === "keyword" || !numberFields.has(path)) return tokenRange(clause, fieldAt(depth, "v"), p);
  return numberRange(clause, fieldAt(depth, `n.${p}`));
}

function cites({ vocabularies, id, sites, within }: Of<"cites">, context: CompileContext, part: Part): Query {
  const tokensAt = (site?: string): readonly string[] =>
    vocabularies.flatMap((vocabulary) => {
      const cited = { vocabulary, id };
      return within ? [citedAt(cited, site), belowAt(cited, site)] : [citedAt(cited, site)];
    });
  if (sites === undefined) {
    return atDepths(depthsFrom(part, context), part, (depth) => hasToken(fieldAt(depth, "k"), tokensAt()));
  }
  return atPaths(sites, context, part, (some, depth) =>
    hasToken(
      fieldAt(depth, "k"),
      some.flatMap((site) => tokensAt(context.numbers.tokenOf(site))),
    ),
  );
}

/** All depths at which something of the part lies. */
function depthsFrom({ depth }: Part, { deepest }: CompileContext): readonly number[] {
  return depth === 0 ? [0] : Array.from({ length: deepest - depth + 1 }, (_, i) => depth + i);
}

/** Asks each depth for the paths that lie there. */
function atPaths(
  paths: readonly string[],
  { depthsOf }: CompileContext,
  part: Part,
  queryAt: (paths: readonly string[], depth: number) => Query,
): Query {
  if (part.depth === 0) return paths.length === 0 ? NOTHING : queryAt(paths, 0);
  const depths = new Set(paths.flatMap(depthsOf).filter((depth) => depth >= part.depth));
  return atDepths([...depths], part, (depth) =>
    queryAt(
      paths.filter((path) => depthsOf(path).includes(depth)),
      depth,
    ),
  );
}

/** Asks the elements of the part themselves, and those that lie in them. */
function atDepths(depths: readonly number[], part: Part, queryAt: (depth: number) => Query): Query {
  return anyOf(depths.map((depth) => (depth === part.depth ? queryAt(depth) : inElement(depth, queryAt(depth)))));
}
