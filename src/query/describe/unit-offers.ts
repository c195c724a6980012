/** Adds units to the bare numbers of a query. */

import { BinderyError } from "../../core/errors.js";
import type { Warning } from "../../core/issue.js";
import { joinAmount } from "../../core/units/amounts.js";
import type { FieldLookup } from "../fields/field-lookup.js";
import type { SearchField } from "../fields/field-meanings.js";
import { parseQuery } from "../parse/parse.js";
import { printQuery } from "../parse/print.js";
import type { Part, QueryNode } from "../parse/tree.js";
import { resolveQuery } from "../resolve/resolve.js";
import type { Span } from "../text/positions.js";

/** Text of a query with its parts and warnings. */
export interface ParsedText {
  readonly text: string;
  readonly parts: readonly Part[];
  readonly warnings: readonly Warning[];
  readonly fields: FieldLookup;
  readonly nowMicros: number;
}

/** A query with a unit after each number of a field that lacks one. */
interface QueryWithUnit {
  readonly unit: string;
  readonly q: string;
}

/** Element groups around a node, outermost first, and the field of the innermost one. */
interface Scope {
  readonly groups: readonly string[];
  readonly outer: SearchField | undefined;
}

/** A piece of the text that one node replaces. */
interface Piece extends Span {
  readonly node: QueryNode;
  readonly scope: Scope;
}

/** A node that compares a field with numbers without a unit. */
interface BareNode {
  readonly node: QueryNode;
  /** Name of the field, as typed. */
  readonly name: string;
  readonly field: SearchField;
}

/** The bare numbers of one field. A query asks for their unit. */
interface Question {
  readonly field: SearchField;
  readonly names: Set<string>;
  readonly nodes: Set<QueryNode>;
  readonly pieces: Set<Piece>;
}

/** Maximum number of units offered for one dimension. Most dimensions have fewer. */
const UNITS_MAX = 12;

/**
 * Maximum number of fields for which units are offered at once. Each offer prints the pieces of its field and reads the
 * query again. When these fields have units, the query asks for those of the next fields.
 */
const QUESTIONS_MAX = 4;

/** Returns the queries with a unit after the bare numbers of a field. @param name name of the field, as typed */
export type UnitOffers = (name: string) => readonly QueryWithUnit[];

/**
 * Returns a function that makes one query for each unit of the usual dimensions of a field, with the unit after the
 * field's bare numbers. The rest of the text is unchanged, including a number that takes its unit from another bound
 * (`[1 TO 5nM]`). Each query is parsed to ensure that it causes no new warning. Only the first fields have offers.
 */
export function makeUnitOffers(parsed: ParsedText): UnitOffers {
  let questions: readonly Question[] | undefined;
  const cache = new Map<Question, readonly QueryWithUnit[]>();
  return (name) => {
    questions ??= findQuestions(parsed);
    // A name can be that of another field in a group. The query asks for the unit of that field afterwards.
    const question = questions.slice(0, QUESTIONS_MAX).find(({ names }) => names.has(name));
    if (question === undefined) return [];
    const offers = cache.get(question) ?? offersFor(question, questions, parsed);
    cache.set(question, offers);
    return offers;
  };
}

/** Returns the questions in the order of the text. Spellings of one field are one question. */
function findQuestions(parsed: ParsedText): readonly Question[] {
  const questions = new Map<string, Question>();
  for (const piece of splitPieces(parsed.parts, parsed.fields)) {
    for (const { node, name, field } of bareNodes(piece.node, piece.scope, parsed)) {
      const key = field.meanings.map(({ path }) => path).join(" ");
      const question = questions.get(key) ?? { field, names: new Set(), nodes: new Set(), pieces: new Set() };
      questions.set(key, question);
      question.names.add(name);
      question.nodes.add(node);
      question.pieces.add(piece);
    }
  }
  return [...questions.values()];
}

