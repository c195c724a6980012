import type { Bound, QueryPart } from "../../core/answers/query-text.js";
import { LIMITS } from "../../core/limits.js";
import { parseAmount } from "../../core/units/amounts.js";
/** Descriptions of the parts of a query text, for people and forms: field, comparison, value. */
import { findUnit } from "../../core/units/units.js";
import type { FieldLookup } from "../fields/field-lookup.js";
import { isQuantity, type SearchField } from "../fields/field-meanings.js";
import type { KnownId } from "../fields/identifiers.js";
import type { Clause } from "../index-model/clause.js";
import type { LeafNode, Part, QueryNode } from "../parse/tree.js";
import { resolveQuery } from "../resolve/resolve.js";
import { analyse } from "../text/analyse.js";

type CanonicalRange = NonNullable<QueryPart["canonical"]>;

/** Description of a part of a query, before terms are read and hits are counted. */
export interface DescribedPart extends Omit<QueryPart, "term" | "parsed" | "total" | "parts"> {
  /** Terms with the id. */
  readonly ids?: readonly KnownId[];
  /** Query for this part alone, in its groups. Absent for operators and ignored text. */
  readonly query?: QueryNode;
  readonly parts?: readonly DescribedPart[] | undefined;
}

/** Query and names for the description of its parts. */
interface DescriptionContext {
  readonly text: string;
  readonly fields: FieldLookup;
  /** Returns the label of a field. @param name as typed */
  fieldLabel(name: string, field: SearchField): string;
  /** Current time in microseconds since 1970 UTC. */
  readonly nowMicros: number;
}

/** Brackets around a part. */
interface PartScope {
  /** Number of brackets around the part, plus 1. */
  readonly depth: number;
  /** Fields of the element groups, as typed, outermost first. */
  readonly groups: readonly string[];
  /** Array of objects below which names are looked up first. */
  readonly outer?: SearchField;
}

/** Describes the parts of a query. */
export function describeParts(parts: readonly Part[], context: DescriptionContext): readonly DescribedPart[] {
  return describeAll(parts, context, { groups: [], depth: 1 }, "");
}

/** Describes sibling parts. @param rest the whole text without all of them */
function describeAll(
  parts: readonly Part[],
  context: DescriptionContext,
  scope: PartScope,
  rest: string,
): readonly DescribedPart[] {
  return parts.map((part, i) => describePart(part, context, scope, withoutPart(context.text, parts, i) ?? rest));
}

function describePart(part: Part, context: DescriptionContext, scope: PartScope, without: string): DescribedPart {
  const { from, to } = part;
  const base = { from, to, text: context.text.slice(from, to) };
  switch (part.kind) {
    case "dropped":
      return { ...base, kind: "dropped" };
    case "operator":
      return { ...base, kind: "operator", operator: part.operator };
    case "clause":
      return { ...base, ...describeClause(part.node, context, scope), without };
    case "group": {
      const { field: name, isElement = false, node } = part;
      const field = name === undefined ? undefined : context.fields.find(name, scope.outer);
      const depth = scope.depth + 1;
      const inner = isElement ? { groups: [...scope.groups, name!], outer: field!, depth } : { ...scope, depth };
      const element = isElement ? field?.meanings.find((meaning) => meaning.isElement)?.path : undefined;
      return {
        ...base,
        kind: "group",
        ...(name === undefined || field === undefined ? {} : { field: name, label: context.fieldLabel(name, field) }),
        element,
        query: within(scope.groups, node),
        without,
        // Brackets directly in brackets are not a level of the query, so there can be thousands of them.
        parts: depth > LIMITS.queryDepthMax ? undefined : describeAll(part.parts, context, inner, without),
      };
    }
  }
}

/** Returns a node in its element groups. */
function within(groups: readonly string[], node: QueryNode): QueryNode {
  return groups.reduceRight<QueryNode>((of, field) => ({ kind: "group", field, of }), node);
}

function describeClause(node: QueryNode, context: DescriptionContext, scope: PartScope) {
  const leaf = singleLeaf(node);
  const query = within(scope.groups, node);
  if (leaf === undefined) return { kind: "word", match: "words", query } as const;
  const name = "field" in leaf ? leaf.field : undefined;
  const field = name === undefined ? undefined : context.fields.find(name, scope.outer);
  const fieldLabel =
    name === undefined || field === undefined ? {} : { field: name, label: context.fieldLabel(name, field) };
  const alone = within(scope.groups, leaf);
  const { clause } = resolveQuery(alone, context.fields, context.nowMicros);
  return { ...fieldLabel, ...describeLeaf(leaf, field, clause, context.fields), query };
}

/** Returns the only leaf of a clause, or the one about the field for `pH 7.4`. Undefined for several words. */
function singleLeaf(node: QueryNode): LeafNode | undefined {
  switch (node.kind) {
    case "any":
      return singleLeaf(node.of[0]!);
    case "all":
    case "not":
    case "group":
      return undefined;
    default:
      return node;
  }
}

type LeafDescription = Pick<DescribedPart, "kind" | "match" | "value" | "bounds" | "canonical" | "ids">;

