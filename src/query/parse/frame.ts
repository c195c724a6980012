import { addAll } from "../../core/collections.js";
import type { FieldLookup } from "../fields/field-lookup.js";
import type { SearchField } from "../fields/field-meanings.js";
import type { Span } from "../text/positions.js";
import type { Scanner } from "../text/scan.js";
import { allNodes, anyNodes, notNode, type Operator, type Part, type QueryNode } from "./tree.js";

/** Meaning of words and names inside a pair of brackets. */
export interface BracketScope {
  /** Field of words without a field, with the name by which it was found. */
  readonly name?: string;
  readonly field?: SearchField;
  /** Array of objects. Names are looked up below it first. */
  readonly outer?: SearchField | undefined;
}

/** State of the innermost open bracket at the end of a text. */
export interface ParserEnd {
  readonly scope: BracketScope;
  readonly parts: readonly Part[];
  /** Fields of the element groups around it, outermost first. */
  readonly groups: readonly string[];
}

/** Opening bracket. */
interface Opening {
  /** Start of its field, or of the bracket if it has no field. */
  readonly from: number;
  /** Position of the bracket. */
  readonly bracket: number;
  /** Name of the field before it, as typed. */
  readonly field: string | undefined;
}

const OPERATORS: Readonly<Record<string, Operator>> = {
  AND: "AND",
  "&&": "AND",
  OR: "OR",
  "||": "OR",
  NOT: "NOT",
  "-": "NOT",
  "!": "NOT",
  "+": "+",
};

/**
 * Reads an operator. For any other text, returns undefined and reads nothing. `operator` is undefined for signs without
 * an operand. `isSign`: the operand follows without a blank.
 *
 * @param isInNumbers whether a minus before a digit belongs to the number
 */
