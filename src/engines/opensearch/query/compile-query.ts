import type { Catalog } from "../../../core/catalog/types.js";
import type { Clause, TextClause } from "../../../query/index-model/clause.js";
import type { TextWeights } from "../../../query/index-model/leaves.js";
import type { RecordStepTest } from "../../../query/ranking/record-steps.js";
import {
  facetFields,
  maxDepth,
  numberPathsOf,
  type PathDepths,
  type PathNumbers,
  pathDepths,
} from "../documents/index-fields.js";
import {
  belowToken,
  citedToken,
  elementToken,
  existsToken,
  keywordToken,
  keywordTokenRange,
  numberToken,
  numberTokenRange,
  wordToken,
} from "../documents/index-tokens.js";
import {
  andQueries,
  EVERYTHING_QUERY,
  fieldAt,
  hasToken,
  type IndexQuery,
  inElement,
  NOTHING_QUERY,
  notQuery,
  numberRange,
  orQueries,
  tokenRange,
  wordsAt,
  wordsInFields,
} from "./dsl.js";

/** Facts about the index and its catalog that a compiler of clauses needs. */
export interface CompileContext {
  readonly numbers: PathNumbers;
  readonly depthsOf: PathDepths;
  /** Maximum nesting depth of elements. */
  readonly deepest: number;
  /** Paths whose numbers have fields. */
  readonly numberFields: ReadonlySet<string>;
  /** Names of the fields that facets count. */
  readonly facetFields: ReadonlySet<string>;
  /** Maximum number of buckets of a tree in one answer. */
  readonly bucketsMax: number;
}

/** Several facets share the maximum of one answer of OpenSearch: 65,535 buckets. */
const BUCKETS_MAX = 20_000;

/** Collects the facts about an index and its catalog. */
export function makeCompileContext(catalog: Catalog, numbers: PathNumbers): CompileContext {
  return {
    numbers,
    depthsOf: pathDepths(catalog),
    deepest: maxDepth(catalog),
    numberFields: numberPathsOf(catalog),
    bucketsMax: BUCKETS_MAX,
    facetFields: new Set(facetFields(catalog, numbers).map(({ field }) => field)),
  };
}

/** The documents that a clause is about. */
interface QueryScope {
  /** Depth of the elements; 0 is the record, which has the content of all its elements. */
  readonly depth: number;
  /** Weights of the values in which unfielded text is searched, except under NOT; undefined: all values. */
  readonly weights?: TextWeights;
}

const RECORD: QueryScope = { depth: 0 };

/** Compiles a clause about records. */
export function compileQuery(clause: Clause, context: CompileContext, part: QueryScope = RECORD): IndexQuery {
  switch (clause.kind) {
    case "everything":
      return EVERYTHING_QUERY;
    case "nothing":
      return NOTHING_QUERY;
    case "all":
      return andQueries(clause.of.map((of) => compileQuery(of, context, part)));
    case "any":
      return orQueries(clause.of.map((of) => compileQuery(of, context, part)));
    case "not":
      return notQuery(compileQuery(clause.of, context, { depth: part.depth }));
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
        orQueries(paths.map((path) => rangeAt(clause, path, context, depth))),
      );
    case "cites":
      return cites(clause, context, part);
    default:
      return text(clause, context, part);
  }
}

/** Compiles the test of a step of `bestmatch`. */
export function compileTest(test: RecordStepTest, context: CompileContext): IndexQuery {
  switch (test.kind) {
    case "everything":
      return EVERYTHING_QUERY;
    case "token":
      return test.isPrefix
        ? { prefix: { k: { value: test.token, rewrite: "constant_score" } } }
        : hasToken("k", [test.token]);
    case "clause":
      return compileQuery(test.clause, context, { ...RECORD, weights: test.weights });
  }
}

type ClauseOfKind<K extends Clause["kind"]> = Extract<Clause, { kind: K }>;

