import { LOOK_ALIKES } from "../text/scan.js";
import { escapeSpan } from "./spans.js";
import type { LeafNode, QueryNode, RangeBound } from "./tree.js";

/** Prints a tree as text that, with the same fields, parses to the same tree. Returns `""` for everything. */
export function printQuery(tree: QueryNode): string {
  return tree.kind === "everything" ? "" : print(tree);
}

function print(node: QueryNode): string {
  switch (node.kind) {
    case "all":
      return node.of.map((of) => printOperand(of, "any")).join(" AND ");
    case "any":
      return node.of.map((of) => printOperand(of, "all")).join(" OR ");
    case "not":
      return `NOT ${printOperand(node.of, "all", "any")}`;
    case "group":
      return `${node.field}:(${print(node.of)})`;
    default:
      return printLeaf(node);
  }
}

function printOperand(node: QueryNode, ...bracketedKinds: readonly QueryNode["kind"][]): string {
  return bracketedKinds.includes(node.kind) ? `(${print(node)})` : print(node);
}

function printLeaf(leaf: LeafNode): string {
  switch (leaf.kind) {
    case "everything":
      return "*";
    case "exists":
      return `${leaf.field}:*`;
    case "range":
      return `${leaf.field}:${printRange(leaf.bounds)}`;
    case "cites":
      return leaf.within ? `${leaf.field}.within:${escapeId(leaf.id)}` : prefixed(leaf.field, escapeId(leaf.id));
    case "text":
      return prefixed(leaf.field, leaf.quoted ? quote(leaf.text) : escapeText(leaf.text, leaf.field));
    case "prefix":
      return prefixed(leaf.field, `${escapeText(leaf.text, leaf.field)}*`);
    case "wildcard":
      return prefixed(leaf.field, leaf.pattern);
    case "fuzzy":
      return prefixed(leaf.field, `${escapeText(leaf.text, leaf.field)}~${leaf.edits ?? ""}`);
  }
}

const prefixed = (field: string | undefined, text: string): string => (field === undefined ? text : `${field}:${text}`);

/** Prints a text as a phrase. */
export const quote = (text: string): string => `"${text.replace(/["\\]/gu, "\\$&")}"`;

const SIGNS = new RegExp(String.raw`[\\"():*?~^\s${LOOK_ALIKES}]`, "gu");
const SIGNS_OF_ID = new RegExp(String.raw`[\\"()*?~^\s${LOOK_ALIKES}]`, "gu");
const BARE_END = new RegExp(`^(?:(?![${LOOK_ALIKES}])[\\p{L}\\p{N}.:+°%-])+$`, "u");

/** Text before the sign of a comparison, which may be read as a name or a value. */
const BEFORE_COMPARISON = /^[^\s()":\\*?^~[\]{}<>=≤≥]+(?=[<>=≤≥])/u;

/** Escapes the signs of the syntax, and those that are syntax at their position. */
function escapeText(text: string, field?: string): string {
  const signs = text.replace(SIGNS, "\\$&");
  // Without a field, the text may look like a comparison (`kd<1nM`); in a field, like a span (`7-8`).
  const escaped = field === undefined ? signs.replace(BEFORE_COMPARISON, "$&\\") : escapeSpan(signs);
  if (field === undefined) return /^(?:[-+!&|<>≤≥=]|(?:AND|OR|NOT)$)/u.test(text) ? `\\${escaped}` : escaped;
  if (/^\d{4}-\d\d-\d\dT[\d:.Z+-]+$/u.test(text)) return text;
  return /^[=<>≤≥[{]/u.test(text) ? `\\${escaped}` : escaped;
}

/** Escapes an id, except for its colons. */
export const escapeId = (id: string): string => id.replace(SIGNS_OF_ID, "\\$&");

function printRange(bounds: readonly RangeBound[]): string {
  const [first, second, ...rest] = bounds;
  if (first !== undefined && second === undefined) return first.op + printEnd(first.text);
  if (rest.length === 0 && first?.op.startsWith(">") && second?.op.startsWith("<")) {
    const open = first.op === ">=" ? "[" : "{";
    const close = second.op === "<=" ? "]" : "}";
    return `${open}${printEnd(first.text)} TO ${printEnd(second.text)}${close}`;
  }
  return `(${bounds.map(({ op, text }) => op + printEnd(text)).join(" AND ")})`;
}

const printEnd = (text: string): string => (BARE_END.test(text) && text !== "TO" ? text : quote(text));
