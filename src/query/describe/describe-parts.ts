/** Descriptions of the parts of a query text, for people and forms: field, comparison, value. */

import { findUnit } from "../../core/catalog/units.js";
import { LIMITS } from "../../core/limits.js";
import type { Field, FieldLookup } from "../fields/field-meanings.js";
import { isQuantity } from "../fields/field-type.js";
import type { KnownId } from "../fields/known-ids.js";
import type { Clause } from "../index-model/clause.js";
import type { Operator } from "../parse/operators.js";
import type { Part, Span } from "../parse/parts.js";
import type { LeafNode, QueryNode, RangeBound } from "../parse/tree.js";
import { resolveQuery } from "../resolve/resolve.js";
import { parseAmount } from "../text/amounts.js";
import { analyse } from "../text/analyse.js";
import { withoutPart } from "./without-part.js";

type PartKind = ("word" | "phrase" | "field" | "range" | "quantity" | "term") | ("group" | "operator" | "dropped");

/** How a value is looked for. `equals`, and ranges, are told by `bounds`. */
export type Match = "words" | "phrase" | "prefix" | "wildcard" | "fuzzy" | "exists" | "id" | "within" | "everything";

/** One end of a range; `=` for a single value. The unit stands apart. */
interface DescribedBound {
  readonly op: RangeBound["op"] | "=";
  readonly value: string;
  readonly unit?: string;
}

/** A range in the unit that the index compares by; dates as instants. An absent end is open. */
interface CanonicalRange {
  readonly from?: number | string;
  readonly to?: number | string;
  readonly unit?: string;
}

export interface DescribedPart extends Span {
  readonly kind: PartKind;
  /** As it was typed. */
  readonly text: string;
  /** The field, as it was typed. */
  readonly field?: string;
  readonly label?: string;
  /** Of a group: the path of the list, of which one element fulfils all of it. */
  readonly element?: string;
  readonly operator?: Operator;
  readonly match?: Match;
  /** Text, id or pattern, without quotes and escapes. */
  readonly value?: string;
  readonly bounds?: readonly DescribedBound[];
  readonly canonical?: CanonicalRange;
  /** Items of vocabularies that the id stands for. */
  readonly ids?: readonly KnownId[];
  /** What this part asks for alone: in the groups that it stands in. Absent where it asks for nothing. */
  readonly query?: QueryNode;
  /** The whole text without this part and what joins it. */
  readonly without?: string;
  /** Of a group: what is in it. Absent if more than `LIMITS.queryDepthMax` brackets are around that. */
  readonly parts?: readonly DescribedPart[];
}

/** What parts are described by. */
export interface Described {
  readonly text: string;
  readonly fields: FieldLookup;
  /** How people call a field. @param name as it was typed */
  labelOf(name: string, field: Field): string;
  /** In microseconds since 1970 UTC. */
  readonly nowMicros: number;
}

/** What is around a part. */
interface Around {
  /** Number of brackets around the part, plus 1. */
  readonly depth: number;
  /** Fields of the element groups, as typed, the outermost first. */
  readonly groups: readonly string[];
  /** Names are relative to the elements of this array first. */
  readonly outer?: Field;
}

export function describeParts(parts: readonly Part[], described: Described): readonly DescribedPart[] {
  return describeAll(parts, described, { groups: [], depth: 1 }, "");
}

/** @param rest the whole text without all of them */
function describeAll(
  parts: readonly Part[],
  described: Described,
  around: Around,
  rest: string,
): readonly DescribedPart[] {
  return parts.map((part, i) => describePart(part, described, around, withoutPart(described.text, parts, i) ?? rest));
}

function describePart(part: Part, described: Described, around: Around, without: string): DescribedPart {
  const { from, to } = part;
  const base = { from, to, text: described.text.slice(from, to) };
  switch (part.kind) {
    case "dropped":
      return { ...base, kind: "dropped" };
    case "operator":
      return { ...base, kind: "operator", operator: part.operator };
    case "clause":
      return { ...base, ...describeClause(part.node, described, around), without };
    case "group": {
      const { field: name, isElement = false, node } = part;
      const field = name === undefined ? undefined : described.fields.find(name, around.outer);
      const depth = around.depth + 1;
      const inner = isElement ? { groups: [...around.groups, name!], outer: field!, depth } : { ...around, depth };
      const element = isElement ? field?.meanings.find((meaning) => meaning.isElement)?.path : undefined;
      return {
        ...base,
        kind: "group",
        ...(name === undefined || field === undefined ? {} : { field: name, label: described.labelOf(name, field) }),
        ...(element === undefined ? {} : { element }),
        query: within(around.groups, node),
        without,
        // Brackets directly around brackets are no level of the query, so there can be thousands of them.
        ...(depth > LIMITS.queryDepthMax ? {} : { parts: describeAll(part.parts, described, inner, without) }),
      };
    }
  }
}

