import { addAll } from "../../core/collections.js";
import type { Field } from "../fields/field-meanings.js";
import type { Operator } from "./operators.js";
import type { Part, Span } from "./parts.js";
import { allNodes, anyNodes, notNode, type QueryNode } from "./tree.js";

/** What holds inside of a pair of brackets. */
export interface Scope {
  /** Bare words are about this field. */
  readonly name?: string;
  readonly field?: Field;
  /** Names are relative to the elements of this array first. */
  readonly outer?: Field;
}

/** Where a text ends: what holds in the innermost bracket that is open there. */
export interface ParserEnd {
  readonly scope: Scope;
  readonly parts: readonly Part[];
  /** Fields of the element groups around it, the outermost first. */
  readonly groups: readonly string[];
}

/** What an operator found when it came: is it one that means nothing there? */
export type Taken = "taken" | "stray";

/** A bracket that was opened. */
export interface Opening {
  /** Where it begins: at its field, if it has one. */
  readonly from: number;
  /** Where its bracket stands. */
  readonly bracket: number;
  /** The field before it, as it was typed. */
  readonly field?: string;
}

/** One open bracket (or the whole query): gathers operands and operators, AND before OR. */
export class Frame {
  /** What was read in it, in order. */
  readonly parts: Part[] = [];
  readonly #alternatives: QueryNode[][] = [[]];
  #operator: "AND" | "OR" | undefined;
  #isNegated = false;
  #hasOperand = false;

  /**
   * @param opening undefined for the whole query
   * @param group field of the array of objects whose one element this bracket is about
   */
  constructor(
    readonly scope: Scope,
    readonly opening?: Opening,
    readonly group?: string,
  ) {}

  /** Undefined for an operand that says nothing: as if it were not there. */
  add(node: QueryNode | undefined, span: Span): void {
    this.parts.push(node === undefined ? { kind: "dropped", ...span } : { kind: "clause", node, ...span });
    this.#take(node);
  }

  /** A bracket in this one, which ends here. */
  addGroup(frame: Frame, to: number): void {
    const node = frame.close();
    const { parts, group, opening } = frame;
    const { from, field } = opening!;
    if (node === undefined) this.drop({ from, to });
    else if (field === undefined) this.parts.push({ kind: "group", node, parts, from, to });
    else this.parts.push({ kind: "group", node, parts, from, to, field, isElement: group !== undefined });
    this.#take(node);
  }

  /** What is ignored. */
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

  /** @param operator undefined for what says nothing anywhere */
  takeOperator(operator: Operator | undefined, span: Span): Taken {
    const joins = operator === "AND" || operator === "OR";
    const isStray = joins && (!this.#hasOperand || this.#operator !== undefined || this.#isNegated);
    if (operator === undefined || isStray) {
      this.drop(span);
      return "stray";
    }
    if (joins) this.#operator = operator;
    if (operator === "NOT") this.#isNegated = !this.#isNegated;
    this.parts.push({ kind: "operator", operator, ...span });
    return "taken";
  }

  /** The operator that nothing came after, if one is left at the end: it is dropped, with those before it. */
  dropDangling(): { readonly operator: string; readonly span: Span } | undefined {
    const operator = this.#isNegated ? "NOT" : this.#operator;
    if (operator === undefined) return undefined;
    const operand = this.parts.findLastIndex(({ kind }) => kind !== "operator" && kind !== "dropped");
    const first = this.parts.findIndex(({ kind }, i) => i > operand && kind === "operator");
    const dropped = this.parts.splice(first).map(({ from, to }): Part => ({ kind: "dropped", from, to }));
    addAll(this.parts, dropped);
    return { operator, span: { from: dropped[0]!.from, to: dropped.at(-1)!.to } };
  }

  /** Undefined where nothing was said. */
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

/** Several ranges in the brackets of one field are about one value. */
function mergeRanges(nodes: readonly QueryNode[], field: string): readonly QueryNode[] {
  const isRange = (node: QueryNode): boolean => node.kind === "range" && node.field === field;
  const bounds = nodes.flatMap((node) => (node.kind === "range" && node.field === field ? node.bounds : []));
  const first = nodes.findIndex(isRange);
  if (first < 0) return nodes;
  const others = nodes.filter((node) => !isRange(node));
  return others.toSpliced(first, 0, { kind: "range", field, bounds });
}
