/** What a text in a field, or in none, means: words, a known id, a pasted identifier, a number in groups of digits. */
import { citedNumber } from "../../core/identifiers/project-numbers.js";
import type { Field, FieldLookup } from "../fields/field-meanings.js";
import { isNumeric } from "../fields/field-type.js";
import { heldText, isUnique, type PastedIdentifier, pastedIdentifier } from "../fields/pasted-identifiers.js";
import { analyse } from "../text/analyse.js";
import type { Scanner } from "../text/scan.js";
import { allNodes, anyNodes, type QueryNode } from "./tree.js";

/** Where a word stands: in a field, or in none. */
export interface Spot {
  readonly name?: string;
  readonly field?: Field;
}

/**
 * Returns what a pasted identifier means: the term that it names, or the text by which records hold it. In a search for
 * terms its words are compared with identifiers (`identifierTail`).
 */
export function pastedNode(text: string, spot: Spot, fields: FieldLookup): QueryNode | undefined {
  const pasted = pastedIdentifier(text);
  if (pasted === undefined) return undefined;
  if (fields.isTerms && pasted.prefix !== "") return pasted.isAddress ? wordsOf(text, spot) : undefined;
  const id = idOf(pasted);
  const named = spot.name === undefined ? {} : { field: spot.name };
  const isTerm = !isUnique(pasted) && citesIn(spot, fields) && fields.findIds(id).length > 0;
  const node = isTerm ? ({ kind: "cites", ...named, id, within: false } as const) : wordsOf(heldText(pasted), spot);
  // A foreign prefix may stand in a text as it was written.
  return pasted.isAddress ? node : anyNodes([node, wordsOf(text, spot)].flatMap((each) => each ?? []));
}

const idOf = ({ prefix, value }: PastedIdentifier): string => `${prefix}:${value}`;

/** Returns the id that a text is, or that it names as an address or with a foreign prefix; undefined if it is none. */
export function knownId(text: string, fields: FieldLookup): string | undefined {
  const pasted = pastedIdentifier(text);
  return [text, ...(pasted === undefined ? [] : [idOf(pasted)])].find((id) => fields.findIds(id).length > 0);
}

const wordsOf = (text: string, { name }: Spot): QueryNode | undefined => textNode(text, false, name);

/** Returns both forms of a number that is written in groups, or with parts that differ between years. */
export function numberNode(text: string, spot: Spot, fields: FieldLookup): QueryNode | undefined {
  const number = fields.isTerms || spot.field?.meanings.some(isNumeric) ? undefined : citedNumber(text);
  if (number === undefined || number === text) return undefined;
  return anyNodes([wordsOf(text, spot), wordsOf(number, spot)].flatMap((each) => each ?? []));
}

/** A number in groups of digits with blanks between them. */
const SPACED_NUMBER = /\d{1,3}(?:\s\d{3})+(?=[\s)]|$)/uy;

/** Reads a number that is written in groups, with `spacedNumber`. Undefined, and nothing read, for any other text. */
export function readSpacedNumber(scanner: Scanner, fields: FieldLookup): QueryNode | undefined {
  const written = fields.isTerms ? undefined : scanner.take(SPACED_NUMBER);
  return written === undefined ? undefined : spacedNumber(written);
}

/** Returns the meanings of a number that is written in groups; undefined for any other text. */
export function spacedNumber(text: string): QueryNode | undefined {
  const number = /^\d+\s/u.test(text) ? citedNumber(text) : undefined;
  if (number === undefined) return undefined;
  const groups = text.trim().split(/\s+/u);
  const nodes = [groups, [number]].flatMap(
    (texts) => allNodes(texts.flatMap((each) => textNode(each, false) ?? [])) ?? [],
  );
  return anyNodes(nodes);
}

/** Are these the groups of a number and the number (`spacedNumber`)? Then the groups are words of a text. */
export function isSpacedNumber(groups: readonly QueryNode[], number: QueryNode | undefined): boolean {
  const texts = groups.map((node) => (node.kind === "text" ? node.text : " "));
  return number?.kind === "text" && /^\d+$/u.test(number.text) && texts.join("") === number.text;
}

/** Returns what a text in quotes means: a phrase, or the identifier whose address it is. */
export function quotedNode(text: string, spot: Spot, fields: FieldLookup): QueryNode | undefined {
  const node = pastedIdentifier(text)?.isAddress === true ? pastedNode(text, spot, fields) : undefined;
  return node ?? textNode(text, true, spot.name);
}

/** Undefined where the text has no words. */
export function textNode(text: string, quoted: boolean, field?: string): QueryNode | undefined {
  if (analyse(text).length === 0) return undefined;
  return { kind: "text", ...(field === undefined ? {} : { field }), text, quoted };
}

/** Can an id be cited here? Among terms only the id itself is one. */
export function citesIn({ field }: Spot, fields: FieldLookup): boolean {
  if (field === undefined) return true;
  if (fields.isTerms) return field.meanings.some(({ path }) => path === "id");
  return field.meanings.some(({ sites }) => sites.length > 0);
}