/** What is asked of the elements of some lists, asked by itself. */
function within(groups: readonly string[], node: QueryNode): QueryNode {
  return groups.reduceRight<QueryNode>((of, field) => ({ kind: "group", field, of }), node);
}

function describeClause(node: QueryNode, described: Described, around: Around) {
  const leaf = leafOf(node);
  const query = within(around.groups, node);
  if (leaf === undefined) return { kind: "word", match: "words", query } as const;
  const name = "field" in leaf ? leaf.field : undefined;
  const field = name === undefined ? undefined : described.fields.find(name, around.outer);
  const named = name === undefined || field === undefined ? {} : { field: name, label: described.labelOf(name, field) };
  const alone = within(around.groups, leaf);
  const { clause } = resolveQuery(alone, described.fields, described.nowMicros);
  return { ...named, ...describeLeaf(leaf, field, clause, described.fields), query };
}

/** The one thing that a clause says; of `pH 7.4`, read both ways, what it says of the field. Undefined for words. */
function leafOf(node: QueryNode): LeafNode | undefined {
  switch (node.kind) {
    case "any":
      return leafOf(node.of[0]!);
    case "all":
    case "not":
    case "group":
      return undefined;
    default:
      return node;
  }
}

type Said = Pick<DescribedPart, "kind" | "match" | "value" | "bounds" | "canonical" | "ids">;

function describeLeaf(leaf: LeafNode, field: Field | undefined, clause: Clause, fields: FieldLookup): Said {
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

/** Undefined where the values of the field are compared as words. */
function describeRange(
  bounds: readonly { readonly op: RangeBound["op"] | "="; readonly text: string }[],
  field: Field | undefined,
  clause: Clause,
  { units }: FieldLookup,
): Said | undefined {
  const range = rangeIn(clause);
  const quantity = field?.meanings.find(isQuantity);
  const amounts = bounds.map(({ text }) => (quantity === undefined ? undefined : parseAmount(text)));
  const isAmount = amounts.every((amount) => amount !== undefined);
  // A unit that does not fit finds nothing, but a comparison was meant.
  if (range === undefined && !(isAmount && clause.kind === "nothing")) return undefined;
  const described = bounds.map(({ op, text }, i): DescribedBound => {
    const amount = range?.type === "date" ? undefined : amounts[i];
    if (amount === undefined) return { op, value: text };
    return { op, value: String(amount.number), ...(amount.unit === "" ? {} : { unit: amount.unit }) };
  });
  const unit = amounts.flatMap((amount) => (amount === undefined ? [] : (findUnit(units, amount.unit) ?? [])))[0];
  const canonical =
    range === undefined ? undefined : endsOf(range, units.dimensions.get(unit?.dimension ?? "")?.canonical);
  const kind = quantity === undefined || !isAmount ? "range" : "quantity";
  return { kind, bounds: described, ...(canonical === undefined ? {} : { canonical }) };
}

type Range = Extract<Clause, { kind: "range" }>;

/** The first comparison that a clause makes; whole ids, which are compared as well, are none. */
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

function endsOf({ type, from, to }: Range, unit: string | undefined): CanonicalRange | undefined {
  if (type === "keyword") return undefined;
  const shown = type === "date" ? instantOf : (value: number | string) => value;
  const [first, last] = [from && shown(from.value), to && shown(to.value)];
  return {
    ...(first === undefined ? {} : { from: first }),
    ...(last === undefined ? {} : { to: last }),
    ...(unit === undefined ? {} : { unit }),
  };
}

/** Undefined for what is beyond all dates that have a spelling (`now-999999y`). @param micros since 1970 UTC */
function instantOf(micros: number | string): string | undefined {
  const date = new Date(Number(micros) / 1_000);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}
