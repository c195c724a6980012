/** What somebody is typing at a place of a query: which kinds of completions may stand there, and of what. */

import type { Field, FieldLookup } from "../fields/field-meanings.js";
import { isQuantity } from "../fields/field-type.js";
import { findWithin } from "../parse/find-named.js";
import type { ParserEnd } from "../parse/frame.js";
import { plainSigns } from "../parse/look-alikes.js";
import { Parser } from "../parse/parser.js";
import type { Part, Span } from "../parse/parts.js";
import { NUMBER } from "../text/amounts.js";

/** A field whose value is typed. */
export interface TypedValue extends Span {
  /** As it was typed. */
  readonly name: string;
  readonly field: Field;
  /** Is it the term or what is below it? */
  readonly within: boolean;
  /** The value up to the place, without its quote. */
  readonly text: string;
}

/** A unit after a number. */
export interface TypedUnit extends Span {
  readonly field: Field;
  readonly text: string;
}

/** The name of a field, or a part of one. */
export interface TypedName extends Span {
  /** What stands before the last dot: names below this field are meant. */
  readonly base?: { readonly name: string; readonly field: Field };
  readonly text: string;
}

/** Spans are what a completion replaces, in UTF-16 units. */
export interface Typed {
  readonly name?: TypedName;
  readonly value?: TypedValue;
  readonly unit?: TypedUnit;
  readonly operator?: Span & { readonly text: string; readonly isAfterOperand: boolean };
  /** Fields of the element groups around the place, the outermost first, and what names are relative to. */
  readonly groups: readonly string[];
  readonly outer?: Field;
}

/** What may be a word of the syntax: no blank, no quote, no bracket. */
const WORD_BEFORE = /[^\s()"]*$/u;
const WORD_AFTER = /[^\s()"]*/uy;
const NAMED = /^([^\s()":\\*?^~[\]{}<>=]+):(.*)$/u;
const NAME = /^[^\s()":\\*?^~[\]{}<>=≤≥]*$/u;
/** The last number of a text, the blanks after it, and what may be the beginning of its unit. */
const AMOUNT = new RegExp(
  String.raw`^[\s\S]*[:<>=\u2264\u2265[{(\s]${NUMBER.source}(\s*)((?!\d)[^"()[\]{}<>=:\u2264\u2265]*)$`,
  "iu",
);

/** @param at in UTF-16 units */
export function typedAt(written: string, at: number, fields: FieldLookup): Typed {
  const text = plainSigns(written);
  const before = text.slice(0, at);
  const parser = new Parser(before, fields);
  parser.parse();
  const { end } = parser;
  const { outer } = end.scope;
  const around = { groups: end.groups, ...(outer === undefined ? {} : { outer }) };
  const isQuoted = parser.notes.warnings.some(({ code }) => code === "QUERY_QUOTE_CLOSED");
  if (isQuoted) return { ...around, ...quotedValue(text, at, end, fields) };
  const word = wordAt(text, at);
  const unit = unitAt(before, word.to, end, fields);
  const value = valueAt(word, end, fields);
  const isBare = NAME.test(word.text);
  return {
    ...around,
    ...(value === undefined ? {} : { value }),
    ...(unit === undefined ? {} : { unit }),
    ...(isBare ? { name: nameAt(text, word, end, fields), operator: operatorAt(before, word, end) } : {}),
  };
}

interface Word extends Span {
  /** Up to the place. */
  readonly text: string;
}

/** The word around a place, without the sign before it. */
function wordAt(text: string, at: number): Word {
  const [before = ""] = WORD_BEFORE.exec(text.slice(0, at)) ?? [];
  const sign = /^[-+!]?/u.exec(before)![0].length;
  const rest = new RegExp(WORD_AFTER);
  rest.lastIndex = at;
  const after = rest.exec(text)?.[0].length ?? 0;
  return { text: before.slice(sign), from: at - before.length + sign, to: at + after };
}

/** A phrase that is not closed before the place: of a field it is a value. */
function quotedValue(text: string, at: number, end: ParserEnd, fields: FieldLookup): Pick<Typed, "value"> {
  const last = end.parts.at(-1);
  const raw = text.slice(last?.from ?? at, at);
  const quote = raw.indexOf('"');
  const name = quote < 0 ? end.scope.name : (NAMED.exec(raw.slice(0, quote))?.[1] ?? end.scope.name);
  const named = name === undefined || last === undefined || quote < 0 ? undefined : findWithin(name, end.scope, fields);
  if (named === undefined) return {};
  const closing = /^[^"]*"/u.exec(text.slice(at))?.[0].length ?? 0;
  return { value: { ...named, text: raw.slice(quote + 1), from: last!.from + quote, to: at + closing } };
}

function valueAt(word: Word, end: ParserEnd, fields: FieldLookup): TypedValue | undefined {
  const [, name, text = ""] = NAMED.exec(word.text) ?? [];
  const named = name === undefined ? undefined : findWithin(name, end.scope, fields);
  if (named !== undefined) return { ...named, text, from: word.from + name!.length + 1, to: word.to };
  const { scope } = end;
  if (scope.name === undefined || scope.field === undefined) return undefined;
  return { name: scope.name, field: scope.field, within: false, ...word };
}

function nameAt(text: string, word: Word, { scope }: ParserEnd, fields: FieldLookup): TypedName {
  const dot = word.text.lastIndexOf(".");
  const name = word.text.slice(0, Math.max(dot, 0));
  const field = dot > 0 ? fields.find(name, scope.outer) : undefined;
  // A colon that is there already is replaced with the name: what follows it stays.
  const colon = /^[^\s()":]*:/u.exec(text.slice(word.from))?.[0].length;
  const to = colon === undefined ? word.to : word.from + colon;
  return { ...word, to, ...(field === undefined ? {} : { base: { name, field } }) };
}

function operatorAt(before: string, word: Word, { parts }: ParserEnd) {
  const isTyped = (part: Part): boolean => part.to > word.from && before.slice(part.from, part.to) === word.text;
  const last = parts.filter((part) => !isTyped(part)).at(-1);
  return { ...word, isAfterOperand: last?.kind === "clause" || last?.kind === "group" };
}

/** A number without its unit, in a field that has some, before the place; words that begin a unit may follow it. */
function unitAt(before: string, to: number, { parts, scope }: ParserEnd, fields: FieldLookup): TypedUnit | undefined {
  const part = parts.findLast((each) => each.kind !== "clause" || fieldOf(each) !== undefined);
  const name = part?.kind === "clause" ? fieldOf(part) : undefined;
  const field = name === undefined ? undefined : fields.find(name, scope.outer);
  if (part === undefined || !field?.meanings.some(isQuantity)) return undefined;
  const [, blanks = "", text] = AMOUNT.exec(before.slice(part.from)) ?? [];
  // What stands behind the part is about something else.
  if (text === undefined || before.length - text.length - blanks.length > part.to) return undefined;
  return { field, text, from: before.length - text.length, to };
}

function fieldOf({ node }: Extract<Part, { kind: "clause" }>): string | undefined {
  const [leaf] = node.kind === "any" ? node.of : [node];
  return leaf !== undefined && "field" in leaf ? leaf.field : undefined;
}
