import { fail } from "../../core/errors.js";
import type { Warning } from "../../core/issue.js";
import type { Clock } from "../../ports/environment.js";
import type { PlainWords } from "../../ports/search-index.js";
import type { FieldLookup } from "../../query/fields/field-meanings.js";
import type { Clause } from "../../query/index-model/clause.js";
import { parseQuery, suggestTree } from "../../query/parse/parse.js";
import type { Part, Span } from "../../query/parse/parts.js";
import { printQuery } from "../../query/parse/print.js";
import { EVERYTHING, type QueryNode } from "../../query/parse/tree.js";
import { type PastedText, pastedText, titleWords } from "../../query/resolve/pasted.js";
import { resolveQuery } from "../../query/resolve/resolve.js";
import { analyse } from "../../query/text/analyse.js";
import type { SearchRequest } from "../api/search-services.js";
import { makeIssue } from "../input/issues.js";

/** A query as it was read. */
export interface ReadQuery {
  /** Nothing is asked: everything is searched, and `bestmatch` means nothing. */
  readonly isEmpty: boolean;
  /** As the index is asked. */
  readonly tree: QueryNode;
  /** Was it typed as `suggest`, which is never syntax? */
  readonly isTyped: boolean;
  readonly clause: Clause;
  /** Does the clause depend on when it was made? */
  readonly usesNow: boolean;
  readonly plain?: PlainWords;
  /** The text as a phrase, if the query may miss a title with this text. */
  readonly pasted?: PastedText;
  readonly query: { readonly parsed: string; readonly fallback: boolean };
  readonly warnings: readonly Warning[];
  /** The text piece by piece; none of what was typed as `suggest`. */
  readonly parts: readonly Part[];
  /** What of the text a warning is about, as far as the text itself tells. */
  readonly places: ReadonlyMap<Warning, Span>;
}

const NO_PARTS = { parts: [], places: new Map<Warning, Span>() } as const;

const NOTHING_ASKED: ReadQuery = {
  isEmpty: true,
  tree: EVERYTHING,
  isTyped: false,
  clause: { kind: "everything" },
  usesNow: false,
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
): ReadQuery {
  if (q.trim() !== "" && suggest.trim() !== "") {
    const issue = makeIssue(["suggest"], "PARAMETERS_CONFLICT", ["Send q or suggest, not both."], { value: suggest });
    throw fail("PARAMETER_INVALID", { issues: [issue] });
  }
  const suggests = suggest.trim() !== "";
  // `suggest` is never syntax: where it has no words (`...`), nothing was typed yet.
  if (suggests ? analyse(suggest).length === 0 : q.trim() === "") return NOTHING_ASKED;
  const read = suggests
    ? { tree: suggestTree(suggest), fallback: false, warnings: [], ...NO_PARTS }
    : parseQuery(q, fields);
  const { tree } = read;
  const resolved = resolveQuery(tree, fields, clock.nowMicros());
  const { clause, fallback, warnings, usesNow } = resolved;
  const plain = suggests ? resolved.plain : titleWords(q, tree, resolved.plain);
  const pasted = suggests ? undefined : pastedText(q, tree);
  const isAsWritten = !read.fallback && !fallback;
  return {
    // `*`, and what has no letters at all, ask for everything as no query does.
    isEmpty: tree.kind === "everything",
    tree,
    isTyped: suggests,
    clause,
    usesNow,
    ...(plain === undefined ? {} : { plain }),
    ...(pasted === undefined ? {} : { pasted }),
    query: { parsed: printQuery(tree), fallback: !isAsWritten },
    warnings: [...read.warnings, ...warnings],
    parts: read.parts,
    places: read.places,
  };
}