function describeLeaf(
  leaf: LeafNode,
  field: SearchField | undefined,
  clause: Clause,
  fields: FieldLookup,
): LeafDescription {
  switch (leaf.kind) {
    case "everything":
      return { kind: "word", match: "everything" };
    case "exists":
      return { kind: "field", match: "exists" };
    case "cites":
      return { kind: "term", match: leaf.within ? "within" : "id", value: leaf.id, ids: fields.findIds(leaf.id) };
    case "range":
      return describeRange(leaf.bounds, field, clause, fields) ?? { kind: "field", match: "words" };
    case "wildcard":
      return { kind: field === undefined ? "word" : "field", match: "wildcard", value: leaf.pattern };
    case "prefix":
    case "fuzzy":
      return { kind: field === undefined ? "word" : "field", match: leaf.kind, value: leaf.text };
    case "text": {
      const bounds = leaf.quoted ? [] : [{ op: "=", text: leaf.text } as const];
      const range = bounds.length === 0 ? undefined : describeRange(bounds, field, clause, fields);
      if (range !== undefined) return range;
      const isPhrase = leaf.quoted || analyse(leaf.text).length > 1;
      const kind = field !== undefined ? "field" : isPhrase ? "phrase" : "word";
      return { kind, match: isPhrase ? "phrase" : "words", value: leaf.text };
    }
  }
}

/** Describes a comparison. Undefined if the values of the field are compared as words. */
function describeRange(
  bounds: readonly { readonly op: Bound["op"]; readonly text: string }[],
  field: SearchField | undefined,
  clause: Clause,
  { units }: FieldLookup,
): LeafDescription | undefined {
  const range = rangeIn(clause);
  const quantity = field?.meanings.find(isQuantity);
  const amounts = bounds.map(({ text }) => (quantity === undefined ? undefined : parseAmount(text)));
  const isAmount = amounts.every((amount) => amount !== undefined);
  // A comparison with a unit of another dimension matches nothing, but it is a comparison.
  if (range === undefined && !(isAmount && clause.kind === "nothing")) return undefined;
  const describedBounds = bounds.map(({ op, text }, i): Bound => {
    const amount = range?.type === "date" ? undefined : amounts[i];
    if (amount === undefined) return { op, value: text };
    return { op, value: String(amount.number), unit: amount.unit === "" ? undefined : amount.unit };
  });
  const unit = amounts.flatMap((amount) => (amount === undefined ? [] : (findUnit(units, amount.unit) ?? [])))[0];
  const canonical =
    range === undefined ? undefined : canonicalEnds(range, units.dimensions.get(unit?.dimension ?? "")?.canonical);
  const kind = quantity === undefined || !isAmount ? "range" : "quantity";
  return { kind, bounds: describedBounds, canonical };
}

type Range = Extract<Clause, { kind: "range" }>;

/** Returns the first range in a clause, except for ranges of a single keyword, which match whole ids. */
function rangeIn(clause: Clause): Range | undefined {
  switch (clause.kind) {
    case "range":
      return clause.type === "keyword" && clause.from === clause.to ? undefined : clause;
    case "element":
      return rangeIn(clause.of);
    case "all":
    case "any":
      for (const of of clause.of) {
        const range = rangeIn(of);
        if (range !== undefined) return range;
      }
      return undefined;
    default:
      return undefined;
  }
}

function canonicalEnds({ type, from, to }: Range, unit: string | undefined): CanonicalRange | undefined {
  if (type === "keyword") return undefined;
  const convert = type === "date" ? formatInstant : (value: number | string) => value;
  const [first, last] = [from && convert(from.value), to && convert(to.value)];
  return {
    from: first,
    to: last,
    unit,
  };
}

/** Formats an instant. Undefined if it is beyond the range of dates (`now-999999y`). @param micros since 1970 UTC */
function formatInstant(micros: number | string): string | undefined {
  const date = new Date(Number(micros) / 1_000);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}

/**
 * Returns the text without one of its sibling parts and without the operator that joins or negates it. AND binds
 * stronger than OR: `a OR b AND c` without b is `a OR c`. Undefined if no other part is left.
 */
export function withoutPart(text: string, parts: readonly Part[], index: number): string | undefined {
  const isOperand = (part: Part): boolean => part.kind === "clause" || part.kind === "group";
  const before = parts.slice(0, index);
  const after = parts.slice(index + 1);
  const previous = before.findLastIndex(isOperand);
  if (previous < 0 && !after.some(isOperand)) return undefined;
  const lead = before.slice(previous + 1).filter(({ kind }) => kind === "operator");
  const [joinBefore] = lead.filter(joins);
  const signs = lead.filter((part) => !joins(part));
  let end = parts[index]!.to;
  // Ignored text directly after the part, such as a boost, belongs to it.
  while (after[0]?.kind === "dropped" && after[0].from === end) end = after.shift()!.to;
  const joinAfter = after[0] !== undefined && joins(after[0]) ? after[0] : undefined;
  const isAlternative = joinBefore !== undefined && isOr(joinBefore);
  const bindsNext = after.some(isOperand) && !(joinAfter !== undefined && isOr(joinAfter));
  const goesWithNext = previous < 0 || (isAlternative && bindsNext);
  const first = (goesWithNext ? undefined : joinBefore) ?? signs[0] ?? parts[index]!;
  return joinTexts(text.slice(0, first.from), text.slice(goesWithNext ? (joinAfter?.to ?? end) : end));
}

const isOr = (part: Part): boolean => part.kind === "operator" && part.operator === "OR";
const joins = (part: Part): boolean => part.kind === "operator" && (part.operator === "AND" || isOr(part));

/** Joins two texts with one blank, except at brackets and at the ends. Escaped blanks are kept. */
function joinTexts(before: string, after: string): string {
  const [left, right] = [before.replace(/(?<!\\)\s+$/u, ""), after.trimStart()];
  const isApart = left === "" || right === "" || left.endsWith("(") || right.startsWith(")");
  return left + (isApart ? "" : " ") + right;
}
