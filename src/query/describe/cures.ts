/** Corrected queries for the warnings about a query. */
import type { Cure } from "../../core/answers/query-text.js";
import type { IssueCodeName, Warning } from "../../core/issue.js";
import { unitsInOtherCase } from "../fields/field-meanings.js";
import { printQuery } from "../parse/print.js";
import type { Part } from "../parse/tree.js";
import type { Span } from "../text/positions.js";
import { findWarnings, hasNoNewWarnings, makeUnitOffers, type ParsedText, type UnitOffers } from "./unit-offers.js";

/** Returns the cures of a warning, best first. @param span part of the text that the warning is about */
export type FindCures = (warning: Warning, span: Span) => readonly Cure[];

/** Makes the cures of the warnings of a query. Each cure is parsed to ensure that it causes no new warning. */
export function makeCures(parsed: ParsedText): FindCures {
  const unitOffers = makeUnitOffers(parsed);
  return (warning, span) =>
    warning.code === "QUERY_UNIT_MISSING" ? unitCures(warning, unitOffers) : checkedCures(warning, span, parsed);
}

function unitCures({ value }: Warning, unitOffers: UnitOffers): readonly Cure[] {
  return unitOffers(String(value)).map(({ unit, q }) => ({ label: `Take ${unit}`, q, unit }));
}

/** Returns the cures that remove the warning and cause no new one. */
function checkedCures(warning: Warning, span: Span, parsed: ParsedText): readonly Cure[] {
  const { text, fields, nowMicros, warnings } = parsed;
  const cures = replacements(warning, span, parsed).map(
    ({ label, insert, at = span }): Cure => ({ label, q: text.slice(0, at.from) + insert + text.slice(at.to) }),
  );
  const helps = ({ q }: Cure): boolean => {
    const newWarnings = findWarnings(q, fields, nowMicros);
    const isLeft = newWarnings?.some(({ code, value }) => code === warning.code && value === warning.value);
    return isLeft === false && hasNoNewWarnings(newWarnings, warnings);
  };
  return cures.filter((cure, i) => cures.findIndex(({ q }) => q === cure.q) === i && helps(cure));
}

interface Replacement {
  readonly label: string;
  readonly insert: string;
  /** Range to replace. Absent: the whole part that the warning is about. */
  readonly at?: Span;
}

function replacements(warning: Warning, span: Span, parsed: ParsedText): readonly Replacement[] {
  const { text } = parsed;
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
      if (written !== "(") return asRead(span, parsed);
      return [{ label: "Close it at the end", insert: ")".repeat(countOpenBrackets(parsed)), at: end }, asText("(")];
    case "QUERY_BRACKET_DROPPED":
      return [{ label: "Take it out", insert: "" }, asText(")")];
    case "QUERY_OPERATOR_DROPPED":
      return [{ label: "Take it out", insert: "" }, ...(/^\w/u.test(written) ? [asText(written)] : [])];
    case "QUERY_FIELD_UNKNOWN": {
      const at = within(text, span, value);
      const names = at === undefined ? [] : nearest.map((name) => ({ label: `Search ${name}`, insert: name, at }));
      return [...names, ...asRead(span, parsed)];
    }
    case "QUERY_FIELD_NEAR": {
      const at = { from: span.from, to: span.from + value.length };
      return nearest.map((insert) => ({ label: `Write ${insert}`, insert, at }));
    }
    case "QUERY_FIELD_EMPTY":
      return [{ label: "Any value", insert: `${value}:*` }];
    case "QUERY_BOOST_IGNORED":
      return written.startsWith("^") ? [{ label: "Take it out", insert: "" }] : asRead(span, parsed);
    case "QUERY_DATE_INVALID": {
      const at = within(text, span, `"${value}"`) ?? within(text, span, value);
      return at === undefined ? [] : nearest.map((insert) => ({ label: `Take ${insert}`, insert, at }));
    }
    case "QUERY_RANGE_AS_TEXT":
    case "QUERY_VALUE_UNKNOWN":
    case "QUERY_UNIT_UNKNOWN": {
      const at = within(text, span, value);
      return at === undefined ? [] : nearest.map((insert) => ({ label: `Take ${insert}`, insert, at }));
    }
    case "QUERY_UNIT_MISMATCH": {
      const at = within(text, span, value);
      return at === undefined ? [] : unitsInOtherCase(value).map((insert) => ({ label: `Take ${insert}`, insert, at }));
    }
    case "QUERY_WITHIN_FLAT": {
      const at = within(text, span, ".within");
      return at === undefined ? [] : [{ label: "Take the term itself", insert: "", at }];
    }
    default:
      return asRead(span, parsed);
  }
}

/** Returns the range of a piece of text within a span. */
function within(text: string, { from, to }: Span, piece: string): Span | undefined {
  const at = piece === "" ? -1 : text.slice(from, to).indexOf(piece);
  return at < 0 ? undefined : { from: from + at, to: from + at + piece.length };
}

/** Returns the interpretation of a span as a replacement, if the span consists of whole parts. */
function asRead(span: Span, { parts }: ParsedText): readonly Replacement[] {
  const spanParts = partsIn(parts, span);
  if (spanParts.length === 0) return [];
  const insert = spanParts.flatMap((part) => ("node" in part ? [printPart(part)] : [])).join(" ");
  return insert === "" ? [] : [{ label: `Write ${insert}`, insert }];
}

function printPart(part: Extract<Part, { readonly node: unknown }>): string {
  const text = printQuery(part.node);
  return part.node.kind === "any" || (part.kind === "group" && part.node.kind === "all") ? `(${text})` : text;
}

/** Returns the parts in a span, at any depth of brackets. */
function partsIn(parts: readonly Part[], { from, to }: Span): readonly Part[] {
  const inside = parts.filter((part) => part.from >= from && part.to <= to);
  if (inside.length > 0) return inside;
  return parts.flatMap((part) => (part.kind === "group" ? partsIn(part.parts, { from, to }) : []));
}

/** Returns the number of brackets that are open at the end. */
function countOpenBrackets({ text, parts }: ParsedText): number {
  let open = 0;
  for (let last = parts.at(-1); last?.kind === "group" && text[last.to - 1] !== ")"; last = last.parts.at(-1)) open++;
  return Math.max(1, open);
}
