/** Whole queries to send in place of one that was read otherwise than it was written. */
import type { Warning } from "../../core/issue.js";
import type { IssueCodeName } from "../../core/issue-codes.js";
import type { FieldLookup } from "../fields/field-meanings.js";
import type { Part, Span } from "../parse/parts.js";
import { printQuery } from "../parse/print.js";
import { makeUnitOffers, type UnitOffers } from "./add-units.js";
import { saysNothingNew, warningsOf } from "./read-again.js";

export interface Cure {
  /** What it does: `Close the bracket`. */
  readonly label: string;
  /** The whole query with it. */
  readonly q: string;
  /** Unit that the cure adds to numbers without a unit. */
  readonly unit?: string;
}

/** A query that was read, with all that was said of it. */
export interface Noted {
  readonly text: string;
  readonly parts: readonly Part[];
  readonly warnings: readonly Warning[];
  readonly fields: FieldLookup;
  readonly nowMicros: number;
}

/** Returns the cures of a warning, best first. @param span part of the text that the warning is about */
export type FindCures = (warning: Warning, span: Span) => readonly Cure[];

/** Makes the cures of the warnings of a query. Each cure was read and causes no new warning. */
export function makeCures(noted: Noted): FindCures {
  const unitOffers = makeUnitOffers(noted);
  return (warning, span) =>
    warning.code === "QUERY_UNIT_MISSING" ? unitCures(warning, unitOffers) : readCures(warning, span, noted);
}

function unitCures({ value }: Warning, unitOffers: UnitOffers): readonly Cure[] {
  return unitOffers(String(value)).map(({ unit, q }) => ({ label: `Take ${unit}`, q, unit }));
}

function readCures(warning: Warning, span: Span, noted: Noted): readonly Cure[] {
  const { text, fields, nowMicros, warnings } = noted;
  const offered = replacements(warning, span, noted).map(
    ({ label, insert, at = span }): Cure => ({ label, q: text.slice(0, at.from) + insert + text.slice(at.to) }),
  );
  const helps = ({ q }: Cure): boolean => {
    const after = warningsOf(q, fields, nowMicros);
    const isLeft = after?.some(({ code, value }) => code === warning.code && value === warning.value);
    return isLeft === false && saysNothingNew(after, warnings);
  };
  return offered.filter((cure, i) => offered.findIndex(({ q }) => q === cure.q) === i && helps(cure));
}

interface Replacement {
  readonly label: string;
  readonly insert: string;
  /** Absent: all that the warning is about. */
  readonly at?: Span;
}

function replacements(warning: Warning, span: Span, noted: Noted): readonly Replacement[] {
  const { text } = noted;
  const written = text.slice(span.from, span.to);
  const value = typeof warning.value === "string" ? warning.value : "";
  const nearest = (warning.nearest ?? []).filter((near) => typeof near === "string");
  const asText = (sign: string): Replacement => {
    const at = span.from + written.indexOf(sign);
    return { label: `Take ${sign} as text`, insert: "\\", at: { from: at, to: at } };
  };
  const end = { from: text.trimEnd().length, to: text.length };
  switch (warning.code as IssueCodeName) {
    case "QUERY_QUOTE_CLOSED":
      return [{ label: "Close it at the end", insert: '"', at: end }, asText('"')];
    case "QUERY_BRACKET_CLOSED":
      if (written !== "(") return asRead(span, noted);
      return [{ label: "Close it at the end", insert: ")".repeat(openBrackets(noted)), at: end }, asText("(")];
    case "QUERY_BRACKET_DROPPED":
      return [{ label: "Take it out", insert: "" }, asText(")")];
    case "QUERY_OPERATOR_DROPPED":
      return [{ label: "Take it out", insert: "" }, ...(/^\w/u.test(written) ? [asText(written)] : [])];
    case "QUERY_FIELD_UNKNOWN": {
      const at = within(text, span, value);
      const names = at === undefined ? [] : nearest.map((name) => ({ label: `Search ${name}`, insert: name, at }));
      return [...names, ...asRead(span, noted)];
    }
    case "QUERY_FIELD_NEAR": {
      const at = { from: span.from, to: span.from + value.length };
      return nearest.map((insert) => ({ label: `Write ${insert}`, insert, at }));
    }
    case "QUERY_FIELD_EMPTY":
      return [{ label: "Any value", insert: `${value}:*` }];
    case "QUERY_BOOST_IGNORED":
      return written.startsWith("^") ? [{ label: "Take it out", insert: "" }] : asRead(span, noted);
    case "QUERY_UNIT_UNKNOWN": {
      const at = within(text, span, value);
      return at === undefined ? [] : nearest.map((insert) => ({ label: `Take ${insert}`, insert, at }));
    }
    case "QUERY_WITHIN_FLAT": {
      const at = within(text, span, ".within");
      return at === undefined ? [] : [{ label: "Take the term itself", insert: "", at }];
    }
    default:
      return asRead(span, noted);
  }
}

/** Where a piece of the text stands in a part of it. */
function within(text: string, { from, to }: Span, piece: string): Span | undefined {
  const at = piece === "" ? -1 : text.slice(from, to).indexOf(piece);
  return at < 0 ? undefined : { from: from + at, to: from + at + piece.length };
}

/** The text as it was read, where that is all of some parts. */
function asRead(span: Span, { parts }: Noted): readonly Replacement[] {
  const read = partsIn(parts, span);
  if (read.length === 0) return [];
  const insert = read.flatMap((part) => ("node" in part ? [printPart(part)] : [])).join(" ");
  return insert === "" ? [] : [{ label: `Write ${insert}`, insert }];
}

function printPart(part: Extract<Part, { readonly node: unknown }>): string {
  const text = printQuery(part.node);
  return part.node.kind === "any" || (part.kind === "group" && part.node.kind === "all") ? `(${text})` : text;
}

/** The parts that fill a piece of the text, in whichever brackets they stand. */
function partsIn(parts: readonly Part[], { from, to }: Span): readonly Part[] {
  const inside = parts.filter((part) => part.from >= from && part.to <= to);
  if (inside.length > 0) return inside;
  return parts.flatMap((part) => (part.kind === "group" ? partsIn(part.parts, { from, to }) : []));
}

/** How many brackets are open at the end. */
function openBrackets({ text, parts }: Noted): number {
  let open = 0;
  for (let last = parts.at(-1); last?.kind === "group" && text[last.to - 1] !== ")"; last = last.parts.at(-1)) open++;
  return Math.max(1, open);
}