/** Compiles an element group. A path may be at several depths, each in another model. */
function element({ path, of }: ClauseOfKind<"element">, context: CompileContext, part: QueryScope): IndexQuery {
  const token = elementToken(context.numbers.tokenOf(path));
  const depths = context.depthsOf(path).filter((depth) => depth > part.depth);
  return orQueries(
    depths.map((depth) => {
      const inside = compileQuery(of, context, { ...part, depth });
      return inElement(depth, andQueries([hasToken(fieldAt(depth, "k"), [token]), inside]));
    }),
  );
}

/** Compiles text. The content of deeper elements belongs to those around them too. */
function text(clause: TextClause, context: CompileContext, part: QueryScope): IndexQuery {
  const { place } = clause;
  if (place.in === "paths") {
    const numberedPaths = place.paths.filter((path) => context.numbers.pathNumber(path) !== undefined);
    return atPaths(numberedPaths, context, part, (paths, depth) =>
      wordsAt(
        clause,
        fieldAt(depth, "at"),
        paths.map((path) => wordToken(context.numbers.tokenOf(path), "")),
      ),
    );
  }
  const columns = part.weights?.map((weight) => (weight === "title" ? "t" : "h")) ?? ["t", "h", "r"];
  return atDepths(depthsFrom(part, context), part, (depth) =>
    wordsInFields(
      clause,
      columns.map((column) => fieldAt(depth, column)),
    ),
  );
}

function rangeAt(
  clause: ClauseOfKind<"range">,
  path: string,
  { numbers, numberFields }: CompileContext,
  depth: number,
): IndexQuery {
  const p = numbers.tokenOf(path);
  const tokens = fieldAt(depth, "v");
  if (clause.type === "keyword")
    return tokenRange(clause, tokens, keywordTokenRange(p), (value) => keywordToken(p, `${value}`));
  if (numberFields.has(path)) return numberRange(clause, fieldAt(depth, `n.${p}`));
  return tokenRange(clause, tokens, numberTokenRange(p), (value) => numberToken(p, Number(value)));
}

function cites(
  { vocabularies, id, sites, within }: ClauseOfKind<"cites">,
  context: CompileContext,
  part: QueryScope,
): IndexQuery {
  const tokensAt = (site?: string): readonly string[] =>
    vocabularies.flatMap((vocabulary) => {
      const cited = { vocabulary, id };
      return within ? [citedToken(cited, site), belowToken(cited, site)] : [citedToken(cited, site)];
    });
  if (sites === undefined) {
    return atDepths(depthsFrom(part, context), part, (depth) => hasToken(fieldAt(depth, "k"), tokensAt()));
  }
  return atPaths(sites, context, part, (sitesAtDepth, depth) =>
    hasToken(
      fieldAt(depth, "k"),
      sitesAtDepth.flatMap((site) => tokensAt(context.numbers.tokenOf(site))),
    ),
  );
}

/** Returns all depths at which content of the part may be. */
function depthsFrom({ depth }: QueryScope, { deepest: maxDepth }: CompileContext): readonly number[] {
  return depth === 0 ? [0] : Array.from({ length: maxDepth - depth + 1 }, (_, i) => depth + i);
}

/** Queries each depth for the paths that are there. */
function atPaths(
  paths: readonly string[],
  { depthsOf }: CompileContext,
  part: QueryScope,
  queryAt: (paths: readonly string[], depth: number) => IndexQuery,
): IndexQuery {
  if (part.depth === 0) return paths.length === 0 ? NOTHING_QUERY : queryAt(paths, 0);
  const depths = new Set(paths.flatMap(depthsOf).filter((depth) => depth >= part.depth));
  return atDepths([...depths], part, (depth) =>
    queryAt(
      paths.filter((path) => depthsOf(path).includes(depth)),
      depth,
    ),
  );
}

/** Queries the elements of the part themselves, and those inside of them. */
function atDepths(depths: readonly number[], part: QueryScope, queryAt: (depth: number) => IndexQuery): IndexQuery {
  return orQueries(depths.map((depth) => (depth === part.depth ? queryAt(depth) : inElement(depth, queryAt(depth)))));
}