function offersFor(question: Question, questions: readonly Question[], parsed: ParsedText): readonly QueryWithUnit[] {
  const { text, fields, nowMicros, warnings } = parsed;
  const pieces = [...question.pieces];
  const otherQuestions = questions.filter((other) => other !== question);
  const isOpen = (name: unknown): boolean => otherQuestions.some(({ names }) => names.has(String(name)));
  const isAnswered = ({ code, value }: Warning): boolean =>
    code !== "QUERY_UNIT_MISSING" || isOpen(value) || !question.names.has(String(value));
  return usualUnits(question.field, fields).flatMap((unit) => {
    const q = replacePieces(text, pieces, (node) => withUnit(node, question.nodes, unit));
    const newWarnings = findWarnings(q, fields, nowMicros);
    return newWarnings?.every(isAnswered) && hasNoNewWarnings(newWarnings, warnings) ? [{ unit, q }] : [];
  });
}

function usualUnits({ meanings }: SearchField, { units }: FieldLookup): readonly string[] {
  const usual = new Set(meanings.flatMap(({ dimensions = [] }) => dimensions.slice(0, 1)));
  return [...usual].flatMap((each) => {
    const ofDimension = [...units.units.values()].filter(({ dimension }) => dimension === each);
    return ofDimension.slice(0, UNITS_MAX).map(({ name }) => name);
  });
}

/**
 * Returns the pieces of a text in order. The brackets of a field (`kd:(>1 AND <5)`) are one piece, because their bounds
 * apply to one value. Iterates, so that deep nesting cannot overflow the stack.
 */
function splitPieces(parts: readonly Part[], fields: FieldLookup): readonly Piece[] {
  const pieces: Piece[] = [];
  const lists: { readonly parts: readonly Part[]; readonly scope: Scope }[] = [
    { parts, scope: { groups: [], outer: undefined } },
  ];
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
  return { groups: [...groups, name], outer: fields.find(name, outer) };
}

/** Returns the nodes that compare a field with numbers without a unit. */
function bareNodes(node: QueryNode, scope: Scope, read: ParsedText): readonly BareNode[] {
  const { fields, nowMicros } = read;
  switch (node.kind) {
    case "all":
    case "any":
      return node.of.flatMap((of) => bareNodes(of, scope, read));
    case "not":
      return bareNodes(node.of, scope, read);
    case "group":
      return bareNodes(node.of, within(node.field, scope, fields), read);
    case "range":
    case "text": {
      const field = node.field === undefined ? undefined : fields.find(node.field, scope.outer);
      if (node.field === undefined || field === undefined) return [];
      const alone = scope.groups.reduceRight<QueryNode>((of, group) => ({ kind: "group", field: group, of }), node);
      const { warnings } = resolveQuery(alone, fields, nowMicros);
      const isBare = warnings.some(({ code }) => code === "QUERY_UNIT_MISSING");
      return isBare ? [{ node, name: node.field, field }] : [];
    }
    default:
      return [];
  }
}

function withUnit(node: QueryNode, bare: ReadonlySet<QueryNode>, unit: string): QueryNode {
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

/** Returns the warnings about a query, or undefined if it is too large. */
export function findWarnings(text: string, fields: FieldLookup, nowMicros: number): readonly Warning[] | undefined {
  try {
    const { tree, warnings } = parseQuery(text, fields);
    return [...warnings, ...resolveQuery(tree, fields, nowMicros).warnings];
  } catch (error) {
    if (error instanceof BinderyError && error.code === "QUERY_TOO_LARGE") return undefined;
    throw error;
  }
}

/** Returns whether a changed query has no more warnings of each code than the original. False if it is too large. */
export function hasNoNewWarnings(
  newWarnings: readonly Warning[] | undefined,
  originalWarnings: readonly Warning[],
): boolean {
  const count = (warnings: readonly Warning[], code: string): number =>
    warnings.filter((warning) => warning.code === code).length;
  return newWarnings?.every(({ code }) => count(newWarnings, code) <= count(originalWarnings, code)) ?? false;
}
