import { fail } from "../../core/errors.js";
import type { Warning } from "../../core/issue.js";
import type { Clock } from "../../ports/environment.js";
import type { PlainWords } from "../../ports/search-index.js";
import type { FieldLookup } from "../../query/fields/field-lookup.js";
import type { Clause } from "../../query/index-model/clause.js";
import { parseQuery, parseSuggestText } from "../../query/parse/parse.js";
import { printQuery } from "../../query/parse/print.js";
import { EVERYTHING_NODE, type Part, type QueryNode } from "../../query/parse/tree.js";
import { type PastedText, pastedText, titleWords } from "../../query/resolve/pasted-text.js";
import { resolveQuery } from "../../query/resolve/resolve.js";
import { analyse } from "../../query/text/analyse.js";
import type { Span } from "../../query/text/positions.js";
import type { SearchRequest } from "../api/searches.js";
import { makeIssue } from "../input/issues.js";

/** A parsed and resolved query. */
export interface PreparedQuery {
  /** Whether the query is empty. If so, everything is searched, and `bestmatch` has no meaning. */
  readonly isEmpty: boolean;
  /** The tree that was resolved to `clause`. */
  readonly tree: QueryNode;
  /** Whether it was sent as `suggest`, which is never read as syntax. */
  readonly isTyped: boolean;
  readonly clause: Clause;
  /** Whether the clause depends on the clock. */
  readonly usesNow: boolean;
  readonly plain?: PlainWords | undefined;
  /** Returns the text as a phrase, if the query may miss a title with this text. */
  pasted(): PastedText | undefined;
  readonly query: { readonly parsed: string; readonly fallback: boolean };
  readonly warnings: readonly Warning[];
  /** The parts of the text; empty for `suggest`. */
  readonly parts: readonly Part[];
  /** The places of warnings in the text. Only parsing knows places; warnings of resolving have none. */
  readonly places: ReadonlyMap<Warning, Span>;
}

const NO_PARTS = { parts: [], places: new Map<Warning, Span>() } as const;

const EMPTY_QUERY: PreparedQuery = {
  isEmpty: true,
  tree: EVERYTHING_NODE,
  isTyped: false,
  clause: { kind: "everything" },
  usesNow: false,
  pasted: () => undefined,
  query: { parsed: "", fallback: false },
  warnings: [],
  ...NO_PARTS,
};

/**
 * Reads `q`, or `suggest` in its place.
 * @throws QUERY_TOO_LARGE; PARAMETER_INVALID if both are sent
 */
export function readQuery(
  { q = "", suggest = "" }: Pick<SearchRequest, "q" | "suggest">,
  fields: FieldLookup,
  clock: Clock,
): PreparedQuery {
  if (q.trim() !== "" && suggest.trim() !== "") {
    const issue = makeIssue(["suggest"], "PARAMETERS_CONFLICT", ["Send q or suggest, not both."], { value: suggest });
    throw fail("PARAMETER_INVALID", { issues: [issue] });
  }
  const suggests = suggest.trim() !== "";
  // `suggest` is never syntax: without words (`...`) it is empty.
  if (suggests ? analyse(suggest).length === 0 : q.trim() === "") return EMPTY_QUERY;
  const parsed = suggests
    ? { tree: parseSuggestText(suggest), fallback: false, warnings: [], ...NO_PARTS }
    : parseQuery(q, fields);
  const { tree } = parsed;
  const resolved = resolveQuery(tree, fields, clock.nowMicros());
  const { clause, fallback, warnings, usesNow } = resolved;
  const plain = suggests ? resolved.plain : titleWords(q, tree, resolved.plain);
  const isAsWritten = !parsed.fallback && !fallback;
  return {
    // `*`, and a text without letters, ask for everything, as an absent query does.
    isEmpty: tree.kind === "everything",
    tree,
    isTyped: suggests,
    clause,
    usesNow,
    plain,
    pasted: () => (suggests ? undefined : pastedText(q, tree, parsed.fallback)),
    query: { parsed: printQuery(tree), fallback: !isAsWritten },
    warnings: [...parsed.warnings, ...warnings],
    parts: parsed.parts,
    places: parsed.places,
  };
}
