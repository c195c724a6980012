/** Context of the cursor in a query: the kinds of completions that are possible there. */

import { NUMBER } from "../../core/units/amounts.js";
import type { FieldLookup } from "../fields/field-lookup.js";
import { isQuantity, type SearchField } from "../fields/field-meanings.js";
import { findFieldWithin, type ParserEnd } from "../parse/frame.js";
import { Parser } from "../parse/parser.js";
import type { Part } from "../parse/tree.js";
import type { Span } from "../text/positions.js";
import { plainSigns } from "../text/scan.js";

/** Value of a field at the cursor. */
export interface TypedValue extends Span {
  /** Name of the field, as typed. */
  readonly name: string;
  readonly field: SearchField;
  /** Whether descendants of the term are included. */
  readonly within: boolean;
  /** Text of the value up to the cursor, without its quote. */
  readonly text: string;
}

/** Unit after a number at the cursor. */
export interface TypedUnit extends Span {
  readonly field: SearchField;
  readonly text: string;
}

/** Name of a field at the cursor, or a part of one. */
export interface TypedName extends Span {
  /** Field before the last dot, below which names are looked up. */
  readonly base: { readonly name: string; readonly field: SearchField } | undefined;
  readonly text: string;
}

/** Plain text at the cursor, in no field. */
export interface TypedWords extends Span {
  readonly text: string;
}

/** Context of the cursor. Completions replace the spans, which are in UTF-16 units. */
export interface TypingContext {
  readonly name?: TypedName | undefined;
  readonly value?: TypedValue | undefined;
  readonly unit?: TypedUnit | undefined;
  readonly operator?: (Span & { readonly text: string; readonly isAfterOperand: boolean }) | undefined;
  /** Plain words that end at the cursor, outside of groups: the last one with up to three before it, longest first. */
  readonly words: readonly TypedWords[];
  /** Fields of the element groups around the cursor, outermost first. */
  readonly groups: readonly string[];
  /** Array of objects below which names are looked up first. */
  readonly outer: SearchField | undefined;
}