export function readOperator(
  scanner: Scanner,
  isInNumbers: boolean,
): { readonly written: string; readonly operator?: Operator; readonly isSign: boolean } | undefined {
  if (!scanner.isAfterBlank) return undefined;
  const word = scanner.take(/(?:AND|OR|NOT)(?=[\s()"]|$)|&&|\|\|/uy);
  if (word !== undefined) return { written: word, operator: OPERATORS[word]!, isSign: false };
  const stray = scanner.take(/[-+!]+(?=[\s)]|$)/uy);
  if (stray !== undefined) return { written: stray, isSign: false };
  if (isInNumbers && scanner.peek(/-[\d.]/uy) !== undefined) return undefined;
  const sign = scanner.take(/[-+!](?![-+!])/uy);
  return sign === undefined ? undefined : { written: sign, operator: OPERATORS[sign]!, isSign: true };
}

/** One open bracket, or the whole query. Collects operands and operators; AND binds stronger than OR. */
export class BracketFrame {
  /** Parts read so far, in order. */
  readonly parts: Part[] = [];
  readonly #alternatives: QueryNode[][] = [[]];
  #operator: "AND" | "OR" | undefined;
  #isNegated = false;
  #hasOperand = false;

  /**
   * @param opening undefined for the whole query
   * @param group name of an array of objects, if the bracket matches within one of its elements
   */
  constructor(
    readonly scope: BracketScope,
    readonly opening?: Opening,
    readonly group?: string,
  ) {}

  /** Adds an operand. Undefined for an operand without meaning, which is ignored. */
  add(node: QueryNode | undefined, span: Span): void {
    this.parts.push(node === undefined ? { kind: "dropped", ...span } : { kind: "clause", node, ...span });
    this.#take(node);
  }

  /** Adds an inner bracket that ends at `to`. */
  addGroup(frame: BracketFrame, to: number): void {
    const node = frame.close();
    const { parts, group, opening } = frame;
    const { from, field } = opening!;
    if (node === undefined) this.drop({ from, to });
    else if (field === undefined) this.parts.push({ kind: "group", node, parts, from, to });
    else this.parts.push({ kind: "group", node, parts, from, to, field, isElement: group !== undefined });
    this.#take(node);
  }

  /** Adds ignored text. */
  drop(span: Span): void {
    this.parts.push({ kind: "dropped", ...span });
  }

  #take(node: QueryNode | undefined): void {
    const isNegated = this.#isNegated;
    this.#isNegated = false;
    if (node === undefined) return;
    if (this.#operator === "OR") this.#alternatives.push([]);
    this.#operator = undefined;
    this.#hasOperand = true;
    this.#alternatives.at(-1)!.push(isNegated ? notNode(node) : node);
  }

  /**
   * Adds an operator. Returns false, and ignores it, if it has nothing to join.
   * @param operator undefined for signs without an operand, which are always ignored
   */
  addOperator(operator: Operator | undefined, span: Span): boolean {
    const joins = operator === "AND" || operator === "OR";
    const isStray = joins && (!this.#hasOperand || this.#operator !== undefined || this.#isNegated);
    if (operator === undefined || isStray) {
      this.drop(span);
      return false;
    }
    if (joins) this.#operator = operator;
    if (operator === "NOT") this.#isNegated = !this.#isNegated;
    this.parts.push({ kind: "operator", operator, ...span });
    return true;
  }

  /** Drops the operators without an operand at the end, and returns the last one with the span of all of them. */
  dropDangling(): { readonly operator: string; readonly span: Span } | undefined {
    const operator = this.#isNegated ? "NOT" : this.#operator;
    if (operator === undefined) return undefined;
    const operand = this.parts.findLastIndex(({ kind }) => kind !== "operator" && kind !== "dropped");
    const first = this.parts.findIndex(({ kind }, i) => i > operand && kind === "operator");
    const dropped = this.parts.splice(first).map(({ from, to }): Part => ({ kind: "dropped", from, to }));
    addAll(this.parts, dropped);
    return { operator, span: { from: dropped[0]!.from, to: dropped.at(-1)!.to } };
  }

  /** Returns the node of the whole bracket, or undefined if it has no operands. */
  close(): QueryNode | undefined {
    const { name } = this.scope;
    const isField = name !== undefined && this.group === undefined;
    const alternatives = this.#alternatives.flatMap((nodes) => {
      const all = allNodes(nodes);
      if (all === undefined) return [];
      return isField && all.kind === "all" ? (allNodes(mergeRanges(all.of, name)) ?? []) : [all];
    });
    const node = anyNodes(alternatives);
    if (node === undefined || this.group === undefined) return node;
    return { kind: "group", field: this.group, of: node };
  }
}

/** Merges the ranges in the brackets of one field, because they apply to the same value. */
function mergeRanges(nodes: readonly QueryNode[], field: string): readonly QueryNode[] {
  const isRange = (node: QueryNode): boolean => node.kind === "range" && node.field === field;
  const bounds = nodes.flatMap((node) => (node.kind === "range" && node.field === field ? node.bounds : []));
  const first = nodes.findIndex(isRange);
  if (first < 0) return nodes;
  const otherNodes = nodes.filter((node) => !isRange(node));
  return otherNodes.toSpliced(first, 0, { kind: "range", field, bounds });
}

/** A field with the name by which it was found. */
export interface NamedField {
  readonly name: string;
  readonly field: SearchField;
}

/** Suffix of a field name that includes descendants. In a search for terms, `within` alone applies to the id. */
const WITHIN = /^(.+)\.within$/u;

/** Field name. The look-up of labels ignores signs, but in queries they are operators, brackets and bounds. */
const NAME = /^[\p{L}\p{N}_\u2206][^\s()":\\*?^~[\]{}<>=≤≥]*$/u;

/** Returns the field with a name inside a bracket. */
export function findField(
  name: string,
  { name: around, outer }: BracketScope,
  fields: FieldLookup,
): NamedField | undefined {
  if (!NAME.test(name)) return undefined;
  const names = around === undefined ? [name] : [`${around}.${name}`, name];
  for (const candidate of names) {
    const field = fields.find(candidate, outer);
    if (field !== undefined) return { name: candidate, field };
  }
  return undefined;
}

/** Returns the field with a name, which may have a suffix that includes descendants: `organism.within`. */
export function findFieldWithin(
  name: string,
  scope: BracketScope,
  fields: FieldLookup,
): (NamedField & { readonly within: boolean }) | undefined {
  const namedField = findField(name, scope, fields);
  if (namedField !== undefined) return { ...namedField, within: false };
  const base = fields.isTerms && /^within$/iu.test(name) ? "id" : WITHIN.exec(name)?.[1];
  const above = base === undefined ? undefined : findField(base, scope, fields);
  return above && { ...above, within: true };
}
