import type { Clause } from "../../../../query/index-model/clause.js";
import { combine } from "../../documents/fts-expression.js";
import type { ExpandedClause } from "../../lexicon/lexicon.js";
import { allPlans, anyPlan, EVERYTHING, NOTHING, notPlan, type Plan } from "../../plan/plan.js";
import { isCommon } from "./match-rows.js";
import { expressionOf, type Phrase, phrasesOf, type TextClause, type TextColumns } from "./phrases.js";
import type { Range } from "./range-rows.js";
import type { SearchContext } from "./search-context.js";

/** How a clause about the terms of a vocabulary is answered. */
type TermPlan = Plan<TermLeaf>;

/** Each names the clause that it is for, which is named where the search takes too long. */
export type TermLeaf =
  /** One of the phrases stands in the term. */
  | { readonly kind: "phrases"; readonly phrases: readonly Phrase[]; readonly clause: TextClause }
  /** The FTS5 expression finds the term. */
  | {
      readonly kind: "match";
      readonly table: Phrase["table"];
      readonly expression: string;
      readonly clause: TextClause;
    }
  /** A word that the clause stands for is in the term. */
  | { readonly kind: "expanded"; readonly columns: TextColumns; readonly clause: ExpandedClause }
  /** A value lies in the range. */
  | { readonly kind: "range"; readonly clause: Range }
  /** It is the term, or one below it. */
  | { readonly kind: "cites"; readonly clause: Cites };

type Cites = Extract<Clause, { kind: "cites" }>;

/** @param columns restricts unfielded text, but for what is negated */
export function compileTerms(context: SearchContext, clause: Clause, columns: TextColumns): TermPlan {
  switch (clause.kind) {
    case "everything":
      return EVERYTHING;
    case "nothing":
    case "element":
      return NOTHING;
    case "all":
      return allPlans(compileParts(context, clause.of, columns, "AND"));
    case "any":
      return anyPlan(compileParts(context, clause.of, columns, "OR"));
    case "not":
      return notPlan(compileTerms(context, clause.of, "all"));
    case "words":
    case "prefix":
    case "exists":
      return { kind: "phrases", phrases: phrasesOf(context, clause, columns), clause };
    case "wildcard":
    case "fuzzy":
      return { kind: "expanded", columns, clause };
    case "range":
    case "cites":
      return { kind: clause.kind, clause } as TermLeaf;
  }
}

/** Rare phrases are asked for in one expression, and first. */
function compileParts(
  context: SearchContext,
  of: readonly Clause[],
  columns: TextColumns,
  operator: "AND" | "OR",
): readonly TermPlan[] {
  const parts = [...new Map(of.map((part) => [JSON.stringify(part), part])).values()];
  const rare = new Map<Phrase["table"], { readonly clause: TextClause; readonly expressions: string[] }>();
  const rest: Clause[] = [];
  for (const part of parts) {
    const phrase = isText(part) ? rarePhrase(context, part, columns) : undefined;
    if (phrase === undefined) rest.push(part);
    else {
      const together = rare.get(phrase.table) ?? { clause: part as TextClause, expressions: [] };
      together.expressions.push(expressionOf(phrase));
      rare.set(phrase.table, together);
    }
  }
  const together = [...rare].map(
    ([table, { clause, expressions }]): TermPlan => ({
      kind: "match",
      table,
      expression: combine(expressions, operator),
      clause,
    }),
  );
  return [...together, ...rest.map((part) => compileTerms(context, part, columns))];
}

const isText = (clause: Clause): clause is TextClause =>
  clause.kind === "words" || clause.kind === "prefix" || clause.kind === "exists";

/** The one phrase of a clause whose words are not all common. */
function rarePhrase(context: SearchContext, clause: TextClause, columns: TextColumns): Phrase | undefined {
  const [phrase, another] = phrasesOf(context, clause, columns);
  return phrase === undefined || another !== undefined || isCommon(context, phrase) ? undefined : phrase;
}