/** Words of the syntax, without blanks, quotes and brackets. */
const WORD_BEFORE = /[^\s()"]*$/u;
const WORD_AFTER = /[^\s()"]*/uy;
const NAMED = /^([^\s()":\\*?^~[\]{}<>=]+):(.*)$/u;
const NAME = /^[^\s()":\\*?^~[\]{}<>=≤≥]*$/u;
/** Last number of a text, the blanks after it, and the beginning of its unit. */
const AMOUNT = new RegExp(
  String.raw`^[\s\S]*[:<>=\u2264\u2265[{(\s]${NUMBER.source}(\s*)((?!\d)[^"()[\]{}<>=:\u2264\u2265]*)$`,
  "iu",
);

/** Returns the context of the cursor. @param at position of the cursor in UTF-16 units */
export function typingContextAt(written: string, at: number, fields: FieldLookup): TypingContext {
  const text = plainSigns(written);
  const head = text.slice(0, at);
  const parser = new Parser(head, fields);
  parser.parse();
  const { end } = parser;
  const around = { groups: end.groups, outer: end.scope.outer };
  const isQuoted = parser.notes.warnings.some(({ code }) => code === "QUERY_QUOTE_CLOSED");
  if (isQuoted) return { ...around, value: quotedValue(text, at, end, fields), words: [] };
  const word = wordAt(text, at);
  const isBare = NAME.test(word.text);
  const isPlain = isBare && end.groups.length === 0 && end.scope.name === undefined;
  return {
    ...around,
    words: isPlain && NAME.test(text.slice(word.from, word.to)) ? plainWords(head, word) : [],
    value: valueAt(word, end, fields),
    unit: unitAt(head, word.to, end, fields),
    name: isBare ? nameAt(text, word, end, fields) : undefined,
    operator: isBare ? operatorAt(head, word, end) : undefined,
  };
}

interface Word extends Span {
  /** Text up to the cursor. */
  readonly text: string;
}

/** Returns the word around the cursor, without the sign before it. */
function wordAt(text: string, at: number): Word {
  const [head = ""] = WORD_BEFORE.exec(text.slice(0, at)) ?? [];
  const sign = /^[-+!]?/u.exec(head)![0].length;
  const rest = new RegExp(WORD_AFTER);
  rest.lastIndex = at;
  const after = rest.exec(text)?.[0].length ?? 0;
  return { text: head.slice(sign), from: at - head.length + sign, to: at + after };
}

/** Words before another one, with the blanks after them. They have no sign, and no name of a field. */
const WORDS_BEFORE = /(?<=^|[\s(])(?:[\p{L}\p{N}][\p{L}\p{N}'\u2019.,-]*\s+){1,3}$/u;
const OPERATOR = /^(?:AND|OR|NOT)$/u;

function plainWords(head: string, { from, to, text }: Word): readonly TypedWords[] {
  if (text === "") return [];
  const [run = ""] = WORDS_BEFORE.exec(head.slice(0, from)) ?? [];
  const before = [...run.matchAll(/\S+/gu)];
  const operator = before.findLastIndex(([word]) => OPERATOR.test(word));
  const starts = before.slice(operator + 1).map(({ index }) => from - run.length + index);
  return [...starts, from].map((start) => ({ text: head.slice(start), from: start, to }));
}

/** Returns the value for a phrase that is open at the cursor, if it belongs to a field. */
function quotedValue(text: string, at: number, end: ParserEnd, fields: FieldLookup): TypedValue | undefined {
  const last = end.parts.at(-1);
  const raw = text.slice(last?.from ?? at, at);
  const quote = raw.indexOf('"');
  const name = quote < 0 ? end.scope.name : (NAMED.exec(raw.slice(0, quote))?.[1] ?? end.scope.name);
  const namedField =
    name === undefined || last === undefined || quote < 0 ? undefined : findFieldWithin(name, end.scope, fields);
  if (namedField === undefined) return undefined;
  const closing = /^[^"]*"/u.exec(text.slice(at))?.[0].length ?? 0;
  return { ...namedField, text: raw.slice(quote + 1), from: last!.from + quote, to: at + closing };
}

function valueAt(word: Word, end: ParserEnd, fields: FieldLookup): TypedValue | undefined {
  const [, name, text = ""] = NAMED.exec(word.text) ?? [];
  const namedField = name === undefined ? undefined : findFieldWithin(name, end.scope, fields);
  if (namedField !== undefined) return { ...namedField, text, from: word.from + name!.length + 1, to: word.to };
  const { scope } = end;
  if (scope.name === undefined || scope.field === undefined) return undefined;
  return { name: scope.name, field: scope.field, within: false, ...word };
}

function nameAt(text: string, word: Word, { scope }: ParserEnd, fields: FieldLookup): TypedName {
  const dot = word.text.lastIndexOf(".");
  const name = word.text.slice(0, Math.max(dot, 0));
  const field = dot > 0 ? fields.find(name, scope.outer) : undefined;
  // An existing colon is replaced together with the name; the text after it stays.
  const colon = /^[^\s()":]*:/u.exec(text.slice(word.from))?.[0].length;
  const to = colon === undefined ? word.to : word.from + colon;
  return { ...word, to, base: field && { name, field } };
}

function operatorAt(head: string, word: Word, { parts }: ParserEnd) {
  const isTyped = (part: Part): boolean => part.to > word.from && head.slice(part.from, part.to) === word.text;
  const last = parts.filter((part) => !isTyped(part)).at(-1);
  return { ...word, isAfterOperand: last?.kind === "clause" || last?.kind === "group" };
}

/** Returns the unit at the cursor after a number of a quantity. The typed text may be the beginning of a unit. */
function unitAt(head: string, to: number, { parts, scope }: ParserEnd, fields: FieldLookup): TypedUnit | undefined {
  const part = parts.findLast((each) => each.kind !== "clause" || clauseField(each) !== undefined);
  const name = part?.kind === "clause" ? clauseField(part) : undefined;
  const field = name === undefined ? undefined : fields.find(name, scope.outer);
  if (part === undefined || !field?.meanings.some(isQuantity)) return undefined;
  const [, blanks = "", text] = AMOUNT.exec(head.slice(part.from)) ?? [];
  // Text after the part does not belong to it.
  if (text === undefined || head.length - text.length - blanks.length > part.to) return undefined;
  return { field, text, from: head.length - text.length, to };
}

function clauseField({ node }: Extract<Part, { kind: "clause" }>): string | undefined {
  const [leaf] = node.kind === "any" ? node.of : [node];
  return leaf !== undefined && "field" in leaf ? leaf.field : undefined;
}
