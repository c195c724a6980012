/** Adds units to the bare numbers of a query. */
import type { Field, FieldLookup } from "../fields/field-meanings.js";
import type { Part, Span } from "../parse/parts.js";
import { printQuery } from "../parse/print.js";
import type { QueryNode } from "../parse/tree.js";
import { resolveQuery } from "../resolve/resolve.js";
import { joinAmount } from "../text/amounts.js";

/** Text of a query and what it was read as. */
interface ReadText {
  readonly text: string;
  readonly parts: readonly Part[];
  readonly fields: FieldLookup;
  readonly nowMicros: number;
}

/** A query with a unit after each number of a field that lacks one. */
interface QueryWithUnit {
  readonly unit: string;
  readonly q: string;
}

/** The element groups around a node, the outermost first, and the field of the innermost one. */
interface Scope {
  readonly groups: readonly string[];
  readonly outer?: Field;
}

/** A piece of the text that one node replaces. */
interface Piece extends Span {
  readonly node: QueryNode;
  readonly scope: Scope;
}

/** Maximum number of units offered. Most dimensions have fewer. */
const UNITS_MAX = 12;

/**
 * Returns one query for each unit of the usual dimension of a field, with the unit after the field's bare numbers. The
 * rest of the text stays. A number that takes its unit from another bound (`[1 TO 5nM]`) stays, too.
 *
 * @param name name of the field, as typed
 */
export function addUnits(name: string, read: ReadText): readonly QueryWithUnit[] {
  const { text, parts, fields } = read;
  const bare = new Map<QueryNode, Field>();
  const pieces = piecesOf(parts, fields).filter(({ node, scope }) => {
    const found = bareNodes(node, scope, name, read);
    for (const [leaf, field] of found) bare.set(leaf, field);
    return found.length > 0;
  });
  const dimensions = new Set(
    [...bare.values()].flatMap(({ meanings }) => meanings.flatMap(({ dimensions = [] }) => dimensions.slice(0, 1))),
  );
  return [...fields.units.units.values()]
    .filter(({ dimension }) => dimensions.has(dimension))
    .slice(0, UNITS_MAX)
    .map(({ name: unit }) => ({ unit, q: replacePieces(text, pieces, (node) => withUnit(node, bare, unit)) }));
}

/**
 * Returns the pieces of a text in order. The brackets of a field (`kd:(>1 AND <5)`) are one piece, because their bounds
 * apply to one value. Iterates, so that deep nesting cannot overflow the stack.
 */
function piecesOf(parts: readonly Part[], fields: FieldLookup): readonly Piece[] {
  const pieces: Piece[] = [];
  const lists: { readonly parts: readonly Part[]; readonly scope: Scope }[] = [{ parts, scope: { groups: [] } }];
  // The loop also visits the lists that it appends.
  for (const { parts: list, scope } of lists) {
    for (const part of list) {
      if (part.kind === "clause") pieces.push({ from: part.from, to: part.to, node: part.node, scope });
      if (part.kind !== "group") continue;
      if (part.field === undefined) lists.push({ parts: part.parts, scope });
      else if (part.isElement === true) lists.push({ parts: part.parts, scope: within(part.field, scope, fields) });
      else pieces.push({ from: part.from, to: part.to, node: part.node, scope });
    }
  }
  return pieces.sort((a, b) => a.from - b.from);
}

function within(name: string, { groups, outer }: Scope, fields: FieldLookup): Scope {
  const field = fields.find(name, outer);
  return { groups: [...groups, name], ...(field === undefined ? {} : { outer: field }) };
}

/** Returns the nodes that compare the field with numbers without a unit, each with its field. */
function bareNodes(
  node: QueryNode,
  scope: Scope,
  name: string,
  read: ReadText,
): readonly (readonly [QueryNode, Field])[] {
  const { fields, nowMicros } = read;
  switch (node.kind) {
    case "all":
    case "any":
      return node.of.flatMap((of) => bareNodes(of, scope, name, read));
    case "not":
      return bareNodes(node.of, scope, name, read);
    case "group":
      return bareNodes(node.of, within(node.field, scope, fields), name, read);
    case "range":
    case "text": {
      const field = node.field === undefined ? undefined : fields.find(node.field, scope.outer);
      if (field === undefined || !isSame(field, fields.find(name, scope.outer))) return [];
      const alone = scope.groups.reduceRight<QueryNode>((of, group) => ({ kind: "group", field: group, of }), node);
      const { warnings } = resolveQuery(alone, fields, nowMicros);
      return warnings.some(({ code }) => code === "QUERY_UNIT_MISSING") ? [[node, field]] : [];
    }
    default:
      return [];
  }
}

/** Returns whether two names stand for the same values. */
const isSame = ({ meanings }: Field, other: Field | undefined): boolean =>
  meanings.length === other?.meanings.length && meanings.every(({ path }, i) => path === other.meanings[i]!.path);

function withUnit(node: QueryNode, bare: ReadonlyMap<QueryNode, Field>, unit: string): QueryNode {
  switch (node.kind) {
    case "all":
    case "any":
      return { ...node, of: node.of.map((of) => withUnit(of, bare, unit)) };
    case "not":
    case "group":
      return { ...node, of: withUnit(node.of, bare, unit) };
    case "range":
      if (!bare.has(node)) return node;
      return { ...node, bounds: node.bounds.map(({ op, text }) => ({ op, text: joinAmount(text.trim(), unit) })) };
    case "text":
      return bare.has(node) ? { ...node, text: joinAmount(node.text.trim(), unit) } : node;
    default:
      return node;
  }
}

/** Replaces pieces of a text by their changed nodes, printed. */
function replacePieces(text: string, pieces: readonly Piece[], change: (node: QueryNode) => QueryNode): string {
  const changed = pieces.map(({ from, to, node }) => {
    const printed = printQuery(change(node));
    return { from, to, insert: node.kind === "all" || node.kind === "any" ? `(${printed})` : printed };
  });
  const starts = [0, ...changed.map(({ to }) => to)];
  return starts.map((start, i) => text.slice(start, changed[i]?.from) + (changed[i]?.insert ?? "")).join("");
}
