import type { Field } from "../fields/fields.js";
import { allNodes, anyNodes, notNode, type QueryNode } from "./tree.js";

/** What holds inside of a pair of brackets. */
export interface Scope {
  /** Bare words are about this field. */
  readonly name?: string;
  readonly field?: Field;
  /** Names are relative to the elements of this array first. */
  readonly outer?: Field;
}

/** What an operator found when it came: is it one that means nothing there? */
export type Taken = "taken" | "stray";

/** One open bracket (or the whole query): gathers operands and operators, AND before OR. */
export class Frame {
  readonly #alternatives: QueryNode[][] = [[]];
  #operator: "AND" | "OR" | undefined;
  #isNegated = false;
  #hasOperand = false;

  /** @param group field of the array of objects whose one element this bracket is about */
  constructor(
    readonly scope: Scope,
    readonly group?: string,
  ) {}

  /** Undefined for an operand that says nothing: as if it were not there. */
  add(node: QueryNode | undefined): void {
    const isNegated = this.#isNegated;
    this.#isNegated = false;
    if (node === undefined) return;
    if (this.#operator === "OR") this.#alternatives.push([]);
    this.#operator = undefined;
    this.#hasOperand = true;
    this.#alternatives.at(-1)!.push(isNegated ? notNode(node) : node);
  }

  takeOperator(operator: "AND" | "OR"): Taken {
    if (!this.#hasOperand || this.#operator !== undefined || this.#isNegated) return "stray";
    this.#operator = operator;
    return "taken";
  }

  negate(): void {
    this.#isNegated = !this.#isNegated;
  }

  /** The operator that nothing came after, if one is left at the end. */
  get dangling(): string | undefined {
    return this.#isNegated ? "NOT" : this.#operator;
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
